"""Repeated spans and singletons."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.mention_columns import MentionLabels, Ragged
from corefkit.core.nodes import kept_copies, repeated_spans
from corefkit.core.options import Options
from corefkit.scorers.scorer import Scorer
from tests.oracle import conll as oracle
from tests.support import EXAMPLES

SPANS = st.tuples(st.integers(0, 3), st.integers(0, 2)).map(lambda s: (s[0], s[0] + s[1]))
CLUSTERS = st.lists(st.lists(SPANS, min_size=1, max_size=4), max_size=4)


@given(st.lists(CLUSTERS, max_size=3))
def test_repeated_spans_as_the_oracle_settles_them(
    documents: list[list[list[tuple[int, int]]]],
) -> None:
    named = {str(i): clusters for i, clusters in enumerate(documents)}
    corpus = Corpus.from_clusters(named)
    kept = corpus.take(kept_copies(corpus, repeated_spans(corpus))).clusters()
    for name, clusters in named.items():
        found = sorted(map(sorted, kept[name]))
        assert found == sorted(map(sorted, oracle.first_copies(clusters)))


@given(CLUSTERS)
def test_repeated_spans_are_those_that_occur_twice(clusters: list[list[tuple[int, int]]]) -> None:
    corpus = Corpus.from_clusters({"d": clusters})
    spans = list(zip(corpus.start.tolist(), corpus.end.tolist(), strict=True))
    assert repeated_spans(corpus).tolist() == [spans.count(s) > 1 for s in spans]


def test_incidents_say_where(tmp_path: Path) -> None:
    path = tmp_path / "key.conll"
    path.write_text("#begin document d\nx 0 0 w (1)|(2)\nx 0 1 w (3)|(3)\n")
    scores = corefkit.score(path, path)
    mine = scores.incidents[:2]
    assert [(i.id, i.line, i.column) for i in mine] == [
        ("span-in-two-entities", 2, 13),
        ("span-twice", 3, 13),
    ]
    assert mine[0].message == "the same span is in entity 1 and in entity 2"
    assert scores["mentions"].counts["recall"] == [2, 2]
    with pytest.raises(DataError, match="span-in-two-entities"):
        corefkit.score(path, path, duplicates="error")


def test_ids_that_are_not_numbers_are_told_in_any_format() -> None:
    """The reference scorer sees numbers only; a score of 0 without a word would be a riddle."""
    drawer = EXAMPLES / "drawer.conllu"
    scores = corefkit.score(drawer, drawer, "mentions", "conll-8.01")
    assert scores["mentions"].counts["recall"] == [0, 0]
    assert [i.id for i in scores.incidents] == [*["ids-unseen"] * 2, "same-file"]
    assert scores.incidents[0].message.startswith("9 ")


def test_singletons_are_dropped_after_copies() -> None:
    corpus = Corpus.from_clusters({"d": [[(0, 0), (1, 1)], [(1, 1), (2, 2)], [(3, 3)]]})
    scored = Scorer(Options(singletons="drop")).read(corpus).scored
    assert scored.clusters() == {"d": [[(0, 0), (1, 1)]]}


@given(CLUSTERS)
def test_dropping_singletons(clusters: list[list[tuple[int, int]]]) -> None:
    kept = Corpus.from_clusters({"d": clusters}).drop_singletons()
    assert kept.clusters()["d"] == [c for c in clusters if len(c) > 1]
    assert kept.labels == tuple(str(i) for i, c in enumerate(clusters) if len(c) > 1)


def test_a_copy_is_reported_with_the_span_of_the_same_labels() -> None:
    """Spans with different labels are not copies of each other, so they keep different entities."""
    clusters = {name: [(0, 0), (place, place)] for place, name in enumerate("ABCD", 1)}
    labels = ["PER", "", "PER", "", "ORG", "", "ORG", ""]
    corpus = replace(
        Corpus.from_clusters({"d": clusters}), mention_labels=MentionLabels.of({"type": labels})
    )
    side = Scorer(Options(metrics=("muc",), labels=("type",))).read(corpus)
    assert [i.message for i in side.incidents] == [
        "the same span is in entity A and in entity B",
        "the same span is in entity C and in entity D",
    ]


def test_the_longer_first_mention_decides_among_discontinuous_ones_too() -> None:
    """Both entities begin at one token with a gap; the one that reaches further keeps the copy."""
    corpus = Corpus.from_clusters({"d": [[(0, 2), (7, 7)], [(0, 4), (7, 7)]]})
    parts = Ragged.of([(0, [(0, 0), (2, 0)]), (2, [(0, 0), (4, 0)])])
    discontinuous = replace(corpus, nodes=parts)
    assert kept_copies(discontinuous, repeated_spans(discontinuous)).tolist() == [1, 0, 1, 1]


def test_of_copies_in_one_entity_that_stays_which_was_opened_first(tmp_path: Path) -> None:
    """Rows are in the order of closing brackets, and the first of these belongs to the second."""
    path = tmp_path / "twice.conll"
    path.write_text("#begin document d\nd 0 0 a (1|(1\nd 0 1 b 1)|1)\n\n#end document\n")
    corpus = corefkit.read(path)
    kept = kept_copies(corpus, repeated_spans(corpus))
    assert corpus.byte[kept].tolist() == [corpus.byte.min()]
    assert corpus.byte.tolist() != sorted(corpus.byte.tolist())
