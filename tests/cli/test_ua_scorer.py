"""corefkit-ua-scorer: options of version 2, words of version 1, and their texts."""

import json
import re
from functools import cache
from typing import Any

import pytest

from tests.support import CONFORMANCE, EXAMPLES, needs_conformance, run, run_ua_scorer

FILES = EXAMPLES / "picnic.conllua", EXAMPLES / "picnic-system.conllua"
NAMES = {"mention": "mentions", "non-referring": "nonreferring"}


def figures(text: str) -> dict[str, list[float]]:
    """Metric → recall, precision and F1 as they are printed."""
    line = r"Recall: ([\d.]+)  Precision: ([\d.]+)  F1: ([\d.]+)"
    return {
        NAMES.get(name, name): [float(value) for value in values]
        for name, *values in re.findall(rf"^([a-z-]+)\n{line}$", text, re.MULTILINE)
    }


@cache
def pairs() -> dict[str, Any]:
    path = CONFORMANCE / "anaphora" / "expected.json"
    found: dict[str, Any] = json.loads(path.read_text())["pairs"] if path.exists() else {}
    return found


@needs_conformance
@pytest.mark.parametrize("name", [n for n in pairs() if n.startswith(("gumzero", "persuasion"))])
def test_figures_of_the_original(name: str) -> None:
    """Each run that its command line can ask for."""
    pair, tried = pairs()[name], 0
    files = [CONFORMANCE / "anaphora" / pair[side] for side in ("key", "response")]
    for expected in pair["runs"]:
        setting = expected["settings"]
        if setting["profile"] != "ua" or (setting["split"], setting["singletons"]) == (
            "keep",
            "drop",
        ):
            continue
        options = ["-m", "muc", "bcub", "ceafe", "ceafm", "lea"]
        options += ["-s"] * (setting["singletons"] == "keep") + ["-l"] * (
            setting["split"] == "keep"
        )
        options += ["-z"] * (setting["zeros"] == "linear") + ["-d"] * (setting["layer"] == "deixis")
        options += ["-p"] * (setting["match"] != "exact")
        options += ["--partial-match-method", "craft"] * (setting["match"] == "craft")
        done = run_ua_scorer(*files, *options)
        assert done.status == 0
        for metric, values in figures(done.out).items():
            counts = expected["scores"][metric]
            ratios = [n / d if d else 0 for n, d in (counts["recall"], counts["precision"])]
            assert values[:2] == pytest.approx([100 * x for x in ratios], abs=0.0051)
        tried += len(figures(done.out)) == 5
    assert tried >= 3


def test_the_text_of_version_2() -> None:
    done = run_ua_scorer(*FILES, "-sl", "-m", "muc", "non-referring", "bridging", "bcub")
    assert (done.status, done.err) == (0, "")
    assert done.out == (
        "The scorer is evaluating coreferent markables, singletons, split-antecedents, "
        "non-referring mentions, bridging relations using exact match evaluation setting.\n"
        "The following metrics will be evaluated: muc, non-referring, bridging, bcub\n\n"
        "muc\nRecall: 88.89  Precision: 100.00  F1: 94.12\n"
        "============================================\n"
        "Non-referring markable identification scores:\n"
        "Recall: 0.00  Precision: 0.00  F1: 0.00\n"
        "============================================\n"
        "Bridging anaphora recognition scores:\n"
        "Recall: 100.00  Precision: 100.00  F1: 100.00\n"
        "Full bridging scores (Markable Level):\n"
        "Recall: 0.00  Precision: 0.00  F1: 0.00\n"
        "Full bridging scores (Entity Level):\n"
        "Recall: 0.00  Precision: 0.00  F1: 0.00\n"
        "bcub\nRecall: 83.68  Precision: 88.89  F1: 86.21\n"
    )


def test_the_text_of_version_1() -> None:
    done = run_ua_scorer(*FILES, "bcub", "muc", "remove_singletons", "keep_bridging", "min")
    lines = done.out.splitlines()
    assert lines[0] == (
        "The scorer is evaluating  corferent markables, split-antecedents, bridging relations "
        " using the minimum span evaluation setting "
    )
    assert lines[1:5:2] == ["muc", "bcub"]  # its own order
    assert lines[5:7] == ["=" * 44, "Bridging anaphora recognition scores:"]


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        ([], "--profile ua --singletons drop --split drop"),
        (["-s"], "--profile ua --split drop"),
        (["-l"], "--profile ua"),  # singletons go with them
        (["-d"], "--profile ua --layer deixis"),
        (["-z", "-s"], "--profile ua --split drop --zeros linear"),
        (["-p", "-sl"], "--profile ua --match partial"),
        (["--only-split-antecedent"], "--profile ua --split only"),
        (["-t", "codicrac22ar"], "--profile ua"),
        (["-t", "codicrac22dd"], "--profile ua --layer deixis"),
        (["-t", "craft19"], "--profile ua --split drop --match craft"),
        (["-t", "crac18"], "--profile ua --split drop"),
        (["keep_singletons", "muc", "bcub", "ceafe"], "--profile ua-1"),
        (
            ["remove_singleton", "remove_split_antecedent"],
            "--profile ua-1 --singletons drop --split drop",
        ),
        (["only_split_antecedents", "remove_singletons"], "--profile ua-1 --split only"),
        (["evaluate_discourse_deixis"], "--profile ua-1 --layer deixis"),
        (["MIN"], "--profile ua-1 --match min"),
    ],
)
def test_arguments(arguments: list[str], options: str) -> None:
    done = run_ua_scorer(*FILES, *arguments)
    assert done.status == 0
    scored = run("score", *FILES, *options.split(), "-m", "muc,bcub,ceafe", "-f", "json")
    scores = json.loads(scored.out)["systems"][0]["scores"]
    found = figures(done.out)
    for metric in ("muc", "bcub", "ceafe"):
        values = [100 * scores[metric][v] for v in ("recall", "precision", "f1")]
        assert found[metric] == pytest.approx(values, abs=0.0051)


def test_everything() -> None:
    assert len(figures(run_ua_scorer(*FILES, "-m", "all", "-sl").out)) == 7
    conll = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
    found = figures(run_ua_scorer(*conll, "-f", "conll", "-m", "all", "-s").out)
    assert len(found) == 7
    assert found["muc"] == [88.54, 93.92, 91.15]
    told = run_ua_scorer(*FILES, "-l").err
    assert "note: keep_singletons is implied by keep_split_antecedents" in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-f", "corefud"], "corefud"),
        (["--np-only"], "No such option"),
        (["-a", "head"], "No such option"),
        (["-m", "mela"], "mela"),
        (["--zero-match-method", "dependent"], "dependent"),
        (["--partial-match-method", "craft"], "needs --partial-match"),
        (["-d", "-m", "bridging"], "metrics of the identity layer"),
        (["keep_singeltons"], "version 1 has no argument 'keep_singeltons'. Did you mean"),
        (["all", "-s"], "not both"),
        (["-t", "crac22"], "crac22"),
    ],
)
def test_arguments_that_we_lack(arguments: list[str], message: str) -> None:
    done = run_ua_scorer(*FILES, *arguments)
    assert (done.status, done.out) == (2, "")
    assert message in done.err


def test_bad_data() -> None:
    done = run_ua_scorer(FILES[0], EXAMPLES / "key.conll")
    assert (done.status, done.out) == (1, "")
    assert "Traceback" not in done.err
