"""Incidents of two sides in different formats: pairing, aligning and converting."""

from corefkit.core.catalogue.kind import Kind, error, warning

MEETING: dict[str, Kind] = {
    "format-mixed": error(
        "The files of one directory or pattern are in different formats. The incident names one "
        "file of each.",
        "Name a pattern that matches the files of one format, or say which with --format.",
        "the files of one corpus are in different formats",
    ),
    "document-ambiguous": error(
        "Key and response are in different formats and write the names of documents differently; "
        "by the rules for this a document could be either of two on the other side.",
        "Rename the documents, or pair identical names only with --pair exact.",
        "a document may be either of two documents of the {side}",
    ),
    "documents-unnamed": error(
        "The documents of one side have no names, so they could only be paired by position, but "
        "the two sides have different numbers of documents.",
        "Give the documents names, or the same number of them on both sides.",
        "the documents of the {which} have no names, so they can be paired by position only, and "
        "the numbers of documents differ",
    ),
    "text-differs": error(
        "The text of the response is not that of the key: aligned, it covers less than half of the "
        "key's characters. With --align never: the texts differ at all. The incident shows the "
        "first places.",
        "Check that the files belong together; --documents leaves documents out.",
        {
            "": "the text is not that of the key: {share} of its characters found",
            "spelling": (
                "the text does not spell the words of the other side, so its mentions have no "
                "tokens",
                "blanks do not matter; all other characters must be the same",
            ),
        },
    ),
    "names-rewritten": warning(
        "Key and response are in different formats and write the names of documents differently; "
        "documents were paired by the rules for this.",
        "Nothing, if the pair that is shown belongs together; --pair exact forbids it.",
        (
            "{number:,} document(s) of the response are paired with documents of the key that "
            "are written otherwise",
            "this is the first of them; --pair exact pairs identical names only",
        ),
    ),
    "documents-left-out": warning(
        "Documents of the key are not scored, because --documents asked for others only.",
        "Nothing; say it where you report the figures.",
        (
            "{number:,} of {all:,} documents of the key are left out of the score",
            "you asked for this with --documents, or with --missing skip",
        ),
    ),
    "documents-unknown": warning(
        "The list of --documents has names that no document of the key has, in any spelling that "
        "the formats use.",
        "Correct the list; the documents that were found are scored.",
        "{number:,} listed document(s) are not in the key",
    ),
    "mention-zero": warning(
        "Mentions of empty nodes were left out, because the new format cannot say them.",
        "Choose another format, make tokens of them with --zeros token, or refuse them with "
        "--zeros error.",
        {
            "": (
                "{number:,} mention(s) of empty nodes cannot be said in the new format",
                "they are left out; convert --zeros token makes tokens of them, error refuses them",
            ),
            "inside": (
                "{number:,} mention(s) with empty nodes among their tokens cannot be said in the "
                "new format",
                "their empty nodes are left out; convert --zeros error refuses them",
            ),
        },
    ),
    "mention-discontinuous": warning(
        "Mentions of several parts became one span, because the new format cannot say them.",
        "Choose another format, or what becomes of them with --discontinuous.",
        (
            "{number:,} discontinuous mention(s) cannot be said in the new format",
            "each is written as one span; convert --discontinuous first takes the first part, "
            "error refuses",
        ),
    ),
    "layer-dropped": warning(
        "Annotation other than identity was left out, because the new format cannot say it.",
        "Nothing, unless you need it: then choose another format.",
        {
            "": ("{number:,} {links} links cannot be said in the new format", "they are left out"),
            "nonreferring": (
                "{number:,} non-referring mentions cannot be said in the new format",
                "they are left out",
            ),
            "layer": (
                "{number:,} mentions of the layer {layer} are not converted",
                "a file has one layer at a time; --layer {layer} converts that one",
            ),
            "zeros": (
                "{number:,} zeros before the first word of a sentence have no place in the new "
                "format",
                "they are written behind the word before them, and match no zero of the old file",
            ),
        },
    ),
    "sentences-joined": warning(
        "The new format counts tokens in sentences, so sentences that one mention spans became "
        "one.",
        "Nothing, unless the sentences matter to you: then choose another format.",
        (
            "{number:,} end(s) of sentences are left out, because a mention goes across them",
            "the format counts tokens in a sentence and cannot say such mentions otherwise",
        ),
    ),
    "text-changed": warning(
        "The text of the response is not quite that of the key, so mentions were placed by an "
        "alignment. The incident counts the words replaced, added and dropped and shows the first "
        "places.",
        "Report the coverage with the figures; corefkit align shows all places.",
        {
            "": "the text was changed: {share} of the key's characters are there, {changes}",
            "truncated": (
                "the text was changed: {share} of the key's characters are there, {changes}; it "
                "breaks off before the end"
            ),
        },
    ),
    "text-truncated": warning(
        "The text of the response breaks off. The mentions of what is missing count as not found.",
        "Let the model write on, or report the coverage with the figures.",
        "the text breaks off: {share} of the key's characters are there",
    ),
    "mention-unaligned": warning(
        "A mention of the response stands in text that the key does not have. It counts as a wrong "
        "mention.",
        "Nothing; --unaligned drop leaves such mentions out of the score.",
        "a mention has no place in the text of the key",
    ),
    "mention-splits-token": warning(
        "A mention begins or ends inside a token. It was widened to whole tokens.",
        "Correct the offsets, or the tokenisation of the other side.",
        ("a mention begins or ends inside a token", "the mention was widened to whole tokens"),
    ),
}
