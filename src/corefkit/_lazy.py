"""Packages whose names load when they are first used, so that importing them costs nothing."""

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def attach(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` for a package: `homes` maps each public name to its module."""

    def load(name: str) -> object:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"corefkit.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: sorted(homes)


def show(module: str, function: str, value: object) -> object:
    """What a renderer makes of a value that shows itself, e.g. in a notebook.

    This is the one way up the house: values name their renderer, renderers import the values.
    """
    render: Callable[[object], object] = getattr(import_module(f"corefkit.{module}"), function)
    return render(value)
