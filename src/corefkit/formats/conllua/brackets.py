"""The brackets of a layer: where markables open, with which features, and where they close."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.texts import quote
from corefkit.formats._kit.files import AS_THEY_ARE
from corefkit.formats.columns.buffer import strip
from corefkit.formats.conllua.texts import Cells, LayerTrouble, Marks, TextReader, Texts

FEATURES = {
    "entity": ("entityid",),
    "markable": ("markableid", "mentionid", "markable_id"),
    "min": ("min",),
    "elementof": ("elementof",),
}
"""The features that are read, and how they are written."""

_OPEN, _CLOSE = b"()"
_JOINTS = b"@ "
"""What may stand between brackets."""
_DEEPEST = 1 << 14
"""Depths below this are sorted as small integers, which is faster."""


@dataclass(frozen=True, eq=False)
class Openings:
    """The brackets that open, in the order of the file.

    Attributes:
        cell: int64 (openings,), the cell in which each stands.
        last: int64 (openings,), the cell in which it is closed; −1 where it never is.
        byte: int64 (openings,), where it is.
        text: what stands behind it.
        features: the values of FEATURES.
    """

    cell: IntArray
    last: IntArray
    byte: IntArray
    text: Texts
    features: dict[str, Texts]


class _Brackets(NamedTuple):
    """All brackets: their cells and places, whether they open, and the texts around each.

    `before` is empty where the bracket ends the features of an opening; so is `behind` where
    another bracket follows in the cell, but for those features.
    """

    cell: IntArray
    place: IntArray
    opens: BoolArray
    before: Texts
    behind: Texts


def read_brackets(reader: TextReader, cells: Cells, trouble: LayerTrouble) -> Openings:
    """The openings of a layer; brackets without a partner and text outside them are reported."""
    marks = reader.marks(cells.text)
    brackets = _brackets(reader, cells, marks)
    for cell, found in _outside(reader, cells, brackets):
        byte, document = int(cells.text.begin[cell]), int(cells.document[cell])
        trouble.tell("coreference-text", byte, document, "layer", found=found)
    features = reader.features(marks, cells.text, marks.byte == _OPEN, FEATURES)
    last = _partners(reader, cells, brackets, features["markable"], trouble)
    opening = np.flatnonzero(brackets.opens)
    text = brackets.behind.take(opening)
    return Openings(brackets.cell[opening], last, brackets.place[opening], text, features)


def _brackets(reader: TextReader, cells: Cells, marks: Marks) -> _Brackets:
    """All brackets of the cells."""
    some = np.flatnonzero(marks.byte <= _CLOSE)
    cell, place = marks.text[some], marks.place[some]
    opens = marks.byte[some] == _OPEN
    new = np.append(True, cell[1:] != cell[:-1])[: len(cell)]
    over = np.append(new[1:], True)[: len(cell)]
    features = np.append(False, opens)[:-1] & ~new
    begin = np.where(new, cells.text.begin[cell], np.append(0, place + 1)[:-1])
    end = np.where(over, cells.text.end[cell], np.append(place, 0)[1:])
    buffer = reader.rows.buffer
    before = strip(buffer, np.where(features, place, begin), place, _JOINTS)
    behind = strip(buffer, place + 1, np.where(opens | over, end, place + 1), _JOINTS)
    return _Brackets(cell, place, opens, Texts(*before), Texts(*behind))


def _outside(reader: TextReader, cells: Cells, brackets: _Brackets) -> list[tuple[int, str]]:
    """The cells with text that belongs to no bracket, and the text; mostly there are none."""
    before, behind = brackets.before, brackets.behind
    ahead = np.flatnonzero(brackets.opens & (before.end > before.begin))
    after = np.flatnonzero(~brackets.opens & (behind.end > behind.begin))
    bare = np.ones(len(cells.row), dtype=bool)
    bare[brackets.cell] = False
    alone = np.flatnonzero(bare)
    whole = strip(reader.rows.buffer, *cells.text.take(alone), _JOINTS)
    return sorted(
        (cell, text.decode("utf-8", AS_THEY_ARE))
        for where, texts in (
            (brackets.cell[ahead], before.take(ahead)),
            (brackets.cell[after], behind.take(after)),
            (alone, Texts(*whole)),
        )
        for cell, text in zip(where.tolist(), reader.bytes(texts), strict=True)
        if text
    )


def _partners(
    reader: TextReader, cells: Cells, brackets: _Brackets, names: Texts, trouble: LayerTrouble
) -> IntArray:
    """For each opening the cell in which it is closed; −1, and an incident, where it never is."""
    cell, opens = brackets.cell, brackets.opens
    named = ~opens & (brackets.before.end > brackets.before.begin)
    depth = np.cumsum(np.where(opens, 1, -1))
    document = cells.document[cell]
    over = np.diff(document, append=-1) != 0
    if named.any() or (len(depth) and depth.min() < 0) or depth[over].any():
        return _by_stack(reader, cells, brackets, names, trouble)
    # On one level openings and closings alternate.
    level = np.where(opens, depth, depth + 1)
    if depth.max(initial=0) < _DEEPEST:
        level = level.astype(np.int16)
    order = np.argsort(level, kind="stable")
    last = np.empty(len(cell), dtype=np.int64)
    last[order[0::2]] = cell[order[1::2]]
    return last[opens]


def _by_stack(
    reader: TextReader, cells: Cells, brackets: _Brackets, names: Texts, trouble: LayerTrouble
) -> IntArray:
    """Bracket by bracket, with a stack a document: for closings with names, and broken files."""
    opened, closed = reader.bytes(names), reader.bytes(brackets.before)
    last = np.full(len(opened), -1)
    stack, number, document = _Stack(), 0, -1
    rows = brackets.cell, cells.document[brackets.cell], brackets.opens, brackets.place
    columns = zip(*(column.tolist() for column in rows), closed, strict=True)
    for cell, own, opens, place, name in columns:
        if own != document:
            stack, document = _Stack(), own
        if opens:
            stack.push(number, opened[number])
            number += 1
        elif (found := stack.pop(name)) is not None:
            last[found] = cell
        else:
            variant = "named" if name else "nameless"
            quoted = quote(name.decode("utf-8", AS_THEY_ARE))
            trouble.tell("bracket-unopened", place, document, variant, name=quoted)
    return last


class _Stack:
    """The openings that wait for their closings; those with a name can be closed out of turn."""

    def __init__(self) -> None:
        self._waiting: list[int] = []
        self._named: dict[bytes, list[int]] = {}
        self._closed: set[int] = set()

    def push(self, opening: int, name: bytes) -> None:
        self._waiting.append(opening)
        if name:
            self._named.setdefault(name, []).append(opening)

    def pop(self, name: bytes) -> int | None:
        """The opening that is closed, the last one or the last of that name; None if none is."""
        waiting = self._named.get(name, []) if name else self._waiting
        while waiting:
            opening = waiting.pop()
            if opening not in self._closed:
                self._closed.add(opening)
                return opening
        return None
