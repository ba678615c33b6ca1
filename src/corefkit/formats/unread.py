"""Formats that are recognised but not read: what they are called, and what to do instead."""

UNREAD: dict[str, tuple[str, str]] = {
    "webanno-old": ("WebAnno TSV 1 or 2", "export it again as WebAnno TSV 3"),
    "booknlp-tokens": ("BookNLP tokens", "name the file .entities that stands beside it"),
    "docred": ("DocRED", "its vertexSet has mentions of entities; write clusters as JSON lines"),
}
"""Each such format: its title, and what to do. A line goes when a reader comes."""
