"""The metrics, one a file. This module knows their names and loads them when they are used."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from corefkit.metrics.base import Metric

_MODULES = {
    "mentions": "mentions",
    "muc": "muc",
    "bcub": "bcub",
    "ceafm": "ceaf",
    "ceafe": "ceaf",
    "blanc": "blanc",
    "lea": "lea",
    "conll": "conll",
}
"""Each metric and the module that defines it, as a constant with the metric's name in capitals."""

NAMES = tuple(_MODULES)
DEFAULT = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll")
"""What is scored when nothing is said."""


def get(name: str) -> "Metric":
    """The metric of that name.

    >>> get("muc").name
    'muc'
    """
    module = import_module(f"corefkit.metrics.{_MODULES[name]}")
    metric: Metric = getattr(module, name.upper())
    return metric
