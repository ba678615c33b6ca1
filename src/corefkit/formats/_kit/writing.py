"""Files written whole or not at all, and never over what is read.

The command line and the functions of Python that write all come here. Without pathlib: importing it
takes as long as reading a small corpus.
"""

import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from corefkit.core.incidents import DataError
from corefkit.core.options import UsageError
from corefkit.formats._kit.files import STANDARD_INPUT, companion_test, expand

if TYPE_CHECKING:
    from corefkit.core.corpus import Corpus

_LONGEST = 240
"""How many bytes of a name the name of its temporary file has: 255 is what most systems allow."""


def is_stream(name: str) -> bool:
    """Whether it is `-`, a pipe or a device, whose name says nothing about a format."""
    return name == "-" or (
        os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name)
    )


def refuse_overwriting(
    outputs: Sequence[str], inputs: Iterable[str], literal: Iterable[str] = ()
) -> None:
    """UsageError where a file to be written is one that is read, by whatever name.

    `inputs` may be directories, patterns and `-`, which may be a file that the shell has opened;
    `literal` are texts that may be names of files.
    """
    places = [_identity(output) for output in outputs]
    for number, place in enumerate(places):
        if outputs[number] in outputs[:number] or (place and place in places[:number]):
            raise UsageError(f"{outputs[number]} would be written twice")
    if not any(places):
        return
    files = [*_files(inputs), *literal]
    read = {_open_input() if file == STANDARD_INPUT else _identity(file) for file in files}
    read_along = companion_test(map(os.path.realpath, files))
    for output, place in zip(outputs, places, strict=True):
        if place and (place in read or read_along(os.path.realpath(output))):
            raise UsageError(
                f"{output} is read and would be overwritten; name another file to write"
            )


def files_of(source: "str | os.PathLike[str] | Corpus") -> list[str]:
    """The names of what is read for it: itself, or the files from which a corpus was read."""
    if isinstance(source, (str, os.PathLike)):
        return [os.fspath(source)]
    return [one.path for one in source.sources]


def _files(names: Iterable[str]) -> list[str]:
    """The files that names stand for, directories and patterns too, whoever annotated them."""
    from corefkit.formats._kit.annotators import is_pattern, pattern_files, split_annotator

    files: list[str] = []
    for name in names:
        base, _ = split_annotator(name)
        try:
            files += pattern_files(base) if is_pattern(base) else expand(base)
        except DataError:  # no such file, or unreadable: said when it is read
            continue
    return files


def _identity(name: str) -> tuple[int, int] | None:
    """Which file it is; None where there is none, and for pipes and terminals."""
    try:
        return _regular(os.stat(name))
    except (OSError, ValueError):
        return None


def _open_input() -> tuple[int, int] | None:
    """Which file standard input is; None where it is a pipe or a terminal, or closed."""
    try:
        return _regular(os.fstat(sys.stdin.fileno()))
    except (AttributeError, OSError, ValueError):
        return None


def _regular(status: os.stat_result) -> tuple[int, int] | None:
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


def write_atomically(name: str, data: bytes) -> None:
    """Write a file that is complete or not there at all; OSError where it cannot be written.

    A link stays a link to what is written; a pipe or a device is written to and stays what it is.
    A file that is replaced keeps its mode.
    """
    if os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name):
        with open(name, "wb") as stream:
            stream.write(data)
        return
    with staged() as write, _named_as(name):
        write(_target(name), data)


def write_together(files: Mapping[str, bytes], named: str = "") -> None:
    """Write all files or none, with the folders that they need.

    `named` is the one that the user named, where there is one: it may be a link, a pipe or a
    device. Links among the others are replaced, and what they point to stays as it is.
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
    """Errors inside name the file as the user did, not what a link points to."""
    try:
        yield
    except OSError as error:
        error.filename = name
        raise


def _target(name: str) -> str:
    """What a link points to, at the end of all links; any other name as it is."""
    return os.path.realpath(name) if os.path.islink(name) else name


@contextmanager
def staged(*, folders: bool = False) -> Iterator[Callable[[str, bytes], None]]:
    """A function that writes files, which appear together when the block ends, or not at all.

    They are written beside their places first, so that the end is only a change of names; what
    would prevent that, such as a folder of the same name, is an OSError before it. With `folders`
    those that they need are made, and gone again if the files are not written. A file that is
    replaced keeps its mode.
    """
    from tempfile import NamedTemporaryFile

    waiting: list[tuple[str, str]] = []
    made: list[str] = []

    def write(name: str, data: bytes) -> None:
        folder, own = os.path.split(name)
        try:
            made.extend(_make_folders(folder) if folders else ())
            mode = _mode_of(name)
            prefix = f".{temporary_stem(own)}."
            with NamedTemporaryFile(dir=folder or ".", prefix=prefix, delete=False) as file:
                waiting.append((file.name, name))
                file.write(data)
            os.chmod(file.name, mode)
        except OSError as error:
            error.filename = name  # not that of the temporary file
            raise

    try:
        yield write
        for _, name in waiting:
            _mode_of(name)
        for ready, name in waiting:
            os.replace(ready, name)
    except BaseException:
        for ready, _ in waiting:
            with suppress(FileNotFoundError):
                os.unlink(ready)
        _remove_folders(made)
        raise


def temporary_stem(name: str) -> str:
    """What the name of a temporary file has of the name that it will get: most of it.

    >>> temporary_stem("a.conll"), len(temporary_stem("ä" * 150))
    ('a.conll', 120)
    """
    stem = name[:_LONGEST]
    while len(os.fsencode(stem)) > _LONGEST:
        stem = stem[:-1]
    return stem


def _make_folders(folder: str) -> list[str]:
    """Make a folder and those above it; those that were not there, the outermost first."""
    if not folder or os.path.isdir(folder):
        return []
    above = _make_folders(os.path.dirname(folder))
    try:
        os.mkdir(folder)
    except FileExistsError:
        if os.path.isdir(folder):  # made by somebody else just now
            return above
        _remove_folders(above)
        raise
    except OSError:
        _remove_folders(above)
        raise
    return [*above, folder]


def _remove_folders(folders: Sequence[str]) -> None:
    for folder in reversed(folders):
        with suppress(OSError):  # somebody else has written there
            os.rmdir(folder)


def _mode_of(name: str) -> int:
    """The mode that a written file gets: that of the file it replaces, else that of new files.

    OSError where no file can have that name: it is too long, or that of a folder.
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
