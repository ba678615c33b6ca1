"""What a metric is: a value that counts an overlap and turns summed counts into a score."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from corefkit.data.arrays import FloatArray, IntArray
from corefkit.data.overlap import Overlap

if TYPE_CHECKING:
    from corefkit.mentions.outcomes import Outcomes
    from corefkit.mentions.pair import Pair
    from corefkit.mentions.sample import Sample

Column = IntArray | FloatArray
Number = int | float


@dataclass(frozen=True)
class Score:
    """Recall, precision and F1, between 0 and 1, with the counts they are made of.

    The CoNLL average has an F1 only; its recall and precision are None. The scores for
    applications have `classes`; that of anchors is made of `detection` and `mentions`.
    """

    f1: float
    recall: float | None = None
    precision: float | None = None
    counts: Mapping[str, Any] = field(default_factory=dict)
    classes: "Mapping[str, Score] | None" = field(default=None, repr=False)
    detection: "Score | None" = field(default=None, repr=False)
    mentions: "Score | None" = field(default=None, repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The score as it stands in the JSON output."""
        values = {"recall": self.recall, "precision": self.precision, "f1": self.f1}
        present: dict[str, Any] = {n: v for n, v in values.items() if v is not None}
        present |= {"counts": dict(self.counts)} if self.counts else {}
        present |= {name: part.to_dict() for name, part in self.parts.items()}
        if self.classes is not None:
            present["classes"] = {name: part.to_dict() for name, part in self.classes.items()}
        return present

    @property
    def parts(self) -> "dict[str, Score]":
        """The scores this one is made of: of anchors detection and mentions, else none."""
        both = {"detection": self.detection, "mentions": self.mentions}
        return {name: part for name, part in both.items() if part is not None}

    def __str__(self) -> str:
        values = (("R", self.recall), ("P", self.precision), ("F1", self.f1))
        shown = " ".join(f"{name} {100 * v:.2f}" for name, v in values if v is not None)
        return "; ".join((shown, *(f"{name} {part}" for name, part in self.parts.items())))


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
        outcomes: for an application score, instead of `count`: the two sides and a variant →
            what each mention counts as. Its columns are tp, wl, fn, fp for each of these.
        feature: the break-down that its classes are.
        tokens: the token columns of the key that it reads.
        antecedent: the attribute of Chains that tells which antecedent it looks at.
        classify: the score, and the sums by class → the score with its classes.
        sample: the text and the two sides of its example.
        symmetric: whether precision is recall with key and response exchanged.
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
    outcomes: "Callable[[Pair, str], Sequence[Outcomes]] | None" = None
    feature: str = ""
    tokens: tuple[str, ...] = ()
    antecedent: str = ""
    sample: "Sample | None" = None
    classify: Callable[[Score, Mapping[str, Sequence[Number]]], Score] = lambda score, _: score
    symmetric: bool = True

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
