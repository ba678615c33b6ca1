"""Gains of single repairs: the repair is applied to the response, and the result is scored."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, DataError
from corefkit.analysis.gains import SingleGains
from corefkit.scorers import make_options
from tests.analysis.support import Document
from tests.analysis.test_against_oracle import analysis, each, errors_of, some_documents
from tests.oracle.errors import Mention
from tests.support import EXAMPLES

METRICS = "mentions,muc,bcub,ceafm,ceafe,lea,blanc,conll"


@given(some_documents, st.sampled_from(["keep", "e2e"]))
@each
def test_gains_against_scores(tmp_path: Path, given: list[Document], singletons: Any) -> None:
    metrics = METRICS if singletons == "keep" else "muc,bcub,ceafe,lea,conll"
    errors = errors_of(given, tmp_path, singletons=singletons)
    names = errors.joint.key.names
    oracles = {f"(d{number}); part 000": analysis(one) for number, one in enumerate(given)}
    as_it_is = {name: one.repair([]) for name, one in oracles.items()}
    gains = {metric: errors.gains(metric) for metric in metrics.split(",")}

    def scores(changed: dict[str, list[set[Mention]]]) -> corefkit.Scores:
        response = Corpus.from_clusters({n: [[*e] for e in changed[n]] for n in names})
        return corefkit.score(key, response, metrics, singletons=singletons)

    key = Corpus.from_clusters({name: [[*e] for e in oracles[name].key] for name in names})
    now = scores(as_it_is)
    for number, error in enumerate(errors):
        mentions = frozenset((m.start, m.end) for m in error.mentions if m.row >= 0)
        repaired = oracles[error.document].repair([(error.type, mentions)])
        with suppress(DataError):  # mentions that cross, which `score` refuses
            then = scores(as_it_is | {error.document: repaired})
            for metric, gain in gains.items():
                expected = then[metric].f1 - now[metric].f1
                assert gain[number] == pytest.approx(expected, abs=1e-12), (error.id, metric)
            assert error.gain == gains[errors.metric][number]


@given(some_documents)
@each
def test_small_and_large_documents(tmp_path: Path, given: list[Document]) -> None:
    """Small documents are aligned again, alignments of large ones mended: both gain the same."""
    options = make_options("ceafm,ceafe")
    table = errors_of(given, tmp_path).table
    found = {}
    for most in (0, 8, 1000):  # all large, some large, all small
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("corefkit.analysis.gains._SMALL", most)
            gains = SingleGains(table, options)
            found[most] = [gains.f1(metric) for metric in ("ceafm", "ceafe")]
    assert np.allclose(found[0], found[1000], rtol=0, atol=1e-12)
    assert np.allclose(found[8], found[1000], rtol=0, atol=1e-12)


def test_what_gains_most() -> None:
    errors = corefkit.errors(EXAMPLES / "key.conll", EXAMPLES / "hasty.conll")
    best = errors.best_repairs(10)
    assert [one.gain for one in best] == sorted(errors.gains().tolist(), reverse=True)[:10]
    assert best[0].id == errors[int(np.argmax(errors.gains()))].id
    assert [one["id"] for one in errors.to_dict()["best_repairs"]] == [one.id for one in best]
    assert best[0].to_dict()["gain"] == best[0].to_row()["gain"] == best[0].gain


def test_no_error_no_gain() -> None:
    errors = corefkit.errors(EXAMPLES / "key.conll", EXAMPLES / "key.conll")
    assert errors.gains().shape == (0,) and errors.best_repairs() == []
