"""How well a changed text fits that of a key."""

import json
from pathlib import Path

import pytest

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.corpus import concat
from corefkit.render.pages.report import page_data
from corefkit.scorers import make_options
from corefkit.scoring.align import LostMention, TextDifference
from corefkit.scoring.errors import find_errors
from corefkit.stats.error_pages import error_page
from tests.oracle import alignment as oracle
from tests.support import run

WORDS = ["The", "crew", "did", "n't", "trust", "the", "pilot", ".", "It", "slept", "."]
TEXT = "Sure:\n[The crew](#1) didn’t trust [you](#2)"


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    key = tmp_path / "key.jsonlines"
    row = {"doc_key": "tale", "sentences": [WORDS], "clusters": [[[0, 1], [8, 8]], [[5, 6]]]}
    key.write_text(json.dumps(row))
    (tmp_path / "answer.md").write_text(TEXT, encoding="utf-8")
    return key, tmp_path / "answer.md"


def test_fit(files: tuple[Path, Path]) -> None:
    found = corefkit.align(*files)
    (fit,) = found.documents
    assert (fit.document, fit.words, fit.mentions) == ("tale", 11, 2)
    assert fit.places[0] == TextDifference(0, "", "Sure:", 0, 1, 0)
    assert fit.lost == (LostMention("you", "2", 2),)
    assert fit.truncated
    wanted = oracle.place(WORDS, "Sure:\nThe crew didn’t trust you", [])
    assert found.coverage == fit.coverage == wanted.coverage
    assert fit.dropped > 0


def test_command(files: tuple[Path, Path]) -> None:
    done = run("check", files[1], "--against", files[0])
    assert done.status == 0
    assert "coverage: 51.4 %, the text ends early" in done.out
    assert "mentions: 2, 1 of them without a place in the key" in done.out
    assert "line 2: 'you' of entity 2 has no place" in done.out
    assert (
        "… and 1 more place" in run("check", files[1], "--against", files[0], "--places", "1").out
    )
    (about,) = json.loads(run("check", files[1], "--against", files[0], "-f", "json").out)["files"]
    assert about["path"] == str(files[1])
    assert about["text"] == json.loads(json.dumps(corefkit.align(*files).to_dict()))
    assert run("check", "nothing.md", "--against", files[0]).status == 1
    assert "see corefkit check --against" in run("align", *files).err
    same = run("check", files[0], "--against", files[0], "-f", "json")
    assert "files" not in json.loads(same.out)


def test_several_documents() -> None:
    rows = [
        {"doc_key": f"tale_{n}", "sentences": [WORDS], "clusters": [[[0, 1]]]} for n in range(2)
    ]
    key = Corpus.from_records(rows)
    rows[1]["sentences"] = [["Another", "tale"]]
    rows[1]["clusters"] = []
    response = Corpus.from_records(rows)
    found = corefkit.align(key, response)
    first, second = found.documents
    assert (first.coverage, first.places) == (1.0, ())
    assert second.coverage < 0.5
    assert found.coverage == (first.coverage + second.coverage) / 2
    assert corefkit.align(key, concat([response])).coverage == found.coverage


def test_names_that_do_not_meet(files: tuple[Path, Path], tmp_path: Path) -> None:
    two = tmp_path / "two.txt"
    two.write_text("<m> A | 1 </m>\n<m> B | 1 </m>\n")
    with pytest.raises(DataError, match="documents"):
        corefkit.align(files[0], two)


def test_strings_are_placed_as_score_places_them(files: tuple[Path, Path], tmp_path: Path) -> None:
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps({"clusters": [["The crew", "It", "him"], ["the pilot"]]}))
    found = corefkit.align(files[0], answer)
    (fit,) = found.documents
    assert (fit.coverage, fit.mentions, fit.truncated, fit.places) == (1, 4, False, ())
    assert [lost.text for lost in fit.lost] == ["him"]
    assert [(i.id, i.found) for i in found.incidents] == [("answer-absent", "'him'")]
    assert corefkit.score(files[0], answer)["mentions"].counts["precision"] == [3, 4]


def test_all_signatures_say_that_and_how_well_texts_were_aligned(
    files: tuple[Path, Path],
) -> None:
    """Those of errors and report said nothing, that of compare was the first system's."""
    key, answer = files
    aligned = "|align:characters|coverage:0.514|"
    for command in ("score", "errors"):
        assert aligned in run(command, key, answer, "-m", "conll").out
    full = "|align:characters|unaligned:count|coverage:0.514|"
    report = find_errors(key, [answer], make_options("conll"))
    assert all(full in of.signature for of in (report, corefkit.errors(key, answer)))
    assert full in page_data(error_page(report))["signature"]
    for order, shown in (((key, answer), "1+0.514"), ((answer, key), "0.514+1")):
        assert f"|coverage:{shown}|" in corefkit.compare(key, *order).signature
