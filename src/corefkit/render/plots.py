"""Figures: one style for all of them. matplotlib loads when a figure is drawn, and only then."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corefkit.data.options import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg", ".html")
_STYLE: dict[Any, Any] = {
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 9,
    "svg.hashsalt": "corefkit",
}
"""The salt makes the same figure the same file."""


def new_figure(
    panels: int = 1, width: float = 6.0, height: float = 3.0
) -> "tuple[Figure, list[Axes]]":
    """A figure with panels one below the other; UsageError where matplotlib is not installed."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise UsageError("figures need matplotlib: pip install 'corefkit[plots]'") from None
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(width, height * panels), layout="constrained")
        axes = figure.subplots(panels, 1, squeeze=False)
    return figure, [row[0] for row in axes]


def save_figure(figure: "Figure", path: str) -> None:
    """Write the figure as PNG, SVG or HTML, by the ending of the name; complete or not at all."""
    import matplotlib as mpl

    from corefkit.formats.files import write_atomically

    check_name(path)
    ending = Path(path).suffix.lower()
    form = "svg" if ending == ".html" else ending.removeprefix(".")
    out = BytesIO()
    metadata = {"Date": None} if form == "svg" else {}
    with mpl.rc_context(_STYLE):
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
