"""Gains of single repairs: the repair is applied to the response, and the result is scored."""

from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import Corpus, DataError
from corefkit.analysis import gains as single_gains
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
def test_mended_alignments(tmp_path: Path, given: list[Document]) -> None:
    """For CEAF two columns of an alignment are replaced: the same as counting again."""
    table, names = errors_of(given, tmp_path).table, ("ceafm", "ceafe")
    options = make_options(names)
    mended = [SingleGains(table, options).f1(metric) for metric in names]
    with patch.object(single_gains, "_CEAF", ()):
        counted = [SingleGains(table, options).f1(metric) for metric in names]
    assert np.allclose(mended, counted, rtol=0, atol=1e-12)


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
