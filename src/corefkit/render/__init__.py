"""Reports in every format: people get rounded percentages, programs all digits."""

from typing import TYPE_CHECKING

from corefkit.render.tables import FORMATS as TABLE_FORMATS

if TYPE_CHECKING:
    from corefkit.scoring.run import Report

FORMATS = (*TABLE_FORMATS, "conll")
"""The formats of scores: those of tables, and the text of the reference scorer."""


def render(report: "Report", form: str, by: str | None = None, *, bold: bool = False) -> str:
    """The report in one of FORMATS, with groups of documents if `by` names a grouping."""
    if form == "conll":
        from corefkit.render.conll import render_conll

        return render_conll(report)
    from corefkit.render.report import render_report

    return render_report(report, form, by, bold=bold)
