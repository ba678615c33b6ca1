"""Detection and linking: identities that hold for all documents, and what is refused."""

from typing import Any

import pytest
from hypothesis import given

import corefkit
from corefkit import Corpus, UsageError
from corefkit.analysis.losses import RepairCorners
from tests.metrics.test_counting import Clusters, partitions
from tests.strategies import examples

METRICS = "mentions,muc,bcub,ceafm,ceafe,lea,conll"


def losses(key: Clusters, response: Clusters, **policies: str) -> RepairCorners:
    one, other = (
        Corpus.from_clusters({"d": [[(m, m) for m in c] for c in side]}) for side in (key, response)
    )
    chosen: dict[str, Any] = {**policies}
    return corefkit.errors(one, other, METRICS, **chosen).corners


@given(partitions())
@examples(40)
def test_the_two_add_up(sides: tuple[Clusters, Clusters]) -> None:
    """To all that is lost; the first corner is the score, and one of singletons is as they say."""
    for singletons in ("keep", "drop"):
        found = losses(*sides, singletons=singletons)
        for metric in METRICS.split(","):
            response, _, _, key = found.f1(metric)
            loss = found[metric]
            assert loss.detection + loss.linking == pytest.approx(key - response, abs=1e-12)


@given(partitions())
@examples(40)
def test_the_first_corner_is_the_score(sides: tuple[Clusters, Clusters]) -> None:
    key, response = (
        Corpus.from_clusters({"d": [[(m, m) for m in c] for c in side]}) for side in sides
    )
    scores = corefkit.score(key, response, METRICS)
    for metric, score in scores.items():
        assert scores.losses.f1(metric)[0] == pytest.approx(score.f1, abs=1e-12)


@given(partitions())
@examples(40)
def test_perfect_mentions_leave_nothing_to_detection(sides: tuple[Clusters, Clusters]) -> None:
    """Mentions as in the key, whatever the links."""
    key, response = sides
    known = {m for entity in key for m in entity}
    kept = [[m for m in entity if m in known] for entity in response]
    alone = known - {m for entity in kept for m in entity}
    found = losses(key, [entity for entity in kept if entity] + [[m] for m in sorted(alone)])
    for metric in METRICS.split(","):
        assert found[metric].detection == pytest.approx(0, abs=1e-12)


@given(partitions())
@examples(40)
def test_perfect_links_leave_nothing_to_linking(sides: tuple[Clusters, Clusters]) -> None:
    """The key's entities restricted to what was found, and singletons of what is extra."""
    key, other = sides
    there = {m for entity in other for m in entity}
    kept = [[m for m in entity if m in there] for entity in key]
    extra = there - {m for entity in key for m in entity}
    found = losses(key, [entity for entity in kept if entity] + [[m + 50] for m in sorted(extra)])
    for metric in METRICS.split(","):
        assert found[metric].linking == pytest.approx(0, abs=1e-12)


def test_a_missing_leader_is_a_missing_mention() -> None:
    """Key {J h M}, response {h M}: all links are right."""
    found = losses([[0, 1, 2]], [[1, 2]])["muc"]
    assert found.linking == pytest.approx(0)
    assert found.detection == pytest.approx(1 - 2 / 3, abs=1e-12)


def test_what_is_refused() -> None:
    key = Corpus.from_clusters({"d": [[(0, 0), (1, 1)]]})
    with pytest.raises(UsageError, match="profile standard"):
        _ = corefkit.score(key, key, profile="e2e").losses
    counted = corefkit.Evaluator("muc").update([["a", "b"]], [["a", "b"]]).scores()
    with pytest.raises(UsageError, match="corpora"):
        _ = counted.losses
