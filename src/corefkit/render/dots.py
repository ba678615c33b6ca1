"""Deprecated: these names are in `corefkit.render`."""

from corefkit._lazy import moved

__getattr__ = moved(__name__, {"plot_comparison": "render", "plot_scores": "render"})
