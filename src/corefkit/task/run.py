"""Score all responses of a shared task: keys read once, all cores used, nothing done twice."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread

import numpy as np

from corefkit.data.document_names import document_id
from corefkit.data.incidents import DataError, Incident, errors, make_incident
from corefkit.formats.files import expand, out_of_memory
from corefkit.scoring.ahead import run_ahead
from corefkit.scoring.report import System
from corefkit.scoring.response import score_response
from corefkit.scoring.scores import Scores
from corefkit.scoring.sides import Side, as_key, make_side, prepare_again
from corefkit.task.parts import Parts, digest, load_files, localise
from corefkit.task.shared_task import Slot, Task
from corefkit.task.writing import sweep

Progress = Callable[[int, int], None]
"""Told how many of how many responses are done."""


@dataclass(frozen=True)
class Outcome:
    """A task with all its results; `keys` are the sides that were scored against."""

    task: Task
    keys: Mapping[str, Side]
    results: Mapping[Slot, System]

    def scores(self, slot: Slot) -> Scores | None:
        """The scores of one response; None where it was not sent or could not be scored."""
        return self.results[slot].scores if slot in self.results else None

    def figure(self, slot: Slot) -> float | None:
        """The figure that ranks, for one response; None where there is none."""
        scores = self.scores(slot)
        return scores[self.task.rank].f1 if scores else None

    def unscored(self) -> list[Slot]:
        """The responses that were sent and could not be scored."""
        return [slot for slot, result in self.results.items() if result.scores is None]

    def nothing(self, language: str, setting: str) -> Scores:
        """The scores of a response without any mention, which stands for one that is not there."""
        options = self.task.options_of(setting)
        key = key_in(self.task, self.keys[language], setting)
        empty = key.corpus.take(np.zeros(key.corpus.mentions, dtype=bool))
        scores = score_response(key, make_side(empty, options), "nothing", options).scores
        assert scores is not None  # it has the documents of the key and nothing in them
        return scores


def read_keys(task: Task) -> dict[str, Side]:
    """The keys by language, each read once; DataError if one of them is bad."""
    files = [task.path(language.key) for language in task.languages.values()]
    read = run_ahead(partial(make_side, file, task.options) for file in files)
    sides = (as_key(side, task.options) for side in read)
    keys = dict(zip(task.languages, sides, strict=True))
    bad = [i for side in keys.values() for i in errors(side.incidents)]
    if bad := bad or errors(check_subsets(task, keys)):
        raise DataError(bad)
    return keys


def check_subsets(task: Task, keys: Mapping[str, Side]) -> list[Incident]:
    """Documents of subsets that their key lacks; an error where nothing of a subset is there."""
    found = []
    for subset in task.subsets.values():
        there = keys[subset.language].corpus.names
        matched = {form for name in there for form in (name, document_id(name))}
        lacking = sorted(subset.documents - matched)
        if not lacking:
            continue
        nothing = len(lacking) == len(subset.documents)
        found.append(
            make_incident(
                "subset-document-unknown",
                severity="error" if nothing else "warning",
                name=subset.name,
                language=subset.language,
                file=task.languages[subset.language].key,
                document=lacking[0],
                found=f"{len(lacking):,} of {len(subset.documents):,}",
                expected="names as after #begin document, or ids without the part",
            )
        )
    return found


def check_responses(task: Task, keys: Mapping[str, Side]) -> dict[Slot, list[Incident]]:
    """Everything that is wrong with each response, other words than the key's included."""
    options = task.options
    if options.words == "ignore":
        options = replace(options, words="compare")
    # The settings of a task of datasets are ways to score the same file.
    slots = task.slots(setting=task.official) if task.of_datasets else list(task.responses)
    files = [task.path(task.responses[slot]) for slot in slots]
    sides = run_ahead(partial(make_side, file, options) for file in files)
    found = {}
    for slot, side in zip(slots, sides, strict=True):
        system = score_response(keys[slot.language], side, slot.system, options)
        found[slot] = [localise(incident, task.folder) for incident in system.incidents]
    return found


def score_task(
    task: Task, folder: Path, progress: Progress | None = None, jobs: int | None = None
) -> Outcome:
    """Score what has no part in the folder yet, then gather all parts.

    An interrupted run loses only the responses that were being scored at that moment. Results
    come back as files, so that a run in one go and a resumed one read the same.
    """
    keys = read_keys(task)
    digests = {
        name: digest({source.path: source.data for source in side.corpus.sources})
        for name, side in keys.items()
    }
    parts = Parts(task, folder, digests)
    sweep(parts.path(slot) for slot in task.responses)
    worker = Worker(parts, keys)
    tell = progress or (lambda done, total: None)
    total = len(task.responses)
    tell(0, total)
    files = _by_file(task)
    workers = min(jobs or os.cpu_count() or 1, len(files))
    found: dict[Slot, str] = {}
    if workers > 1:
        for fingerprints in _share_out(worker, files, workers):
            found |= fingerprints
            tell(len(found), total)
    # What a process could not do (it was killed, say) is done here, or fails here for all to see.
    for slots in files:
        if slots[0] not in found:
            found |= worker.score(slots)
            tell(len(found), total)
    return Outcome(task, keys, {slot: worker.load(slot, found[slot]) for slot in task.responses})


def key_in(task: Task, key: Side, setting: str) -> Side:
    """A key as a setting wants it."""
    options = task.options_of(setting)
    return key if options == task.options else as_key(prepare_again(key, options), options)


@dataclass(frozen=True)
class Worker:
    """Scores responses of a task against its keys, and keeps the results as parts."""

    parts: Parts
    keys: Mapping[str, Side]

    def score(self, slots: Sequence[Slot], *, again: bool = False) -> dict[Slot, str]:
        """Make the parts of one file unless they are there; returns the fingerprint of each.

        The file is read once, whatever it is scored for; settings differ in how it is scored.
        """
        task = self.parts.task
        path = task.path(task.responses[slots[0]])
        loaded = load_files(path)
        content = digest(loaded)
        found = {slot: self.parts.fingerprint(slot, content) for slot in slots}
        read: Side | None = None
        for slot, fingerprint in found.items():
            if self.parts.done(slot, fingerprint) and not again:
                continue
            options = task.options_of(slot.setting)
            try:
                read = read or make_side(path, options, loaded=loaded)
                response = prepare_again(read, options) if read.corpus.sources else read
                key = key_in(task, self.keys[slot.language], slot.setting)
                system = score_response(key, response, slot.system, options)
            except MemoryError:
                system = System(slot.system, path, None, out_of_memory(path).incidents)
            self.parts.save(slot, fingerprint, system)
        return found

    def load(self, slot: Slot, fingerprint: str) -> System:
        """A part; one that is damaged is made again."""
        try:
            return self.parts.load(slot, fingerprint)
        except (ValueError, KeyError, TypeError):
            return self.parts.load(slot, self.score([slot], again=True)[slot])


def _by_file(task: Task) -> list[list[Slot]]:
    """What each file is sent for; the largest files first."""
    slots: dict[str, list[Slot]] = {}
    for slot, file in task.responses.items():
        slots.setdefault(file, []).append(slot)
    return [slots[file] for file in sorted(slots, key=lambda name: -_size(task.path(name)))]


def _share_out(
    worker: Worker, files: Iterable[Sequence[Slot]], workers: int
) -> Iterator[dict[Slot, str]]:
    """Let processes make the parts; the fingerprints of each file as soon as it is done."""
    pool = ProcessPoolExecutor(
        workers,
        mp_context=get_context("fork" if sys.platform == "linux" else "spawn"),
        initializer=_begin,
        initargs=(worker,),
    )
    try:
        waiting = [pool.submit(_work, slots) for slots in files]
        for future in as_completed(waiting):
            if future.exception() is None:
                yield future.result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_worker: Worker | None = None
"""The worker of this process, if it is one of a pool."""


def _begin(worker: Worker) -> None:
    """Begin to work in a process of the pool, and end when the master is gone."""
    global _worker  # noqa: PLW0603 (a process of the pool has no other place for it)
    _worker = worker
    master = parent_process()
    assert master is not None

    def leave() -> None:
        master.join()
        os._exit(1)

    Thread(target=leave, daemon=True).start()


def _work(slots: Sequence[Slot]) -> dict[Slot, str]:
    assert _worker is not None
    return _worker.score(slots)


def _size(path: str) -> int:
    try:
        return sum(Path(file).stat().st_size for file in expand(path))
    except (OSError, DataError, ValueError):
        return 0
