"""The format of a file, detected from its content alone, and what unknown bytes look like.

How the files of a format look is said in its module; the modules are asked in the order of the
table of formats, and each is loaded when its turn comes.
"""

import re
from collections.abc import Mapping
from typing import Any

from corefkit.core.incidents import DataError
from corefkit.core.options import PLAIN
from corefkit.core.texts import quote, shorten
from corefkit.formats.format import Look
from corefkit.formats.registry import looks_in, title_of
from corefkit.formats.table import ANSWERS, ANYTHING, JSON, MARKS, PACKED, TEXTS

_HEAD = 4096
_SEARCHED = 1 << 16
"""How many bytes are searched for what is near the beginning of a file."""
_BOM = b"\xef\xbb\xbf"
_JSON_BEGINS = rb'[\[{]\s*(["\[{\]}]|\Z)'
JSON_IN_CHAT = r'\{\s*"|\[\s*[\[{]\s*"'
"""How the JSON of a language model begins, anywhere in a text."""
_CONTROLS = bytes({*range(32), 127} - {*b"\t\n\v\f\r\x1b"})
"""Characters that are rare in text. An escape is not among them: ISO 2022 uses it."""
_ARCHIVE = re.compile(rb"PK\x03\x04|BZh[1-9]1AY&SY|\xfd7zXZ\x00|\x28\xb5\x2f\xfd")
"""How archives begin; their bytes could match any other pattern."""
_FENCE = (
    rb"(?sm)(?:\A\s*```[\w-]*[ \t]*\r?\n|^```json[ \t]*\r?\n(?=\s*[\[{]))(.*?)(?:^[ \t]*```|\Z)"
)
"""The fence that a language model puts around its answer, or around the JSON in it."""


def unfenced(data: bytes) -> bytes:
    r"""The data in a fence of Markdown, on the same lines; all data if there is no fence.

    >>> unfenced(b"Here it is:\n```json\n[1]\n```\n")
    b'\n\n[1]\n'
    """
    if b"```" not in data[:_SEARCHED] or not (fence := re.search(_FENCE, data)):
        return data
    return b"\n" * data.count(b"\n", 0, fence.start(1)) + fence[1]


def detect(data: bytes) -> str:
    """The name of the format of the bytes; that of CoNLL columns if they look like nothing else.

    Its reader then reports what is wrong.

    >>> detect(b'{"doc_key": "nw/a_0", "sentences": [["Once"]], "clusters": []}')
    'e2e'
    """
    return recognise(data) or ANYTHING


def recognise(data: bytes) -> str | None:
    """The name of the format of the bytes; None if they look like none."""
    if is_archive(data) or _unpacks(data):
        return next((n for n, look in looks_in(PACKED) if _fits(look, data, [])), None)
    text = unfenced(data).removeprefix(_BOM).lstrip()
    if text[:1] in (b"{", b"[") and re.match(_JSON_BEGINS, text[:_HEAD]):
        return _recognise_json(text)
    cells = _first_cells(text)
    found = next((name for name, look in looks_in(TEXTS) if _fits(look, text, cells)), None)
    if found is None and not _is_binary(text):
        found = next((name for name, look in looks_in(MARKS) if _is_marked(look, text)), None)
        begin = None if found else re.search(JSON_IN_CHAT.encode(), text[:_HEAD])
        if begin and _recognise_json(text[begin.start() :]) == ANSWERS:
            found = ANSWERS
    return found


def _fits(look: Look, text: bytes, cells: list[str]) -> bool:
    return (
        bool(look.begins or look.near or look.has or look.table)
        and not look.marks
        and bool(re.match(look.begins, text))
        and (look.table is None or look.table.is_complete(look.table.find(cells)))
        and (not look.near or bool(re.search(look.near, text[:_SEARCHED])))
        and all(word in text for word in look.has)
        and not any(word in text for word in look.without)
        and (not look.test or look.test(text))
    )


def _is_marked(look: Look, text: bytes) -> bool:
    """Whether a running text has the marks of a format."""
    if not look.marks or (look.lacks and text.startswith(look.lacks)):
        return False
    return look.test(text) if look.test else bool(re.search(look.marks, text))


def _first_cells(text: bytes) -> list[str]:
    """The cells of the first line of a table."""
    line = text[:_HEAD].partition(b"\n")[0].decode("utf-8", "replace")
    return line.split("\t" if "\t" in line else ",")


def _recognise_json(text: bytes) -> str | None:
    """The dialect of JSON, by its first object; of text that cannot be decoded, by its keys."""
    first, head = _first_object(text), text[:_SEARCHED]
    row = first if isinstance(first, dict) else None
    by_head = (n for n, look in looks_in(JSON) if look.head and look.head(head, row))
    if row is not None:
        return dialect_of(row) or next(by_head, None)
    keys = {key.decode(): None for key in re.findall(rb'"([\w%]+)"\s*:', head)}
    return next(by_head, None) or dialect_of(keys)


def _first_object(text: bytes) -> Any:
    """The first document, in a list or not; None if it cannot be decoded."""
    import json

    at = re.match(rb"\[\s*(?=\{)", text)
    begin = at.end() if at else 0
    line = text.find(b"\n", begin)  # usually there is one document per line
    for end in (line, None) if line >= 0 else (None,):
        try:
            return json.JSONDecoder().raw_decode(text[begin:end].decode("utf-8", "replace"))[0]
        except (ValueError, RecursionError):
            continue
    return None


def dialect_of(row: Mapping[str, Any]) -> str | None:
    """The dialect of a JSON document, by its fields; None if it is unknown."""
    for name, look in looks_in(JSON):
        fits = bool(look.keys or look.document) and row.keys() >= {*look.keys.split()}
        if fits and (look.document is None or look.document(row)):
            return name
    return None


def is_archive(data: bytes) -> bool:
    """Whether the bytes are an archive; what is in it may look like text, but is not read as such.

    >>> is_archive(b"BZh91AY&SY..."), is_archive(b"#begin document (a)")
    (True, False)
    """
    return bool(_ARCHIVE.match(data))


def _is_binary(data: bytes) -> bool:
    """Whether more than one in fifty of the first bytes is a control character."""
    head = data[:_HEAD]
    return 50 * (len(head) - len(head.translate(None, _CONTROLS))) > len(head)


def _unpacks(data: bytes) -> bool:
    """Whether the bytes begin a zlib stream; the text "x " looks like its header, too."""
    if data[:1] != b"\x78" or int.from_bytes(data[:2], "big") % 31:
        return False
    import zlib

    try:
        return bool(zlib.decompressobj().decompress(data[:_HEAD], 1))
    except zlib.error:
        return False


_EMPTY, _UTF16, _PAGE, _BINARY = "an empty file", "UTF-16 text", "a web page", "binary data"
_DESCRIPTIONS: tuple[tuple[bytes, str, str], ...] = (
    (rb"\s*\Z", _EMPTY, "empty"),
    (rb"\x1f\x8b", "gzip data inside gzip data", "packed"),
    (rb"BZh", "a bzip2 archive", "packed"),
    (rb"\xfd7zXZ", "an xz archive", "packed"),
    (rb"\x28\xb5\x2f\xfd", "a Zstandard archive", "packed"),
    (rb"%PDF", "a PDF file", "binary"),
    (rb"(\xff\xfe|\xfe\xff)", _UTF16, "utf16"),
    (rb"(?s)(?:[^\x00]\x00){8}|(?:\x00[^\x00]){8}", _UTF16, "utf16"),
    (rb"(\xef\xbb\xbf)?\s*[\[{]", "JSON", ""),
    (rb"(\xef\xbb\xbf)?\s*(<!doctype html|<html)", _PAGE, "page"),
    (rb"(\xef\xbb\xbf)?\s*<", "XML or SGML", ""),
    (rb"[^\n]*\x00", _BINARY, "binary"),
)
"""How files look that have no format: a pattern, a phrase, and, for files that cannot be
annotations in any format, the variant of the incident `no-document`."""


def describe(data: bytes) -> str:
    """A phrase that says what the bytes look like.

    >>> describe(b'{"clusters": []}')
    'JSON'
    >>> describe(b"Once upon a time")
    "text that starts with 'Once upon a time'"
    """
    return _described(data)[0]


def _described(data: bytes) -> tuple[str, str]:
    """A phrase, and the variant of `no-document`; "" for text that may be an annotation."""
    head = data[:_HEAD]
    if data.startswith(b"PK\x03\x04"):
        return _describe_zip(data), "archive"
    for pattern, phrase, variant in _DESCRIPTIONS:
        if re.match(pattern, head, re.IGNORECASE):
            return phrase, variant
    if _is_binary(data):
        return _BINARY, "binary"
    if name := recognise(data):
        return title_of(name), ""
    line = head.lstrip().split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    return f"text that starts with {quote(line, 40)}", ""


def missing_document(data: bytes, expected: str = "") -> dict[str, Any]:
    """The details of the incident `no-document` for a file that has none: what it looks like.

    `expected` is what a text should have looked like.
    """
    looks, variant = _described(data)
    if variant == "archive":
        return {"variant": variant, "found": looks}
    if variant:
        expected = "a file in one of the formats that `corefkit formats` lists"
        line = None if data.strip() else 1
        return {"variant": variant, "at": line, "found": looks, "expected": expected}
    return {"found": looks, "expected": expected}


def _describe_zip(data: bytes) -> str:
    """A phrase about a zip archive with the names of its first files."""
    from corefkit.formats.kit.archives import open_zip

    try:
        names = [*open_zip(data, "", PLAIN).names]
    except DataError:
        return "a damaged zip archive"
    listed = ", ".join(shorten(name, 40) for name in names[:5])
    return f"a zip archive with {listed}{' …' if names[5:] else ''}"
