"""An Evaluator that matches spans by their heads scores what files would score."""

import pickle
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import corefkit
from corefkit import Corpus, Evaluator, UsageError
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.counting import count_comparison, count_table

Clusters = list[list[tuple[int, ...]]]

KEY: Clusters = [[(0, 2, 1), (5, 5)], [(7, 9, 8), (11, 11)], [(13, 15, 13)]]
RESPONSE: Clusters = [[(1, 1), (5, 5)], [(8, 9, 8), (11, 12, 11)], [(14, 15, 15)]]


def corpus(documents: list[Clusters]) -> Corpus:
    plain = Corpus.from_clusters(
        {
            str(n): [[(m[0], m[1]) for m in cluster] for cluster in clusters]
            for n, clusters in enumerate(documents)
        }
    )
    heads = [m[2] if len(m) > 2 else m[0] for d in documents for c in d for m in c]
    return replace(plain, head=np.array(heads, dtype=np.int64))


@pytest.mark.parametrize("profile", ["standard", "corefud", "corefud-1.1"])
@pytest.mark.parametrize("match", ["exact", "partial", "head"])
@pytest.mark.parametrize("singletons", ["keep", "drop"])
def test_as_corpora(profile: str, match: Any, singletons: Any) -> None:
    metrics = "muc,bcub,ceafe,ceafm,blanc,lea,mor,conll"
    evaluator = Evaluator(metrics, profile=profile, match=match, singletons=singletons)
    other = pickle.loads(pickle.dumps(evaluator))
    evaluator.update(KEY, RESPONSE)
    other.update(RESPONSE, KEY)
    found = evaluator.merge(other).scores()
    expected = corefkit.score(
        corpus([KEY, RESPONSE]),
        corpus([RESPONSE, KEY]),
        metrics,
        profile,
        match=match,
        singletons=singletons,
    )
    assert found.to_dict() == expected.to_dict()


def test_heads_decide() -> None:
    """Four of five mentions have the heads of the key, one is equal."""
    matches: list[tuple[Any, int]] = [("exact", 1), ("partial", 3), ("head", 4)]
    for match, number in matches:
        scores = Evaluator("mentions", match=match).update(KEY, RESPONSE).scores()
        assert scores["mentions"].counts["recall"] == [number, 5]


def test_a_span_that_is_there_twice_counts_once() -> None:
    doubled: Clusters = [*RESPONSE, [(1, 1), (20, 20)]]
    scores = Evaluator("mentions", match="head").update(KEY, doubled).scores()
    assert scores["mentions"].counts["precision"] == [4, 6]
    assert [incident.id for incident in scores.incidents] == ["span-in-two-entities"]


@pytest.mark.parametrize(
    ("mention", "error"),
    [((0, 2), ValueError), (7, TypeError), ("ab", TypeError), ((3, 1, 2), ValueError)],
)
def test_mentions_must_have_heads(mention: Hashable, error: type[Exception]) -> None:
    with pytest.raises(error, match="head"):
        Evaluator(match="head").update([[mention]], [])


def test_scorers_that_know_equal_spans_only() -> None:
    with pytest.raises(UsageError):
        Evaluator(profile="conll-8.01", match="head")


@pytest.mark.parametrize("mention", [(True, 1, 1), (0, True, 0), (0, 1, True)])
def test_true_is_not_a_token(mention: tuple[int, ...]) -> None:
    evaluator = Evaluator("muc", match="head")
    with pytest.raises(TypeError, match="a mention is"):
        evaluator.update([[mention, (3, 3)]], [[(0, 1, 1), (3, 3)]])
    with pytest.raises(TypeError, match="not False"):
        evaluator.update([[(0, 0)], [(2, 2)]], [[(0, 0)]], split=({1: [False]}, {}))


def test_split_only_counts_plurals_alone_where_there_are_none() -> None:
    """A table, as of the documents of an Evaluator or of repairs, has no plurals."""
    options = make_options("muc,mentions", split="only")
    key = corpus([[[(0, 0), (1, 1)], [(2, 2)]]])
    scorer = scorer_for(options)
    side = scorer.read(key)
    comparison = scorer.compare_unified(side, side)
    table = scorer.lookups(comparison).sides[0]
    counts = count_comparison(scorer, comparison).tables, count_table(options, table).tables
    for tables in counts:
        assert [column.tolist() for column in tables["muc"]] == [[0.0]] * 4
        assert [column.tolist() for column in tables["mentions"]] == [[3]] * 4
