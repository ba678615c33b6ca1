"""The error page of `corefkit report`: what went wrong, and what it cost.

This module gathers its data: documents, systems with their strata, and changes between systems. The
scripts in this folder show it.
"""

from collections.abc import Sequence
from functools import cached_property
from html import escape
from itertools import combinations
from pathlib import Path
from typing import Any

from corefkit import metrics as registry
from corefkit._version import __version__
from corefkit.analysis.errors import WAS, Errors
from corefkit.analysis.types import RELATIONS, TYPES
from corefkit.core.carriers import frozen
from corefkit.core.columns import MASKS, NOTHING
from corefkit.core.incidents import Incident
from corefkit.core.names import genre
from corefkit.core.texts import close_up, count_of, is_right_to_left, is_unspaced, visible
from corefkit.core.tokens import Tokens
from corefkit.render.errors import headline
from corefkit.render.marked_text import sentence_starts
from corefkit.render.outcomes import WORDS
from corefkit.render.pages import assemble, read_part
from corefkit.render.pages.report.system_errors import SystemData, cut
from corefkit.render.plots import COLOURS
from corefkit.render.table import percent
from corefkit.scoring.errors import ErrorReport
from corefkit.scoring.outcomes import KINDS, Listing, MentionOutcomes, Transitions
from corefkit.stats.error_pages import MOST_TOKENS, ErrorPage, ErrorStrata, SystemFigures

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


def render_error_page(page: ErrorPage) -> str:
    """The page as HTML."""
    return assemble(
        f"Errors: {', '.join(s.name for s in page.report.systems)}",
        heading(page.report),
        [*map(read_part, STYLES)],
        [*map(read_part, SCRIPTS)],
        page_data(page),
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


def page_data(page: ErrorPage) -> dict[str, Any]:
    """All data of the page."""
    report, first = page.report, page.report.systems[0]
    texts = DocumentTexts(first.details.texts, first.joint.key.names, page.shown)
    changes: dict[str, Any] = {"unchanged": page.unchanged} if page.unchanged else {}
    if page.listing:
        changes["changes"] = changes_data(page.listing, texts.unspaced)
    return {
        "version": __version__,
        "signature": report.signature,
        "intervals": page.intervals,
        "metric": metric_title(first.metric),
        "colours": list(COLOURS),
        "language": first.joint.tokens.language or "",
        "types": list(TYPES),
        "kinds": list(first.joint.sources.shown),
        "relations": list(RELATIONS),
        "was": {relation: says for relation, (says, _) in WAS.items()},
        "features": list(page.systems[0].features),
        "most": MOST_TOKENS,
        "chosen": page.chosen,
        "documents": [texts.document(n) for n in range(len(texts.names))],
        "systems": [_system(page, number, texts.unspaced) for number in range(len(page.systems))],
        **changes,
    }


def _system(page: ErrorPage, number: int, unspaced: frozenset[int]) -> dict[str, Any]:
    """The data of one system."""
    errors, figures = page.report.systems[number], page.systems[number]
    data = SystemData(errors, page.shown, figures.same, unspaced, figures.features)
    scores = _scores(figures)
    return {
        **data.to_dict(shares=True),
        "about": about(page.report, errors),
        "warnings": reading_warnings(page.report, number),
        "scores": scores,
        "interval": _interval(scores, errors.metric),
        "losses": page.report.losses[errors.name][errors.metric].lost._asdict(),
        "strata": [_strata(strata, errors.metric) for strata in figures.strata],
    }


def _strata(strata: ErrorStrata, metric: str) -> dict[str, Any]:
    """The strata of a division with F1 and interval, and those of each error."""
    rows = []
    for part in strata.parts:
        figure = part.scores.get(metric)
        ends = (figure and figure.interval) or (None, None)
        sizes = [part.key.entities, part.key.mentions]
        sizes += [part.response.entities, part.response.mentions]
        rows.append([part.label, *sizes, figure.f1 if figure else None, *ends])
    return {"by": strata.by, "rows": rows, "labels": strata.labels, "errors": strata.errors}


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
    location = ", ".join(filter(None, (first.file and Path(first.file).name, line, first.document)))
    more = f" … and {number:,} more of this kind" if number else ""
    return visible(f"{location}: {first.message}{more}" if location else f"{first.message}{more}")


def _scores(figures: SystemFigures) -> list[list[Any]]:
    """Title, recall, precision, F1 and the ends of its interval, for each metric."""
    rows = []
    for metric, score in figures.scores.items():
        ends = figures.intervals[metric].interval or (None, None)
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
