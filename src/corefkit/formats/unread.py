"""Formats that are recognised but not read: what they are called, and what to do instead."""

UNREAD: dict[str, tuple[str, str]] = {
    "webanno-old": ("WebAnno TSV 1 or 2", "export it again as WebAnno TSV 3"),
    "booknlp-tokens": ("BookNLP tokens", "name the file .entities that stands beside it"),
    "docred": ("DocRED", "its vertexSet has mentions of entities; write clusters as JSON lines"),
    "corefi": ("CoRefi JSON", "write its mentions by clustId as clusters of JSON lines"),
    "onf": ("OntoNotes .onf", "take the .coref files or the CoNLL files of the same documents"),
    "ace": ("ACE APF", "write its entity mentions as brat standoff or JSON lines"),
    "rich-ere": ("Rich ERE", "write its entity mentions as brat standoff or JSON lines"),
    "mas-xml": (
        "MAS-XML",
        "take the CoNLL or CoNLL-UA files of the corpus, e.g. Phrase Detectives",
    ),
    "knowtator": ("Knowtator-2", "take CoNLL columns, which the scripts of the CRAFT corpus write"),
    "glozz": ("Glozz", "write its units and chains as brat standoff or JSON lines"),
    "export": ("the export format of TüBa-D/Z", "take the CoNLL columns of the corpus"),
    "tbf": ("event files of KBP, .tbf", "write its event mentions as brat standoff or JSON lines"),
}
"""Each such format: its title, and what to do. A line goes when a reader comes."""

LOOKS: tuple[tuple[str, bytes], ...] = (
    ("onf", rb"\A(-{10,}\s{1,9})?Plain sentence:\s{0,9}\n"),
    ("export", rb"\A#(FORMAT [34]\b|BOT ORIGIN\b|BOS \d)"),
    ("tbf", rb"\A#BeginOfDocument\b"),
    ("ace", rb"<!DOCTYPE source_file\b|<source_file\s[^>]{0,500}?\bURI="),
    ("rich-ere", rb"<deft_ere\b"),
    ("mas-xml", rb"<anchor\s[^>]{0,500}?\bante="),
    ("knowtator", rb"<knowtator-project\b"),
    ("glozz", rb"<annotations\b[^>]{0,500}>\s{0,500}<metadata\s{1,9}corpusHashcode="),
    ("glozz", rb"<characterisation>"),
)
"""What occurs at the beginning of files of formats that only these bytes tell."""
