"""Figures of scores, differences and outcomes, and the style and tools of all figures.

Scores and differences are dots with intervals, outcomes are bars by class. matplotlib is loaded
only when a figure is drawn.
"""

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corefkit import metrics
from corefkit.core.carriers import frozen
from corefkit.core.options import UsageError
from corefkit.core.style import points
from corefkit.metrics import title_of
from corefkit.render.views import NOTHING, FigureRow
from corefkit.scoring.parts import WINDOW, Part, rows_of, under
from corefkit.stats.compare import Significance, significant

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FIGURE_ENDINGS = (".png", ".svg", ".pdf", ".html")
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
"""The colours of Okabe and Ito, which colour-blind people can tell apart."""
MARKS = ("o", "s", "^", "D", "v", "P")
LINES = ("-", "--", ":", "-.")
HATCHES = ("", "///", "...", "xxx", "---", "++")
"""Marks, dashes and hatches repeat the distinctions made by colours, for print in grey."""
STYLE: dict[Any, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
    "font.size": 9,
    "hatch.linewidth": 0.6,
    "svg.hashsalt": "corefkit",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}
"""The salt makes files reproducible; text as paths looks the same everywhere."""
_UNDATED: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None},
}
"""The metadata that is left out: when and by what a file was made."""


_SIDE_BY_SIDE = len(COLOURS)
"""How many systems share a line, in different colours and marks; more have a line each."""
_MOST = 60
"""How many groups are drawn at most."""


@frozen
class Dot:
    """A value and its interval, from 0 to 1; if not `full`, it is drawn as a ring."""

    value: float
    ends: tuple[float, float] | None = None
    full: bool = True


SAMPLED = "samples of documents"
"""What most intervals are over."""

DotLines = Mapping[str, Mapping[str, Dot | None]]
"""The dots of each line, by system; None where there is nothing to divide by."""


PartsBySystem = Mapping[str, Sequence[Part[Any]]]
"""The parts of each system."""


def plot_scores(systems: PartsBySystem, path: str) -> None:
    """Draw F1 of all metrics, or of one metric if the parts have groups.

    The parts may have intervals, as those of `corefkit.stats.reports.drawn_parts`.
    """
    parts = [part for listed in systems.values() for part in listed]
    by = next((part.by for part in parts if part.by), "")
    if len({part.label for part in parts}) > _MOST + 1:
        raise UsageError(f"plot: {by} has more than {_MOST} groups, too many for a figure")
    shown = list(parts[0])
    ranks = (*metrics.averages(shown), *shown)[0]
    rows = _rows(systems)
    ranked, unit = [row for row in rows if row["metric"] == ranks], f"F1 of {title_of(ranks)}"
    if by:
        lines = dots(ranked, line=lambda row: row["part"])
    elif len(systems) <= _SIDE_BY_SIDE:
        lines, unit = dots(rows, line=lambda row: title_of(row["metric"])), "F1"
    else:
        lines = dots(ranked, line=lambda row: row["system"], name=lambda row: "")
    save_figure(draw_lines(lines, f"{unit} in percent", over=SAMPLED), path)


def _rows(systems: PartsBySystem) -> list[FigureRow]:
    """The rows of metrics in the parts of systems."""
    rows = (row for name, parts in systems.items() for row in rows_of(parts, system=name))
    return [row for row in rows if "detail" not in row]


def plot_strata(systems: PartsBySystem, path: str) -> None:
    """Draw F1 by stratum: one panel per metric, one row per stratum, one dot per system.

    A row says how many key mentions, or links, its stratum has.
    """
    first = next(iter(systems.values()))
    sizes = {(part.by, part.label): part.key.links or part.key.mentions or 0 for part in first}

    def stratum(row: FigureRow) -> str:
        unit = "links" if row["by"].startswith("link:") else "mentions"
        number = sizes.get((row["by"], row["label"]), 0)
        return f"{stratum_name(row['by'], row['label'])}: {number:,} {unit}"

    panels = dots(_rows(systems), line=stratum, panel=lambda row: title_of(row["metric"]))
    save_figure(draw_lines(panels, "F1 in percent", over=SAMPLED), path)


def dots(
    rows: Iterable[FigureRow],
    *,
    line: Callable[[FigureRow], str],
    panel: Callable[[FigureRow], str] = lambda row: "",
    name: Callable[[FigureRow], str] = lambda row: row["system"],
    level: float | None = None,
) -> dict[str, dict[str, dict[str, "Dot | None"]]]:
    """The dots of rows by panel, line and name: F1, or differences, full if significant at a level.

    Nothing where there is nothing to divide by.
    """
    panels: dict[str, dict[str, dict[str, Dot | None]]] = {}
    for row in rows:
        value = row.get("f1" if level is None else "difference")
        ends = None if row.get("low") is None else (row["low"], row["high"])
        full = level is None or significant(row.get("p_holm"), level)
        dot = None if value is None else Dot(value, ends, full)
        panels.setdefault(panel(row), {}).setdefault(line(row), {})[name(row)] = dot
    return panels


def plot_comparison(comparison: Significance, path: str) -> None:
    """Draw the differences of all pairs of systems with their intervals, and those by stratum."""
    save_figure(draw_forest(comparison), path)


def draw_forest(comparison: Significance) -> "Figure":
    """A forest plot: one row per pair, with a dot per metric for the difference.

    A filled dot is significant after Holm's correction, a ring is not. With strata there is a panel
    per metric, a row per stratum, and a dot per pair.
    """
    several = len(comparison.groups) > 1
    rows = [
        row
        for pair in comparison.pairs
        for row in rows_of(
            under(comparison.parts_of_pair(pair.a, pair.b)), pair=f"{pair.a} − {pair.b}"
        )
    ]
    title = "" if several else f" of {title_of(next(iter(comparison.groups)))}"
    how: dict[str, Any] = {
        "line": lambda row: row["pair"],
        "name": lambda row: title_of(row["metric"]) if several else "",
    }
    if any(row["by"] for row in rows):
        how = {
            "panel": lambda row: title_of(row["metric"]),
            "line": lambda row: stratum_name(row["by"], row["label"]),
            "name": lambda row: row["pair"],
        }
        title += f", {rows[0]['pair']}," if len(comparison.pairs) == 1 else ""
    panels = dots(rows, level=comparison.level, **how)
    unit = f"difference of F1{title} in points"
    look: dict[str, Any] = {"signed": True, "over": SAMPLED, "level": comparison.level}
    tells = "\na filled dot is significant, a ring not"
    figure = draw_lines(panels, unit, tells=tells, **look)
    for ax in figure.axes:
        ax.axvline(0, color="#444444", lw=1, zorder=1)
    return figure


def stratum_name(by: str, label: str) -> str:
    """The name of a stratum in figures.

    >>> stratum_name("entity:size", "3-4"), stratum_name("", "all")
    ('size 3-4', 'all')
    """
    return f"{by.removeprefix('entity:')} {label}".strip()


def plot_windows(systems: PartsBySystem, path: str) -> None:
    """Draw the length curve: F1 by width, with one line per system and one panel per metric."""
    cut = {name: [part for part in parts if part.by == WINDOW] for name, parts in systems.items()}
    whole = {name: next(p for p in parts if not p.at) for name, parts in systems.items()}
    shown = list(next(iter(whole.values())))
    figure, axes = new_figure(len(shown), width=3.4, height=2.6, across=2)
    for ax, metric in zip(axes, shown, strict=True):
        curves = {n: [100 * p[metric].f1 for p in (*cut[n], whole[n])] for n in systems}
        _draw_curve(ax, title_of(metric), [p.label for p in next(iter(cut.values()))], curves)
    if len(systems) > 1:
        legend_above(figure, axes, min(4, len(systems)))
    save_figure(figure, path)


def _draw_curve(
    ax: "Axes", title: str, windows: Sequence[str], curves: Mapping[str, Sequence[float]]
) -> None:
    """Draw the curve of each system, whose last point is the whole."""
    widths = [int(window.rpartition(":")[2]) for window in windows if window[-1:].isdigit()]
    units = {window.rpartition(":")[0] for window in windows}
    if len(widths) < len(windows) or len(units) != 1:
        raise UsageError("plot: the length curve needs widths of one kind: tokens or sentences")
    end = 3 * widths[-1]
    ticks = [*map(float, widths), float(end)]
    for number, (name, values) in enumerate(curves.items()):
        look: dict[str, Any] = {"color": COLOURS[number % len(COLOURS)], "ms": 4}
        mark, line = MARKS[number % len(MARKS)], LINES[number % len(LINES)]
        ax.plot(ticks, values, line, marker=mark, label=plain(name), **look)
    ax.set_xscale("log")
    ax.set_xticks(ticks, [*map("{:,}".format, widths), "whole"])
    ax.minorticks_off()
    ax.set_xlabel(f"width in {'sentences' if units != {''} else 'tokens'}")
    ax.set_ylabel("F1")
    ax.set_title(title, loc="left")


def draw_lines(  # noqa: PLR0913 (what the axis says)
    panels: Mapping[str, DotLines],
    unit: str = "F1",
    *,
    signed: bool = False,
    over: str = "",
    level: float = 0.95,
    tells: str = "",
) -> "Figure":
    """A figure with a panel per title, a line per name and the dots of all systems.

    `signed` is for differences. The axis says the unit, what intervals, if any are drawn, are made
    `over`, and what else it `tells`.
    """
    dots = [
        dot for lines in panels.values() for of_line in lines.values() for dot in of_line.items()
    ]
    names = list(dict.fromkeys(name for name, _ in dots))
    several, rows = len(names) > 1, max(map(len, panels.values()))
    if over and any(dot and dot.ends for _, dot in dots):
        unit += f", with {100 * level:g} % intervals over {over}"
    if any(dot is None for _, dot in dots):
        tells += f"\n{NOTHING}: nothing to divide by"
    height = 0.7 + (0.14 + 0.14 * len(names)) * rows + 0.25 * several + 0.2 * tells.count("\n")
    figure, axes = new_figure(len(panels), height=height)
    for ax, (title, lines) in zip(axes, panels.items(), strict=True):
        _draw_dots(ax, lines, names, signed=signed)
        ax.set_title(title, loc="left")
    axes[-1].set_xlabel(unit + tells)
    if several:
        legend_above(figure, axes, min(4, len(names)))
    return figure


def _draw_dots(ax: "Axes", lines: DotLines, names: list[str], *, signed: bool) -> None:
    unnamed = {*names} - {""}
    for row, dots in enumerate(lines.values()):
        for number, name in enumerate(names):
            if name not in dots:
                continue
            dot, colour = dots[name], COLOURS[number % len(COLOURS)]
            y = row + 0.7 * ((number + 0.5) / len(names) - 0.5)
            if dot is None:
                ax.annotate(NOTHING, (0.005, y), xycoords=("axes fraction", "data"), va="center")
                continue
            if dot.ends:
                ends = [100 * end for end in dot.ends]
                ax.plot(ends, [y, y], "-", color=colour, lw=1.6, zorder=2)
            look: dict[str, Any] = {"color": colour, "mfc": colour if dot.full else "white"}
            if name in unnamed:
                look["label"] = plain(name)
                unnamed.remove(name)
            mark = MARKS[number % len(MARKS)]
            ax.plot([100 * dot.value], [y], mark, ms=4, zorder=3, **look)
            if len(names) <= 3:
                text = points(dot.value, signed=signed)
                coordinates = ("axes fraction", "data")
                ax.annotate(text, (1.01, y), xycoords=coordinates, va="center", fontsize=7)
    name_rows(ax, range(len(lines)), lines, len(lines))


def new_figure(
    panels: int = 1, width: float = 6.0, height: float = 3.0, across: int = 1, *, same: bool = False
) -> "tuple[Figure, list[Axes]]":
    """A figure with panels of that size in inches, and the panels, row by row.

    `across` is the number of panels in a row; with `same` all share the y axis. UsageError if
    matplotlib is not installed.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError("figures need matplotlib: pip install 'corefkit[plots]'") from None
    across = min(across, panels)
    rows = -(-panels // across)
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width * across, height * rows), layout="constrained")
        axes = figure.subplots(rows, across, sharey=same, squeeze=False).ravel().tolist()
    for spare in axes[panels:]:
        spare.set_visible(False)
    return figure, axes[:panels]


def grid_across(axes: "Axes") -> None:
    """Draw vertical grid lines, for charts with names on the y axis."""
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", visible=True)


def name_rows(axes: "Axes", heights: Iterable[float], names: Iterable[str], rows: int) -> None:
    """Name the rows of a chart on the y axis; the first row is at the top."""
    axes.set_yticks(list(heights), [plain(name) for name in names])
    axes.set_ylim(rows - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    grid_across(axes)


def legend_above(figure: "Figure", axes: "Sequence[Axes]", columns: int) -> None:
    """Add the legend of the axes above the figure, to be read row by row."""
    named: dict[str, Any] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            named.setdefault(label, handle)
    listed = list(named.items())
    by_column = [entry for first in range(columns) for entry in listed[first::columns]]
    labels, handles = zip(*by_column, strict=True)
    figure.legend(handles, labels, loc="outside upper center", ncols=columns, frameon=False)


def plain(text: str) -> str:
    """Escape a text, so that it is drawn literally: a dollar sign would begin a formula."""
    return text.replace("$", r"\$")


def save_figure(figure: "Figure", path: str) -> None:
    """Write the figure, completely or not at all, in the format of the suffix of the path."""
    from corefkit.formats.kit.writing import write_atomically

    check_name(path)
    suffix = Path(path).suffix.lower()
    data = figure_file(figure, "svg" if suffix == ".html" else suffix.removeprefix("."))
    write_atomically(path, _page(data) if suffix == ".html" else data)


def figure_file(figure: "Figure", form: str) -> bytes:
    """The figure as png, svg or pdf; the same figure always gives the same bytes."""
    import matplotlib as mpl

    out = BytesIO()
    with mpl.rc_context(STYLE), warnings.catch_warnings():
        # The font may lack letters of a name; tables show them.
        warnings.filterwarnings("ignore", message="Glyph")
        figure.savefig(out, format=form, dpi=150, metadata=_UNDATED[form])
    return out.getvalue()


def _page(svg: bytes) -> bytes:
    """A self-contained page with nothing but the drawing."""
    from corefkit.render.markup import POLICY

    head = f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n{POLICY}\n'
    head += "<title>corefkit</title>\n<body>\n"
    return head.encode() + svg[svg.index(b"<svg") :] + b"</body>\n</html>\n"


def check_name(path: str) -> None:
    """Raise UsageError if the name of a figure does not end in one of FIGURE_ENDINGS."""
    if Path(path).suffix.lower() not in FIGURE_ENDINGS:
        raise UsageError(f"{path}: figures end in {', '.join(FIGURE_ENDINGS)}")
