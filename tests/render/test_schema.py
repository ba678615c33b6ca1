"""The JSON of results is what docs/results.schema.json says."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.json_schema import violations
from tests.support import EXAMPLES, run

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))
TWO_RUNS = (f"mine@1={CAREFUL}", f"mine@2={HASTY}", f"other={EXAMPLES / 'baseline.conll'}")


FILES: dict[str, Sequence[str | Path]] = {
    "key": [KEY],
    "careful": [CAREFUL],
    "hasty": [HASTY],
    "runs": TWO_RUNS,
    "links": [EXAMPLES / "links.tsv"],
    "manifest": [EXAMPLES / "task" / "task.toml"],
    "metric": [f"{EXAMPLES / 'pasted_metrics.py'}:CorefEvaluator"],
}


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("scores", "score key careful hasty"),
        ("scores", "score key careful --by genre --losses"),
        ("scores", "score key careful --by entity:size --by length -m mentions,muc,lea"),
        ("scores", "score key careful --by link:tokens -m blanc,muc"),
        ("scores", "score key careful --window 10,20 --by genre -m muc,blanc"),
        ("scores", "score key careful --by window:20 --by entity:kind -m muc"),
        ("scores", "score key careful --by across:corpus"),
        ("scores", "score key careful -m immediate,anchor --by class"),
        ("scores", "score key careful --average documents -m blanc,conll"),
        ("runs", "score key runs --by genre -m muc --agreement"),
        ("runs", "score key runs --window 20 --by entity:size=1,2 -m muc,conll"),
        ("comparison", "compare key careful hasty --samples 99"),
        (
            "comparison",
            "compare key careful hasty --samples 99 --window 20 --by entity:size -m muc",
        ),
        ("comparison", "compare key runs -m muc --by length"),
        ("agreement", "agree key careful hasty"),
        ("errors", "errors key careful hasty --by genre"),
        ("list", "errors key careful --list"),
        ("list", "errors key careful --links"),
        ("outcomes", "outcomes key careful -m immediate"),
        ("outcomes", "outcomes key careful hasty"),
        ("explanation", "explain key careful --profile standard --profile coval"),
        ("shrunk", "explain key hasty --profile standard --profile e2e --shrink --least 0.0001"),
        ("options", "explain profile:coval|version:0.1.0"),
        ("incidents", "check hasty --against key"),
        ("kinds", "check --list"),
        ("statistics", "stats key careful"),
        ("formats", "formats"),
        ("properties", "metrics muc --properties --mentions 3"),
        ("curve", "study curve key links --samples 9"),
        ("power", "study power key careful hasty -m conll"),
        ("adjudication", "adjudicate key careful"),
        ("list", "task published"),
        ("published", "task published acl-2014/table-1"),
        ("table", "task check manifest"),
        ("audit", "audit --python metric --style e2e -m muc"),
    ],
)
def test_results(result: str, words: str) -> None:
    done = run(*(one for word in words.split() for one in FILES.get(word, [word])), "-f", "json")
    content = json.loads(done.out)
    assert (content["result"], [*violations(content)]) == (result, [])


def test_receipts(tmp_path: Path) -> None:
    """What `verify` writes, and what it reads."""
    receipts = [tmp_path / "a.json", tmp_path / "b.json"]
    for receipt in receipts:
        assert run("score", KEY, CAREFUL, "-m", "muc", "-o", receipt).status == 0
    for result, given in (("verification", receipts[:1]), ("difference", receipts)):
        content = json.loads(run("verify", *given, "-f", "json").out)
        assert (content["result"], [*violations(content)]) == (result, [])


def test_what_is_made_of_files(tmp_path: Path) -> None:
    """The labels of a list, the items of an adjudication, a result among published ones."""
    labelled, items, result = (tmp_path / name for name in ("list.tsv", "items.json", "r.json"))
    assert run("agree", KEY, CAREFUL, "--disagreements", labelled).status == 0
    heading, *lines = labelled.read_text(encoding="utf-8").splitlines()
    filled = [heading, *(f"{line.rstrip()}\tGenerics" for line in lines)]
    labelled.write_text("\n".join(filled), encoding="utf-8")
    assert run("adjudicate", KEY, CAREFUL, "--report", items).status in (0, 1)
    assert run("score", KEY, CAREFUL, "-m", "muc,bcub,ceafe,conll", "-o", result).status == 0
    standing = run("task", "published", "conll-2012/english", result, "-f", "json")
    for kind, text in (
        ("labels", run("agree", "--labels", labelled, "-f", "json").out),
        ("items", items.read_text(encoding="utf-8")),
        ("standing", standing.out),
    ):
        content = json.loads(text)
        assert (content["result"], [*violations(content)]) == (kind, [])


def test_what_is_wrong_is_found() -> None:
    good = json.loads(run("score", KEY, CAREFUL, "--by", "genre", "-m", "muc", "-f", "json").out)
    system = good["systems"][0]
    system["parts"][0]["part"] = {}
    system["parts"][1]["scores"]["muc"]["f1"] = "0.5"
    system["parts"][2]["label"] = "nw"
    del system["parts"][3]["scores"], good["schema"]
    assert [*violations(good)] == [
        ": lacks schema",
        "/systems/0/parts/0/part: is empty",
        "/systems/0/parts/1/scores/muc: fits none of 4",
        "/systems/0/parts/2: label is unknown",
        "/systems/0/parts/3: lacks scores",
    ]
