"""Figures: one style for all of them. matplotlib loads when a figure is drawn, and only then."""

import warnings
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corefkit.data.options import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".pdf", ".html")
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
"""Those of Okabe and Ito, which the colour-blind can tell apart."""
MARKS = ("o", "s", "^", "D", "v", "P")
HATCHES = ("", "///", "...", "xxx", "---", "++")
"""What a colour says, a mark or a hatch says again, for print in grey."""
STYLE: dict[Any, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "grid.color": "#dddddd",
    "axes.axisbelow": True,
    "axes.titlelocation": "left",
    "font.size": 9,
    "hatch.linewidth": 0.6,
    "svg.hashsalt": "corefkit",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
}
"""The salt makes the same figure the same file; text as paths looks alike everywhere."""

Rows = Mapping[str, tuple[float, tuple[float, float] | None]]
"""What a line of dots shows, by name: a figure, and its interval if there is one."""


def new_figure(
    panels: int = 1, width: float = 6.0, height: float = 3.0
) -> "tuple[Figure, list[Axes]]":
    """A figure with panels one below the other; UsageError where matplotlib is not installed."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError("figures need matplotlib: pip install 'corefkit[plots]'") from None
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(width, height * panels), layout="constrained")
        axes = figure.subplots(panels, 1, squeeze=False)
    return figure, [row[0] for row in axes]


def plain(text: str) -> str:
    """Text that is drawn as it stands: a dollar sign begins no formula."""
    return text.replace("$", r"\$")


def draw_intervals(panels: Mapping[str, Rows], *, unit: str = "F1", zero: bool = False) -> "Figure":
    """Dots with their intervals, a line for each name, a panel below the other for each title.

    Figures are shares and drawn in points. With `zero` there is a line at 0, and what is
    significantly apart from it has a full dot.
    """
    most = max(len(rows) for rows in panels.values())
    figure, axes = new_figure(len(panels), height=0.75 + 0.26 * most)
    for ax, (title, rows) in zip(axes, panels.items(), strict=True):
        for number, (value, ends) in enumerate(rows.values()):
            colour = COLOURS[0] if zero else COLOURS[number % len(COLOURS)]
            mark = "o" if zero else MARKS[number % len(MARKS)]
            apart = ends is not None and not ends[0] <= 0 <= ends[1]
            fill = colour if apart or not zero else "white"
            if ends:
                ax.plot([100 * e for e in ends], [number] * 2, "-", color=colour, lw=1.6, zorder=2)
            ax.plot([100 * value], [number], mark, color=colour, mfc=fill, ms=6, zorder=3)
            label = f"{100 * value:+.2f}" if zero else f"{100 * value:.2f}"
            ax.annotate(
                label, (1.01, number), xycoords=("axes fraction", "data"), va="center", fontsize=8
            )
        ax.set_yticks(range(len(rows)), [plain(name) for name in rows])
        ax.set_ylim(len(rows) - 0.5, -0.5)
        ax.grid(axis="y", visible=False)
        ax.grid(axis="x", visible=True)
        ax.set_title(plain(title))
        if zero:
            ax.axvline(0, color="#444444", lw=1, zorder=1)
    axes[-1].set_xlabel(unit)
    return figure


def save_figure(figure: "Figure", path: str) -> None:
    """Write the figure, complete or not at all; the ending of the name says as what."""
    import matplotlib as mpl

    from corefkit.formats.files import write_atomically

    check_name(path)
    ending = Path(path).suffix.lower()
    form = "svg" if ending == ".html" else ending.removeprefix(".")
    out = BytesIO()
    metadata = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form, {})
    with mpl.rc_context(STYLE), warnings.catch_warnings():
        # A font may lack the letters of a name; tables have them.
        warnings.filterwarnings("ignore", message="Glyph")
        figure.savefig(out, format=form, dpi=150, metadata=metadata)
    data = out.getvalue()
    write_atomically(path, _page(data) if ending == ".html" else data)


def _page(svg: bytes) -> bytes:
    """A page with nothing but the drawing, which needs no other file."""
    drawing = svg[svg.index(b"<svg") :]
    from corefkit.render.html import POLICY

    start = f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n{POLICY}\n'
    head = f"{start}<title>corefkit</title>\n".encode()
    return head + b"<body>\n" + drawing + b"</body>\n</html>\n"


def check_name(path: str) -> None:
    """UsageError where the name of a figure ends in none of FORMATS."""
    if Path(path).suffix.lower() not in FORMATS:
        raise UsageError(f"{path}: figures end in {', '.join(FORMATS)}")
