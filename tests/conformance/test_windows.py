"""Windows of long documents: figures of conformance/strata/windows.json."""

import json
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

import corefkit
from corefkit import Corpus
from corefkit.scoring.parts import Part
from corefkit.scoring.scores import Scores
from tests.support import CONFORMANCE, needs_conformance

pytestmark = needs_conformance
METRICS = "mentions,muc,bcub,ceafm,ceafe,blanc,lea,conll"
FILES = {
    "litbank/response-fair": ("litbank/key", "litbank/response-fair"),
    "raeuber": ("strata/raeuber.key", "strata/raeuber.response"),
}
WIDTHS = {"litbank/response-fair": "250,500,1000,sentences:20", "raeuber": "500,1500,5000"}


@cache
def expected(name: str) -> Any:
    return json.loads((CONFORMANCE / "strata" / "windows.json").read_text())[name]


@cache
def corpora(name: str) -> tuple[Corpus, Corpus]:
    key, response = (corefkit.read(CONFORMANCE / f"{file}.conll.gz") for file in FILES[name])
    return key, response


def check(row: Part[Scores], figures: dict[str, Any]) -> None:
    assert row.windows == figures["windows"]
    sizes = [[side.entities, side.mentions] for side in (row.key, row.response)]
    assert sizes == [figures["key"], figures["response"]]
    for name, score in row.scores.items():
        own = figures[name]
        assert score.f1 == pytest.approx(own if name == "conll" else own["f1"], abs=1e-12)
        if name == "blanc":
            found = {kind: [*c["recall"], *c["precision"]] for kind, c in score.counts.items()}
            assert found == {kind: own[kind] for kind in found}
        elif name != "conll":
            counts = [*score.counts["recall"], *score.counts["precision"]]
            assert counts == pytest.approx([float(Fraction(n)) for n in own["counts"]], rel=1e-13)


@pytest.mark.parametrize("name", FILES)
def test_widths(name: str) -> None:
    scores = corefkit.score(*corpora(name), METRICS, window=WIDTHS[name])
    assert [row.label for row in scores.windows] == [*WIDTHS[name].split(","), "all"]
    for row in scores.windows:
        check(row, expected(name)[row.label if row.at else "whole"])


def test_singletons_are_dropped_in_windows() -> None:
    name = "litbank/response-fair"
    scores = corefkit.score(*corpora(name), METRICS, window=500, singletons="drop")
    check(scores.windows[0], expected(name)["500 drop"])


@pytest.mark.parametrize(
    ("name", "width", "slip"),
    [("litbank/response-fair", 500, (39, 5994)), ("raeuber", 1500, (5, 260))],
)
def test_bookcoref(name: str, width: int, slip: tuple[int, int]) -> None:
    scores = corefkit.score(*corpora(name), profile="bookcoref", window=width)
    figures = expected(name)[f"bookcoref {width}"]
    check(scores.windows[0], figures)
    lost, twice = slip
    assert figures["key"][1] == corpora(name)[0].mentions - lost + twice
    warning = next(i.message for i in scores.incidents if i.id == "window-slip")
    assert f"lose {lost:,} of" in warning
    assert f"count {twice:,} twice" in warning


def test_worked_example() -> None:
    cases = json.loads((CONFORMANCE / "strata" / "cases.json").read_text())["others"]
    key = {"d": [[(0, 0), (600, 600), (1500, 1500), (1600, 1999)]]}
    response = {"d": [[(0, 0), (600, 600)], [(1500, 1500), (1600, 1999)]]}
    sides = Corpus.from_clusters(key), Corpus.from_clusters(response)
    exact, whole = corefkit.score(*sides, METRICS, window=1500).windows
    for row, name in ((exact, "exact"), (whole, "whole")):
        check(row, {"windows": row.windows, **cases["window 1500"][name]})
    slip = corefkit.score(*sides, profile="bookcoref", window=1500).windows[0]
    check(slip, {"windows": 2, **cases["window 1500"]["bookcoref"]})


LINKS = ("link:tokens", "link:sentences", "link:mentions")


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("by", LINKS)
def test_links_by_distance(name: str, by: str) -> None:
    key, response = (CONFORMANCE / f"{file}.conll.gz" for file in FILES[name])
    scores = corefkit.score(key, response, "links")
    found = {label: stratum["links"].counts for label, stratum in scores.by(by).items()}
    found["all"] = scores["links"].counts
    counts = {label: [*c["recall"], *c["precision"]] for label, c in found.items()}
    assert counts == expected(name)[by]


def test_no_figure_is_forgotten() -> None:
    for name, widths in WIDTHS.items():
        known = {*widths.split(","), "whole", *LINKS}
        known |= {"500 drop", "bookcoref 500"} if "litbank" in name else {"bookcoref 1500"}
        assert {*expected(name)} == known
