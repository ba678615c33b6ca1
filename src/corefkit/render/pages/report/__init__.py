"""The error page of `corefkit report`: what went wrong, and what it cost.

This module gathers its data: documents, systems with their strata, and changes between systems. The
scripts in this folder show it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from html import escape
from itertools import combinations
from os import PathLike
from pathlib import Path
from typing import Any, Literal, Unpack

import numpy as np

from corefkit import metrics as registry
from corefkit._version import __version__
from corefkit.analysis.errors import WAS, ErrorIdentity, Errors
from corefkit.analysis.types import RELATIONS, TYPES
from corefkit.core.arrays import tuples
from corefkit.core.carriers import frozen
from corefkit.core.columns import MASKS, NOTHING
from corefkit.core.incidents import DataError, Incident
from corefkit.core.languages import Tagset
from corefkit.core.names import genre, path_name
from corefkit.core.options import UsageError
from corefkit.core.texts import close_up, count_of, is_right_to_left, is_unspaced, visible
from corefkit.core.tokens import Tokens
from corefkit.features.chains import Chains
from corefkit.features.entity_labels import find_label, order_labels
from corefkit.formats.kit.annotators import with_annotators
from corefkit.formats.kit.writing import files_of, refuse_overwriting, write_atomically
from corefkit.formats.options import split_readings
from corefkit.metrics import VARIANTS
from corefkit.metrics.base import Metrics
from corefkit.render.errors import headline
from corefkit.render.marked_text import sentence_starts
from corefkit.render.outcomes import WORDS
from corefkit.render.pages import assemble, read_part
from corefkit.render.pages.report.system_errors import SystemData, cut
from corefkit.render.plots import COLOURS
from corefkit.render.table import percent
from corefkit.scorers import make_options, parse_variants, scorer_for
from corefkit.scorers.comparison import Readable, in_all
from corefkit.scoring.errors import SHARED_OUT, ErrorReport, find_errors
from corefkit.scoring.outcomes import (
    KINDS,
    Listing,
    MentionOutcomes,
    Transitions,
    list_comparisons,
)
from corefkit.scoring.run import NamedSides, named_sides, score_comparison
from corefkit.scoring.scores import Scores
from corefkit.stats.compare import compare_scores, with_intervals
from corefkit.stats.figures import interval_notes
from corefkit.stats.resampling import Plan

STYLES = ("shared/base.css", "report/report.css")
SCRIPTS = (
    "shared/dom.js",
    "shared/order.js",
    "shared/unpack.js",
    "report/table.js",
    "report/state.js",
    "report/explanation.js",
    "report/strata.js",
    "report/overview.js",
    "report/compare.js",
    "report/marks.js",
    "report/pinned.js",
    "report/document.js",
    "report/entities.js",
    "report/errors.js",
    "report/changes.js",
    "report/main.js",
)
SAMPLES = 2000
"""How many bootstrap samples the intervals on the page are made from."""


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
    error_report = find_errors(key, responses, options, pronouns=pronouns, readings=readings)
    page = render_error_page(error_report, shown)
    if output is not None:
        write_atomically(path_name(output), page.encode("utf-8", "replace"))
    return page


def render_error_page(error_report: ErrorReport, documents: Sequence[str] | None = None) -> str:
    """The error page as HTML; `documents` names those whose texts are shown."""
    if documents:
        unknown = [name for name in documents if name not in error_report.key.scored.names]
        if unknown:
            raise UsageError(f"documents: the key has no document {unknown[0]!r}")
    return assemble(
        f"Errors: {', '.join(s.name for s in error_report.systems)}",
        heading(error_report),
        [*map(read_part, STYLES)],
        [*map(read_part, SCRIPTS)],
        page_data(error_report, documents),
    )


def heading(error_report: ErrorReport) -> str:
    """The frame of the page with title and result of the first system, there before any script."""
    first = error_report.systems[0]
    parts = (f"What {first.name} got wrong", about(error_report, first), headline(first))
    return read_part("report/report.html").format(*(escape(visible(part)) for part in parts))


def about(error_report: ErrorReport, errors: Errors) -> str:
    """The score of a system, and the size of the key."""
    key, size = Path(error_report.key.path).name, error_report.key.size
    documents, mentions = count_of(size.documents, "document"), count_of(size.mentions, "mention")
    entities = count_of(size.entities, "entity", "entities")
    score = f"{metric_title(errors.metric)} {percent(errors.f1())}"
    return f"{score} · key: {key} ({documents}, {mentions}, {entities})"


def metric_title(metric: str) -> str:
    """What a metric is called on the page."""
    return registry.get(metric).title or metric


def page_data(error_report: ErrorReport, documents: Sequence[str] | None = None) -> dict[str, Any]:
    """All data of the page; `documents` names those whose texts are shown."""
    shown = choose_shown(error_report.systems, documents)
    first = error_report.systems[0]
    first.joint.tokens.prefetch("speaker", "ne")
    texts = DocumentTexts(first.details.texts, first.joint.key.names, shown)
    numbers = numbered([errors.identities() for errors in error_report.systems])
    systems = [
        SystemData(errors, shown, same, texts.unspaced)
        for errors, same in zip(error_report.systems, numbers, strict=True)
    ]
    return {
        "version": __version__,
        "signature": error_report.signature,
        "intervals": _interval_note(len(first.joint.key.names)),
        "metric": metric_title(first.metric),
        "colours": list(COLOURS),
        "language": first.joint.tokens.language or "",
        "types": list(TYPES),
        "kinds": list(first.joint.sources.shown),
        "relations": list(RELATIONS),
        "was": {relation: says for relation, (says, _) in WAS.items()},
        "features": list(systems[0].features),
        "most": MOST_TOKENS,
        "chosen": bool(documents),
        "documents": [texts.document(n) for n in range(len(texts.names))],
        "systems": [
            {
                **system.to_dict(shares=True),
                "about": about(error_report, system.errors),
                "warnings": reading_warnings(error_report, number),
                "scores": (figures := _figures(scores)),
                "interval": _interval(figures, first.metric),
                "losses": system.errors.corners[first.metric]._asdict(),
                "strata": strata_data(system.errors, scores, SAMPLES),
            }
            for number, (system, scores) in enumerate(
                zip(systems, _scores(error_report), strict=True)
            )
        ],
        **(_changes(error_report, texts.unspaced) if len(systems) > 1 else {}),
    }


def reading_warnings(error_report: ErrorReport, system: int) -> list[str]:
    """What was noticed when the key and one response were read: a line per kind and file.

    The first of a kind is quoted and the others are counted. Missing documents are left out: the
    page says what they cost.
    """
    others = [c.incidents for n, c in enumerate(error_report.comparisons) if n != system]
    of_others = {id(incident) for incidents in others for incident in incidents}
    kinds: dict[tuple[str | None, str], list[Incident]] = {}
    for incident in error_report.incidents:
        if id(incident) not in of_others and incident.id != "document-missing":
            kinds.setdefault((incident.file, incident.id), []).append(incident)
    return [_warning(incidents) for incidents in kinds.values()]


def _warning(incidents: Sequence[Incident]) -> str:
    """The first of several incidents of one kind, with its place, and the number of others."""
    first, number = incidents[0], sum(incident.count for incident in incidents) - 1
    line = f"line {first.line:,}" if first.line else ""
    place = ", ".join(filter(None, (first.file and Path(first.file).name, line, first.document)))
    more = f" … and {number:,} more of this kind" if number else ""
    return visible(f"{place}: {first.message}{more}" if place else f"{first.message}{more}")


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


def _changes(error_report: ErrorReport, unspaced: frozenset[int]) -> dict[str, Any]:
    """The transitions of outcomes between systems, or the reason why there are none."""
    options = replace(
        error_report.options, metrics=tuple(VARIANTS), variants=parse_variants("", tuple(VARIANTS))
    )
    comparisons = error_report.comparisons
    if options.documents == "common":
        common = in_all(comparisons)
        comparisons = tuple(comparison.within(common) for comparison in comparisons)
    names = [errors.name for errors in error_report.systems]
    try:
        listing, _ = list_comparisons(dict(zip(names, comparisons, strict=True)), options)
    except DataError as error:
        first = error.incidents[0]
        return {"unchanged": ". ".join(text for text in (first.message, first.hint) if text)}
    return {"changes": changes_data(listing, unspaced)}


def _figures(scores: Scores) -> list[list[Any]]:
    """Title, recall, precision, F1 and the ends of its interval, for each metric."""
    (intervals,) = compare_scores({"": scores}, samples=SAMPLES).systems.values()
    rows = []
    for metric, score in scores.items():
        ends = intervals[metric].interval or (None, None)
        rows.append([metric_title(metric), score.recall, score.precision, score.f1, *ends])
    return rows


def _interval(figures: Sequence[Sequence[Any]], metric: str) -> list[float] | None:
    """The ends of the interval of a metric; None where it has none."""
    ends = [row[4:6] for row in figures if row[0] == metric_title(metric) and row[4] is not None]
    return list(ends[0]) if ends else None


_WORDS = {**WORDS, "": "nothing"}
"""Outcomes in words; "nothing" where a mention does not count for a system."""

MOST_TEXT = 100
"""The number of characters to which longer mentions are cut."""


def changes_data(listing: Listing, unspaced: frozenset[int]) -> dict[str, Any]:
    """The mentions as columns, the outcome of each by score and system, the kinds of transitions.

    Words of `unspaced` documents are shown without blanks. Outcomes and classes are indices of
    the lists beside them. `kinds` has a string per pair of systems with a character per mention:
    the index of a kind, or "-" if the mention counts for neither.
    """
    classes, class_codes = _coded(listing.classes)
    systems = list(listing.outcomes)
    return {
        "words": _WORDS,
        "kinds": list(KINDS),
        "classes": classes,
        "mentions": {
            "document": listing.document.tolist(),
            "sentence": listing.sentence.tolist(),
            "start": listing.start.tolist(),
            "end": listing.end.tolist(),
            "text": [
                cut(close_up(text) if document in unspaced else text, MOST_TEXT)
                for document, text in zip(listing.document.tolist(), listing.texts, strict=True)
            ],
            "class": class_codes,
        },
        "scores": {score: _score(listing, score, systems) for score in listing.scores},
    }


def _score(listing: Listing, score: str, systems: Sequence[str]) -> dict[str, Any]:
    """The outcome of each mention by system under one score, and the differences of each pair."""
    by_system: list[MentionOutcomes] = [listing.outcomes[system][score] for system in systems]
    outcomes, codes = _coded([outcome for columns in by_system for outcome in columns.outcome])
    size = len(listing)
    return {
        "outcomes": outcomes,
        "outcome": [codes[i * size : (i + 1) * size] for i in range(len(by_system))],
        "expected": by_system[0].expected.tolist(),
        "found": [columns.found.tolist() for columns in by_system],
        "kinds": {
            f"{a} {b}": _change_kinds(Transitions(listing, score, systems[a], systems[b]))
            for a, b in combinations(range(len(systems)), 2)
        },
    }


def _change_kinds(transitions: Transitions) -> str:
    number = {kind: str(n) for n, kind in enumerate(KINDS)}
    pairs = zip(transitions.kinds, transitions.steps, strict=True)
    return "".join(number[kind] if step else "-" for kind, step in pairs)


def _coded(values: Sequence[str]) -> tuple[list[str], list[int]]:
    """The distinct values, sorted, and for each value its index among them."""
    distinct = sorted(set(values))
    index = {value: number for number, value in enumerate(distinct)}
    return distinct, [index[value] for value in values]


BY = ("entity:size", "entity:spread", "entity:kind", "entity:type")
"""The labels whose strata are shown, if the key has what they need."""


def strata_data(errors: Errors, scores: Scores, samples: int) -> list[dict[str, Any]]:
    """For each of BY its strata with F1 and interval, and the strata of each error.

    A label is left out if the scores cannot be split by it.
    """
    data = []
    for by in BY:
        try:
            strata = scores.split(by)
        except (DataError, UsageError):
            continue
        parts, _ = with_intervals(scores, strata.values(), Plan(samples=samples))
        rows = []
        for part in parts:
            figure = part.scores.get(errors.metric)
            ends = (figure and figure.interval) or (None, None)
            sizes = [part.key.entities, part.key.mentions]
            sizes += [part.response.entities, part.response.mentions]
            rows.append([part.label, *sizes, figure.f1 if figure else None, *ends])
        names, error_labels = _labels_of_errors(errors, scores, by)
        data.append({"by": by, "rows": rows, "labels": names, "errors": error_labels})
    return data


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


MOST_TOKENS = 400_000
"""How many tokens of texts the page shows; in larger corpora, of the documents that lose most."""


@frozen
class DocumentTexts:
    """The texts of the key, and which documents are shown in full."""

    texts: Tokens
    names: tuple[str, ...]
    shown: frozenset[int]

    def document(self, number: int) -> dict[str, Any]:
        """Name, genre, and the sentences if it is shown."""
        name = self.names[number]
        size = max(int(self.texts.corpus.tokens[number]), 0)
        content: dict[str, Any] = {"name": name, "genre": genre(name)}
        content["tokens"] = size
        if number in self.shown and size:
            words = self._shown.words(number, 0, size - 1) or ["·"] * size
            if MASKS.issuperset(self.texts.words(number, 0, size - 1) or words):
                content["masked"] = True
            starts = sentence_starts(self.texts, number)
            content |= {"words": words, "sentences": starts, "rtl": is_right_to_left(words)}
            if number in self.unspaced:
                content["unspaced"] = True
            if speakers := self._speakers(number, size):
                content["speakers"] = [speakers[i] for i in starts]
        return content

    @cached_property
    def _shown(self) -> Tokens:
        return self.texts.with_tags()

    @cached_property
    def unspaced(self) -> frozenset[int]:
        """The documents in languages without blanks between words, such as Chinese."""
        numbers = range(len(self.names))
        return frozenset(n for n in numbers if is_unspaced(self.texts.words(n, 0, 299)))

    def _speakers(self, number: int, size: int) -> list[str]:
        """The speaker of each token; empty if the files name none."""
        if not self.texts.has("speaker"):
            return []
        column = self.texts.column("speaker")
        if set(column.values) <= NOTHING:
            return []
        first = int(self.texts.corpus.first_token[number])
        return [column.values[c] for c in column.code[first : first + size].tolist()]


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
