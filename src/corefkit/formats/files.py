"""From what a user names (a file, `.gz`, `-`, a directory, a glob) to bytes."""

import gzip
import os
import sys
import zlib
from glob import glob
from pathlib import Path

from corefkit.data.incidents import DataError, Incident

STANDARD_INPUT = "-"
AS_THEY_ARE = "surrogateescape"
"""How to decode and encode so that bytes that are not UTF-8 come out as they went in."""

_GZIP = b"\x1f\x8b\x08"
_GZIP_BITS = 31
_MOST_TIMES = 1100
"""No data can be packed better than 1 : 1032."""
_GLOB = frozenset("*?[")


def expand(name: str) -> list[str]:
    """The files that a name stands for: itself, or what a directory or a glob holds, sorted.

    In a directory those files count whose name, without `.gz`, ends in "conll"; if there is
    none, all that are not hidden.
    """
    if name == STANDARD_INPUT:
        return [name]
    try:
        return _expand(name)
    except OSError as error:
        reason = error.strerror or str(error)
        raise _unreadable(error.filename or name, reason, "check the path") from None


def _expand(name: str) -> list[str]:
    path = Path(name)
    if path.is_file():
        return [name]
    if path.is_dir():
        files = [f for f in _walk(path) if not f.name.startswith(".")]
        return [str(f) for f in [f for f in files if _is_conll(f)] or files] or _nothing(name)
    if _GLOB & set(name):
        # Path.glob would take hidden files too, and no absolute pattern.
        found = glob(name, recursive=True)  # noqa: PTH207
        return sorted(f for f in found if Path(f).is_file()) or _nothing(name)
    return [name]


def load(name: str) -> bytes:
    """The bytes of one file, unpacked if they are gzip; DataError if they cannot be had."""
    try:
        data = _standard_input() if name == STANDARD_INPUT else Path(name).read_bytes()
        return unpack(data) if data.startswith(_GZIP) else data
    except (gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise _unreadable(name, f"damaged gzip data ({error})", "pack the file again") from None
    except OSError as error:
        raise _unreadable(
            name, error.strerror or str(error), "check the path and the permissions"
        ) from None
    except ValueError:  # a NUL in the name
        raise _unreadable(name, "not a file name", "check the path") from None


def _standard_input() -> bytes:
    if sys.stdin is None:  # closed by who called us
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read()


def unpack(data: bytes) -> bytes:
    """Unpack gzip data; zlib.error, EOFError or BadGzipFile where it is damaged.

    One member of known size is unpacked into a buffer of that size, in half the time that
    `gzip` takes. Data that may have several members, or does not fit its size, is left to `gzip`.
    """
    size = int.from_bytes(data[-4:], "little")
    if data.find(_GZIP, 1) < 0 and size <= _MOST_TIMES * len(data):
        unpacked = zlib.decompress(data, _GZIP_BITS, max(size, 1))
        if len(unpacked) == size:
            return unpacked
    return gzip.decompress(data)


def _walk(directory: Path) -> list[Path]:
    """All files below a directory; OSError where one of its directories cannot be read."""

    def fail(error: OSError) -> None:
        raise error

    found = os.walk(directory, onerror=fail, followlinks=True)
    return sorted(Path(folder) / file for folder, _, files in found for file in files)


def _is_conll(file: Path) -> bool:
    return file.name.removesuffix(".gz").endswith("conll")


def _nothing(name: str) -> list[str]:
    raise _unreadable(name, "there is no file in it", "check the path")


def _unreadable(name: str, reason: str, hint: str) -> DataError:
    message = f"the file cannot be read: {reason}"
    return DataError([Incident("file-unreadable", "error", message, file=name, hint=hint)])


def write_atomically(name: str, data: bytes) -> None:
    """Write a file that is complete or not there at all; OSError where it cannot be written.

    A link stays a link to what is written; a pipe or a device is written to and stays what it is.
    """
    from tempfile import NamedTemporaryFile

    target = Path(os.path.realpath(name))
    if target.exists() and not target.is_file():
        target.write_bytes(data)
        return
    with NamedTemporaryFile(dir=target.parent, prefix=f".{target.name}.", delete=False) as file:
        try:
            file.write(data)
            file.close()
            mask = os.umask(0)
            os.umask(mask)
            Path(file.name).chmod(0o666 & ~mask)
            Path(file.name).replace(target)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def shorten(text: str, most: int = 60) -> str:
    """The text for a message: control characters made visible, long text cut.

    >>> shorten("a" * 100, 10)
    'aaaaaaaaa…'
    """
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text[: most + 1])
    return shown if len(shown) <= most else shown[: most - 1] + "…"
