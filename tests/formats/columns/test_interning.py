"""Numbers for strings, against a dictionary."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats.columns import interning
from corefkit.formats.columns.interning import intern, intern_column, intern_runs

PIECES = st.lists(
    st.tuples(st.integers(0, 100), st.sampled_from([0, 1, 2, 7, 8, 9, 16, 17, 64, 65])),
    max_size=12,
)


@given(st.text("ab\0", max_size=90).map(str.encode), PIECES)
def test_intern(data: bytes, pieces: list[tuple[int, int]]) -> None:
    bounds = [(min(at, len(data)), min(at + size, len(data))) for at, size in pieces]
    check(data, bounds)


@given(st.text("ab\0", max_size=90).map(str.encode), PIECES, st.integers(1, 3))
def test_runs(data: bytes, pieces: list[tuple[int, int]], times: int) -> None:
    bounds = [(min(at, len(data)), min(at + size, len(data))) for at, size in pieces]
    start, end = np.array(bounds, dtype=np.int64).reshape(-1, 2).T.repeat(times, axis=1)
    buffer = np.frombuffer(data, dtype=np.uint8)
    runs, column = intern_runs(buffer, start, end), intern_column(buffer, start, end)
    assert runs.to_list() == column.to_list()
    assert set(runs.values) == set(column.values)


def check(data: bytes, bounds: list[tuple[int, int]]) -> None:
    first, end = np.array(bounds, dtype=np.int64).reshape(-1, 2).T
    numbers, found = intern(np.frombuffer(data, dtype=np.uint8), first, end - first)
    assert [found[n] for n in numbers.tolist()] == [data[a:b] for a, b in bounds]
    assert len(set(found)) == len(found) == len({data[a:b] for a, b in bounds})


def test_pieces_that_are_mixed_to_one_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interning, "_PRIME", np.uint64(0))
    check(b"abcdefgh-abcdefgi-abcdefgh-", [(0, 8), (9, 17), (18, 26)])
