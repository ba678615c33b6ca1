"""Every kind of incident of CorefUD files: one tiny file and one test each."""

from pathlib import Path

import pytest

from corefkit import DataError, score
from corefkit.core.incidents import find_kind
from corefkit.scoring.check import check
from tests.support import ROOT, kinds_of

FIXTURES = ROOT / "tests" / "fixtures" / "incidents"

ALONE: dict[str, tuple[int, int | None]] = {
    "columns": (5, None),
    "id-bad": (5, None),
    "sentence-empty": (6, None),
    "comment-misplaced": (5, None),
    "format-old": (3, None),
    "newdoc-missing": (1, None),
    "declaration-missing": (3, None),
    "declaration-differs": (6, None),
    "declaration-bad": (2, None),
    "declaration-order": (2, None),
    "entity-bad": (4, 28),
    "id-of-entity-bad": (4, 28),
    "attribute-twice": (4, 43),
    "attributes-too-many": (4, 28),
    "entity-on-token-range": (4, 33),
    "head-bad": (4, 28),
    "head-out-of-range": (4, 28),
    "part-unexpected": (6, 27),
    "part-missing": (4, 28),
    "parts-overlap": (4, 28),
    "part-differs": (6, 27),
    "entity-in-two-documents": (8, 28),
    "etype-unknown": (4, 28),
    "etype-differs": (6, 27),
    "relation-bad": (6, 20),
    "relation-misplaced": (5, 21),
    "relation-to-itself": (6, 20),
    "relation-unknown": (6, 20),
    "relation-twice": (6, 20),
    "antecedent-alone": (6, 35),
    "deps-bad": (5, 19),
    "mentions-cross": (5, 28),
}
"""Kinds that a file shows by itself, with line and column."""


@pytest.mark.parametrize("kind", ALONE)
def test_alone(kind: str) -> None:
    path = FIXTURES / f"{kind}.conllu"
    (incident,) = check(path)
    assert (incident.id, incident.severity) == (kind, find_kind(kind).severity)
    assert (incident.line, incident.column) == ALONE[kind]
    assert incident.file == str(path)
    assert incident.hint == find_kind(kind).do
    assert incident.found


WRITING = {"mention-across-sentences"}
"""Kinds that only writing shows; see test_writer."""

AGAINST = {"sentences-missing": None, "sentences-extra": 11, "sentence-differs": 7}
"""Kinds that show when a response is compared with the key, with the line."""


@pytest.mark.parametrize("kind", AGAINST)
def test_against_a_key(kind: str) -> None:
    key = FIXTURES.parent / "key.conllu"
    (incident,) = check(FIXTURES / f"{kind}.conllu", against=key)
    assert (incident.id, incident.severity) == (kind, find_kind(kind).severity)
    assert incident.line == AGAINST[kind]
    assert [i.id for i in check(key, against=key)] == ["same-file"]


def test_other_names_of_sentences_are_an_error_on_demand() -> None:
    paths = FIXTURES.parent / "key.conllu", FIXTURES / "sentence-differs.conllu"
    assert score(*paths, "muc")["muc"].recall == 1
    with pytest.raises(DataError) as error:
        score(*paths, "muc", strict=True)
    assert [i.id for i in error.value.incidents] == ["sentence-differs"]


def test_no_kind_is_forgotten() -> None:
    kinds = {kind for kind in kinds_of("formats/conllu") if not kind.startswith("text-")}
    assert kinds <= {*ALONE, *AGAINST, *WRITING}


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("1", None),
        ("000001", None),
        ("2", "head-out-of-range"),
        ("999999", "head-out-of-range"),
        ("0000001", "head-bad"),  # more than six digits are not read
        ("1000000", "head-bad"),
        ("1" * 30, "head-bad"),
        ("0", "head-bad"),
        ("1x", "head-bad"),
        ("x", "head-bad"),
    ],
)
def test_heads_are_numbers_of_few_digits(head: str, kind: str | None, tmp_path: Path) -> None:
    """A mention of one node, whose only head is its first."""
    text = (FIXTURES / "head-out-of-range.conllu").read_text(encoding="utf-8")
    (tmp_path / "a.conllu").write_text(text.replace("(e1--2)", f"(e1--{head})"), encoding="utf-8")
    found = check(tmp_path / "a.conllu")
    assert [incident.id for incident in found] == ([kind] if kind else [])
    if found:
        assert f"(e1--{head})" in str(found[0].found)


@pytest.mark.parametrize("value", ["(e1--1)", "junk", "(e1", "()", "(e1--9)"])
def test_entities_on_token_ranges_are_not_read(value: str, tmp_path: Path) -> None:
    """They are reported as such and, whatever stands there, as nothing else."""
    text = (FIXTURES / "entity-on-token-range.conllu").read_text(encoding="utf-8")
    lines = text.split("\n")
    place = next(i for i, line in enumerate(lines) if line.startswith("1-2\t"))
    lines[place] = lines[place].rpartition("Entity=")[0] + f"Entity={value}"
    (tmp_path / "a.conllu").write_text("\n".join(lines), encoding="utf-8")
    assert [i.id for i in check(tmp_path / "a.conllu")] == ["entity-on-token-range"]


@pytest.mark.parametrize(
    ("first", "expected"),
    [("-person-1", "-person-1, as the first part"), ("", "none, as the first part")],
)
def test_what_the_parts_of_a_mention_should_have(first: str, expected: str, tmp_path: Path) -> None:
    text = (FIXTURES / "part-differs.conllu").read_text(encoding="utf-8")
    text = text.replace("(e1[1/2]-person-1)", f"(e1[1/2]{first})")
    (tmp_path / "a.conllu").write_text(text, encoding="utf-8")
    (found,) = (i for i in check(tmp_path / "a.conllu") if i.id == "part-differs")
    assert found.expected == expected
