"""The table of formats: where each is read, and how its files look. Detection tries it from above.

A format appears where it is first tried; the first of its rows names its module. A format without
a module is recognised but not read: `UNREAD` says what to do with such files.
"""

from typing import NamedTuple

from corefkit.core.table_columns import LINKS, MENTIONS, TableKind


class Look(NamedTuple):
    """How files of a format look; a row fits if everything that it names is there.

    Attributes:
        name: the name of the format.
        module: the module in `formats` that defines it: its FORMAT, or the constant after ":".
        begins: a pattern for the first bytes; byte order mark, Markdown fence and blanks left out.
        near: a pattern in the first 64 kB.
        has: texts anywhere in the file.
        keys: the fields of the first JSON document.
        table: the kind of table whose columns the first line names.
        marks: a pattern in running text; such rows are tried last.
        lacks: how such a text does not begin.
    """

    name: str
    module: str = ""
    begins: bytes = b""
    near: bytes = b""
    has: tuple[bytes, ...] = ()
    keys: str = ""
    table: TableKind | None = None
    marks: bytes = b""
    lacks: bytes = b""


# Lengths in the patterns are bounded so that no text takes quadratic time. A pattern that begins
# with a character is found much faster than one that begins with ^, hence `_LINE`.
_LINE = rb"#(?<![^\n]#)"
_CONLLU = (
    rb"(?:#(?!\s*begin document)[^\n]*\n\s*)*?"
    rb"(?:#\s*(?:newdoc|newpar|sent_id|text\s*=|global\.Entity)"
    rb"|(?:1|1-\d+|0\.1)\t(?:[^\t\n]*\t){8}[^\t\n]*(?:\n|\Z))"
)
_DOCUMENT = _LINE + rb"[ \t]*begin[ \t]+document\b"
# The first row after the header begins with 1, and the second does not: a document may be called 1.
_NUMBERED_ROWS = (
    rb"[^\n]*\s*\n(?:#[^\n]*\n|\s*\n)*1(?:[\t ]+[^\s]+[\t ]*\r?$(?!\n1[\t ])|"
    rb"(?:\t[^\t\n]*){11,}\r?$(?!\n1[\t ])|(?: +[^ \t\n]+){11,} *\r?$(?!\n1[\t ]))"
)
_LINK = (
    rb"(?:[^\t\n]*(?:\t\d+){2}(?:\t *(?:\d+|_?) *){2}(?:\t[^\t\n]*)?"
    rb'|(?:"(?:[^"\n]|"")*"|[^,"\t\n]*)(?:,\d+){2}(?:, *(?:\d+|_?) *){2}(?:,[^,\t\n]*)?)'
    rb"\r?(?:\n|\Z)"
)
_CELLS = rb"(?:[^\t\n]{0,9999}+\t){3}"
_API = rb'xmlns:[\w.-]+\s*=\s*["\'][^"\']*/ims/coref/annotator/api(?:/v[12])?\.ecore["\']'
_PRONOUN = (
    rb"(?i)\[\s{0,9}(?:s?he|him|hers?|his|they|them|theirs?|its?|(?:him|her|it)self|themsel(?:f|ves))"
    rb"\s{0,9}\]"
)

LOOKS = (
    Look("parquet", "parquet", begins=rb"PAR1"),
    Look(
        "tbf",
        "archive.tbf",
        begins=rb"(?:#(?!BeginOfDocument\b)[^\n]*+\n\s*+)*+(?:#BeginOfDocument\b|"
        + _CELLS
        + rb"\d+,\d+(?:;\d+,\d+)*(?:\t[^\t\n]*+){3})",
    ),
    Look("i2b2", "archive.i2b2", begins=rb'c="[^\n]*?" \d+:\d+ \d+:\d+[ \t]*\|\|'),
    Look(
        "tac-edl",
        "archive.tac:EDL",
        begins=_CELLS + rb"[^\t\n]{1,500}?: {0,9}\d+ {0,9}(?:-|\xe2\x80\x93)"
        rb" {0,9}\d+ {0,9}(?:\t[^\t\n]*+){3}",
    ),
    Look("webanno", "webanno", begins=rb"#FORMAT=WebAnno TSV 3"),
    Look("webanno-old", begins=rb"#FORMAT=WebAnno TSV "),
    Look("conllu", "conllu", begins=rb"#", near=_LINE + rb" global\.Entity"),
    Look("conllua", "conllua", begins=rb"#", near=_LINE + rb" global\.columns"),
    Look("conllua", begins=_CONLLU, near=rb"(?i)[(|]EntityID="),
    Look("conllu", begins=_CONLLU),
    Look("semeval2010", "conll:SEMEVAL2010", near=rb"(?m)" + _DOCUMENT + _NUMBERED_ROWS),
    Look("conll", "conll", near=_DOCUMENT),
    Look("arrau", "arrau", begins=rb"TOKEN[ \t]+MARKABLE\b|\S+[ \t]+[BI]-markable_\S+=\S"),
    Look("gap", "gap", begins=rb"ID\tText\tPronoun\tPronoun-offset\b"),
    Look(
        "gap-answers",
        "gap:SYSTEM",
        begins=rb"(?i)[^\t\n]{1,500}\t(true|false)\t(true|false)[ \r]*(\n|\Z)",
    ),
    Look("booknlp", "booknlp", begins=rb"COREF\tstart_token\tend_token\b"),
    Look("booknlp-tokens", begins=rb"paragraph_ID\tsentence_ID\b"),
    Look("litbank-tsv", "litbank", begins=rb"(MENTION|COREF|COP|APPOS)\tT"),
    Look(
        "brat",
        "brat",
        begins=rb"T\d+\t\S+ \d+ \d+|R\d+\t\S+ \S+:T\d+ \S+:T\d+|\*\t\S+ T\d+ T\d+"
        rb"|[EAMN]\d+\t\S+[: ][TERN]\d+|#\d+\tAnnotatorNotes ",
    ),
    Look("links", "links", table=LINKS),
    Look("links", begins=_LINK),
    Look("mention-table", "mention_table", table=MENTIONS),
    Look("ontonotes", "ontonotes", has=(b"<COREF ID=", b"<TEXT PARTNO=")),
    Look("muc", "archive.muc", has=(b"<COREF ID=",)),
    Look("rich-ere", "archive.rich_ere", begins=rb"<", near=rb"<deft_ere\b"),
    Look("ace", "archive.ace", begins=rb"<", near=rb"<source_file\b", has=(b"DOCID=",)),
    Look("tac-queries", "archive.tac:QUERIES", begins=rb"<", near=rb"<kbpentlink\b"),
    Look(
        "glozz",
        "archive.glozz",
        begins=rb"<",
        near=rb"<annotations\b",
        has=(b"<characterisation>",),
    ),
    Look(
        "ancor-tei", "archive.ancor", begins=rb"<", near=rb"<TEI\b", has=(b"spanGrp ", b"linkGrp ")
    ),
    Look("corefannotator", "corefannotator", begins=rb"<", near=_API, has=(b":Mention ",)),
    Look("corefannotator", begins=rb"<", near=_API, has=(b":Meta",)),
    Look("xmi", "cas:XMI", begins=rb"<", near=rb"<xmi:XMI\b"),
    Look("mmax2", "archive.mmax2", begins=rb"<", near=rb"<mmax_project\b"),
    Look("ecbplus", "ecbplus", begins=rb"<", near=rb"<Document\s[^>]{0,500}?\bdoc_name="),
    Look("tei", "tei", begins=rb"<", near=rb"<TEI\b", has=(b"rs ",)),
    Look("catma", begins=rb"<", near=rb"<TEI\b", has=(b"CATMA_",)),
    Look("catma", begins=rb"<", near=rb"<TEI\b", has=(b"catma://",)),
    Look("urs", begins=rb"<", near=rb"<TEI\b", has=(b"annotationGrp",)),
    Look("tei", begins=rb"<", near=rb"<TEI\b"),
    Look(
        "corenlp-xml",
        "corenlp:XML",
        begins=rb"<",
        near=rb"<root\b[^>]{0,500}>\s{0,500}<document\b",
    ),
    Look("onf", begins=rb"(-{10,}\s{1,9})?Plain sentence:\s{0,9}\n"),
    Look("export", begins=rb"#(FORMAT [34]\b|BOT ORIGIN\b|BOS \d)"),
    Look("mas-xml", near=rb"<anchor\s[^>]{0,500}?\bante="),
    Look("knowtator", near=rb"<knowtator-project\b"),
    Look("cas-json", "cas:JSON", keys="%TYPES"),
    Look("corenlp-json", "corenlp:JSON", keys="corefs"),
    Look("label-studio", "label_studio", keys="data annotations"),
    Look("rucoco", "rucoco", keys="text entities includes"),
    Look("doccano", "doccano", keys="text entities relations"),
    Look("preco", "jsonlines:PRECO", keys="mention_clusters"),
    Look("indiscrim", "jsonlines:INDISCRIM", keys="coref_chains"),
    Look("maverick", "jsonlines:MAVERICK", keys="clusters_token_offsets"),
    Look("wl-coref", "jsonlines:WL_COREF", keys="cased_words"),
    Look("allennlp", "jsonlines:ALLENNLP", keys="document clusters"),
    Look("subtoken", "jsonlines:SUBTOKEN", keys="subtoken_map sentences"),
    Look("e2e", "jsonlines:E2E", keys="sentences clusters"),
    Look("e2e", keys="sentences predicted_clusters"),
    Look("lingmess", "jsonlines:LINGMESS", keys="tokens clusters"),
    Look("fastcoref", "jsonlines:FASTCOREF", keys="text clusters"),
    Look("docred", keys="vertexSet"),
    Look("corefi", keys="tokens mentions"),
    Look("s2e-predictions", "jsonlines:S2E"),
    Look("json-answers", "json_answers"),
    Look("project", "project"),
    Look("cas-zip", "cas:ZIP"),
    Look("spacy", "spacy"),
    Look("markdown", "markup:MARKDOWN", marks=rb"\]\(#"),
    Look("tags", "markup:TAGS", marks=rb"<coref\s(?:[^>]{0,500}?\s)?id\s*="),
    Look("seq2seq", "markup:SEQ2SEQ", marks=rb"<m>"),
    Look(
        "text2text",
        "markup:TEXT2TEXT",
        marks=rb"\|(?:[^\s|]{0,500},)?\[e\w|\|[^\s|]{0,500}\be\w{1,99}\](?!\()",
    ),
    Look("sacr", "markup:SACR", lacks=rb"<", marks=rb'\{\w[^\s:{}]{0,500}(:[^\s={}]{1,500}="|\s)'),
    Look("winobias", "markup:WINOBIAS", lacks=rb"<", marks=_PRONOUN),
)
"""All looks, in the order in which they are tried."""

_USUAL = ("conll", "conllu", "conllua", "e2e", "parquet", "mention-table", "brat")
"""The formats that are listed first, and written to files whose ending several formats have."""

COLUMNS, JSON, TABLE = "conll", "e2e", "mention-table"
"""How text, JSON and tables that look like nothing else are read, if options say where to look."""
ANSWERS, LISTS = "json-answers", "s2e-predictions"
"""JSON with a field of marked text, and JSON in which all values are lists."""

MODULES = dict.fromkeys(_USUAL, "") | {
    look.name: f"formats.{look.module}" for look in LOOKS if look.module
}
"""Each format that is read, and where it is defined; detection may name others, too."""


class Companions(NamedTuple):
    """The files that belong to a file with an ending, from its folder; {} stands for its stem.

    Attributes:
        ending: the ending of the file.
        read: those that are read along with it.
        others: those that are no documents either.
    """

    ending: str
    read: tuple[str, ...]
    others: tuple[str, ...] = ()


_BOOKNLP = ("{}.quotes", "{}.supersense", "{}.book", "{}.book.html", "{}.txt")
_MMAX = ("Basedata", "Markables", "Schemes", "Styles", "Customizations")
COMPANIONS = (
    Companions(".ann", ("{}.txt",), ("*.conf",)),
    Companions(".aa", ("{}.ac",)),
    Companions(".apf.xml", ("{}.sgm",)),
    Companions(".rich_ere.xml", ("{}.txt", "{}.xml.txt", "{}.cmp.txt")),
    Companions(".entities", ("{}.tokens",), _BOOKNLP),
    Companions(".chains", ("{}", "../docs/{}", "{}.con", "../concepts/{}.con")),
    Companions(
        ".mmax",
        (
            *(f"{folder}{{}}_words.xml" for folder in ("Basedata/", "basedata/", "")),
            *(f"{folder}{{}}_*_level.xml" for folder in ("Markables/", "markables/", "")),
        ),
        ("common_paths.xml", *(f"{folder}/*" for folder in _MMAX)),
    ),
)
"""The companions of the formats that have several files."""

UNREAD: dict[str, tuple[str, str]] = {
    "webanno-old": ("WebAnno TSV 1 or 2", "export it again as WebAnno TSV 3"),
    "booknlp-tokens": ("BookNLP tokens", "name the .entities file beside it"),
    "docred": (
        "DocRED",
        "its vertexSet contains the mentions of entities; write clusters as JSON lines",
    ),
    "corefi": ("CoRefi JSON", "write its mentions by clustId as clusters of JSON lines"),
    "onf": ("OntoNotes .onf", "use the .coref files or the CoNLL files of the same documents"),
    "mas-xml": (
        "MAS-XML",
        "use the CoNLL or CoNLL-UA files of the corpus, e.g. Phrase Detectives",
    ),
    "knowtator": ("Knowtator-2", "use CoNLL columns, which the scripts of the CRAFT corpus write"),
    "export": ("the export format of TüBa-D/Z", "use the CoNLL columns of the corpus"),
    "catma": (
        "CATMA TEI",
        "CATMA has no entities, and exports neither CoNLL nor brat: convert its table of "
        "annotations to a link list",
    ),
    "urs": (
        "TEI with units, relations and schemas (URS, TXM)",
        "use the CoNLL, SACR or JSON files of the corpus, as there are of DEMOCRAT",
    ),
}
"""The formats that are recognised but not read: title, and advice to the user."""
