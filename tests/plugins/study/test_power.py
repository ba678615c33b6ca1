"""Power: the figures of the conformance data, the approximation against simulation, odd cases."""

import json
from dataclasses import replace
from functools import cache
from math import inf
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, UsageError
from corefkit.core.options import Options
from corefkit.plugins.study.power import power, power_of_scores
from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))


@cache
def litbank() -> dict[str, corefkit.Scores]:
    key = corefkit.read(CONFORMANCE / "litbank" / "key.conll.gz")
    pair = corefkit.degrade(key, drop="0.10", seed=1), corefkit.degrade(key, drop="0.12", seed=2)
    return {
        name: corefkit.score(key, made.corpus, "muc,lea,conll")
        for name, made in zip("ab", pair, strict=True)
    }


@needs_conformance
def test_conformance() -> None:
    wanted = json.loads((CONFORMANCE / "strata" / "power.json").read_text())
    made = power_of_scores(litbank(), [20, 100, 400])
    for metric, estimates in made.metrics.items():
        for estimate, row in zip(estimates, wanted[metric], strict=True):
            for name, figure in row.items():
                assert getattr(estimate, name) == pytest.approx(figure, abs=1e-12), (metric, name)


def _only(options: Options, metric: str) -> Options:
    return replace(options, metrics=(metric,))


@needs_conformance
def test_simulation_agrees_from_fifty_documents_on() -> None:
    lea = {
        name: corefkit.Scores(_only(s.options, "lea"), s.counts) for name, s in litbank().items()
    }
    (estimate,) = power_of_scores(lea, 50, simulate=400, seed=1).metrics["lea"]
    assert estimate.power is not None
    assert estimate.simulated == pytest.approx(estimate.power, abs=0.05)


def test_one_formula_seen_from_three_sides() -> None:
    """With as many documents as are needed the power is the one wished for, and what is detectable
    is the difference itself."""
    scores = {p.stem: corefkit.score(KEY, p, "conll,muc") for p in (CAREFUL, HASTY)}
    for wished in (0.7, 0.8, 0.95):
        for metric, (estimate,) in power_of_scores(scores, power=wished).metrics.items():
            assert estimate.needed is not None
            (enough,) = power_of_scores(scores, estimate.needed, power=wished).metrics[metric]
            assert enough.power is not None
            assert enough.detectable is not None
            assert enough.power >= wished
            assert enough.detectable <= abs(estimate.difference)


def test_equal_systems() -> None:
    made = power(KEY, CAREFUL, CAREFUL, "muc,conll")
    for (estimate,) in made.metrics.values():
        assert (estimate.difference, estimate.needed, estimate.power) == (0, None, None)
    assert made.notes == ("only 8 documents: the error itself is uncertain",)


def test_documents_without_mentions() -> None:
    key = Corpus.from_clusters({"a": [], "b": []})
    (estimate,) = power(key, key, key, "conll", simulate=3).metrics["conll"]
    assert (estimate.difference, estimate.error, estimate.needed) == (0, 0, None)
    assert estimate.simulated == 0


def test_one_document_tells_nothing() -> None:
    key = Corpus.from_clusters({"d": [[(0, 0), (1, 1)], [(2, 2), (3, 3)]]})
    other = Corpus.from_clusters({"d": [[(0, 0), (1, 1)]]})
    (estimate,) = power(key, key, other, "muc", simulate=10).metrics["muc"]
    assert (estimate.error, estimate.power, estimate.needed, estimate.simulated) == (None,) * 4


@pytest.mark.parametrize("wrong", [{"power": 1}, {"level": 0}, {"size": 0}, {"level": inf}])
def test_misuse(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        power(KEY, CAREFUL, HASTY, "muc", **wrong)


@pytest.mark.parametrize("form", ["text", "json", "tsv", "csv", "markdown", "latex", "html"])
def test_command(form: str, tmp_path: Path) -> None:
    made = run(
        "study", "power", KEY, CAREFUL, HASTY, "--size", "8,50", "-m", "muc,conll", "-f", form
    )
    assert made.status == 0
    if form == "json":
        rows = json.loads(made.out)["metrics"]["conll"]
        assert [row["documents"] for row in rows] == [8, 50]
    assert "needed" in made.out


@pytest.mark.parametrize(
    "arguments",
    [
        (KEY, CAREFUL),
        (KEY, CAREFUL, HASTY, "--degrade", "drop 10%", "drop 5%"),
        (KEY, "--degrade", "drop 10%", "drop"),
        (KEY, "--degrade", "drop 10%", "melt 5%"),
        (KEY, "--degrade", "drop 10%", "drop 10%"),
        (KEY, "--degrade", "drop 10%", "drop 110%"),
        (KEY, CAREFUL, HASTY, "--size", "ten"),
        (KEY, CAREFUL, HASTY, "--power", "1"),
    ],
)
def test_bad_command_lines(arguments: tuple[str | Path, ...]) -> None:
    made = run("study", "power", *arguments)
    assert made.status == 2
    assert "Error" in made.err


def test_degraded_copies() -> None:
    made = run(
        "study", "power", KEY, "--degrade", "drop 10%", "drop 30%, span 5%", "--simulate", "5"
    )
    assert made.status == 0
    assert "simulated" in made.out


def test_fewer_documents_than_a_test_can_do_with_are_noted() -> None:
    key, careful, hasty = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))
    found = power(key, careful, hasty, "conll")
    assert found.metrics["conll"][0].needed == 2, "the formula, as published"
    (note,) = (note for note in found.notes if "needed" in note)
    assert "fewer than 6 documents" in note and "level 0.95" in note
    # Of n documents there are 2ⁿ exchanges, two of which are as extreme as the observed one.
    assert 2 / 2**5 > 0.05 >= 2 / 2**6
    close = power(key, careful, careful, "conll")
    assert not [note for note in close.notes if "needed" in note]
