"""What is wrong with a CoNLL file, as incidents. Nothing here runs fast, nor needs to."""

import codecs
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.incidents import LISTED, Collector, make_incident
from corefkit.data.texts import shorten
from corefkit.formats.conll.brackets import Brackets, Mentions
from corefkit.formats.conll.lines import Lines, find_byte
from corefkit.formats.detection import describe

_PIECE = 1 << 16
_CARRIAGE_RETURN = 13
_GAP = np.zeros(256, dtype=bool)
_GAP[list(b" \t")] = True


class _Unpaired(NamedTuple):
    """What is said of a bracket without a partner; {0} is its id."""

    kind: str
    found: str
    expected: str


_UNOPENED = _Unpaired(
    "bracket-unopened",
    "{0})",
    "({0} on an earlier line of the document, or ({0}) here",
)
_UNCLOSED = _Unpaired(
    "bracket-unclosed",
    "({0}",
    "{0}) on a later line of the document, or ({0}) here",
)


class Diagnosis:
    """Collects the incidents of one file; cells are numbered as the bracket reader did."""

    def __init__(
        self, path: str, lines: Lines, row: IntArray, column: IntArray, document: IntArray
    ) -> None:
        self.found = Collector(path)
        self._path, self._lines = path, lines
        self._row, self._column, self._document = row, column, document

    def file(self, outside: IntArray) -> None:
        """What concerns the file as a whole: no document, a document twice, stray lines, bytes."""
        lines = self._lines
        if not lines.names:
            self.found.add(
                make_incident(
                    "no-document",
                    file=self._path,
                    line=None if lines.data.strip() else 1,
                    found=describe(lines.data),
                    expected="a CoNLL file: '#begin document NAME', one token a line",
                )
            )
        elif len(outside):
            first = int(outside[0])
            self.found.add(
                make_incident(
                    "token-outside",
                    number=len(outside),
                    file=self._path,
                    line=first + 1,
                    found=self._text(first),
                    expected="tokens between '#begin document NAME' and '#end document'",
                )
            )
        self._repeated_names()
        if lines.names:
            self._carriage_returns()
            self._encoding()

    def brackets(self, brackets: Brackets, mentions: Mentions) -> None:
        """Cells that are not brackets, brackets without a partner."""
        stray = brackets.cell[mentions.stray].tolist()
        for cell in sorted({*brackets.malformed.tolist(), *stray}):
            self._malformed(cell)
        for cell in brackets.cell[mentions.continued].tolist():
            self._cell(
                cell,
                "id-without-bracket",
                expected="brackets only where a mention begins or ends",
            )
        for number in mentions.unopened:
            self._unpaired(brackets, number, _UNOPENED)
        for number in mentions.unclosed:
            self._unpaired(brackets, number, _UNCLOSED)

    def unseen(self, number: int) -> None:
        """Brackets that the reference scorer does not see, and so neither do we in its place."""
        if number:
            self.found.add(
                make_incident(
                    "ids-unseen",
                    number=number,
                    file=self._path,
                    expected="ids of digits, as the reference scorer wants them",
                )
            )

    def _unpaired(self, brackets: Brackets, number: int, what: _Unpaired) -> None:
        if self.found.full(what.kind):
            self.found.count(what.kind)
            return
        name = brackets.ids[int(brackets.id[number])][:200].decode("utf-8", "replace")
        shown = shorten(name, 30)
        self._cell(
            int(brackets.cell[number]),
            what.kind,
            entity=shown,
            place=int(brackets.place[number]),
            found=what.found.format(shown),
            expected=what.expected.format(shown),
        )

    def _cell_text(self, cell: int) -> str:
        start, end = int(self._column[cell]), int(self._lines.end[self._row[cell]])
        return shorten(self._lines.data[start : min(end, start + 400)].decode("utf-8", "replace"))

    def _malformed(self, cell: int) -> None:
        self._cell(
            cell,
            "coreference-text",
            expected="brackets such as (12, 12) or (12), joined by |; or one of - _ *",
        )

    def _cell(
        self,
        cell: int,
        kind: str,
        *,
        expected: str,
        found: str | None = None,
        place: int | None = None,
        **values: Any,
    ) -> None:
        """An incident in a cell, at its beginning or at a byte of the file."""
        if self.found.full(kind):
            self.found.count(kind)
            return
        row = int(self._row[cell])
        end = self._column[cell] if place is None else place
        before = self._lines.data[self._lines.start[row] : end]
        self.found.add(
            make_incident(
                kind,
                **values,
                file=self._path,
                line=row + 1,
                column=len(before.decode("utf-8", "replace")) + 1,
                document=self._lines.names[int(self._document[cell])],
                found=self._cell_text(cell) if found is None else found,
                expected=expected,
            )
        )

    def _repeated_names(self) -> None:
        for name, first, again in repeated(self._lines.names):
            begin = self._lines.begin
            self.found.add(
                make_incident(
                    "document-twice",
                    file=self._path,
                    line=int(begin[again]) + 1,
                    document=name,
                    found=f"the name of line {int(begin[first]) + 1} again",
                    expected="each document once; names are compared whole, parts included",
                )
            )

    def _carriage_returns(self) -> None:
        """Carriage returns in mid-line: some tools end lines with them, so a token may be lost."""
        lines = self._lines
        if b"\r" not in lines.data:
            return
        place = find_byte(lines.buffer, _CARRIAGE_RETURN)
        line = np.searchsorted(lines.start, place, side="right") - 1
        inner = (line >= 0) & (place > lines.start[line]) & (place < lines.end[line] - 1)
        place, line = place[inner], line[inner]
        alone = _GAP[lines.buffer[place - 1]] & _GAP[lines.buffer[place + 1]]  # a cell of its own
        for at, row in zip(place[~alone].tolist(), line[~alone].tolist(), strict=True):
            if self.found.full("carriage-return"):
                self.found.count("carriage-return", int((~alone).sum()) - LISTED)
                break
            before = lines.data[lines.start[row] : at].decode("utf-8", "replace")
            self.found.add(
                make_incident(
                    "carriage-return",
                    file=self._path,
                    line=row + 1,
                    column=len(before) + 1,
                    found=self._text(row),
                    expected="lines that all end with a line feed, with or without the return",
                )
            )

    def _encoding(self) -> None:
        data = self._lines.data
        offset = invalid_utf8(data)
        if offset is None:
            return
        self.found.add(
            make_incident(
                "not-utf8",
                file=self._path,
                line=data.count(b"\n", 0, offset) + 1,
                found=f"byte 0x{data[offset]:02x}",
                expected="UTF-8",
            )
        )

    def _text(self, row: int) -> str:
        return shorten(self._lines.text(row).decode("utf-8", "replace"))


def repeated(names: Iterable[str]) -> list[tuple[str, int, int]]:
    """Names that occur again: the name, its first place, the later place.

    >>> repeated(["a", "b", "a"])
    [('a', 0, 2)]
    """
    first: dict[str, int] = {}
    again = []
    for place, name in enumerate(names):
        if first.setdefault(name, place) != place:
            again.append((name, first[name], place))
    return again


def invalid_utf8(data: bytes) -> int | None:
    """The offset of the first byte that is not UTF-8, in pieces that fit into the cache."""
    if data.isascii():
        return None
    decoder = codecs.getincrementaldecoder("utf-8")()
    for at in range(0, len(data), _PIECE):
        piece = data[at : at + _PIECE]
        waiting = len(decoder.getstate()[0])
        if not waiting and piece.isascii():
            continue
        try:
            decoder.decode(piece, final=at + _PIECE >= len(data))
        except UnicodeDecodeError as error:
            return at - waiting + error.start
    return None
