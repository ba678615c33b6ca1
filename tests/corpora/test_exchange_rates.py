"""What errors cost: means over seeds of scores that `degrade` and `score` give one by one."""

import json
from statistics import fmean, stdev
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, UsageError
from corefkit.corpora.exchange_rates import exchange_rates
from tests.support import EXAMPLES, run

KEY = EXAMPLES / "key.conll"


def test_a_table_is_what_single_scores_say() -> None:
    key = corefkit.read(KEY)
    table = exchange_rates(key, "muc,conll", rates=["5%", 0.2], seeds=3, seed=4)
    assert table.seeds == (4, 5, 6)
    assert [(one.operation, one.rate) for one in table.rates][:3] == [
        ("split", "0.05"),
        ("split", "0.2"),
        ("merge", "0.05"),
    ]
    for one in table.rates:
        rates: dict[str, Any] = {one.operation: one.rate}
        made = [corefkit.degrade(key, seed=s, **rates).corpus for s in table.seeds]
        losses = [1 - corefkit.score(key, corpus, "muc,conll").conll for corpus in made]
        loss = one.metrics["conll"]
        assert loss.loss == pytest.approx(fmean(losses), abs=1e-12)
        assert loss.sd == pytest.approx(stdev(losses), abs=1e-12)
        assert loss.per_percent == pytest.approx(fmean(losses) / (100 * float(one.rate)), abs=1e-12)


def test_a_key_without_mentions_loses_nothing() -> None:
    table = exchange_rates(Corpus.from_clusters({"d": []}), "muc", rates=[1], seeds=1)
    assert {(one.metrics["muc"].loss, one.metrics["muc"].sd) for one in table.rates} == {(0, None)}


@pytest.mark.parametrize("form", ["text", "json", "tsv", "csv", "markdown", "latex", "html"])
def test_command(form: str) -> None:
    made = run("degrade", KEY, "--table", "-m", "muc", "--rates", "10%", "--seeds", "2", "-f", form)
    assert made.status == 0
    if form == "json":
        rates = json.loads(made.out)["rates"]
        assert [rate["operation"] for rate in rates] == ["split", "merge", "drop", "span", "invent"]
    elif form == "tsv":
        lines = made.out.splitlines()
        assert lines[0].split("\t") == ["operation", "rate", "metric", "loss", "sd", "per_percent"]
        assert len(lines) == 6
    else:
        assert "invent" in made.out


def test_misuse() -> None:
    wrong: list[dict[str, Any]] = [{"rates": ["0"]}, {"rates": ["2"]}, {"rates": []}, {"seeds": 0}]
    for options in wrong:
        with pytest.raises(UsageError):
            exchange_rates(KEY, "muc", **options)
    made = run("degrade", KEY, "--table", "--rates", "5%,x")
    assert (made.status, "not a rate" in made.err) == (2, True)
