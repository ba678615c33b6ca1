"""The stand-in for CorefAllMetrics: micro-averages, and means over documents."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.compat.tanl import CorefAllMetrics
from tests.oracle import metrics as oracle
from tests.strategies import Document, documents

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # figures without mentions

NAMES = {"muc": "muc", "b_cubed": "bcub", "ceaf": "ceafe"}


@given(st.lists(documents(8), min_size=1, max_size=3))
def test_all_figures(texts: list[Document]) -> None:
    keys, responses = ([*side] for side in zip(*texts, strict=True))
    results = CorefAllMetrics().get_all_metrics(keys, responses)
    pairs = [tuple([*map(frozenset, side)] for side in pair) for pair in texts]
    averages = {"micro": [0.0] * 3, "macro": [0.0] * 3}
    for name, ours in NAMES.items():
        whole = oracle.score_counts(oracle.count_plain(ours, pairs))  # type: ignore[arg-type]
        each = [oracle.score_counts(oracle.count_plain(ours, [p])) for p in pairs]  # type: ignore[list-item]
        means = [sum(column) / len(each) for column in zip(*each, strict=True)]
        for kind, (recall, precision, f1) in (("micro", whole), ("macro", means)):
            found = results[kind][name]
            expected = [float(x) for x in (precision, recall, f1)]
            assert [found[v] for v in ("precision", "recall", "f1")] == pytest.approx(
                expected, abs=1e-12
            )
            averages[kind] = [a + b / 3 for a, b in zip(averages[kind], expected, strict=True)]
    for kind, expected in averages.items():
        found = results[kind]["average"]
        assert [found[v] for v in ("precision", "recall", "f1")] == pytest.approx(
            expected, abs=1e-12
        )


def test_what_is_marked() -> None:
    metrics = CorefAllMetrics()
    results = metrics.get_all_metrics([["ab"]], [["ab"]])
    assert "|average:micro|" in results["micro"].signature
    assert "|average:documents|" in results["macro"].signature
    assert {**results["micro"]} == {**results["macro"]}
    again = metrics.get_all_metrics([["ab"], ["cd"]], [["ab"], []])  # nothing is remembered
    assert again["micro"]["muc"]["recall"] == 0.5
    assert len(metrics.corefkit) == 2
    with pytest.raises(ValueError, match="1 documents of labels but 2 of preds"):
        metrics.get_all_metrics([["ab"]], [["ab"], []])
