"""The stand-in for CoVal as a library."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.compat.coval import Evaluator, evaluator
from tests.oracle.metrics import Ratio, add
from tests.oracle.other_scorers import COVAL_RECALLS, lists_ceafe

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")  # figures without mentions

CLUSTERS = st.lists(st.text("abcdefg", min_size=1, max_size=5), max_size=4)
NAMES = {"mentions": "mentions", "muc": "muc", "b_cubed": "bcub", "lea": "lea"}


def info(key: list[str], response: list[str]) -> tuple[Any, ...]:
    """A document as CoVal's reader makes it: mentions of one side, places on the other."""
    ours, theirs = ({m: place for place, c in enumerate(s) for m in c} for s in (key, response))
    found = {m: theirs[m] for m in ours if m in theirs}, {m: ours[m] for m in theirs if m in ours}
    return key, response, *found


@given(st.lists(st.tuples(CLUSTERS, CLUSTERS), min_size=1, max_size=3))
def test_all_figures(documents: list[tuple[list[str], list[str]]]) -> None:
    infos = {str(number): info(*pair) for number, pair in enumerate(documents)}
    pairs: Any = [tuple([list(c) for c in side] for side in pair) for pair in documents]
    expected: dict[str, list[Ratio]] = {
        name: [
            add(COVAL_RECALLS[ours](*pair) for pair in pairs),
            add(COVAL_RECALLS[ours](*pair[::-1]) for pair in pairs),
        ]
        for name, ours in NAMES.items()
    }
    ceafe = lists_ceafe(pairs)
    expected["ceafe"] = [ceafe["recall"], ceafe["precision"]]
    for name, ratios in expected.items():
        recall, precision = (float(n / d) if d else 0.0 for n, d in ratios)
        f1 = 2 * recall * precision / (recall + precision) if recall + precision else 0.0
        found = evaluator.evaluate_documents(infos, getattr(evaluator, name))
        assert found == pytest.approx((recall, precision, f1), abs=1e-12)


def test_one_document_beta_and_counts() -> None:
    document = info(["abc"], ["ab"])
    one = evaluator.get_document_evaluations(document, evaluator.muc)
    assert one == (0.5, 1, pytest.approx(2 / 3))
    weighted = evaluator.evaluate_documents({"d": document}, evaluator.muc, beta=2)
    assert weighted[2] == pytest.approx(5 * 0.5 / 4.5)
    counting = evaluator.Evaluator(evaluator.b_cubed, profile="standard")
    counting.update((["abc"], ["ab"]))
    assert counting.get_counts() == (2, 2, pytest.approx(4 / 3), 3)
    assert "|profile:standard|" in counting.corefkit.scores().signature


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ((["abc"], ["ab"], {"a": 0}), "key_mention_sys_cluster .* 'b' is missing"),
        (
            (["abc"], ["ab"], {"a": 0, "b": 1}),
            "key_mention_sys_cluster .* 'b' belongs to 0, not to 1",
        ),
        ((["abc"], ["ab"], {"a": 0, "b": 0}, {"c": 0}), "sys_mention_key_cluster .* is missing"),
        ((["abc"],), "not 1 values"),
        (tuple("abcde"), "not 5 values"),
    ],
)
def test_documents_that_contradict(document: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Evaluator(evaluator.muc).update(document)


def test_metrics_are_those_of_the_module() -> None:
    with pytest.raises(TypeError, match="mentions, muc, b_cubed, ceafe, lea"):
        Evaluator(len)  # type: ignore[arg-type]
