"""The few methods that an engine must have, so that the same SQL runs on all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.counts import PerDocument
from corefkit.data.options import UsageError

NAMES = ("document", "mention", "start", "end", "entity")
"""The columns of a source, under the names that they have unless others are given."""

SIDES = ("key", "response")

LARGEST_OFFSET = 2**31 - 1
"""The largest start or end: both are packed into one integer."""


@dataclass(frozen=True)
class Columns:
    """What the columns of the sources are called; None where a source lacks one.

    A mention is one column of any type, or the pair of `start` and `end`.
    """

    entity: str
    mention: str | None
    start: str | None
    end: str | None
    document: str | None

    @classmethod
    def found(cls, present: Sequence[str], renamed: Mapping[str, str], source: str) -> "Columns":
        """Those of NAMES that a source has, some renamed; UsageError where one is missing."""
        listed = ", ".join(present)
        for name, column in renamed.items():
            if name not in NAMES:
                raise UsageError(f"columns: unknown name {name!r}; choose from {', '.join(NAMES)}")
            if column not in present:
                raise UsageError(f"columns: {source} has no column {column!r}; it has {listed}")
        names = {name: renamed.get(name, name) for name in NAMES}
        have = {name: column if column in present else None for name, column in names.items()}
        offsets = have["start"] is not None and have["end"] is not None
        if have["mention"] is None and not offsets:
            raise UsageError(
                f"{source} has neither a column 'mention' nor 'start' and 'end'; it has {listed}; "
                "name yours with --columns mention=…"
            )
        if have["entity"] is None:
            raise UsageError(
                f"{source} has no column 'entity'; it has {listed}; name yours with "
                "--columns entity=…"
            )
        if have["mention"] is not None:
            have |= {"start": None, "end": None}
        return cls(**have)  # type: ignore[arg-type]


class Engine(Protocol):
    """A database that speaks SQL.

    It may belong to the user, whose tables are left alone: the names of ours begin with
    `corefkit_`.
    """

    name: str

    def define(self, name: str, source: Any, renamed: Mapping[str, str]) -> Columns:
        """Make the view `corefkit_NAME_source` over Parquet files, a relation, frame or table."""

    def quote(self, column: str) -> str:
        """The name of a column, quoted as SQL wants it."""

    def table(self, name: str, sql: str) -> None:
        """Store the result of a query as a table, in place of any of the same name."""

    def append(self, name: str, rows: Mapping[str, PerDocument]) -> None:
        """Add rows, given as one array a column, to a table; create it if there is none."""

    def rows(self, sql: str) -> dict[str, Any]:
        """The result of a query: column → array."""

    def drop(self, *names: str) -> None:
        """Drop tables; those that do not exist are ignored."""

    def close(self) -> None:
        """Drop our tables; close the connection or session unless it was handed in."""


def arrays(table: Any) -> dict[str, Any]:
    """The columns of an Arrow table: numbers as they are, everything else as Python objects."""
    found = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        if dtype := _NUMERIC.get(str(column.type)):
            found[name] = _numbers(column, dtype)
        else:
            found[name] = np.empty(len(column), dtype=object)
            found[name][:] = column.to_pylist()
    return found


_NUMERIC = {
    **{f"{sign}int{bits}": f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)},
    **{"float": "float32", "double": "float64"},
}
"""The types of numbers in Arrow, and in numpy."""


def _numbers(column: Any, dtype: str) -> PerDocument:
    """A column of numbers, from its bytes: Arrow's own way to numpy loads all of pandas first."""
    if column.null_count:
        return np.asarray(column.to_numpy())
    chunks = [
        np.frombuffer(chunk.buffers()[1], dtype)[chunk.offset : chunk.offset + len(chunk)]
        for chunk in column.chunks
        if len(chunk)
    ]
    return np.concatenate(chunks) if chunks else np.empty(0, dtype)


def integers(rows: Mapping[str, Any], *names: str) -> list[IntArray]:
    """Some columns of a result as int64."""
    return [rows[name].astype("int64") for name in names]


def single(engine: Engine, sql: str) -> dict[str, Any]:
    """The only row of a result."""
    return {name: values[0] for name, values in engine.rows(sql).items()}
