"""corefkit compare from the command line."""

import json

import pytest

from tests.support import EXAMPLES, run

FILES = [EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty", "baseline")]


def test_json() -> None:
    done = run("compare", *FILES, "-f", "json", "--samples", "200", "--seed", "5")
    assert done.status == 0
    found = json.loads(done.out)
    assert (found["seed"], found["samples"]) == (5, 200)
    assert "|seed:5" in found["signature"]
    assert set(found["systems"]) == {"careful", "hasty", "baseline"}
    assert set(found["systems"]["careful"]["muc"]) == {"f1", "interval"}
    assert [(p["a"], p["b"]) for p in found["pairs"]] == [
        ("careful", "hasty"),
        ("careful", "baseline"),
        ("hasty", "baseline"),
    ]
    assert {"difference", "interval", "p_bootstrap", "p_randomization", "p_holm"} <= set(
        found["pairs"][0]["metrics"]["conll"]
    )
    assert found["incidents"][0]["id"] == "document-missing"


@pytest.mark.parametrize("form", ["text", "markdown", "latex", "csv", "tsv"])
def test_formats(form: str) -> None:
    done = run("compare", *FILES, "-f", form, "-m", "muc,conll", "--samples", "50")
    assert done.status == 0
    assert "careful" in done.out
    assert "document-missing" in done.err


def test_one_system_and_bad_input() -> None:
    assert run("compare", *FILES[:2], "--samples", "50").status == 0
    done = run("compare", FILES[0], FILES[1], "nowhere.conll", "--samples", "50")
    assert done.status == 1
    assert "careful" in done.out
    assert "nowhere.conll" in done.err


def test_usage() -> None:
    assert run("compare", *FILES, "--samples", "0").status == 2
    assert run("compare", *FILES, "--level", "nan").status == 2
    many = run("compare", *FILES, "--samples", "99999999999")
    assert many.status == 2
    assert "1000000" in many.err
    assert run("compare", *FILES, "-m", "nonsense").status == 2
    assert run("compare", FILES[0]).status == 2
    assert run("compare", FILES[0], FILES[1], FILES[1]).status == 2


def test_scores_for_applications() -> None:
    more = ("-m", "inferred,conll", "--variant", "clean", "--samples", "50", "-f", "json")
    found = json.loads(run("compare", *FILES[:3], *more).out)
    assert "inferred=clean" in found["signature"]
    scored = json.loads(run("score", *FILES[:2], *more[:4], "-f", "json").out)
    f1 = scored["systems"][0]["scores"]["inferred"]["f1"]
    assert found["systems"]["careful"]["inferred"]["f1"] == f1
