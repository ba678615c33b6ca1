"""The values of MISC attributes, and the brackets in those of `Entity`.

    Entity=(e1-person-2-(e2[1/2]--1)e3)

A bracket holds values joined by hyphens, in the order of the declaration. One of them is the id of
the entity, which may mark part 1 of 2 of a mention, as in `(e5[1/2]-person-1-`.
"""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.carriers import frozen
from corefkit.formats.conllu.lines import ConlluLines

_PIECE = re.compile(rb"(\()?([^()]*)(\))?")
_ID = re.compile(rb"([^()|\s\[\]<>:,=-]+)(?:\[([1-9]\d{0,5})/([1-9]\d{0,5})\])?")


@frozen(eq=False)
class MiscValues:
    """The values of one MISC attribute: the row, the first byte and the end of each."""

    row: IntArray
    start: IntArray
    end: IntArray


def find_values(lines: ConlluLines, *names: bytes) -> list[MiscValues]:
    """For each name, the values of this attribute in MISC, including those of multiword tokens."""
    pattern = re.compile(rb"(?<=[\t|])(" + b"|".join(names) + rb")=([^|\t\n]*)")
    found: dict[bytes, list[tuple[int, int]]] = {name: [] for name in names}
    for match in pattern.finditer(lines.data):
        found[match[1]].append(match.span(2))
    return [_in_misc(lines, found[name]) for name in names]


def _in_misc(lines: ConlluLines, bounds: Sequence[tuple[int, int]]) -> MiscValues:
    """Those of some texts that are in the last column of a row."""
    start, end = np.array(bounds, np.int64).reshape(-1, 2).T
    row = np.searchsorted(lines.start[lines.rows], start, side="right") - 1
    row, start, end = (column[row >= 0] for column in (row, start, end))
    stop = lines.end[lines.rows[row]]
    inside = (start <= stop) & (start > lines.tabs[row, -1])
    return MiscValues(row[inside], start[inside], np.minimum(end, stop)[inside])


@frozen(eq=False)
class EntityId:
    """The id of an entity: its label, and its `[part/parts]`, 0 for ids without."""

    text: bytes
    label: str
    part: int
    parts: int


@frozen(eq=False)
class EntityBracket:
    """A bracket, or text between brackets, which has neither parenthesis.

    Attributes:
        number: its number in the file.
        row: the row that it is in.
        place, stop: its first byte and its end in the file.
        opens, closes: whether it begins with "(" and ends with ")".
        values: the values between the parentheses, which hyphens separate.
        id: the id, which is the first value of a closing bracket; None if it is malformed.
    """

    number: int
    row: int
    place: int
    stop: int
    opens: bool
    closes: bool
    values: list[bytes]
    id: EntityId | None

    def value(self, place: int) -> bytes:
        """The value at a place of the declaration; empty if it is left out."""
        return self.values[place] if 0 <= place < len(self.values) else b""

    @property
    def others(self) -> bytes:
        """The values after the first one, without empty values at the end."""
        return b"".join(b"-" + value for value in self.values[1:]).rstrip(b"-")


def find_brackets(data: bytes, values: MiscValues, entity: int = 0) -> list[EntityBracket]:
    """The brackets in the values, and the texts between them.

    `entity` is the place of the id among the values of an opening bracket.
    """
    ids: dict[bytes, EntityId | None] = {}
    brackets: list[EntityBracket] = []
    bounds = zip(*(c.tolist() for c in (values.row, values.start, values.end)), strict=True)
    for row, start, end in bounds:
        for first, stop, left, inner, right in _pieces(data, start, end):
            listed = inner.split(b"-")
            place = entity if left else 0
            name = listed[place] if place < len(listed) else b""
            if name not in ids:
                ids[name] = read_id(name)
            brackets.append(
                EntityBracket(len(brackets), row, first, stop, left, right, listed, ids[name])
            )
    return brackets


def _pieces(data: bytes, start: int, end: int) -> Iterator[tuple[int, int, bool, bytes, bool]]:
    """The pieces of a value: bounds, whether they open, what is inside, whether they close."""
    for match in _PIECE.finditer(data, start, end):
        if match[0]:
            yield *match.span(), match[1] is not None, match[2], match[3] is not None


def read_id(text: bytes) -> EntityId | None:
    """An id, with its part split off; None if it is malformed.

    >>> read_id(b"e1[2/3]")
    EntityId(text=b'e1[2/3]', label='e1', part=2, parts=3)
    >>> read_id(b"e<")
    """
    match = _ID.fullmatch(text)
    if match is None:
        return None
    part, parts = (int(match[2]), int(match[3])) if match[2] else (0, 0)
    if match[2] and not part <= parts > 1:
        return None
    return EntityId(text, match[1].decode("utf-8", "replace"), part, parts)
