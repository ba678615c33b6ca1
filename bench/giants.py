"""One giant document, from CoNLL files: how time and memory grow."""

from collections.abc import Iterator
from functools import partial
from itertools import pairwise
from math import log
from pathlib import Path

from bench.measure import Task, corefkit, environment, fastest, usage
from bench.synthetic import write_files, write_random
from bench.table import Row, at_most, seconds
from corefkit import score

SIZES = (5_000, 100_000, 1_000_000)
_WITHOUT = "mentions,muc,bcub,blanc,lea"
_WITH = "mentions,muc,bcub,blanc,lea,ceafm,ceafe"
_ROUNDS = 7
_TIMEOUT = 120.0
_MEMORY = 4 * 2**30
_HARD, _HARD_LIMIT = 320_000, 60
_GROWTH = 2
"""Caches are left behind on the way, hence not 1; quadratic time would be 8 and more."""


def rows(scratch: Path, *, quick: bool) -> Iterator[Row]:
    """Time with and without ceaf by `corefkit.score`; time and memory of the command line."""
    sizes = SIZES[:-1] if quick else SIZES
    files = {size: write_files(size, scratch) for size in sizes}
    tasks: dict[str, Task] = {}
    for size, (key, response) in files.items():
        for kind, metrics in (("without", _WITHOUT), ("with", _WITH)):
            tasks[f"{size} {kind}"] = partial(score, key, response, metrics=metrics)
    times = fastest(tasks, _ROUNDS, at_least=0.2)
    for size in sizes:
        without, total = times[f"{size} without"], times[f"{size} with"]
        measured = f"{seconds(total)}; without ceaf {seconds(without)}"
        yield Row(f"corefkit.score, one document of {size:,} mentions", measured)
    for smaller, larger in pairwise(sizes):
        grown = times[f"{larger} without"] / times[f"{smaller} without"]
        expected = larger * log(larger) / (smaller * log(smaller))
        what = f"growth from {smaller:,} to {larger:,} mentions, without ceaf / n log n"
        detail = f"{grown:.1f} / {expected:.1f}"
        yield at_most(what, grown / expected, _GROWTH, detail=detail)
    if quick:
        return
    yield from _hard_components(scratch)
    size = sizes[-1]
    used = usage(corefkit("score", *files[size]), environment(scratch), _TIMEOUT)
    what = f"corefkit score, one document of {size:,} mentions, all metrics"
    if not used.finished:
        yield Row(what, f"not finished after {seconds(_TIMEOUT)}", f"≤ {_TIMEOUT:g} s", False)
        return
    yield Row(what, seconds(used.seconds), f"≤ {_TIMEOUT:g} s", True)
    yield Row(
        f"{what}: peak memory",
        f"{used.peak_bytes / 2**30:.2f} GiB",
        f"< {_MEMORY / 2**30:g} GiB",
        used.peak_bytes < _MEMORY,
    )


def _hard_components(scratch: Path) -> Iterator[Row]:
    """Random entities of one size: next to no pair of entities decides itself."""
    pair = write_random(_HARD, 3, scratch)
    taken = fastest({"hard": partial(score, *pair, metrics="ceafe")}, 1)["hard"]
    what = f"ceafe, {_HARD:,} mentions in random entities of 3"
    yield Row(what, seconds(taken), f"≤ {_HARD_LIMIT} s", taken <= _HARD_LIMIT)
