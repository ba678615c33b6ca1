"""Reports in every format: people get rounded percentages, programs all digits."""

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefkit.scoring.run import Report

_MODULES = {
    "text": "text",
    "json": "json",
    "tsv": "delimited",
    "csv": "delimited",
    "markdown": "markdown",
    "latex": "latex",
    "conll": "conll",
}
"""Each format and the module that defines it, as a function `render_<format>(report, by, bold)`."""

FORMATS = tuple(_MODULES)


def render(report: "Report", form: str, by: str | None = None, *, bold: bool = False) -> str:
    """The report in one of FORMATS, with groups of documents if `by` names a grouping."""
    module = import_module(f"corefkit.render.{_MODULES[form]}")
    renderer: Callable[[Report, str | None, bool], str] = getattr(module, f"render_{form}")
    return renderer(report, by, bold)
