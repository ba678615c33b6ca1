"""Figures: one style for all of them. matplotlib loads when a figure is drawn, and only then."""

import warnings
from collections.abc import Iterable
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
LINES = ("-", "--", ":", "-.")
HATCHES = ("", "///", "...", "xxx", "---", "++")
"""What a colour says, a mark, a dash or a hatch says again, for print in grey."""
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
"""The salt makes the same figure the same file; text as paths looks alike everywhere."""
_UNDATED: dict[str, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None},
}
"""What files do not say of when and by what they were made."""


def new_figure(
    panels: int = 1, width: float = 6.0, height: float = 3.0, across: int = 1, *, same: bool = False
) -> "tuple[Figure, list[Axes]]":
    """A figure with panels of that size, row by row; UsageError where matplotlib is not installed.

    There are so many panels `across`; with `same` they have the same scale up and down.
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
    """Lines up and down, for names down the side and figures across."""
    axes.grid(axis="y", visible=False)
    axes.grid(axis="x", visible=True)


def name_rows(axes: "Axes", places: Iterable[float], names: Iterable[str], rows: int) -> None:
    """Names down the side of so many rows, which run from the top to the bottom."""
    axes.set_yticks(list(places), [plain(name) for name in names])
    axes.set_ylim(rows - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    grid_across(axes)


def legend_above(figure: "Figure", axes: "Axes", columns: int) -> None:
    """What the colours of the axes mean, above the figure."""
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=columns, frameon=False)


def plain(text: str) -> str:
    """Text that is drawn as it stands: a dollar sign begins no formula."""
    return text.replace("$", r"\$")


def save_figure(figure: "Figure", path: str) -> None:
    """Write the figure, complete or not at all; the ending of the name says as what."""
    from corefkit.formats.writing import write_atomically

    check_name(path)
    ending = Path(path).suffix.lower()
    data = figure_file(figure, "svg" if ending == ".html" else ending.removeprefix("."))
    write_atomically(path, _page(data) if ending == ".html" else data)


def figure_file(figure: "Figure", form: str) -> bytes:
    """The figure as png, svg or pdf: the same bytes every time."""
    import matplotlib as mpl

    out = BytesIO()
    with mpl.rc_context(STYLE), warnings.catch_warnings():
        # A font may lack the letters of a name; tables have them.
        warnings.filterwarnings("ignore", message="Glyph")
        figure.savefig(out, format=form, dpi=150, metadata=_UNDATED[form])
    return out.getvalue()


def _page(svg: bytes) -> bytes:
    """A page with nothing but the drawing, which needs no other file."""
    from corefkit.render.html import POLICY

    head = f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n{POLICY}\n'
    head += "<title>corefkit</title>\n<body>\n"
    return head.encode() + svg[svg.index(b"<svg") :] + b"</body>\n</html>\n"


def check_name(path: str) -> None:
    """UsageError where the name of a figure ends in none of FORMATS."""
    if Path(path).suffix.lower() not in FORMATS:
        raise UsageError(f"{path}: figures end in {', '.join(FORMATS)}")
