"""Scoring by minimum spans against scoring by spans, whole processes."""

from collections.abc import Iterator
from pathlib import Path

from bench import data
from bench.measure import corefkit, environment, fastest, process
from bench.table import Row, at_most, not_measured, seconds

_ROUNDS = 7
_WHAT = "corefkit score --match mina, OntoNotes dev / corefkit score"


def rows(scratch: Path) -> Iterator[Row]:
    """The trees of the key are read, and the minimum of each mention is found."""
    files = data.packed(scratch)
    if files is None:
        yield not_measured(_WHAT, data.MISSING)
        return
    env = environment(scratch)
    score: list[str | Path] = ["score", files.key, files.response]
    commands = {"exact": corefkit(*score), "mina": corefkit(*score, "--match", "mina")}
    times = fastest({name: process(c, env) for name, c in commands.items()}, _ROUNDS)
    detail = f"{seconds(times['mina'])} / {seconds(times['exact'])}"
    yield at_most(_WHAT, times["mina"] / times["exact"], 3, detail=detail)
