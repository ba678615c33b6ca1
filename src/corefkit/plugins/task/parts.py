"""What a run keeps in files: the counts of each response by document.

A part holds the counts of one response. It is valid for one key, one response and one set of
options, identified by their fingerprint. A run that was interrupted, or in which one response was
replaced, scores only the responses without a valid part.

`locked` keeps other runs out of the folder, `sweep` removes what a killed run left there.
"""

import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path, PurePath
from stat import S_ISREG
from typing import Any

import numpy as np

from corefkit.core.counts import Counts, Size
from corefkit.core.incidents import DataError, Incident
from corefkit.core.options import Options
from corefkit.core.texts import to_json
from corefkit.formats.kit.writing import temporary_stem, write_together
from corefkit.plugins.task.shared_task import Slot, Task, without_text
from corefkit.scorers import scorer_for
from corefkit.scorers.comparison import Side
from corefkit.scorers.signature import signature
from corefkit.scoring.hashes import FileHash, hash_files
from corefkit.scoring.report import System
from corefkit.scoring.scores import Scores

PARTS = "parts"
"""The folder, inside that of a run, that holds the parts."""
LOCK = ".corefkit-lock"
"""A file that is locked while a run writes beside it."""
PATIENCE = 3.0
"""How many seconds to wait for the lock: the processes of a killed run need a moment to end."""

_BEGIN = re.compile(rb'\{"fingerprint": "([0-9a-f]{64})", "checksum": "([0-9a-f]{64})", ')
"""How a kept file begins."""
_HALF = re.compile(r"\.(.+)\.[a-z0-9_]{8}")
"""The name of a file that `write_together` has not finished; its group is the `temporary_stem`."""


class Parts:
    """The parts of one run, in a folder; `keys` are the keys by language.

    `key_hashes` has the hash of each key.
    """

    def __init__(self, task: Task, folder: Path, keys: Mapping[str, Side]) -> None:
        self.task, self.keys, self._folder = task, keys, folder
        self._prepared: dict[tuple[str, Options], Side] = {}
        self.key_hashes = {
            name: hash_files(task.path(task.languages[name].key), side.corpus.sources)
            for name, side in keys.items()
        }

    def key(self, language: str, setting: str) -> Side:
        """The key of a language, prepared once by the options of a setting."""
        options = self.task.options_of(setting)
        if options == self.task.options:
            return self.keys[language]
        if (language, options) not in self._prepared:
            prepared = scorer_for(options).prepare(self.keys[language])
            self._prepared[language, options] = prepared
        return self._prepared[language, options]

    def path(self, slot: Slot) -> Path:
        """The file of a part."""
        return self._folder / slot.system / f"{slot.language}.{slot.track}.{slot.setting}.json"

    def _fingerprint(self, slot: Slot, digest: str) -> str:
        """A hash of everything that determines a part: key, response (its digest), options."""
        file = self.task.responses[slot]
        options = self.task.options_of(slot.setting)
        by = sorted({*self.task.divisions.values()})
        secret = ["link"] if self.task.leads_out(file) else []
        key = json.dumps(self.key_hashes[slot.language].to_dict())
        shown = ["texts"] if self.task.show_texts else []
        texts = (str(slot), signature(options), key, file, digest, *secret, *shown, *by)
        return sha256("\n".join(texts).encode("utf-8", "backslashreplace")).hexdigest()

    def has(self, slot: Slot, digest: str) -> bool:
        """Whether there is a part, undamaged, of a response with this digest."""
        try:
            found = _BEGIN.match(data := self.path(slot).read_bytes())
        except OSError:
            return False
        expected = self._fingerprint(slot, digest)
        return (
            found is not None
            and found[1].decode() == expected
            and found[2].decode() == sha256(b"{" + data[found.end() :]).hexdigest()
        )

    def save(self, slot: Slot, digest: str, system: System) -> None:
        """Write a part, completely or not at all: its fingerprint, a checksum, then the content.

        For a response that is reached through a link, the hash is left out, and incidents do not
        quote its text.
        """
        counts = system.scores.counts if system.scores else None
        file = self.task.responses[slot]
        secret = self.task.leads_out(file)
        content = {
            **asdict(slot),
            "response": PurePath(file).name,
            "file": None if secret or not system.known_hash else system.known_hash.to_dict(),
            "signature": signature(self.task.options_of(slot.setting)),
            "scored": system.size._asdict(),
            "incidents": [
                self.task.publish(without_text(i) if secret else i).to_dict()
                for i in system.incidents
            ],
            "counts": counts and _encode(counts),
        }
        if self.task.divisions and system.scores:
            content["strata"] = self._split(system.scores)
        text = to_json(content, None)
        begin = f'{{"fingerprint": "{self._fingerprint(slot, digest)}", '
        begin += f'"checksum": "{sha256(text.encode()).hexdigest()}", '
        write_file(self.path(slot), begin + text[1:])

    def _split(self, scores: Scores) -> dict[str, Any]:
        """The counts of the strata in the task's tables, without divisions that the key lacks."""
        counts: dict[str, Any] = {}
        for by in sorted({*self.task.divisions.values()}):
            with suppress(DataError):
                strata = scores.split(by)
                counts[by] = {label: _encode(part.scores.counts) for label, part in strata.items()}
        return counts

    def load(self, slot: Slot) -> System:
        """The result in a part; `path` is that of the manifest, of which a part has the name."""
        data = json.loads(self.path(slot).read_bytes())
        file = self.task.responses[slot]
        incidents = tuple(_with_path(Incident(**incident), file) for incident in data["incidents"])
        options, counts = self.task.options_of(slot.setting), data["counts"]
        scores = Scores(options, _decode(counts), incidents) if counts else None
        size = Size(**data["scored"])
        strata = {
            by: {
                label: Scores(options, _decode(counts), divided=True)
                for label, counts in parts.items()
            }
            for by, parts in data.get("strata", {}).items()
        }
        file_hash = data["file"] and FileHash.from_dict(data["file"])
        return System(
            slot.system, file, scores, incidents, size, strata=strata, known_hash=file_hash
        )


def _with_path(incident: Incident, file: str) -> Incident:
    """The incident with the path of the response, if it has the name of that file."""
    return replace(incident, file=file) if incident.file == PurePath(file).name else incident


def _encode(counts: Counts) -> dict[str, Any]:
    return {
        "documents": counts.documents,
        "tables": {name: [c.tolist() for c in t] for name, t in counts.tables.items()},
    }


def _decode(data: Mapping[str, Any]) -> Counts:
    """The inverse of `_encode`; JSON keeps integers integers, and every digit of a float."""
    empty = np.zeros(0, dtype=np.int64)
    tables = {
        name: tuple(np.array(column) if column else empty for column in table)
        for name, table in data["tables"].items()
    }
    return Counts(tuple(data["documents"]), tables)


class FolderInUseError(OSError):
    """Another run is writing into the folder."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder; FolderInUseError if one is writing there.

    The lock ends with the process, so that a killed run leaves none.
    """
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        yield
        return
    path = folder / LOCK
    deadline = time.monotonic() + PATIENCE
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.exists() and os.path.samestat(os.fstat(handle), path.stat()):
                break
        except BlockingIOError:
            if time.monotonic() > deadline:
                os.close(handle)
                raise FolderInUseError(f"{folder}: another run is writing there") from None
            time.sleep(0.02)
        os.close(handle)
    try:
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file, completely or not at all, and create its folder if needed.

    A link is replaced, not followed. A file that already has this content is not touched.
    """
    content = as_bytes(content)
    if not _holds(path, content):
        write_together({str(path): content})


def as_bytes(content: str | bytes) -> bytes:
    """The content as bytes: a text as UTF-8, with escapes for what UTF-8 cannot encode."""
    return content.encode("utf-8", "backslashreplace") if isinstance(content, str) else content


def _holds(path: Path, content: bytes) -> bool:
    try:
        status = path.lstat()
        return (
            S_ISREG(status.st_mode)
            and status.st_size == len(content)
            and path.read_bytes() == content
        )
    except OSError:
        return False


def sweep(files: Iterable[Path]) -> None:
    """Remove the unfinished versions of these files that a killed run left, and nothing else."""
    stems: dict[Path, set[str]] = {}
    for file in files:
        stems.setdefault(file.parent, set()).add(temporary_stem(file.name))
    for folder, stems_here in stems.items():
        if folder.is_dir():
            for entry in folder.iterdir():
                if (half := _HALF.fullmatch(entry.name)) and half[1] in stems_here:
                    entry.unlink(missing_ok=True)
