"""Labels in matching: candidates are those of equal labels, and nothing else changes."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, UsageError
from corefkit.core.mention_columns import MentionLabels
from corefkit.matching.labels import by_labels
from tests.strategies import examples


def labelled(rows: list[tuple[int, str]]) -> Corpus:
    """One entity of mentions of one token, each with a type."""
    corpus = Corpus.from_clusters({"d": [[(token, token) for token, _ in rows]]})
    return replace(corpus, mention_labels=MentionLabels.of({"type": [type for _, type in rows]}))


rows = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(["", "A", "B"])), max_size=6)


@given(key=rows, response=rows)
@examples(60)
def test_matched_is_what_is_equal_in_span_and_label(
    key: list[tuple[int, str]], response: list[tuple[int, str]]
) -> None:
    sides = labelled(key), labelled(response)
    scores = corefkit.score(*sides, "mentions", labels="type")
    ours, theirs = {*key}, {*response}
    both = len(ours & theirs)
    expected = {"recall": [both, len(ours)], "precision": [both, len(theirs)]}
    assert scores["mentions"].counts == expected


def test_a_span_with_another_label_is_not_a_copy() -> None:
    twice = labelled([(0, "A"), (0, "B")])
    assert corefkit.score(twice, twice, "mentions", labels="type")["mentions"].counts["recall"] == [
        2,
        2,
    ]
    assert corefkit.score(twice, twice, "mentions")["mentions"].counts["recall"] == [1, 1]


def test_documents_are_numbered_alike() -> None:
    one, other = by_labels(["type"], labelled([(0, "B"), (1, "A")]), labelled([(2, "A")]))
    assert one.document[1] == other.document[0] != one.document[0]


def test_the_signature_has_labels() -> None:
    options = corefkit.scorers.make_options("muc", labels="type,kb")
    from corefkit.scorers.signature import parse_signature, shorten, signature

    text = signature(options)
    assert "|labels:type+kb|" in text
    assert parse_signature(text)[0] == options == parse_signature(shorten(text))[0]
    none = corefkit.scorers.make_options("muc", "kbp", labels="none")
    for line in (signature(none), shorten(signature(none))):
        assert parse_signature(line)[0] == none
    with pytest.raises(UsageError):
        corefkit.scorers.make_options("muc", labels="none,type")
