"""The metric gap: pairs of a pronoun and a name, by gender, and the bias."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

import corefkit
from corefkit import Corpus, UsageError
from tests.formats.conformance import FOLDER
from tests.support import needs_conformance

HEADER = (
    "ID",
    "Text",
    "Pronoun",
    "Pronoun-offset",
    "A",
    "A-offset",
    "A-coref",
    "B",
    "B-offset",
    "B-coref",
    "URL",
)
ROWS = [
    ("x-1", "Ada saw Bea when she fell.", "she", 17, "Ada", 0, "TRUE", "Bea", 8, "FALSE", "u"),
    ("x-2", "Cid saw Dan when he fell.", "he", 17, "Cid", 0, "FALSE", "Dan", 8, "TRUE", "u"),
]


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key.tsv"
    path.write_text("".join("\t".join(map(str, row)) + "\n" for row in [HEADER, *ROWS]))
    return path


@needs_conformance
def test_counts_of_the_task() -> None:
    expected = json.loads((FOLDER / "gap/expected.json").read_text())
    wanted = expected["edge-key.tsv scored with edge-system.tsv"]
    gap = corefkit.score(FOLDER / "gap/edge-key.tsv", FOLDER / "gap/edge-system.tsv", "gap")["gap"]
    assert gap.classes is not None
    assert {**gap.counts} == {**wanted["overall"], "bias": None}
    assert {name: {**part.counts} for name, part in gap.classes.items()} == {
        name: wanted[name] for name in ("feminine", "masculine")
    }


@needs_conformance
def test_a_key_against_itself() -> None:
    path = FOLDER / "gap/gap-validation-head.tsv"
    gap = corefkit.score(path, path, "gap")["gap"]
    labels = [row.split("\t") for row in path.read_text(encoding="utf-8").splitlines()[1:]]
    true = sum(row[c].upper() == "TRUE" for row in labels for c in (6, 9))
    assert (gap.f1, gap.counts["bias"]) == (1, 1)
    assert (gap.counts["tp"], gap.counts["tn"]) == (true, 2 * len(labels) - true)


def test_bias_from_clusters(key: Path) -> None:
    # The second text is answered with both names: one false pair, F1 2/3.
    clusters = {"x-1": [[(17, 19), (0, 2)]], "x-2": [[(17, 18), (0, 2), (8, 10)]]}
    response = replace(Corpus.from_clusters(clusters), unit="character")
    gap = corefkit.score(key, response, "gap")["gap"]
    assert gap.classes is not None
    assert gap.classes["feminine"].f1 == 1
    assert gap.classes["masculine"].f1 == pytest.approx(2 / 3)
    assert gap.counts["bias"] == pytest.approx(3 / 2)


def test_containing_mentions(key: Path) -> None:
    # "Ada saw" contains Ada, within "Ada saw Bea"; "Dan when he" contains both of a pair.
    clusters = {
        "x-1": [[(17, 19), (0, 6)], [(0, 10), (21, 24)]],
        "x-2": [[(8, 18), (20, 23)], [(0, 2)]],
    }
    response = replace(Corpus.from_clusters(clusters), unit="character")
    assert corefkit.score(key, response, "gap")["gap"].counts["tp"] == 0
    gap = corefkit.score(key, response, "gap_containing")["gap_containing"]
    # Bea's smallest is (0, 10), another entity than that of "she"; he and Dan have one mention.
    assert {**gap.counts} == {"tp": 1, "fp": 0, "fn": 1, "tn": 2, "bias": None}
    wider = {"x-1": [[(17, 19), (0, 10)]], "x-2": []}
    wide = replace(Corpus.from_clusters(wider), unit="character")
    gap = corefkit.score(key, wide, "gap_containing")["gap_containing"]
    assert (gap.counts["tp"], gap.counts["fp"]) == (1, 1)


@pytest.mark.parametrize("past", [0, 1])
def test_a_name_at_the_very_end_of_the_text(past: int, tmp_path: Path) -> None:
    """And one that would end one character behind it."""
    text = "She met Bo and Ada"
    row = ["x-1", text, "She", "0", "Bo", "8", "FALSE", "Ada", str(15 + past), "TRUE", "u"]
    (tmp_path / "a.tsv").write_text("\n".join(map("\t".join, [HEADER, row])))
    if past:
        with pytest.raises(corefkit.DataError, match="span-outside"):
            corefkit.read(tmp_path / "a.tsv")
        return
    corpus = corefkit.read(tmp_path / "a.tsv")
    assert [*zip(corpus.start, corpus.end, strict=True)] == [(0, 2), (8, 9), (15, len(text) - 1)]


@needs_conformance
def test_containing_equals_gap_where_the_spans_are_those_of_the_key() -> None:
    path = FOLDER / "gap/gap-validation-head.tsv"
    scores = corefkit.score(path, path, "gap,gap_containing")
    assert scores["gap"].counts == scores["gap_containing"].counts


def test_answers_and_a_missing_one(key: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.tsv"
    answers.write_text("x-1\ttrue\tFALSE\n")
    gap = corefkit.score(key, answers, "gap")["gap"]
    assert {**gap.counts} == {"tp": 1, "fp": 0, "fn": 2, "tn": 1, "bias": None}
    answers.write_text("x-1\tTRUE\tFALSE\nx-2\tFALSE\tmaybe\n")
    with pytest.raises(corefkit.DataError) as error:
        corefkit.score(key, answers, "gap")
    assert [(i.id, i.line) for i in error.value.incidents] == [("label-unknown", 2)]


def test_other_keys_are_refused(key: Path, tmp_path: Path) -> None:
    corpus = Corpus.from_clusters({"x-1": [[(0, 1), (3, 4)]]})
    with pytest.raises(UsageError, match="the key must be a GAP file"):
        corefkit.score(corpus, corpus, "gap")
    with pytest.raises(UsageError, match="the key must be a GAP file"):
        corefkit.score(key, key, "gap", singletons="drop")
    answers = tmp_path / "answers.tsv"
    answers.write_text("x-1\tTRUE\tFALSE\n")
    with pytest.raises(corefkit.DataError, match="the key is not one"):
        corefkit.score(corpus, answers, "muc")
