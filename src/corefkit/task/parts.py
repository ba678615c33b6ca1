"""What a run keeps in files: the counts of each response by document, and tests of differences.

A part is good for one key, one response and one set of options, identified by their fingerprint. A
run after an interruption, or after a single response was replaced, scores only what has no part
yet.

Tests are kept beside the parts. A comparison is good for one set of counts, one way to test and one
version of corefkit and of numpy, which draws the samples. All of them are in its fingerprint, so
that a run in which nothing changed reads its tests, and any other makes them again.

`locked` keeps other runs out of the folder, `sweep` removes what a killed run left there.
"""

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path, PurePath
from stat import S_ISREG
from typing import Any

import numpy as np

from corefkit._version import __version__
from corefkit.core.counts import Counts, Size
from corefkit.core.incidents import DataError, Incident
from corefkit.core.texts import to_json
from corefkit.formats import temporary_stem, write_together
from corefkit.scorers.comparison import Side
from corefkit.scorers.signature import signature
from corefkit.scoring.hashes import FileHash, hash_files
from corefkit.scoring.report import System
from corefkit.scoring.scores import Scores
from corefkit.scoring.stratum import Stratum
from corefkit.stats.resampling import Difference, Interval
from corefkit.stats.significance import Significance, SystemPair
from corefkit.task.shared_task import Slot, Task, without_text

PARTS = "parts"
"""Where in the folder of a run the counts of each response are kept."""
LOCK = ".corefkit-lock"
"""A file that is locked while a run writes beside it."""
PATIENCE = 3.0
"""How many seconds to wait for it: the processes of a killed run need a moment to end."""

_BEGIN = re.compile(rb'\{"fingerprint": "([0-9a-f]{64})", "checksum": "([0-9a-f]{64})", ')
"""How a file begins that is kept."""
_HALF = re.compile(r"\.(.+)\.[a-z0-9_]{8}")
"""What `staged` calls a file that it has not finished."""


class Parts:
    """The parts of one run, in a folder; `keys`, by language, are what responses are scored by.

    `key_hashes` are those of their files. `digests` tell, by language, whether a key has changed.
    """

    def __init__(self, task: Task, folder: Path, keys: Mapping[str, Side]) -> None:
        self.task, self.keys, self._folder = task, keys, folder
        self.key_hashes = {
            name: hash_files(task.path(task.languages[name].key), side.corpus.sources)
            for name, side in keys.items()
        }
        self.digests = {
            name: json.dumps(known.to_dict()) for name, known in self.key_hashes.items()
        }

    def path(self, slot: Slot) -> Path:
        """The file of a part."""
        return self._folder / slot.system / f"{slot.language}.{slot.track}.{slot.setting}.json"

    def fingerprint(self, slot: Slot, response: str) -> str:
        """Tells whether anything that decides the counts has changed: key, response, options."""
        file = self.task.responses[slot]
        options = self.task.options_of(slot.setting)
        by = sorted({*self.task.divisions.values()})
        secret = ["link"] if self.task.leads_out(file) else []
        key = self.digests[slot.language]
        what = (str(slot), signature(options), key, file, response, *secret, *by)
        return sha256("\n".join(what).encode("utf-8", "backslashreplace")).hexdigest()

    def fingerprints(self, slots: Iterable[Slot], response: str) -> dict[Slot, str]:
        """The fingerprints of all that one file is sent for."""
        return {slot: self.fingerprint(slot, response) for slot in slots}

    def begun(self, slots: Iterable[Slot]) -> bool:
        """Whether there are parts of all of these, good or not."""
        return all(self.path(slot).is_file() for slot in slots)

    def done(self, slot: Slot, fingerprint: str) -> bool:
        """Whether a good part is there; the fingerprint stands at its beginning."""
        beginning = f'{{"fingerprint": "{fingerprint}"'.encode()
        try:
            with self.path(slot).open("rb") as file:
                return file.read(len(beginning)) == beginning
        except OSError:
            return False

    def save(self, slot: Slot, fingerprint: str, system: System) -> None:
        """Write a part; it is complete or not there at all.

        It has the hash of the response, unless a link leads to it.
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
        write_part(self.path(slot), fingerprint, content)

    def _split(self, scores: Scores) -> dict[str, Any]:
        """The counts of the strata of the task's tables; none by what the key does not tell."""
        counts: dict[str, Any] = {}
        for by in sorted({*self.task.divisions.values()}):
            with suppress(DataError):
                strata = scores.split(by)
                counts[by] = {label: _encode(part.counts) for label, part in strata.items()}
        return counts

    def load(self, slot: Slot, fingerprint: str) -> System:
        """What was saved, with the path that the manifest has: the part has only the name.

        ValueError, KeyError or TypeError where the file is damaged.
        """
        data = load_part(self.path(slot), fingerprint)
        file = self.task.responses[slot]
        incidents = tuple(_with_path(Incident(**incident), file) for incident in data["incidents"])
        options, counts = self.task.options_of(slot.setting), data["counts"]
        scores = Scores(options, _decode(counts), incidents) if counts else None
        size = Size(**data["scored"])
        strata = {
            by: {label: Stratum(options, _decode(counts)) for label, counts in parts.items()}
            for by, parts in data.get("strata", {}).items()
        }
        known = data["file"] and FileHash.from_dict(data["file"])
        return System(slot.system, file, scores, incidents, size, strata=strata, known_hash=known)


def write_part(path: Path, fingerprint: str, content: Mapping[str, Any]) -> None:
    """Write what is kept: the fingerprint first, then what tells whether it was changed."""
    text = to_json(content, None)
    checksum = sha256(text.encode()).hexdigest()
    write_file(path, f'{{"fingerprint": "{fingerprint}", "checksum": "{checksum}", {text[1:]}')


def load_part(path: Path, fingerprint: str) -> dict[str, Any]:
    """What was kept; ValueError where the file is of another fingerprint, or was changed."""
    data = path.read_bytes()
    begin = _BEGIN.match(data)
    if not begin or begin[1].decode() != fingerprint:
        raise ValueError(f"{path} is not the part of this fingerprint")
    content = b"{" + data[begin.end() :]
    if begin[2].decode() != sha256(content).hexdigest():
        raise ValueError(f"{path} was changed")
    kept: dict[str, Any] = json.loads(content)
    return kept


class KeptComparisons:
    """The comparisons that are kept in a folder, by name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, name: str) -> Path:
        """The file of a comparison; systems have folders there."""
        return self._folder / f"significance-{name}.json"

    def get(
        self,
        name: str,
        systems: Mapping[str, Sequence[Scores | None]],
        how: Mapping[str, Any],
        compare: Callable[[], Significance],
    ) -> Significance:
        """The comparison of these systems; made, and kept, where none is there or it is damaged.

        `how` says how it is made: all that decides its figures besides the scores.
        """
        fingerprint = _comparison_fingerprint(systems, how)
        with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            return _significance(load_part(self.path(name), fingerprint))
        comparison = compare()
        # A task has neither windows nor strata here. What cannot be kept is made each time.
        if not comparison.windows and not comparison.strata and self._folder.is_dir():
            with suppress(OSError):
                write_part(self.path(name), fingerprint, comparison.to_dict())
        return comparison


def _comparison_fingerprint(
    systems: Mapping[str, Sequence[Scores | None]], how: Mapping[str, Any]
) -> str:
    """Tells whether anything that decides a comparison has changed: counts, options, versions."""
    whole = sha256()
    for text in (__version__, np.__version__, json.dumps(how)):
        whole.update(framed(text.encode()))
    for name, scores in systems.items():
        whole.update(framed(name.encode("utf-8", "surrogatepass")))
        for one in scores:
            content = b"" if one is None else b"".join(map(framed, _content(one)))
            whole.update(framed(content))
    return whole.hexdigest()


def _content(scores: Scores) -> Iterator[bytes]:
    yield scores.signature.encode("utf-8", "surrogatepass")
    yield "\n".join(scores.counts.documents).encode("utf-8", "surrogatepass")
    for name, table in scores.counts.tables.items():
        yield name.encode()
        for column in table:
            yield column.dtype.str.encode()
            yield column.tobytes()


def _significance(data: dict[str, Any]) -> Significance:
    """The comparison of which this is the dict; pairs of numbers are tuples again."""
    systems = {
        name: {
            metric: Interval(figure["f1"], _ends(figure["interval"]))
            for metric, figure in figures.items()
        }
        for name, figures in data["systems"].items()
    }
    pairs = tuple(
        SystemPair(
            pair["a"],
            pair["b"],
            {
                metric: Difference(**{**figures, "interval": _ends(figures["interval"])})
                for metric, figures in pair["metrics"].items()
            },
            keys=tuple(pair.get("keys", ())),
        )
        for pair in data["pairs"]
    )
    rest = {
        "notes": tuple(data["notes"]),
        "not_comparable": tuple((a, b) for a, b in data.get("not_comparable", ())),
    }
    return Significance(**{**data, "systems": systems, "pairs": pairs, **rest})


def _ends(ends: list[float] | None) -> tuple[float, float] | None:
    return (ends[0], ends[1]) if ends else None


def framed(data: bytes) -> bytes:
    """The bytes after their number, so that no two lists of them are the same bytes."""
    return b"%d:%b" % (len(data), data)


class RunFiles:
    """What the last run into a folder wrote, and a fingerprint of all that it was made of.

    Where nothing has changed, files included, there is nothing to write.
    """

    def __init__(self, folder: Path, fingerprint: str) -> None:
        self._folder, self._fingerprint = folder, fingerprint
        self._record = folder / PARTS / "written.json"

    def current(self) -> bool:
        """Whether these files are all there, as a run of this fingerprint wrote them."""
        try:
            known = load_part(self._record, self._fingerprint)["files"]
            paths = {self._folder / name: checksum for name, checksum in known.items()}
            sweep(paths)
            return all(
                S_ISREG(path.lstat().st_mode) and checksum == sha256(path.read_bytes()).hexdigest()
                for path, checksum in paths.items()
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return False

    def write(self, files: Mapping[str, str | bytes]) -> None:
        """Write these files by name, each complete or not at all, and remember them."""
        sweep([self._record])
        checksums = {}
        for name, content in files.items():
            data = as_bytes(content)
            write_file(self._folder / name, data)
            checksums[name] = sha256(data).hexdigest()
        with suppress(OSError):  # then all is written again next time
            write_part(self._record, self._fingerprint, {"files": checksums})


def _with_path(incident: Incident, file: str) -> Incident:
    """The incident with the path of a response whose name it has."""
    return replace(incident, file=file) if incident.file == PurePath(file).name else incident


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


class FolderInUseError(OSError):
    """Another run is writing into the folder."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder; FolderInUseError where one is at work there.

    The lock belongs to the process, so that a killed run leaves none behind.
    """
    try:
        import fcntl
    except ImportError:  # not a POSIX system
        yield
        return
    path = folder / LOCK
    last = time.monotonic() + PATIENCE
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if path.exists() and os.path.samestat(os.fstat(handle), path.stat()):
                break
        except BlockingIOError:
            if time.monotonic() > last:
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
    """Write a file, and its folder if there is none; it is complete or not there at all.

    A link is replaced: a part of a run is never written to another place. A text is written as
    UTF-8; a name of a file that is not UTF-8 has its bytes as escapes. A file that has this
    content already stays as it is.
    """
    content = as_bytes(content)
    if not _holds(path, content):
        write_together({str(path): content})


def as_bytes(content: str | bytes) -> bytes:
    """The content of a file as it is written."""
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
    """Remove what a killed run had begun to write of these files, and no other file."""
    names: dict[Path, set[str]] = {}
    for file in files:
        names.setdefault(file.parent, set()).add(temporary_stem(file.name))
    for folder, known in names.items():
        if folder.is_dir():
            for entry in folder.iterdir():
                if (half := _HALF.fullmatch(entry.name)) and half[1] in known:
                    entry.unlink(missing_ok=True)
