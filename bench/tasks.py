"""Shared tasks and significance on OntoNotes, against the time of scoring and of reading."""

from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import corefkit
from bench import data
from bench.measure import Task, environment, fastest, process
from bench.measure import corefkit as command
from bench.table import Row, at_most, below, not_measured, seconds
from corefkit.stats.significance import compare_scores

_ROUNDS = 5
_SYSTEMS = 16
_METRICS = "mentions,muc,bcub,ceafm,ceafe,blanc,lea"


def rows(scratch: Path) -> Iterator[Row]:
    """One `task run` of 16 systems against one `score`; 10,000 samples against reading."""
    what = f"corefkit task run, {_SYSTEMS} systems, no pictures / one score"
    tests = "10,000 samples, 7 metrics, 2 systems / reading the 3 files"
    packed = data.packed(scratch)
    if packed is None:
        yield not_measured(what, data.MISSING)
        yield not_measured(tests, data.MISSING)
        return
    lines = ['name = "bench"', "[languages.english]", f'key = "{packed.key}"']
    for number in range(_SYSTEMS):
        file = packed.responses[number % len(packed.responses)]
        lines += [f"[systems.s{number}.responses]", f'"english/closed/NB" = "{file}"']
    manifest, out = scratch / "task.toml", scratch / "task"
    manifest.write_text("\n".join(lines), encoding="utf-8")
    env = environment(scratch)
    run = process(command("task", "run", manifest, "-o", out, "--no-plots"), env)

    def fresh() -> None:
        rmtree(out, ignore_errors=True)
        run()

    one = process(command("score", packed.key, packed.response), env)
    times = fastest({"one": one, "task": fresh}, _ROUNDS)
    detail = f"{seconds(times['task'])} / {seconds(times['one'])}"
    yield at_most(what, times["task"] / times["one"], 8, detail=detail)

    files = (packed.key, *packed.responses[:2])
    scored = {f.name: corefkit.score(packed.key, f, metrics=_METRICS) for f in files[1:]}
    tasks: dict[str, Task] = {
        "read": lambda: [corefkit.read(file) for file in files],
        "compare": lambda: compare_scores(scored, samples=10_000),
    }
    times = fastest(tasks, _ROUNDS)
    detail = f"{seconds(times['compare'])} / {seconds(times['read'])}"
    yield below(tests, times["compare"] / times["read"], 1, detail=detail)
