"""The stand-in for scorch's functions."""

import pytest
from hypothesis import given

from corefkit.compat import scorch
from tests.oracle import metrics as oracle
from tests.strategies import Document, documents

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # figures without mentions

NAMES = {"muc": "muc", "b_cubed": "bcub", "ceaf_m": "ceafm", "ceaf_e": "ceafe"}


@given(documents(8))
def test_all_figures(document: Document) -> None:
    key, response = document
    pair = [*map(frozenset, key)], [*map(frozenset, response)]
    sets = [set(entity) for entity in key], [set(entity) for entity in response]
    f1 = {}
    for name, ours in NAMES.items():
        expected = [float(x) for x in oracle.score_counts(oracle.count_plain(ours, [pair]))]
        assert getattr(scorch, name)(*sets) == pytest.approx(expected, abs=1e-12)
        f1[name] = expected[2]
    mean = (f1["muc"] + f1["b_cubed"] + f1["ceaf_e"]) / 3
    assert scorch.conll2012(*sets) == pytest.approx(mean, abs=1e-12)


def test_blanc_of_the_example() -> None:
    """That of Pradhan et al. (2014)."""
    recall, precision, f1 = scorch.blanc(["abc", "defg"], ["ab", "cd", "fghi"])
    assert f1 == pytest.approx(25 / 68, abs=1e-15)
    assert [recall, precision] == pytest.approx([4 / 9, 13 / 40])
