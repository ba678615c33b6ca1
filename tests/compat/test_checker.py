"""The stand-in for ClusterChecker: LEA without singletons, the others by their definitions."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.compat.checker import ClusterChecker
from tests.oracle import metrics as oracle
from tests.oracle.other_scorers import e2e_count
from tests.strategies import Document, documents

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # figures without mentions


@given(st.lists(documents(8), min_size=1, max_size=3))
def test_all_figures(texts: list[Document]) -> None:
    checker = ClusterChecker()
    lists: Any = [([*map(list, key)], [*map(list, response)]) for key, response in texts]
    for pair in lists:
        recall, precision, f1 = oracle.score_counts(e2e_count("lea", [pair]))
        expected = [float(x) for x in (f1, precision, recall)]
        assert checker.add_predictions(*pair) == pytest.approx(expected, abs=1e-12)
    recall, precision, f1 = oracle.score_counts(e2e_count("lea", lists))
    expected = [float(x) for x in (f1, precision, recall)]
    assert checker.total_lea == pytest.approx(expected, abs=1e-12)
    three = [
        float(oracle.score_counts(e2e_count(name, lists, singletons=True))[2])
        for name in ("muc", "bcub", "ceafe")
    ]
    assert checker.mbc == pytest.approx(three, abs=1e-12)
    assert checker.bakeoff == pytest.approx(sum(three) / 3, abs=1e-12)


def test_the_signature_and_other_profiles() -> None:
    signature = ClusterChecker().corefkit.scores().signature
    assert "|profile:standard|" in signature and "|singletons:lea|" in signature
    checker = ClusterChecker(profile="e2e")
    assert "|singletons:e2e|" in checker.corefkit.scores().signature
    assert (checker.total_lea, checker.bakeoff) == ((0, 0, 0), 0)
