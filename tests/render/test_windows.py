"""Windows of long documents in every format, and the curve of length."""

import json
from pathlib import Path

import pytest

from corefkit import UsageError, compare, read, score
from corefkit.render import plot_windows
from corefkit.scorers.signature import parse_signature
from tests.support import EXAMPLES, run

KEY, CAREFUL, BASELINE = (
    str(EXAMPLES / f"{name}.conll") for name in ("key", "careful", "baseline")
)


def test_tables() -> None:
    done = run("score", KEY, CAREFUL, BASELINE, "-m", "muc,lea", "--window", "20,10")
    assert done.status == 0
    first = [line.split()[0] for line in done.out.splitlines() if line]
    assert first.count("whole") == 2
    assert [name for name in first if name in ("10", "20")] == ["10", "20"] * 2
    for form in ("markdown", "latex", "html"):
        assert "whole" in run("score", KEY, CAREFUL, "--window", "10", "-f", form).out


def test_json_and_groups() -> None:
    done = run("score", KEY, CAREFUL, "-m", "muc", "--window", "10", "--by", "genre", "-f", "json")
    (system,) = json.loads(done.out)["systems"]
    cut = system["parts"][0]
    genres = ["bc", "lt", "nw", "wb"]
    groups = [*({"window": "10", "genre": g} for g in genres), *({"genre": g} for g in genres)]
    assert [part["part"] for part in system["parts"]] == [{"window": "10"}, *groups]
    assert cut["key"]["mentions"] == system["key"]["mentions"]
    assert cut["key"]["entities"] > system["key"]["entities"]


def test_tables_for_programs() -> None:
    done = run("score", KEY, CAREFUL, "-m", "muc", "--window", "10", "--by", "genre", "-f", "tsv")
    header, *rows = (line.split("\t") for line in done.out.splitlines())
    assert header[3:8] == [
        "windows",
        "key_entities",
        "key_mentions",
        "response_entities",
        "response_mentions",
    ]
    groups = [row[1] for row in rows]
    assert groups[:2] == ["window:10", "window:10:bc"]
    assert "all" in groups and "nw" in groups


def test_sizes_of_windows_and_strata() -> None:
    """Whole documents are as large as their files; strata of windows add up to the windows."""
    arguments = ("score", KEY, CAREFUL, "-m", "muc", "--window", "10", "--by", "entity:size")
    done = run(*arguments, "-f", "tsv")
    _, *rows = (line.split("\t") for line in done.out.splitlines())
    sizes = {row[1]: [int(number or 0) for number in row[4:8]] for row in rows}
    sides = read(KEY), read(CAREFUL)
    assert sizes["all"] == [n for side in sides for n in (side.entities, side.mentions)]
    strata = [numbers for group, numbers in sizes.items() if group.startswith("window:10:entity")]
    assert len(strata) > 2
    assert [sum(column) for column in zip(*strata, strict=True)] == sizes["window:10"]


def test_signature_of_windows() -> None:
    scores = score(KEY, CAREFUL, "muc", window=[10, "re:a|b, c"], window_singletons="keep")
    assert "|window:10,re:a%7Cb%2C%20c|window-singletons:keep|" in scores.signature
    options, _ = parse_signature(scores.signature)
    assert options == scores.options


def test_comparison_of_windows() -> None:
    found = compare(KEY, CAREFUL, BASELINE, metrics="muc", window=10, samples=200)
    (cut,) = found.to_dict()["systems"][0]["parts"]
    scores = score(KEY, CAREFUL, "muc", window=10)
    assert cut["scores"]["muc"]["f1"] == scores.windows[0].scores["muc"].f1
    done = run("compare", KEY, CAREFUL, BASELINE, "--window", "10", "-f", "tsv", "--samples", "99")
    assert done.out.startswith("window\tmetric")
    assert "window 10, CoNLL" in run("compare", KEY, CAREFUL, BASELINE, "--window", "10").out


def test_curve_of_length(tmp_path: Path) -> None:
    path = tmp_path / "curve.svg"
    done = run("score", KEY, CAREFUL, BASELINE, "-m", "muc", "--window", "10,20", "--plot", path)
    assert done.status == 0
    assert path.read_bytes().startswith(b"<?xml")
    mixed = {"a": score(KEY, CAREFUL, "muc", window="10,sentences:2").parts()}
    with pytest.raises(UsageError, match="widths of one kind"):
        plot_windows(mixed, str(path))
