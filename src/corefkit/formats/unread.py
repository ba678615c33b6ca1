"""Formats that are recognised but not read: what they are called, and what to do instead."""

UNREAD: dict[str, tuple[str, str]] = {
    "webanno-old": ("WebAnno TSV 1 or 2", "export it again as WebAnno TSV 3"),
    "gap": ("GAP", "its labels are pairs; write the clusters of each text as JSON lines"),
    "booknlp-tokens": ("BookNLP tokens", "name the file .entities that stands beside it"),
    "ontonotes": ("OntoNotes .coref", "take the CoNLL files of OntoNotes"),
    "muc": ("MUC SGML", "convert it to CoNLL columns"),
    "xmi": ("UIMA XMI", "export WebAnno TSV 3"),
    "cas-json": ("UIMA CAS JSON", "export WebAnno TSV 3"),
    "cas-zip": ("a UIMA CAS archive", "export WebAnno TSV 3"),
    "mmax2": ("MMAX2", "export CoNLL columns"),
    "ecbplus": ("ECB+ XML", "convert it to CoNLL columns, one document a topic"),
    "tei": ("TEI", "export CoNLL columns"),
    "doccano": ("doccano JSON", "write clusters as JSON lines"),
    "label-studio": ("Label Studio JSON", "write clusters as JSON lines"),
    "docred": ("DocRED", "its vertexSet has mentions of entities; write clusters as JSON lines"),
    "spacy": ("a spaCy DocBin", "load it in Python and pass the docs to Corpus.from_spacy"),
}
"""Each such format: its title, and what to do. A line goes when a reader comes."""
