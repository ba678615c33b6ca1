"""Metric: a value that turns counts, summed over documents, into a Score.

There are four kinds: a PartitionMetric sums what the cells of two tables earn, a MentionMetric or a
MatchedMetric counts single mentions, and an Average is the mean of other metrics and counts nothing
itself. The functions at the end are for metrics that count outcomes: tp, fn and fp.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, TypeAlias

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Number, PerDocument
from corefkit.core.directed import Both, Directed, Numbers, Pairs
from corefkit.core.style import points

if TYPE_CHECKING:
    from corefkit.core.counts import Cells

Counted = tuple[PerDocument, ...]
"""The counts of a metric: one array (documents,) per column; they are summed over documents."""

Sums = Sequence[Number]
"""The sum of each column."""


@frozen
class Score:
    """Recall, precision and F1, as fractions, with the counts from which they were computed.

    Averages, and metrics without recall and precision, have an F1 only. Application scores have
    `classes`; the score of anchors has the parts `detection` and `mentions`, that of bridging three
    `levels`. `split` is the score of split antecedents alone, if there are any.
    """

    f1: float
    recall: float | None = None
    precision: float | None = None
    counts: Mapping[str, Any] = field(default_factory=dict)
    classes: "Mapping[str, Score] | None" = field(default=None, repr=False)
    detection: "Score | None" = field(default=None, repr=False)
    mentions: "Score | None" = field(default=None, repr=False)
    split: "Score | None" = field(default=None, repr=False)
    levels: "Mapping[str, Score] | None" = field(default=None, repr=False)

    nothing: ClassVar[float | None] = 0.0
    """The rate if there is nothing to divide by."""

    def to_dict(self) -> dict[str, Any]:
        """The score as in the JSON output."""
        if self.levels is not None:
            return {name: level.to_dict() for name, level in self.levels.items()}
        values = {"recall": self.recall, "precision": self.precision, "f1": self.f1}
        present: dict[str, Any] = {n: v for n, v in values.items() if v is not None}
        present |= {"counts": dict(self.counts)} if self.counts else {}
        present |= {name: part.to_dict() for name, part in self.parts.items()}
        if self.classes is not None:
            present["classes"] = {name: part.to_dict() for name, part in self.classes.items()}
        return present

    @property
    def parts(self) -> "dict[str, Score]":
        """The partial scores, by name: detection, mentions, split, and the levels."""
        named = {"detection": self.detection, "mentions": self.mentions, "split": self.split}
        named_parts = {name: part for name, part in named.items() if part is not None}
        return named_parts | dict(self.levels or {})

    def __str__(self) -> str:
        values = (("R", self.recall), ("P", self.precision), ("F1", self.f1))
        shown = " ".join(f"{name} {points(v)}" for name, v in values if v is not None)
        return "; ".join((shown, *(f"{name} {part}" for name, part in self.parts.items())))


@frozen
class PartScore(Score):
    """The score of a part of a comparison; a rate is None if there is nothing to divide by."""

    f1: float | None  # type: ignore[assignment]
    nothing: ClassVar[float | None] = None

    def to_dict(self) -> dict[str, Any]:
        """The score as in the JSON output, with None for a rate that it does not have."""
        rates = {"recall": self.recall, "precision": self.precision} if self.counts else {}
        return {**rates, "f1": self.f1} | ({"counts": dict(self.counts)} if self.counts else {})


RATIOS = ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")
"""The columns of metrics whose recall and precision are plain ratios."""


def ratios(sums: Sums) -> Score:
    """The score of a metric with the columns RATIOS."""
    recalled, key, correct, response = sums
    counts = {"recall": [recalled, key], "precision": [correct, response]}
    # The harmonic mean, with a single division.
    f1 = divide(2 * recalled * correct, recalled * response + correct * key)
    return Score(f1, divide(recalled, key), divide(correct, response), counts)


def ratio_f1(sums: FloatArray) -> FloatArray:
    """The F1 of `ratios` for many sums at once: float64 (…, 4, samples) → (…, samples)."""
    recalled, key, correct, response = (sums[..., i, :] for i in range(4))
    return divide_arrays(2 * recalled * correct, recalled * response + correct * key)


def score_of_part(score: Score, sums: Sums) -> PartScore:
    """The score of a part, from the same sums: RATIOS, of each kind of links if there are several.

    >>> str(score_of_part(ratios((0, 0, 0, 3)), (0, 0, 0, 3)))
    'P 0.00'
    """
    recall = score.recall if any(sums[1::4]) else None
    precision = score.precision if any(sums[3::4]) else None
    f1 = None if recall is None or precision is None else score.f1
    return PartScore(f1, recall, precision, score.counts)


def f1_of_part(f1: FloatArray, sums: FloatArray) -> FloatArray:
    """The F1 of `score_of_part`, for many sums, float64 (…, columns, samples); NaN for None."""
    denominators = sums[..., 1::4, :].sum(axis=-2), sums[..., 3::4, :].sum(axis=-2)
    return np.where((denominators[0] == 0) | (denominators[1] == 0), np.nan, f1)


def divide(numerator: Number, denominator: Number) -> float:
    """The quotient; 0/0 is 0."""
    return numerator / denominator if denominator else 0.0


def divide_arrays(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """The quotients; 0/0 is 0."""
    positive = denominator > 0
    if positive.all():  # the usual case; a mask takes longer
        quotients: FloatArray = numerator / denominator
        return quotients
    zero: FloatArray = np.zeros(np.broadcast_shapes(numerator.shape, denominator.shape))
    return np.divide(numerator, denominator, out=zero, where=positive)


@frozen(eq=False, kw_only=True)
class Metric:
    """The description of a metric; the base of all kinds of metrics.

    Attributes:
        name: its name in options, signatures and results.
        title: its name in tables, e.g. "B³".
        help: one line on what it measures.
        citation: the paper that defines it.
        formula: recall in a line or two; precision is the same with the sides exchanged.
        example: the example of Pradhan et al. (2014), or another one, worked out.
        columns: the names of the numbers that it counts in each document; none for an average.
        parts: the metrics that an average consists of; none for the others.
    """

    name: str
    title: str = ""
    help: str
    citation: str
    formula: str
    example: str
    columns: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.name


Bottom: TypeAlias = IntArray | int
"""The denominators of the cells; a number if it is the same for all of them."""


@frozen(eq=False)
class Share:
    """What each cell earns, and what each entity could, in one direction.

    Attributes:
        earned: the numerator and the denominator of each cell.
        possible: the numerator of each entity.
        bottom: the denominator of each entity.
        first: whether the first mention of a cell, and of an entity, has a part like the others.
    """

    earned: Callable[[Directed], tuple[Numbers, Bottom]]
    possible: Callable[[Directed], Numbers]
    bottom: int = 1
    first: bool = True


@frozen(eq=False, kw_only=True)
class PartitionMetric(Metric):
    """A metric of partitions: a sum over the cells of the key's table, and of the response's.

    Attributes:
        shares: what cells earn; several, if a metric is computed from several such sums.
        table: the pair of tables that it sees: an attribute of Lookups.
        aligned: whether only the cells of the best one-to-one alignment of entities count.
        plurals: whether it sees the virtual mentions of split antecedents: those of plurals that
            are "aligned", or also those of others with "equal" elements; "" for neither.
        by_mention: whether what a cell earns belongs to its mentions in equal parts, of which each
            could earn 1; then strata can be made of mentions, not only of entities.
        count: for a metric that is no sum over cells: the two tables → one array (documents,) per
            column.
        score: the sums of the columns → the score.
        f1: float64 (…, columns, samples) → (…, samples), for resampling.
        symmetric: whether precision is recall with key and response exchanged.
    """

    shares: tuple[Share, ...] = ()
    table: Literal["sides", "listed", "linked", "mentions"] = "sides"
    aligned: bool = False
    plurals: Literal["", "aligned", "equal"] = ""
    by_mention: bool = False
    count: Callable[[Both], Counted] | None = None
    columns: tuple[str, ...] = RATIOS
    score: Callable[[Sums], Score] = ratios
    f1: Callable[[FloatArray], FloatArray] = ratio_f1
    symmetric: bool = True


@frozen(eq=False, kw_only=True)
class MentionMetric(Metric):
    """A metric of single mentions: it sees both sides and the token columns of the key.

    Attributes:
        score: the sums of the columns → the score.
        classify: the score, and the sums by class → the score with its classes.
        tokens: the token columns of the key that it reads.
        only_for_classes: for each variant, the token columns that only its classes need: if the
            key lacks them, there is a single class, `all`.
    """

    score: Callable[[Sums], Score]
    classify: Callable[[Score, Mapping[str, Sums]], Score] = lambda score, _: score
    tokens: tuple[str, ...] = ()
    only_for_classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def needed(self, variant: str) -> tuple[str, ...]:
        """The token columns without which a variant cannot be counted."""
        spare = self.only_for_classes.get(variant, ())
        return tuple(name for name in self.tokens if name not in spare)

    def count(self, compared: Any, variant: str) -> "tuple[Counted, Cells | None]":
        """The counts of two sides (an `features.chains.ComparedChains`) under a variant.

        Returns one array (documents,) per column, and the same numbers by class, if it has classes.
        """
        raise NotImplementedError

    def f1(self, sums: FloatArray) -> FloatArray:
        """float64 (…, columns, samples) → (…, samples), computed sample by sample."""
        return np.apply_along_axis(lambda column: self.score(column.tolist()).f1, -2, sums)


class MatchedSides(Protocol):
    """The part of a Comparison that metrics see: both sides as scored, with matched mentions."""

    @property
    def key(self) -> Corpus:
        """The mentions of the key."""

    @property
    def response(self) -> Corpus:
        """The mentions of the response, in the documents of the key."""

    @property
    def pairs(self) -> Pairs:
        """The matched mentions."""

    @property
    def rule(self) -> str:
        """The matching rule."""

    @property
    def ties(self) -> str:
        """How the rule chooses among equally good pairings."""

    @property
    def whole(self) -> tuple[Corpus, Corpus]:
        """Key and response as annotated, before anything was left out."""

    @property
    def read(self) -> tuple[Corpus, Corpus]:
        """Key and response as read, with their files, if there are any."""

    @property
    def partner(self) -> IntArray:
        """int64 (key mentions,): the matching row of the response; −1 for none."""


@frozen(eq=False, kw_only=True)
class MatchedMetric(Metric):
    """A metric of single mentions that sees the matched mentions, but no tokens.

    Attributes:
        count: both sides with their pairs → one array (documents,) per column.
        score: the sums of the columns → the score.
        f1: float64 (…, columns, samples) → (…, samples), for resampling.
        sample: a function that returns the key and the response of its example.
    """

    columns: tuple[str, ...] = RATIOS
    sample: "Callable[[], tuple[Corpus, Corpus]]"
    count: "Callable[[MatchedSides], Counted]"
    score: Callable[[Sums], Score] = ratios
    f1: Callable[[FloatArray], FloatArray] = ratio_f1


@frozen(eq=False, kw_only=True)
class Average(Metric):
    """The mean F1 of the metrics in `parts`."""

    parts: tuple[str, ...]


Metrics = str | Metric | Iterable[str | Metric]
"""How users choose metrics: names, in one string or several, or the metrics themselves."""


OUTCOMES = ("tp", "fn", "fp")
"""The columns of metrics that count outcomes: found, missed, and found by mistake."""


def count_outcomes(key: Corpus, response: Corpus, pairs: Pairs) -> Counted:
    """tp, fn and fp by document: paired and unpaired key mentions, unpaired response mentions."""
    documents = len(key.names)
    matched, matched_response = (np.zeros(side.mentions, dtype=bool) for side in (key, response))
    matched[pairs.key], matched_response[pairs.response] = True, True
    return (
        np.bincount(key.document[matched], minlength=documents),
        np.bincount(key.document[~matched], minlength=documents),
        np.bincount(response.document[~matched_response], minlength=documents),
    )


def rates(tp: Number, missed: Number, spurious: Number, counts: Mapping[str, Number]) -> Score:
    """The score with R = tp/(tp+missed), P = tp/(tp+spurious) and these counts; 0/0 is 0."""
    f1 = divide(2 * tp, 2 * tp + missed + spurious)
    return Score(f1, divide(tp, tp + missed), divide(tp, tp + spurious), counts)


def rates_f1(tp: FloatArray, missed: FloatArray, spurious: FloatArray) -> FloatArray:
    """The F1 of `rates` for many sums at once."""
    return divide_arrays(2 * tp, 2 * tp + missed + spurious)


def score_outcomes(sums: Sums) -> Score:
    """The score of tp, fn and fp: R = tp/(tp+fn), P = tp/(tp+fp).

    >>> score_outcomes((1, 2, 0)).precision
    1.0
    """
    tp, fn, fp = sums
    return rates(tp, fn, fp, dict(zip(OUTCOMES, sums, strict=True)))


def score_levels(sums: Sums, levels: Sequence[str], main: str) -> Score:
    """The score of the main level, with those of all levels; sums are tp, fn and fp of each."""
    scores = {level: score_outcomes(sums[3 * at : 3 * at + 3]) for at, level in enumerate(levels)}
    return replace(scores[main], levels=scores)


def outcomes_f1(sums: FloatArray) -> FloatArray:
    """F1 of tp, fn and fp for many sums at once: float64 (…, 3, samples) → (…, samples)."""
    return rates_f1(*(sums[..., i, :] for i in range(3)))
