"""`corefkit stats` with all its tables against `corefkit score`, whole processes on OntoNotes."""

from collections.abc import Iterator
from pathlib import Path

from bench import data
from bench.measure import corefkit, environment, fastest, process, usage
from bench.table import Row, at_most, not_measured, seconds

_ROUNDS = 5
_TIMEOUT = 60.0
_TIME = "corefkit stats, OntoNotes dev / corefkit score"
_MEMORY = "corefkit stats, OntoNotes dev: peak memory / unpacked file"


def rows(scratch: Path) -> Iterator[Row]:
    """Statistics read all tags, trees and speakers; scores only the last column."""
    files = data.packed(scratch)
    if files is None:
        yield not_measured(_TIME, data.MISSING)
        yield not_measured(_MEMORY, data.MISSING)
        return
    env = environment(scratch)
    stats = corefkit("stats", files.key, "-f", "json")
    score = corefkit("score", files.key, files.response)
    times = fastest({"stats": process(stats, env), "score": process(score, env)}, _ROUNDS)
    detail = f"{seconds(times['stats'])} / {seconds(times['score'])}"
    yield at_most(_TIME, times["stats"] / times["score"], 10, detail=detail)
    peak = max(usage(stats, env, _TIMEOUT).peak_bytes for _ in range(3))
    size = data.unpacked(files, scratch).key.stat().st_size
    yield at_most(_MEMORY, peak / size, 10, detail=f"{peak / 1e6:.0f} MB / {size / 1e6:.0f} MB")
