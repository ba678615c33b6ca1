"""Reports in every format: people get rounded percentages, programs all digits."""

from typing import TYPE_CHECKING

from corefkit.render.tables import FORMATS as TABLE_FORMATS

if TYPE_CHECKING:
    from corefkit.scoring.report import Report

FORMATS = (*TABLE_FORMATS, "conll", "corefud")
"""The formats of scores: those of tables, and the texts of the reference scorer and of
corefud-scorer."""


def render(report: "Report", form: str, by: str | None = None, *, bold: bool = False) -> str:
    """The report in one of FORMATS, with groups of documents if `by` names a grouping."""
    if form == "conll":
        from corefkit.render.conll import render_conll as render_text
    elif form == "corefud":
        from corefkit.render.corefud import render_corefud as render_text
    else:
        from corefkit.render.report import render_report

        return render_report(report, form, by, bold=bold)
    return render_text(report)
