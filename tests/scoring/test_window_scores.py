"""Strata of documents that are cut: labels after the cut, as in files cut by hand."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, Scores, UsageError
from corefkit.scoring.parts import Part
from tests.scorers.test_windows import CONLLU, HASTY, KEY, both, score_cut, some_documents
from tests.strategies import Document, examples
from tests.support import run

METRICS = "mentions,muc,bcub,ceafm,ceafe,blanc,lea,conll"
LABELS = ("entity:size=1,2,3", "entity:spread=0,3,9", "entity:major=2", "entity:major=top:1")
LINKS = ("link:tokens=0,3,9", "link:mentions=1,2,4")


def figures(scores: Scores, by: str) -> dict[str, Any]:
    """What was counted in each stratum; sums of fractions may differ in their last digit."""
    return {
        label: (
            stratum.key,
            stratum.response,
            {
                name: pytest.approx(_numbers(score.counts), abs=1e-9)
                for name, score in stratum.items()
            },
        )
        for label, stratum in scores.split(by).items()
    }


def values(scores: Scores, by: str) -> dict[str, Any]:
    return {
        label: (
            stratum.key,
            stratum.response,
            {name: _numbers(score.counts) for name, score in stratum.items()},
        )
        for label, stratum in scores.split(by).items()
    }


def _numbers(counts: Any) -> list[float]:
    if not isinstance(counts, dict):
        return list(counts)
    return [number for part in counts.values() for number in _numbers(part)]


@examples(25)
@given(some_documents(3), st.integers(1, 15), st.sampled_from(["keep", "drop"]), st.booleans())
def test_strata_equal_those_of_files_cut_by_hand(
    parts: list[Document], width: int, singletons: str, long: bool
) -> None:
    sides = both(parts, long)
    row, by_hand = score_cut(*sides, METRICS, width, singletons)
    for by in (*LABELS, *LINKS):
        assert values(row.scores, by) == figures(by_hand, by)
    row, by_hand = score_cut(*sides, "mentions,muc,bcub,ceafm,lea", width, "keep")
    for by in ("nested", "entity-size"):
        assert values(row.scores, by) == figures(by_hand, by)


@examples(20)
@given(some_documents(3), st.integers(1, 15), st.sampled_from(["standard", "e2e"]))
def test_strata_add_up_to_the_window(parts: list[Document], width: int, profile: str) -> None:
    key, response = (Corpus.from_clusters(side) for side in both(parts))
    row = corefkit.score(key, response, None, profile, window=width).windows[0]
    strata = row.scores.split("entity:size").values()
    for name, score in row.scores.items():
        columns = zip(*(_numbers(stratum[name].counts) for stratum in strata), strict=True)
        sums = [sum(column) for column in columns]
        if "recall" in score.counts and sums:
            assert sums == pytest.approx(_numbers(score.counts), abs=1e-9)


def labelled(row: Part[Scores], by: str) -> dict[str, tuple[int | None, int | None]]:
    """Entities and mentions of the key in each stratum."""
    strata = row.scores.split(by).items()
    return {label: (stratum.key.entities, stratum.key.mentions) for label, stratum in strata}


def test_labels_from_tokens_are_of_the_pieces(tmp_path: Path) -> None:
    """The house and it are one nominal entity; cut, the second is a pronoun of its own."""
    path = tmp_path / "key.conllu"
    path.write_text(CONLLU.replace("(e2--", "(e2-place-"))
    cut, whole = corefkit.score(path, path, window="sentences:1").windows
    assert labelled(whole, "entity:kind") == {"nominal": (1, 2), "pronominal": (1, 3)}
    assert labelled(cut, "entity:kind") == {"nominal": (1, 1), "pronominal": (4, 4)}
    assert labelled(cut, "entity:first") == {"nominal": (1, 1), "pronoun": (4, 4)}
    assert labelled(cut, "entity:type") == {"place": (2, 2), "none": (3, 3)}
    assert labelled(cut, "entity:sentences") == {"0": (5, 5)}
    assert labelled(whole, "entity:sentences") == {"1": (1, 2), "2-4": (1, 3)}
    assert labelled(cut, "entity:major=top:1") == {"major": (3, 3), "minor": (2, 2)}


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "html"])
def test_tables(form: str) -> None:
    by = ("--by", "entity:size=1,2", "--by", "length", "--by", "genre")
    done = run("score", KEY, HASTY, "-m", "muc,bcub", "--window", "20", *by, "-f", form)
    assert done.status == 0
    for title in ("20: by entity:size", "whole: by entity:size", "20: by length"):
        assert title in done.out
    assert "20: groups of documents" in done.out


def test_json_and_rows() -> None:
    by = ("-m", "muc", "--window", "20", "--by", "entity:size=1,2")
    (system,) = json.loads(run("score", KEY, HASTY, *by, "-f", "json").out)["systems"]
    window, *parts = system["parts"]
    assert window["part"] == {"window": "20"} and window["scores"] != system["scores"]
    sizes = [{"window": "20", "entity:size": "1"}, {"window": "20", "entity:size": "2+"}]
    assert [part["part"] for part in parts] == [*sizes, {"entity:size": "1"}, {"entity:size": "2+"}]
    rows = csv.DictReader(io.StringIO(run("score", KEY, HASTY, *by, "-f", "csv").out))
    (row,) = [row for row in rows if row["group"] == "window:20:entity:size:2+"]
    two = parts[1]
    assert two["key"]["mentions"] == int(row["key_mentions"])
    assert two["scores"]["muc"]["f1"] == float(row["f1"])


def test_comparison_of_strata_in_windows(tmp_path: Path) -> None:
    careful = KEY.replace("key", "careful")
    found = corefkit.compare(KEY, careful, HASTY, metrics="muc", window=20, by="entity:size=1,2")
    rows = corefkit.score(KEY, HASTY, window=20).windows
    for compared, row in zip((found.windows["20"], found), rows, strict=True):
        two = compared.strata["hasty"][1].scores["muc"]
        assert two is not None and two.f1 == row.scores.split("entity:size=1,2")["2+"]["muc"].f1
        assert compared.pairs[0].strata[1].label == "2+"
    path = tmp_path / "strata.svg"
    by = ("--window", "20", "--by", "entity:size", "--plot", path)
    assert run("score", KEY, HASTY, "-m", "muc", *by).status == 0
    assert "size 3-4" in path.read_text()


def test_losses_are_of_whole_documents() -> None:
    scores = corefkit.score(KEY, HASTY, window=20)
    assert scores.losses["conll"].linking > 0
    with pytest.raises(UsageError, match="whole documents"):
        _ = scores.windows[0].scores.losses
