"""Evaluator: what a training loop relies on."""

import pickle
from typing import Any

import pytest

from corefkit import Evaluator, UsageError

KEY = [[(0, 1), (4, 4)], [(6, 6), (8, 9)]]
RESPONSE = [[(0, 1), (4, 4), (8, 9)]]


def test_update_returns_the_evaluator_and_scores_can_be_asked_for_again() -> None:
    evaluator = Evaluator("muc")
    assert evaluator.update(KEY, RESPONSE) is evaluator
    assert evaluator.scores()["muc"].counts["recall"] == [1, 2]
    evaluator.update(KEY, KEY)
    assert evaluator.scores()["muc"].counts["recall"] == [3, 4]
    assert evaluator.scores()["muc"].counts["recall"] == [3, 4]


def test_batch_is_the_same_as_one_by_one() -> None:
    batch = Evaluator().update_batch([KEY, KEY], [RESPONSE, KEY])
    single = Evaluator().update(KEY, RESPONSE).update(KEY, KEY)
    assert batch.scores().to_dict() == single.scores().to_dict()
    with pytest.raises(ValueError, match="1 key documents but 0"):
        Evaluator().update_batch([KEY], [])


def test_any_iterable_of_any_hashable() -> None:
    tuples = Evaluator().update(KEY, RESPONSE)
    mixed = Evaluator().update((iter(entity) for entity in KEY), map(set, RESPONSE))
    assert mixed.scores().to_dict() == tuples.scores().to_dict()


def test_repeated_mentions_the_first_copy_counts() -> None:
    repeated = Evaluator().update([["a", "b", "a"], ["b", "c"]], [["a", "b"], ["a", "c"]])
    plain = Evaluator().update([["a", "b"], ["c"]], [["a", "b"], ["c"]])
    assert repeated.scores().to_dict() == plain.scores().to_dict()


def test_singletons_are_dropped_on_request_after_copies_are() -> None:
    dropped = Evaluator(singletons="drop").update(["ab", "ac", "d"], ["ab", "d"])
    plain = Evaluator().update(["ab"], ["ab"])
    assert dropped.scores().to_dict() == plain.scores().to_dict()
    assert "singletons:drop" in dropped.scores().signature


def test_empty_clusters_are_nothing() -> None:
    assert Evaluator().update([[], "ab"], ["ab", []]).scores()["ceafe"].f1 == 1


def test_lists_as_mentions_get_a_helpful_message() -> None:
    lists: Any = [[[0, 1]]]
    with pytest.raises(TypeError, match="tuples"):
        Evaluator().update(lists, [])
    evaluator = Evaluator("muc")
    with pytest.raises(TypeError):
        evaluator.update(["ab"], lists)
    assert len(evaluator) == 0
    assert evaluator.update(["ab"], ["ab"]).scores()["muc"].counts["recall"] == [1, 1]


def test_no_document_scores_zero() -> None:
    scores = Evaluator().scores()
    assert scores.conll == 0
    assert scores["bcub"].counts == {"recall": [0.0, 0], "precision": [0.0, 0]}


def test_pickle_and_merge_leave_the_other_alone() -> None:
    one = Evaluator("muc").update(KEY, RESPONSE, document="one")
    other = Evaluator("muc").update(KEY, KEY, document="two")
    copy = pickle.loads(pickle.dumps(one))
    merged = copy.merge(other)
    assert merged is copy
    assert sorted(merged.scores().by("document")) == ["one", "two"]
    assert len(one) == len(other) == 1
    with pytest.raises(ValueError, match="same metrics"):
        one.merge(Evaluator("bcub"))


def test_reset() -> None:
    evaluator = Evaluator("muc").update(KEY, RESPONSE)
    evaluator.reset()
    assert len(evaluator) == 0
    assert evaluator.scores()["muc"].counts["recall"] == [0, 0]


def test_many_documents_are_counted_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corefkit.scoring.evaluator._ENOUGH", 3)
    portions, whole = Evaluator(), Evaluator()
    for _ in range(7):
        portions.update(KEY, RESPONSE)
    monkeypatch.undo()
    for _ in range(7):
        whole.update(KEY, RESPONSE)
    assert portions.scores().to_dict() == whole.scores().to_dict()
    assert portions.scores().counts.documents == tuple("0123456")


def test_unknown_metric() -> None:
    with pytest.raises(UsageError, match=r"choose from mentions, muc"):
        Evaluator("mucc")
