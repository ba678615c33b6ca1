"""Zip archives: their size before they are unpacked, and the reasons why one cannot be read."""

import lzma
import re
import zipfile
import zlib
from collections.abc import Iterable

DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    OSError,
    EOFError,
    RuntimeError,  # encrypted, or NotImplementedError for an unknown compression
    ValueError,
)
"""The exceptions that reading a damaged or encrypted archive raises."""


def damage(error: Exception) -> str:
    """The reason why an archive cannot be read, in words.

    >>> damage(RuntimeError("File <ZipInfo filename='a.xmi'> is encrypted, password required"))
    'a.xmi is encrypted; pack it without a password'
    """
    encrypted = re.search(r"filename='([^']*)'.* is encrypted", str(error))
    if encrypted:
        return f"{encrypted[1]} is encrypted; pack it without a password"
    return " ".join(str(error).split()) or type(error).__name__


MOST_MEMBERS = 100_000
"""An archive with more files is not read."""


def is_too_large(members: Iterable[zipfile.ZipInfo], most: int) -> bool:
    """Whether an archive says that its members have more than `most` bytes, or has too many.

    One that says less is found out while it is unpacked.
    """
    sizes = [member.file_size for member in members]
    return sum(sizes) > most or len(sizes) > MOST_MEMBERS
