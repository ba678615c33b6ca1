"""What can be wrong with CoNLL-UA files: a tiny file for each kind."""

from pathlib import Path

import pytest

import corefkit
from corefkit.core.incidents import find_kind
from corefkit.formats.kit.reading import read_all
from corefkit.formats.options import make_reading
from corefkit.scoring.check import check
from tests.support import kinds_of

FIXTURES = Path(__file__).parents[2] / "fixtures" / "incidents"

LINES = {
    "feature-missing": 4,
    "markable-in-two-entities": 6,
    "element-cycle": 4,
    "element-unknown": 4,
    "min-outside": 4,
    "min-unreadable": 4,
    "bridge-unknown": 4,
    "zero-in-mention": 5,
    "pseudo-shared": 6,
    "pseudo-misspelt": 4,
}


@pytest.mark.parametrize("kind", LINES)
def test_alone(kind: str) -> None:
    (incident,) = check(FIXTURES / f"{kind}.conllua")
    assert (incident.id, incident.severity) == (kind, find_kind(kind).severity)
    assert incident.line == LINES[kind]
    assert incident.column is not None
    assert incident.hint


def test_no_kind_is_forgotten() -> None:
    assert kinds_of("formats/conllua") <= {*LINES}


def test_no_minimum() -> None:
    path = FIXTURES / "min-none.conllua"
    scores = corefkit.score(path, path, match="partial")
    assert [incident.id for incident in scores.incidents] == ["min-none", "same-file"]
    assert scores["mentions"].f1 == 1.0
    assert [incident.id for incident in corefkit.score(path, path).incidents] == ["same-file"]


@pytest.mark.parametrize(
    ("cell", "kind"),
    [
        ("(EntityID=1", "bracket-unclosed"),
        (")", "bracket-unopened"),
        ("b)", "bracket-unopened"),
        ("1", "coreference-text"),
        ("(EntityID=1)x", "coreference-text"),
    ],
)
def test_brackets(cell: str, kind: str, tmp_path: Path) -> None:
    path = tmp_path / "tale.conllua"
    row = "\t".join(["1", "Ada", *["_"] * 8, cell, "_", "_"])
    path.write_text(
        f"# global.columns = ID IDENTITY\n# newdoc id = a\n{row}\n".replace(
            "ID IDENTITY", "ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY BRIDGING D"
        )
    )
    (incident,) = check(path)
    assert (incident.id, incident.line) == (kind, 3)


def test_headers_and_documents(tmp_path: Path) -> None:
    path = tmp_path / "tale.conllua"
    row = "\t".join(["1", "Ada", *["_"] * 8, "(EntityID=1)"])
    head = "# global.columns = ID FORM LEMMA UPOS XPOS FEATS HEAD DEPREL DEPS MISC IDENTITY\n"
    wrong = {
        f"{row}\n": "no-document",
        f"{head}{row}\n": "token-outside",
        f"{head}# newdoc id =\n{row}\n": "document-unnamed",
        f"{head}# newdoc id = a\n{row}\n\n# newdoc id = a\n{row}\n": "document-twice",
        f"{head}# newdoc id = a\n1\tAda\n": "column-missing",
    }
    for text, kind in wrong.items():
        path.write_text(text)
        found = read_all(path, make_reading(format="conllua")).incidents
        assert [i.id for i in found if i.severity == "error"] == [kind]
