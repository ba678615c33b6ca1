"""How evaluators are called, and what they may return: as many forms as people have thought of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import pytest

from corefkit.compat import e2e
from corefkit.core.options import UsageError
from corefkit.plugins.audit.answers import find_figures
from corefkit.plugins.audit.audit_result import Audit, AuditPlan
from corefkit.plugins.audit.run import run_audit
from corefkit.plugins.audit.runners import CallableRunner, ScorerCall
from corefkit.plugins.audit.styles import call_style, plain
from corefkit.scoring.shrink import SmallDocument

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # figures without mentions

PAPER = SmallDocument((((0, 0), (1, 1)),), (((0, 0), (1, 1)), ((2, 2),)))


class PRF(NamedTuple):
    precision: float
    recall: float
    f1: float


@dataclass
class PlainScore:
    prec: float
    rec: float
    fscore: float


@pytest.mark.parametrize(
    "found",
    [
        {"muc": {"recall": 0.25, "precision": 0.5, "f1": 1 / 3}},
        {"muc": PRF(0.5, 0.25, 1 / 3)},
        {"muc": PlainScore(0.5, 0.25, 1 / 3)},
        {"muc": np.array([0.25, 0.5, 1 / 3])},
        {"muc": [np.float64(0.25), Fraction(1, 2), Decimal(1) / 3]},
        [("muc", (0.25, 0.5, 1 / 3))],
        ({"muc": (0.25, 0.5, 1 / 3)}, "and a text"),
        {"muc_p": "0.5", "muc_r": "0.25", "muc_f1": repr(1 / 3), "about": "not a number"},
    ],
    ids=str,
)
def test_what_may_be_returned(found: object) -> None:
    (recall, precision, f1) = find_figures(plain(found))["muc"]
    assert recall and precision and f1
    assert (recall.value, precision.value) == (0.25, 0.5)
    assert f1.value == pytest.approx(1 / 3)


def test_percent_signs_tell_the_scale() -> None:
    (_, _, f1) = find_figures(plain({"muc": "66.70%"}))["muc"]
    assert f1 is not None and (f1.value, f1.digits) == (66.7, 2)


def test_what_cannot_be_a_figure() -> None:
    deep: list[Any] = []
    deep.append(deep)
    assert plain(deep) is not None
    assert plain({"muc": object(), "lea": True, "bcub": 10**400}) == {
        "muc": None,
        "lea": None,
        "bcub": None,
    }
    assert find_figures(plain({"muc": {"f1": "many"}})) == {}


class Family:
    """An evaluator of the family of e2e whose parts are kept in some other way."""

    evaluators: Any

    def __init__(self) -> None:
        self.evaluators = {"muc": e2e.Evaluator(e2e.muc), "b_cubed": e2e.Evaluator(e2e.b_cubed)}

    def update(self, *sides: Any) -> None:
        for one in getattr(self.evaluators, "values", lambda: self.evaluators)():
            one.update(*sides)

    def get_prf(self) -> Any:
        return {"precision": 0.5, "recall": 0.25, "f1": 0.125}


class OtherOrder(Family):
    def __init__(self) -> None:
        self.evaluators = [e2e.Evaluator(metric) for metric in (e2e.ceafe, e2e.lea, e2e.muc)]


class Computes:
    """As metrics of training frameworks are: `update` of two sides, `compute`."""

    def __init__(self) -> None:
        self.made = e2e.CorefEvaluator()

    def update(self, preds: Any, target: Any) -> None:
        self.made.update(preds, target)

    def compute(self) -> Mapping[str, Any]:
        names = ("muc", "b_cubed", "ceafe")
        parts = zip(names, self.made.evaluators, strict=True)
        return {f"eval_{name}": PRF(*one.get_prf()) for name, one in parts}


class KeyFirst(Computes):
    def update(self, gold: Any, predicted: Any) -> None:
        self.made.update(predicted, gold)


class WithOption(Computes):
    def update(self, preds: Any, target: Any, weight: float = 1.0) -> None:
        super().update(preds, target)


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        (WithOption, ["muc", "bcub", "ceafe"]),
        (KeyFirst, ["muc", "bcub", "ceafe"]),
        (Family, ["conll", "muc", "bcub"]),
        (OtherOrder, ["conll", "ceafe", "lea", "muc"]),
        (Computes, ["muc", "bcub", "ceafe"]),
    ],
)
def test_relatives_of_e2e(target: type, expected: list[str]) -> None:
    figures = find_figures(call_style("e2e", target, None, [PAPER.sides]))
    assert [*figures] == expected
    true = e2e.CorefEvaluator()
    true.update(list(PAPER.response), list(PAPER.key))
    precision, recall, f1 = true.evaluators[0].get_prf()
    found = [figure and figure.value for figure in figures["muc"]]
    assert found == [recall, precision, f1]


def test_functions_of_sets() -> None:
    def score(key: Any, response: Any) -> tuple[float, float, float]:
        found = sum(len(one & other) for one in key for other in response)
        sizes = [sum(map(len, side)) for side in (key, response)]
        recall, precision = (found / size if size else 0.0 for size in sizes)
        return recall, precision, 2 * found / sum(sizes) if found else 0.0

    audit = audited(score, "pairs", "mentions")
    assert audit.metrics["mentions"].verdict == "standard"


def audited(score: Callable[..., Any], style: str, *metrics: str) -> Audit:
    plan = AuditPlan(metrics=metrics, random=2, once=True)
    return run_audit(CallableRunner(score, ScorerCall(style, metrics=metrics)), plan)


def test_figures_without_a_name() -> None:
    with pytest.raises(UsageError, match="a number without a name"):
        audited(lambda keys, responses: 0.5, "corpus")
    with pytest.raises(UsageError, match="a tuple without names"):
        audited(lambda keys, responses: (0.5, 0.5, 0.5), "corpus")


def test_a_triple_in_another_order_is_a_question() -> None:
    """Precision first, read as recall first: it may be the scorer, or `--order`."""

    def score(keys: Any, responses: Any) -> dict[str, Any]:
        made = e2e.Evaluator(e2e.b_cubed)
        for key, response in zip(keys, responses, strict=True):
            made.update(response, key)
        return {"bcub": made.get_prf()}

    (verdict,) = audited(score, "corpus").metrics.values()
    assert verdict.words.endswith("precision and recall are exchanged")
    assert verdict.note and "if precision comes first, use --order prf" in verdict.note

    def named(keys: Any, responses: Any) -> dict[str, Any]:
        return {"bcub": PRF(*score(keys, responses)["bcub"])}

    (verdict,) = audited(named, "corpus").metrics.values()
    assert verdict.words == "drops singletons from both sides first"
    assert verdict.note is None


def test_a_failure_in_reverse_order_only_is_a_matter_of_order() -> None:
    def score(keys: Any, responses: Any) -> dict[str, Any]:
        if any(side and side[0][0] > side[-1][-1] for side in (*keys, *responses)):
            raise ValueError("not sorted")
        made = e2e.Evaluator(e2e.muc)
        for key, response in zip(keys, responses, strict=True):
            made.update(response, key)
        return {"muc": PRF(*made.get_prf())}

    audit = audited(score, "corpus")
    assert {"paper", "both-singletons", "uneven-two"} <= {*audit.order}
    assert audit.exit == 4


def test_a_function_of_response_and_key_is_a_question() -> None:
    def score(predictions: Any, references: Any) -> dict[str, Any]:
        made = e2e.CorefEvaluator()
        for response, key in zip(predictions, references, strict=True):
            made.update(response, key)
        return {"muc": PRF(*made.evaluators[0].get_prf())}

    (verdict,) = audited(score, "corpus").metrics.values()
    assert verdict.words == "precision and recall are exchanged"
    assert verdict.note and "one that takes the response first would look the same" in verdict.note
