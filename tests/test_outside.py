"""A package outside adds a command, a metric, a format and a result, without a change here.

It stands in `outside/`, as if it were installed: `harbour` has one file for each thing.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from corefkit.core.entry_points import PluginCommand, find, load, ours
from tests.support import EXAMPLES, ROOT, run

OUTSIDE = ROOT / "tests/outside"
KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "careful.conll"
TALE = "tale a 0 1\ntale a 4 4\ntale b 2 2\n"


def python(*arguments: str | Path, folder: Path, status: int = 0) -> str:
    """What a new interpreter prints where the package is installed."""
    places = os.pathsep.join([str(OUTSIDE), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": places, "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stderr
    return done.stdout or done.stderr


def corefkit(*arguments: str | Path, folder: Path, status: int = 0) -> str:
    return python("-m", "corefkit", *arguments, folder=folder, status=status)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "tale.lines").write_text(TALE)
    return tmp_path


def test_a_command(folder: Path) -> None:
    made = corefkit(
        "largest", "tale.lines", "--format", "lines", "-f", "csv", folder=folder, status=2
    )
    assert "No such option" in made  # it has the options that it says, and no others
    assert (
        corefkit("largest", KEY, "-f", "csv", folder=folder).splitlines()[0] == "document,mentions"
    )
    assert "Show how many mentions" in corefkit("help", "largest", folder=folder)
    assert run("largest", str(KEY)).status == 2


def test_an_option_of_a_command(folder: Path) -> None:
    (folder / "more-1.0.dist-info").mkdir()
    (folder / "more-1.0.dist-info/METADATA").write_text(
        "Metadata-Version: 2.1\nName: more\nVersion: 1.0\n"
    )
    (folder / "more-1.0.dist-info/entry_points.txt").write_text(
        "[corefkit.commands]\nstats --largest = harbour.largest:LARGEST\n"
    )
    made = corefkit("stats", KEY, "--largest", "-f", "csv", folder=folder)
    assert made == corefkit("largest", KEY, "-f", "csv", folder=folder)
    assert run("stats", str(KEY), "--largest").status == 2
    assert "'' is not a rate" in run("study", "degrade", str(KEY), "-o", "-", "--drop", "").err


def test_a_format(folder: Path) -> None:
    listed = json.loads(corefkit("formats", "-f", "json", folder=folder))["formats"]
    assert [form["title"] for form in listed if form["name"] == "lines"] == ["lines of harbour"]
    corefkit("convert", "tale.lines", "tale.jsonlines", "--format", "lines", folder=folder)
    assert json.loads((folder / "tale.jsonlines").read_text())["clusters"] == [
        [[0, 1], [4, 4]],
        [[2, 2]],
    ]
    corefkit("convert", "tale.jsonlines", "again.lines", folder=folder)
    assert (folder / "again.lines").read_text() == "tale 0 0 1\ntale 0 4 4\ntale 1 2 2\n"
    (folder / "bad.lines").write_text("tale a 0 1\ntale a 5 4\n")
    assert "span-empty" in corefkit(
        "check", "bad.lines", "--format", "lines", folder=folder, status=1
    )


def test_a_metric(folder: Path) -> None:
    both = corefkit(
        "score", KEY, RESPONSE, "-m", "muc,half,half_again", "-f", "json", folder=folder
    )
    scores = json.loads(both)["systems"][0]["scores"]
    assert scores["half"]["counts"] == scores["half_again"]["counts"]
    assert scores["half"]["f1"] == found_by_half(KEY, RESPONSE)
    assert "The Harbour Papers" in corefkit("metrics", "half", folder=folder)
    assert "\nhalf_again " in corefkit("metrics", folder=folder)
    (folder / "bad-1.0.dist-info").mkdir()
    (folder / "bad-1.0.dist-info/METADATA").write_text(
        "Metadata-Version: 2.1\nName: bad\nVersion: 1.0\n"
    )
    (folder / "bad-1.0.dist-info/entry_points.txt").write_text(
        "[corefkit.metrics]\nhalf.badly = harbour.half:HALF\n"
    )
    refused = corefkit("score", KEY, RESPONSE, "-m", "half.badly", folder=folder, status=2)
    assert "'half.badly' is not a valid name; use letters, digits, - and _" in refused
    assert run("score", str(KEY), str(RESPONSE), "-m", "half").status == 2


def found_by_half(key: Path, response: Path) -> float:
    """F1 of the metric, by sets."""
    from corefkit import read

    sides = [
        [
            {(document, *m) for m in cluster}
            for document, found in read(path).clusters().items()
            for cluster in found
        ]
        for path in (str(key), str(response))
    ]
    rates = [
        sum(any(2 * len(entity & other) > len(entity) for other in there) for entity in here)
        / len(here)
        for here, there in (sides, sides[::-1])
    ]
    return 2 * rates[0] * rates[1] / sum(rates)


def test_a_result(folder: Path) -> None:
    code = "from harbour.berths import Berths; b = Berths(3); print(b, b._repr_html_())"
    shown = python("-c", code, folder=folder)
    assert shown.startswith("Berths")
    assert "<table" in shown
    result = {"result": "berths", "list": {"path": "tale.lines"}, "free": 3}
    result |= {"signature": "metrics:muc|profile:standard|version:1"}
    (folder / "berths.json").write_text(json.dumps(result))
    same = corefkit("verify", "berths.json", "--unhashed", folder=folder)
    assert "same: 1 number reproduced" in same
    (folder / "berths.json").write_text(json.dumps(result | {"free": 4}))
    other = corefkit("verify", "berths.json", "--unhashed", folder=folder, status=3)
    assert "free: 4 in the result, 3 now" in other
    assert run("verify", str(folder / "berths.json"), "--unhashed").status == 1


def test_in_python(folder: Path) -> None:
    code = """
import corefkit
corpus = corefkit.read("tale.lines", format="lines")
scores = corefkit.score(corpus, corpus, metrics=["half", "muc"])
print(corpus.clusters(), scores["half"].f1, scores["muc"].f1)
"""
    assert python("-c", code, folder=folder).strip() == (
        "{'tale': [[(0, 1), (4, 4)], [(2, 2)]]} 1.0 1.0"
    )


def test_help_lists_what_plugins_add(folder: Path) -> None:
    lines = [line.split() for line in corefkit("help", "plugins", folder=folder).splitlines()]
    assert ["commands", "audit", "corefkit"] in lines
    assert ["engines", "duckdb", "corefkit"] in lines
    for kind, name in (("commands", "largest"), ("formats", "lines"), ("metrics", "half")):
        assert [kind, name, "harbour"] in lines


@pytest.mark.parametrize("words", ours("commands"))
def test_commands_of_ours(words: str) -> None:
    """Each leads to a command of its name."""
    added: PluginCommand = find("commands", words)
    assert load(added.where).name == words.rsplit(maxsplit=1)[-1]
    assert added.help.endswith(".")


def test_core_asks_no_other_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """For names that the core or a plug-in of ours has, no metadata of packages is read."""
    monkeypatch.setattr("corefkit.core.entry_points.installed", lambda kind: 1 / 0)
    assert run("score", str(KEY), str(RESPONSE), "-m", "conll,ari").status == 0
    assert run("audit", "--help").status == 0
    assert run("convert", str(KEY), str(tmp_path / "key.jsonl")).status == 0
    assert run("formats", "conll").status == 0
