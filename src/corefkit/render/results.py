"""The types of results of the core, and how any result is shown by its tables."""

from corefkit.core.entry_points import ResultType
from corefkit.core.results import Result
from corefkit.render.markup import render_html
from corefkit.render.table import render_tables


def as_text(result: Result) -> str:
    """The tables of a result as text."""
    return render_tables(result.tables(), "text")


def as_html(result: Result) -> str:
    """The tables of a result as HTML."""
    return "".join(map(render_html, result.tables()))


_HERE = __name__.rpartition(".")[0]

DEFAULT = ResultType(text=f"{__name__}:as_text", html=f"{__name__}:as_html")
SCORES = ResultType(
    tables=f"{_HERE}.scores:tables_of_scores",
    text=f"{_HERE}.scores:describe_scores",
    html=f"{_HERE}.notebook:scores_html",
    repetition=f"{_HERE}.repetitions:of_scores",
)
RUNS = ResultType(
    tables=f"{_HERE}.runs:runs_tables",
    text=f"{_HERE}.runs:render_runs",
    html=f"{_HERE}.notebook:runs_html",
    repetition=f"{_HERE}.repetitions:of_runs",
)
COMPARISON = ResultType(
    tables=f"{_HERE}.significance:comparison_tables",
    text=f"{_HERE}.significance:render_comparison",
    html=f"{_HERE}.notebook:comparison_html",
    repetition=f"{_HERE}.repetitions:of_comparison",
)
ERRORS = ResultType(
    tables=f"{_HERE}.errors:tables_of_errors",
    text=f"{_HERE}.errors:errors_text",
    html=f"{_HERE}.notebook:errors_html",
    repetition=f"{_HERE}.repetitions:of_errors",
)
DOCUMENT_ERRORS = ResultType(
    text=f"{_HERE}.marked_text:document_text",
    html=f"{_HERE}.notebook:document_errors_html",
)
AGREEMENT = ResultType(
    tables=f"{_HERE}.agreement:agreement_tables", text=f"{_HERE}.agreement:render_agreement"
)
STATISTICS = ResultType(
    tables=f"{_HERE}.stats:tables_of_statistics", text=f"{_HERE}.stats:text_of_statistics"
)
