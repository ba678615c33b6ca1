"""The table behind every human format: a row for each system and group, numbers as percentages."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from corefkit.data.groups import BREAKDOWNS
from corefkit.metrics.base import Score
from corefkit.scoring.run import Report
from corefkit.scoring.scores import Scores

ALL = "all"
"""What the group column says of all documents together."""

VALUES = {"f1": "F1", "recall": "Recall", "precision": "Precision"}


@dataclass(frozen=True)
class Row:
    """The scores of one system, over all documents or over one group of them."""

    system: str
    group: str
    scores: Scores

    @cached_property
    def flat(self) -> dict[str, Score]:
        """The scores by name, and those of their parts, such as anchor.detection."""
        return flat(self.scores)

    def value(self, metric: str, value: str) -> float | None:
        """One figure; None where the row has none, as of muc in a break-down by class."""
        score = self.flat.get(metric)
        return getattr(score, value) if score else None


def flat(scores: Scores) -> dict[str, Score]:
    """The scores by name, each followed by its parts."""
    found: dict[str, Score] = {}
    for name, score in scores.items():
        found[name] = score
        found |= {f"{name}.{part}": inner for part, inner in score.parts.items()}
    return found


def rows(report: Report, by: str | None) -> list[Row]:
    """All rows of a report: each system that was scored, followed by its groups."""
    return [row for s in report.systems if s.scores for row in _rows(s.name, s.scores, by)]


def _rows(system: str, scores: Scores, by: str | None) -> Iterator[Row]:
    yield Row(system, ALL, scores)
    if by:
        for group, part in scores.by(by).items():
            yield Row(system, group, part)


def has_outcomes(report: Report, by: str | None) -> bool:
    """Whether tables by class, or by the feature that `by` names, belong to the report."""
    return by in BREAKDOWNS or bool(report.options.applications)


def best(table: list[Row]) -> set[tuple[str, str, str, str]]:
    """Which figures to print in bold: (system, group, metric, value), the best of several systems.

    Figures that look the same when printed are all best; zero never is.
    """
    found: dict[tuple[str, str, str], tuple[float, set[str]]] = {}
    for row in table:
        for metric, score in row.flat.items():
            for value in VALUES:
                number = getattr(score, value)
                if number is None:
                    continue
                where, shown = (row.group, metric, value), float(percent(number))
                top, systems = found.get(where, (0.0, set[str]()))
                if shown > top:
                    found[where] = shown, {row.system}
                elif shown == top:
                    systems.add(row.system)
    if len({row.system for row in table}) < 2:
        return set()
    return {(system, *where) for where, (_, systems) in found.items() for system in systems}


def percent(value: float | None) -> str:
    """A score as a percentage with two digits; nothing where there is none.

    >>> percent(5 / 11)
    '45.45'
    """
    return "" if value is None else f"{100 * value:.2f}"


def values_of(score: Score) -> tuple[str, ...]:
    """Which values a score has: recall, precision and f1, or f1 alone."""
    return ("recall", "precision", "f1") if score.recall is not None else ("f1",)
