"""Scores as a small HTML table, for notebooks."""

from corefkit.render.html import escape, render_html
from corefkit.render.report import scores_table
from corefkit.scoring.scores import Scores


def scores_html(scores: Scores) -> str:
    """A row for each metric, the signature below."""
    return f"{render_html(scores_table(scores))}<small>{escape(scores.signature)}</small>"
