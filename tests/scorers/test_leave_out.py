"""Mentions of some kinds left out of both sides, by the trees of the key."""

from pathlib import Path

import pytest

import corefkit
from corefkit import Corpus, DataError, UsageError
from corefkit.scorers import make_options
from corefkit.scorers.leave_out import parse_kinds
from corefkit.scorers.signature import parse_signature, shorten, signature
from tests.support import EXAMPLES, run

HEAD = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"
WORDS = """\
1\tAda\tAda\tPROPN\t_\t_\t5\tnsubj\t_\tEntity=(e1--1(e2--1)
2\tthe\tthe\tDET\t_\t_\t3\tdet\t_\tEntity=(e3--2
3\tpoet\tpoet\tNOUN\t_\t_\t1\tappos:x\t_\tEntity=e3)e1)
4\tis\tbe\tAUX\t_\t_\t5\tcop\t_\t_
5\tproud\tproud\tADJ\t_\t_\t0\troot\t_\tEntity=(e4--1)
6\tof\tof\tADP\t_\t_\t7\tcase\t_\t_
7\therself\therself\tPRON\t_\tCase=Acc|PronType=Prs|Reflex=Yes\t5\tobl\t_\tEntity=(e2--1)
8\twho\twho\tPRON\t_\tPronType=Int,Rel\t9\tnsubj\t_\tEntity=(e2--1)
9\tsang\tsing\tVERB\t_\t_\t1\tacl:relcl\t_\tEntity=(e5--1)

"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "d.conllu"
    path.write_text(HEAD + WORDS)
    return str(path)


@pytest.mark.parametrize(
    ("kinds", "left"),
    [
        ("appositive", 6),
        ("predicate", 6),
        ("relative", 6),
        ("reflexive", 6),
        ("reciprocal", 7),
        ("compound", 7),
        ("verb", 6),
        ("nested", 5),
        ("singleton", 3),
        ("relative,reflexive", 5),
        ("relative,reflexive,singleton", 0),
    ],
)
def test_kinds(file: str, kinds: str, left: int) -> None:
    counts = corefkit.score(file, file, "mentions", leave_out=kinds)["mentions"].counts
    assert counts == {"recall": [left, left], "precision": [left, left]}


def test_a_span_of_the_response_is_judged_by_the_key(file: str) -> None:
    response = Corpus.from_clusters({"d": [[(1, 2), (6, 6)], [(0, 0)]]})
    counts = corefkit.score(file, response, "mentions", leave_out="appositive")["mentions"].counts
    assert counts == {"recall": [2, 6], "precision": [2, 2]}


def test_on_columns(tmp_path: Path) -> None:
    key = EXAMPLES / "key.conll"
    scores = corefkit.score(key, key, "mentions", leave_out="verb,nested,singleton")
    assert 0 < scores["mentions"].counts["recall"][1] < corefkit.read(key).mentions
    with pytest.raises(DataError) as error:
        corefkit.score(key, key, "mentions", leave_out="appositive")
    assert {i.id for i in error.value.incidents if i.severity == "error"} == {"column-missing"}


def test_usage() -> None:
    assert parse_kinds(["singleton", "verb"]) == ("verb", "singleton")
    with pytest.raises(UsageError, match="unknown kind 'generic'"):
        make_options(leave_out="generic")
    with pytest.raises(UsageError, match="cannot be combined with the profile coval"):
        make_options(profile="coval", leave_out="verb")


def test_signature_and_report(file: str) -> None:
    options = make_options("muc", leave_out="verb,appositive")
    text = signature(options)
    assert "|leave-out:appositive+verb|" in text
    assert parse_signature(text)[0] == options == parse_signature(shorten(text))[0]
    shown = run("score", file, file, "-m", "muc", "--leave-out", "appositive,verb").out
    assert "Mentions left out" in shown
    assert '"left_out"' in run("score", file, file, "--leave-out", "verb", "-f", "json").out


def test_parts_are_of_the_mentions_that_are_scored(file: str) -> None:
    """Strata add up to the whole, and losses begin at the scores, where mentions are left out."""
    response = Corpus.from_clusters({"d": [[(1, 1), (6, 6)], [(4, 4)], [(7, 7), (8, 8)]]})
    metrics = "mentions,muc,bcub,ceafe"
    scores = corefkit.score(file, response, metrics, leave_out="reflexive")
    assert scores["mentions"].counts["recall"][1] == 6
    for by in ("entity:size", "entity:kind"):
        counts = [part.scores.counts for part in scores.by(by).values()]
        for metric in scores:
            parts = [table.total(metric) for table in counts]
            assert [*map(sum, zip(*parts, strict=True))] == pytest.approx(
                scores.counts.total(metric)
            )
    assert scores.losses.f1("muc")[0] == scores["muc"].f1
