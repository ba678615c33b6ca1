"""Scores: recall, precision and F1, divided from counts."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import fsum
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from corefkit import metrics
from corefkit.core.carriers import frozen
from corefkit.core.counts import SPLIT, Counts
from corefkit.core.incidents import Incident
from corefkit.core.names import GROUPINGS, PATTERN, pattern_grouping, shown_groups
from corefkit.core.options import Options, UsageError
from corefkit.core.results import Result
from corefkit.core.style import points
from corefkit.metrics.base import (
    RATIOS,
    Average,
    MentionMetric,
    PartScore,
    Score,
    Sums,
    ratios,
    score_of_part,
)
from corefkit.scorers import equivocal
from corefkit.scorers.signature import signature

if TYPE_CHECKING:
    from corefkit.analysis.losses import RepairCorners
    from corefkit.features.divisions import Division
    from corefkit.features.entity_labels import EntityLabel
    from corefkit.features.features import Feature
    from corefkit.scorers.comparison import Comparison
    from corefkit.scoring.parts import Part
    from corefkit.scoring.strata import Strata

ROW = ("metric", "recall", "precision", "f1", *RATIOS)
"""The columns of `Scores.rows`."""

_KEPT = ("options", "counts", "incidents", "coverage", "windows", "levels", "reaches", "divided")
"""The attributes of Scores that are pickled."""

JUDGED = ("mentions", *metrics.VARIANTS)
"""The metrics that count single mentions, and so can be broken down by features of mentions."""


class _NotScoredError(UsageError, AttributeError):
    """A request for a metric that was not scored: a mistake of the user, and no such attribute."""


@frozen(eq=False)
class Scores(Result, Mapping[str, Score]):
    """The scores of one response: a mapping from the name of a metric to its Score.

    Two Scores are equal where their options and counts are.

    Attributes:
        options: metrics and policies.
        counts: the numerators and denominators of each document.
        incidents: the warnings of the run.
        comparison: where corpora were scored, the two sides, from which break-downs are made; it
            holds whole corpora and is not pickled.
        coverage: where the response's text had to be aligned, the share of the key that it covers.
        windows: the scores of documents cut into windows, narrow windows first, the whole last.
        levels: the scores of each level across documents; these scores are those of the last level.
        reaches: for scores across documents, the links of each reach (metric `pairs`).
        divided: whether they are of a stratum; rates are then None, not 0, if there is nothing to
            divide by.

    >>> from corefkit import Evaluator
    >>> scores = Evaluator("muc,conll").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
    >>> scores["muc"].f1
    0.4
    >>> round(scores.conll, 4)
    0.4582
    """

    kind: ClassVar[str] = "scores"

    options: Options
    counts: Counts
    incidents: tuple[Incident, ...] = ()
    comparison: "Comparison | None" = None
    coverage: float | None = None
    windows: "tuple[Part[Scores], ...]" = ()
    levels: "tuple[Part[Scores], ...]" = ()
    reaches: "tuple[Part[Any], ...]" = ()
    divided: bool = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scores):
            return NotImplemented
        return self.options == other.options and self.counts == other.counts

    __hash__ = None  # type: ignore[assignment]

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _KEPT}

    @cached_property
    def _scores(self) -> dict[str, Score]:
        return {name: self._score(name) for name in self.options.metrics}

    def _score(self, name: str) -> Score:
        metric = metrics.get(name)
        if isinstance(metric, Average):
            return self._averaged(metric)
        counted = metrics.countable(name, self.options)
        score, cells = self._divided(counted.score, name), self.counts.by_class.get(name)
        if name + SPLIT in self.counts.tables:
            score = replace(score, split=self._divided(counted.score, name + SPLIT))
        if isinstance(counted, MentionMetric) and cells:
            return counted.classify(score, cells.totals())
        return score

    def _averaged(self, metric: Average) -> Score:
        """The mean F1 of the parts of an average; None if one of them has none."""
        figures: list[float | None] = [self._score(part).f1 for part in metric.parts]
        known = [f1 for f1 in figures if f1 is not None]
        if len(known) < len(figures):
            return PartScore(None)
        mean = sum(known) / len(known)
        return PartScore(mean) if self.divided else Score(mean)

    def _divided(self, score: Callable[[Sums], Score], table: str) -> Score:
        """The score of a table of counts: that of its sums, or the mean over documents."""
        sums = self.counts.total(table)
        whole = score(sums)
        if self.divided:
            return score_of_part(whole, sums)
        if self.options.average == "micro":
            return whole
        rows = zip(*(column.tolist() for column in self.counts.tables[table]), strict=True)
        return mean_score(whole, [score(row) for row in rows])

    def __getitem__(self, name: str) -> Score:
        try:
            return self._scores[name if name in self._scores else metrics.canonical(str(name))]
        except KeyError:
            raise KeyError(f"{name!r} was not scored, only {', '.join(self._scores)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    @property
    def conll(self) -> float:
        """The CoNLL average: the F1 of `conll`, which is the mean F1 of muc, bcub and ceafe.

        Of a stratum it may be None, as its other rates (see `PartScore`). Where `conll` was not
        scored, the attribute is missing.
        """
        if "conll" not in self:
            raise _NotScoredError("conll was not scored; add it to the metrics")
        return self["conll"].f1

    @property
    def signature(self) -> str:
        """One line that makes these scores reproducible: the options, and the version."""
        return signature(self.options, (self.coverage,))

    def by(
        self, group: "str | Callable[[str], str] | Feature | EntityLabel"
    ) -> "dict[str, Part[Scores]]":
        """The parts of these scores, by label. A group is one of these:

        Documents, by "document", "genre", "re:" and a pattern with one group, or a function of
        their names; sorted by label.

        Mentions, by the labels of a feature: "class", "ne", "word", …, or a Feature of your own.
        Where there are application scores, such a part has only these and the metric `mentions`;
        where there are none, the parts are strata.

        Strata, by a label of entities: "entity:size", "entity:size=1,2,10", or an EntityLabel of
        your own. A stratum is a part of this comparison: nothing is filtered, and the counts of
        all strata add up to the whole; a rate with nothing to divide by is None.

        Coreference links, by their distance: "link:tokens", "link:sentences=0,1,5" or
        "link:mentions".
        """
        if isinstance(group, str) and group.startswith(PATTERN):
            return self._grouped(group, pattern_grouping(group))
        if not callable(group) and not (isinstance(group, str) and group in GROUPINGS):
            return self.split(group) if self._is_split(group) else self.break_down(group)
        if not isinstance(group, str):
            return self._grouped(getattr(group, "__name__", "group"), group)
        if group not in self._groups:
            self._groups[group] = self._grouped(group, GROUPINGS[group])
        return {**self._groups[group]}

    @cached_property
    def _groups(self) -> "dict[str, dict[str, Part[Scores]]]":
        """The groups of documents computed so far, by the name of the grouping."""
        return {}

    def _grouped(self, by: str, function: Callable[[str], str]) -> "dict[str, Part[Scores]]":
        """The scores of groups of documents, by a function of their names."""
        from corefkit.scoring.parts import Part

        rows: dict[str, list[int]] = {}
        for row, name in enumerate(self.counts.documents):
            try:
                label = function(name)
            except (AttributeError, TypeError) as error:
                raise UsageError(
                    f"by: {error}; a function takes the names of documents; one that takes "
                    "mentions must be wrapped: Feature(name, function)"
                ) from error
            if not isinstance(label, str):
                raise UsageError(f"by: the name of a group is a str, not {label!r:.60}")
            rows.setdefault(label, []).append(row)
        return {
            label: Part(
                ((by, label),), Scores(self.options, self.counts.select(np.array(rows[label])))
            )
            for label in sorted(rows)
        }

    def _is_split(self, group: object) -> bool:
        """Whether the groups are strata; features are not where there are application scores."""
        from corefkit.features.divisions import always_splits

        return always_splits(group) or not self.options.applications

    def groups(self, by: str) -> "dict[str, Part[Scores]]":
        """The groups that a result shows: of documents, or of mentions by a feature.

        Mentions are grouped only if there are metrics that count them one by one.
        """
        if by not in metrics.BREAKDOWNS:
            return shown_groups(self.by(by), by)
        judged = any(name in JUDGED for name in self.options.metrics)
        return self.break_down(by) if judged else {}

    def split(self, group: "str | Division") -> "dict[str, Part[Scores]]":
        """The strata by a label of entities, a feature of mentions or distances of links."""
        from corefkit.features.divisions import find_division, load_for

        division = find_division(group)
        strata = self.strata(division.name)
        load_for(division, strata.compared.tokens)
        return strata.by(division)

    def strata(self, by: str = "entity") -> "Strata":
        """The comparison, ready to be split; UsageError, which names `by`, where it cannot be."""
        from corefkit.scoring.strata import check_strata

        check_strata(self.options)
        self._known(by)
        return self._strata

    @cached_property
    def _strata(self) -> "Strata":
        from corefkit.scoring.strata import Strata

        return Strata(self._known("entity"), self.options)

    @cached_property
    def losses(self) -> "RepairCorners":
        """The points lost by detection and by linking, e.g. `scores.losses["conll"].detection`.

        UsageError where a metric is not one of entities, or a mention has several entities, and for
        the scores of a window: a repair may need mentions of other windows.
        """
        from corefkit.analysis.joint import join
        from corefkit.analysis.losses import RepairCorners
        from corefkit.scoring.errors import check_losses

        check_losses(self.options)
        comparison = self._known("losses")
        if comparison.windows is not None:
            raise UsageError("losses: they are of whole documents; those of windows are not known")
        joint = join(comparison, comparison.key_side.tokens, self.options.tagset)
        return RepairCorners(joint, self.options)

    def _known(self, by: str) -> "Comparison":
        """The two sides; UsageError, which names `by`, where they are not known."""
        if self.options.across:
            raise UsageError(f"scores by {by} are of single documents; leave out across")
        if self.comparison is None:
            raise UsageError(
                f"scores by {by} are available only where corpora are scored, and before the "
                "scores are pickled"
            )
        return self.comparison

    def break_down(self, group: "str | Feature | EntityLabel") -> "dict[str, Part[Scores]]":
        """Mentions and application scores by the labels of a feature of mentions; see `by`."""
        from corefkit.features.features import find_feature
        from corefkit.metrics.outcomes import breakdown
        from corefkit.scoring.parts import Part

        feature = find_feature(group)
        compared = self._known(feature.name).chains(self.options.tagset)
        options = replace(self.options, metrics=can_break_down(self.options, feature.name))
        compared.tokens.must_have(*feature.tokens)
        chosen = [(metrics.get(m), options.applications.get(m, "")) for m in options.metrics]
        groups = breakdown(compared, chosen, feature)
        return {
            label: Part(((feature.name, label),), Scores(options, counts))
            for label, counts in groups.items()
        }

    def parts(self, by: str | None = None, *, sums: bool = False) -> "list[Part[Any]]":
        """The whole and all of its parts: windows, strata, levels, and groups of documents `by`.

        With `sums` the strata of each division are followed by their sum.
        """
        from corefkit.scoring.parts import parts_of_scores

        return [*parts_of_scores(self, by, sums=sums)]

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists and numbers, nothing rounded: the `scores` of the JSON output."""
        return {name: score.to_dict() for name, score in self.items()}

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per metric, of the whole and of each part.

        The two kinds of links of blanc have their own rows, because only they have counts; with
        means over documents these rows have only counts. With application scores, all rows have
        columns for their outcomes, too, and each class has a row, such as `immediate.NOUN`.
        """
        from corefkit.scoring.parts import rows_of

        columns = ("part", *ROW, *(metrics.OUTCOMES if self.options.applications else ()))
        return [{column: row.get(column) for column in columns} for row in rows_of(self.parts())]

    def flat(self, prefix: str = "") -> dict[str, float]:
        """One dict of floats for experiment trackers: `muc/recall`, `muc/precision`, `muc/f1`, …

        >>> from corefkit import Evaluator
        >>> Evaluator("muc,conll").update(["ab"], ["ab"]).scores().flat("dev/")
        {'dev/muc/recall': 1.0, 'dev/muc/precision': 1.0, 'dev/muc/f1': 1.0, 'dev/conll/f1': 1.0}
        """
        values = {
            f"{prefix}{name}/{part}": getattr(score, part)
            for name, score in self.items()
            for part in ("recall", "precision", "f1")
        }
        return {name: float(value) for name, value in values.items() if value is not None}

    def __repr__(self) -> str:
        figures: list[tuple[str, float | None]] = [(name, score.f1) for name, score in self.items()]
        shown = (f"{name} {'–' if f1 is None else points(f1)}" for name, f1 in figures)
        return f"Scores({', '.join(shown)})"


def mean_score(whole: Score, each: Sequence[Score]) -> Score:
    """The means of recall, precision and F1 over documents, with the counts of the whole.

    >>> mean_score(Score(0.5, counts={"tp": 7}), [Score(1.0), Score(0.5)])
    Score(f1=0.75, recall=None, precision=None, counts={'tp': 7})
    """
    if not each:
        return whole

    def mean(values: Iterable[float | None]) -> float:
        return fsum(value or 0.0 for value in values) / len(each)

    levels = whole.levels and {
        name: mean_score(level, [score.levels[name] for score in each if score.levels])
        for name, level in whole.levels.items()
    }
    return replace(
        whole,
        f1=mean(score.f1 for score in each),
        recall=None if whole.recall is None else mean(score.recall for score in each),
        precision=None if whole.precision is None else mean(score.precision for score in each),
        levels=levels,
    )


def chosen_counts(counts: Counts, comparison: "Comparison") -> Counts:
    """The counts of the documents that are scored."""
    chosen = comparison.documents
    if chosen is None:
        return counts
    return counts.select(np.array([name in chosen for name in counts.documents], dtype=bool))


def can_break_down(options: Options, feature: str) -> tuple[str, ...]:
    """The metrics of the options that count mentions one by one; UsageError if there are none."""
    if options.average != "micro":
        raise UsageError(f"by {feature}: cannot be combined with average {options.average}")
    if against := equivocal(options):
        raise UsageError(f"by {feature}: cannot be combined with {' and '.join(against)}")
    chosen = tuple(m for m in options.metrics if m in JUDGED)
    if not chosen:
        raise UsageError(f"by {feature}: only {', '.join(JUDGED)} can be broken down by mentions")
    return chosen


def score_rows(
    name: str, score: Score, classes: bool = False, micro: bool = True
) -> Iterator[dict[str, Any]]:
    """The row of a metric, and those of its classes, parts and kinds of links."""
    counts = score.counts
    row = {"metric": name, "recall": score.recall, "precision": score.precision, "f1": score.f1}
    if "recall" in counts:
        row |= zip(RATIOS, (*counts["recall"], *counts["precision"]), strict=True)
    elif "tp" in counts:
        tp, wl, fn, fp = (counts.get(outcome, 0) for outcome in metrics.OUTCOMES)
        row |= zip(RATIOS, (tp, tp + wl + fn, tp, tp + wl + fp), strict=True)
        row |= counts
    yield row
    for label, part in (score.classes or {}).items() if classes else ():
        for row in score_rows(f"{name}.{label}", part, classes, micro):
            yield {**row, "detail": "class", "class": label}
    for kind, part in score.parts.items():
        for row in score_rows(f"{name}.{kind}", part, classes, micro):
            yield {"detail": "part", **row}
    for kind in (k for k in counts if isinstance(counts[k], Mapping)):
        inner = counts[kind]
        link_score = ratios([*inner["recall"], *inner["precision"]])
        (row,) = score_rows(f"{name}.{kind}", link_score, classes, micro)
        row["detail"] = "links"
        if score.nothing is None:
            for rate in ("recall", "precision"):
                if not row[f"{rate}_denominator"]:
                    row[rate] = row["f1"] = None
        yield row if micro else {**row, "recall": None, "precision": None, "f1": None}
