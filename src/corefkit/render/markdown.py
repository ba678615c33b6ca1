"""Markdown: one table, a row for each system and group."""

from corefkit.data.groups import BREAKDOWNS
from corefkit.profiles.signature import signature
from corefkit.render.table import best, has_outcomes, percent, rows, values_of
from corefkit.scoring.run import Report

_SHORT = {"recall": "R", "precision": "P", "f1": "F1"}


def render_markdown(report: Report, by: str | None, bold: bool) -> str:
    """A table for a README or an issue; the best of several systems is bold.

    Application scores by class, and break-downs, follow in tables of their own.
    """
    del bold
    tables = _outcome_tables(report, by)
    by = None if by in BREAKDOWNS else by
    table = rows(report, by)
    marked = best(table)
    lines = []
    if table:
        shown = [(m, v) for m, score in table[0].flat.items() for v in values_of(score)]
        labels = ["system", *(["group"] if by else [])]
        lines.append(_line([*labels, *(f"{m} {_SHORT[v]}" for m, v in shown)]))
        lines.append(_line([*("---" for _ in labels), *("---:" for _ in shown)]))
    for row in table:
        cells = [_escape(row.system), *([_escape(row.group)] if by else [])]
        for metric, value in shown:
            text = percent(row.value(metric, value))
            strong = (row.system, row.group, metric, value) in marked
            cells.append(f"**{text}**" if strong else text)
        lines.append(_line(cells))
    return "\n".join([*lines, "", *tables, f"`{signature(report.options)}`"]) + "\n"


def _outcome_tables(report: Report, by: str | None) -> list[str]:
    if not has_outcomes(report, by):
        return []
    from corefkit.render.outcomes import render_break_down

    return render_break_down(report.scores, by if by in BREAKDOWNS else None, "markdown")


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escape(text: str) -> str:
    return "".join("\\" + c if c in "\\|*_`<[" else c for c in text)
