"""What a file looks like that is not the one we hoped for."""

import re

from corefkit.formats.files import quote

_HEAD = 4096
_LOOKS: tuple[tuple[bytes, str], ...] = (
    (rb"\s*\Z", "an empty file"),
    (rb"\x1f\x8b", "gzip data inside gzip data"),
    (rb"BZh", "a bzip2 archive"),
    (rb"\xfd7zXZ", "an xz archive"),
    (rb"PK\x03\x04", "a zip archive"),
    (rb"%PDF", "a PDF file"),
    (rb"(\xff\xfe|\xfe\xff)", "UTF-16 text"),
    (rb"(\xef\xbb\xbf)?\s*[\[{]", "JSON"),
    (rb"(\xef\xbb\xbf)?\s*(<!doctype html|<html)", "a web page"),
    (rb"(\xef\xbb\xbf)?\s*<", "XML or SGML"),
    (rb"# (newdoc|sent_id|global\.Entity|text =)", "CoNLL-U"),
    (rb"[^\n]*\x00", "binary data"),
)
_CONLLU = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:#(?!\s*begin document)[^\n]*\n\s*)*?"
    rb"(?:#\s*(?:newdoc|newpar|sent_id|text\s*=|global\.Entity)|(?:1|1-\d+|0\.1)\t(?:[^\t\n]*\t){8}[^\t\n]*(?:\n|\Z))"
)
_COLUMNS_DECLARED = re.compile(rb"^#\s*global\.columns", re.MULTILINE)


def describe(data: bytes) -> str:
    """One phrase on what the bytes look like.

    >>> describe(b'{"clusters": []}')
    'JSON'
    >>> describe(b"Once upon a time")
    "text that starts with 'Once upon a time'"
    """
    head = data[:_HEAD]
    for pattern, name in _LOOKS:
        if re.match(pattern, head, re.IGNORECASE):
            return name
    line = head.lstrip().split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    return f"text that starts with {quote(line, 40)}"


def detect(data: bytes) -> str:
    """The name of the format that the bytes are in; "conll" where they look like nothing else.

    The reader of CoNLL then says what is wrong.
    """
    if data.startswith(b"PAR1"):
        return "parquet"
    if looks_like_conllu(data):
        return "conllu"
    return "conll"


def looks_like_conllu(data: bytes) -> bool:
    """Whether the bytes are CoNLL-U: `# global.Entity`, another of its comments, or ten columns.

    >>> looks_like_conllu(b"# newdoc id = tale\n"), looks_like_conllu(b"#begin document (a)\n")
    (True, False)
    """
    return bool(_CONLLU.match(data[:_HEAD])) and not _COLUMNS_DECLARED.search(data[:_HEAD])
