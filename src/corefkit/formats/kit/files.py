"""From what a user names (a file, `.gz`, `-`, a directory, a glob) to unpacked bytes.

A packed file is unpacked only up to a limit: a small one may grow to more than fits into memory.
The same limit holds for what is no regular file and may never end, such as a pipe.

Companion files, which belong to another file and are read along with it, are recognised by their
names. pathlib is avoided because importing it takes as long as reading a small corpus.
"""

import os
import re
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from fnmatch import fnmatch
from glob import escape, glob
from io import BytesIO
from typing import Any, BinaryIO

from corefkit.core.entry_points import ours
from corefkit.core.incidents import DataError, data_error
from corefkit.formats.table import FIRST_IN_FOLDERS

STANDARD_INPUT = "-"
AS_THEY_ARE = "surrogateescape"
"""The error handler with which bytes that are not UTF-8 survive decoding and encoding."""


def expand(name: str) -> list[str]:
    """The files that a name stands for: itself, or the files of a directory or a glob, sorted.

    A name is a glob if it contains `*` or `?` and is not itself the name of a file or directory;
    brackets are then patterns too, except in existing directories before the first `*` or `?`. In a
    directory, the files whose names (without `.gz`) end in "conll" count; if there are none, all
    files. Hidden files and folders and everything that is not a regular file are left out.
    """
    if name == STANDARD_INPUT:
        return [name]
    if not name:
        raise _unreadable(name, "no-name")
    try:
        files = _expand(name)
    except ValueError:  # a NUL in the name
        raise _unreadable(name, reason="not a file name") from None
    if not files:
        raise _unreadable(name, "no-file")
    return files


def _expand(name: str) -> list[str]:
    if os.path.isdir(name):
        files = walk(name)
        if columns := [f for f in files if f.removesuffix(".gz").endswith(FIRST_IN_FOLDERS)]:
            return columns
    elif ("*" in name or "?" in name) and not os.path.isfile(name):
        files = sorted(f for f in _glob(_pattern(name)) if os.path.isfile(f))
    else:
        return [name]

    return without_companions(files)


def _glob(pattern: str) -> set[str]:
    """The paths that match a pattern; `**` is any number of folders, each visited once.

    With `recursive`, glob.glob would follow two links that lead upwards for ever; `Path.glob` has
    hidden files, and no linked folders.
    """
    steps = pattern.split("/")
    if "**" not in steps:
        return set(glob(pattern))
    at = steps.index("**")
    before, after = "/".join(steps[:at]), "/".join(steps[at + 1 :]) or "*"
    roots = filter(os.path.isdir, glob(before)) if before else ["/" if at else "."]
    folders = [folder for root in sorted(roots) for folder, _ in _folders(root)]
    matches = [_glob(os.path.join(escape(folder), after)) for folder in folders]
    return {file if before else file.removeprefix("./") for files in matches for file in files}


def _pattern(name: str) -> str:
    """The glob with the directories before its first `*` or `?` taken literally if they exist."""
    head = name[: min(name.find(c) for c in "*?" if c in name)].rpartition("/")[0]
    return escape(head) + name[len(head) :] if head and os.path.isdir(head) else name


def companion(name: str, old: str, new: str) -> tuple[str, bytes | None]:
    """The name of a companion file, with the ending `new` instead of `old`, and its bytes.

    The bytes are None if there is no such file, packed or not; DataError if it cannot be read.
    """
    beside = name.removesuffix(".gz").removesuffix(old) + new
    for path in (beside, f"{beside}.gz"):
        if name != STANDARD_INPUT and os.path.isfile(path):
            return path, load(path)
    return beside, None


def load_first(names: Sequence[str]) -> tuple[str, bytes | None]:
    """The name of the first of these files that exists, packed or not, and its bytes.

    If there is none, the first name and None; DataError if it cannot be read.
    """
    for name in names:
        beside, data = companion(name, "", "")
        if data is not None:
            return beside, data
    return names[0], None


def load(name: str, most: int | None = None, stored: bytes | None = None) -> bytes:
    """The bytes of one file, unpacked if they are gzip; DataError if it cannot be read.

    `most` is how many bytes a packed file may unpack to, and how many are read of a pipe or a
    device; without it the environment decides, else MAX_SIZE. `stored` are the bytes of the file,
    if they have been read already.
    """
    try:
        data = stored
        if data is None:
            refuse_what_does_not_fit([name])
            data = _read(name, max_size(most))
        if not data.startswith(GZIP):
            return data
        return unpack(data, max_size(most))
    except TooLargeError as error:
        raise too_large(name, str(error), most) from None
    except MemoryError:
        raise out_of_memory(name) from None
    except (zlib.error, EOFError) as error:
        raise _unreadable(name, "gzip", reason=str(error)) from None
    except OSError as error:
        raise _unreadable(name, reason=error.strerror or str(error)) from None
    except ValueError:  # a NUL in the name
        raise _unreadable(name, reason="not a file name") from None


def read_stored(name: str) -> bytes:
    """The bytes of one file as stored, packed or not; OSError or ValueError if there is none."""
    return _read(name, max_size(None))


def check_readable(name: str) -> None:
    """Raise DataError for a file that cannot be opened."""
    try:
        with open(name, "rb"):
            return
    except OSError as error:
        raise _unreadable(name, reason=error.strerror or str(error)) from None


def _read(name: str, most: int) -> bytes:
    """The bytes of a file; of what is no regular file at most so many, else TooLargeError."""
    if name == STANDARD_INPUT:
        if sys.stdin is None:  # the calling process closed it
            raise OSError("standard input is closed")
        return _up_to(sys.stdin.buffer, most)
    with open(name, "rb") as file:
        return file.read() if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else _up_to(file, most)


def _up_to(file: BinaryIO, most: int) -> bytes:
    data = file.read(most + 1)
    if len(data) > most:
        raise TooLargeError(f"more than {most:,} bytes")
    return data


def walk(directory: str) -> list[str]:
    """The regular files below a directory, sorted; DataError where a directory cannot be read.

    Hidden files and folders are left out. Links are followed, but each directory is visited once.
    """
    regular: list[str] = []
    for folder, files in _folders(directory):
        paths = [os.path.join(folder, file) for file in files if not file.startswith(".")]
        regular += filter(_is_regular, paths)
    return sorted(regular, key=lambda path: path.split(os.sep))


def _folders(directory: str) -> Iterator[tuple[str, list[str]]]:
    """A directory and those below it, each with the names of the files in it."""

    def fail(error: OSError) -> None:
        raise _unreadable(error.filename, reason=error.strerror or "") from None

    seen: set[tuple[int, int]] = set()
    for folder, folders, files in os.walk(directory, onerror=fail, followlinks=True):
        here = os.stat(folder)
        if (here.st_dev, here.st_ino) in seen:
            folders.clear()
            continue
        seen.add((here.st_dev, here.st_ino))
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        yield folder, files


def _is_regular(path: str) -> bool:
    """Whether the path is a regular file, or a broken link, which is reported on reading."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except OSError:
        return True


@contextmanager
def failure_to_read(name: str) -> Iterator[None]:
    """Make an OSError in the block, in which a file or a folder is read, a DataError."""
    try:
        yield
    except OSError as error:
        raise _unreadable(error.filename or name, reason=error.strerror or str(error)) from None


def _unreadable(name: str, variant: str = "", *, reason: str = "") -> DataError:
    return data_error("file-unreadable", variant, reason=reason, file=name)


TIMES = 2
"""How many times its size a text takes in memory, at the least, when it is read."""


ALWAYS_FREE = 1 << 26
"""Bytes of memory that nobody asks the system for."""


def refuse_what_does_not_fit(names: list[str]) -> None:
    """Raise DataError for texts that are certain to need more than the memory that is free."""
    needed = TIMES * sum(_text_size(name) for name in names if name != STANDARD_INPUT)
    if needed < ALWAYS_FREE:
        return
    free = free_memory()
    if free is not None and needed > free:
        found = f"{needed:,} bytes of memory, at the least"
        raise out_of_memory(names[0], found, f"no more than the {free:,} bytes that are free")


def free_memory() -> int | None:
    """How many bytes of memory are free; None where the system does not say."""
    with suppress(OSError, ValueError, StopIteration):
        with open("/proc/meminfo", encoding="ascii") as listed:
            line = next(line for line in listed if line.startswith("MemAvailable:"))
        return 1024 * int(line.split()[1])
    return None


def _text_size(name: str) -> int:
    """The size of a text, unpacked as far as its last four bytes say; 0 for other files."""
    try:
        size = os.stat(name).st_size if _is_regular(name) else 0
        if not name.endswith(".gz") or size < 4:
            return 0 if name.endswith(".parquet") else size
        with open(name, "rb") as stored:
            stored.seek(-4, os.SEEK_END)
            return max(size, int.from_bytes(stored.read(4), "little"))
    except (OSError, ValueError):  # whoever reads it says so
        return 0


def out_of_memory(
    name: str, found: str = "more than there is memory for", expected: str | None = None
) -> DataError:
    """The error for a file that does not fit into memory."""
    engine = next(iter(ours("engines")))
    values: dict[str, Any] = {"found": found, "expected": expected, "engine": engine}
    return data_error("file-too-large", "memory", file=name, **values)


def too_large(name: str, size: str, most: int | None) -> DataError:
    """The error for a file that has, or would unpack to, more than `most` bytes (see `load`).

    `size` is its size in words.
    """
    expected = f"compressed files, pipes and devices have at most {max_size(most):,} bytes"
    return data_error("file-too-large", file=name, found=size, expected=expected)


def without_companions(files: list[str]) -> list[str]:
    """The files that are documents, without companions such as the `.txt` beside an `.ann`.

    >>> without_companions(["a.ann", "a.txt", "b.txt"])
    ['a.ann', 'b.txt']
    """
    belongs = companion_test(files)
    return [file for file in files if not belongs(file)]


def companion_test(files: Iterable[str]) -> Callable[[str], bool]:
    """A function that tells whether a file is a companion of one of these files.

    >>> list(map(companion_test(["a.ann", "b.txt"]), ["a.txt", "b.txt"]))
    [True, False]
    """
    names: set[str] = set()
    patterns: dict[str, set[str]] = {}
    for file in files:
        for path in _paths(file, read=False):
            folder, name = os.path.split(path)
            if "*" in name:
                patterns.setdefault(folder, set()).add(name)
            else:
                names.add(path)

    def belongs(file: str) -> bool:
        path = os.path.normpath(file.removesuffix(".gz"))
        folder, name = os.path.split(path)
        return path in names or any(fnmatch(name, one) for one in patterns.get(folder, ()))

    return belongs


def companions(files: Iterable[str]) -> list[str]:
    """The existing files that are read along with these: texts, concepts, markables, sorted."""
    existing: set[str] = set()
    for file in files:
        for path in _paths(file, read=True):
            found = [name for name in (path, f"{path}.gz") if os.path.isfile(name)][:1]
            if "*" in path:
                folder, name = os.path.split(path)
                found = glob(os.path.join(escape(folder), name))
            existing.update(found)
    return sorted(existing.difference(files))


def _paths(file: str, *, read: bool) -> Iterator[str]:
    """Where companions of a file may be, as paths or patterns: those that are `read`, or all."""
    from corefkit.formats.registry import all_companions

    folder, name = os.path.split(file.removesuffix(".gz"))
    for kind in all_companions():
        if name.endswith(kind.ending):
            stem = name.removesuffix(kind.ending)
            for pattern in (*kind.read, *(() if read else kind.others)):
                yield os.path.normpath(os.path.join(folder, pattern.format(stem)))


MAX_SIZE = 2 << 30
"""How many bytes a packed file may unpack to, unless another limit is given."""
LARGEST_CELL = 1 << 20
"""Words, ids and other cells of files in columns have at most this many bytes."""
MAX_SIZE_VARIABLE = "COREFKIT_MAX_SIZE"
"""The environment variable that sets another limit."""

GZIP = b"\x1f\x8b\x08"
_SIZE = re.compile(r"(\d{1,18}(?:\.\d{1,9})?) ?(?:([KMGT])?(?:i?B)?)", re.ASCII | re.IGNORECASE)
_UNITS = {"": 0, "K": 10, "M": 20, "G": 30, "T": 40}


class TooLargeError(Exception):
    """The data would unpack to more than is allowed."""


def max_size(given: int | None) -> int:
    """The limit given, else that of the environment, else MAX_SIZE; UsageError for a bad one."""
    text = os.environ.get(MAX_SIZE_VARIABLE)
    return given if given is not None else parse_size(text) if text else MAX_SIZE


def parse_size(text: str) -> int:
    """The number of bytes that a text such as "2G" means; UsageError if it is not a size.

    A unit may be written K, KB or KiB, and is a power of 1024.

    >>> parse_size("512"), parse_size("2G"), parse_size("1.5 GB")
    (512, 2147483648, 1610612736)
    """
    found = _SIZE.fullmatch(text.strip())
    if not found:
        from corefkit.core.options import UsageError

        raise UsageError(f"{text!r} is not a size; write bytes, or e.g. 512M or 4GB")
    number, unit = found[1], 1 << _UNITS[(found[2] or "").upper()]
    return int(number) * unit if number.isdigit() else int(float(number) * unit)


def largest_piece(cells: Iterable[str]) -> int:
    """The size of the largest cell of a row, in bytes; brackets separate the pieces of a cell.

    >>> largest_piece(["1", "tale", "(e1-person)(e2)"])
    9
    """
    pieces = (piece for cell in cells for piece in re.split(r"[()|]", cell))
    return max(len(piece.encode("utf-8", AS_THEY_ARE)) for piece in pieces)


def refuse_output(title: str, size: int, times: int = 1) -> None:
    """Raise DataError if a file to be written exceeds the limit for unpacked files.

    For formats in which a small corpus becomes a huge file, e.g. because it repeats the words of
    every mention. `times` is how many bytes of memory each byte takes while it is written.
    """
    if size > (most := max_size(None) // times):
        expected = f"at most {most:,} bytes"
        raise data_error("file-too-large", "written", title=title, size=size, expected=expected)


def unpack(data: bytes, most: int = MAX_SIZE) -> bytes:
    """Unpack gzip data; zlib.error or EOFError if it is damaged.

    Raises TooLargeError, without unpacking everything, if the result would exceed `most` bytes.
    """
    import gzip

    try:
        unpacked = gzip.GzipFile(fileobj=BytesIO(data)).read(most + 1)
    except gzip.BadGzipFile as error:
        raise zlib.error(str(error)) from None
    if len(unpacked) > most:
        raise TooLargeError(f"more than {most:,} bytes")
    return unpacked


def packed(name: str, data: bytes) -> bytes:
    """The data as stored in a file of this name: packed if the name ends in `.gz`."""
    if not name.endswith(".gz"):
        return data
    import gzip

    return gzip.compress(data, mtime=0)
