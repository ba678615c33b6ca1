"""The kinds of incidents of texts for language models that are read back."""

from corefkit.data.kind import Kind

TEXTS: dict[str, Kind] = {
    "text-unreadable": Kind(
        "error",
        "A text of a language model is no JSON with tokens, or a document of it has next to no "
        "word in common with the document of the file at its place.",
        "Check that the text was made from this file, and that no document is missing.",
    ),
    "text-documents-differ": Kind(
        "warning",
        "A text of a language model has more or fewer documents than the file it belongs to, or "
        "names one otherwise. Documents are paired in order; those that are missing have no "
        "mentions.",
        "Write one document a line, an empty line where there is none.",
    ),
    "text-word-differs": Kind(
        "warning",
        "A word of the text is not that of the file, or one of the two is missing. The file's "
        "words stay.",
        "Let the model repeat the words as they are.",
    ),
    "text-mark-lost": Kind(
        "warning",
        "A mark stands behind a word that the file does not have, or another one. It is lost.",
        "Let the model repeat the words as they are.",
    ),
    "text-mark-bad": Kind(
        "warning",
        "A mark of the text cannot be read, or offsets are no span of tokens. It is lost.",
        "Write [e1 to open, e1] to close, [e1] for one word, joined by commas.",
    ),
    "text-mark-unclosed": Kind(
        "warning",
        "A mention of the text is open at the end of its sentence. It is read as a mention of the "
        "node where it was opened.",
        "Close every mention in the sentence where it was opened.",
    ),
    "text-mark-unopened": Kind(
        "warning",
        "A mention of the text is closed that was not open in its sentence. It is read as a "
        "mention of the node where it is closed.",
        "Open every mention in the sentence where it is closed.",
    ),
    "text-mentions-cross": Kind(
        "warning",
        "Two mentions of one cluster cross, which CorefUD files cannot say. The later one is lost.",
        "Let mentions of one entity be apart, or one inside the other.",
    ),
    "text-empty-node": Kind(
        "warning",
        "A ## of the text is no empty node of the file. A new one is made behind the word before "
        "it, with that word as its one dependency.",
        "Nothing, where the system is meant to find empty nodes.",
    ),
}
