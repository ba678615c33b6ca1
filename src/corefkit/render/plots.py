"""Figures: one style for all of them. matplotlib loads when a figure is drawn, and only then."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corefkit.options import UsageError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".svg")
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
        import matplotlib as mpl  # noqa: PLC0415
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError:
        raise UsageError("figures need matplotlib: pip install 'corefkit[plots]'") from None
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(width, height * panels), layout="constrained")
        axes = figure.subplots(panels, 1, squeeze=False)
    return figure, [row[0] for row in axes]


def save_figure(figure: "Figure", path: str) -> None:
    """Write the figure as PNG or SVG, by the ending of the name; complete or not at all."""
    import matplotlib as mpl  # noqa: PLC0415

    from corefkit.formats.files import write_atomically  # noqa: PLC0415

    check_name(path)
    form = Path(path).suffix.lower().removeprefix(".")
    out = BytesIO()
    metadata = {"Date": None} if form == "svg" else {}
    with mpl.rc_context(_STYLE):
        figure.savefig(out, format=form, dpi=150, metadata=metadata)
    write_atomically(path, out.getvalue())


def check_name(path: str) -> None:
    """UsageError where the name of a figure ends in neither .png nor .svg."""
    if Path(path).suffix.lower() not in FORMATS:
        raise UsageError(f"{path}: figures end in {' or '.join(FORMATS)}")
