"""What must hold of every score, whatever the data (DESIGN section 4)."""

import pickle
from collections.abc import Sequence
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import Evaluator, Scores
from corefkit.core.options import DEFAULT
from tests.strategies import Document, Side, corpora, examples

SYMMETRIC = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea")


def evaluate(documents: Sequence[Document]) -> Scores:
    evaluator = Evaluator()
    for key, response in documents:
        evaluator.update(key, response)
    return evaluator.scores()


@given(corpora())
def test_key_against_itself_is_perfect(documents: list[Document]) -> None:
    scores = evaluate([(key, key) for key, _ in documents])
    mentions = [sum(map(len, key)) for key, _ in documents]
    links = any(len(entity) > 1 for key, _ in documents for entity in key)
    for metric in DEFAULT:
        nothing = not any(mentions)
        if metric in ("muc", "conll"):
            nothing = not links
        if metric == "blanc":
            nothing = max(mentions, default=0) < 2
        if metric == "conll" and nothing and any(mentions):
            assert scores.conll == pytest.approx(2 / 3)
        else:
            assert scores[metric].f1 == (0 if nothing else 1), metric


@given(corpora(), st.randoms())
def test_names_and_order_do_not_matter(documents: list[Document], random: object) -> None:
    shuffle = getattr(random, "shuffle")  # noqa: B009 (hypothesis types it as Random)

    def renamed(side: Side) -> list[list[str]]:
        entities = [[f"mention {m}" for m in entity] for entity in side]
        for entity in entities:
            shuffle(entity)
        return entities

    others = [(renamed(key), renamed(response)) for key, response in documents]
    shuffle(others)
    evaluator = Evaluator()
    for key, response in others:
        evaluator.update(key, response)
    assert evaluator.scores().to_dict() == evaluate(documents).to_dict()


@given(corpora())
def test_exchanging_sides_exchanges_recall_and_precision(documents: list[Document]) -> None:
    one = evaluate(documents)
    other = evaluate([(response, key) for key, response in documents])
    for metric in SYMMETRIC:
        assert (one[metric].recall, one[metric].precision, one[metric].f1) == pytest.approx(
            (other[metric].precision, other[metric].recall, other[metric].f1), abs=1e-14
        )
    counts, exchanged = one["blanc"].counts, other["blanc"].counts
    for kind in counts:
        assert counts[kind]["recall"] == exchanged[kind]["precision"]
    # The score itself, where neither side lacks a kind of link.
    if all(counts[kind][side][1] for kind in counts for side in ("recall", "precision")):
        assert one["blanc"].recall == pytest.approx(other["blanc"].precision, abs=1e-14)
        assert one["blanc"].f1 == pytest.approx(other["blanc"].f1, abs=1e-14)


@given(corpora(5), st.integers(0, 5))
def test_shards_sum_to_the_whole(documents: list[Document], cut: int) -> None:
    shards = []
    for part in (documents[:cut], documents[cut:]):
        evaluator = Evaluator()
        evaluator.update_batch([k for k, _ in part], [r for _, r in part])
        shards.append(pickle.loads(pickle.dumps(evaluator)))
    merged = shards[0].merge(shards[1])
    assert merged.scores().to_dict() == evaluate(documents).to_dict()
    assert len(merged) == len(documents)


@examples(25)
@given(corpora(3))
def test_every_order_of_documents(documents: list[Document]) -> None:
    expected = evaluate(documents).to_dict()
    for order in permutations(documents):
        assert evaluate(order).to_dict() == expected


@given(corpora())
def test_scores_are_between_0_and_1(documents: list[Document]) -> None:
    for score in evaluate(documents).values():
        for value in (score.recall, score.precision, score.f1):
            assert value is None or 0 <= value <= 1 + 1e-15
