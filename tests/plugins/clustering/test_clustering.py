"""Metrics of entity resolution and of clustering, against the slow and obvious implementation."""

import random
from typing import Any

import pytest
from hypothesis import given

import corefkit
from corefkit import Evaluator, Scores
from corefkit.metrics import DEFAULT
from tests.oracle import clustering as oracle
from tests.oracle import metrics as sets
from tests.strategies import Document, corpora, documents, examples

NAMES = ("pairs", "clusters", "purity", "ari", "vmeasure", "vi", "gmd")


def evaluate(*some: Document, names: str = ",".join(NAMES)) -> Scores:
    evaluator = Evaluator(names)
    for key, response in some:
        evaluator.update(key, response)
    return evaluator.scores()


def frozen(document: Document) -> sets.Document:
    key, response = ([frozenset(entity) for entity in side] for side in document)
    return key, response


def labels(key: str, response: str) -> Document:
    """One document from the labels of items, as scikit-learn has them."""
    sides: list[list[list[int]]] = []
    for text in (key, response):
        sides.append([[i for i, c in enumerate(text) if c == own] for own in sorted(set(text))])
    return sides[0], sides[1]


@examples(60)
@given(corpora())
def test_what_is_counted(some: list[Document]) -> None:
    scores, slow = evaluate(*some), [frozen(document) for document in some]
    links = sets.count_links(slow, sets.coreference_links)
    assert scores["pairs"].counts == {side: list(links[side]) for side in ("recall", "precision")}
    right = sum(oracle.equal_entities(*document) for document in slow)
    entities = [sum(len(document[side]) for document in slow) for side in (0, 1)]
    assert scores["clusters"].counts == {
        "recall": [right, entities[0]],
        "precision": [right, entities[1]],
    }
    best = [sum(oracle.inverse_purity(*document[::way]) for document in slow) for way in (1, -1)]
    size = [sum(len(sets.mentions(document[side])) for document in slow) for side in (0, 1)]
    assert scores["purity"].counts == {
        "recall": [best[0], size[0]],
        "precision": [best[1], size[1]],
    }


@examples(60)
@given(documents(most=9))
def test_entropies(document: Document) -> None:
    scores, slow = evaluate(document), oracle.information(frozen(document))
    found = scores["vmeasure"]
    assert (found.recall, found.precision, found.f1) == pytest.approx(
        (slow["completeness"], slow["homogeneity"], slow["v"]), abs=1e-12
    )
    counts = scores["vi"].counts
    assert counts["bits"] == pytest.approx(slow["vi"], abs=1e-12)
    assert counts["merged"] + counts["split"] == pytest.approx(counts["bits"])


@examples(20)
@given(documents(most=5))
def test_chance_is_the_mean_of_all_permutations(document: Document) -> None:
    found = evaluate(document)["ari"]
    expected = oracle.expected_links(frozen(document))
    assert found.counts["expected"] == pytest.approx(float(expected), abs=1e-12)
    both, key, response = (found.counts[name] for name in ("both", "key", "response"))
    if (most := (key + response) / 2 - expected) != 0:
        assert found.f1 == pytest.approx(float((both - expected) / most), abs=1e-12)
    else:
        assert found.f1 == float(document != ([], []))


@examples(40)
@given(documents(most=5))
def test_the_shortest_way(document: Document) -> None:
    scores = evaluate(document, names="gmd,muc")
    counts, muc = scores["gmd"].counts, scores["muc"].counts
    assert counts["distance"] == oracle.merge_distance(frozen(document))
    assert counts["merges"] == muc["recall"][1] - muc["recall"][0]
    assert counts["splits"] == muc["precision"][1] - muc["precision"][0]


def test_more_merges_than_the_way_through_wrong_links() -> None:
    """To merge all and cut again would be 2 steps with wrong links; it is 2 splits, 2 merges."""
    assert evaluate(labels("0011", "0101"))["gmd"].counts["distance"] == 4


@pytest.mark.parametrize("name", NAMES)
@examples(15)
@given(some=corpora().filter(bool))
def test_small_documents_and_large_are_counted_alike(name: str, some: list[Document]) -> None:
    """An Evaluator counts small documents in lists, `score` counts all at once: the same digits."""
    sides = [
        corefkit.Corpus.from_clusters(
            {str(i): [[(m, m) for m in own] for own in pair[side]] for i, pair in enumerate(some)}
        )
        for side in (0, 1)
    ]
    assert corefkit.score(sides[0], sides[1], name).counts == evaluate(*some, names=name).counts


@pytest.mark.parametrize(
    ("key", "response", "ari", "parts", "v"),
    [
        ("0011", "1100", 1, (1, 1), 1),
        ("0012", "0011", 0.5714285714, (0.6666666667, 1), 0.8),
        ("0011", "0012", 0.5714285714, (1, 0.6666666667), 0.8),
        ("0011", "0101", -0.5, (0, 0), 0),
        ("0000", "0123", 0, (1, 0), 0),
        ("0011", "0123", 0, (1, 0.5), 0.6666666667),
        ("0123", "0000", 0, (0, 1), 0),
        ("000111", "001122", 0.2424242424, (0.6666666667, 0.4206198357), 0.5158037430),
        ("0", "0", 1, (1, 1), 1),
        ("012", "012", 1, (1, 1), 1),
        ("000", "000", 1, (1, 1), 1),
    ],
)
def test_figures_of_scikit_learn(
    key: str, response: str, ari: float, parts: tuple[float, float], v: float
) -> None:
    """adjusted_rand_score and homogeneity_completeness_v_measure."""
    scores = evaluate(labels(key, response))
    found = scores["vmeasure"]
    assert scores["ari"].f1 == pytest.approx(ari, abs=1e-9)
    assert (found.precision, found.recall, found.f1) == pytest.approx((*parts, v), abs=1e-9)


def test_equal_to_scikit_learn() -> None:
    metrics: Any = pytest.importorskip("sklearn.metrics")
    rng = random.Random(1)
    for size in (1, 2, 5, 30, 300):
        for entities in (1, 3, size):
            sides = [[rng.randrange(entities) for _ in range(size)] for _ in range(2)]
            scores = evaluate(labels(*("".join(map(chr, side)) for side in sides)))
            found = scores["vmeasure"]
            assert scores["ari"].f1 == pytest.approx(metrics.adjusted_rand_score(*sides), abs=1e-12)
            assert (found.precision, found.recall, found.f1) == pytest.approx(
                metrics.homogeneity_completeness_v_measure(*sides), abs=1e-12
            )
            # Each pair is there twice: on neither side, on one, on the other, on both.
            (_, wrong), (missed, both) = metrics.pair_confusion_matrix(*sides) // 2
            assert scores["pairs"].counts == {
                "recall": [both, both + missed],
                "precision": [both, both + wrong],
            }


def test_documents_are_not_told_apart_for_credit() -> None:
    """Twice the same document, with nothing right in it: nothing is right. As one it would be."""
    document = labels("0011", "0101")
    twice = evaluate(document, document)
    assert [twice[name].f1 for name in ("ari", "vmeasure")] == pytest.approx([-0.5, 0])
    assert twice["vi"].f1 == evaluate(document)["vi"].f1 == pytest.approx(0)
    assert evaluate(labels("00112233", "01012323"))["vmeasure"].f1 == pytest.approx(0.5)


@examples(40)
@given(documents())
def test_identity_symmetry_and_the_worst(document: Document) -> None:
    key, response = document
    scores, other = evaluate(document), evaluate((response, key))
    for name in NAMES:
        assert (scores[name].recall, scores[name].precision) == (
            other[name].precision,
            other[name].recall,
        )
        assert scores[name].f1 == pytest.approx(other[name].f1, abs=1e-15)
        assert (0 if name != "ari" else -1) <= scores[name].f1 <= 1
    same = evaluate((key, key))
    for name in NAMES[1:]:
        assert same[name].f1 == float(bool(key))


def test_none_is_scored_unless_it_is_asked_for() -> None:
    assert not set(NAMES).intersection(DEFAULT)


def test_nothing_at_all() -> None:
    assert {name: score.f1 for name, score in evaluate().items()} == dict.fromkeys(NAMES, 0.0)
    empty: Any = ([], [])
    assert {name: score.f1 for name, score in evaluate(empty).items()} == dict.fromkeys(NAMES, 0.0)
