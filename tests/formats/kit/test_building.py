"""What formats share when they build a corpus: numbers that are texts, ids that mean none."""

import json
from pathlib import Path

import pytest

import corefkit
from corefkit.formats.kit.building import same_text, whole_number
from tests import damages


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("007", 7),
        ("9" * 18, 10**18 - 1),  # the most digits of which all numbers fit into 64 bits
        ("9" * 19, None),
        ("0" * 19, None),
        ("", None),
        (None, None),
        ("-1", None),
        ("+1", None),
        (" 1", None),
        ("1.0", None),
        ("1_000", None),
        ("²", None),  # a digit, but not a decimal one
        ("\uff11", None),  # a decimal digit, but not an ASCII one
    ],
)
def test_whole_numbers(text: str | None, number: int | None) -> None:
    assert whole_number(text) == number


def test_blanks_make_no_difference() -> None:
    assert same_text("The crew", " The\n crew\t")
    assert same_text("", " ")
    assert not same_text("The crew", "the crew")
    assert not same_text("The crew", "The cre")


@pytest.mark.parametrize("ending", ["conllu", "conllua"])
@pytest.mark.parametrize("mark", ["NA", "None", "*", "_"])
def test_ids_that_look_like_none_in_brackets(mark: str, ending: str, tmp_path: Path) -> None:
    """They are ids, and all of one document are one entity, but not in silence."""
    source = tmp_path / "a.conllu"
    source.write_text(damages.corefud({"doc0": [[(0, 0), (3, 3)]]}).replace("d0e0", mark))
    if ending == "conllua":
        corefkit.write(corefkit.read(source), tmp_path / "a.conllua")
    corpus = corefkit.read(tmp_path / f"a.{ending}")
    (told,) = (i for i in corpus.incidents if i.id == "id-like-none")
    assert (told.severity, told.count, told.document) == ("warning", 1, "doc0")
    assert f"2 mentions have the entity '{mark}'" in told.message
    assert corpus.clusters() == {"doc0": [[(0, 0), (3, 3)]]}


def test_keys_of_clusters_that_look_like_none(tmp_path: Path) -> None:
    row = {"doc_key": "a", "sentences": [["x", "y"]], "clusters": {"NA": [[0, 0], [1, 1]]}}
    (tmp_path / "a.jsonl").write_text(json.dumps(row))
    assert [i.id for i in corefkit.check(tmp_path / "a.jsonl")] == ["id-like-none"]
