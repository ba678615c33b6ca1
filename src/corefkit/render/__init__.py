"""Reports in every format: people get rounded percentages, programs all digits."""

from importlib import import_module
from typing import TYPE_CHECKING

from corefkit.render.table import FORMATS as TABLE_FORMATS

if TYPE_CHECKING:
    from corefkit.scoring.report import Report

TEXTS = ("conll", "corefud")
"""The texts of the reference scorer and of corefud-scorer, each in the module of that name: its
METRICS, and `render_report(report)`."""

FORMATS = (*TABLE_FORMATS, *TEXTS)
"""The formats of scores: those of tables, and the texts of older scorers."""


def render(report: "Report", form: str, by: str | None = None, *, bold: bool = False) -> str:
    """The report in one of FORMATS, with groups of documents if `by` names a grouping."""
    if form in TEXTS:
        return str(import_module(f"corefkit.render.{form}").render_report(report))
    from corefkit.render.scores import render_report

    return render_report(report, form, by, bold=bold)
