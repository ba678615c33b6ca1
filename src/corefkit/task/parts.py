"""What a run keeps of each response: its counts by document, in a file of its own.

A part is good for one key, one response and one set of options, told by their fingerprint. A run
that was interrupted, or one after a single response was replaced, scores only what is not there.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from corefkit.data.counts import Counts
from corefkit.data.incidents import DataError, Incident
from corefkit.formats.files import expand, write_atomically
from corefkit.profiles.signature import signature
from corefkit.scoring.run import System
from corefkit.scoring.scores import Scores
from corefkit.task.manifest import Slot, Task


@dataclass(frozen=True)
class Result:
    """One response and how it fared; `scores` is None where it could not be scored."""

    slot: Slot
    file: str
    scores: Scores | None
    incidents: tuple[Incident, ...]
    documents: int
    mentions: int
    entities: int


class Parts:
    """The parts of one run, in a folder."""

    def __init__(self, task: Task, folder: Path) -> None:
        self.task = task
        self._folder = folder
        self._digests: dict[str, str] = {}

    def path(self, slot: Slot) -> Path:
        """The file of a part."""
        return self._folder / slot.system / f"{slot.language}.{slot.track}.{slot.setting}.json"

    def _digest(self, name: str) -> str:
        if name not in self._digests:
            self._digests[name] = _digest(self.task.path(name))
        return self._digests[name]

    def fingerprint(self, slot: Slot) -> str:
        """Tells whether anything that decides the counts has changed."""
        task = self.task
        key, response = task.languages[slot.language].key, task.responses[slot]
        files = (self._digest(key), response, self._digest(response))
        what = (str(slot), signature(task.options), *files)
        return sha256("\n".join(what).encode()).hexdigest()

    def done(self, slot: Slot) -> bool:
        """Whether a good part is there; the fingerprint stands at its beginning."""
        beginning = f'{{"fingerprint": "{self.fingerprint(slot)}"'.encode()
        try:
            with self.path(slot).open("rb") as file:
                return file.read(len(beginning)) == beginning
        except OSError:
            return False

    def save(self, slot: Slot, system: System) -> None:
        """Write a part; it is complete or not there at all."""
        counts = system.scores.counts if system.scores else None
        data = {
            "fingerprint": self.fingerprint(slot),
            "system": slot.system,
            "language": slot.language,
            "track": slot.track,
            "setting": slot.setting,
            "response": self.task.responses[slot],
            "signature": signature(self.task.options),
            "scored": {n: getattr(system, n) for n in ("documents", "mentions", "entities")},
            "incidents": [self._local(i).to_dict() for i in system.incidents],
            "counts": counts and _encode(counts),
        }
        self.path(slot).parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(data, ensure_ascii=False) + "\n"
        write_atomically(str(self.path(slot)), text.encode())

    def load(self, slot: Slot) -> Result:
        """What was saved; ValueError, KeyError or TypeError where the file is damaged."""
        data = json.loads(self.path(slot).read_text(encoding="utf-8"))
        if data["fingerprint"] != self.fingerprint(slot):
            raise ValueError(f"{self.path(slot)} is not the part of {slot}")
        incidents = tuple(Incident(**incident) for incident in data["incidents"])
        scores = None
        if data["counts"]:
            scores = Scores(self.task.options, _decode(data["counts"]), incidents)
        return Result(slot, data["response"], scores, incidents, **data["scored"])

    def _local(self, incident: Incident) -> Incident:
        """Paths as the manifest has them, so that a run does not depend on where it was done."""
        return localise(incident, self.task.folder)


def localise(incident: Incident, folder: Path) -> Incident:
    """The incident with paths relative to the manifest."""
    prefix = "" if folder == Path() else f"{folder}/"
    if not prefix:
        return incident
    texts = {
        name: value.replace(prefix, "")
        for name, value in incident.to_dict().items()
        if isinstance(value, str) and name in ("file", "message", "found", "expected")
    }
    return replace(incident, **texts)  # type: ignore[arg-type]


def _digest(path: str) -> str:
    """The content of a file, or of all files that a name stands for."""
    try:
        files = expand(path)
        whole = sha256()
        for file in files:
            whole.update(sha256(Path(file).read_bytes()).digest())
        return whole.hexdigest()
    except (OSError, DataError, ValueError):  # ValueError: a NUL in the name
        return "unreadable"


def _encode(counts: Counts) -> dict[str, Any]:
    return {
        "documents": counts.documents,
        "tables": {name: [c.tolist() for c in t] for name, t in counts.tables.items()},
    }


def _decode(data: Mapping[str, Any]) -> Counts:
    """Integers come back as integers and floats to the last digit: JSON has room for both."""
    empty = np.zeros(0, dtype=np.int64)
    tables = {
        name: tuple(np.array(column) if column else empty for column in table)
        for name, table in data["tables"].items()
    }
    return Counts(tuple(data["documents"]), tables)
