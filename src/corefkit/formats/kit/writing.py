"""Writing files: completely or not at all, and never over a file that is being read.

Both the command line and the Python functions use it. pathlib is avoided because importing it takes
as long as reading a small corpus.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from corefkit.core.incidents import DataError, UnwrittenError
from corefkit.core.options import UsageError
from corefkit.formats.kit.files import STANDARD_INPUT, companion_test, expand

if TYPE_CHECKING:
    from corefkit.core.corpus import Corpus

_LONGEST = 240
"""How many bytes of a name its temporary file keeps; most systems allow 255 in all."""


def is_stream(name: str) -> bool:
    """Whether the name is `-`, a pipe or a device, and so does not imply a format."""
    return name == "-" or (
        os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name)
    )


def refuse_overwriting(
    outputs: Sequence[str], inputs: Iterable[str], literal: Iterable[str] = ()
) -> None:
    """Raise UsageError if a file to be written is also read, under whatever name.

    `inputs` may be directories, patterns and `-`, which may be a file that the shell has opened;
    `literal` are strings that may be names of files.
    """
    identities = [_identity(output) for output in outputs]
    for number, identity in enumerate(identities):
        if outputs[number] in outputs[:number] or (identity and identity in identities[:number]):
            raise UsageError(f"{outputs[number]} would be written twice")
    if not any(identities):
        return
    files = [*_files(inputs), *literal]
    read = {_open_input() if file == STANDARD_INPUT else _identity(file) for file in files}
    read_along = companion_test(map(os.path.realpath, files))
    for output, identity in zip(outputs, identities, strict=True):
        if identity and (identity in read or read_along(os.path.realpath(output))):
            raise UsageError(
                f"{output} is read and would be overwritten; name another file to write"
            )


def files_of(source: "str | os.PathLike[str] | Corpus") -> list[str]:
    """The files behind a source: the path itself, or the files that a corpus was read from."""
    if isinstance(source, (str, os.PathLike)):
        return [os.fspath(source)]
    return [file.path for file in source.sources]


def _files(names: Iterable[str]) -> list[str]:
    """The files that names stand for: directories, patterns, and files of some annotator."""
    from corefkit.formats.kit.annotators import is_pattern, pattern_files, split_annotator

    files: list[str] = []
    for name in names:
        base, _ = split_annotator(name)
        try:
            files += pattern_files(base) if is_pattern(base) else expand(base)
        except DataError:  # a missing or unreadable file is reported when it is read
            continue
    return files


def _identity(name: str) -> tuple[int, int] | None:
    """The device and inode of a file; None if it is missing or not a regular file."""
    try:
        return _regular(os.stat(name))
    except (OSError, ValueError):
        return None


def _open_input() -> tuple[int, int] | None:
    """The device and inode of standard input; None if it is not a regular file, or closed."""
    try:
        return _regular(os.fstat(sys.stdin.fileno()))
    except (AttributeError, OSError, ValueError):
        return None


def _regular(status: os.stat_result) -> tuple[int, int] | None:
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def write_atomically(name: str, data: bytes) -> None:
    """Write a file completely or not at all; OSError if it cannot be written.

    A link stays a link, and its target is written; a pipe or a device is written to and stays what
    it is. A replaced file keeps its mode.
    """
    if os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name):
        with _named_as(name), open(name, "wb") as stream:
            stream.write(data)
        return
    with staged() as write, _named_as(name):
        write(_target(name), data)


def write_together(files: Mapping[str, bytes], named: str = "") -> None:
    """Write all files or none, and make the folders they need.

    `named` is the file that the user named, if any: it may be a link, a pipe or a device. Other
    files that are links are replaced, and their targets stay as they are.
    """
    streams = {name: data for name, data in files.items() if name == named and is_stream(name)}
    with staged(folders=True) as write:
        for name, data in files.items():
            if name not in streams:
                with _named_as(name):
                    write(_target(name) if name == named else name, data)
    for name, data in streams.items():
        write_atomically(name, data)


@contextmanager
def _named_as(name: str) -> Iterator[None]:
    """Make errors name the file as the user did, not the target of a link."""
    try:
        yield
    except OSError as error:
        raise UnwrittenError.of(error, name) from None


def _target(name: str) -> str:
    """The final target of a link; any other name unchanged."""
    return os.path.realpath(name) if os.path.islink(name) else name


@contextmanager
def staged(*, folders: bool = False) -> Iterator[Callable[[str, bytes], None]]:
    """A function that writes files, all of which appear when the block ends, or none.

    They are first written under temporary names in their folders and then only renamed; what would
    prevent the renaming, such as a folder with the same name, is an OSError before the first one.
    With `folders`, missing folders are made. A replaced file keeps its mode.
    """
    from tempfile import NamedTemporaryFile

    waiting: list[tuple[str, str]] = []

    def write(name: str, data: bytes) -> None:
        folder, file_name = os.path.split(name)
        try:
            if folders and folder:
                os.makedirs(folder, exist_ok=True)
            mode = _mode_of(name)
            prefix = f".{temporary_stem(file_name)}."
            with NamedTemporaryFile(dir=folder or ".", prefix=prefix, delete=False) as file:
                waiting.append((file.name, name))
                file.write(data)
            os.chmod(file.name, mode)
        except OSError as error:  # with the name of the temporary file
            raise UnwrittenError.of(error, name) from None

    try:
        yield write
        for _, name in waiting:
            _mode_of(name)
        for ready, name in waiting:
            with _named_as(name):
                os.replace(ready, name)
    except BaseException:
        for ready, _ in waiting:
            with suppress(FileNotFoundError):
                os.unlink(ready)
        raise


def temporary_stem(name: str) -> str:
    """The part of a file name that the name of its temporary file keeps.

    >>> temporary_stem("a.conll"), len(temporary_stem("ä" * 150))
    ('a.conll', 120)
    """
    stem = name[:_LONGEST]
    while len(os.fsencode(stem)) > _LONGEST:
        stem = stem[:-1]
    return stem


def _mode_of(name: str) -> int:
    """The mode for a written file: that of the file it replaces, or else that of new files.

    OSError if no file can have this name because it is too long or a folder has it.
    """
    try:
        status = os.lstat(name)
    except FileNotFoundError:
        status = None
    if status is not None and stat.S_ISDIR(status.st_mode):
        import errno

        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
    if status is not None and stat.S_ISREG(status.st_mode):
        return stat.S_IMODE(status.st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
