"""Tab- and comma-separated values: one line for each system, group and metric, nothing rounded."""

import csv
from io import StringIO

from corefkit.data.groups import BREAKDOWNS
from corefkit.render.table import ALL, rows
from corefkit.scoring.run import Report
from corefkit.scoring.scores import OUTCOMES, ROW


def render_tsv(report: Report, by: str | None, bold: bool) -> str:
    """Tab-separated values."""
    del bold
    return _render(report, by, delimiter="\t")


def render_csv(report: Report, by: str | None, bold: bool) -> str:
    """Comma-separated values."""
    del bold
    return _render(report, by, delimiter=",")


def _render(report: Report, by: str | None, delimiter: str) -> str:
    out = StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    outcomes = OUTCOMES if report.options.applications else ()
    writer.writerow(["system", "group", *ROW, *outcomes])
    for row in rows(report, by):
        for line in row.scores.rows(classes=row.group == ALL or by not in BREAKDOWNS):
            writer.writerow([row.system, row.group, *map(_exact, line.values())])
    return out.getvalue()


def _exact(value: object) -> str:
    return "" if value is None else str(value)
