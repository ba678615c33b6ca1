"""Counts that grow are at any time what they would be if all documents were counted together."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.core.counts import SPLIT, Counts, ExactSum, RunningCounts, add
from tests.strategies import examples

floats = st.floats(-1e12, 1e12, allow_subnormal=False)
numbers = st.lists(st.tuples(st.integers(-(10**9), 10**9), floats), max_size=8)


def counts(name: str, rows: list[tuple[int, float]]) -> Counts:
    """Documents with one column of integers and one of floats."""
    whole = np.array([row[0] for row in rows], dtype=np.int64)
    ratio = np.array([row[1] for row in rows], dtype=np.float64)
    return Counts(tuple(f"{name}{i}" for i in range(len(rows))), {"m": (whole, ratio)})


@examples(50)
@given(st.lists(numbers, min_size=1, max_size=4), st.lists(st.booleans(), min_size=4, max_size=4))
def test_snapshots(portions: list[list[tuple[int, float]]], one_by_one: list[bool]) -> None:
    running, snapshots = RunningCounts(), []
    parts = [counts(str(i), rows) for i, rows in enumerate(portions)]
    for part, single, rows in zip(parts, one_by_one, portions, strict=False):
        if single and rows:
            for name, row in zip(part.documents, rows, strict=True):
                running.add_document(name, {"m": row})
        else:
            running.add(part)
        snapshots.append(running.snapshot())
    for number, snapshot in enumerate(snapshots, 1):
        whole = add(parts[:number])
        assert len(snapshot) == len(whole)
        assert snapshot.total("m") == whole.total("m")
        assert snapshot == whole
        assert pickle.loads(pickle.dumps(snapshot)) == whole


@examples(50)
@given(st.lists(floats))
def test_a_sum_is_exact_until_it_is_rounded_once(values: list[float]) -> None:
    total = ExactSum()
    for value in values:
        total.add_number(value)
    assert total.value == float(sum(map(Fraction, values)))


def test_integers_and_fractions_in_one_column() -> None:
    running = RunningCounts()
    running.add_document("a", {"m": (3,)})
    before = running.snapshot()
    running.add_document("b", {"m": (0.5,)})
    running.add_document("c", {"m": (2,)})
    assert running.snapshot().total("m") == (5.5,)
    assert running.snapshot().tables["m"][0].tolist() == [3.0, 0.5, 2.0]
    assert before.tables["m"][0].dtype == np.int64


def test_split_antecedents_that_come_later_and_go() -> None:
    """Documents without them have nothing of them to count."""
    running = RunningCounts()
    running.add_document("a", {"m": (1,)})
    running.add(Counts(("b",), {"m": (np.array([2]),), "m" + SPLIT: (np.array([0.5]),)}))
    running.add_document("c", {"m": (4,)})
    running.add(Counts(("d",), {"m": (np.array([8]),)}))
    found = running.snapshot()
    assert found.tables["m" + SPLIT][0].tolist() == [0, 0.5, 0, 0]
    assert found.total("m") == (15,)
    with pytest.raises(KeyError):
        found.total("n")
