"""Decisions: which document and spans an entry is about."""

from typing import Any

import pytest

from corefkit import DataError
from corefkit.plugins.adjudication.decisions import Decision, parse_decisions


def resolved(item: str, *documents: str, **fields: Any) -> object:
    spans = fields.get("spans")
    listed = None if spans is None else tuple(spans)
    return Decision(item, fields.get("document"), listed, "yes", fields).resolve({*documents})


def test_documents_with_blanks_in_their_names() -> None:
    name = "(nw/x); part 000"
    assert resolved(f"link {name} 5 21", name) == (name, ("5", "21"))
    assert resolved(f"mention {name} 5", "(nw/x);", name) == (name, ("5",))
    assert resolved(f"boundary {name} 0-2 1-2 2", name) == (name, ("0-2", "1-2", "2"))
    assert resolved("mention tale 1 2", "tale", "tale 1") == ("tale 1", ("2",))
    assert resolved("boundary tale 1 2 3", "tale", "tale 1") == ("tale 1", ("2", "3"))


def test_what_names_no_document() -> None:
    assert resolved("mention story 1", "tale") is None
    assert resolved("mention tale", "tale") is None
    assert resolved("link tale 1", "tale") is None
    assert resolved("mention tale 1", "tale", document="story", spans=["1"]) is None


def test_fields_count_before_the_id() -> None:
    assert resolved("link for people", "tale", document="tale", spans=["0", "2"]) == (
        "tale",
        ("0", "2"),
    )
    assert resolved("mention tale 1", "tale", document="tale") == ("tale", ("1",))
    assert resolved("mention tale 1", "tale", spans=["1"]) == ("tale", ("1",))


def test_unknown_fields_are_kept() -> None:
    entry = {"item": "mention tale 1", "choice": None, "colour": "red", "discuss": True}
    log = {"corefkit": "adjudication", "version": 1, "decisions": [entry], "more": 1}
    (decision,) = parse_decisions(log).decisions
    assert decision.fields == entry
    assert decision.discuss


def test_a_choice_must_be_an_option() -> None:
    decision = Decision("mention tale 1", None, None, "perhaps", {}, ("$.decisions[3]", "log.json"))
    with pytest.raises(DataError) as error:
        decision.choose(("yes", "no"))
    (incident,) = error.value.incidents
    assert (incident.id, incident.file) == ("json-shape", "log.json")
    assert incident.message.startswith("unexpected JSON at $.decisions[3].choice")
