"""Scores of systems with several runs, from the command line and from Python."""

import json
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError, UsageError, score_runs
from corefkit.core.names import Response, ResponseFile
from corefkit.stats.run_scores import RunFile, RunSources, list_runs
from tests.support import EXAMPLES, run

KEY, CAREFUL, HASTY, BASELINE = (
    str(EXAMPLES / f"{name}.conll") for name in ("key", "careful", "hasty", "baseline")
)
NAMED = (f"mine@1={CAREFUL}", f"mine@2={HASTY}", f"other={BASELINE}")


def test_runs_as_command_lines_name_them(tmp_path: Path) -> None:
    for name in ("b.conll", "a.conll.gz"):
        (tmp_path / name).touch()
    responses: list[ResponseFile] = [Response("x", "mine@2"), Response("y", "mine@1")]
    responses.append("other@3.conll")
    assert list_runs(responses) == [
        RunFile("mine", "2", "x"),
        RunFile("mine", "1", "y"),
        RunFile("other@3", "", "other@3.conll"),
    ]
    pattern = f"mine={tmp_path}/*"
    assert [file.run for file in list_runs([], [pattern])] == ["a", "b"]
    assert list_runs([Response("x", "mine"), "y"]) == []


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((f"a@1={CAREFUL}", f"a@1={HASTY}"), "a@1 is given twice"),
        ((f"a@1={CAREFUL}", f"a={HASTY}"), "a is given with a run and without"),
        (("--runs", "careful.conll"), "not of the form NAME=GLOB"),
        ((*NAMED, "--losses"), "several runs (--runs) cannot be combined with --losses"),
        ((*NAMED, "-m", "immediate"), "cannot be combined with application scores"),
        ((*NAMED, "--window", "5,9", "--by", "entity:size"), "with several windows there are no"),
        ((CAREFUL, "--failed", "skip"), "--failed needs several runs"),
        ((CAREFUL, "--agreement"), "--agreement needs several runs"),
        ((), "Missing argument"),
    ],
)
def test_usage(arguments: tuple[str, ...], told: str) -> None:
    done = run("score", KEY, *arguments)
    assert (done.status, done.out) == (2, "")
    assert told in " ".join(done.err.split())


def test_means_are_shown_with_their_spread() -> None:
    done = run("score", KEY, *NAMED, "-m", "muc,conll", "--agreement")
    assert done.status == 0
    lines = done.out.splitlines()
    conll = next(line for line in lines if line.startswith("CoNLL"))
    assert conll.split()[:6] == ["CoNLL", "2", "75.32", "19.31", "61.67", "88.98"]
    assert "note: other has one run: its interval says nothing about other runs" in done.out
    assert "F1 of the runs of a system with each other" in done.out
    for form in ("markdown", "latex", "html"):
        assert "19.31" in run("score", KEY, *NAMED, "-m", "muc,conll", "-f", form).out


def test_json() -> None:
    done = run("score", KEY, *NAMED, "-m", "conll", "-f", "json", "--agreement")
    mine, other = json.loads(done.out)["systems"]
    assert [one["run"] for one in mine["runs"]] == ["1", "2"]
    assert other["runs"][0]["run"] is None
    assert (mine["failed"], other["agreement"]) == (0, None)
    assert {*mine["scores"]["conll"]} > {"f1", "sd", "min", "max", "interval", "se_runs"}
    agreement = mine["agreement"]
    pair = corefkit.agree(CAREFUL, HASTY, metrics="conll")
    assert pair.alpha is not None
    assert agreement["conll"]["least"] == pair.pairs[0].scores["conll"].f1  # type: ignore[index]
    assert agreement["alpha"] == pair.alpha.alpha()


def test_tables_for_programs() -> None:
    done = run("score", KEY, *NAMED, "-m", "muc", "-f", "tsv")
    header, *rows = (line.split("\t") for line in done.out.splitlines())
    assert [row[1] for row in rows] == ["1", "2", "mean", "", "mean"]
    mean = dict(zip(header, rows[2], strict=True))
    f1 = [float(dict(zip(header, row, strict=True))["f1"]) for row in rows[:2]]
    assert float(mean["f1"]) == pytest.approx(sum(f1) / 2)
    done = run("compare", KEY, *NAMED, "-m", "muc", "-f", "csv")
    assert "p_runs" in done.out.splitlines()[0]


@pytest.fixture
def broken(tmp_path: Path) -> str:
    path = tmp_path / "broken.conll"
    path.write_text("#begin document (x); part 000\nx\t0\t0\ta\t(1\n\n#end document\n")
    return str(path)


def test_a_run_that_cannot_be_scored(broken: str) -> None:
    named = (f"mine@1={CAREFUL}", f"mine@2={HASTY}", f"mine@3={broken}")
    done = run("score", KEY, *named, "-m", "muc", "-f", "json")
    (mine,) = json.loads(done.out)["systems"]
    assert (done.status, mine["failed"], mine["scores"]["muc"]["runs"]) == (1, 1, 2)
    assert mine["runs"][2]["scored"] is False
    done = run("score", KEY, *named, "-m", "muc", "--failed", "skip")
    assert done.status == 0
    assert "mine 3: not scored because of the errors above" in done.out
    done = run("score", KEY, *named, "-m", "muc", "-f", "json", "--failed", "zero")
    (mine,) = json.loads(done.out)["systems"]
    assert (done.status, mine["failed"], mine["scores"]["muc"]["runs"]) == (0, 1, 3)
    assert mine["scores"]["muc"]["min"] == 0
    assert mine["parts"][2]["scores"]["muc"]["counts"]["recall"] == [0, 157]
    done = run("compare", KEY, *named, f"other={BASELINE}", "-m", "muc", "--failed", "skip")
    assert done.status == 0


def test_a_system_of_which_all_runs_failed(broken: str) -> None:
    named = (f"mine@1={broken}", f"other@1={CAREFUL}")
    for failed in ("error", "skip"):
        done = run("score", KEY, *named, "-m", "muc", "-f", "json", "--failed", failed)
        mine, other = json.loads(done.out)["systems"]
        assert (done.status, mine["scores"], mine["failed"]) == (1, None, 1)
        assert other["scores"]["muc"]["f1"] > 0
    done = run("score", broken, *named, "--failed", "zero")
    assert done.status == 1


def test_from_python(broken: str) -> None:
    runs: dict[str, RunSources] = {"mine": {"x": CAREFUL, "y": HASTY}, "other": BASELINE}
    report = score_runs(KEY, runs, "muc,conll")
    shown = "mine: 2 runs, conll 75.32 ± 19.31; other: 1 run, conll 37.98"
    assert repr(report) == f"RunsReport({shown})"
    assert [*report["mine"].runs] == ["x", "y"]
    assert "75.32" in str(report)
    assert "75.32" in report._repr_html_()
    with pytest.raises(KeyError, match="'his' is not among mine, other"):
        report["his"]
    with pytest.raises(DataError):
        score_runs(KEY, {"mine": [CAREFUL, broken]})
    assert score_runs(KEY, {"mine": [CAREFUL, broken]}, failed="skip")["mine"].failed == 1
    with pytest.raises(UsageError, match="failed: unknown value"):
        score_runs(KEY, {"mine": CAREFUL}, failed="never")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="there is no system"):
        score_runs(KEY, {})
    with pytest.raises(TypeError, match="systems are given as"):
        score_runs(KEY, [CAREFUL])  # type: ignore[arg-type]
    compared = corefkit.compare(KEY, BASELINE, metrics="conll", runs={"mine": [CAREFUL, HASTY]})
    assert [*compared.systems] == ["mine", "baseline"]


def test_a_run_with_other_documents() -> None:
    """It is reported as always; what is missing counts as empty."""
    done = run("score", KEY, *NAMED, "-m", "muc")
    assert "[document-missing]" in done.err


def test_figure(tmp_path: Path) -> None:
    path = tmp_path / "runs.svg"
    assert run("score", KEY, *NAMED, "-m", "muc,conll", "--plot", path).status == 0
    assert path.read_bytes().startswith(b"<?xml")
