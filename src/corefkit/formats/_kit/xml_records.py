"""XML as records: elements that occur many times, each a row of the values that are asked for.

Programs write all elements of a kind in one way, or in a few. Where tags and values begin and end
is found for the whole file at once; a shape is learned from the first record of its kind, and all
records are compared with it, byte by byte, without a call of Python for each of them. A file that
fits its shapes from its first to its last tag is sound XML. Any other file, with comments, say, or
broken, goes to expat, which tells the same rows, more slowly, and what is wrong.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, ByteArray, IntArray, stretches
from corefkit.core.carriers import frozen
from corefkit.core.incidents import Collector
from corefkit.formats._kit.byte_columns import ByteColumn, UnfitError
from corefkit.formats._kit.xml import ElementListener, walk
from corefkit.formats._kit.xml_marks import (
    AMPERSAND,
    DEEPEST,
    GREATER,
    PROLOG,
    SLASH,
    MarkTable,
    NamespaceTable,
    XmlTag,
    innermost_scopes,
    read_tag,
    refuse_odd,
    refuse_unnested,
    unescaped,
)

RecordRow = tuple[Any, ...]
"""The values of a record: those of its fields, None where it has none, then those of its lists."""


class RecordKind(NamedTuple):
    """What is asked of an element.

    A field is an attribute, `@id`, or the text of an element, `type`; of an element inside,
    `start/point@index`, where the path is the end of the whole one. `lists` are elements that may
    occur more than once, each with its fields. Lines are told of records that are `lined`. Kinds
    with the same `table` are in one, in the order of the file.
    """

    fields: Sequence[str]
    lists: Mapping[str, Sequence[str]] = {}
    lined: bool = True
    table: str = ""


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
        line: int64 (records,), where each begins; empty where lines are not told.
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
        """The records as pieces of the file; UnfitError where they were told one by one."""
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
        self._shaped_scopes: _ShapedScopes | None = None

    @cached_property
    def scopes(self) -> list[RecordScope]:
        """The scopes in the order in which they begin."""
        return [] if self._shaped_scopes is None else self._shaped_scopes.listed()

    def scope_values(self, attribute: str) -> list[str]:
        """The value of an attribute of each scope; empty where a scope does not have it."""
        if self._shaped_scopes is not None and self._shaped_scopes.is_quick:
            return self._shaped_scopes.values(attribute)
        return [scope.attributes.get(attribute, "") for scope in self.scopes]


def read_records(
    data: bytes, kinds: Mapping[str, RecordKind], scopes: Collection[str], found: Collector
) -> Records | None:
    """The records of a file; None, and an incident, where it is broken."""
    try:
        return find_records(data, kinds, scopes)
    except UnfitError:
        walker = _RecordWalker(kinds, scopes)
        return walker.records if walk(data, walker, found) else None


_MOST_SHAPES = 60
_FEW_PREFIXES = 3
"""With more, it is worth while to know first which names may occur."""


def find_records(data: bytes, kinds: Mapping[str, RecordKind], scopes: Collection[str]) -> Records:
    """The records of a file, all at once; UnfitError where some part of it fits no shape."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    data = data.removeprefix(b"\xef\xbb\xbf")
    refuse_odd(data)
    prolog = PROLOG.match(data)
    assert prolog is not None
    marks = MarkTable.of(data, prolog.end())
    return _RecordFinder(marks, kinds, scopes).find()


class _NamedElements(NamedTuple):
    """Elements of one name: the numbers of their first and last tags; the name as it is written."""

    first: IntArray
    last: IntArray
    raw: str


@frozen(eq=False)
class _RecordShape:
    """One way to write an element, between its marks.

    Attributes:
        marks: which marks it has.
        literals: what stands behind the mark of each number, where that is always the same.
        blanks: the numbers of marks behind which only blanks stand.
        places: of each field the number of the mark behind which its value stands; −1: it is empty.
        tags: its tags.
    """

    marks: ByteArray
    literals: Mapping[int, bytes]
    blanks: Sequence[int]
    places: Mapping[str, int]
    tags: Sequence[XmlTag]

    def fits(self, table: MarkTable, first: IntArray) -> BoolArray:
        """bool (elements,): which of the elements that begin at these marks have this shape.

        `first` begins with the one from which it was learned.
        """
        if len(first) == 1:
            return np.ones(1, dtype=bool)
        name = self.literals[0]
        start = table.place.take(first) + 1
        fine: BoolArray = table.place.take(first + 1) - start == len(name)
        fine[fine] = table.has(start[fine], name)
        rows = np.flatnonzero(fine)
        if table.cut is None:
            rows = rows[~self._fits_exactly(table, first[rows])]
        if len(rows):
            fine[rows] = self._fits_by_mark(table, first[rows])
        return fine

    def _fits_exactly(self, table: MarkTable, first: IntArray) -> BoolArray:
        """The same, of elements that have the same blanks, too."""
        fine: BoolArray = np.ones(len(first), dtype=bool)
        last = len(self.marks) - 1
        fixed = {*self.literals, *self.blanks}
        own = table.place[int(first[0]) : int(first[0]) + last + 1].tolist()
        begin = 0
        for number in range(last + 1):
            if number < last and number in fixed:
                continue
            start = table.place.take(first + begin)
            if number > begin:
                size = own[number] - own[begin]
                fine &= table.place.take(first + number) - start == size
            text = table.data[own[begin] : own[number] + 1]
            fine &= table.has(start, text)
            begin = number + 1
        return fine

    def _fits_by_mark(self, table: MarkTable, first: IntArray) -> BoolArray:
        """The same, mark by mark."""
        fine: BoolArray = np.ones(len(first), dtype=bool)
        begin = table.place.take(first) + 1
        for number, mark in enumerate(self.marks.tolist()[1:]):
            following = first + (number + 1)
            end = table.place.take(following)
            fine &= table.mark.take(following) == mark
            text = self.literals.get(number)
            if text is not None:
                fine &= end - begin == len(text)
                if text:
                    fine &= table.has(begin, text)
            elif number in self.blanks:
                blank = table.is_blank(begin, end)
                if table.cut is not None:
                    blank |= table.cut.take(first + number)
                fine &= blank
            begin = end + 1
        return fine

    def field(self, name: str, table: MarkTable, first: IntArray) -> tuple[IntArray, IntArray]:
        """Where the values of a field begin and end."""
        if name not in self.places:
            missing = np.full(len(first), -1)
            return missing, missing
        if self.places[name] < 0:
            return table.place[first], table.place[first]
        mark = first + self.places[name]
        return table.place[mark] + 1, table.place[mark + 1]


class _ShapeLearner:
    """Learns the shape of an element from its marks."""

    def __init__(self, table: MarkTable, kind: RecordKind | None, names: "NamespaceTable") -> None:
        self._table, self._kind, self._names = table, kind, names
        self._literals: dict[int, bytes] = {}
        self._blanks: list[int] = []
        self._places: dict[str, int] = {}
        self._open: list[tuple[str, tuple[str, ...]]] = []
        self._tags: list[XmlTag] = []

    def learn(self, first: int, last: int) -> _RecordShape:
        """The shape of the element between two marks; of a kind None it is one tag."""
        mark = self._table.mark[first : last + 1]
        ends = np.flatnonzero(mark == GREATER).tolist()
        begin = 0
        for end in ends:
            tag = self._add_tag(first, begin, end)
            if end < len(mark) - 1:
                self._add_text(first, end, tag)
            begin = end + 1
        if self._kind is not None and self._open:
            raise UnfitError
        return _RecordShape(mark, self._literals, self._blanks, self._places, self._tags)

    def _add_tag(self, first: int, begin: int, end: int) -> XmlTag:
        tag, literals = read_tag(self._table, first + begin, first + end)
        self._literals |= {begin + 2 * number: text for number, text in enumerate(literals)}
        local = [self._names.resolve(name, "")[1] for name in tag.attributes]
        name = self._names.resolve(tag.raw)[1]
        if len({*local}) < len(local):
            raise UnfitError
        self._tags.append(tag)
        if self._kind is None:
            self._places |= {name: begin + 1 + 2 * n for n, name in enumerate(local)}
            return tag
        if tag.ends:
            if not self._open or self._open.pop()[0] != tag.raw:
                raise UnfitError
            return tag
        if len(self._tags) > 1 and not self._open:
            raise UnfitError
        path = (*self._open[-1][1], name) if self._open else ()
        for number, attribute in enumerate(local):
            self._put(_field(self._kind, path, f"@{attribute}"), begin + 1 + 2 * number)
        if tag.empty:
            self._put(_field(self._kind, path, ""), -1)
        else:
            self._open.append((tag.raw, path))
        if len(self._open) > DEEPEST:
            raise UnfitError
        return tag

    def _add_text(self, first: int, end: int, tag: XmlTag) -> None:
        """The text between a tag and the next one."""
        assert self._kind is not None
        table, at = self._table, first + end
        starts = not tag.ends and not tag.empty
        field = _field(self._kind, self._open[-1][1], "") if starts else None
        is_leaf = starts and table.buffer[table.place[at + 1] + 1] == SLASH
        if is_leaf and (table.cut is None or not table.cut[at]):
            self._put(field, end)
        elif field is not None:
            raise UnfitError
        else:
            self._blanks.append(end)

    def _put(self, field: str | None, place: int) -> None:
        if field in self._places:
            raise UnfitError
        if field is not None:
            self._places[field] = place


class _ListedElements(NamedTuple):
    """The elements of a list: their first and last tags, and the records that they are in."""

    first: IntArray
    last: IntArray
    record: IntArray


@frozen(eq=False)
class _ShapedScopes:
    """The scopes of a file, by the shapes of their tags.

    Attributes:
        marks, names: of the file.
        shapes: the shapes of tags that begin a scope, and the numbers of these tags.
        begin: int64 (tags,), the marks at which tags outside of records begin.
        opened: int64 (scopes,), the tag that begins each scope.
        line: int64 (scopes,), where each begins.
    """

    marks: MarkTable
    names: NamespaceTable
    shapes: "Sequence[tuple[_RecordShape, IntArray]]"
    begin: IntArray
    opened: IntArray
    line: IntArray

    @property
    def is_quick(self) -> bool:
        """Whether the root, whose attributes may be namespaces, is not among them."""
        return not len(self.opened) or self.opened[0] > 0

    def _column(self, shape: "_RecordShape", rows: IntArray, name: str) -> "list[str | None]":
        place = shape.field(name, self.marks, self.begin[rows])
        return FieldColumn(self.marks.buffer, *place, self.marks.coded).values()

    def values(self, attribute: str) -> list[str]:
        """The value of an attribute of each scope; empty where a scope does not have it."""
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
            for row, own in zip(rows.tolist(), values, strict=True):
                attributes[row] = dict(zip(shape.places, own, strict=True))
        attributes[0] = self.names.attributes
        numbers = zip(self.opened.tolist(), self.line.tolist(), strict=True)
        return [RecordScope(names[row], attributes[row], line) for row, line in numbers]


class _RecordFinder:
    """Finds the records of a file."""

    def __init__(
        self, marks: MarkTable, kinds: Mapping[str, RecordKind], scopes: Collection[str]
    ) -> None:
        self._marks, self._kinds, self._scopes = marks, kinds, scopes
        self._names = NamespaceTable(marks)
        self._records = Records(kinds)
        self._known: dict[str, list[_NamedElements]] = {}

    def find(self) -> Records:
        """The records; UnfitError where some part of the file fits no shape."""
        self._marks.refuse_breaks()
        elements = [(e, name) for name in self._kinds for e in self._elements(name)]
        first, last = _in_order([e for e, _ in elements])
        if len(first) and (first[0] == 0 or last[-1] == len(self._marks.opening) - 1):
            raise UnfitError  # the root, or what stands outside of it
        outside = np.ones(len(self._marks.opening), dtype=bool)
        outside[stretches(first, last - first + 1)] = False
        self._outside = np.flatnonzero(outside)
        self._read_outside()
        begin = self._marks.opening[self._outside]
        self._records._shaped_scopes = _ShapedScopes(
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
        """The elements of a name, by the ways in which it is written."""
        if name in self._known:
            return self._known[name]
        found = self._known[name] = []
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
                raise UnfitError  # one inside another
            found.append(_NamedElements(begin, last, raw))
        return found

    def _read_outside(self) -> None:
        """Read the tags around records: they must nest, and open scopes."""
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

    def _is_scope(self, shape: _RecordShape) -> bool:
        """Whether a tag around records begins a scope."""
        tag = shape.tags[0]
        return not tag.ends and self._names.resolve(tag.raw)[1] in self._scopes

    def _line(self, marks: IntArray) -> IntArray:
        """The line on which each of these marks stands."""
        line: IntArray = np.searchsorted(self._marks.breaks, self._marks.place[marks]) + 1
        return line

    def _match(
        self, table: MarkTable, first: IntArray, last: IntArray, kind: RecordKind | None
    ) -> "list[tuple[_RecordShape, IntArray]]":
        """The shapes of elements between these marks, and the rows that have each."""
        size = last - first + 1
        sizes = np.flatnonzero(np.bincount(size)).tolist() if len(size) else []
        most = _MOST_SHAPES if kind is not None else 10 * _MOST_SHAPES
        if len(sizes) > most:
            raise UnfitError
        shapes: list[tuple[_RecordShape, IntArray]] = []
        for one in sizes:
            rows = np.flatnonzero(size == one) if len(sizes) > 1 else np.arange(len(first))
            while len(rows):
                row = int(rows[0])
                if kind is None and row == 0:  # the root, which declares prefixes
                    shape, fine = self._root_shape(), np.zeros(len(rows), dtype=bool)
                    fine[0] = True
                else:
                    learner = _ShapeLearner(table, kind, self._names)
                    shape = learner.learn(int(first[row]), int(last[row]))
                    fine = shape.fits(table, first[rows])
                if not fine[0] or len(shapes) >= most:
                    raise UnfitError
                shapes.append((shape, rows[fine]))
                rows = rows[~fine]
        return shapes

    def _root_shape(self) -> _RecordShape:
        tag = XmlTag(False, self._names.raw, [], self._names.empty)
        return _RecordShape(self._marks.mark[:1], {}, (), {}, [tag])

    def _pieces(self, members: list[tuple[_NamedElements, str]], kind: RecordKind) -> RecordPieces:
        """The records of a table."""
        first, last = _in_order([e for e, _ in members])
        if not len(first):
            empty = _fields([], self._marks, EMPTY, kind.fields)
            none = {
                n: ListPieces(np.zeros(1, dtype=np.int64), _fields([], self._marks, EMPTY, own))
                for n, own in kind.lists.items()
            }
            return RecordPieces(empty, none, EMPTY, EMPTY, ())
        table = self._marks
        begin, end = table.opening[first], table.closing[last]
        items = {name: self._listed(name, first, last) for name in kind.lists}
        lists = {
            name: self._list_pieces(RecordKind(kind.lists[name]), len(first), own)
            for name, own in items.items()
        }
        one, other = _in_order([*items.values()])
        if len(one):
            inside = table.opening[one], table.closing[other]
            table, begin, end = table.parents((begin, end), inside)
        shapes = self._match(table, begin, end, kind)
        fields = _fields(shapes, table, begin, kind.fields)
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
        """The elements of a name that are in records, with nothing but blanks around them."""
        begin, end = _in_order(self._elements(name))
        record = np.searchsorted(first, begin, side="right") - 1
        inside = record >= 0
        inside[inside] = begin[inside] <= last[record[inside]]
        begin, end, record = begin[inside], end[inside], record[inside]
        table = self._marks
        one, other = table.opening[begin], table.closing[end]
        blank = table.is_blank(table.place[one - 1] + 1, table.place[one])
        blank &= table.is_blank(table.place[other] + 1, table.place[other + 1])
        if (begin == first[record]).any() or not blank.all():
            raise UnfitError
        return _ListedElements(begin, end, record)

    def _list_pieces(self, kind: RecordKind, records: int, elements: _ListedElements) -> ListPieces:
        table = self._marks
        first = table.opening[elements.first]
        shapes = self._match(table, first, table.closing[elements.last], kind)
        bounds: IntArray = np.searchsorted(elements.record, np.arange(records + 1))
        return ListPieces(bounds, _fields(shapes, table, first, kind.fields))


def _in_order(elements: Sequence[_NamedElements | _ListedElements]) -> tuple[IntArray, IntArray]:
    """The first and last tags of elements, in order; UnfitError where one is inside another."""
    first = np.concatenate([EMPTY, *(e.first for e in elements)])
    last = np.concatenate([EMPTY, *(e.last for e in elements)])
    if len(elements) > 1:
        order = np.argsort(first, kind="stable")
        first, last = first[order], last[order]
        if (last[:-1] >= first[1:]).any():
            raise UnfitError
    return first, last


def _fields(
    shapes: "list[tuple[_RecordShape, IntArray]]",
    table: MarkTable,
    first: IntArray,
    names: Sequence[str],
) -> dict[str, FieldColumn]:
    """The values of each field in all rows."""
    fields = {}
    for name in names:
        if len(shapes) == 1:
            start, end = shapes[0][0].field(name, table, first)
        else:
            start, end = np.full(len(first), -1), np.full(len(first), -1)
            for shape, rows in shapes:
                start[rows], end[rows] = shape.field(name, table, first[rows])
        fields[name] = FieldColumn(table.buffer, start, end, table.coded)
    return fields


def _field(kind: RecordKind, path: tuple[str, ...], more: str) -> str | None:
    """The field of an element, or of its attribute `more`, by the end of its path."""
    if not path:
        return more if more in kind.fields else None
    for length in range(1, len(path) + 1):
        if (name := "/".join(path[-length:]) + more) in kind.fields:
            return name
    return None


class _RecordWalker(ElementListener):
    """Makes rows of what expat tells."""

    def __init__(self, kinds: Mapping[str, RecordKind], scopes: Collection[str]) -> None:
        self._kinds, self._scopes = kinds, scopes
        self.records = Records(kinds)
        self._open = [-1]
        self._base = 0
        self._kind = RecordKind(())
        self._values: dict[str, str] = {}
        self._lists: dict[str, list[RecordRow]] = {}
        self._begun: tuple[str, int] = "", 1
        self._outer: tuple[int, RecordKind, dict[str, str]] | None = None

    def start(self, path: list[str], attributes: dict[str, str]) -> None:
        name = path[-1]
        if not self._base:
            if name not in self._kinds or len(path) < 2:
                if name in self._scopes:
                    self._open.append(len(self.records.scopes))
                    self.records.scopes.append(RecordScope(name, _local(attributes), self.line))
                return
            self._kind = self._kinds[name]
            self._base, self._values = len(path), {}
            self._lists = {listed: [] for listed in self._kind.lists}
            self._begun = self.namespace, self.line
        elif name in self._kind.lists and self._outer is None:
            self._outer = self._base, self._kind, self._values
            self._base, self._values = len(path), {}
            self._kind = RecordKind(self._kind.lists[name])
        within = tuple(path[self._base :])
        for attribute, value in _local(attributes).items():
            if (field := _field(self._kind, within, f"@{attribute}")) is not None:
                self._values[field] = value

    def end(self, path: list[str], text: str) -> None:
        if not self._base:
            if path[-1] in self._scopes:
                self._open.pop()
            return
        if (field := _field(self._kind, tuple(path[self._base :]), "")) is not None:
            self._values[field] = text
        if len(path) > self._base:
            return
        row = tuple(self._values.get(name) for name in self._kind.fields)
        if self._outer is not None:
            self._base, self._kind, self._values = self._outer
            self._outer = None
            self._lists[path[-1]].append(row)
            return
        self._base = 0
        table = self.records.tables[self._kind.table or path[-1]]
        namespace, line = self._begun
        table.rows.append((*row, *(self._lists[name] for name in self._kind.lists)))
        table.scope.append(self._open[-1])
        table.namespaces.append(namespace)
        if self._kind.lined:
            table.lines.append(line)


def _local(attributes: dict[str, str]) -> dict[str, str]:
    """The attributes without their namespaces; of two with one name the one with a namespace."""
    plain = {name: value for name, value in attributes.items() if "}" not in name}
    others = {name.rpartition("}")[2]: v for name, v in attributes.items() if "}" in name}
    return {**plain, **others}
