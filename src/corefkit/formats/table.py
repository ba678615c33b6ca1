"""The table of formats: which module has which. What a format is stands there; see `format`."""

PACKED = {"project": ["project"], "cas": ["cas-zip"], "spacy": ["spacy"]}
TEXTS = {
    "conllua": ["conllua"],
    "conllu": ["conllu"],
    "conll": ["semeval2010", "conll"],
    "brat": ["brat"],
    "parquet": ["parquet"],
    "archive.tbf": ["tbf"],
    "archive.i2b2": ["i2b2"],
    "archive.tac": ["tac-edl", "tac-queries"],
    "webanno": ["webanno"],
    "arrau": ["arrau"],
    "gap": ["gap", "gap-answers"],
    "booknlp": ["booknlp"],
    "litbank": ["litbank-tsv"],
    "links": ["links"],
    "mention_table": ["mention-table"],
    "ontonotes": ["ontonotes"],
    "archive.muc": ["muc"],
    "archive.rich_ere": ["rich-ere"],
    "archive.ace": ["ace"],
    "archive.glozz": ["glozz"],
    "archive.ancor": ["ancor-tei"],
    "corefannotator": ["corefannotator"],
    "cas": ["xmi"],
    "archive.mmax2": ["mmax2"],
    "ecbplus": ["ecbplus"],
    "tei": ["tei"],
    "corenlp": ["corenlp-xml"],
    "unread": [],
}
JSON = {
    "jsonlines": [
        *("preco", "indiscrim", "maverick", "wl-coref", "allennlp", "subtoken", "e2e"),
        *("lingmess", "fastcoref", "s2e-predictions"),
    ],
    "links": ["links"],
    "json_answers": ["json-answers"],
    "cas": ["cas-json"],
    "corenlp": ["corenlp-json"],
    "label_studio": ["label-studio"],
    "rucoco": ["rucoco"],
    "doccano": ["doccano"],
    "markup": ["markdown"],
    "unread": [],
}
MARKS = {"markup": ["markdown", "tags", "seq2seq", "text2text", "sacr", "winobias"]}
"""The modules of formats in archives and other packed files, in text, in JSON, and in running text
with marks: in the order in which detection tries them. A module is loaded when its turn comes."""

_USUAL = ("conll", "conllu", "conllua", "e2e", "parquet", "mention-table", "brat")
"""The formats that are listed first, and written to files whose ending several formats have."""
MODULES = dict.fromkeys(_USUAL, "") | {
    name: module
    for modules in (TEXTS, JSON, PACKED, MARKS)
    for module, names in modules.items()
    for name in names
}
"""Each format that is read, and the module that defines it."""

ANYTHING, ANY_JSON, ANY_TABLE = "conll", "e2e", "mention-table"
"""How text, JSON and tables that look like nothing else are read, if options say where to look; the
first is also what is written to a stream if nothing else is said."""
FIRST_IN_FOLDERS = "conll"
"""The ending of files beside which all others in a folder do not count."""
ANSWERS, LISTS = "json-answers", "s2e-predictions"
"""JSON with a field of marked text, and JSON in which all values are lists."""

OPTIONS = {
    "clusters": "options",
    "ends": "options",
    "threshold": "kit.link_lists",
    "best": "kit.link_lists",
    "unlinked": "kit.link_lists",
    "layer": "options",
    "relations": "options",
    "mentions": "options",
    "types": "options",
    "text_field": "json_answers",
    "lenient": "markup",
    "word_column": "conll",
    "annotator": "kit.annotators",
    "unfinished": "kit.annotators",
    "optional": "archive.muc",
    "unit": "options",
    "extent": "archive.ace",
    "text": "archive.i2b2",
    "concepts": "archive.i2b2",
    "columns": "options",
    "missing": "options",
}
"""The options of reading, as `--read` has them, and the modules that declare them."""
