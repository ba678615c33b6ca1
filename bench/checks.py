"""`check` against the reading part of `score`, in one process."""

from collections.abc import Iterator
from pathlib import Path

from bench import data
from bench.measure import fastest
from bench.table import Row, at_most, not_measured, seconds
from corefkit import check
from corefkit.formats.kit.reading import read_all

_ROUNDS = 15
_WHAT = "check, OntoNotes dev / reading it for score"


def rows(scratch: Path) -> Iterator[Row]:
    """Everything that `check` looks for, in little more than the time to read the file."""
    files = data.packed(scratch)
    if files is None:
        yield not_measured(_WHAT, data.MISSING)
        return
    tasks = {
        "read": lambda: list(read_all(files.key).incidents),
        "check": lambda: check(files.key),
    }
    times = fastest(tasks, _ROUNDS)
    detail = f"{seconds(times['check'])} / {seconds(times['read'])}"
    yield at_most(_WHAT, times["check"] / times["read"], 1.5, detail=detail)
