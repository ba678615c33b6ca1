"""Bytes that are not UTF-8 in files of rows."""

import re

from corefkit.core.incidents import Collector

_NAMED = re.compile(rb"^# *(?:begin document|newdoc)\b[^\r\n]*", re.MULTILINE)
"""A line that names a document."""
_PIECE = 1 << 16
"""UTF-8 is checked in pieces of about this many bytes, most of which are ASCII."""


def check_encoding(data: bytes, incidents: Collector) -> None:
    """Note the first byte that is not UTF-8, if possible one in the name of a document."""
    at, variant = find_invalid(data), ""
    if at is None:
        return
    for line in _NAMED.finditer(data):
        if (inside := find_invalid(line[0])) is not None:
            at, variant = line.start() + inside, "names"
            break
    found, number = f"byte 0x{data[at]:02x}", data.count(b"\n", 0, at) + 1
    incidents.note("not-utf8", variant, at=number, found=found, expected="UTF-8")


def find_invalid(data: bytes) -> int | None:
    """The offset of the first byte that is not UTF-8; None if there is none.

    Pieces end with a line, so that no character is cut in two.

    >>> find_invalid(b"a\\xff")
    1
    """
    at = 0
    while at < len(data):
        stop = data.find(b"\n", at + _PIECE) + 1 or len(data)
        piece = data[at:stop]
        if not piece.isascii():
            try:
                piece.decode()
            except UnicodeDecodeError as error:
                return at + error.start
        at = stop
    return None
