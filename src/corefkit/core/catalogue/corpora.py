"""Incidents of the corpus tools: skeletons, layers, splits and agreement."""

from corefkit.core.catalogue.kind import Kind, error, one_hint, warning

_TREES = {
    "outside-tree": "'{token}' outside any tree",
    "constituent": "neither constituent nor (tag word)",
    "end": "the file ends inside a tree",
}
"""What is said of files of trees, of which both words and layers are read."""

CORPORA: dict[str, Kind] = {
    "words-mismatch": error(
        "A sentence of a skeleton has another number of tokens than the source of its words.",
        "Name the file the skeleton was made from; the English trees of the CoNLL tasks lack their "
        "disfluencies (--drop-edited).",
        {
            "": "sentence {sentence:,} of {own:,}: {tokens:,} tokens, but {words:,} words",
            "sentences": (
                "sentence {sentence:,} of {own:,} (the source has {theirs:,}): {tokens:,} tokens, "
                "but {words:,} words"
            ),
            "file": "the file: {tokens:,} tokens, but {words:,} words",
        },
    ),
    "word-not-masked": error(
        "A word of a skeleton is not masked, and the source of the words has another one there.",
        "Name the file the skeleton was made from.",
        "a word of the skeleton is not masked, and the source has another one",
    ),
    "words-missing": error(
        "There is no file with the words of a skeleton in the directory.",
        "Check the path; files belong together when their paths are the same but for the "
        "extension.",
        "there is no file with the words of the skeleton",
    ),
    "words-ambiguous": error(
        "More than one file may have the words of a skeleton, or one file those of skeletons of "
        "two languages.",
        "Lay out both directories alike, languages included, or leave the other files out.",
        "it cannot be told which file has the words of the skeleton",
    ),
    "words-unreadable": error(
        "A file that words are to come from is neither a treebank file nor one token a line.",
        "Correct the file, or name another one.",
        {
            **_TREES,
            "no-column": "there is no column for words",
            "two-tokens": "more than one token on a line",
        },
    ),
    "no-files": error("A directory holds no file to work on.", "Check the path.", "no file in it"),
    "target-twice": error(
        "Two files of a directory would be written to the same place, e.g. the layers of "
        "a.v4_gold_conll and a.v4_auto_conll.",
        "Keep one of the two in the directory, or name the files one by one.",
        "two files would be written to the same place, and one would be lost",
    ),
    "layer-unsayable": error(
        "A layer cannot say a token of the file: an empty word, or in trees a blank in a word or "
        "tag, or the tag of empty elements (-NONE-), which are no words when trees are read.",
        "Change the cell, or remove the token.",
        {
            "empty": "the {what} is empty, which the layer cannot say",
            "blank": "the {what} has a blank in it, which the layer cannot say",
            "element": "the tag is that of empty elements (-NONE-), which the layer cannot say",
        },
    ),
    "layer-broken": error(
        "A layer file is broken: a tree without its closing bracket, a tag that is never closed.",
        "Correct the file; `corefkit layers` writes the format that is read.",
        {
            "stray": "a single {sign}; write {escaped} for it",
            "element": "an element {name}, not {tag}",
            "unopened": "</{tag}> closes nothing",
            "no-document": "there is no <DOC> around it",
            "unclosed": "<{tag}> is never closed",
            "outside-document": "words outside any document",
            "attribute": "<{tag}> without {name}",
            "no-word": "<{tag}> around no word",
            **_TREES,
        },
    ),
    "layer-mismatch": error(
        "A layer has other words, or more sentences, than the CoNLL file it is merged into.",
        "Merge a layer into the file it was made from.",
        {
            "": "the layer has other words: {here:,} tokens here, {there:,} there",
            "trees": "the layer has {number:,} trees more than the CoNLL file",
            "documents": "the layer has {number:,} documents more than the CoNLL file",
        },
    ),
    "split-unknown": error(
        "The id of a document does not tell which part of the split it belongs to.",
        "Rename the document, or leave it out and assign it by hand.",
        "the id does not tell which part of the split the document belongs to",
    ),
    "document-in-two-parts": error(
        "A document is in more than one part of a split.",
        "Remove it from one of them; all parts of a document stay together.",
        "the document is in more than one part of the split",
    ),
    "no-ids": error(
        "A file or directory holds no id of a document.",
        "Name a list of ids, a CoNLL file, or a directory laid out as OntoNotes.",
        "there is no id of a document in it",
    ),
    "labels-missing": error(
        "A list of disagreements has no column of labels, or no label in it.",
        "Fill in the column 'label' of the list that `corefkit agree --disagreements` writes.",
        one_hint(
            "labels are, e.g., {examples}",
            {"": "no line has a label", "column": "there is no column 'label' in the first line"},
        ),
    ),
    "nothing-shared": error(
        "Two annotators have no document in common.",
        "Give the documents the same names in both files, parts included.",
        "{one} and {other} have no document in common that could be compared",
    ),
    "layer-ignored": warning(
        "A layer file has a mention that CoNLL files cannot say: of parts of words, or of another "
        "type than IDENT. It is left out.",
        "Nothing; the CoNLL tasks left them out too.",
        {
            "type": "a mention of type {type} is left out",
            "parts": "a span of parts of words is left out",
        },
    ),
    "document-unshared": warning(
        "Only one of two annotators has the document; it is left out of their agreement.",
        "Nothing, unless the other one should have it.",
        (
            "only {one} has the document, {other} has not",
            "it is left out of the agreement of the two",
        ),
    ),
    "document-unfit": warning(
        "A document has different numbers of tokens in two annotations, so their spans cannot be "
        "compared; it is left out of their agreement. The incident names the first line that "
        "departs.",
        "Use one tokenisation. --lengths ignore compares spans all the same.",
        (
            "the document has {tokens:,} tokens in {one} and {others:,} in {other}",
            "it is left out of the agreement of the two; --lengths ignore compares spans all "
            "the same",
        ),
    ),
}
