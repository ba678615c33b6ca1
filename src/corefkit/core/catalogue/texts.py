"""Incidents of texts for language models that are read back."""

from corefkit.core.catalogue.kind import Kind, error, warning

TEXTS: dict[str, Kind] = {
    "text-unreadable": error(
        "A text of a language model is no JSON with tokens, or a document of it has next to no "
        "word in common with the document of the file at its place.",
        "Check that the text was made from this file, and that no document is missing.",
        {
            "": "no text that can be read: {reason}",
            "other": "the text has next to nothing in common with this document of the file",
            "tokens": "no text that can be read: object {number} has no list of tokens",
        },
    ),
    "text-documents-differ": warning(
        "A text of a language model has more or fewer documents than the file it belongs to, or "
        "names one otherwise. Documents are paired in order; those that are missing have no "
        "mentions.",
        "Write one document a line, an empty line where there is none.",
        {
            "": "the document is read as {name}, which stands at its place in the file",
            "extra": "document {number} of the text is not read: the file has {documents:,}",
            "missing": "the text lacks a document",
        },
    ),
    "text-word-differs": warning(
        "A word of the text is not that of the file, or one of the two is missing. The file's "
        "words stay.",
        "Let the model repeat the words as they are.",
        {
            "": "another word than the file has",
            "added": "a word that the file has not",
            "missing": "the word {form} of the file is not in the text",
        },
    ),
    "text-mark-lost": warning(
        "A mark stands behind a word that the file does not have, or another one. It is lost.",
        "Let the model repeat the words as they are.",
        "the mark of a word that the file has not",
    ),
    "text-mark-bad": warning(
        "A mark of the text cannot be read, or offsets are no span of tokens. It is lost.",
        "Write [e1 to open, e1] to close, [e1] for one word, joined by commas.",
        {
            "": "a mark that cannot be read is lost",
            "span": "a mention that is no span of tokens is lost: {span}",
        },
    ),
    "text-mark-unclosed": warning(
        "A mention of the text is open at the end of its sentence. It is read as a mention of the "
        "node where it was opened. So is one that crosses another mention of its entity once "
        "empty nodes are at their places.",
        "Close every mention in the sentence where it was opened.",
        {
            "": "{entity} is open at the end of the sentence: read as a mention of this node",
            "left-out": "{entity} is open at the end of the sentence: left out",
            "crosses": "a mention of {entity} crosses another one: read as its first node",
        },
    ),
    "text-mark-unopened": warning(
        "A mention of the text is closed that was not open in its sentence. It is read as a "
        "mention of the node where it is closed.",
        "Open every mention in the sentence where it is closed.",
        "{entity} is not open here: read as a mention of this node",
    ),
    "text-mentions-cross": warning(
        "Two mentions of one cluster cross, which CorefUD files cannot say. The later one is lost.",
        "Let mentions of one entity be apart, or one inside the other.",
        "a mention that crosses another one of its cluster is lost",
    ),
    "text-empty-node": warning(
        "A ## of the text is no empty node of the file. A new one is made behind the word before "
        "it, with that word as its one dependency.",
        "Nothing, where the system is meant to find empty nodes.",
        "an empty node that the file does not have is made",
    ),
}
