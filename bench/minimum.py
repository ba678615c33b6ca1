"""Scoring by minimum spans against scoring by spans and `import numpy`, whole processes."""

from collections.abc import Iterator
from pathlib import Path

from bench import data
from bench.measure import corefkit, environment, fastest, process, processor_time, python
from bench.table import Row, at_most, not_measured, seconds

_ROUNDS = 7
_WHAT = "corefkit score --match mina, OntoNotes dev / corefkit score"
_WHOLE = "corefkit score --match mina, OntoNotes dev / import numpy, processor time"
_LIMIT = 3.9
"""A plain score is some two thirds of it. The words, tags and bits of tokens in mentions, a quarter
of all, take as long as the trees of 2,200 shapes of mentions, in Python."""


def rows(scratch: Path) -> Iterator[Row]:
    """The trees of the key are read, and the minimum of each mention is found."""
    files = data.packed(scratch)
    if files is None:
        yield not_measured(_WHAT, data.MISSING)
        yield not_measured(_WHOLE, data.MISSING)
        return
    env = environment(scratch)
    score: list[str | Path] = ["score", files.key, files.response]
    commands = {"exact": corefkit(*score), "mina": corefkit(*score, "--match", "mina")}
    commands["numpy"] = python("import numpy")
    tasks = {name: process(c, env) for name, c in commands.items()}
    times = fastest(tasks, _ROUNDS, clock=processor_time)
    detail = f"{seconds(times['mina'])} / {seconds(times['exact'])}"
    yield at_most(_WHAT, times["mina"] / times["exact"], 3, detail=detail)
    detail = f"{seconds(times['mina'])} / {seconds(times['numpy'])}"
    yield at_most(_WHOLE, times["mina"] / times["numpy"], _LIMIT, detail=detail)
