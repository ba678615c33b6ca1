"""Deprecated: this name is in `corefkit.render`."""

from corefkit._lazy import moved

__getattr__ = moved(__name__, {"plot_outcomes": "render"})
