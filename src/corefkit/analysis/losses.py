"""Losses: the points lost by detection and by linking, and the best score with either one perfect.

There are two repairs: of mentions, which keeps the response's links on perfect mentions, and of
links, which links the response's mentions perfectly. With none, one or both of them there are four
corners; both together give the key. F1 at the corners gives two Shapley values, `detection` and
`linking`, which add up to all lost points. F1 at the two middle corners are ceilings:
`perfect_mentions` and `perfect_linking`.

The losses are not the shares of the seven types of errors (`analysis.repairs`) in two groups: there
a missing mention that leads its entity is a divided entity, here it is a missing mention.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np

from corefkit import metrics
from corefkit.analysis.joint import Joint
from corefkit.core.arrays import BoolArray, FloatArray, IntArray, distinct, sum_by
from corefkit.core.carriers import frozen
from corefkit.core.counts import Counts
from corefkit.core.directed import tabulate
from corefkit.core.options import Options
from corefkit.features.features import PRONOUN
from corefkit.scorers.counting import count_table

CORNERS = ("response", "mentions_repaired", "links_repaired", "key")
RESPONSE, MENTIONS, LINKS, KEY = range(len(CORNERS))


class LostPoints(NamedTuple):
    """The points of one metric that detection and linking cost, and the two ceilings.

    F1 is between 0 and 1. A repair need not raise every metric, so a loss may be negative.
    """

    detection: float
    linking: float
    perfect_linking: float
    perfect_mentions: float


class LossFigures(NamedTuple):
    """F1 in one metric, the points lost, and where they were sampled, the intervals of these."""

    f1: float
    lost: LostPoints
    intervals: Mapping[str, tuple[float, float]] = {}

    def to_dict(self) -> dict[str, Any]:
        """The losses as in the JSON output."""
        return self.lost._asdict() | ({"intervals": self.intervals} if self.intervals else {})


def share_loss(f1: "Sequence[float] | FloatArray") -> tuple[float, ...]:
    """Detection, linking and the two ceilings from F1 at CORNERS.

    >>> share_loss((0.25, 0.75, 0.5, 1.0))
    (0.5, 0.25, 0.5, 0.75)
    """
    response, mentions, links, key = f1
    detection = ((mentions - response) + (key - links)) / 2
    linking = ((links - response) + (key - mentions)) / 2
    return detection, linking, links, mentions


@frozen(eq=False)
class RepairCorners:
    """A response at the four corners.

    Attributes:
        joint: the mentions of both sides.
        options: the metrics, all of them partition metrics, and policies.
    """

    joint: Joint
    options: Options

    @cached_property
    def corners(self) -> tuple[Counts, ...]:
        """The counts at each of CORNERS, by document."""
        return tuple(self._count(corner) for corner in range(len(CORNERS)))

    def f1(self, metric: str) -> tuple[float, ...]:
        """F1 at each of CORNERS."""
        return tuple(metrics.averaged(metric, partial(self._f1, c)) for c in self.corners)

    def _f1(self, counts: Counts, metric: str) -> float:
        return metrics.countable(metric, self.options).score(counts.total(metric)).f1

    def __getitem__(self, metric: str) -> LostPoints:
        return LostPoints(*share_loss(self.f1(metric)))

    def by_metric(self) -> dict[str, LossFigures]:
        """The losses in each metric of the options."""
        return {m: LossFigures(self.f1(m)[RESPONSE], self[m]) for m in self.options.metrics}

    def entities(self, corner: int) -> IntArray:
        """The entity of each mention of `joint` at a corner, int64; −1 where there is none."""
        joint = self.joint
        key, response = joint.key_entity, joint.response_entity
        if corner == RESPONSE:
            entity = response
        elif corner == KEY:
            return key
        elif corner == LINKS:
            alone = joint.key.entities + np.arange(joint.mentions)
            entity = np.where(response < 0, -1, np.where(key >= 0, key, alone))
        else:
            missing = (key >= 0) & (response < 0)
            entity = np.where(
                missing, np.append(self._home, -1)[key], np.where(key >= 0, response, -1)
            )
        return _without_singletons(entity) if self.options.singletons == "drop" else entity

    @cached_property
    def _home(self) -> IntArray:
        """The entity that the missing mentions of each key entity join, int64 (key entities,).

        It is that of the first mention which the response has and which is not a pronoun, else of
        the first one which it has; where it has none, a new entity.
        """
        joint = self.joint
        home = joint.response.entities + np.arange(joint.key.entities)
        in_both = np.flatnonzero((joint.key_entity >= 0) & (joint.response_entity >= 0))
        pronoun = joint.kind[in_both] == PRONOUN
        order = in_both[np.lexsort((joint.rank[in_both], pronoun, joint.key_entity[in_both]))][::-1]
        home[joint.key_entity[order]] = joint.response_entity[order]
        return home

    def _correct(self, corner: int) -> BoolArray:
        """The mentions that are correct if the response has them: wrong spans only if repaired."""
        in_key = self.joint.key_entity >= 0
        spans_repaired = corner in (MENTIONS, KEY)
        return in_key if spans_repaired else in_key & ~self.joint.wrong_span

    def _count(self, corner: int) -> Counts:
        joint, entity = self.joint, self.entities(corner)
        exists = entity >= 0
        entities = distinct(entity[exists])
        response_entity = np.full(joint.mentions, -1, dtype=np.int64)
        response_entity[exists] = entities.inverse
        response = joint.document[exists][entities.first], entities.counts
        key = joint.key.entity_document, joint.key.entity_size
        both = exists & self._correct(corner)
        names = joint.key.names
        table = tabulate(len(names), key, response, joint.key_entity[both], response_entity[both])
        return count_table(self.options, table, names)


def _without_singletons(entity: IntArray) -> IntArray:
    """The entity of each mention, −1 where it has only one mention."""
    number = np.maximum(entity, 0)
    size = sum_by(number, (entity >= 0).astype(np.int64), int(number.max(initial=0)) + 1)
    return np.where((entity >= 0) & (size[number] > 1), entity, -1)
