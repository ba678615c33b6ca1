"""Results that show themselves in notebooks: as small HTML tables."""

from collections.abc import Iterable

from corefkit.data.table import Table
from corefkit.ontonotes.stats import Statistics
from corefkit.render.agreement import agreement_tables
from corefkit.render.comparison import comparison_tables
from corefkit.render.html import escape, render_html
from corefkit.render.report import scores_table
from corefkit.render.stats import stats_tables
from corefkit.scoring.scores import Scores
from corefkit.stats.agreement import Agreement
from corefkit.stats.significance import Comparison


def scores_html(scores: Scores) -> str:
    """A row for each metric, the signature below."""
    return _html([scores_table(scores)], small=scores.signature)


def comparison_html(comparison: Comparison) -> str:
    """Intervals, pairs and groups; what people must know before they believe them."""
    return _html(comparison_tables(comparison), comparison.notes, comparison.signature)


def agreement_html(agreement: Agreement) -> str:
    """The tables of `corefkit agree`."""
    return _html(agreement_tables(agreement))


def statistics_html(statistics: Statistics) -> str:
    """The tables of `corefkit stats`."""
    return _html(stats_tables([statistics]))


def _html(tables: Iterable[Table], notes: Iterable[str] = (), small: str = "") -> str:
    parts = [render_html(table) for table in tables]
    parts += [f"<p>{escape(note)}</p>\n" for note in notes]
    return "".join(parts) + (f"<small>{escape(small)}</small>" if small else "")
