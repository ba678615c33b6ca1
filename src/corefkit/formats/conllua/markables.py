"""Markables: openings that are closed, those of one name put together as fragments of one."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray
from corefkit.data.texts import quote
from corefkit.formats.conllua.brackets import Openings
from corefkit.formats.conllua.cells import Cells
from corefkit.formats.conllua.texts import Names, TextReader
from corefkit.formats.conllua.trouble import LayerTrouble

Fragment = tuple[int, int]
"""The first and the last token."""


@dataclass(frozen=True, eq=False)
class Markables:
    """The markables of a layer that are whole, by their first openings.

    Attributes:
        opening: int64 (markables,), the first opening of each.
        document, start, end: int64 (markables,), its document, first and last token.
        zero: int64 (markables,), 0, or the number of the zero that it stands on.
        fragments: of those that were opened several times, by their row: the tokens, ascending.
        row: int64 (openings,), the markable of each opening, −1 where it is of none.
        names: the MarkableIDs of all openings, by their documents.
    """

    opening: IntArray
    document: IntArray
    start: IntArray
    end: IntArray
    zero: IntArray
    fragments: dict[int, list[Fragment]]
    row: IntArray
    names: Names


class MarkableReader:
    """Makes markables of openings; those that make none are reported."""

    def __init__(
        self, reader: TextReader, cells: Cells, openings: Openings, trouble: LayerTrouble
    ) -> None:
        self._reader, self._cells, self._trouble = reader, cells, trouble
        self._openings = openings
        self._document = cells.document[openings.cell]
        self._names = Names(reader, self._document, openings.features["markable"])

    def read(self) -> Markables:
        """The markables."""
        cells, openings = self._cells, self._openings
        sound = self._closed() & self._with_entity()
        groups = self._repeated()
        first = sound.copy()
        for group in groups:
            first[group] = False
            first[group[0]] = sound[group].all() and not self._has_zero(group)
        opening = np.flatnonzero(first)
        row = np.where(first, np.cumsum(first) - 1, -1)
        start = cells.token[openings.cell[opening]]
        end = cells.token[openings.last[opening]]
        fragments = {}
        for group in groups:
            markable = row[group] = row[group[0]]
            if markable >= 0:
                bounds = openings.cell[group], openings.last[group]
                tokens = zip(*(cells.token[one].tolist() for one in bounds), strict=True)
                own = fragments[int(markable)] = sorted(tokens)
                start[markable], end[markable] = own[0][0], max(last for _, last in own)
        zero, document = cells.zero[openings.cell[opening]], self._document[opening]
        return Markables(opening, document, start, end, zero, fragments, row, self._names)

    def _closed(self) -> BoolArray:
        """The openings that are closed; on the same row if that is a zero."""
        cells, openings = self._cells, self._openings
        closed = openings.last >= 0
        for one in np.flatnonzero(~closed).tolist():
            begin, name = int(openings.cell[one]), self._text("markable", one)
            if cells.zero[begin]:
                self._tell("zero-in-mention", one, "starts", zero=self._zero(begin))
            else:
                variant = "named" if name else "nameless"
                self._tell("bracket-unclosed", one, variant, name=quote(name))
        if cells.zero.any():
            zero = (cells.zero[openings.cell] > 0) | (cells.zero[openings.last] > 0)
            for one in np.flatnonzero(closed & zero & (openings.cell != openings.last)).tolist():
                begin, end = int(openings.cell[one]), int(openings.last[one])
                where, verb = (begin, "starts") if cells.zero[begin] else (end, "ends")
                byte, document = int(cells.text.begin[where]), int(cells.document[where])
                zero_id = self._zero(where)
                self._trouble.tell("zero-in-mention", byte, document, verb, zero=zero_id)
                closed[one] = False
        return closed

    def _with_entity(self) -> BoolArray:
        entity = self._openings.features["entity"]
        found: BoolArray = entity.end > entity.begin
        for one in np.flatnonzero(~found).tolist():
            text = self._reader.one(self._openings.text, one)
            self._tell("feature-missing", one, found=text)
        return found

    def _repeated(self) -> list[list[int]]:
        """The openings of one MarkableID and one entity, where there are several."""
        groups = []
        for openings in self._names.repeated():
            if not self._text("markable", openings[0]):
                continue
            group = openings[:1]
            for one in openings[1:]:
                if self._text("entity", group[0]) != self._text("entity", one):
                    self._in_two(group[0], one)
                    groups.append(group)
                    group = []
                group.append(one)
            groups.append(group)
        return [group for group in groups if len(group) > 1]

    def _in_two(self, known: int, one: int) -> None:
        line = self._trouble.line_of(int(self._openings.byte[known]))
        name, first, second = (
            quote(self._text(*which))
            for which in (("markable", known), ("entity", known), ("entity", one))
        )
        self._tell(
            "markable-in-two-entities", one, name=name, first=first, first_line=line, second=second
        )

    def _has_zero(self, group: list[int]) -> bool:
        """Whether a fragment is a zero, which is reported."""
        cells, openings = self._cells, self._openings
        zeros = [one for one in group if cells.zero[openings.cell[one]]]
        for one in zeros:
            zero = self._zero(int(openings.cell[one]))
            name = quote(self._text("markable", one))
            self._tell("zero-in-mention", one, "fragment", name=name, zero=zero)
        return bool(zeros)

    def _zero(self, cell: int) -> str:
        """The id of the zero of a cell."""
        return self._reader.rows.text(int(self._cells.row[cell]), 0)

    def _text(self, feature: str, opening: int) -> str:
        return self._reader.one(self._openings.features[feature], opening)

    def _tell(self, kind: str, opening: int, variant: str = "", **details: Any) -> None:
        byte, document = int(self._openings.byte[opening]), int(self._document[opening])
        self._trouble.tell(kind, byte, document, variant, **details)
