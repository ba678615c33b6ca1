"""What errors cost: a figure and a table for papers.

The figure follows TIDE (Bolya et al. 2020): points lost by type of error, and beside it points lost
by detection and linking.
"""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from corefkit.analysis.errors import Errors
from corefkit.analysis.types import TYPES
from corefkit.core.options import UsageError
from corefkit.core.style import points
from corefkit.metrics import title_of
from corefkit.render.errors import losses_table, types_table
from corefkit.render.plots import (
    COLOURS,
    HATCHES,
    legend_above,
    name_rows,
    new_figure,
    save_figure,
)
from corefkit.render.table import Heading, Table
from corefkit.render.views import FigureRow, listing
from corefkit.scoring.errors import ErrorReport

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_COLUMNS = (
    Heading("span", "span", kind="score"),
    Heading("extra-entity", "ent.", "extra", "score"),
    Heading("extra-mention", "men.", "extra", "score"),
    Heading("conflated", "confl.", kind="score"),
    Heading("missing-entity", "ent.", "missing", "score"),
    Heading("missing-mention", "men.", "missing", "score"),
    Heading("divided", "div.", kind="score"),
    Heading("detection", "det.", "or by", "score"),
    Heading("linking", "link.", "or by", "score"),
)


def plot_errors(systems: Sequence[Errors], path: str) -> None:
    """Draw what each type of error costs, and what detection and linking cost.

    Each system has one bar per type, in points of the metric whose loss is shared out. The suffix
    of the path decides the format: png, svg, pdf or html. UsageError for more than six systems.
    """
    save_figure(draw_costs(systems), path)


def check_number(systems: int) -> None:
    """Raise UsageError for more systems than a figure of errors has room for."""
    if systems > len(COLOURS):
        raise UsageError(f"plot: {systems} systems are too many for a figure of errors")


def draw_costs(systems: Sequence[Errors]) -> "Figure":
    """The figure: types of errors, the costliest first, and detection and linking."""
    check_number(len(systems))
    metric = systems[0].metric
    shares = {errors.name: errors.shares() for errors in systems}
    losses = {errors.name: errors.corners[metric]._asdict() for errors in systems}
    total = {name: sum(share[name] for share in shares.values()) for name in TYPES}
    order = sorted(TYPES, key=lambda name: -total[name])
    height = 1.1 + len(TYPES) * (0.12 + 0.16 * len(systems))
    figure, axes = new_figure(2, width=3.6, height=height, across=2)
    grid = axes[0].get_gridspec()
    assert grid is not None
    grid.set_width_ratios([3, 2])
    _draw_costs(axes[0], order, shares)
    _draw_costs(axes[1], ("detection", "linking"), losses)
    for ax, title in zip(axes, ("by type of error", "by detection and linking"), strict=True):
        ax.set_title(title, loc="left")
        ax.set_xlabel(f"points of {title_of(metric)} lost")
    if len(systems) > 1:
        legend_above(figure, axes, min(len(systems), 4))
    return figure


def _draw_costs(
    ax: "Axes", rows: Sequence[str], systems: Mapping[str, Mapping[str, float]]
) -> None:
    """Draw one bar per row and system, with its points at the end."""
    step = (0.8 if len(rows) > 2 else 0.4) / len(systems)  # two rows would get very thick bars
    most = max((100 * max(costs[row], 0) for costs in systems.values() for row in rows), default=0)
    for number, (name, costs) in enumerate(systems.items()):
        heights = [at + step * (number - (len(systems) - 1) / 2) for at in range(len(rows))]
        widths = [100 * costs[row] for row in rows]
        look: dict[str, Any] = {"color": COLOURS[number], "hatch": HATCHES[number]}
        ax.barh(heights, widths, step * 0.9, linewidth=0.3, edgecolor="white", label=name, **look)
        for height, width in zip(heights, widths, strict=True):
            ax.text(max(width, 0) + most / 60, height, points(width / 100), va="center", fontsize=7)
    name_rows(ax, range(len(rows)), rows, len(rows))
    ax.set_xlim(right=1.2 * most or 1)


def paper_tables(report: ErrorReport) -> list[Table]:
    """For a paper: of one system its types and its losses, for several one row per system."""
    if len(report.systems) > 1:
        return [costs_table(report)]
    (errors,) = report.systems
    return [types_table(errors, shares=True), losses_table(report.losses)]


def costs_table(report: ErrorReport) -> Table:
    """One row per system: F1, the points lost by each type, those by detection and linking.

    The costliest type of each system is marked as best, which is shown in bold.
    """
    metric = report.options.metrics[0]
    rows = [
        {"system": errors.name, "f1": errors.f1(), **errors.shares()}
        | report.losses[errors.name][metric].lost._asdict()
        for errors in report.systems
    ]
    note = f"F1 of {title_of(metric)}, and the points lost by type of error; "
    note += "or by detection and linking."
    return listing(
        "costs",
        "",
        rows,
        Heading("system", "system"),
        Heading("f1", title_of(metric), kind="score"),
        *_COLUMNS,
        marks={name: partial(_is_costliest, name) for name in TYPES},
        note=note,
    )


def _is_costliest(name: str, row: FigureRow) -> bool:
    return name == max(TYPES, key=lambda other: row[other])
