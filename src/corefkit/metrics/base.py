"""What a metric is: a value that counts an overlap and turns summed counts into a score."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from corefkit._arrays import FloatArray, IntArray
from corefkit.overlap import Overlap

Column = IntArray | FloatArray
Number = int | float


@dataclass(frozen=True)
class Score:
    """Recall, precision and F1, between 0 and 1, with the counts they are made of.

    The CoNLL average has an F1 only; its recall and precision are None.
    """

    f1: float
    recall: float | None = None
    precision: float | None = None
    counts: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """The score as it stands in the JSON output."""
        values = {"recall": self.recall, "precision": self.precision, "f1": self.f1}
        present: dict[str, Any] = {n: v for n, v in values.items() if v is not None}
        return present | ({"counts": dict(self.counts)} if self.counts else {})

    def __str__(self) -> str:
        values = (("R", self.recall), ("P", self.precision), ("F1", self.f1))
        return " ".join(f"{name} {100 * v:.2f}" for name, v in values if v is not None)


@dataclass(frozen=True)
class Metric:
    """A metric: its name, what it measures, and its two steps.

    Attributes:
        name: what it is called in options, signatures and results.
        help: one line on what it measures.
        citation: where it was defined.
        formula: recall in a line or two; precision is the same with the sides exchanged.
        example: how the example of Pradhan et al. (2014) is worked out.
        columns: the names of the numbers it counts in each document.
        count: overlap → one array (documents,) for each column. These add.
        score: the sums of the columns → the score.
        parts: for an average, the metrics it is made of; it then counts nothing itself.
    """

    name: str
    help: str
    citation: str
    formula: str
    example: str
    columns: tuple[str, ...] = ()
    count: Callable[[Overlap], tuple[Column, ...]] = lambda overlap: ()
    score: Callable[[Sequence[Number]], Score] = lambda sums: Score(0.0)
    parts: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name


RATIOS = ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")
"""The columns of all metrics whose recall and precision are plain ratios."""


def ratios(sums: Sequence[Number]) -> Score:
    """The score of a metric that counts RATIOS."""
    found, key, correct, response = sums
    counts = {"recall": [found, key], "precision": [correct, response]}
    # The harmonic mean, written so that integers are divided only once.
    f1 = divide(2 * found * correct, found * response + correct * key)
    return Score(f1, divide(found, key), divide(correct, response), counts)


def divide(numerator: Number, denominator: Number) -> float:
    """The quotient; 0/0 is 0."""
    return numerator / denominator if denominator else 0.0
