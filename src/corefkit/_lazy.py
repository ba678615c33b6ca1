"""Packages whose names load when they are first used, so that importing them costs nothing."""

import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module


def attach(
    package: str, homes: Mapping[str, Sequence[str]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """`__getattr__` and `__dir__` for a package: `homes` maps modules to the names they have."""
    home_of = {name: home for home, names in homes.items() for name in names}

    def load(name: str) -> object:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"corefkit.{home_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return load, lambda: sorted(home_of)


def moved(module: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """`__getattr__` for an old module: `names` maps what it had to where it is now.

    The old name works and warns: `from corefkit.render.dots import plot_scores`.
    """

    def load(name: str) -> object:
        if name not in names:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        from warnings import warn

        home = f"corefkit.{names[name]}"
        text = f"{module}.{name} is deprecated: import {name} from {home}"
        warn(text, DeprecationWarning, stacklevel=2)
        value: object = getattr(import_module(home), name)
        return value

    return load


def show(module: str, function: str, value: object) -> object:
    """What a renderer makes of a value that shows itself, e.g. in a notebook.

    This is the one way up the house: values name their renderer, renderers import the values.
    """
    render: Callable[[object], object] = getattr(import_module(f"corefkit.{module}"), function)
    return render(value)
