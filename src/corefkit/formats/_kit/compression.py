"""Gzip data, packed, and unpacked up to a limit: a small file may become more than fits memory."""

import os
import zlib
from io import BytesIO

MAX_SIZE = 2 << 30
"""How many bytes a packed file may unpack to, unless another limit is given."""
MAX_SIZE_VARIABLE = "COREFKIT_MAX_SIZE"
"""The environment variable that sets another limit."""

GZIP = b"\x1f\x8b\x08"
_GZIP_BITS = 31
_MOST_TIMES = 1100
"""No data can be packed better than 1 : 1032."""
_PIECE = 1 << 16
_UNITS = {"K": 10, "M": 20, "G": 30, "T": 40}


class TooLargeError(Exception):
    """The data would unpack to more than is allowed."""


def max_size(given: int | None) -> int:
    """The limit given, else that of the environment, else MAX_SIZE; UsageError if it is no size."""
    text = os.environ.get(MAX_SIZE_VARIABLE)
    return given if given is not None else parse_size(text) if text else MAX_SIZE


def parse_size(text: str) -> int:
    """A number of bytes, as it is written; UsageError where it is none.

    >>> parse_size("512"), parse_size("2G")
    (512, 2147483648)
    """
    digits, unit = (text[:-1], text[-1]) if text[-1:].upper() in _UNITS else (text, "")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > len(str(1 << 62)):
        from corefkit.core.options import UsageError

        raise UsageError(f"{text!r} is not a size; write bytes, or e.g. 512M or 4G")
    return int(digits) << _UNITS.get(unit.upper(), 0)


def unpack(data: bytes, most: int = MAX_SIZE) -> bytes:
    """Unpack gzip data; zlib.error or EOFError where it is damaged.

    Raises TooLargeError, without unpacking all, where it would become more than `most` bytes.
    One small member of known size is unpacked into a buffer of that size, in half the time that
    pieces take.
    """
    size = int.from_bytes(data[-4:], "little")
    possible = _MOST_TIMES * len(data)
    if size <= possible <= most and data.find(GZIP, 1) < 0:
        unpacked = zlib.decompress(data, _GZIP_BITS, max(size, 1))
        if len(unpacked) == size:
            return unpacked
    return _unpack_pieces(data, most)


def _unpack_pieces(data: bytes, most: int) -> bytes:
    """Unpack one or more gzip members piece by piece, so that the limit holds at any time."""
    view, at, unpacked = memoryview(data), 0, BytesIO()
    while at < len(data):
        if data[at : at + 2] != GZIP[:2]:
            raise zlib.error("there is something else behind the packed data")
        member = zlib.decompressobj(_GZIP_BITS)
        while not member.eof:
            if at >= len(data):
                raise EOFError("the packed data is cut short")
            piece = view[at : at + _PIECE]
            unpacked.write(member.decompress(piece))
            at += len(piece) - len(member.unused_data)
            if unpacked.tell() > most:
                raise TooLargeError(f"more than {most:,} bytes")
        while at < len(data) and data[at] == 0:  # padding, as tapes had it
            at += 1
    return unpacked.getvalue()


def packed(name: str, data: bytes) -> bytes:
    """The data as a file of that name holds them: packed where it ends in `.gz`."""
    if not name.endswith(".gz"):
        return data
    import gzip

    return gzip.compress(data, mtime=0)
