"""Files written whole or not at all.

Without pathlib: importing it takes as long as reading a small corpus.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress


def is_stream(name: str) -> bool:
    """Whether it is `-`, a pipe or a device, whose name says nothing about a format."""
    return name == "-" or (
        os.path.exists(name) and not os.path.isfile(name) and not os.path.isdir(name)
    )


def write_atomically(name: str, data: bytes) -> None:
    """Write a file that is complete or not there at all; OSError where it cannot be written.

    A link stays a link to what is written; a pipe or a device is written to and stays what it is.
    """
    try:
        _write(name, data)
    except OSError as error:
        error.filename = name  # not that of the temporary file
        raise


def _write(name: str, data: bytes) -> None:
    if os.path.exists(name) and not os.path.isfile(name):
        with open(name, "wb") as stream:
            stream.write(data)
        return
    with staged() as write:
        write(os.path.realpath(name), data)


@contextmanager
def staged() -> Iterator[Callable[[str, bytes], None]]:
    """A function that writes files, which appear together when the block ends, or not at all.

    They are written beside their places first, so that the end is only a change of names.
    """
    from tempfile import NamedTemporaryFile

    waiting: list[tuple[str, str]] = []

    def write(name: str, data: bytes) -> None:
        folder, own = os.path.split(name)
        with NamedTemporaryFile(dir=folder or ".", prefix=f".{own}.", delete=False) as file:
            waiting.append((file.name, name))
            file.write(data)

    try:
        yield write
        mask = os.umask(0)
        os.umask(mask)
        for ready, name in waiting:
            os.chmod(ready, 0o666 & ~mask)
            os.replace(ready, name)
    except BaseException:
        for ready, _ in waiting:
            with suppress(FileNotFoundError):
                os.unlink(ready)
        raise
