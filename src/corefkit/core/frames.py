"""Data frames of pandas or polars."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from corefkit.core.options import UsageError

PACKAGES = ("pandas", "polars")
"""The packages that are tried, in this order, if none is named."""


def data_frame(columns: Mapping[str, Sequence[Any]], package: Any = None) -> Any:
    """A data frame with these columns; integers stay integers even if some are missing.

    `package` is pandas or polars, as a module or by name; by default the first that is installed.
    """
    if package is None or isinstance(package, str):
        package = _load(PACKAGES if package is None else (package,))
    if not hasattr(package, "DataFrame"):
        raise TypeError(f"package must be pandas or polars, not {package!r:.60}")
    frame = package.DataFrame(dict(columns))
    if hasattr(frame, "astype"):  # pandas turns a column of integers and None into floats
        gaps = {name: "Int64" for name, values in columns.items() if _has_gaps(values)}
        frame = frame.astype(gaps)
    return frame


def _has_gaps(values: Sequence[Any]) -> bool:
    """Whether some values are integers and all others are None."""
    return {*map(type, values)} == {int, type(None)}


def columns_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Columns from dicts, None where one lacks a key; integers beside floats become floats.

    >>> columns_of([{"metric": "muc", "f1": 0.5}, {"metric": "lea", "f1": 0.25}])
    {'metric': ['muc', 'lea'], 'f1': [0.5, 0.25]}
    """
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: _same_type([row.get(name) for row in rows]) for name in names}


def _same_type(values: list[Any]) -> list[Any]:
    """The values with integers as floats if there is a float: polars refuses mixed columns."""
    if any(isinstance(value, float) for value in values):
        return [float(value) if isinstance(value, int) else value for value in values]
    return values


def _load(names: Sequence[str]) -> Any:
    for name in names:
        try:
            return import_module(name)
        except ImportError:
            continue
    raise UsageError(f"data frames need {' or '.join(names)}: pip install {names[0]}")
