"""Records of XML as tables: elements that occur many times, each a row of the values asked for."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.formats._kit.byte_columns import ByteColumn, UnfitError
from corefkit.formats._kit.xml.marks import AMPERSAND, unescaped

RecordRow = tuple[Any, ...]
"""The values of a record: those of its fields, None where it has none, then those of its lists."""


class RecordKind(NamedTuple):
    """What is asked of an element.

    A field is an attribute, `@id`, or the text of an element, `type`; of an element inside,
    `start/point@index`, where the path is the end of the whole one. `lists` are elements that may
    occur more than once, each with its fields. Only records that are `lined`
    have lines. Kinds with the same `table` are in one, in the order of the file. Attributes count
    with any prefix or none; where `prefixed` is given, those of other fields must not have one:
    a file in which one has goes to expat.
    """

    fields: Sequence[str]
    lists: Mapping[str, Sequence[str]] = {}
    lined: bool = True
    table: str = ""
    prefixed: Collection[str] | None = None

    def field(self, path: tuple[str, ...], more: str) -> str | None:
        """The field of an element, or of its attribute `more`, by the end of its path."""
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
    """The values of a field as they are written; those that are missing begin before the file.

    `coded` is whether the file has references such as `&amp;` at all.
    """

    coded: bool = True

    def sound(self) -> ByteColumn:
        """The values, where no record lacks one and none has a reference; else UnfitError."""
        self.refuse_references()
        if (self.start < 0).any():
            raise UnfitError
        return self

    def refuse_references(self) -> None:
        """UnfitError where a value has a reference, so that it is not what it looks like."""
        if self.coded and (self._joined() == AMPERSAND).any():
            raise UnfitError

    def take(self, rows: IntArray | BoolArray | slice) -> "FieldColumn":
        """The values of these rows."""
        return FieldColumn(self.buffer, self.start[rows], self.end[rows], self.coded)

    def values(self) -> "list[str | None]":
        """The values as they are meant, None for missing ones."""
        written = self.texts()
        texts: list[str | None] = [*(map(unescaped, written) if self.coded else written)]
        for row in np.flatnonzero(self.start < 0).tolist():
            texts[row] = None
        return texts


class ListPieces(NamedTuple):
    """The elements of a list in all records.

    Attributes:
        first: int64 (records + 1,), where the elements of each record begin.
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
        line: int64 (records,), where each begins; empty where records have no lines.
        scope: int64 (records,), the number of the innermost scope that is open there, −1 for none.
        namespaces: the namespace of each.
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
    """The records of one kind, in their order; `pieces` where they were found all at once."""

    def __init__(self, kind: RecordKind, pieces: RecordPieces | None = None) -> None:
        self._kind = kind
        self._pieces = pieces

    @property
    def pieces(self) -> RecordPieces:
        """The records as pieces of the file; UnfitError where they were read one by one."""
        if self._pieces is None:
            raise UnfitError
        return self._pieces

    @cached_property
    def rows(self) -> list[RecordRow]:
        """The values of each."""
        return [] if self._pieces is None else self._pieces.rows()

    @cached_property
    def lines(self) -> list[int]:
        """Where each begins."""
        lines: list[int] = [] if self._pieces is None else self._pieces.line.tolist()
        return lines

    @cached_property
    def scope(self) -> list[int]:
        """The number of the innermost scope that is open there; −1 for none."""
        scope: list[int] = [] if self._pieces is None else self._pieces.scope.tolist()
        return scope

    @cached_property
    def namespaces(self) -> list[str]:
        """The namespace of each."""
        return [] if self._pieces is None else [*self._pieces.namespaces]

    @property
    def columns(self) -> list[Sequence[Any]]:
        """The values of each field and list."""
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
        """The value of an attribute of each scope; empty where a scope does not have it."""
        return [scope.attributes.get(attribute, "") for scope in self.scopes]
