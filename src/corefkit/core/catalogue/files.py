"""Incidents of one file: that it cannot be read, and CoNLL files that are broken or odd."""

from corefkit.core.catalogue.kind import Kind, error, one_hint, warning

FILES: dict[str, Kind] = {
    "file-unreadable": error(
        "The file does not exist, may not be read, or its gzip data is damaged; or a directory or "
        "glob holds no file.",
        "Check the path and the permissions, or pack the file again.",
        {
            "": ("the file cannot be read: {reason}", "check the path and the permissions"),
            "counts": (
                "the file of counts cannot be read: {reason}",
                "write it again with `corefkit score --counts`",
            ),
            "parquet": ("the Parquet file cannot be read: {reason}", "write the file again"),
            "spacy": (
                "the spaCy file cannot be read: {reason}",
                "write the file again; perhaps it was cut off",
            ),
            **one_hint(
                "export it again",
                {
                    "archive": "the archive cannot be read: {reason}",
                    "archive-empty": "the archive cannot be read: there is no .xmi or .json in "
                    "the archive",
                    "archive-large": "the archive cannot be read: it unpacks to more than "
                    "{most:,} bytes",
                },
            ),
            "no-name": (
                "the file cannot be read: the name is empty",
                "name a file; . is the current directory",
            ),
            "no-file": ("the file cannot be read: there is no file in it", "check the path"),
            "gzip": (
                "the file cannot be read: damaged gzip data ({reason})",
                "pack the file again",
            ),
            "no-key": (
                "there is no key in this folder",
                "put the keys there; responses go to responses/SYSTEM/",
            ),
        },
    ),
    "file-too-large": error(
        "A packed file would unpack to more than is allowed, 2 GiB unless you say otherwise, or a "
        "file needs more memory than there is.",
        "Split the file, or raise the limit: corefkit --max-size 8G …, or COREFKIT_MAX_SIZE=8G.",
        "the file is too large to be read",
    ),
    "no-document": error(
        "The file has no '#begin document' line, so it is not a CoNLL file; the incident says what "
        "it looks like instead.",
        "Convert the file, or check that it is the one you meant.",
        {
            "": "no '#begin document' line in the file",
            "sentence": "there is no sentence in the file",
            "newdoc": "no '# newdoc' line: the file {looks}",
        },
    ),
    "token-outside": error(
        "Lines with tokens stand before the first '#begin document' or after '#end document'. They "
        "belong to no document, so their mentions would be lost.",
        "Add the missing '#begin document' line. Comments start with '#' and have no tab.",
        {
            "": "{number:,} line(s) with tokens outside any document",
            "newdoc": "a token before the first '# newdoc'",
        },
    ),
    "document-twice": error(
        "Two documents of one corpus have the same name, parts included, so neither can be paired "
        "with the other side.",
        "Remove one of the two, or give it another name or part number.",
        {
            "": "the document is in the file twice",
            **one_hint(
                "remove one of the two, or give it another name or part number; if each file is a "
                "response of its own, name the files, not their directory",
                {
                    "file": "the document is in two files of one corpus",
                    "files": "{number:,} documents are in more than one of the {files:,} files of "
                    "one corpus, this one among them",
                },
            ),
            "id": "two documents have the id {name}",
        },
    ),
    "carriage-return": error(
        "A carriage return stands in the middle of a line of a file whose lines end with line "
        "feeds. If it is meant to end a line, the token behind it would be lost. One between two "
        "tabs or blanks, a cell of its own, loses nothing and is not told.",
        "Write all line ends alike, e.g. with tr '\\r' '\\n'.",
        "a carriage return in the middle of a line: two lines may be one here",
    ),
    "bracket-unopened": error(
        "A mention is closed, '12)', that is not open at this place in the document.",
        "Add the opening bracket on an earlier line, or remove the closing one.",
        {
            "": "entity {entity} is closed here but not open",
            "markable": ("a markable goes on that did not begin", "perhaps a row was lost"),
            "sentence": "an entity is closed here but not open in the sentence",
            "nameless": "{layer}: a bracket is closed and none is open",
            "named": "{layer}: markable {name} is closed here and was never opened",
        },
    ),
    "bracket-unclosed": error(
        "A mention is opened, '(12', and never closed before the document ends.",
        "Add the closing bracket on a later line, or remove the opening one.",
        {
            "": "entity {entity} is opened here and never closed",
            "sentence": "an entity is opened here and not closed in the sentence",
            "named": "{layer}: markable {name} is opened here and never closed",
            "nameless": "{layer}: a bracket is opened here and never closed",
        },
    ),
    "coreference-text": error(
        "The last column holds something that is neither a bracket nor one of - _ *. Often the "
        "file has no coreference column at all, or another column was added behind it.",
        "Make coreference the last column.",
        {
            "": "the last column holds something other than coreference brackets",
            "layer": "{layer}: text outside brackets in the column {layer}",
        },
    ),
    "id-without-bracket": warning(
        "An id stands without a bracket inside an open mention of that id, as some tools write on "
        "the middle tokens of a mention. It is ignored.",
        "Write - on the tokens inside a mention.",
        "an id without a bracket inside an open mention of that id: ignored",
    ),
    "not-utf8": warning(
        "The file has bytes that are not UTF-8. Scores do not depend on words, so it is scored.",
        "Convert the file, e.g. with iconv -f latin1 -t utf-8.",
        {
            "": "the file has bytes that are not UTF-8; scores do not depend on them",
            **one_hint(
                "each was read as one character that says so",
                {
                    "json": "the file has bytes that are not UTF-8",
                    "half": "a text has half of a character, an escape such as \\ud800 alone",
                },
            ),
        },
    ),
    "nul-byte": warning(
        "The file has NUL bytes, which text does not have. It may be damaged, or UTF-16.",
        "Check how the file was written.",
        "the file has NUL bytes",
    ),
    "no-mention": warning(
        "The file has tokens but not a single mention. Perhaps the coreference column is not the "
        "last one, or the system failed.",
        "Look at the last column of the file.",
        "there is no mention in the file",
    ),
    "document-empty": warning(
        "A document has no tokens.",
        "Check whether its lines were lost.",
        {
            "": "the document has no tokens",
            "left-out": (
                "{number:,} document(s) without tokens cannot be said in the new format",
                "they are left out; choose another format where they matter",
            ),
        },
    ),
    "document-unnamed": warning(
        "A '#begin document' line has no name behind it.",
        "Write the name of the document, e.g. '#begin document (nw/a/00/a_0001); part 000'.",
        {"": "the document has no name", "id": "the document has no id"},
    ),
    "end-without-begin": warning(
        "An '#end document' line stands where no document is open.",
        "Remove it, or add the '#begin document' line that it belongs to.",
        "no document is open here",
    ),
    "columns-vary": warning(
        "The lines of one sentence have different numbers of columns. Scores read only the last "
        "one, but a column may be missing or a word may contain a blank.",
        "Check the first line named. Use tabs where words contain blanks.",
        "the line has {own} columns, the first of its sentence {others}",
    ),
    "comment-with-bracket": warning(
        "A line inside a document starts with '#' and has no tab, so it is a comment; but it ends "
        "like a token line. If it is a token, the spans behind it are all wrong.",
        "Use tabs between the columns, or put a column before the '#'.",
        "a comment that looks like a token",
    ),
}
