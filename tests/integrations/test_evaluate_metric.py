"""The metric module, loaded by the real `evaluate` from its path."""

from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit.integrations import EVALUATE
from tests.integrations.support import needed

KEY = [[[[0, 1], [4, 4]], [[6, 6], [8, 9]]], [[[2, 2], [5, 7]]], []]
RESPONSE = [[[[0, 1], [4, 4], [8, 9]]], [[[2, 2], [5, 7]]], [[[1, 1]]]]


@pytest.fixture
def metric(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    evaluate = needed("evaluate")
    monkeypatch.setattr(evaluate.config, "HF_MODULES_CACHE", str(tmp_path / "modules"))
    return evaluate.load(EVALUATE, cache_dir=str(tmp_path))


def wanted(metrics: str | None = None, **options: Any) -> corefkit.Scores:
    evaluator = corefkit.Evaluator(metrics, **options)
    for key, response in zip(KEY, RESPONSE, strict=True):
        evaluator.update(*([[tuple(m) for m in c] for c in side] for side in (key, response)))
    return evaluator.scores()


def test_compute(metric: Any) -> None:
    found = metric.compute(predictions=RESPONSE, references=KEY)
    scores = wanted()
    assert found == {**scores.flat(), "signature": scores.signature}
    assert 0 < found["conll/f1"] < 1


def test_batches_and_options(metric: Any) -> None:
    metric.add_batch(predictions=RESPONSE[:2], references=KEY[:2])
    metric.add(prediction=RESPONSE[2], reference=KEY[2])
    found = metric.compute(metrics="muc,lea", singletons="drop")
    scores = wanted("muc,lea", singletons="drop")
    assert found == {**scores.flat(), "signature": scores.signature}
