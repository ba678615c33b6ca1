"""The SHA-256 of files, by which a result identifies the files that it was computed from.

Bytes are unpacked first, so that a `.gz` has the hash of its contents. Several files have one hash,
that of the lines `HASH  NAME`, sorted by name, as `sha256sum` writes them; names are relative to
the folder, or to the fixed part of a glob, and lack `.gz`. Companion files, such as the `.txt`
beside an `.ann`, have a separate hash, made in the same way.
"""

import os
import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from corefkit.core.incidents import DataError, data_error
from corefkit.core.source import Source
from corefkit.formats.kit.annotators import split_annotator
from corefkit.formats.kit.files import companions, expand, load


class FileHash(NamedTuple):
    """The hash of the files that a path stands for.

    Attributes:
        sha256: 64 hexadecimal digits; None where nothing was read from files.
        bytes: the size of the files, unpacked.
        files: how many there are, where the path is a folder or a glob.
        companions: the hash of their companion files, if there are any.
    """

    sha256: str | None = None
    bytes: int | None = None
    files: int | None = None
    companions: "FileHash | None" = None

    def to_dict(self) -> dict[str, Any]:
        """The fields of the JSON output: always `sha256`, the others where they are known."""
        known = {name: value for name, value in self._asdict().items() if value is not None}
        if self.companions:
            known["companions"] = self.companions.to_dict()
        return {"sha256": None, **known}

    @classmethod
    def from_dict(cls, entry: Mapping[str, Any]) -> "FileHash":
        """The hash in an entry of the JSON output."""
        companions = entry.get("companions")
        return cls(
            entry.get("sha256"),
            entry.get("bytes"),
            entry.get("files"),
            cls.from_dict(companions) if isinstance(companions, Mapping) else None,
        )


FileStates = Mapping[str, tuple[int, int, int]]
"""The node, the size and the time of each file: if all are the same, it has not been changed."""

NOTHING = FileHash()
"""The hash of a Corpus that was made in Python, or of a table in a database."""


def hash_files(
    path: str, sources: Iterable[Source] = (), in_memory: Mapping[str, bytes] | None = None
) -> FileHash:
    """The hash of the files that a path stands for; NOTHING where they cannot be read.

    `sources` are files that have been read; standard input is known only from these. `in_memory`
    has the unpacked bytes of further files, by name.
    """
    in_memory = {**(in_memory or {}), **{source.path: source.data for source in sources}}
    if "#" in path and not Path(path).exists():
        path, _ = split_annotator(path)  # one of several annotators of a file
    try:
        names = expand(path)
        root = Path(path if Path(path).is_dir() else _fixed_part(path))
        companion_names = companions(names)
        beside = _hash_several(root, companion_names, in_memory) if companion_names else None
        if names == [path]:
            data = in_memory[path] if path in in_memory else _from_disk(path)
            return FileHash(_digest(data), len(data), None, beside)
        return _hash_several(root, names, in_memory)._replace(companions=beside)
    except (DataError, KeyError):
        return NOTHING


def file_states(path: str) -> FileStates:
    """The node, the size and the time of each file of a path; none of what is no file."""
    try:
        found = {name: Path(name).stat() for name in expand(path)}
    except (DataError, OSError):
        return {}
    return {name: (file.st_ino, file.st_size, file.st_mtime_ns) for name, file in found.items()}


def check_unchanged(path: str, states: FileStates) -> None:
    """Raise DataError where files are no longer as they were: nobody knows what was read."""
    if file_states(path) != states:
        raise data_error("file-unreadable", "changed", file=path)


def _from_disk(name: str) -> bytes:
    if not Path(name).is_file():
        raise KeyError(name)
    return load(name)


def _hash_several(root: Path, names: list[str], in_memory: Mapping[str, bytes]) -> FileHash:
    size, digests = 0, {}
    for name in names:
        data = in_memory[name] if name in in_memory else load(name)
        relative = os.path.relpath(name, root).replace(os.sep, "/")
        digests[relative.removesuffix(".gz")] = _digest(data)
        size += len(data)
    lines = "".join(f"{digests[name]}  {name}\n" for name in sorted(digests))
    return FileHash(_digest(lines.encode("utf-8", "surrogateescape")), size, len(names))


def _digest(data: bytes) -> str:
    return sha256(data).hexdigest()


def _fixed_part(path: str) -> str:
    """The folders of a file, or those of a glob before its first pattern.

    >>> _fixed_part("runs/a/*.conll"), _fixed_part("*.conll"), _fixed_part("runs/a.conll")
    ('runs/a', '', 'runs')
    """
    return re.split(r"[*?[]", path, maxsplit=1)[0].rpartition("/")[0]
