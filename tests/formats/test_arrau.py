"""What is told of the minima of ARRAU files, and how they are then read."""

import pytest

from corefkit import Corpus
from corefkit.core.options import Reading
from corefkit.formats import arrau

ROWS = "TOKEN MARKABLE MIN REFERENCE\nthe B-m=s {} new\ntall I-m=s {} new\nship I-m=s {} new\n"


def read(minimum: str) -> Corpus:
    return arrau.parse(ROWS.format(*[minimum] * 3).encode(), "tale.CONLL", Reading())


@pytest.mark.parametrize(
    ("minimum", "tokens"),
    [("word_3", [2, 2]), ("word_2..word_3", [1, 2]), ("_", None), ("-", None)],
)
def test_minima(minimum: str, tokens: list[int] | None) -> None:
    corpus = read(minimum)
    assert (None if corpus.minimum is None else corpus.minimum[0].tolist()) == tokens
    assert corpus.incidents == ()


@pytest.mark.parametrize("minimum", ["3", "word_3..", "word_", "word_2,word_3", "ship"])
def test_what_is_no_minimum_is_told_once(minimum: str) -> None:
    corpus = read(minimum)
    assert corpus.minimum is None
    (incident,) = corpus.incidents
    assert (incident.id, incident.severity, incident.line) == ("min-unreadable", "warning", 2)
    assert incident.found == minimum
    assert incident.hint == "Write word_7, or word_7..word_9 for words 7 to 9"


def test_a_minimum_outside_is_told() -> None:
    assert [(i.id, i.line) for i in read("word_4").incidents] == [("min-outside", 2)]
