"""Every metric against the slow and obvious implementation, on random partitions."""

import random
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from corefkit import Evaluator, Scores
from tests.oracle import metrics as oracle
from tests.strategies import TIMES, Document, corpora, examples

RATIO_METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea")
WHOLE = ("mentions", "muc", "ceafm")


def evaluate(documents: Iterable[Document]) -> Scores:
    evaluator = Evaluator()
    for key, response in documents:
        evaluator.update(key, response)
    return evaluator.scores()


def sets(documents: Iterable[Document]) -> list[oracle.Document]:
    return [([frozenset(k) for k in key], [frozenset(r) for r in r_]) for key, r_ in documents]


def same(found: list[Any], expected: tuple[Fraction, Fraction], *, whole: bool) -> None:
    if whole:
        assert [type(x) for x in found] == [int, int]
        assert found == list(expected)
    else:
        assert found[0] == pytest.approx(float(expected[0]), abs=1e-12)
        assert found[1] == expected[1]


def check(documents: list[Document]) -> None:
    scores, slow = evaluate(documents), sets(documents)
    for metric in RATIO_METRICS:
        counts = oracle.count_plain(metric, slow)
        same(scores[metric].counts["recall"], counts["recall"], whole=metric in WHOLE)
        same(scores[metric].counts["precision"], counts["precision"], whole=metric in WHOLE)
    links: Mapping[str, Any] = oracle.count_blanc(slow)
    for kind in ("coreference", "noncoreference"):
        for side in ("recall", "precision"):
            same(scores["blanc"].counts[kind][side], links[kind][side], whole=True)
    for metric in (*RATIO_METRICS, "blanc"):
        recall, precision, f1 = oracle.score(metric, slow)
        found = scores[metric]
        assert (found.recall, found.precision, found.f1) == pytest.approx(
            (float(recall), float(precision), float(f1)), abs=1e-12
        )
    assert scores.conll == pytest.approx(float(oracle.conll(slow)), abs=1e-12)


@examples(75)
@given(corpora())
def test_random_documents(documents: list[Document]) -> None:
    check(documents)


@pytest.mark.more
def test_thousands_of_documents() -> None:
    rng = random.Random(1)
    documents = []
    for _ in range(1500 * TIMES):
        sides: list[list[list[int]]] = []
        for _ in range(2):
            entities: dict[int, list[int]] = {}
            for mention in range(rng.randrange(6)):
                entities.setdefault(rng.randrange(3), []).append(mention)
            sides.append(list(entities.values()))
        documents.append((sides[0], sides[1]))
    check(documents)


@pytest.mark.parametrize(
    "document",
    [
        ([], []),
        ([[1]], []),
        ([], [[1]]),
        ([[1]], [[1]]),
        ([[1, 2]], [[1, 2]]),
        ([[1], [2]], [[1], [2]]),
        ([[1], [2]], [[1, 2]]),
        ([[1, 2]], [[1], [2]]),
        ([list(range(200))], [[n] for n in range(200)]),
        ([list(range(200))], [list(range(100)), list(range(100, 300))]),
    ],
)
def test_odd_documents(document: Document) -> None:
    check([document])
