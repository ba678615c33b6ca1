"""The files of zip archives and folders, which together unpack to a limited size."""

import io
import lzma
import os
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager

from corefkit.core.incidents import DataError, data_error
from corefkit.core.options import Reading
from corefkit.formats.kit.files import max_size, walk

_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    OSError,
    EOFError,
    RuntimeError,  # encrypted, or NotImplementedError for an unknown compression
    ValueError,
)
"""The exceptions that reading a damaged or encrypted archive raises."""
_MOST_MEMBERS = 100_000
"""An archive of which more files are wanted is not read."""


class Members:
    """The files of an archive or a folder.

    Attributes:
        path: where it is.
        names: theirs, with `/` between folders.
        repeated: the names that several of them have.
        most: how many bytes they may have in all.
        inside: the archive among others that they are in.
    """

    def __init__(self, path: str, most: int, inside: str = "") -> None:
        self.path, self.most, self.inside, self._left = path, most, inside, most
        self.names: Collection[str] = ()
        self.repeated: Collection[str] = ()

    def head(self, name: str) -> bytes:
        """The first bytes of one, enough to recognise it; DataError if it is damaged."""
        with failure_told(self.path, self.inside or name):
            return self._read(name, 64)

    def read(self, name: str) -> bytes:
        """One of them; DataError if it is damaged, or if all those read exceed the limit."""
        with failure_told(self.path, self.inside or name):
            data = self._read(name, self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise self._too_large()
        return data

    def inner(self, name: str) -> "ZipMembers":
        """The files of an archive among them, which count against the same limit."""
        return ZipMembers(self.read(name), self.path, self._left, name)

    def refuse_large(self, names: Collection[str]) -> None:
        """Raise DataError if these say that they exceed the limit; others are found out later."""
        if sum(map(self._size, names)) > self._left or len(names) > _MOST_MEMBERS:
            raise self._too_large()

    def _too_large(self) -> DataError:
        return data_error("file-unreadable", "archive-large", most=self.most, file=self.path)

    def _read(self, name: str, most: int) -> bytes:
        raise NotImplementedError

    def _size(self, name: str) -> int:
        raise NotImplementedError


class ZipMembers(Members):
    """The files of an archive; names that begin with `/` lose it."""

    def __init__(self, data: bytes, path: str, most: int, inside: str = "") -> None:
        super().__init__(path, most, inside)
        with failure_told(path, inside):
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        infos = [
            (info.filename.lstrip("/"), info)
            for info in self._archive.infolist()
            if info.filename.strip("/") and not info.is_dir()  # a damaged one may have no name
        ]
        self._infos = dict(infos)
        self.names = list(self._infos)
        times = Counter(name for name, _ in infos)
        self.repeated = {name for name in times if times[name] > 1}

    def _read(self, name: str, most: int) -> bytes:
        with self._archive.open(self._infos[name]) as member:
            return member.read(most)

    def _size(self, name: str) -> int:
        return self._infos[name].file_size


class FolderMembers(Members):
    """The files of a folder."""

    def __init__(self, path: str, most: int) -> None:
        super().__init__(path, most)
        self.names = [os.path.relpath(file, path).replace(os.sep, "/") for file in walk(path)]

    def _read(self, name: str, most: int) -> bytes:
        with open(f"{self.path}/{name}", "rb") as file:
            return file.read(most)

    def _size(self, name: str) -> int:
        return os.path.getsize(f"{self.path}/{name}")


def open_zip(data: bytes, path: str, reading: Reading) -> ZipMembers:
    """The files of an archive, which are read up to the limit of the reading."""
    return ZipMembers(data, path, max_size(reading.max_size))


@contextmanager
def failure_told(path: str, name: str = "") -> Iterator[None]:
    """Turn what a damaged or encrypted archive raises into a DataError that names the member."""
    try:
        yield
    except _DAMAGED as error:
        reason = _in_words(error)
        told = reason if name in reason else f"{name}: {reason}"
        raise data_error("file-unreadable", "archive", reason=told, file=path) from error


def _in_words(error: Exception) -> str:
    """The reason why an archive cannot be read.

    >>> _in_words(RuntimeError("File <ZipInfo filename='a.xmi'> is encrypted, password required"))
    'a.xmi is encrypted; pack it without a password'
    """
    encrypted = re.search(r"filename='([^']*)'.* is encrypted", str(error))
    if encrypted:
        return f"{encrypted[1]} is encrypted; pack it without a password"
    return " ".join(str(error).split()) or type(error).__name__


def is_hidden(name: str) -> bool:
    """Whether a file is not part of an export: hidden, or made by the macOS Finder."""
    return any(step.startswith(".") or step == "__MACOSX" for step in name.split("/"))
