"""The output of `corefkit score --window`: one row per width, and the length curve."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from corefkit import metrics
from corefkit.core.options import UsageError
from corefkit.render.parts import division_table
from corefkit.render.plots import (
    COLOURS,
    LINES,
    MARKS,
    legend_above,
    new_figure,
    plain,
    save_figure,
)
from corefkit.render.table import (
    Heading,
    Table,
)
from corefkit.scorers.windows import WHOLE
from corefkit.scoring.report import Report
from corefkit.scoring.scores import Scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def windows_table(report: Report, *, wide: bool = False) -> Table:
    """One row per width, one block per system."""
    windows = {
        system: [(part.label if part.at else WHOLE, part) for part in scores.windows]
        for system, scores in report.scores.items()
    }
    title = "Scores by window" if wide or len(report.options.metrics) == 1 else "F1 by window"
    return division_table("windows", title, Heading("window", "window"), windows, wide=wide)


def plot_windows(systems: Mapping[str, Scores], path: str) -> None:
    """Draw the length curve: F1 by width, with one line per system and one panel per metric."""
    shown = list(next(iter(systems.values())))
    figure, axes = new_figure(len(shown), width=3.4, height=2.6, across=2)
    for ax, metric in zip(axes, shown, strict=True):
        _draw_curve(ax, systems, metric)
    if len(systems) > 1:
        legend_above(figure, axes, min(4, len(systems)))
    save_figure(figure, path)


def _draw_curve(ax: "Axes", systems: Mapping[str, Scores], metric: str) -> None:
    rows = next(iter(systems.values())).windows
    widths = [int(row.label.rpartition(":")[2]) for row in rows[:-1] if row.label[-1:].isdigit()]
    units = {row.label.rpartition(":")[0] for row in rows[:-1]}
    if len(widths) < len(rows) - 1 or len(units) != 1:
        raise UsageError("plot: the length curve needs widths of one kind: tokens or sentences")
    end = 3 * widths[-1]
    places = [*map(float, widths), float(end)]
    for number, (name, scores) in enumerate(systems.items()):
        values = [100 * row.scores[metric].f1 for row in scores.windows]
        look: dict[str, Any] = {"color": COLOURS[number % len(COLOURS)], "ms": 4}
        mark, line = MARKS[number % len(MARKS)], LINES[number % len(LINES)]
        ax.plot(places, values, line, marker=mark, label=plain(name), **look)
    ax.set_xscale("log")
    ax.set_xticks(places, [*map("{:,}".format, widths), "whole"])
    ax.minorticks_off()
    ax.set_xlabel(f"width in {'sentences' if units != {''} else 'tokens'}")
    ax.set_ylabel("F1")
    ax.set_title(metrics.get(metric).title or metric, loc="left")
