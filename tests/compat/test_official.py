"""The stand-in for the evaluators that are asked for a metric by name."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.compat.official import (
    CoNLL2012CorefEvaluator,
    OfficialCoNLL2012CorefEvaluator,
    OfficialMentionEvaluator,
)
from tests.oracle import metrics as oracle
from tests.oracle.other_scorers import e2e_count

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # figures without mentions

CLUSTERS = st.lists(st.text("abcdefg", min_size=1, max_size=5), max_size=4)


@given(st.lists(st.tuples(CLUSTERS, CLUSTERS), min_size=1, max_size=3))
def test_all_figures(documents: list[tuple[list[str], list[str]]]) -> None:
    evaluator = OfficialCoNLL2012CorefEvaluator()
    for key, response in documents:
        owners = [{m: tuple(c) for c in side for m in c} for side in (response, key)]
        evaluator.update(response, key, *owners)
    lists: Any = [tuple([list(c) for c in side] for side in pair) for pair in documents]
    expected = []
    for name, ours in (("muc", "muc"), ("b_cubed", "bcub"), ("ceafe", "ceafe")):
        recall, precision, f1 = oracle.score_counts(e2e_count(ours, lists, singletons=True))
        expected.append([float(x) for x in (precision, recall, f1)])
        found = evaluator.get_prf(name)
        assert found == pytest.approx(expected[-1], abs=1e-12)
        assert found == (
            evaluator.get_precision(name),
            evaluator.get_recall(name),
            evaluator.get_f1(name),
        )
    means = [sum(values) / 3 for values in zip(*expected, strict=True)]
    assert evaluator.get_prf("conll2012") == pytest.approx(means, abs=1e-12)
    assert evaluator.get_prf() == evaluator.get_prf("conll2012")


def test_names_and_profiles() -> None:
    evaluator = CoNLL2012CorefEvaluator(profile="e2e")
    evaluator.update(["ab", "c"], ["ab", "c"])
    assert evaluator.get_prf("ceafe") == pytest.approx((1, 1 / 2, 2 / 3))
    with pytest.raises(ValueError, match="conll2012, muc, b_cubed, ceafe, not 'lea'"):
        evaluator.get_f1("lea")
    with pytest.raises(ValueError, match="mention_to_gold does not agree"):
        evaluator.update(["ab"], ["ab"], None, {"a": "ab"})
    mentions = OfficialMentionEvaluator()
    mentions.update("ab", "abcd")
    assert mentions.get_prf() == pytest.approx((1, 1 / 2, 2 / 3))
