"""Outcomes: which mention counts as what. Counts, break-downs and listings all come from these."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray

if TYPE_CHECKING:
    from corefkit.mentions.features import Feature

TP, WL, FN, FP = range(4)
NAMES = ("tp", "wl", "fn", "fp")
"""Right; linked, but to the wrong one; not found; found where there is nothing."""


@dataclass(frozen=True, eq=False)
class Events:
    """What counts on one side: int64 (events,).

    Attributes:
        mention: the row, in the chains of the side, of the mention whose labels it goes to.
        outcome: an index into NAMES.
        number: how often it counts.
        classed: bool, whether it counts for its class, or in total only.
        instead: features to be replaced by others on this side, by name.
    """

    mention: IntArray
    outcome: IntArray
    number: IntArray
    classed: BoolArray
    instead: "Mapping[str, Feature]" = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Outcomes:
    """What counts on both sides."""

    key: Events
    response: Events


def single(outcome: IntArray) -> Events:
    """Events from the outcome of each mention of a side; −1 counts nothing.

    >>> single(np.array([-1, TP, FN])).mention.tolist()
    [1, 2]
    """
    mention = np.flatnonzero(outcome >= 0)
    return events(mention, outcome[mention])


def events(mention: IntArray, outcome: IntArray | int, number: IntArray | int = 1) -> Events:
    """Events that all count for their class; those with number 0 are none."""
    outcomes, numbers = (np.broadcast_to(x, mention.shape) for x in (outcome, number))
    some = numbers > 0
    return Events(mention[some], outcomes[some], numbers[some], np.ones(some.sum(), dtype=bool))
