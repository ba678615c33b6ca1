"""A key that is a sample of entities: unbiased sums, and the figures of er-evaluation."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import Evaluator, Scores
from corefkit.metrics import DEFAULT
from tests.strategies import Document, Side, clusters, documents, examples
from tests.support import run

SAMPLED = {"pairs": "pairs_sample", "bcub": "bcub_sample", "clusters": "clusters_sample"}
NAMES = ",".join(SAMPLED.values())


def evaluate(key: Side, response: Side, names: str = NAMES) -> Scores:
    return Evaluator(names).update(key, response).scores()


def numbers(scores: Scores) -> list[float]:
    return [x for s in scores.values() for side in s.counts.values() for x in side]


@st.composite
def same_mentions(draw: st.DrawFn) -> Document:
    """Key and response with the same mentions: the whole truth."""
    size = draw(st.integers(1, 9))
    entity = st.lists(st.integers(0, 4), min_size=size, max_size=size)
    return clusters(draw(entity)), clusters(draw(entity))


@examples(60)
@given(same_mentions())
def test_with_the_whole_truth_the_plain_metrics(document: Document) -> None:
    plain, sampled = evaluate(*document, ",".join(SAMPLED)), evaluate(*document)
    for name, other in SAMPLED.items():
        ours, theirs = plain[name], sampled[other]
        assert (ours.recall, ours.precision, ours.f1) == pytest.approx(
            (theirs.recall, theirs.precision, theirs.f1), abs=1e-12
        )


@examples(60)
@given(same_mentions())
def test_sums_are_unbiased(document: Document) -> None:
    """Over all samples of two entities the mean is the share of the sums of the whole truth."""
    key, response = document
    if len(key) < 2:
        return
    samples = [numbers(evaluate([*two], response)) for two in combinations(key, 2)]
    mean = [sum(column) / len(samples) for column in zip(*samples, strict=True)]
    whole = [x * 2 / len(key) for x in numbers(evaluate(key, response))]
    assert mean == pytest.approx(whole)


@examples(40)
@given(documents())
def test_links_seen_from_the_sample(document: Document) -> None:
    """By listing for each sampled mention the links that the response gives it."""
    key, response = document
    of = {mention: set(entity) for entity in response for mention in entity}
    seen = [(m, other, set(own)) for own in key for m in own for other in of.get(m, {m}) - {m}]
    right = sum(other in own for _, other, own in seen)
    assert evaluate(key, response)["pairs_sample"].counts["precision"] == [
        right / 2,
        len(seen) / 2,
    ]
    touched = sum((Fraction(1, len(of[m])) for own in key for m in own if m in of), Fraction())
    assert evaluate(key, response)["clusters_sample"].counts["precision"][1] == float(touched)


def corrected(pairs: list[list[float]]) -> float:
    """A ratio of sums over entities, less its estimated bias of order 1/entities, as there."""
    n = len(pairs)
    top, below = (sum(pair[i] for pair in pairs) / n for i in (0, 1))
    bias = sum(b / below * (b / below - a / top) for a, b in pairs) / (n * (n - 1))
    return top / below * (1 - bias)


def test_the_example_of_er_evaluation() -> None:
    """pairwise_precision_design_estimate and pairwise_recall_design_estimate, weights of 1.

    They correct the ratio for bias, which needs the entities one by one and does not add.
    """
    response = [[1, 2], [3, 5], [4], [6, 7, 8]]
    alone = [evaluate([own], response) for own in ([1, 2, 3], [4, 5], [8])]
    counts = [scores["pairs_sample"].counts for scores in alone]
    assert corrected([c["precision"] for c in counts]) == pytest.approx(0.3888888888888889)
    assert corrected([c["recall"] for c in counts]) == pytest.approx(0.296875)
    together = evaluate([[1, 2, 3], [4, 5], [8]], response)["pairs_sample"]
    assert (together.precision, together.recall) == (2 / 6, 1 / 4)


def test_command_line(tmp_path: Path) -> None:
    sides = {}
    for name, entities in {"key": [[0, 1, 2]], "response": [[0, 1], [2, 3], [4, 5, 6]]}.items():
        line = {"doc_key": "d", "sentences": [[*"abcdefg"]]}
        line["clusters"] = [[[m, m] for m in own] for own in entities]
        (tmp_path / name).write_text(json.dumps(line) + "\n")
        sides[name] = str(tmp_path / name)
    done = run("score", sides["key"], sides["response"], "-m", NAMES, "-f", "json")
    assert done.status == 0, done.err
    scores = json.loads(done.out)["systems"][0]["scores"]
    assert [*scores] == ["pairs_sample", "bcub_sample", "clusters_sample"]
    assert scores["pairs_sample"]["counts"] == {"recall": [1, 3], "precision": [1, 1.5]}
    text = run("score", sides["key"], sides["response"], "-m", "pairs_sample").out
    assert "Pairs (sample)   33.33      66.67  44.44" in text


def test_none_is_scored_unless_it_is_asked_for() -> None:
    assert not set(SAMPLED.values()).intersection(DEFAULT)
