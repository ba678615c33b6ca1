"""What the page of errors shows, complete: errors, figures, strata, changes between systems."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike
from typing import Any, ClassVar, Literal, NamedTuple, Unpack

import numpy as np

from corefkit.analysis.errors import ErrorIdentity, Errors
from corefkit.analysis.mention_features import mention_features
from corefkit.core.arrays import tuples
from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError
from corefkit.core.languages import Tagset
from corefkit.core.names import path_name
from corefkit.core.options import UsageError
from corefkit.core.results import Result
from corefkit.features.chains import Chains
from corefkit.features.entity_labels import find_label, order_labels
from corefkit.formats.kit.annotators import with_annotators
from corefkit.formats.kit.writing import files_of, refuse_overwriting, write_atomically
from corefkit.formats.options import split_readings
from corefkit.metrics import VARIANTS
from corefkit.metrics.base import Metrics
from corefkit.scorers import make_options, parse_variants, scorer_for
from corefkit.scorers.comparison import Readable, in_all
from corefkit.scoring.errors import SHARED_OUT, ErrorReport, find_errors
from corefkit.scoring.outcomes import Listing, list_comparisons
from corefkit.scoring.parts import Part
from corefkit.scoring.run import NamedSides, named_sides, score_comparison
from corefkit.scoring.scores import Scores
from corefkit.stats.compare import compare_scores, with_intervals
from corefkit.stats.figures import Interval, interval_notes
from corefkit.stats.resampling import Plan

SAMPLES = 2000
"""How many bootstrap samples the intervals on the page are made from."""

BY = ("entity:size", "entity:spread", "entity:kind", "entity:type")
"""The labels whose strata are shown, if the key has what they need."""

MOST_TOKENS = 400_000
"""How many tokens of texts the page shows; in larger corpora, of the documents that lose most."""


class ErrorStrata(NamedTuple):
    """The strata of one division, with intervals, and those of the entities of each error.

    `labels` are the labels of all strata, `errors` has for each error indices of these.
    """

    by: str
    parts: Sequence[Part[Any]]
    labels: list[str]
    errors: list[list[int]]


class SystemFigures(NamedTuple):
    """What the page shows of one system besides its errors.

    Attributes:
        scores: its scores in the default metrics of the profile.
        intervals: metric → F1 and its interval.
        strata: those of the divisions BY that the key has what they need for.
        same: a number for each error; an error of several systems has the same number in all.
        features: the features that errors are broken down by, with a value for every mention.
    """

    scores: Scores
    intervals: Mapping[str, Interval]
    strata: tuple[ErrorStrata, ...]
    same: list[int]
    features: dict[str, list[str]]


@frozen(eq=False)
class ErrorPage(Result):
    """All that the page of errors shows.

    Attributes:
        report: the errors.
        systems: the figures of each system, in the same order.
        shown: the numbers of the documents whose texts are shown.
        chosen: whether these were named.
        intervals: how the intervals were made.
        listing: the outcomes of the mentions, where there are several systems.
        unchanged: why there are none.
    """

    kind: ClassVar[str] = "report"

    report: ErrorReport
    systems: tuple[SystemFigures, ...]
    shown: frozenset[int]
    chosen: bool
    intervals: str
    listing: Listing | None = None
    unchanged: str = ""

    def rows(self) -> list[dict[str, Any]]:
        """One flat row per system and type of error."""
        return self.report.rows()

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `corefkit errors`."""
        return self.report.to_dict()


def report(  # noqa: PLR0913 (as many as there are options)
    key: Readable | None = None,
    *responses: Readable,
    output: str | PathLike[str] | None = None,
    metrics: Metrics | None = None,
    shown: Sequence[str] | None = None,
    profile: str = "standard",
    tagset: str | Tagset = "auto",
    pronouns: Iterable[str] | None = None,
    documents: Literal["all", "common"] = "all",
    **policies: Unpack[NamedSides],
) -> str:
    """The error page of one or more responses, as HTML; also written to `output` if it is given.

    The points lost in the first of the `metrics`, by default conll, are shared out. `shown` names
    the documents whose texts are shown; by default all are, or in a large corpus those that lose
    most. The other options are those of `corefkit.errors`. Raises DataError if the data cannot be
    scored, UsageError if `output` is one of the files that are read.
    """
    chosen: dict[str, Any] = {"documents": documents, **policies}
    key, responses = named_sides(key, responses, chosen, several=True)
    if not responses:
        raise UsageError("report: give at least one response")
    if output is not None:
        sources = [name for source in (key, *responses) for name in files_of(source)]
        refuse_overwriting([path_name(output)], sources)
    readings = split_readings(chosen)
    responses = with_annotators(responses, readings.response)
    metrics = SHARED_OUT if metrics is None else metrics
    options = make_options(metrics, profile, tagset=tagset, **chosen)
    found = find_errors(key, responses, options, pronouns=pronouns, readings=readings)
    page = error_page(found, shown)._repr_html_()
    if output is not None:
        write_atomically(path_name(output), page.encode("utf-8", "replace"))
    return page


def error_page(report: ErrorReport, documents: Sequence[str] | None = None) -> ErrorPage:
    """All that the page shows; `documents` names those whose texts are shown."""
    if documents:
        unknown = [name for name in documents if name not in report.key.scored.names]
        if unknown:
            raise UsageError(f"documents: the key has no document {unknown[0]!r}")
    shown = choose_shown(report.systems, documents)
    report.systems[0].joint.tokens.prefetch("speaker", "ne")
    numbers = numbered([errors.identities() for errors in report.systems])
    listed = zip(report.systems, _scores(report), numbers, strict=True)
    systems = tuple(_figures(errors, scores, same) for errors, scores, same in listed)
    note = _interval_note(len(report.systems[0].joint.key.names))
    listing, unchanged = _changes(report) if len(systems) > 1 else (None, "")
    return ErrorPage(report, systems, shown, bool(documents), note, listing, unchanged)


def _figures(errors: Errors, scores: Scores, same: list[int]) -> SystemFigures:
    (intervals,) = compare_scores({"": scores}, samples=SAMPLES).systems.values()
    strata = []
    for by in BY:
        try:
            split = scores.split(by)
        except (DataError, UsageError):
            continue
        parts, _ = with_intervals(scores, split.values(), Plan(samples=SAMPLES))
        strata.append(ErrorStrata(by, parts, *_labels_of_errors(errors, scores, by)))
    features = mention_features(errors.joint)
    return SystemFigures(scores, intervals, tuple(strata), same, features)


def _interval_note(documents: int) -> str:
    """How the intervals of the page were made, and whether there are too few documents for them."""
    notes = interval_notes([documents])
    if documents < 2:
        return notes[0]
    return "; ".join((f"95% intervals: percentiles of {SAMPLES:,} samples of documents", *notes))


def numbered(systems: Sequence[Sequence[ErrorIdentity]]) -> list[list[int]]:
    """A number for each error of each system; the same errors have the same number."""
    numbers: dict[ErrorIdentity, int] = {}
    return [[numbers.setdefault(error, len(numbers)) for error in errors] for errors in systems]


def _scores(error_report: ErrorReport) -> list[Scores]:
    """The scores of each system in the default metrics of the profile."""
    options = error_report.options
    default = make_options(None, options.profile, tagset=options.tagset)
    scored_as = replace(options, metrics=default.metrics, variants=default.variants, by=())
    scorer = scorer_for(scored_as)
    scores = []
    for errors, comparison in zip(error_report.systems, error_report.comparisons, strict=True):
        scored = score_comparison(scorer, comparison, errors.name).scores
        assert scored is not None  # what could not be compared has no errors either
        scores.append(scored)
    return scores


def _changes(report: ErrorReport) -> tuple[Listing | None, str]:
    """The outcomes of the mentions in all systems, or the reason why there are none."""
    metrics = tuple(VARIANTS)
    options = replace(report.options, metrics=metrics, variants=parse_variants("", metrics))
    comparisons = report.comparisons
    if options.documents == "common":
        common = in_all(comparisons)
        comparisons = tuple(comparison.within(common) for comparison in comparisons)
    names = [errors.name for errors in report.systems]
    try:
        listing, _ = list_comparisons(dict(zip(names, comparisons, strict=True)), options)
    except DataError as error:
        first = error.incidents[0]
        return None, ". ".join(text for text in (first.message, first.hint) if text)
    return listing, ""


def _labels_of_errors(errors: Errors, scores: Scores, by: str) -> tuple[list[str], list[list[int]]]:
    """The labels, and for each error the indices of those of its entities, on either side."""
    strata, label = scores.strata(by), find_label(by)
    sides: tuple[Chains, Chains] = (strata.key, strata.response)
    columns = [label.labels(chains) for chains in sides]
    names = order_labels(label, columns, sides[0].corpus.entity_size)
    number_of = {name: number for number, name in enumerate(names)}
    codes = [np.append(column.numbers(number_of.__getitem__), -1) for column in columns]
    table, joint = errors.table, errors.joint
    labels: list[set[int]] = [set() for _ in range(len(table))]
    for entity, code in ((joint.key_entity, codes[0]), (joint.response_entity, codes[1])):
        for number, stratum in tuples(table.error, code[entity[table.mention]]):
            if stratum >= 0:
                labels[number].add(stratum)
    return names, [sorted(stratum) for stratum in labels]


def choose_shown(
    systems: Sequence[Errors], documents: Sequence[str] | None = None, most: int = MOST_TOKENS
) -> frozenset[int]:
    """The numbers of the documents whose texts are shown: the named ones, or the worst that fit."""
    joint = systems[0].joint
    names = joint.key.names
    if documents:
        return frozenset(number for number, name in enumerate(names) if name in set(documents))
    loss = np.max([list(system.losses().values()) for system in systems], axis=0)
    chosen: set[int] = set()
    total = 0
    for number in sorted(range(len(names)), key=lambda n: -loss[n]):
        size = max(int(joint.key.tokens[number]), 0)
        if not chosen or total + size <= most:
            chosen.add(number)
            total += size
    return frozenset(chosen)
