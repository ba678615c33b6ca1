"""The output of `corefkit score --window`: one row per width, and the length curve."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corefkit import metrics
from corefkit.core.names import shown_groups
from corefkit.core.options import UsageError
from corefkit.metrics import BREAKDOWNS
from corefkit.render.levels import SIDE_SIZES
from corefkit.render.plots import (
    COLOURS,
    LINES,
    MARKS,
    legend_above,
    new_figure,
    plain,
    save_figure,
)
from corefkit.render.scores import SHORT
from corefkit.render.strata import strata_rows
from corefkit.render.table import (
    CellValue,
    Heading,
    Table,
    make_block,
    make_table,
    plain_headings,
)
from corefkit.scoring.report import Report
from corefkit.scoring.scores import ROW, Scores
from corefkit.scoring.window_scores import WindowScores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZES = (Heading("windows", "windows", kind="number"), *SIDE_SIZES)
"""The columns with the number of windows, and of entities and mentions in them."""


def sizes_of(row: WindowScores) -> tuple[CellValue, ...]:
    """The values of SIZES."""
    return row.windows, *row.key, *row.response


def windows_table(report: Report, *, wide: bool = False) -> Table:
    """One row per width, one block per system.

    A single metric has recall, precision and F1, several have F1 only, unless `wide`.
    """
    first = next(iter(report.scores.values()), None)
    named = dict(first or {})
    figures = [
        (name, value)
        for name, score in named.items()
        for value in (SHORT if wide or len(named) == 1 else ("f1",))
        if getattr(score, value) is not None
    ]
    headings = [Heading("window", "window"), *SIZES]
    for name, value in figures:
        title = SHORT[value] if wide or len(named) == 1 else name
        group = (metrics.get(name).title or name) if wide else ""
        headings.append(Heading(f"{name}.{value}", title, group, "score"))
    several = len(report.scores) > 1
    blocks = [
        make_block(
            [
                (row.window, *sizes_of(row), *(getattr(row.scores[n], v) for n, v in figures))
                for row in scores.windows
            ],
            system if several else "",
        )
        for system, scores in report.scores.items()
    ]
    title = "Scores by window" if wide or len(named) == 1 else "F1 by window"
    return make_table("windows", title, headings, blocks)


def flat_windows(report: Report, by: str | None) -> Table:
    """For programs: one row per system, width and metric, with the counts.

    The group is `window:500`, or `window:500:nw` for a group of documents, or
    `window:500:entity:size:2` for a stratum.
    """
    headings = plain_headings("system", "group", "metric")
    headings += [*SIZES, *plain_headings(*ROW[1:], kind="number")]
    lines: list[list[CellValue]] = []
    for system, scores in report.scores.items():
        for row in scores.windows:
            group = f"window:{row.window}"
            parts: list[tuple[str, Sequence[CellValue], Scores]]
            parts = [(group, sizes_of(row), row.scores)]
            groups = shown_groups(row.scores.by(by), by) if by and by not in BREAKDOWNS else {}
            parts += [(f"{group}:{g}", [None] * len(SIZES), part) for g, part in groups.items()]
            parts += [
                (f"{group}:{label}", (None, *stratum.key, *stratum.response), stratum)
                for label, stratum in strata_rows(row.scores, report.options.by)
            ]
            for name, sizes, part in parts:
                for values in part.rows():
                    metric, *figures = values.values()
                    lines.append([system, name, metric, *sizes, *figures])
    return make_table("scores", "", headings, [lines])


def plot_windows(systems: Mapping[str, Scores], path: str) -> None:
    """Draw the length curve: F1 by width, with one line per system and one panel per metric."""
    shown = list(next(iter(systems.values())))
    figure, axes = new_figure(len(shown), width=3.4, height=2.6, across=2)
    for ax, metric in zip(axes, shown, strict=True):
        _draw_curve(ax, systems, metric)
    if len(systems) > 1:
        legend_above(figure, axes[0], min(4, len(systems)))
    save_figure(figure, path)


def _draw_curve(ax: "Axes", systems: Mapping[str, Scores], metric: str) -> None:
    rows = next(iter(systems.values())).windows
    widths = [int(row.window.rpartition(":")[2]) for row in rows[:-1] if row.window[-1:].isdigit()]
    units = {row.window.rpartition(":")[0] for row in rows[:-1]}
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
