"""Score all responses of a shared task: keys read once, all cores used, nothing done twice."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from corefkit.data.document_names import document_id
from corefkit.data.incidents import DataError, Incident, errors
from corefkit.formats.files import expand
from corefkit.scoring.ahead import run_ahead
from corefkit.scoring.run import Side, compare, make_side
from corefkit.task.manifest import Slot, Task
from corefkit.task.parts import Parts, Result, localise

Progress = Callable[[int, int], None]
"""Told how many of how many responses are done."""


@dataclass(frozen=True)
class Outcome:
    """A task with all its results; `keys` are the sides that were scored against."""

    task: Task
    keys: Mapping[str, Side]
    results: Mapping[Slot, Result]

    def scores_of(self, slot: Slot) -> float | None:
        """The figure that ranks, for one response; None where there is none."""
        result = self.results.get(slot)
        return result.scores[self.task.rank].f1 if result and result.scores else None


def read_keys(task: Task) -> dict[str, Side]:
    """The keys by language, each read once; DataError if one of them is bad."""
    files = [task.path(language.key) for language in task.languages.values()]
    sides = run_ahead(lambda f=f: make_side(f, task.options) for f in files)  # type: ignore[misc]
    keys = dict(zip(task.languages, sides, strict=True))
    if bad := [i for side in keys.values() for i in errors(side.incidents)]:
        raise DataError(bad)
    if bad := errors(check_subsets(task, keys)):
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
            Incident(
                "subset-document-unknown",
                "error" if nothing else "warning",
                f"the subset {subset.name} lists documents that the key lacks",
                file=task.languages[subset.language].key,
                document=lacking[0],
                found=f"{len(lacking):,} of {len(subset.documents):,}",
                expected="names as after #begin document, or ids without the part",
                hint=f"correct the list, or the language ({subset.language}) of the subset",
            )
        )
    return found


def check_responses(task: Task, keys: Mapping[str, Side]) -> dict[Slot, list[Incident]]:
    """Everything that is wrong with each response, other words than the key's included."""
    options = task.options
    if options.words == "ignore":
        options = replace(options, words="compare")
    sides = run_ahead(
        lambda f=f: make_side(task.path(f), options)  # type: ignore[misc]
        for f in task.responses.values()
    )
    return {
        slot: [
            localise(incident, task.folder)
            for incident in compare(keys[slot.language], side, slot.system, options).incidents
        ]
        for slot, side in zip(task.responses, sides, strict=True)
    }


def score_task(
    task: Task, folder: Path, progress: Progress | None = None, jobs: int | None = None
) -> Outcome:
    """Score what has no part in the folder yet, then gather all parts.

    An interrupted run loses only the responses that were being scored at that moment.
    """
    keys = read_keys(task)
    parts = Parts(task, folder)
    todo = [slot for slot in task.responses if not parts.done(slot)]
    total = len(task.responses)
    tell = progress or (lambda done, total: None)
    tell(total - len(todo), total)
    workers = min(jobs or os.cpu_count() or 1, len(todo))
    if workers > 1:
        _share_out(parts, keys, todo, workers, lambda n: tell(total - len(todo) + n, total))
    # What a worker could not do (it was killed, say) is done here, or fails here for all to see.
    for slot in [slot for slot in todo if not parts.done(slot)]:
        _score(task, parts, keys, slot)
    tell(total, total)
    return Outcome(task, keys, {slot: _load(parts, keys, slot) for slot in task.responses})


def _load(parts: Parts, keys: Mapping[str, Side], slot: Slot) -> Result:
    """A part; one that begins well and is damaged further on is made again."""
    try:
        return parts.load(slot)
    except (ValueError, KeyError, TypeError):
        _score(parts.task, parts, keys, slot)
        return parts.load(slot)


def _score(task: Task, parts: Parts, keys: Mapping[str, Side], slot: Slot) -> None:
    response = make_side(task.path(task.responses[slot]), task.options)
    parts.save(slot, compare(keys[slot.language], response, slot.system, task.options))


def _shares(todo: Sequence[Slot], size: Callable[[Slot], int], workers: int) -> list[list[Slot]]:
    """Shares of about the same size: the largest first, each to who has least."""
    shares: list[list[Slot]] = [[] for _ in range(workers)]
    loads = [0] * workers
    for slot in sorted(todo, key=size, reverse=True):
        least = loads.index(min(loads))
        shares[least].append(slot)
        loads[least] += size(slot) + 1  # files that cannot be read take their time, too
    return shares


def _size(path: str) -> int:
    try:
        return sum(Path(file).stat().st_size for file in expand(path))
    except (OSError, DataError, ValueError):
        return 0


def _share_out(
    parts: Parts,
    keys: Mapping[str, Side],
    todo: Sequence[Slot],
    workers: int,
    tell: Callable[[int], None],
) -> None:
    """Let processes write the parts; each says so after every one.

    Results come back as files, so that a run in one go and a resumed one read the same. A worker
    whose master has died notices at its next word and ends.
    """
    context: Any = get_context("fork" if sys.platform == "linux" else "spawn")
    ears: list[Connection] = []
    processes = []
    sizes = {slot: _size(parts.task.path(parts.task.responses[slot])) for slot in todo}
    for share in _shares(todo, sizes.__getitem__, workers):
        ear, mouth = context.Pipe(duplex=False)
        process = context.Process(
            target=_work, args=(parts, dict(keys), share, mouth, [*ears, ear]), daemon=True
        )
        process.start()
        mouth.close()
        ears.append(ear)
        processes.append(process)
    done = 0
    listening = list(ears)
    while listening:
        for ear in [e for e in listening if e in wait(listening)]:
            try:
                ear.recv_bytes()
                done += 1
                tell(done)
            except EOFError:
                listening.remove(ear)
    for process in processes:
        process.join()


def _work(
    parts: Parts,
    keys: Mapping[str, Side],
    share: Sequence[Slot],
    mouth: Connection,
    inherited: Sequence[Connection],
) -> None:
    for ear in inherited:
        ear.close()
    try:
        for slot in share:
            _score(parts.task, parts, keys, slot)
            mouth.send_bytes(b".")
    except BaseException:
        # The master is gone or wants to end, and what is not done stays undone; or the master
        # meets the same error when it does what is left, and tells it.
        os._exit(1)
