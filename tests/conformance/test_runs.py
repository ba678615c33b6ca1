"""Several runs: figures of conformance/strata/runs.json."""

import gzip
import json
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, Scores
from corefkit.stats.compare import compare_scores
from corefkit.stats.run_scores import score_runs
from corefkit.stats.runs import RunDifference, RunFigures
from tests.support import CONFORMANCE, needs_conformance, run

pytestmark = needs_conformance
METRICS = "conll,muc,lea"
FIGURES = ("mean", "sd", "min", "max", "se_documents", "se_runs", "df")
SYSTEMS = ("a", "b", "c")
PAIRS = {
    "a-b": ("a@1 a@2 a@3", "b@1 b@2 b@3"),
    "a-c": ("a@1 a@2 a@3", "c@4 c@5 c@6"),
    "a-b@1": ("a@1 a@2 a@3", "b@1"),
    "a@1 thrice-a@1 thrice": ("a@1 a@1 a@1", "a@1 a@1 a@1"),
}


@cache
def expected() -> Any:
    return json.loads((CONFORMANCE / "strata" / "runs.json").read_text())


@cache
def responses() -> dict[str, Corpus]:
    packed = CONFORMANCE / "strata" / "runs.clusters.json.gz"
    listed = json.loads(gzip.decompress(packed.read_bytes()))
    return {name: Corpus.from_clusters(clusters) for name, clusters in listed.items()}


@cache
def key() -> Corpus:
    whole = corefkit.read(CONFORMANCE / "litbank" / "key.conll.gz").clusters()
    return Corpus.from_clusters({name: whole[name] for name in responses()["a@1"].names})


@cache
def scores(name: str) -> Scores:
    return corefkit.score(key(), responses()[name], METRICS)


def runs(names: str) -> Sequence[Scores]:
    return [scores(name) for name in names.split()]


def test_no_figure_is_forgotten() -> None:
    assert {*expected()} == {*SYSTEMS, *PAIRS}
    assert {name.split("@")[0] for name in responses()} == {*SYSTEMS}


@pytest.mark.parametrize("system", SYSTEMS)
def test_figures(system: str) -> None:
    figures = expected()[system]
    own = [f"{system}@{seed}" for seed in figures["seeds"]]
    sources = {system: [responses()[name] for name in own]}
    found = score_runs(key(), sources, METRICS, agreement=True)[system]
    assert found.figures is not None
    for metric in METRICS.split(","):
        figure, wanted = found.figures[metric], figures[metric]
        assert [s[metric].f1 for s in found.runs.values()] == pytest.approx(wanted["f1"], abs=1e-12)
        mine = [getattr(figure, "f1" if name == "mean" else name) for name in FIGURES]
        assert mine == pytest.approx([wanted[name] for name in FIGURES], rel=1e-10, abs=1e-12)
    assert found.agreement is not None
    assert found.agreement.f1["conll"] == pytest.approx(figures["agreement"], abs=1e-12)


@pytest.mark.parametrize("pair", PAIRS)
def test_tests(pair: str) -> None:
    a, b = (runs(names) for names in PAIRS[pair])
    tested = compare_scores({"a": a, "b": b}).pairs[0].metrics
    for metric, wanted in expected()[pair].items():
        found = tested[metric]
        assert isinstance(found, RunDifference)
        for name in ("difference", "se_documents", "se_runs", "df", "t", "p"):
            figure = getattr(found, name)
            if wanted[name] is None:
                assert figure is None
            else:
                assert figure == pytest.approx(wanted[name], rel=1e-9, abs=1e-12)
        for name in ("p_documents", "p_runs"):
            assert getattr(found, name) == pytest.approx(float(Fraction(wanted[name])), abs=1e-15)


def test_from_the_command_line(tmp_path: Path) -> None:
    """The same through files and JSON."""
    files = {"key": key(), **responses()}
    for name, corpus in files.items():
        rows = [
            {"doc_key": document, "clusters": clusters, "sentences": [["w"] * 3000]}
            for document, clusters in corpus.clusters().items()
        ]
        (tmp_path / f"{name}.jsonlines").write_text("\n".join(map(json.dumps, rows)))
    chosen = [name for name in responses() if name[0] in "ab"]
    named = [f"{name}={tmp_path / name}.jsonlines" for name in chosen]
    done = run("compare", tmp_path / "key.jsonlines", *named, "-m", METRICS, "-f", "json")
    assert done.status == 0, done.err
    result = json.loads(done.out)
    wanted = expected()["a-b"]["conll"]
    found = result["pairs"][0]["scores"]["conll"]
    assert found["p"] == pytest.approx(wanted["p"], rel=1e-9)
    assert found["p_documents"] == pytest.approx(1 / 128)
    first = {system["name"]: system["scores"]["conll"]["f1"] for system in result["systems"]}["a"]
    assert first == pytest.approx(expected()["a"]["conll"]["mean"])
    done = run("score", tmp_path / "key.jsonlines", *named, "-m", METRICS, "-f", "json")
    means = {system["name"]: system["scores"] for system in json.loads(done.out)["systems"]}
    assert means["b"]["lea"]["sd"] == pytest.approx(expected()["b"]["lea"]["sd"])


def test_intervals_hold_the_mean() -> None:
    """By Student's t and by percentiles of the crossed bootstrap, about as long."""
    systems = {"a": runs(PAIRS["a-b"][0]), "b": runs(PAIRS["a-b"][1])}
    student, drawn = (
        compare_scores(systems, interval=method).systems["a"]["conll"]
        for method in ("jackknife", "percentile")
    )
    for figure in (student, drawn):
        assert isinstance(figure, RunFigures)
        assert figure.interval is not None
        assert figure.interval[0] < figure.f1 < figure.interval[1]
    assert drawn.interval != student.interval
