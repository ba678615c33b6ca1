"""Data frames of whichever library is there."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from corefkit.core.options import UsageError

PACKAGES = ("pandas", "polars")
"""Tried in this order where none is named."""


MENTION_COLUMNS = ("document", "mention", "start", "end", "entity")
"""The columns of a table with one row per mention, under the names that they usually have."""


def find_columns(
    present: Sequence[str], renamed: Mapping[str, str], source: str
) -> dict[str, str | None]:
    """Those of MENTION_COLUMNS that a table has, some renamed; None for those that it lacks.

    A name with slashes, person/cluster_id, stands for the first of these that there is. UsageError
    where a name is unknown or a column missing.

    >>> find_columns(["id", "person"], {"mention": "id", "entity": "cluster/person"}, "x")["entity"]
    'person'
    """
    for name, column in renamed.items():
        if name not in MENTION_COLUMNS:
            known = ", ".join(MENTION_COLUMNS)
            raise UsageError(f"columns: unknown name {name!r}; choose from {known}")
        if _first_of(column, present) is None:
            listed = ", ".join(present)
            raise UsageError(f"columns: {source} has no column {column!r}; it has {listed}")
    return {name: _first_of(renamed.get(name, name), present) for name in MENTION_COLUMNS}


def _first_of(column: str, present: Sequence[str]) -> str | None:
    """The column, or the first of several with slashes between them that there is."""
    return next((one for one in (column, *column.split("/")) if one in present), None)


def renamed_columns(listed: Sequence[str]) -> dict[str, str]:
    """What columns are called, from texts such as "mention=token_id"; UsageError for others.

    >>> renamed_columns(["mention=token_id", "entity=cluster"])
    {'mention': 'token_id', 'entity': 'cluster'}
    """
    parts = [part.partition("=") for part in listed if part.strip()]
    if wrong := [name for name, equals, column in parts if not equals or not column.strip()]:
        raise UsageError(f"columns: {wrong[0]!r} is not of the form name=column")
    return {name.strip(): column.strip() for name, _, column in parts}


def data_frame(columns: Mapping[str, Sequence[Any]], package: Any = None) -> Any:
    """A data frame with these columns; of integers where some are missing, too.

    `package` is pandas or polars, the module or its name; by default the first that is installed.
    """
    if package is None or isinstance(package, str):
        package = _load(PACKAGES if package is None else (package,))
    if not hasattr(package, "DataFrame"):
        raise TypeError(f"package must be pandas or polars, not {package!r:.60}")
    made = package.DataFrame(dict(columns))
    if hasattr(made, "astype"):  # pandas makes floats of integers among which one is missing
        made = made.astype({name: "Int64" for name, own in columns.items() if _has_gaps(own)})
    return made


def _has_gaps(values: Sequence[Any]) -> bool:
    """Whether some are integers, and all others are None."""
    kinds = {*map(type, values)}
    return kinds == {int, type(None)}


def columns_of(rows: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Flat dicts with the same names as columns; one with some floats has floats only.

    >>> columns_of([{"metric": "muc", "f1": 0.5}, {"metric": "lea", "f1": 0.25}])
    {'metric': ['muc', 'lea'], 'f1': [0.5, 0.25]}
    """
    names = rows[0] if rows else ()
    return {name: _alike([row[name] for row in rows]) for name in names}


def _alike(values: list[Any]) -> list[Any]:
    """Numbers of one kind, because polars refuses integers and floats in one column."""
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
