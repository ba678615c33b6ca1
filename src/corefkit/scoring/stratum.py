"""Stratum: the scores of one part of a comparison, e.g. of all entities with two mentions.

Unlike those of other Scores, its rates are None, not 0, where there is nothing to divide by.
`Strata` (`scoring.strata`) makes strata.
"""

from dataclasses import field
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from corefkit import metrics
from corefkit.core.arrays import FloatArray
from corefkit.core.carriers import frozen
from corefkit.core.counts import Number
from corefkit.core.options import Options
from corefkit.metrics import blanc
from corefkit.metrics.base import RATIOS, Average, Score, Sums, divide, ratio_f1
from corefkit.scoring.parts import PartSize
from corefkit.scoring.scores import Scores

SIZES = ".sizes"
"""The table of Counts that holds the size of a stratum: entities and mentions of the key, then of
the response."""

StratumUnit = Literal["entities", "mentions", "links"]
"""What strata are of."""

ALL = "all"
"""The label of all strata together."""


@frozen
class StratumScore(Score):
    """Recall, precision and F1 in a stratum; None where there is nothing to divide by."""

    f1: float | None  # type: ignore[assignment]
    nothing: ClassVar[float | None] = None

    def to_dict(self) -> dict[str, Any]:
        """The score as it appears in the JSON output, with None where there is no rate."""
        rates = {"recall": self.recall, "precision": self.precision} if self.counts else {}
        return {**rates, "f1": self.f1} | ({"counts": dict(self.counts)} if self.counts else {})


@frozen(eq=False)
class Stratum(Scores):
    """The scores of one stratum: a mapping from the name of a metric to its StratumScore.

    `counts` has one row per document in which the stratum occurs; `unit` is what is divided.
    """

    unit: StratumUnit = field(default="entities", kw_only=True)

    @cached_property
    def _scores(self) -> dict[str, Score]:
        return {name: self._score(name) for name in self.options.metrics}

    def _score(self, name: str) -> StratumScore:
        metric = metrics.get(name)
        if isinstance(metric, Average):
            figures = [self._score(part).f1 for part in metric.parts]
            known = [figure for figure in figures if figure is not None]
            return StratumScore(sum(known) / len(figures) if len(known) == len(figures) else None)
        return stratum_score(name, self.counts.total(name), self.options)

    def __getitem__(self, name: str) -> StratumScore:
        score = super().__getitem__(name)
        assert isinstance(score, StratumScore)
        return score

    @property
    def conll(self) -> float | None:  # type: ignore[override]
        """The CoNLL average; None where one of its parts is None."""
        return self["conll"].f1

    @property
    def key(self) -> PartSize:
        """How much of the key is in the stratum."""
        return self._sizes()[0]

    @property
    def response(self) -> PartSize:
        """How much of the response is in the stratum."""
        return self._sizes()[1]

    def _sizes(self) -> tuple[PartSize, PartSize]:
        sizes = map(int, self.counts.total(SIZES))
        key_entities, key_mentions, response_entities, response_mentions = sizes
        if self.unit == "links":
            return PartSize(links=key_mentions), PartSize(links=response_mentions)
        if self.unit == "mentions":
            return PartSize(mentions=key_mentions), PartSize(mentions=response_mentions)
        return PartSize(key_entities, key_mentions), PartSize(response_entities, response_mentions)

    def __repr__(self) -> str:
        shown = [(n, "–" if s.f1 is None else f"{100 * s.f1:.2f}") for n, s in self.items()]
        return f"Stratum({', '.join(f'{name} {f1}' for name, f1 in shown)})"


def columns_of(name: str) -> int:
    """How many sums `stratum_score` takes: RATIOS, for blanc those of each kind of links.

    Common links are counted once for each side, because they may be in different strata there.
    """
    return 2 * len(RATIOS) if name == "blanc" else len(RATIOS)


def stratum_score(name: str, sums: Sums, options: Options) -> StratumScore:
    """The score of a metric from the sums of a stratum: RATIOS, or those of both kinds of links."""
    if name == "blanc":
        return _blanc(sums, either=options.blanc == "either")
    resolved, key, correct, response = sums
    recall, precision = _rate(resolved, key), _rate(correct, response)
    counts = {"recall": [resolved, key], "precision": [correct, response]}
    if recall is None or precision is None:
        return StratumScore(None, recall, precision, counts)
    f1 = divide(2 * resolved * correct, resolved * response + correct * key)
    return StratumScore(f1, recall, precision, counts)


def _rate(numerator: Number, denominator: Number) -> float | None:
    return numerator / denominator if denominator else None


def _blanc(sums: Sums, *, either: bool) -> StratumScore:
    """The mean over the kinds of links that count; None where a side has no links at all."""
    whole = blanc.score_kinds({"coreference": sums[:4], "noncoreference": sums[4:]}, either=either)
    recall = whole.recall if sums[1] or sums[5] else None
    precision = whole.precision if sums[3] or sums[7] else None
    f1 = None if recall is None or precision is None else whole.f1
    return StratumScore(f1, recall, precision, whole.counts)


def stratum_f1(name: str, sums: FloatArray, options: Options) -> FloatArray:
    """F1 as of `stratum_score`, for many sums, float64 (…, columns, samples); NaN for None."""
    if name == "blanc":
        f1 = blanc.f1_of_kinds(sums[..., :4, :], sums[..., 4:, :], either=options.blanc == "either")
        nothing = (sums[..., 1, :] + sums[..., 5, :] == 0) | (
            sums[..., 3, :] + sums[..., 7, :] == 0
        )
    else:
        f1 = ratio_f1(sums)
        nothing = (sums[..., 1, :] == 0) | (sums[..., 3, :] == 0)
    return np.where(nothing, np.nan, f1)
