"""What a metric is: a value of one of a few kinds, which all turn summed counts into a Score.

An OverlapMetric counts an Overlap, a MentionMetric or MatchedMetric counts single mentions, an
Average is made of other metrics and counts nothing itself. `rates` makes scores of what was found,
missed and made up (tp, fn, fp).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Number, PerDocument
from corefkit.core.overlap import Overlap, Pairs, SmallOverlap

if TYPE_CHECKING:
    from corefkit.core.counts import Cells

Counted = tuple[PerDocument, ...]
"""What a metric counts: one array (documents,) for each of its columns. These add."""

CountOverlap = Callable[[Overlap], Counted]

Sums = Sequence[Number]
"""The sum of each column."""


@frozen
class Score:
    """Recall, precision and F1, between 0 and 1, with the counts they are made of.

    The CoNLL average has an F1 only; its recall and precision are None. The scores for
    applications have `classes`; that of anchors is made of `detection` and `mentions`, that of
    bridging of three `levels`. With split antecedents `split` is the score of these alone.
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

    def to_dict(self) -> dict[str, Any]:
        """The score as it stands in the JSON output."""
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
        """The scores beside this one: of anchors two, of bridging its levels, of plurals split."""
        named = {"detection": self.detection, "mentions": self.mentions, "split": self.split}
        named_parts = {name: part for name, part in named.items() if part is not None}
        return named_parts | dict(self.levels or {})

    def __str__(self) -> str:
        values = (("R", self.recall), ("P", self.precision), ("F1", self.f1))
        shown = " ".join(f"{name} {100 * v:.2f}" for name, v in values if v is not None)
        return "; ".join((shown, *(f"{name} {part}" for name, part in self.parts.items())))


RATIOS = ("recall_numerator", "recall_denominator", "precision_numerator", "precision_denominator")
"""The columns of all metrics whose recall and precision are plain ratios."""


def ratios(sums: Sums) -> Score:
    """The score of a metric that counts RATIOS."""
    recalled, key, correct, response = sums
    counts = {"recall": [recalled, key], "precision": [correct, response]}
    # The harmonic mean, written so that integers are divided only once.
    f1 = divide(2 * recalled * correct, recalled * response + correct * key)
    return Score(f1, divide(recalled, key), divide(correct, response), counts)


def ratio_f1(sums: FloatArray) -> FloatArray:
    """Like `ratios`, F1 only, of many sums at once: float64 (…, 4, samples) → (…, samples)."""
    recalled, key, correct, response = (sums[..., i, :] for i in range(4))
    return divide_arrays(2 * recalled * correct, recalled * response + correct * key)


def divide(numerator: Number, denominator: Number) -> float:
    """The quotient; 0/0 is 0."""
    return numerator / denominator if denominator else 0.0


def divide_arrays(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """The quotients; 0/0 is 0."""
    positive = denominator > 0
    if positive.all():  # as in nearly all samples; a mask takes longer
        quotients: FloatArray = numerator / denominator
        return quotients
    zero: FloatArray = np.zeros(np.broadcast_shapes(numerator.shape, denominator.shape))
    return np.divide(numerator, denominator, out=zero, where=positive)


@frozen(eq=False, kw_only=True)
class Metric:
    """What all metrics say of themselves.

    Attributes:
        name: what it is called in options, signatures and results.
        title: what it is called in tables, e.g. "B³".
        help: one line on what it measures.
        citation: where it was defined.
        formula: recall in a line or two; precision is the same with the sides exchanged.
        example: how the example of Pradhan et al. (2014), or its own, is worked out.
        columns: the names of the numbers it counts in each document; none for an average.
        parts: the metrics that an average is made of; none for the others.
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


@frozen(eq=False, kw_only=True)
class OverlapMetric(Metric):
    """A metric over partitions: it sees the Overlap and nothing else.

    Attributes:
        count: overlap → one array (documents,) for each column. These add.
        score: the sums of the columns → the score.
        f1: float64 (…, columns, samples) → (…, samples), for resampling.
        symmetric: whether precision is recall with key and response exchanged.
        count_small: the same columns of one small document, in plain Python; None where it is too
            hard. Evaluators that score document by document use it; without one they use `count`.
    """

    columns: tuple[str, ...] = RATIOS
    count: CountOverlap
    score: Callable[[Sums], Score] = ratios
    f1: Callable[[FloatArray], FloatArray] = ratio_f1
    symmetric: bool = True
    count_small: Callable[[SmallOverlap], Sums | None] | None = None


@frozen(eq=False, kw_only=True)
class MentionMetric(Metric):
    """A metric over single mentions: it sees both sides, and what the key says of its tokens.

    Attributes:
        score: the sums of the columns → the score.
        classify: the score, and the sums by class → the score with its classes.
        tokens: the token columns of the key that it reads.
        only_for_classes: for each variant those of them that only its classes need: where the
            key lacks them, there is one class, `all`.
    """

    score: Callable[[Sums], Score]
    classify: Callable[[Score, Mapping[str, Sums]], Score] = lambda score, _: score
    tokens: tuple[str, ...] = ()
    only_for_classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def needed(self, variant: str) -> tuple[str, ...]:
        """The token columns without which a variant cannot be counted."""
        spare = self.only_for_classes.get(variant, ())
        return tuple(name for name in self.tokens if name not in spare)

    def count(self, pair: Any, variant: str) -> "tuple[Counted, Cells | None]":
        """Two sides (corefkit.applications.chains.Pair) and a variant → one array (documents,)
        for each column, and the same numbers by class if it has classes.
        """
        raise NotImplementedError

    def f1(self, sums: FloatArray) -> FloatArray:
        """float64 (…, columns, samples) → (…, samples), one sample after the other."""
        return np.apply_along_axis(lambda column: self.score(column.tolist()).f1, -2, sums)


class MatchedSides(Protocol):
    """What a metric sees of a Comparison: both sides as they are scored, mentions paired."""

    @property
    def key(self) -> Corpus:
        """The mentions of the key."""

    @property
    def response(self) -> Corpus:
        """The mentions of the response, in the documents of the key."""

    @property
    def pairs(self) -> Pairs:
        """Which mentions stand for which."""

    @property
    def rule(self) -> str:
        """The rule by which they are paired."""

    @property
    def ties(self) -> str:
        """How the rule chose among pairings of equal worth."""

    @property
    def whole(self) -> tuple[Corpus, Corpus]:
        """Key and response as they were annotated."""

    @property
    def read(self) -> tuple[Corpus, Corpus]:
        """Key and response as they were read, with their files, if they were."""

    @property
    def partner(self) -> IntArray:
        """int64 (key mentions,): the row of the response for each of the key; −1 for none."""

    @property
    def overlap(self) -> Overlap:
        """How many mentions each key entity shares with each response entity."""


@frozen(eq=False, kw_only=True)
class MatchedMetric(Metric):
    """A metric over single mentions that sees which are matched, and no tokens.

    Attributes:
        count: both sides and their pairs → one array (documents,) for each column. These add.
        score: the sums of the columns → the score.
        f1: float64 (…, columns, samples) → (…, samples), for resampling.
        sample: the key and the response of its example.
    """

    columns: tuple[str, ...] = RATIOS
    sample: "Callable[[], tuple[Corpus, Corpus]]"
    count: "Callable[[MatchedSides], Counted]"
    score: Callable[[Sums], Score] = ratios
    f1: Callable[[FloatArray], FloatArray] = ratio_f1


@frozen(eq=False, kw_only=True)
class Average(Metric):
    """The mean F1 of other metrics, named by `parts`."""

    parts: tuple[str, ...]


Metrics = str | Metric | Iterable[str | Metric]
"""How metrics are chosen: names, in one string or several, or the metrics themselves."""


COLUMNS = ("tp", "fn", "fp")


def count(key: Corpus, response: Corpus, pairs: Pairs) -> Counted:
    """tp, fn and fp: key mentions in some pair, the others, and response mentions in none."""
    documents = len(key.names)
    matched, matched_response = (np.zeros(side.mentions, dtype=bool) for side in (key, response))
    matched[pairs.key], matched_response[pairs.response] = True, True
    return (
        np.bincount(key.document[matched], minlength=documents),
        np.bincount(key.document[~matched], minlength=documents),
        np.bincount(response.document[~matched_response], minlength=documents),
    )


def rates(tp: Number, missed: Number, spurious: Number, counts: Mapping[str, Number]) -> Score:
    """R = tp/(tp+missed), P = tp/(tp+spurious), and these counts; 0/0 is 0."""
    f1 = divide(2 * tp, 2 * tp + missed + spurious)
    return Score(f1, divide(tp, tp + missed), divide(tp, tp + spurious), counts)


def rates_f1(tp: FloatArray, missed: FloatArray, spurious: FloatArray) -> FloatArray:
    """Like `rates`, F1 only, of many sums at once."""
    return divide_arrays(2 * tp, 2 * tp + missed + spurious)


def score(sums: Sums) -> Score:
    """R = tp/(tp+fn), P = tp/(tp+fp).

    >>> score((1, 2, 0)).precision
    1.0
    """
    tp, fn, fp = sums
    return rates(tp, fn, fp, dict(zip(COLUMNS, sums, strict=True)))


def score_levels(sums: Sums, levels: Sequence[str], main: str) -> Score:
    """The score of the main level, with those of all levels; sums are tp, fn and fp of each."""
    scores = {level: score(sums[3 * at : 3 * at + 3]) for at, level in enumerate(levels)}
    return replace(scores[main], levels=scores)


def f1(sums: FloatArray) -> FloatArray:
    """Like `score`, F1 only, of many sums at once: float64 (…, 3, samples) → (…, samples)."""
    return rates_f1(*(sums[..., i, :] for i in range(3)))
