"""XML records as tables: each element of a repeated kind is a row of the requested values."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.formats.kit.byte_columns import ByteColumn, UnfitError
from corefkit.formats.kit.xml.marks import AMPERSAND, unescaped

RecordRow = tuple[Any, ...]
"""The values of a record: those of its fields, None if missing, then those of its lists."""


class RecordKind(NamedTuple):
    """The values requested of an element.

    Attributes:
        fields: attributes (`@id`), texts of elements (`type`), or both of elements inside
            (`start/point@index`); a path need only match the end of the full one.
        lists: elements that may occur more than once, each with its fields.
        lined: whether the lines of records are recorded.
        table: kinds with the same table are in one, in the order of the file; by default each
            has its own.
        prefixed: the fields whose attributes may have a prefix; a file in which another has one
            goes to expat. None: all may.
    """

    fields: Sequence[str]
    lists: Mapping[str, Sequence[str]] = {}
    lined: bool = True
    table: str = ""
    prefixed: Collection[str] | None = None

    def field(self, path: tuple[str, ...], more: str) -> str | None:
        """The field for the path of an element, plus `more` ("@…" for an attribute); or None."""
        if not path:
            return more if more in self.fields else None
        for length in range(1, len(path) + 1):
            if (name := "/".join(path[-length:]) + more) in self.fields:
                return name
        return None


class RecordScope(NamedTuple):
    """An element around records: its name, its attributes without namespaces, and its line."""

    name: str
    attributes: dict[str, str]
    line: int


@frozen(eq=False)
class FieldColumn(ByteColumn):
    """The values of a field as written in the file; the start of a missing one is negative.

    `coded` is whether the file has any references such as `&amp;`.
    """

    coded: bool = True

    def sound(self) -> ByteColumn:
        """The column itself; UnfitError if a record lacks a value or a value has a reference."""
        self.refuse_references()
        if (self.start < 0).any():
            raise UnfitError
        return self

    def refuse_references(self) -> None:
        """Raise UnfitError if a value has a reference, so that its bytes are not its text."""
        if self.coded and (self._joined() == AMPERSAND).any():
            raise UnfitError

    def take(self, rows: IntArray | BoolArray | slice) -> "FieldColumn":
        """The values of these rows."""
        return FieldColumn(self.buffer, self.start[rows], self.end[rows], self.coded)

    def values(self) -> "list[str | None]":
        """The values with references resolved; None for missing ones."""
        written = self.texts()
        texts: list[str | None] = [*(map(unescaped, written) if self.coded else written)]
        for row in np.flatnonzero(self.start < 0).tolist():
            texts[row] = None
        return texts


class ListPieces(NamedTuple):
    """The elements of a list in all records.

    Attributes:
        first: int64 (records + 1,), the first element of each record.
        fields: the values of each of their fields.
    """

    first: IntArray
    fields: Mapping[str, FieldColumn]


@frozen(eq=False)
class RecordPieces:
    """The records of one kind as pieces of a file.

    Attributes:
        fields: the values of each field.
        lists: the elements of each list.
        line: int64 (records,), the line of each; empty if lines are not recorded.
        scope: int64 (records,), the number of the innermost scope around each, −1 for none.
        namespaces: the namespace of each record.
    """

    fields: Mapping[str, FieldColumn]
    lists: Mapping[str, ListPieces]
    line: IntArray
    scope: IntArray
    namespaces: Sequence[str]

    def rows(self) -> list[RecordRow]:
        """The values of each record."""
        columns: list[Sequence[Any]] = [column.values() for column in self.fields.values()]
        for first, fields in self.lists.values():
            listed = [*zip(*(column.values() for column in fields.values()), strict=True)]
            bounds = first.tolist()
            columns.append([listed[a:b] for a, b in pairwise(bounds)])
        return [*zip(*columns, strict=True)]


class RecordTable:
    """The records of one kind, in order, either as pieces of the file or read one by one."""

    def __init__(self, kind: RecordKind, pieces: RecordPieces | None = None) -> None:
        self._kind = kind
        self._pieces = pieces

    @property
    def pieces(self) -> RecordPieces:
        """The records as pieces of the file; UnfitError if they were read one by one."""
        if self._pieces is None:
            raise UnfitError
        return self._pieces

    @cached_property
    def rows(self) -> list[RecordRow]:
        """The values of each record."""
        return [] if self._pieces is None else self._pieces.rows()

    @cached_property
    def lines(self) -> list[int]:
        """The line of each record."""
        lines: list[int] = [] if self._pieces is None else self._pieces.line.tolist()
        return lines

    @cached_property
    def scope(self) -> list[int]:
        """The number of the innermost scope around each record; −1 for none."""
        scope: list[int] = [] if self._pieces is None else self._pieces.scope.tolist()
        return scope

    @cached_property
    def namespaces(self) -> list[str]:
        """The namespace of each record."""
        return [] if self._pieces is None else [*self._pieces.namespaces]

    @property
    def columns(self) -> list[Sequence[Any]]:
        """The columns of the table: one per field, then one per list."""
        width = len(self._kind.fields) + len(self._kind.lists)
        return [list(map(itemgetter(place), self.rows)) for place in range(width)]


class Records:
    """The records of a file by the names of their elements, and the scopes around them."""

    def __init__(self, kinds: Mapping[str, RecordKind]) -> None:
        self.tables = {kind.table or name: RecordTable(kind) for name, kind in kinds.items()}

    @cached_property
    def scopes(self) -> list[RecordScope]:
        """The scopes in the order in which they begin."""
        return []

    def scope_values(self, attribute: str) -> list[str]:
        """The value of an attribute for each scope; empty if a scope lacks it."""
        return [scope.attributes.get(attribute, "") for scope in self.scopes]
