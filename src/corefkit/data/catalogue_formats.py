"""The kinds of incidents of reading, pairing and converting other formats."""

from corefkit.data.kind import Kind

FORMATS: dict[str, Kind] = {
    "format-unread": Kind(
        "error",
        "The file is in a format that corefkit recognises but does not read.",
        "The incident says what to do instead; `corefkit formats` lists what is read.",
    ),
    "format-mixed": Kind(
        "error",
        "The files of one directory or pattern are in different formats. The incident names one "
        "file of each.",
        "Name a pattern that matches the files of one format, or say which with --format.",
    ),
    "document-ambiguous": Kind(
        "error",
        "Key and response are in different formats and write the names of documents differently; "
        "by the rules for this a document could be either of two on the other side.",
        "Rename the documents, or pair identical names only with --pair exact.",
    ),
    "documents-unnamed": Kind(
        "error",
        "The documents of one side have no names, so they could only be paired by position, but "
        "the two sides have different numbers of documents.",
        "Give the documents names, or the same number of them on both sides.",
    ),
    "text-differs": Kind(
        "error",
        "One side counts characters and the other tokens, and the text of the one does not spell "
        "the words of the other. The incident shows the first place where they depart.",
        "Use the same text on both sides; blanks and line ends do not matter.",
    ),
    "format-differs": Kind(
        "warning",
        "The file was read in the format that was asked for and has errors; it looks like another "
        "format.",
        "Leave out --format, or name the right one.",
    ),
    "names-rewritten": Kind(
        "warning",
        "Key and response are in different formats and write the names of documents differently; "
        "documents were paired by the rules for this.",
        "Nothing, if the pair that is shown belongs together; --pair exact forbids it.",
    ),
    "documents-left-out": Kind(
        "warning",
        "Documents of the key are not scored, because --documents asked for others only.",
        "Nothing; say it where you report the figures.",
    ),
    "mention-splits-token": Kind(
        "warning",
        "A mention begins or ends inside a token. It was widened to whole tokens.",
        "Correct the offsets, or the tokenisation of the other side.",
    ),
}
