"""Data frames of pandas or polars, and the columns of tables with one row per mention."""

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any

from corefkit.core.options import UsageError

PACKAGES = ("pandas", "polars")
"""The packages that are tried, in this order, if none is named."""

DOCUMENT_NAMES = ("document", "doc", "doc_id", "doc_key")
MENTION_COLUMNS = {
    "document": DOCUMENT_NAMES,
    "mention": ("mention",),
    "start": ("start", "begin"),
    "end": ("end",),
    "entity": ("entity", "cluster", "cluster_id", "coref_chain"),
}
"""The columns of a table with one row per mention, and the names that each may have.

This is the only list of them: CSV and TSV files, Parquet, data frames and engines are read by it.
"""
_LIKE_DOCUMENT = (
    r"(?i)(doc(ument)?|file|article|story|chapter|text)[ _-]?(name|key|id|no|nr|number)"
)


def find_columns(
    present: Sequence[str], renamed: Mapping[str, str], source: str
) -> dict[str, str | None]:
    """The table's name for each of MENTION_COLUMNS, in any case; None for columns that it lacks.

    `present` are the columns of the table, `renamed` maps our names to those of the table. A name
    with slashes, such as person/cluster_id, means the first of these that is present. Raises
    UsageError if a name is unknown or a renamed column is missing; `source` names the table in
    the message.

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
    return {
        name: _first_of(renamed[name], present) if name in renamed else known_column(name, present)
        for name in MENTION_COLUMNS
    }


def known_column(name: str, present: Sequence[str]) -> str | None:
    """The table's name for one of MENTION_COLUMNS, as it is usually called; None if it has none.

    >>> known_column("document", ["Doc_ID", "start"]), known_column("entity", ["chain"])
    ('Doc_ID', None)
    """
    plain = {column.lower().strip(' "'): column for column in reversed(present)}
    return next((plain[known] for known in MENTION_COLUMNS[name] if known in plain), None)


def like_document(present: Sequence[str], found: Mapping[str, str | None]) -> str | None:
    """A column that may hold the names of documents, in a table without a known column of them.

    Ignored, it would make one document of all of them, in which nothing matches.

    >>> like_document(["docname", "start"], {"document": None})
    'docname'
    """
    import re

    if found.get("document") is not None:
        return None
    return next(
        (column for column in present if re.fullmatch(_LIKE_DOCUMENT, column.strip())), None
    )


def _first_of(column: str, present: Sequence[str]) -> str | None:
    """The column, or the first of its alternatives, separated by slashes, that is present."""
    return next((name for name in (column, *column.split("/")) if name in present), None)


def renamed_columns(listed: Sequence[str]) -> dict[str, str]:
    """A mapping from texts such as "mention=token_id"; raises UsageError for any other text.

    >>> renamed_columns(["mention=token_id", "entity=cluster"])
    {'mention': 'token_id', 'entity': 'cluster'}
    """
    parts = [part.partition("=") for part in listed if part.strip()]
    if wrong := [name for name, equals, column in parts if not equals or not column.strip()]:
        raise UsageError(f"columns: {wrong[0]!r} is not of the form name=column")
    return {name.strip(): column.strip() for name, _, column in parts}


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
    """Columns from dicts with the same keys; integers in a column with floats become floats.

    >>> columns_of([{"metric": "muc", "f1": 0.5}, {"metric": "lea", "f1": 0.25}])
    {'metric': ['muc', 'lea'], 'f1': [0.5, 0.25]}
    """
    names = rows[0] if rows else ()
    return {name: _same_type([row[name] for row in rows]) for name in names}


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
