"""Shared tasks and significance on OntoNotes, against the time of scoring and of reading."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import rmtree
from time import process_time

import corefkit
from bench import data
from bench.measure import Task, environment, fastest, process, processor_time
from bench.measure import corefkit as command
from bench.table import Row, at_most, below, not_measured, seconds
from corefkit.stats.compare import compare_scores

_ROUNDS = 5
_SYSTEMS = 16
_LIMITS = {"task": 7, "again": 2}
"""In times of one score, both in seconds of the processor, those of the processes
of the pool included. Half of a first run is to score 16 responses, a fifth to test 120 pairs with
10,000 samples. A second one imports modules, reads the key and the parts, and finds that all files
that it would write are there."""
_METRICS = "mentions,muc,bcub,ceafm,ceafe,blanc,lea"


def rows(scratch: Path) -> Iterator[Row]:
    """A `task run` of 16 systems, and a second one, against one `score`; samples against reading.

    No two systems are alike: the samples of equal ones are drawn once.
    """
    what = f"corefkit task run, {_SYSTEMS} distinct systems, no pictures / one score"
    again = "the same again, all parts kept / one score"
    tests = "10,000 samples, 7 metrics, 2 systems / reading the 3 files"
    packed = data.packed(scratch)
    if packed is None:
        yield not_measured(what, data.MISSING)
        yield not_measured(again, data.MISSING)
        yield not_measured(tests, data.MISSING)
        return
    lines = ['name = "bench"', "[languages.english]", f'key = "{packed.key}"']
    for number, file in enumerate(_distinct(packed.responses[:3], scratch)):
        lines += [f"[systems.s{number}.responses]", f'"english/closed/NB" = "{file}"']
    manifest, out = scratch / "task.toml", scratch / "task"
    manifest.write_text("\n".join(lines), encoding="utf-8")
    env = environment(scratch)
    run = process(command("task", "run", manifest, "-o", out, "--no-plots"), env)

    def fresh() -> None:
        rmtree(out, ignore_errors=True)
        run()

    one = process(command("score", packed.key, packed.response), env)
    times = fastest({"one": one, "task": fresh, "again": run}, _ROUNDS, clock=processor_time)
    for name, row in (("task", what), ("again", again)):
        detail = f"{seconds(times[name])} / {seconds(times['one'])}"
        yield at_most(row, times[name] / times["one"], _LIMITS[name], detail=detail)

    files = (packed.key, *packed.responses[:2])
    scored = {f.name: corefkit.score(packed.key, f, metrics=_METRICS) for f in files[1:]}
    tasks: dict[str, Task] = {
        "read": lambda: [corefkit.read(file) for file in files],
        "compare": lambda: compare_scores(scored, samples=10_000),
    }
    times = fastest(tasks, _ROUNDS, clock=process_time)
    detail = f"{seconds(times['compare'])} / {seconds(times['read'])}"
    yield below(tests, times["compare"] / times["read"], 1, detail=detail)


def _distinct(responses: Sequence[Path], scratch: Path) -> Iterator[Path]:
    """Responses of which no two are alike: these, with some of their mentions dropped."""
    for number in range(_SYSTEMS):
        own = corefkit.degrade(responses[number % len(responses)], drop="1%", seed=number)
        file = scratch / f"response-{number}.conll.gz"
        corefkit.write(own.corpus, file)
        yield file
