"""From what a user names (a file, `.gz`, `-`, a directory, a glob) to unpacked bytes.

A packed file is unpacked only up to a limit: a small one may grow to more than fits into memory.

Companion files, which belong to another file and are read along with it, are recognised by their
names. pathlib is avoided because importing it takes as long as reading a small corpus.

Files are loaded in the background while the modules that will parse them are still being imported
(`Prefetch`): reading and unpacking release the GIL, so a second processor does them for free.
"""

import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from glob import escape, glob
from io import BytesIO
from threading import Event, Thread
from typing import Self

from corefkit.core.incidents import DataError, data_error

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
        if columns := [f for f in files if f.removesuffix(".gz").endswith("conll")]:
            return columns
    elif ("*" in name or "?" in name) and not os.path.isfile(name):
        files = sorted(f for f in _glob(_pattern(name)) if os.path.isfile(f))
    else:
        return [name]

    return without_companions(files)


def _glob(pattern: str) -> set[str]:
    """The paths that match a pattern; `**` is any number of folders, each visited once."""
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
    for place in (beside, f"{beside}.gz"):
        if name != STANDARD_INPUT and os.path.isfile(place):
            return place, load(place)
    return beside, None


def load(name: str, most: int | None = None, stored: bytes | None = None) -> bytes:
    """The bytes of one file, unpacked if they are gzip; DataError if it cannot be read.

    `most` is how many bytes a packed file may unpack to; without it the environment decides, else
    MAX_SIZE. `stored` are the bytes of the file, if they have been read already.
    """
    try:
        data = stored
        if data is None:
            data = _standard_input() if name == STANDARD_INPUT else _read(name)
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
    return _read(name)


def _read(name: str) -> bytes:
    with open(name, "rb") as file:
        return file.read()


def _standard_input() -> bytes:
    if sys.stdin is None:  # the calling process closed it
        raise OSError("standard input is closed")
    return sys.stdin.buffer.read()


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


def _unreadable(name: str, variant: str = "", *, reason: str = "") -> DataError:
    return data_error("file-unreadable", variant, reason=reason, file=name)


def out_of_memory(name: str) -> DataError:
    """The error for a file that does not fit into memory."""
    return too_large(name, "more than there is memory for", None)


def too_large(name: str, size: str, most: int | None) -> DataError:
    """The error for a file that would unpack to more than `most` bytes (see `load`).

    `size` is its size in words.
    """
    expected = f"compressed files may unpack to at most {max_size(most):,} bytes"
    return data_error("file-too-large", file=name, found=size, expected=expected)


_READ_ALONG = {
    ".ann": (".txt",),
    ".chains": ("", ".con"),
    ".aa": (".ac",),
    ".apf.xml": (".sgm",),
    ".rich_ere.xml": (".txt", ".xml.txt", ".cmp.txt"),
    ".entities": (".tokens",),
}
"""The endings of the files that are read along with a file of each ending."""

_COMPANIONS = _READ_ALONG | {
    ".entities": (".tokens", ".quotes", ".supersense", ".book", ".book.html", ".txt"),
}
"""The endings of all files that belong to a file of each ending and are not documents."""

_MMAX = frozenset({"Basedata", "Markables", "Schemes", "Styles", "Customizations"})


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
    plain = [name.removesuffix(".gz") for name in files]
    companions = {
        name.removesuffix(kind) + other
        for name in plain
        for kind, others in _COMPANIONS.items()
        if name.endswith(kind)
        for other in others
    }
    for name in plain:
        if name.endswith(".chains"):  # the texts and concepts of i2b2 may have their own folders
            folder, stem = os.path.split(name.removesuffix(".chains"))
            above = os.path.dirname(folder)
            companions |= {os.path.join(above, "docs", stem)}
            companions |= {os.path.join(above, "concepts", f"{stem}.con")}
    configured = {os.path.dirname(name) for name in plain if name.endswith(".ann")}
    projects = {os.path.dirname(name) for name in plain if name.endswith(".mmax")}

    def belongs(file: str) -> bool:
        name = file.removesuffix(".gz")
        setting = name.endswith(".conf") and os.path.dirname(name) in configured
        return name in companions or setting or (bool(projects) and _of_mmax(name, projects))

    return belongs


def companions(files: Iterable[str]) -> list[str]:
    """The existing files that are read along with these: texts, concepts, markables, sorted.

    They are found by their names, in the places where the formats look for them.
    """
    existing: set[str] = set()
    for file in files:
        name = file.removesuffix(".gz")
        for kind, others in _READ_ALONG.items():
            if name.endswith(kind):
                stem = name.removesuffix(kind)
                candidates = (_existing(_places(stem, other, kind)) for other in others)
                existing.update(filter(None, candidates))
        if name.endswith(".mmax"):
            existing.update(_project_files(name.removesuffix(".mmax")))
    return sorted(existing.difference(files))


def _places(stem: str, ending: str, kind: str) -> list[str]:
    """Where a companion file may be; those of i2b2 may have their own folders."""
    if kind != ".chains":
        return [stem + ending]
    folder, name = os.path.split(stem)
    sibling = "concepts" if ending else "docs"
    return [stem + ending, os.path.join(folder or ".", "..", sibling, name + ending)]


def _existing(places: list[str]) -> str | None:
    """The first of these files that exists, packed or not."""
    both = (name for place in places for name in (place, f"{place}.gz"))
    return next(filter(os.path.isfile, both), None)


def _project_files(stem: str) -> Iterator[str]:
    """The files with the words and markables of an MMAX2 project."""
    above, name = os.path.split(stem)
    for folder, kind in (("Basedata", "words"), ("Markables", "*_level")):
        for part in (folder, folder.lower(), ""):
            pattern = os.path.join(escape(above), part, f"{escape(name)}_{kind}.xml")
            yield from filter(os.path.isfile, glob(pattern))


def _of_mmax(name: str, projects: set[str]) -> bool:
    """Whether a file holds the words, markables or settings of an MMAX2 project."""
    folder, file = os.path.split(name)
    above, inside = os.path.split(folder)
    settings = file == "common_paths.xml" and folder in projects
    return settings or (inside in _MMAX and above in projects)


MAX_SIZE = 2 << 30
"""How many bytes a packed file may unpack to, unless another limit is given."""
MAX_SIZE_VARIABLE = "COREFKIT_MAX_SIZE"
"""The environment variable that sets another limit."""

GZIP = b"\x1f\x8b\x08"
_GZIP_BITS = 31
_MOST_TIMES = 1100
"""More than gzip can compress: its best ratio is 1 : 1032."""
_PIECE = 1 << 16
_UNITS = {"K": 10, "M": 20, "G": 30, "T": 40}


class TooLargeError(Exception):
    """The data would unpack to more than is allowed."""


def max_size(given: int | None) -> int:
    """The limit given, else that of the environment, else MAX_SIZE; UsageError for a bad one."""
    text = os.environ.get(MAX_SIZE_VARIABLE)
    return given if given is not None else parse_size(text) if text else MAX_SIZE


def parse_size(text: str) -> int:
    """The number of bytes that a text such as "2G" means; UsageError if it is not a size.

    >>> parse_size("512"), parse_size("2G")
    (512, 2147483648)
    """
    digits, unit = (text[:-1], text[-1]) if text[-1:].upper() in _UNITS else (text, "")
    if not (digits.isascii() and digits.isdigit()) or len(digits) > len(str(1 << 62)):
        from corefkit.core.options import UsageError

        raise UsageError(f"{text!r} is not a size; write bytes, or e.g. 512M or 4G")
    return int(digits) << _UNITS.get(unit.upper(), 0)


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

    Raises TooLargeError, without unpacking everything, if the result would exceed `most` bytes. A
    single small member is unpacked into a buffer of its recorded size, which takes half the time of
    unpacking it in pieces.
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
            raise zlib.error("something follows the compressed data")
        member = zlib.decompressobj(_GZIP_BITS)
        while not member.eof:
            if at >= len(data):
                raise EOFError("the compressed data is truncated")
            piece = view[at : at + _PIECE]
            unpacked.write(member.decompress(piece))
            at += len(piece) - len(member.unused_data)
            if unpacked.tell() > most:
                raise TooLargeError(f"more than {most:,} bytes")
        while at < len(data) and data[at] == 0:  # padding, as written to tapes
            at += 1
    return unpacked.getvalue()


def packed(name: str, data: bytes) -> bytes:
    """The data as stored in a file of this name: packed if the name ends in `.gz`."""
    if not name.endswith(".gz"):
        return data
    import gzip

    return gzip.compress(data, mtime=0)


_IN_PIECES = (".parquet", ".pq")
"""Files that are not prefetched because a library reads them in pieces."""


class Prefetch:
    """Loads files in the background for as long as it is open.

    `with Prefetch(names): …` starts to load those names that are files, one after the other, so
    that loading takes one processor and imports have another. `load_prefetched` takes the bytes;
    whatever has not been taken when the block ends is dropped, so that no later run sees it.
    A block inside another one takes over the files that this one has begun to load, and drops the
    others.
    """

    _open: "Prefetch | None" = None

    def __init__(self, names: Iterable[str]) -> None:
        begun = Prefetch._open.loading if Prefetch._open else {}
        files = [
            name
            for name in dict.fromkeys(names)
            if os.path.isfile(name) and not name.endswith(_IN_PIECES)
        ]
        self._waiting = {name: _FileLoad() for name in files if name not in begun}
        self.loading: dict[str, _FileLoad] = {
            name: self._waiting.get(name) or begun.pop(name) for name in files
        }
        _drop(begun)

    def __enter__(self) -> Self:
        Prefetch._open = self
        if self._waiting:
            Thread(target=self._load_all, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        Prefetch._open = None
        _drop(self.loading)

    def _load_all(self) -> None:
        for name, loading in self._waiting.items():
            with suppress(Exception):
                loading.load(name)
            loading.set()

    def take(self, name: str) -> bytes | None:
        """Hand over the bytes of a file, once; None if it was not loaded or loading it failed."""
        loading = self.loading.pop(name, None)
        if loading is None:
            return None
        loading.wait()
        data, loading.data = loading.data, None
        return data


class _FileLoad(Event):
    """A file that is being loaded or waits for its turn; the event is set when `data` is there."""

    data: bytes | None = None
    is_wanted = True

    def load(self, name: str) -> None:
        """Load the file, unless it has been dropped."""
        data = load(name) if self.is_wanted else None
        if self.is_wanted:
            self.data = data


def _drop(loading: dict[str, _FileLoad]) -> None:
    """Drop files, whether they have been loaded or not."""
    for file in loading.values():
        file.is_wanted, file.data = False, None
    loading.clear()


def load_prefetched(name: str, max_size: int | None = None) -> bytes:
    """Like `load`, for a file that may be loading already; errors are raised here."""
    prefetch = Prefetch._open if max_size is None else None
    data = prefetch.take(name) if prefetch else None
    return load(name, max_size) if data is None else data
