"""What an engine must do: a few small methods, so that one text of SQL serves all of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.counts import PerDocument
from corefkit.data.options import UsageError

NAMES = {"document": "document", "mention": "mention", "start": "start", "end": "end"} | {
    "entity": "entity"
}
"""The columns of a source and what they are called when nothing is said."""

SIDES = ("key", "response")

LARGEST_OFFSET = 2**31 - 1
"""Offsets are packed two into one integer, so they may not be larger."""


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
        """Those of NAMES that a source has, some under other names; UsageError if any lacks."""
        for name, column in renamed.items():
            if name not in NAMES:
                raise UsageError(f"columns: unknown name {name!r}; choose from {', '.join(NAMES)}")
            if column not in present:
                raise UsageError(
                    f"columns: {source} has no column {column!r}; it has {', '.join(present)}"
                )
        names = {**NAMES, **renamed}
        have = {name: names[name] if names[name] in present else None for name in NAMES}
        offsets = have["start"] is not None and have["end"] is not None
        if have["mention"] is None and not offsets:
            raise UsageError(
                f"{source} has neither a column 'mention' nor 'start' and 'end'; it has "
                f"{', '.join(present)}; name yours with --columns mention=…"
            )
        if have["entity"] is None:
            raise UsageError(
                f"{source} has no column 'entity'; it has {', '.join(present)}; name yours with "
                "--columns entity=…"
            )
        return cls(
            have["entity"],
            have["mention"],
            have["start"] if have["mention"] is None else None,
            have["end"] if have["mention"] is None else None,
            have["document"],
        )


class Engine(Protocol):
    """A database that speaks SQL.

    It may be the user's, whose tables stay as they are: the names of ours begin with `corefkit_`.
    """

    name: str

    def define(self, name: str, source: Any, renamed: Mapping[str, str]) -> Columns:
        """Make `corefkit_NAME_source`: of Parquet files, or a relation or frame of the engine."""

    def quote(self, column: str) -> str:
        """A column of the user's, as it is written in SQL."""

    def table(self, name: str, sql: str) -> None:
        """Materialise the result of a query under a name; what was there under it goes."""

    def append(self, name: str, rows: Mapping[str, PerDocument]) -> None:
        """Add rows, given as arrays by column, to a table, which is made if it is not there."""

    def rows(self, sql: str) -> dict[str, Any]:
        """The result of a query as arrays, by column."""

    def drop(self, *names: str) -> None:
        """Forget tables; those that are not there are no error."""

    def close(self) -> None:
        """Remove what the engine made, but not a connection or session that was handed in."""


def arrays(table: Any) -> dict[str, Any]:
    """The columns of an Arrow table: numbers as such, all else as Python objects."""
    found = {}
    for name, column in zip(table.column_names, table.columns, strict=True):
        if str(column.type) in _NUMERIC:
            found[name] = np.asarray(column.to_numpy())
        else:
            found[name] = np.empty(len(column), dtype=object)
            found[name][:] = column.to_pylist()
    return found


_NUMERIC = {
    *(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)),
    *("float", "double"),
}


def integers(rows: Mapping[str, Any], *names: str) -> list[IntArray]:
    """Some columns of a result as int64."""
    return [rows[name].astype("int64") for name in names]


def single(engine: Engine, sql: str) -> dict[str, Any]:
    """The only row of a result."""
    return {name: values[0] for name, values in engine.rows(sql).items()}
