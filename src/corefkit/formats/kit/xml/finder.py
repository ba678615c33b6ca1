"""The records of an XML file, found for the whole file at once.

First the places of tags and values are found (`marks`), then which elements have which shape
(`shapes`). A file that fits its shapes from its first to its last tag is well-formed XML; any other
raises UnfitError and goes to expat.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, stretches
from corefkit.core.carriers import frozen
from corefkit.formats.kit.byte_columns import UnfitError
from corefkit.formats.kit.xml.marks import (
    PROLOG,
    SLASH,
    MarkTable,
    NamespaceTable,
    XmlTag,
    innermost_scopes,
    refuse_odd,
    refuse_unnested,
)
from corefkit.formats.kit.xml.record_tables import (
    FieldColumn,
    ListPieces,
    RecordKind,
    RecordPieces,
    Records,
    RecordScope,
    RecordTable,
)
from corefkit.formats.kit.xml.shapes import RecordShape, ShapeLearner, fields_of

_MOST_SHAPES = 60
_FEW_PREFIXES = 3
"""With more prefixes, it pays to check first which names may occur."""


def find_records(data: bytes, kinds: Mapping[str, RecordKind], scopes: Collection[str]) -> Records:
    """The records of a file, all at once; UnfitError if some part of it fits no shape."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    data = data.removeprefix(b"\xef\xbb\xbf")
    refuse_odd(data)
    prolog = PROLOG.match(data)
    assert prolog is not None
    marks = MarkTable.of(data, prolog.end())
    return _RecordFinder(marks, kinds, scopes).find()


class _NamedElements(NamedTuple):
    """Elements of one name: the numbers of their first and last tags, and the name with prefix."""

    first: IntArray
    last: IntArray
    raw: str


class _ListedElements(NamedTuple):
    """The elements of a list: their first and last tags, and the records that they are in."""

    first: IntArray
    last: IntArray
    record: IntArray


@frozen(eq=False)
class _ShapedScopes:
    """The scopes of a file, by the shapes of their tags.

    Attributes:
        marks, names: those of the file.
        shapes: the shapes of tags that begin a scope, each with the numbers of these tags.
        begin: int64 (tags,), the first marks of the tags outside of records.
        opened: int64 (scopes,), the tag that begins each scope.
        line: int64 (scopes,), the line of each.
    """

    marks: MarkTable
    names: NamespaceTable
    shapes: "Sequence[tuple[RecordShape, IntArray]]"
    begin: IntArray
    opened: IntArray
    line: IntArray

    @property
    def is_quick(self) -> bool:
        """Whether the root, some of whose attributes declare namespaces, is not a scope."""
        return not len(self.opened) or self.opened[0] > 0

    def _column(self, shape: "RecordShape", rows: IntArray, name: str) -> "list[str | None]":
        place = shape.field(name, self.marks, self.begin[rows])
        return FieldColumn(self.marks.buffer, *place, self.marks.coded).values()

    def values(self, attribute: str) -> list[str]:
        """The value of an attribute for each scope; empty if a scope lacks it."""
        values = [""] * len(self.opened)
        for shape, rows in self.shapes:
            if attribute in shape.places:
                scopes = np.searchsorted(self.opened, rows).tolist()
                for scope, value in zip(scopes, self._column(shape, rows, attribute), strict=True):
                    values[scope] = value or ""
        return values

    def listed(self) -> list[RecordScope]:
        """The scopes with all attributes."""
        attributes, names = dict[int, dict[str, Any]](), dict[int, str]()
        for shape, rows in self.shapes:
            columns = [self._column(shape, rows, name) for name in shape.places]
            values = zip(*columns, strict=True) if columns else [()] * len(rows)
            names |= dict.fromkeys(rows.tolist(), self.names.resolve(shape.tags[0].raw)[1])
            for row, cells in zip(rows.tolist(), values, strict=True):
                attributes[row] = dict(zip(shape.places, cells, strict=True))
        attributes[0] = self.names.attributes
        numbers = zip(self.opened.tolist(), self.line.tolist(), strict=True)
        return [RecordScope(names[row], attributes[row], line) for row, line in numbers]


class _FoundRecords(Records):
    """Records whose scopes are made on demand."""

    shaped: _ShapedScopes

    @cached_property
    def scopes(self) -> list[RecordScope]:
        """The scopes in the order in which they begin."""
        return self.shaped.listed()

    def scope_values(self, attribute: str) -> list[str]:
        """The value of an attribute for each scope; empty if a scope lacks it."""
        quick = self.shaped.is_quick
        return self.shaped.values(attribute) if quick else super().scope_values(attribute)


class _RecordFinder:
    """Finds the records of a file."""

    def __init__(
        self, marks: MarkTable, kinds: Mapping[str, RecordKind], scopes: Collection[str]
    ) -> None:
        self._marks, self._kinds, self._scopes = marks, kinds, scopes
        self._names = NamespaceTable(marks)
        self._records = _FoundRecords(kinds)
        self._known: dict[str, list[_NamedElements]] = {}

    def find(self) -> Records:
        """The records; UnfitError if some part of the file fits no shape."""
        self._marks.refuse_breaks()
        elements = [(e, name) for name in self._kinds for e in self._elements(name)]
        first, last = _in_order([e for e, _ in elements])
        if len(first) and (first[0] == 0 or last[-1] == len(self._marks.opening) - 1):
            raise UnfitError  # a record is the root, or outside of it
        outside = np.ones(len(self._marks.opening), dtype=bool)
        outside[stretches(first, last - first + 1)] = False
        self._outside = np.flatnonzero(outside)
        self._read_outside()
        begin = self._marks.opening[self._outside]
        self._records.shaped = _ShapedScopes(
            self._marks,
            self._names,
            [(s, rows) for s, rows in self._shapes if self._is_scope(s)],
            begin,
            self._opened,
            self._line(begin[self._opened]),
        )
        for table in self._records.tables:
            members = [(e, n) for e, n in elements if (self._kinds[n].table or n) == table]
            kind = next(kind for n, kind in self._kinds.items() if (kind.table or n) == table)
            self._records.tables[table] = RecordTable(kind, self._pieces(members, kind))
        return self._records

    def _elements(self, name: str) -> list[_NamedElements]:
        """The elements of a name, grouped by the prefix with which it is written."""
        if name in self._known:
            return self._known[name]
        elements = self._known[name] = []
        prefixes = dict.fromkeys(("", *self._names.prefixes))
        for prefix in prefixes:
            raw = f"{prefix}:{name}" if prefix else name
            if len(prefixes) > _FEW_PREFIXES and not self._marks.may_have(raw.encode()):
                continue
            begin, end = self._marks.tags_of(raw.encode())
            if not len(begin) and not len(end):
                continue
            closing = self._marks.place[self._marks.closing[begin]]
            full = self._marks.buffer[closing - 1] != SLASH
            last = begin.copy()
            if int(full.sum()) != len(end):
                raise UnfitError
            last[full] = end
            if (last < begin).any() or (last[:-1] >= begin[1:]).any():
                raise UnfitError  # an element inside another of the same name
            elements.append(_NamedElements(begin, last, raw))
        return elements

    def _read_outside(self) -> None:
        """Read the tags outside of records, which must nest and may open scopes."""
        table, tags = self._marks, self._outside
        begin, end = table.opening[tags], table.closing[tags]
        self._shapes = self._match(table, begin, end, None)
        code = np.empty(len(tags), dtype=np.int64)
        for number, (_, rows) in enumerate(self._shapes):
            code[rows] = number
        raws = {shape.tags[0].raw: number for number, (shape, _) in enumerate(self._shapes)}
        table_of = np.array(
            [
                (
                    -1 if tag.ends else int(not tag.empty),
                    raws[tag.raw],
                    self._names.resolve(tag.raw)[1] in self._scopes,
                )
                for tag in (shape.tags[0] for shape, _ in self._shapes)
            ]
        )
        step, raw, is_scope = table_of[code].T
        refuse_unnested(step, raw)
        opens = (is_scope > 0) & (step >= 0)
        self._opened = np.flatnonzero(opens)
        self._after = innermost_scopes(np.where(is_scope > 0, step, 0), np.cumsum(opens) - 1)

    def _is_scope(self, shape: RecordShape) -> bool:
        """Whether a tag of this shape begins a scope."""
        tag = shape.tags[0]
        return not tag.ends and self._names.resolve(tag.raw)[1] in self._scopes

    def _line(self, marks: IntArray) -> IntArray:
        """The line of each of these marks."""
        line: IntArray = np.searchsorted(self._marks.breaks, self._marks.place[marks]) + 1
        return line

    def _match(
        self, table: MarkTable, first: IntArray, last: IntArray, kind: RecordKind | None
    ) -> "list[tuple[RecordShape, IntArray]]":
        """The shapes of elements between these marks, and the rows that have each."""
        size = last - first + 1
        sizes = np.flatnonzero(np.bincount(size)).tolist() if len(size) else []
        most = _MOST_SHAPES if kind is not None else 10 * _MOST_SHAPES
        if len(sizes) > most:
            raise UnfitError
        shapes: list[tuple[RecordShape, IntArray]] = []
        for marks in sizes:
            rows = np.flatnonzero(size == marks) if len(sizes) > 1 else np.arange(len(first))
            while len(rows):
                row = int(rows[0])
                if kind is None and row == 0:  # the root, which declares prefixes
                    shape, fine = self._root_shape(), np.zeros(len(rows), dtype=bool)
                    fine[0] = True
                else:
                    learner = ShapeLearner(table, kind, self._names)
                    shape = learner.learn(int(first[row]), int(last[row]))
                    fine = shape.fits(table, first[rows])
                if not fine[0] or len(shapes) >= most:
                    raise UnfitError
                shapes.append((shape, rows[fine]))
                rows = rows[~fine]
        return shapes

    def _root_shape(self) -> RecordShape:
        tag = XmlTag(False, self._names.raw, [], self._names.empty)
        return RecordShape(self._marks.mark[:1], {}, (), {}, [tag])

    def _pieces(self, members: list[tuple[_NamedElements, str]], kind: RecordKind) -> RecordPieces:
        """The records of a table."""
        first, last = _in_order([e for e, _ in members])
        if not len(first):
            empty = fields_of([], self._marks, EMPTY, kind.fields)
            none = {
                n: ListPieces(np.zeros(1, dtype=np.int64), fields_of([], self._marks, EMPTY, names))
                for n, names in kind.lists.items()
            }
            return RecordPieces(empty, none, EMPTY, EMPTY, ())
        table = self._marks
        begin, end = table.opening[first], table.closing[last]
        items = {name: self._listed(name, first, last) for name in kind.lists}
        lists = {
            name: self._list_pieces(RecordKind(kind.lists[name]), len(first), elements)
            for name, elements in items.items()
        }
        first_inside, last_inside = _in_order([*items.values()])
        if len(first_inside):
            inside = table.opening[first_inside], table.closing[last_inside]
            table, begin, end = table.parents((begin, end), inside)
        shapes = self._match(table, begin, end, kind)
        fields = fields_of(shapes, table, begin, kind.fields)
        namespaces = self._namespaces([e for e, _ in members], first)
        line = self._line(self._marks.opening[first]) if kind.lined else EMPTY
        scope = self._after[np.searchsorted(self._outside, first) - 1] if len(first) else EMPTY
        return RecordPieces(fields, lists, line, scope, namespaces)

    def _namespaces(self, members: Sequence[_NamedElements], first: IntArray) -> Sequence[str]:
        """The namespace of each record."""
        known = {self._names.resolve(element.raw)[0] for element in members}
        if len(known) == 1:
            return [*known] * len(first)
        of_tag = {
            tag: self._names.resolve(element.raw)[0]
            for element in members
            for tag in element.first.tolist()
        }
        return [of_tag[tag] for tag in first.tolist()]

    def _listed(self, name: str, first: IntArray, last: IntArray) -> _ListedElements:
        """The elements of a name inside records; UnfitError if text is next to one."""
        begin, end = _in_order(self._elements(name))
        record = np.searchsorted(first, begin, side="right") - 1
        inside = record >= 0
        inside[inside] = begin[inside] <= last[record[inside]]
        begin, end, record = begin[inside], end[inside], record[inside]
        table = self._marks
        opening, closing = table.opening[begin], table.closing[end]
        blank = table.is_blank(table.place[opening - 1] + 1, table.place[opening])
        blank &= table.is_blank(table.place[closing] + 1, table.place[closing + 1])
        if (begin == first[record]).any() or not blank.all():
            raise UnfitError
        return _ListedElements(begin, end, record)

    def _list_pieces(self, kind: RecordKind, records: int, elements: _ListedElements) -> ListPieces:
        table = self._marks
        first = table.opening[elements.first]
        shapes = self._match(table, first, table.closing[elements.last], kind)
        bounds: IntArray = np.searchsorted(elements.record, np.arange(records + 1))
        return ListPieces(bounds, fields_of(shapes, table, first, kind.fields))


def _in_order(elements: Sequence[_NamedElements | _ListedElements]) -> tuple[IntArray, IntArray]:
    """The first and last tags of elements, in order; UnfitError if one is inside another."""
    first = np.concatenate([EMPTY, *(e.first for e in elements)])
    last = np.concatenate([EMPTY, *(e.last for e in elements)])
    if len(elements) > 1:
        order = np.argsort(first, kind="stable")
        first, last = first[order], last[order]
        if (last[:-1] >= first[1:]).any():
            raise UnfitError
    return first, last
