"""Reading: LitBank in every format that is written, and each small file of the conformance data."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import perf_counter
from warnings import catch_warnings

import corefkit
from bench import data
from bench.table import Row, not_measured, seconds

WHOLE, USUAL = 5.0, 0.1
"""Seconds that a whole public corpus, and a usual file, may take."""

FORMATS = ("conll", "conllu", "conllua", "e2e", "brat", "webanno", "markdown", "tags", "booknlp")
_SMALL = 2_000_000


def rows(scratch: Path) -> Iterator[Row]:
    """The slowest format in seconds, and the slowest file."""
    whole = "reading LitBank, 100 texts, 29,103 mentions: the slowest of nine formats"
    usual = "reading a file of one of thirty formats: the slowest"
    if not data.LITBANK.is_file():
        yield from (not_measured(what, data.MISSING) for what in (whole, usual))
        return
    corpus, times = corefkit.read(data.LITBANK), {}
    for name in FORMATS:
        folder = scratch / name
        folder.mkdir()
        with catch_warnings(action="ignore"):  # marks cannot cross
            corefkit.write(corpus, folder / "litbank", format=name)
        times[name] = _fastest(partial(corefkit.read, folder, format=name))
    yield _below(whole, times, WHOLE)
    files = [f for root in (data.FORMATS, data.FORMATS2) for f in root.rglob("*") if f.is_file()]
    taken = {}
    for file in files:
        if file.stat().st_size < _SMALL and not file.name.startswith("bad") and _is_read(file):
            taken[file.name] = _fastest(partial(corefkit.read, file))
    yield _below(usual, taken, USUAL)


def _is_read(file: Path) -> bool:
    """Whether a file is sound, and the packages that it needs are here."""
    try:
        corefkit.read(file)
    except (corefkit.DataError, corefkit.UsageError):
        return False
    return True


def _fastest(read: partial[corefkit.Corpus]) -> float:
    times = []
    for _ in range(3):
        begun = perf_counter()
        read()
        times.append(perf_counter() - begun)
    return min(times)


def _below(what: str, times: dict[str, float], limit: float) -> Row:
    slowest = max(times, key=times.__getitem__)
    measured = f"{seconds(times[slowest])} ({slowest})"
    return Row(what, measured, f"≤ {seconds(limit)}", times[slowest] <= limit)
