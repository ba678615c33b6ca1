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
    "bcub_0": "variants",
    "bcub_all": "variants",
    "bcub_rn": "variants",
    "ceafm_rn": "variants",
    "ceafe_rn": "variants",
    "bcub_sys": "variants",
    "ceafm_sys": "variants",
    "ceafe_sys": "variants",
}
"""Each metric and the module that defines it, as a constant with the metric's name in capitals."""

VARIANTS = {
    "immediate": ("paper", "code"),
    "inferred": ("paper", "clean", "v1.0", "v1.1", "v1.2"),
    "anchor": ("paper", "code"),
}
"""The scores for applications, in corefkit.mentions, and their variants, the default first."""

NAMES = (*_MODULES, *VARIANTS)
OLD_VARIANTS = tuple(name for name, module in _MODULES.items() if module == "variants")
"""Old variants of bcub and ceaf: never scored unless asked for."""
DEFAULT = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll")
"""What is scored when nothing is said."""


def get(name: str) -> "Metric":
    """The metric of that name.

    >>> get("muc").name
    'muc'
    """
    home = f"mentions.{name}" if name in VARIANTS else f"metrics.{_MODULES[name]}"
    module = import_module(f"corefkit.{home}")
    metric: Metric = getattr(module, name.upper())
    return metric
