"""The types of results of the core, and how any result is shown by its tables."""

from typing import Any

from corefkit.core.entry_points import ResultType
from corefkit.core.results import Result
from corefkit.render.markup import render_html
from corefkit.render.table import CellValue, Table, make_table, plain_headings, render_tables


def as_tables(result: Result) -> list[Table]:
    """The rows of a result as one table."""
    rows = result.rows()
    names = [*dict.fromkeys(name for row in rows for name in row)]
    lines = [[_cell(row.get(name)) for name in names] for row in rows]
    return [make_table(result.kind, "", plain_headings(*names, kind="number"), [lines])]


def _cell(value: Any) -> CellValue:
    return value if isinstance(value, CellValue) else str(value)


def as_text(result: Result) -> str:
    """The tables of a result as text."""
    return render_tables(result.tables(), "text")


def as_html(result: Result) -> str:
    """The tables of a result as HTML."""
    return "".join(map(render_html, result.tables()))


_HERE = __name__.rpartition(".")[0]

DEFAULT = ResultType(f"{__name__}:as_tables", f"{__name__}:as_text", f"{__name__}:as_html")
SCORES = ResultType(
    tables=f"{_HERE}.scores:tables_of_scores",
    text=f"{_HERE}.scores:describe_scores",
    html=f"{_HERE}.notebook:scores_html",
    repetition="corefkit.stats.repetitions:of_scores",
)
RUNS = ResultType(
    tables=f"{_HERE}.runs:runs_tables",
    text=f"{_HERE}.runs:render_runs",
    html=f"{_HERE}.notebook:runs_html",
    repetition="corefkit.stats.repetitions:of_runs",
)
COMPARISON = ResultType(
    tables=f"{_HERE}.significance:comparison_tables",
    text=f"{_HERE}.significance:render_comparison",
    html=f"{_HERE}.notebook:comparison_html",
    repetition="corefkit.stats.repetitions:of_comparison",
)
ERRORS = ResultType(
    tables=f"{_HERE}.errors:tables_of_errors",
    text=f"{_HERE}.errors:errors_text",
    html=f"{_HERE}.notebook:errors_html",
    repetition="corefkit.stats.repetitions:of_errors",
)
ERROR_PAGE = ResultType(html=f"{_HERE}.pages.report:render_error_page")
DOCUMENT_ERRORS = ResultType(
    text=f"{_HERE}.marked_text:document_text",
    html=f"{_HERE}.notebook:document_errors_html",
)
AGREEMENT = ResultType(
    tables=f"{_HERE}.agreement:agreement_tables", text=f"{_HERE}.agreement:render_agreement"
)
OUTCOMES = ResultType(text=f"{_HERE}.outcomes:text_of_outcomes")
EXPLANATION = ResultType(text=f"{_HERE}.explain:text_of_explanation")
ALIGNMENT = ResultType()
STATISTICS = ResultType(
    tables=f"{_HERE}.stats:tables_of_statistics", text=f"{_HERE}.stats:text_of_statistics"
)
