"""The files that a response is: as they are stored, and unpacked where they are scored.

The same bytes unpack to the same, so those that are stored tell whether a response has changed; a
run that finds its parts unpacks nothing.
"""

import os
from collections.abc import Iterable
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from corefkit.core.incidents import DataError
from corefkit.formats import companions, expand, load, max_size, read_stored, split_annotator
from corefkit.scoring.hashes import FileHash, hash_files

UNREADABLE = "unreadable"
"""Stands for the content of files that cannot be read, or not be unpacked."""


class ResponseFiles:
    """The files that a path stands for, each read once."""

    def __init__(self, path: str) -> None:
        self.path = path
        before, annotator = split_annotator(path)
        self._names: list[str] = []
        self._stored: dict[str, bytes] | None = None
        self._whole = annotator is None
        try:
            self._names = expand(before)
            read = (*self._names, *companions(self._names))
            self._stored = {name: read_stored(name) for name in read}
        except (DataError, MemoryError, OSError, ValueError):
            pass

    def digest(self, folder: Path) -> str:
        """Tells whether anything that is read has changed; names count as from the folder.

        So does how large a file may become: what is too large cannot be scored.
        """
        if self._stored is None:
            return UNREADABLE
        whole = sha256(str(max_size(None)).encode())
        for name, data in self._stored.items():
            relative = os.path.relpath(name, folder).encode("utf-8", "surrogateescape")
            whole.update(sha256(relative).digest() + sha256(data).digest())
        return whole.hexdigest()

    @property
    def readable(self) -> bool:
        """Whether all files can be read and unpacked."""
        return self._unpacked is not None

    @property
    def loaded(self) -> dict[str, bytes] | None:
        """The files by name, unpacked; None where a reader has to look for itself."""
        if self._unpacked is None or not self._whole:
            return None
        return {name: self._unpacked[name] for name in self._names}

    @cached_property
    def hash(self) -> FileHash:
        """The hash of what was read."""
        return hash_files(self.path, in_memory=self._unpacked or {})

    @cached_property
    def _unpacked(self) -> dict[str, bytes] | None:
        return None if self._stored is None else _unpack(self._stored.items())


def _unpack(stored: Iterable[tuple[str, bytes]]) -> dict[str, bytes] | None:
    try:
        return {name: load(name, stored=data) for name, data in stored}
    except (DataError, MemoryError):
        return None
