"""What all six modules refuse: it would be counted as something else."""

import warnings
from collections.abc import Callable
from typing import Any

import pytest

from corefkit import Evaluator
from corefkit.compat import checker, coval, e2e, official, scorch, tanl

KEY = [((0, 1), (4, 4)), ((6, 6),)]
RESPONSE = [((0, 1), (4, 4)), ((6, 6), (8, 9))]

Count = Callable[[Any, Any], object]
MODULES: dict[str, Count] = {
    "e2e": lambda key, response: e2e.CorefEvaluator().update(response, key),
    "metric": lambda key, response: e2e.Evaluator(e2e.lea).update(response, key),
    "official": lambda key, response: official.CoNLL2012CorefEvaluator().update(response, key),
    "checker": lambda key, response: checker.ClusterChecker().add_predictions(key, response),
    "tanl": lambda key, response: tanl.CorefAllMetrics().get_all_metrics([key], [response]),
    "coval": lambda key, response: coval.Evaluator(coval.muc).update((key, response)),
    "scorch": scorch.muc,
}


def used_up(values: list[Any]) -> Any:
    iterator = iter(values)
    assert list(iterator) == values
    return iterator


@pytest.mark.parametrize("name", MODULES)
def test_what_is_not_the_clusters_of_one_document(name: str) -> None:
    count = MODULES[name]
    count(KEY, RESPONSE)
    for key, response in (([KEY], [RESPONSE]), ([[KEY[1]]], [[KEY[1]]])):
        with pytest.raises(TypeError, match="one level too deep"):
            count(key, response)
    with pytest.raises(TypeError, match="not the text"):
        count(["[(0, 1), (4, 4)]"], RESPONSE)
    with pytest.raises(TypeError, match="may be used up"):
        count(KEY, used_up(RESPONSE))


def test_an_evaluator_refuses_texts_and_what_is_used_up() -> None:
    for wrong in (["[(0, 1), (4, 4)]"], ["12"], used_up(KEY), [used_up([*KEY[0]])]):
        with pytest.raises(TypeError, match=r"not the text|may be used up"):
            Evaluator().update(KEY, wrong)
    assert Evaluator().update([], []).update(["ab"], iter(["ab"])).scores().conll == 1


def test_mentions_of_a_batch_and_owners_that_are_numbers() -> None:
    with pytest.raises(TypeError, match="one level too deep"):
        e2e.MentionEvaluator().update([[(0, 1)], [(3, 4)]], [[(0, 1)], [(2, 2)]])
    with pytest.raises(ValueError, match="not to 3"):
        e2e.CorefEvaluator().update(
            RESPONSE, KEY, dict.fromkeys([(0, 1), (4, 4)], 3) | {(6, 6): 3, (8, 9): 3}
        )


@pytest.mark.parametrize(
    "deep",
    [[[[(0, 1)], [(3, 4)]]], [[[[0, 1]], [[3, 4]]]], ((((0, 1), (2, 2)), ((3, 4), (5, 6))),)],
)
def test_two_levels_too_deep(deep: Any) -> None:
    """Documents where mentions belong."""
    for count in (e2e.MentionEvaluator().update, Evaluator().update):
        with pytest.raises(TypeError, match="one level too deep"):
            count(deep, deep)


SPANS, TEXTS = [[(0, 1), (4, 4)]], [["a b", "c"]]


def _all_of(key: Any, response: Any) -> list[Callable[[], object]]:
    """A figure of each module."""
    one, named, checked, old = (
        e2e.CorefEvaluator(),
        official.OfficialCoNLL2012CorefEvaluator(),
        checker.ClusterChecker(),
        coval.Evaluator(coval.muc),
    )
    one.update(response, key)
    named.update(response, key)
    checked.add_predictions(key, response)
    old.update((key, response))
    return [
        one.get_f1,
        named.get_f1,
        lambda: checked.bakeoff,
        lambda: checked.total_lea,
        old.get_f1,
        lambda: tanl.CorefAllMetrics().get_all_metrics([key], [response]),
        lambda: scorch.muc(key, response),
        lambda: scorch.conll2012(key, response),
    ]


@pytest.mark.parametrize(("key", "response"), [(SPANS, TEXTS), (TEXTS, SPANS), (SPANS, [])])
def test_mentions_of_another_kind_are_a_warning(key: Any, response: Any) -> None:
    """As among the incidents of an Evaluator; the functions return figures only."""
    for figure in _all_of(key, response):
        with pytest.warns(UserWarning, match="mentions-unmatched|no-mention"):
            figure()


def test_no_warning_where_mentions_match() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for figure in _all_of(SPANS, SPANS):
            figure()
