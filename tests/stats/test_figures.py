"""Tests of strata: against all exchanges of few documents, and the whole as one stratum."""

import json
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import corefkit
from corefkit import UsageError
from corefkit.features.entity_labels import EntityLabel
from corefkit.metrics import countable
from corefkit.metrics.base import score_of_part
from corefkit.scoring.scores import Scores
from corefkit.stats.figures import WHOLE, Figures
from corefkit.stats.resampling import Plan, holm
from tests.support import EXAMPLES, run

KEY = EXAMPLES / "key.conll"
FILES = [EXAMPLES / f"{name}.conll" for name in ("careful", "hasty", "baseline")]
BY = "entity:size=1,2,4"


@pytest.fixture(scope="module")
def compared() -> Any:
    return corefkit.compare(KEY, *FILES, metrics="bcub,blanc,conll", by=BY, samples=2000)


@pytest.fixture(scope="module")
def scored() -> dict[str, Scores]:
    return {path.stem: corefkit.score(KEY, path, "bcub,blanc,conll") for path in FILES}


def f1_of(counts: dict[str, tuple[float, ...]], options: Any, metric: str) -> float | None:
    parts = ("muc", "bcub", "ceafe") if metric == "conll" else (metric,)
    found = [
        score_of_part(countable(part, options).score(counts[part]), counts[part]).f1
        for part in parts
    ]
    known = [f1 for f1 in found if f1 is not None]
    return sum(known) / len(parts) if len(known) == len(parts) else None


@pytest.mark.parametrize("metric", ["bcub", "blanc", "conll"])
def test_p_by_all_exchanges(compared: Any, scored: dict[str, Scores], metric: str) -> None:
    """Eight documents have 256 exchanges: each is made here one by one."""
    a, b = (
        {label: part.scores for label, part in scored[name].split(BY).items()}
        for name in ("careful", "hasty")
    )
    names = sorted(scored["careful"].counts.documents)
    (pair,) = [p for p in compared.pairs if (p.a, p.b) == ("careful", "hasty")]
    for label in a:
        rows = [_rows(own[label], names) for own in (a, b)]
        options = a[label].options
        observed = [f1_of(_sum(rows[i], names), options, metric) for i in (0, 1)]
        (found,) = [one.scores[metric] for one in pair.strata if one.label == label]
        if None in observed:
            assert found is None
            continue
        difference = observed[0] - observed[1]  # type: ignore[operator]
        assert found.difference == pytest.approx(difference, abs=1e-12)
        reached = defined = 0
        for swapped in product((0, 1), repeat=len(names)):
            sides = [
                _sum({n: rows[i ^ s][n] for n, s in zip(names, swapped, strict=True)}, names)
                for i in (0, 1)
            ]
            one, other = (f1_of(side, options, metric) for side in sides)
            if one is not None and other is not None:
                defined += 1
                reached += abs(one - other) >= abs(difference) - 1e-9
        assert found.p_randomization == pytest.approx(
            max(reached / defined, 2 / 2 ** _n(a, b, label))
        )


def _n(a: dict[str, Scores], b: dict[str, Scores], label: str) -> int:
    return len({*a[label].counts.documents, *b[label].counts.documents})


def _rows(stratum: Scores, names: list[str]) -> dict[str, dict[str, tuple[float, ...]]]:
    """Document → metric → its counts."""
    tables, place = stratum.counts.tables, {n: i for i, n in enumerate(stratum.counts.documents)}
    return {
        name: {
            m: tuple(float(c[place[name]]) if name in place else 0.0 for c in columns)
            for m, columns in tables.items()
        }
        for name in names
    }


def _sum(rows: dict[str, dict[str, tuple[float, ...]]], names: list[str]) -> dict[str, Any]:
    metrics = rows[names[0]]
    return {m: tuple(map(sum, zip(*(rows[n][m] for n in names), strict=True))) for m in metrics}


def test_only_documents_of_a_stratum_are_won_or_lost() -> None:
    """A document without large entities on either side is no tie."""
    compared = corefkit.compare(KEY, *FILES, metrics="bcub", by="entity:size=1,10", samples=100)
    for pair in compared.pairs:
        for stratum in pair.strata:
            assert stratum.documents is not None
            assert (stratum.label == "10+") == (stratum.documents < compared.documents)
            if test := stratum.scores["bcub"]:
                assert test.wins + test.losses + test.ties == stratum.documents


def test_correction_over_pairs_and_strata(compared: Any) -> None:
    for metric in ("bcub", "conll"):
        tests = [
            one.scores[metric]
            for pair in compared.pairs
            for one in pair.strata
            if one.scores[metric] is not None
        ]
        expected = holm(np.array([test.p_randomization for test in tests]))
        assert [test.p_holm for test in tests] == pytest.approx(expected.tolist())
        whole = [pair.metrics[metric].p_randomization for pair in compared.pairs]
        assert [p.metrics[metric].p_holm for p in compared.pairs] == pytest.approx(
            holm(np.array(whole)).tolist()
        )


def test_the_same_draws_as_for_the_whole(scored: dict[str, Scores]) -> None:
    """All entities as one stratum: intervals and p-values are those of the whole."""
    label = EntityLabel("one", lambda chains: ["all"] * len(chains.first))
    systems = [
        {WHOLE: scores, ("entity", "all"): scores.split(label)["all"].scores}
        for scores in scored.values()
    ]
    figures = Figures([systems], Plan(samples=500))
    half = len(figures.rows) // 2
    assert [metric for _, metric in figures.rows[:half]] == [*scored["careful"]]
    found = figures.intervals(0)
    assert found[:half] == found[half:]
    tests = figures.differences(0, 1)
    for whole, stratum in zip(tests[:half], tests[half:], strict=True):
        assert whole and stratum
        # A document without coreference has no F1 in a stratum, and is a tie there.
        one, other = (replace(test, wins=0, losses=0, ties=0) for test in (whole, stratum))
        assert one == other


def test_a_key_with_one_document_is_the_same_in_all_samples(scored: dict[str, Scores]) -> None:
    """Of the mean over two keys, its half is fixed: intervals are half as wide, around the mean."""
    several = scored["careful"]
    (one, *_) = several.by("document").values()
    alone = Figures([[{WHOLE: several}]], Plan(samples=200))
    both = Figures([[{WHOLE: several}], [{WHOLE: one.scores}]], Plan(samples=200))
    for metric, whole, mean in zip(several, alone.intervals(0), both.intervals(0), strict=True):
        assert whole and whole.interval and mean and mean.interval
        assert mean.f1 == pytest.approx((several[metric].f1 + one[metric].f1) / 2)
        assert mean.interval[0] < mean.f1 < mean.interval[1]
        width = whole.interval[1] - whole.interval[0]
        assert mean.interval[1] - mean.interval[0] == pytest.approx(width / 2, rel=0.25)


def test_output() -> None:
    arguments: tuple[str | Path, ...] = (
        "compare",
        KEY,
        *FILES[:2],
        "--by",
        "entity:size",
        "--by",
        "entity:kind",
    )
    shown = run(*arguments, "-m", "conll")
    assert shown.status == 0
    assert "CoNLL differences of F1 by entity:kind" in shown.out
    assert "by:entity:size=1,2,3,5,10,20+entity:kind" in shown.out
    content = json.loads(run(*arguments, "-f", "json", "-m", "muc,ceafe").out)
    strata = content["pairs"][0]["parts"]
    assert {by for s in strata for by in s["part"]} == {"entity:size", "entity:kind"}
    (one,) = [s for s in strata if s["part"] == {"entity:size": "1"}]
    assert one["scores"]["muc"] is None
    assert {"difference", "interval", "p_bootstrap", "p_randomization", "p_holm"} <= set(
        one["scores"]["ceafe"]
    )
    assert content["systems"][0]["parts"][0]["part"] == {"entity:size": "1"}
    plain = json.loads(run(*arguments[:4], "-f", "json", "-m", "muc").out)
    assert plain["pairs"][0]["parts"] == plain["systems"][0]["parts"] == []
    table = run(*arguments, "-f", "tsv", "-m", "muc").out.splitlines()
    assert table[0].startswith("group\tmetric\ta\tb\tf1")
    assert any(line.startswith("entity:kind:nominal\tmuc\tcareful\thasty") for line in table)


def test_groups_of_documents_are_refused() -> None:
    assert run("compare", KEY, *FILES[:2], "--by", "genre").status == 2
    with pytest.raises(UsageError, match="no share of a single mention"):
        corefkit.compare(KEY, *FILES[:2], metrics="conll", by="length")
