"""Score all responses of a shared task, in several processes; each file is read once.

`score_task` scores the responses that have no part yet; `check_responses` only looks for problems.
"""

import os
import signal
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from multiprocessing import active_children, get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from corefkit.core import progress
from corefkit.core.incidents import (
    DataError,
    Incident,
    errors,
    hint_options,
    limit_hints,
    make_incident,
)
from corefkit.core.names import document_id
from corefkit.core.options import PLAIN_SIDES
from corefkit.formats.kit.annotators import split_annotator
from corefkit.formats.kit.files import (
    companions,
    expand,
    load,
    max_size,
    out_of_memory,
    read_stored,
)
from corefkit.plugins.task.parts import Parts, sweep
from corefkit.plugins.task.results import TaskRun
from corefkit.plugins.task.shared_task import Slot, Task
from corefkit.scorers import scorer_for
from corefkit.scorers.comparison import Side
from corefkit.scoring.hashes import FileHash, hash_files
from corefkit.scoring.report import System, copies
from corefkit.scoring.run import score_comparison

if TYPE_CHECKING:
    from corefkit.plugins.task.error_pages import ErrorPages


def score_task(
    task: Task,
    folder: Path,
    jobs: int | None = None,
    pages: "ErrorPages | None" = None,
) -> TaskRun:
    """Score the responses without a part in the folder, write error pages, and load all parts.

    An interrupted run loses only the responses that were being scored at that moment. Results are
    always loaded from their parts, so that a resumed run gives the same as an uninterrupted one.
    """
    parts = Parts(task, folder, read_keys(task))
    sweep(parts.path(slot) for slot in task.responses)
    done, total = 0, len(task.responses)
    progress.at("responses", done, total)
    for number in _make_all(parts, pages, jobs or os.cpu_count() or 1):
        done += number
        progress.at("responses", done, total)
    results = {slot: parts.load(slot) for slot in task.responses}
    return TaskRun(task, parts.keys, results, parts.key_hashes)


def make_parts(parts: Parts, slots: Sequence[Slot], pages: "ErrorPages | None" = None) -> int:
    """Score one file for all its slots, unless it has parts; returns the number of slots.

    The file is read once, whatever it is scored for. Its error page, if it has one, is written
    from the comparison that is scored. Why a file cannot be read is never kept: perhaps it has
    become readable, or memory suffices now.
    """
    task = parts.task
    path = task.path(task.responses[slots[0]])
    files = ResponseFiles(path, task.folder)
    kept = {slot for slot in slots if files.digest and parts.has(slot, files.digest)}
    with_page = {*pages.slots()} if pages else set()
    read: Side | None = None
    for slot in slots:
        if slot in kept and slot not in with_page:
            continue
        scorer = scorer_for(task.options_of(slot.setting))
        key = parts.key(slot.language, slot.setting)
        system, digest = None, files.digest if files.hash else ""
        try:
            read = read or scorer.load(path, PLAIN_SIDES.response, files.loaded)
            comparison = scorer.compare(key, scorer.prepare(read))
            if slot not in kept:
                system = score_comparison(scorer, comparison, slot.system)
                if not system.scores:
                    incidents = tuple(with_upload(path, system.incidents))
                    system = system._replace(incidents=incidents)
            if pages and slot in with_page:
                pages.write(slot, comparison)
        except MemoryError:
            system, digest = System(slot.system, path, None, out_of_memory(path).incidents), ""
        if system:
            parts.save(slot, digest, system._replace(known_hash=files.hash))
    return len(slots)


def _by_file(task: Task) -> list[list[Slot]]:
    """The slots of each file, the largest files first."""
    slots: dict[str, list[Slot]] = {}
    for slot, file in task.responses.items():
        slots.setdefault(file, []).append(slot)
    return [slots[file] for file in sorted(slots, key=lambda name: -_size(task.path(name)))]


def _make_all(parts: Parts, pages: "ErrorPages | None", jobs: int) -> Iterator[int]:
    """Make all parts, in several processes; yields the number of slots of each finished file."""
    pending = _by_file(parts.task)
    if jobs > 1 and len(pending) > 1:
        others = active_children()
        pool = ProcessPoolExecutor(
            min(jobs, len(pending)),
            mp_context=get_context("fork" if sys.platform == "linux" else "spawn"),
            initializer=_begin,
            initargs=(parts, pages, hint_options()),
        )
        try:
            submitted = {pool.submit(_work, slots): slots for slots in pending}
            for future in as_completed(submitted):
                if future.exception() is None:
                    pending.remove(submitted[future])
                    yield future.result()
        except (KeyboardInterrupt, GeneratorExit):
            for process in active_children():
                if process not in others:
                    process.kill()
            raise
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
    # Files that a process failed on (because it was killed, say) are scored here, or fail visibly.
    for slots in pending:
        yield make_parts(parts, slots, pages)


_job: "tuple[Parts, ErrorPages | None] | None" = None
"""The arguments of `make_parts` in a process of the pool; None in the main process."""


def _begin(parts: Parts, pages: "ErrorPages | None", options: frozenset[str] | None) -> None:
    """Initialise a process of the pool: it ends with the main process, and hints as that does.

    `options` are those of the running command, which hints may name. Ctrl-C, which reaches all
    processes, is left to the main process: where it interrupts one that is handing over a result,
    the lock of the queue is never released, and all wait for ever.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    global _job  # noqa: PLW0603 (an initialiser has no other way to pass it to `_work`)
    _job = parts, pages
    limit_hints(options)
    parent = parent_process()
    assert parent is not None

    def leave() -> None:
        parent.join()
        os._exit(1)

    Thread(target=leave, daemon=True).start()


def _work(slots: Sequence[Slot]) -> int:
    assert _job is not None
    parts, pages = _job
    return make_parts(parts, slots, pages)


def _size(path: str) -> int:
    try:
        return sum(Path(file).stat().st_size for file in expand(path))
    except (OSError, DataError, ValueError):
        return 0


def read_keys(task: Task) -> dict[str, Side]:
    """The keys by language; DataError if a key has errors, or none of a subset's documents."""
    files = [task.path(language.key) for language in task.languages.values()]
    scorer = scorer_for(task.options)
    sides = [scorer.read(file, PLAIN_SIDES.key) for file in files]
    keys = dict(zip(task.languages, sides, strict=True))
    key_errors = [
        incident
        for side in keys.values()
        if (found := errors(side.incidents))
        for incident in with_upload(side.path, found)
    ]
    if key_errors := key_errors or errors(check_subsets(task, keys)):
        raise DataError(key_errors)
    return keys


def check_subsets(task: Task, keys: Mapping[str, Side]) -> list[Incident]:
    """Incidents for documents of subsets that the key lacks: errors if it lacks all of a subset."""
    incidents = []
    for subset in task.subsets.values():
        names = keys[subset.language].corpus.names
        known = {form for name in names for form in (name, document_id(name))}
        if unknown := sorted(subset.documents - known):
            incident = make_incident(
                "subset-document-unknown",
                severity="error" if len(unknown) == len(subset.documents) else "warning",
                name=subset.name,
                language=subset.language,
                file=task.languages[subset.language].key,
                document=unknown[0],
                found=f"{len(unknown):,} of {len(subset.documents):,}",
                expected="names as after #begin document, or ids without the part",
            )
            incidents.append(incident)
    return incidents


def check_responses(task: Task, keys: Mapping[str, Side]) -> dict[Slot, list[Incident]]:
    """The incidents of each response, words that differ from those of the key included."""
    # The settings of a task of datasets are ways to score the same file.
    slots = task.slots(setting=task.official) if task.of_datasets else list(task.responses)
    files = [task.path(task.responses[slot]) for slot in slots]
    scorer = replace(scorer_for(task.options), reports_words=True)
    by_slot, read = {}, {}
    for slot, file in zip(slots, files, strict=True):
        side = scorer.read(file, PLAIN_SIDES.response)
        incidents = list(scorer.compare(keys[slot.language], side).incidents)
        if errors(incidents):
            incidents = with_upload(side.path, incidents)
        by_slot[slot] = [task.localise(incident) for incident in incidents]
        file_hash = hash_files(side.path, side.corpus.sources)
        read[slot] = System(
            slot.system, file, None, tuple(incidents), size=side.size, known_hash=file_hash
        )
    hashes = {name: hash_files(key.path, key.corpus.sources) for name, key in keys.items()}
    for slot, incident in copied_responses(task, read, hashes).items():
        by_slot[slot].append(task.localise(incident))
    return by_slot


_FEW = 5
"""With fewer mentions, files of two teams, or of a team and the key, may be the same by chance."""


def copied_responses(
    task: Task, systems: Mapping[Slot, System], keys: Mapping[str, FileHash]
) -> dict[Slot, Incident]:
    """A warning for each response that is the same as the key, or as another system's for it.

    `keys` has the hash of each key. Where the scorer has told that it is the key, nothing is added.
    """
    found: dict[Slot, Incident] = {}
    for track in task.tracks:
        for language in task.languages:
            slots = task.slots(language=language, track=track, setting=task.official)
            sent = [slot for slot in slots if slot in systems]
            copied = copies([systems[slot] for slot in sent], _FEW)
            found |= {sent[number]: incident for number, incident in copied.items()}
            found |= {
                slot: make_incident("same-file", file=system.path)
                for slot in sent
                if (system := systems[slot]).size.mentions >= _FEW
                and system.known_hash == keys[language]
                and all(incident.id != "same-file" for incident in system.incidents)
            }
    return found


_PAGE = (b"<!doctype html", b"<html")
_BEGINNINGS, _END = (b"#begin document", b"# newdoc"), b"#end document"


def with_upload(path: str, incidents: Sequence[Incident]) -> list[Incident]:
    """The incidents of a file with errors; where its upload is broken, that first, and no echoes.

    An empty file and a web page have no other defects. A file of columns that is cut off may have
    some, but neither in the line where it ends nor in what is open there.
    """
    data = _stored(path)
    flaw = _flaw(data)
    if data is None or flaw is None:
        return list(incidents)
    upload = make_incident("upload-broken", flaw, file=path)
    if flaw != "cut":
        return [upload]
    begins = max(map(data.rfind, _BEGINNINGS))
    first, last = data.count(b"\n", 0, max(begins, 0)), data.count(b"\n") + 1
    others = [
        incident
        for incident in incidents
        if begins < 0
        or incident.line is None
        or incident.line <= first
        or (incident.line < last and incident.id != "bracket-unclosed")
    ]
    return [upload, *others]


def check_uploads(task: Task, files: Iterable[str]) -> list[Incident]:
    """Warnings of files, as named in the manifest, that look empty, like a web page, or cut off.

    A file may be read without an error even so: if it ends between two columns.
    """
    return [
        task.localise(make_incident("upload-broken", flaw, file=path, severity="warning"))
        for path in map(task.path, files)
        if (flaw := _flaw(_stored(path))) is not None
    ]


def _stored(path: str) -> bytes | None:
    """The bytes of a file; None if it is packed or a folder, or cannot be read."""
    if path.endswith(".gz"):
        return None
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError):
        return None


def _flaw(data: bytes | None) -> str | None:
    """The variant of `upload-broken` that fits the bytes of a file; None if none does."""
    if data is None:
        return None
    if not data.strip():
        return ""
    if data[:4096].lstrip().lower().startswith(_PAGE):
        return "page"
    return None if data.endswith((b"\n", _END)) else "cut"


class ResponseFiles:
    """The files that the path of a response stands for, each read once.

    Files are unpacked only to be scored. So a run that finds its parts unpacks nothing.

    Attributes:
        digest: a hash of the names, relative to `folder`, and of the stored bytes of all files, and
            of the maximum size of a file, because larger ones cannot be scored; empty if any of
            them cannot be read.
    """

    def __init__(self, path: str, folder: Path) -> None:
        self._path = path
        before, self._annotator = split_annotator(path)
        self._names: list[str] = []
        self._stored: dict[str, bytes] = {}
        self.digest = ""
        try:
            self._names = expand(before)
            read = (*self._names, *companions(self._names))
            self._stored = {name: read_stored(name) for name in read}
        except (DataError, MemoryError, OSError, ValueError):
            return
        digest = sha256(str(max_size(None)).encode())
        for name, data in self._stored.items():
            relative = os.path.relpath(name, folder).encode("utf-8", "surrogateescape")
            digest.update(sha256(relative).digest() + sha256(data).digest())
        self.digest = digest.hexdigest()

    @cached_property
    def _unpacked(self) -> dict[str, bytes] | None:
        """The unpacked files by name; None if any of them cannot be read or unpacked."""
        if not self.digest:
            return None
        try:
            return {name: load(name, stored=data) for name, data in self._stored.items()}
        except (DataError, MemoryError):
            return None

    @property
    def loaded(self) -> dict[str, bytes] | None:
        """The unpacked files by name; None if the reader has to read the files itself."""
        if self._unpacked is None or self._annotator is not None:
            return None
        return {name: self._unpacked[name] for name in self._names}

    @cached_property
    def hash(self) -> FileHash | None:
        """The hash of the files; None if they cannot be unpacked."""
        if self._unpacked is None:
            return None
        return hash_files(self._path, in_memory=self._unpacked)
