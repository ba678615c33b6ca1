"""Documents of the same shape: counted once or one by one, all figures are the same."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import fsum
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit.analysis.document_shapes import exact_sums, find_shapes, rounded
from corefkit.analysis.errors import Errors
from corefkit.analysis.losses import MENTIONS
from corefkit.analysis.types import TYPES
from tests.analysis.support import TAGS, Document, Span, read
from tests.analysis.test_against_oracle import analysis
from tests.strategies import examples

METRICS = "muc,bcub,ceafm,ceafe,lea,blanc,mentions,conll"


def tiny_documents(number: int, seed: int) -> list[Document]:
    """Documents of three to five words: names, pronouns, and mentions with a comma too many."""
    random = Random(seed)
    made = []
    for _ in range(number):
        words = random.choices(["Ann", "he", "dog", ","], k=random.randint(3, 5))
        sides: list[list[list[Span]]] = []
        for _ in range(2):
            entities: dict[int, list[Span]] = {}
            for place, word in enumerate(words):
                if word != "," and random.random() < 0.8:
                    longer = words[place + 1 : place + 2] == [","] and random.random() < 0.4
                    entities.setdefault(random.randrange(3), []).append((place, place + longer))
            sides.append([*entities.values()])
        made.append(Document(words, *sides))
    return made


def figures(errors: Errors) -> list[Any]:
    """All that is counted over documents."""
    metrics = errors.options.metrics
    return [
        [errors.repaired(m) for m in metrics],
        [errors.cumulative(m) for m in metrics],
        [errors.shares(m) for m in metrics],
        [errors.losses(m) for m in metrics],
        [errors.gains(m).tolist() for m in metrics],
        [errors.corners.f1(m) for m in metrics],
        list(errors.corners.corners),
        [error.to_dict() for error in errors.best_repairs()],
        errors.worst_documents(5),
    ]


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """From now on every document is a shape of its own."""
    return lambda: monkeypatch.setattr("corefkit.analysis.document_shapes._MOST", -1)


@pytest.mark.parametrize("singletons", ["keep", "drop", "e2e"])
def test_counted_once(tmp_path: Path, one_by_one: Callable[[], None], singletons: Any) -> None:
    """Every figure is the same to the last digit as where each document is counted."""
    sides = read(tiny_documents(900, seed=5), tmp_path)
    metrics = "muc,bcub,ceafe,lea,conll" if singletons == "e2e" else METRICS

    def count() -> tuple[Errors, list[Any]]:
        errors = corefkit.errors(*sides, metrics, tagset="penn", singletons=singletons)
        return errors, figures(errors)

    errors, shared = count()
    assert len(np.unique(find_shapes(errors.table).document)) < 700
    assert set(errors.table.type.tolist()) == {*range(len(TYPES))}
    one_by_one()
    errors, alone = count()
    assert (find_shapes(errors.table).document == np.arange(900)).all()
    assert shared == alone
    losses = errors.losses()
    dearest = sorted(losses.items(), key=lambda item: (-item[1], item[0]))[:5]
    assert [(name, cost) for name, _, cost in errors.worst_documents(5)] == dearest
    best = errors.details.select(np.argsort(-errors.gains(), kind="stable")[:10])
    assert errors.best_repairs(10) == best
    everything = {error.id: error for error in errors}
    assert best == [everything[error.id] for error in best]


def test_same_shape_means_same_analysis(tmp_path: Path) -> None:
    """By the oracle, documents of a shape have as many errors of each type, and the same sizes of
    entities when these are repaired.
    """
    documents = tiny_documents(300, seed=8)
    errors = corefkit.errors(*read(documents, tmp_path), "bcub", tagset="penn")
    of = find_shapes(errors.table).document

    def looks(document: Document) -> list[tuple[int, list[int]]]:
        one = analysis(document)
        number = Counter(kind for kind, _ in one.errors)
        return [
            (number[kind], sorted(len(entity) for entity in one.repaired({kind}) if entity))
            for kind in TYPES
        ]

    pairs = [(a, b) for a, b in enumerate(of.tolist()) if a != b]
    assert len(pairs) > 50
    for other, first in pairs:
        assert looks(documents[other]) == looks(documents[first]), (other, first)


def test_order_of_mentions_does_not_matter(tmp_path: Path) -> None:
    """Two documents with the same mentions in another order are alike; a pronoun makes a third."""
    key: list[list[Span]] = [[(0, 0), (1, 1), (2, 2)]]
    alike = [
        Document(["dog", "cat", "Ann"], key, [[(0, 0), (1, 1)], [(2, 2)]]),
        Document(["dog", "Bob", "cat"], key, [[(0, 0), (2, 2)], [(1, 1)]]),
        Document(["dog", "cat", "he"], key, [[(0, 0), (1, 1)], [(2, 2)]]),
    ]
    errors = corefkit.errors(*read(alike, tmp_path), tagset="penn")
    assert find_shapes(errors.table).document.tolist() == [0, 0, 2]
    assert TAGS["he"] == "PRP"


def test_what_was_found_first_matters(tmp_path: Path) -> None:
    """A missing mention goes where the first found one of its entity is: that tells the two apart,
    which are otherwise the same mentions in another order.
    """
    key: list[list[Span]] = [[(0, 0)], [(1, 1), (2, 2), (3, 3)]]
    words = ["dog", "cat", "dog", "cat"]
    responses: list[list[list[Span]]] = [[[(0, 0), (3, 3)], [(2, 2)]], [[(0, 0), (2, 2)], [(3, 3)]]]
    documents = [Document(words, key, response) for response in responses]
    errors = corefkit.errors(*read(documents, tmp_path), "bcub", tagset="penn")
    assert find_shapes(errors.table).document.tolist() == [0, 1]
    repaired = errors.corners.corners[MENTIONS].tables["bcub"]
    assert any(one != other for one, other in repaired)


def test_large_documents_stand_for_themselves(tmp_path: Path) -> None:
    spans: list[Span] = [(place, place) for place in range(16)]
    for size, expected in ((15, [0, 0]), (16, [0, 1])):
        document = Document(["dog"] * size, [spans[:size]], [spans[:size]])
        errors = corefkit.errors(*read([document] * 2, tmp_path), tagset="penn")
        assert find_shapes(errors.table).document.tolist() == expected


@given(st.lists(st.tuples(st.floats(-1e6, 1e6), st.integers(1, 2**20))))
@examples(50)
def test_exact_sums(rows: list[tuple[float, int]]) -> None:
    column = np.array([number for number, _ in rows], dtype=np.float64)
    times = np.array([number for _, number in rows], dtype=np.int64)
    (total,) = exact_sums(column, times, np.zeros(1, dtype=np.int64))
    expected = sum((Fraction(number) * many for number, many in rows), Fraction(0))
    assert rounded(total) == float(expected)
    (total,) = exact_sums(column, np.ones_like(times), np.zeros(1, dtype=np.int64))
    assert rounded(total) == fsum(column)
    (total,) = exact_sums(times, times, np.zeros(1, dtype=np.int64))
    assert rounded(total) == sum(number * number for _, number in rows)
