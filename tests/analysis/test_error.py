"""Single errors: what they read where mentions are long, and what is counted of their entities."""

from dataclasses import replace
from pathlib import Path

from bench.growth import SHAPES

import corefkit
from corefkit.analysis.error import Details
from corefkit.core.tokens import MOST_WORDS
from tests.support import EXAMPLES

KEY, HASTY = EXAMPLES / "key.conll", EXAMPLES / "hasty.conll"


def test_brief_errors_are_cut_whatever_the_length_of_mentions(tmp_path: Path) -> None:
    """So that the texts of long crossing mentions take linear space."""
    _, make = SHAPES["report, crossing mentions"]
    for side, text in zip(("key", "response"), make(1000), strict=True):
        (tmp_path / f"{side}.conll").write_text(text)
    errors = corefkit.errors(tmp_path / "key.conll", tmp_path / "response.conll")
    assert max(len(error.first.text.split()) for error in errors) > 400
    brief: Details = replace(errors.details, brief=True)
    for error in brief:
        placed = (error.should.mention, error.was.mention)
        texts = [mention.text for mention in (*error.mentions, *placed) if mention]
        texts += [error.context.before, error.context.behind]
        assert max(len(text.split()) for text in texts) <= 2 * MOST_WORDS + 1


def test_brief_errors_are_the_errors() -> None:
    """Where mentions are short, nothing is cut but contexts that are longer than any page shows."""
    errors = corefkit.errors(KEY, HASTY)
    for one, brief in zip(errors, replace(errors.details, brief=True), strict=True):
        assert one.to_dict() == brief.to_dict()
        assert one.context.shortened(60) == brief.context.shortened(60)


def test_likeness_is_that_of_each_pair() -> None:
    errors = corefkit.errors(KEY, HASTY)
    sides = {"extra-mention": errors.table.response, "missing-mention": errors.table.key}
    compared = 0
    for error in errors:
        if error.type not in sides:
            continue
        side, row = sides[error.type], error.first.row
        rows = [r for r in side.members[int(side.entity[row])].tolist() if r != row]
        others = [errors.details.mention(r) for r in rows]
        same_text = any(o.text.lower() == error.first.text.lower() for o in others)
        same_head = any(o.head_word.lower() == error.first.head_word.lower() for o in others)
        found = error.evidence["same_text"], error.evidence["same_head"]
        assert found == (same_text, same_head)
        compared += 1
    assert compared > 10
