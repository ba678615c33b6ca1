"""The values of a metric on overlaps: exact where it is known exactly, else floating-point.

A metric of corefkit is asked itself, on all overlaps at once; where the exact model of it agrees,
the fractions of the model take the place of its floats.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from corefkit.audits.behaviours import METRICS, Behaviour
from corefkit.audits.overlaps import Shape, as_document
from corefkit.core.options import UsageError
from corefkit.core.overlap import Entities, Overlap, overlap_of_entities
from corefkit.metrics import get
from corefkit.metrics.base import Average, OverlapMetric

MetricTriple = tuple[Any, Any, Any]
"""Recall, precision and F1; of an average F1 only, the others None."""

FLOAT_SLACK = 1e-12


class MetricValues:
    """The values of one metric over partitions, by documents; remembered."""

    def __init__(self, metric: OverlapMetric) -> None:
        self.metric = metric
        self.exact = metric.name in METRICS and get(metric.name) is metric
        self._counts: dict[Shape, tuple[Any, ...] | None] = {}
        self._values: dict[tuple[Shape, ...], MetricTriple | None] = {}

    @property
    def tolerance(self) -> float:
        """How far apart equal values may be."""
        return 0 if self.exact else FLOAT_SLACK

    def prepare(self, wanted: Iterable[Shape]) -> None:
        """Count all these overlaps at once."""
        new = [shape for shape in dict.fromkeys(wanted) if shape not in self._counts]
        if new:
            self._counts.update(zip(new, _count(self.metric, new), strict=True))

    def __call__(self, documents: tuple[Shape, ...]) -> MetricTriple | None:
        """The values of documents, their counts added; None where there is none."""
        if documents not in self._values:
            self._values[documents] = self._value(documents)
        return self._values[documents]

    def _value(self, documents: tuple[Shape, ...]) -> MetricTriple | None:
        self.prepare(documents)
        counts = [self._counts[shape] for shape in documents]
        if any(counted is None for counted in counts):
            return None
        columns = zip(*(counted for counted in counts if counted is not None), strict=True)
        try:
            score = self.metric.score([sum(column) for column in columns])
        except Exception:  # a plug-in may do anything: a finding
            return None
        floats = (score.recall, score.precision, score.f1)
        if not all(value is None or math.isfinite(value) for value in floats):
            return None
        if not self.exact:
            return floats
        exact = Behaviour(self.metric.name).predict([as_document(s) for s in documents]).values
        assert exact is not None
        assert all(abs(a - b) < 1e-9 for a, b in zip(exact, floats, strict=True) if b is not None)
        return exact

    def order_matters(self, sample: Sequence[Shape]) -> Shape | None:
        """The first overlap on which the order of entities decides."""
        usual = _count(self.metric, sample)
        turned = _count(self.metric, sample, reverse=True)
        for shape, one, other in zip(sample, usual, turned, strict=True):
            if (one is None) != (other is None):
                return shape
            if one and other and not np.allclose(one, other, rtol=0, atol=1e-9, equal_nan=True):
                return shape
        return None


class AverageValues:
    """The mean F1 of several metrics."""

    def __init__(self, parts: Sequence[MetricValues]) -> None:
        self.parts = parts
        self.exact = all(part.exact for part in parts)

    @property
    def tolerance(self) -> float:
        """How far apart equal values may be."""
        return 0 if self.exact else FLOAT_SLACK

    def prepare(self, wanted: Iterable[Shape]) -> None:
        """Count all these overlaps at once."""
        listed = list(wanted)
        for part in self.parts:
            part.prepare(listed)

    def __call__(self, documents: tuple[Shape, ...]) -> MetricTriple | None:
        """The value of documents; None where a part has none."""
        values = [part(documents) for part in self.parts]
        if any(value is None for value in values):
            return None
        return None, None, sum(value[2] for value in values if value) / Fraction(len(values))

    def order_matters(self, sample: Sequence[Shape]) -> Shape | None:
        """The first overlap on which the order of entities decides."""
        found = (part.order_matters(sample) for part in self.parts)
        return next((shape for shape in found if shape is not None), None)


def make_values(name: str) -> MetricValues | AverageValues:
    """The values of a metric; UsageError where it is not one over partitions."""
    metric = get(name)
    if isinstance(metric, Average):
        parts = [make_values(part) for part in metric.parts]
        return AverageValues([part for part in parts if isinstance(part, MetricValues)])
    if not isinstance(metric, OverlapMetric):
        raise UsageError(f"{name}: only metrics over partitions have properties")
    return MetricValues(metric)


def _count(
    metric: OverlapMetric, wanted: Sequence[Shape], *, reverse: bool = False
) -> list[tuple[Any, ...] | None]:
    """What the metric counts in each overlap; None where it fails on it."""
    try:
        columns = metric.count(overlap_of(wanted, reverse=reverse))
        listed = [np.asarray(column).tolist() for column in columns]
        if any(len(column) != len(wanted) for column in listed):
            raise ValueError("not one number per document")
        return list(zip(*listed, strict=True))
    except Exception:  # a plug-in may do anything: a finding
        if len(wanted) == 1:
            return [None]
        return [counted for one in wanted for counted in _count(metric, [one], reverse=reverse)]


def overlap_of(wanted: Sequence[Shape], *, reverse: bool = False) -> Overlap:
    """Overlaps as the documents of one Overlap; entities in reverse where it is asked."""
    document: tuple[list[int], list[int]] = [], []
    size: tuple[list[int], list[int]] = [], []
    ours: list[int] = []
    theirs: list[int] = []
    for number, shape in enumerate(wanted):
        key, response = as_document(shape)
        if reverse:
            key, response = key[::-1], response[::-1]
        owner = {m: len(size[1]) + place for place, entity in enumerate(response) for m in entity}
        for place, entity in enumerate(key, len(size[0])):
            shared = [owner[mention] for mention in entity if mention in owner]
            ours += [place] * len(shared)
            theirs += shared
        for side, entities in enumerate((key, response)):
            document[side].extend([number] * len(entities))
            size[side].extend(map(len, entities))
    sides = tuple(
        Entities(np.array(document[side], dtype=np.int64), np.array(size[side], dtype=np.int64))
        for side in (0, 1)
    )
    arrays = (np.array(listed, dtype=np.int64) for listed in (ours, theirs))
    return overlap_of_entities(len(wanted), (sides[0], sides[1]), *arrays)
