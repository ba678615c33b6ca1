"""XML as records: elements that occur many times, each a row of the values that are asked for.

Programs write all elements of a kind in one way, or in a few. The patterns of these ways are
learned from the file, and find all rows without a call of Python for every tag, which is most of
the time of a reader. They are strict: a file that they read from its first to its last character
is sound XML. Any other file, with comments, say, or broken, goes to expat, which tells the same
rows, more slowly, and what is wrong.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.incidents import Collector
from corefkit.formats._kit.byte_columns import UnfitError
from corefkit.formats._kit.xml import ElementListener, walk

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


class RecordTable:
    """The records of one kind, in their order.

    Attributes:
        rows: the values of each.
        lines: where each begins.
        scope: the number of the innermost scope that is open there; −1 for none.
        namespaces: the namespace of each.
    """

    def __init__(self, kind: RecordKind) -> None:
        self._kind = kind
        self.rows: list[RecordRow] = []
        self.lines: list[int] = []
        self.scope: list[int] = []
        self.namespaces: list[str] = []

    @property
    def columns(self) -> list[Sequence[Any]]:
        """The values of each field and list."""
        width = len(self._kind.fields) + len(self._kind.lists)
        return [list(map(itemgetter(place), self.rows)) for place in range(width)]


class Records:
    """The records of a file by the names of their elements, and the scopes around them."""

    def __init__(self, kinds: Mapping[str, RecordKind]) -> None:
        self.tables = {kind.table or name: RecordTable(kind) for name, kind in kinds.items()}
        self.scopes: list[RecordScope] = []


def read_records(
    data: bytes, kinds: Mapping[str, RecordKind], scopes: Collection[str], found: Collector
) -> Records | None:
    """The records of a file; None, and an incident, where it is broken."""
    records = _Patterns(kinds, scopes).find(data)
    if records is not None:
        return records
    walker = _RecordWalker(kinds, scopes)
    return walker.records if walk(data, walker, found) else None


_NAME = r"[A-Za-z_][\w.-]*+(?::[A-Za-z_][\w.-]*+)?+"
_REFERENCE = r"&(?:amp|lt|gt|quot|apos|#[1-9]\d{0,5}|#x[1-9A-Fa-f][\dA-Fa-f]{0,4});"
_TEXT = rf"[^<&]*+(?:{_REFERENCE}[^<&]*+)*+"
_VALUE = rf'[^"<&\n\t]*+(?:{_REFERENCE}[^"<&\n\t]*+)*+'
_ATTRIBUTE = re.compile(rf'\s++({_NAME})="({_VALUE})"', re.ASCII)
_TAG = re.compile(
    rf'<(/?)({_NAME})((?:\s++{_NAME}="{_VALUE}")*+)\s*+(/?)>({_TEXT})',
    re.ASCII,
)
_PROLOG = re.compile(
    r'(?:<\?xml version="1\.0"(?: encoding="(?i:utf-8)")?(?: standalone="(?:yes|no)")?\s*\?>)?\s*'
    r'(?:<!DOCTYPE [A-Za-z_][\w.-]*(?: SYSTEM "[\w./:-]*")?\s*>)?\s*',
    re.ASCII,
)
_BLANKS = " \t\n"
"""What XML takes for such; CR is not there, and other white space is text."""
_DEEPEST = 200
_MOST_SHAPES = 60
_MOST_TAGS = 100_000
"""In a record from which a pattern is learned."""


class _Patterns:
    """Finds the records of a file by patterns that it learns."""

    def __init__(self, kinds: Mapping[str, RecordKind], scopes: Collection[str]) -> None:
        self._kinds, self._scopes = kinds, scopes
        self._records = Records(kinds)
        self._shapes: dict[str, list[_RecordShape]] = {}
        self._namespaces: dict[str, str] = {}
        self._starts: dict[str, list[int]] = {name: [] for name in self._records.tables}
        self._scope_starts: list[int] = []
        self._open = [-1]
        self._names: dict[str, tuple[str, str]] = {}

    def find(self, data: bytes) -> Records | None:
        """The records; None where some part of the file fits no pattern."""
        text = _sound_text(data)
        prolog = _PROLOG.match(text) if text is not None else None
        if text is None or prolog is None:
            return None
        try:
            self._find(text, prolog.end())
        except UnfitError:
            return None
        self._number_lines(text)
        return self._records

    def _find(self, text: str, at: int) -> None:
        open_names: list[str] = []
        after = ""
        while at < len(text):
            tag = _TAG.match(text, at)
            if tag is None or len(open_names) > _DEEPEST:
                raise UnfitError
            closes, raw, attributes, empty, after = tag.groups()
            if closes:
                if not open_names or open_names.pop() != raw or attributes or empty:
                    raise UnfitError
                if raw.rpartition(":")[2] in self._scopes:
                    self._open.pop()
            elif open_names and self._resolve(raw)[1] in self._kinds:
                at = self._take(text, at, raw)
                continue
            else:
                named = self._attributes(attributes, is_root=not open_names)
                self._begin(self._resolve(raw)[1], named, at, is_empty=bool(empty))
                if not empty:
                    open_names.append(raw)
            at = tag.end()
            if not open_names:
                break
        if at < len(text) or open_names or after.strip(_BLANKS):
            raise UnfitError

    def _begin(self, name: str, attributes: dict[str, str], at: int, *, is_empty: bool) -> None:
        """An element that is not a record begins."""
        if name in self._scopes:
            self._scope_starts.append(at)
            if not is_empty:
                self._open.append(len(self._records.scopes))
            self._records.scopes.append(RecordScope(name, attributes, 1))

    def _take(self, text: str, at: int, raw: str) -> int:
        """Take all records from a place on that look alike; the place behind them."""
        shapes = self._shapes.setdefault(raw, [])
        namespace, name = self._resolve(raw)
        kind = self._kinds[name]
        for number, shape in enumerate(shapes):
            if run := shape.take(text, at, lined=kind.lined):
                if number:
                    shapes.insert(0, shapes.pop(number))
                break
        else:
            shape = _learn(text, at, kind, self._resolve)
            shapes.insert(0, shape)
            run = shape.take(text, at, lined=kind.lined)
            if run is None or len(shapes) > _MOST_SHAPES:
                raise UnfitError
        rows, starts, end = run
        if text.find("&", at, end) >= 0:
            rows = [_decoded(row) for row in rows]
        table = self._records.tables[kind.table or name]
        table.rows += rows
        table.scope += [self._open[-1]] * len(rows)
        table.namespaces += [namespace] * len(rows)
        self._starts[kind.table or name] += starts
        return end

    def _number_lines(self, text: str) -> None:
        """Find the lines at which records and scopes begin."""
        breaks = _breaks(text)

        def lines(starts: list[int]) -> list[int]:
            found: list[int] = (np.searchsorted(breaks, starts) + 1).tolist()
            return found

        for name, starts in self._starts.items():
            if starts:
                self._records.tables[name].lines = lines(starts)
        numbers = lines(self._scope_starts) if self._scope_starts else []
        scopes = zip(self._records.scopes, numbers, strict=True)
        self._records.scopes = [RecordScope(name, own, line) for (name, own, _), line in scopes]

    def _attributes(self, text: str, *, is_root: bool) -> dict[str, str]:
        """The attributes of a tag by their names without prefixes."""
        if not text:
            return {}
        pairs = _ATTRIBUTE.findall(text)
        if len({name for name, _ in pairs}) < len(pairs):
            raise UnfitError
        if is_root:
            for name, value in pairs:
                prefix, _, other = name.partition(":")
                if prefix == "xmlns" and (not value or other in ("xml", "xmlns")):
                    raise UnfitError
                if prefix == "xmlns":
                    self._namespaces[other] = _unescaped(value)
            pairs = [pair for pair in pairs if pair[0].partition(":")[0] != "xmlns"]
        return {self._resolve(name, "")[1]: _unescaped(value) for name, value in pairs}

    def _resolve(self, raw: str, default: str | None = None) -> tuple[str, str]:
        """The namespace of a name, and the name without its prefix."""
        if default is None and raw in self._names:
            return self._names[raw]
        prefix, colon, name = raw.rpartition(":")
        if not colon:
            if name == "xmlns":
                raise UnfitError
            if default is not None:
                return default, name
            self._names[raw] = self._namespaces.get("", ""), name
            return self._names[raw]
        if prefix == "xml":
            return "xml", name
        if prefix not in self._namespaces:
            raise UnfitError
        return self._namespaces[prefix], name


def _sound_text(data: bytes) -> str | None:
    """The text of a file in UTF-8 with characters that XML may have; None for any other."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    buffer = np.frombuffer(data, dtype=np.uint8)
    if int(np.count_nonzero(buffer < 32)) != data.count(b"\n") + data.count(b"\t"):
        return None
    if b"]]>" in data or b"\xef\xbf\xbe" in data or b"\xef\xbf\xbf" in data:
        return None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return None


def _breaks(text: str) -> IntArray:
    """Where the text has line breaks."""
    units = text.encode("ascii") if text.isascii() else text.encode("utf-32-le")
    codes = np.frombuffer(units, dtype=np.uint8 if text.isascii() else np.dtype("<u4"))
    return np.flatnonzero(codes == ord("\n"))


def _unescaped(text: str) -> str:
    return _REFERENCES.sub(_character, text) if "&" in text else text


_REFERENCES = re.compile(r"&([^;]+);")
_MEANT = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'", "#10": "\n"}


def _character(reference: "re.Match[str]") -> str:
    name = reference[1]
    if name in _MEANT:
        return _MEANT[name]
    number = int(name[2:], 16) if name[1] == "x" else int(name[1:])
    control = number < 32 and number not in (9, 10, 13)
    if control or 0xD800 <= number < 0xE000 or number in (0xFFFE, 0xFFFF) or number > 0x10FFFF:
        raise UnfitError
    return chr(number)


def _decoded(row: RecordRow) -> RecordRow:
    return tuple(
        _unescaped(value)
        if isinstance(value, str)
        else value and [tuple(cell and _unescaped(cell) for cell in own) for own in value]
        for value in row
    )


class _RecordShape:
    """One way to write a record: its pattern, and which group is which field."""

    def __init__(self, kind: RecordKind) -> None:
        self._kind = kind
        self.place: dict[str, int] = {}
        self.groups = 0
        self.lists: dict[str, list[tuple[int, re.Pattern[str], _RecordShape]]] = {}
        self.pattern: re.Pattern[str] = _TAG

    def finish(self, pattern: str, plain: str = "") -> None:
        """The whole pattern is known, and without groups."""
        self.pattern = re.compile(pattern + _TEXT, re.ASCII)
        self._run = re.compile(f"(?:{plain}{_TEXT})++", re.ASCII) if plain else None
        # Behind the groups stand None, for what is not there, and "", for what is empty.
        outside = {_EMPTY: self.groups + 1, _NOTHING: self.groups}
        own = [self.place.get(name, _NOTHING) for name in self._kind.fields]
        self._order = [outside.get(place, place) for place in own]
        self._plain = not self._kind.lists and self._order == [*range(self.groups)]

    def take(
        self, text: str, at: int, *, lined: bool
    ) -> tuple[list[RecordRow], list[int], int] | None:
        """The rows from a place on, where they begin if they are lined, and the place behind."""
        if self._run is not None and self._plain and self.groups > 1 and not lined:
            if run := self._run.match(text, at):
                return self.pattern.findall(text, at, run.end()), [], run.end()
            return None
        groups, starts, match_at = [], [], self.pattern.match
        while match := match_at(text, at):
            groups.append(match.groups())
            starts.append(at)
            at = match.end()
        return (self.rows(groups), starts if lined else [], at) if groups else None

    def rows(self, groups: list[tuple[str, ...]]) -> list[RecordRow]:
        """The values of each record, from the groups of its pattern."""
        if self._plain:
            return groups
        more = (None, "")
        rows: list[RecordRow]
        if len(self._order) > 1:
            pick = itemgetter(*self._order)
            rows = [pick(own + more) for own in groups]
        else:
            rows = [tuple((own + more)[place] for place in self._order) for own in groups]
        if not self._kind.lists:
            return rows
        for name in self._kind.lists:
            column = [self._listed(name, own) for own in groups]
            rows = [(*row, listed) for row, listed in zip(rows, column, strict=True)]
        return rows

    def _listed(self, name: str, groups: tuple[str, ...]) -> list[RecordRow]:
        listed: list[RecordRow] = []
        for place, one, shape in self.lists.get(name, ()):
            listed += shape.rows([match.groups() for match in one.finditer(groups[place])])
        return listed


_NOTHING, _EMPTY = -1, -2


class _LearntElement:
    """An element of a record from which a pattern is learned."""

    def __init__(self, raw: str, path: tuple[str, ...], attributes: list[str], empty: bool) -> None:
        self.raw, self.path, self.attributes, self.empty = raw, path, attributes, empty
        self.children: list[_LearntElement] = []
        self.mixed = False

    @property
    def name(self) -> str:
        """Its name without its prefix."""
        return self.raw.rpartition(":")[2]


def _learn(
    text: str, at: int, kind: RecordKind, resolve: Callable[..., tuple[str, str]]
) -> _RecordShape:
    """The shape of the record at a place."""
    open_elements: list[_LearntElement] = []
    for _ in range(_MOST_TAGS):
        tag = _TAG.match(text, at)
        if tag is None:
            break
        closes, raw, attributes, empty, after = tag.groups()
        if closes:
            if not open_elements or open_elements[-1].raw != raw or attributes or empty:
                break
            element = open_elements.pop()
        else:
            names = [name for name, _ in _ATTRIBUTE.findall(attributes)]
            if len({resolve(name, "")[1] for name in names}) < len(names):
                break
            parent = open_elements[-1] if open_elements else None
            path = () if parent is None else (*parent.path, resolve(raw)[1])
            element = _LearntElement(raw, path, names, bool(empty))
            if parent is not None:
                parent.children.append(element)
            if not empty:
                open_elements.append(element)
        if not open_elements:
            shape = _RecordShape(kind)
            plain = "" if kind.lined else _pattern(element, kind, None)
            shape.finish(_pattern(element, kind, shape), plain)
            return shape
        if len(open_elements) > _DEEPEST:
            break
        open_elements[-1].mixed |= bool(after.strip(_BLANKS))
        at = tag.end()
    raise UnfitError


def _pattern(element: _LearntElement, kind: RecordKind, shape: _RecordShape | None) -> str:
    """The pattern of an element; what is asked for becomes groups of the shape, if there is one."""
    parts = [f"<{re.escape(element.raw)}"]
    for raw in element.attributes:
        field = _field(kind, element.path, "@" + raw.rpartition(":")[2])
        parts.append(rf'\s++{re.escape(raw)}="{_group(_VALUE, field, shape)}"')
    field = _field(kind, element.path, "")
    if element.empty:
        if field is not None and shape is not None:
            _put(shape, field, _EMPTY)
        return "".join([*parts, r"\s*+/>"])
    parts.append(r"\s*+>")
    if not element.children:
        parts.append(_group(_TEXT, field, shape))
    elif element.mixed or field is not None:
        raise UnfitError
    else:
        parts.append(r"\s*+")
        for name, group in groupby(element.children, key=lambda child: child.name):
            children = list(group)
            if name in kind.lists:
                parts.append(_run(name, children, kind, shape))
            elif len(children) > 1 and not any(_is_asked(child, kind) for child in children):
                alike = {_pattern(child, kind, None) for child in children}
                parts.append(rf"(?:(?:{'|'.join(sorted(alike))})\s*+)++")
            else:
                parts += [rf"{_pattern(child, kind, shape)}\s*+" for child in children]
    return "".join([*parts, rf"</{re.escape(element.raw)}\s*+>"])


def _run(
    name: str, children: list[_LearntElement], kind: RecordKind, shape: _RecordShape | None
) -> str:
    """The pattern of elements of a list, one or more."""
    own = RecordKind(kind.lists[name])
    for child in children:
        _begin_at(child, len(child.path))
    patterns = {_pattern(child, own, None) for child in children}
    if len(patterns) > 1:
        raise UnfitError
    run = rf"(?:{patterns.pop()}\s*+)++"
    if shape is None:
        return run
    inner = _RecordShape(own)
    inner.finish(_pattern(children[0], own, inner))
    shape.lists.setdefault(name, []).append((shape.groups, inner.pattern, inner))
    shape.groups += 1
    return f"({run})"


def _is_asked(element: _LearntElement, kind: RecordKind) -> bool:
    """Whether a field, or a list, is in an element."""
    names = ["", *("@" + raw.rpartition(":")[2] for raw in element.attributes)]
    return (
        any(_field(kind, element.path, name) is not None for name in names)
        or element.name in kind.lists
        or any(_is_asked(child, kind) for child in element.children)
    )


def _begin_at(element: _LearntElement, depth: int) -> None:
    """Let the path of an element of a list, and of those in it, begin with it."""
    element.path = element.path[depth:]
    for child in element.children:
        _begin_at(child, depth)


def _field(kind: RecordKind, path: tuple[str, ...], more: str) -> str | None:
    """The field of an element, or of its attribute `more`, by the end of its path."""
    if not path:
        return more if more in kind.fields else None
    for length in range(1, len(path) + 1):
        if (name := "/".join(path[-length:]) + more) in kind.fields:
            return name
    return None


def _group(pattern: str, field: str | None, shape: _RecordShape | None) -> str:
    if field is None or shape is None:
        return pattern
    _put(shape, field, shape.groups)
    shape.groups += 1
    return f"({pattern})"


def _put(shape: _RecordShape, field: str, place: int) -> None:
    if field in shape.place:
        raise UnfitError
    shape.place[field] = place


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
