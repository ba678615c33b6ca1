"""What reading a damaged or encrypted zip archive raises, and the reason in words."""

import lzma
import re
import zipfile
import zlib

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
