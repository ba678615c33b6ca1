"""What an error should have been and what it was, against the oracle."""

from pathlib import Path

from hypothesis import given

import corefkit
from corefkit.analysis.error import Placement
from tests.analysis.support import Document, Span
from tests.analysis.test_against_oracle import analysis, each, errors_of, some_documents
from tests.support import EXAMPLES


def told(placement: Placement) -> tuple[str, Span | None]:
    mention = placement.mention
    return placement.relation, None if mention is None else (mention.start, mention.end)


@given(some_documents)
@each
def test_placements(tmp_path: Path, given: list[Document]) -> None:
    oracles = {f"(d{number}); part 000": analysis(one) for number, one in enumerate(given)}
    for error in errors_of(given, tmp_path):
        mentions = frozenset((m.start, m.end) for m in error.mentions if m.row >= 0)
        expected = oracles[error.document].placements(error.type, mentions)
        assert (told(error.should), told(error.was)) == expected
        for placement in (error.should, error.was):
            if placement.mention is not None:
                assert placement.tokens == error.first.start - placement.mention.start
                assert placement.sentences == 0


def test_in_words() -> None:
    found = corefkit.errors(EXAMPLES / "key.conll", EXAMPLES / "hasty.conll")
    (error,) = (e for e in found if e.id == "(nw/harbour/00/harbour_0001); part 000/conflated/3")
    assert error.should.relation == "belongs with" and error.was.relation == "put with"
    assert error.should.mention is not None and error.was.mention is not None
    assert error.should.mention.text == "Brightwater , the company that built the wall ,"
    assert (error.should.sentences, error.was.mention.text) == (1, "the wall")
    content = error.to_dict()
    assert content["should"]["line"] == error.should.mention.line
    assert content["was"]["distance"] == {"sentences": 1, "tokens": error.was.tokens}
    row = error.to_row()
    assert (row["should"], row["should_text"]) == ("belongs with", error.should.mention.text)
    assert (row["was"], row["was_text"], row["was_distance"]) == ("put with", "the wall", 7)
