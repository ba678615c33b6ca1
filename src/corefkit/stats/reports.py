"""Reports are completed before they are shown: with what is lost, and with intervals of parts."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from corefkit.scoring.errors import ErrorReport
from corefkit.scoring.parts import Part, under
from corefkit.scoring.report import Report, System
from corefkit.stats.compare import with_intervals
from corefkit.stats.figures import interval_notes, sampled_losses


def with_losses(report: Report) -> Report:
    """The report with what detection and linking cost each system, with intervals."""
    systems = [
        system._replace(losses=sampled_losses(system.scores.losses) if system.scores else {})
        for system in report.systems
    ]
    return report._replace(systems=tuple(systems))


def with_sampled_losses(report: ErrorReport) -> ErrorReport:
    """The report with intervals of what detection and linking cost."""
    sampled = {errors.name: sampled_losses(errors.corners) for errors in report.systems}
    return replace(report, sampled=sampled)


DrawnParts = dict[str, list[Part[Any]]]
"""The parts of each system that are drawn, with intervals."""


def drawn_parts(report: Report) -> tuple[DrawnParts, tuple[str, ...]]:
    """What is drawn of a divided report, and notes on the intervals.

    These are the strata, of the first window if there are windows; without strata, the whole and
    groups.
    """
    drawn: DrawnParts = {}
    notes: dict[str, None] = {}
    numbers: list[int] = []
    for system in report.systems:
        if system.scores is None:
            continue
        whole, parts = _chosen(system, report)
        drawn[system.name], of_system = with_intervals(whole.scores, parts)
        notes |= dict.fromkeys(of_system)
        numbers += [len(part.scores.counts) for part in parts if not part.scores.divided]
        numbers += [len(whole.scores.counts)]
    return drawn, (*interval_notes(numbers), *notes)


def _chosen(system: System, report: Report) -> tuple[Part[Any], Sequence[Part[Any]]]:
    """The whole that strata are of, and the parts that are drawn."""
    window = next(iter(report.options.window), "") if report.options.by else ""
    parts = [part for part in under(system.parts, window) if not part.sum]
    whole = next(part for part in parts if not part.at)
    if report.options.by:
        return whole, [part for part in parts if part.scores.divided]
    return whole, [part for part in parts if not part.at or part.by == report.by]
