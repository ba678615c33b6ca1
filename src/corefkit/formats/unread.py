"""Formats that are recognised but not read: what to do with such files instead."""

from corefkit.formats.format import Look, UnreadFormat


def _tei(*texts: bytes) -> Look:
    """The look of a TEI file with these texts, which has no mention in its text."""
    return Look(begins=rb"<", near=rb"<TEI\b", has=texts, without=(b"rs ",))


WEBANNO_OLD = UnreadFormat(
    "webanno-old",
    "WebAnno TSV 1 or 2",
    "Export it again as WebAnno TSV 3",
    (Look(begins=rb"#FORMAT=WebAnno TSV "),),
)
BOOKNLP_TOKENS = UnreadFormat(
    "booknlp-tokens",
    "BookNLP tokens",
    "Name the .entities file beside it",
    (Look(begins=rb"paragraph_ID\tsentence_ID\b"),),
)
DOCRED = UnreadFormat(
    "docred",
    "DocRED",
    "Its vertexSet contains the mentions of entities; write clusters as JSON lines",
    (Look(keys="vertexSet"),),
)
COREFI = UnreadFormat(
    "corefi",
    "CoRefi JSON",
    "Write its mentions by clustId as clusters of JSON lines",
    (Look(keys="tokens mentions"),),
)
ONF = UnreadFormat(
    "onf",
    "OntoNotes .onf",
    "Use the .coref files or the CoNLL files of the same documents",
    (Look(begins=rb"(-{10,}\s{1,9})?Plain sentence:\s{0,9}\n"),),
)
MAS_XML = UnreadFormat(
    "mas-xml",
    "MAS-XML",
    "Use the CoNLL or CoNLL-UA files of the corpus, e.g. Phrase Detectives",
    (Look(near=rb"<anchor\s[^>]{0,500}?\bante="),),
)
KNOWTATOR = UnreadFormat(
    "knowtator",
    "Knowtator-2",
    "Use CoNLL columns, which the scripts of the CRAFT corpus write",
    (Look(near=rb"<knowtator-project\b"),),
)
EXPORT = UnreadFormat(
    "export",
    "the export format of TüBa-D/Z",
    "Use the CoNLL columns of the corpus",
    (Look(begins=rb"#(FORMAT [34]\b|BOT ORIGIN\b|BOS \d)"),),
)
CATMA = UnreadFormat(
    "catma",
    "CATMA TEI",
    "CATMA has no entities, and exports neither CoNLL nor brat: convert its table of annotations "
    "to a link list",
    (_tei(b"CATMA_"), _tei(b"catma://")),
)
URS = UnreadFormat(
    "urs",
    "TEI with units, relations and schemas (URS, TXM)",
    "Use the CoNLL, SACR or JSON files of the corpus, as there are of DEMOCRAT",
    (_tei(b"annotationGrp"),),
)
