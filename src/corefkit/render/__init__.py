"""Results in every format: rounded percentages for people, all digits for programs.

`render` writes the report of `score`, the functions `plot_…` draw figures, and `render_paper` makes
the table of a paper. A Table is the output of a command as data; the module `table` passes it to
the renderers, which know nothing but Tables.
"""

from typing import TYPE_CHECKING

from corefkit._lazy import attach
from corefkit.render.table import FORMATS as TABLE_FORMATS

if TYPE_CHECKING:
    from corefkit.render.error_costs import plot_errors
    from corefkit.render.outcome_plots import plot_outcomes
    from corefkit.render.paper import render_paper
    from corefkit.render.plots import plot_comparison, plot_scores, plot_strata, plot_windows
    from corefkit.render.runs import plot_runs
    from corefkit.render.stats import plot_stats
    from corefkit.scoring.report import Report

__all__ = [
    "plot_comparison",
    "plot_errors",
    "plot_outcomes",
    "plot_runs",
    "plot_scores",
    "plot_stats",
    "plot_strata",
    "plot_windows",
    "render_paper",
]

__getattr__, __dir__ = attach(
    __name__,
    {
        "render.outcome_plots": ("plot_outcomes",),
        "render.plots": ("plot_comparison", "plot_scores", "plot_strata", "plot_windows"),
        "render.error_costs": ("plot_errors",),
        "render.paper": ("render_paper",),
        "render.runs": ("plot_runs",),
        "render.stats": ("plot_stats",),
    },
)

TEXTS = ("conll", "corefud")
"""The output formats of the reference scorer and of corefud-scorer."""

FORMATS = (*TABLE_FORMATS, *TEXTS, "model-index")
"""The formats of scores: those of tables, those of older scorers, and that of model cards."""


def render(report: "Report", form: str) -> str:
    """A divided report in one of FORMATS."""
    if form in TEXTS:
        from corefkit.render.scorer_texts import render_scorer_text

        return render_scorer_text(report, form)
    if form == "model-index":
        from corefkit.render.model_index import render_model_index

        return render_model_index(report)
    from corefkit.render.scores import render_report

    return render_report(report, form)
