"""Windows, strata and groups of documents of systems with several runs."""

import csv
import io
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, UsageError, compare, score_runs
from corefkit.stats.runs import RunDifference, RunFigures, average_runs
from tests.stats.test_run_scores import BASELINE, CAREFUL, HASTY, KEY, NAMED
from tests.support import run

RUNS: dict[str, Any] = {"mine": [CAREFUL, HASTY], "other": [BASELINE, HASTY]}
ONE_BAND = "entity:size=1"
"""All entities are in its one stratum."""


def same(one: object, other: object) -> None:
    """All fields alike; sums of fractions in another order differ in their last digit.

    But not documents won and lost: one with nothing in a stratum is neither.
    """
    assert type(one) is type(other)
    ours, theirs = asdict(one), asdict(other)  # type: ignore[call-overload]
    assert ours.keys() == theirs.keys()
    for name in ours.keys() - {"wins", "losses", "ties"}:
        assert ours[name] == pytest.approx(theirs[name], abs=1e-9), name


@pytest.mark.parametrize("interval", ["jackknife", "percentile"])
def test_one_stratum_of_all_is_the_whole(interval: Any) -> None:
    how: dict[str, Any] = {"metrics": "muc,bcub,ceafe,conll", "window": 20, "by": ONE_BAND}
    found = compare(KEY, runs=RUNS, interval=interval, samples=300, **how)
    for compared in (found, found.windows["20"]):
        for name, figures in compared.systems.items():
            (stratum,) = compared.strata[name]
            for metric, figure in figures.items():
                assert isinstance(stratum.scores[metric], RunFigures)
                same(stratum.scores[metric], figure)
        (pair,) = compared.pairs
        for metric, test in pair.metrics.items():
            assert isinstance(test, RunDifference)
            same(pair.strata[0].scores[metric], test)


def test_strata_are_corrected_together() -> None:
    found = compare(KEY, runs=RUNS, metrics="bcub", by="entity:size=1,2,5", samples=300)
    tests = [stratum.scores["bcub"] for stratum in found.pairs[0].strata]
    p = sorted(test.p for test in tests if isinstance(test, RunDifference))
    assert len(p) == 3
    assert min(test.p_holm or 9 for test in tests if test) == pytest.approx(min(1.0, 3 * p[0]))


def test_means_of_strata_windows_and_groups() -> None:
    report = score_runs(KEY, RUNS, "muc", window=20, by=["entity:size=1,2", "genre"])
    runs = [corefkit.score(KEY, path, "muc", window=20) for path in RUNS["mine"]]
    mine = report["mine"]
    cut = (("window", "20"),)
    for at, rows in (
        ((), [scores.windows[1].scores for scores in runs]),
        (cut, [scores.windows[0].scores for scores in runs]),
    ):
        means = {part.at[-1]: part for part in mine.means if part.at and part.at[:-1] == at}
        one, two = (means["entity:size", label] for label in ("1", "2+"))
        assert one.scores["muc"] is None
        figure = two.scores["muc"]
        f1 = [row.split("entity:size=1,2")["2+"]["muc"].f1 or 0.0 for row in rows]
        assert isinstance(figure, RunFigures)
        assert [figure.min, figure.max] == sorted(f1)
        assert figure.f1 == pytest.approx(sum(f1) / 2)
        grouped = [row.by("genre")["nw"]["muc"].f1 for row in rows]
        assert means["genre", "nw"].scores["muc"].f1 == pytest.approx(sum(grouped) / 2)


def test_a_stratum_that_one_run_lacks_has_no_mean() -> None:
    key = Corpus.from_clusters({"d": [[(0, 0), (1, 1)], [(2, 2), (3, 3), (4, 4)]]})
    less = Corpus.from_clusters({"d": [[(2, 2), (3, 3), (4, 4)]]})
    report = score_runs(key, {"mine": [key, less]}, "muc", by="entity:size=2,3")
    _, two, three = report["mine"].means
    assert (two.label, two.scores["muc"], two.documents) == ("2", None, 1)
    assert three.scores["muc"] and three.scores["muc"].f1 == 1
    by = "entity:size=2,3"
    strata = [corefkit.score(key, side, "muc").split(by) for side in (key, less)]
    averaged = average_runs(
        [{(by, label): part.scores for label, part in run.items()} for run in strata]
    )
    assert averaged[by, "2"].counts.total("muc") == (0.5, 1, 0.5, 0.5)


def test_from_the_command_line(tmp_path: Path) -> None:
    by = ("-m", "muc", "--window", "20", "--by", "entity:size=1,2", "--by", "genre")
    done = run("score", KEY, *NAMED, *by)
    assert done.status == 0
    for title in ("By window", "20: by entity:size", "whole: by entity:size", "20: by genre"):
        assert f"\n{title}\n" in done.out
    assert "Recall is of the key entities of a stratum" in done.out
    mine = json.loads(run("score", KEY, *NAMED, *by, "-f", "json").out)["systems"][0]
    at = {"window": "20", "entity:size": "2+"}
    (two,) = (part for part in mine["parts"] if part["part"] == at)
    assert two["scores"]["muc"]["runs"] == 2
    (cut,) = (part for part in mine["parts"] if part["part"] == {"run": "1", **at})
    rows = list(csv.DictReader(io.StringIO(run("score", KEY, *NAMED, *by, "-f", "csv").out)))
    by_group = {(row["run"], row["group"]): row for row in rows if row["system"] == "mine"}
    name = "window:20:entity:size:2+"
    assert float(by_group["1", name]["f1"]) == cut["scores"]["muc"]["f1"]
    assert float(by_group["mean", name]["f1"]) == two["scores"]["muc"]["f1"]
    assert ("mean", "window:20:nw") in by_group and ("mean", "all") in by_group
    path = tmp_path / "runs.svg"
    assert run("score", KEY, *NAMED, *by, "--plot", path).status == 0
    assert "MUC window:20:entity:size:2+" in path.read_text()
    for form in ("markdown", "latex", "html"):
        assert "whole: by entity:size" in run("score", KEY, *NAMED, *by, "-f", form).out


def test_comparison_from_the_command_line() -> None:
    by = ("-m", "muc", "--window", "20", "--by", "entity:size=1,3", "--samples", "99")
    shown = run("compare", KEY, *NAMED, *by)
    assert (shown.status, shown.out.count("differences of mean F1 by entity:size")) == (0, 2)
    content = json.loads(run("compare", KEY, *NAMED, *by, "-f", "json").out)
    (pair,) = content["pairs"]
    at = {"window": "20", "entity:size": "1-2"}
    (cut,) = (part for part in pair["parts"] if part["part"] == at)
    assert {"p", "p_runs", "p_documents"} <= cut["scores"]["muc"].keys()
    rows = csv.DictReader(io.StringIO(run("compare", KEY, *NAMED, *by, "-f", "csv").out))
    groups = {(row["window"], row["group"]) for row in rows if row["b"] and row["p_runs"]}
    assert groups >= {("", "entity:size:1-2"), ("20", "entity:size:1-2")}
    with pytest.raises(UsageError, match="only strata"):
        compare(KEY, runs=RUNS, by="genre")
    assert "only strata" in run("compare", KEY, *NAMED, "--by", "genre").err
