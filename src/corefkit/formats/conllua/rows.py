"""The rows of a CoNLL-UA file, split line by line: tokens, zeros and objects, and the documents.

    # global.columns = ID FORM LEMMA … IDENTITY BRIDGING DISCOURSE_DEIXIS
    # newdoc id = tale
    1     The    …   (EntityID=3|MarkableID=m1|Min=2   _   _
    2     king   …   )                                 _   _
    2.1   _      …   (EntityID=3|MarkableID=m2)        _   _

A row such as 2.1 is a zero; one with the id 0 is an object, which is no part of the text.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.incidents import Collector
from corefkit.core.texts import quote
from corefkit.formats.kit.detection import describe, recognise
from corefkit.formats.kit.files import AS_THEY_ARE, LARGEST_CELL, largest_piece

LAYERS = {"identity": "IDENTITY", "deixis": "DISCOURSE_DEIXIS"}
"""The names of the layers in options, and of their columns in files."""

OTHER_COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
"""The columns between the word and the layers, usually from column 2 on (counted from 0)."""

_USUAL = {
    name: at
    for at, name in enumerate((*OTHER_COLUMNS, "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS"), 2)
}
"""The places of columns in files without a header."""

_BLANKS, _BOM = b" \t\r", b"\xef\xbb\xbf"
_COMMENT = re.compile(
    rb"#[ \t]*(?:global\.columns[ \t]*=[ \t]*(.*)|newdoc\b(?:[ \t]+id[ \t]*=[ \t]*(.*))?)"
)
_LONGEST_ID = 24
"""A dot further on in the first cell does not mark a zero, as no number is that long."""


@frozen
class Header:
    """A `# global.columns` comment: its line, counted from 0, and the names of the columns."""

    line: int
    names: tuple[str, ...]


class NodeRow(NamedTuple):
    """A token, a zero or an object.

    Attributes:
        line: its line, from 0.
        line_start, start: the first byte of the line, and that of the first cell.
        cells: its cells.
        document: the number of its document; −1 before the first.
        token: the number of the token, or of the last one before it; −1 if there is none.
        zero: the number of a zero, or of the last one, after this token.
        sentence: the number of blank lines before it.
    """

    line: int
    line_start: int
    start: int
    cells: list[str]
    document: int
    token: int
    zero: int
    sentence: int

    @property
    def is_object(self) -> bool:
        """Whether it is neither a token nor a zero."""
        return self.cells[0] == "0"

    @property
    def is_zero(self) -> bool:
        """Whether it is a zero."""
        return "." in self.cells[0][:_LONGEST_ID]


class Rows:
    """The rows of a file.

    Attributes:
        data: the bytes; line feeds replace carriage returns where lines end with these only.
        rows: all of them, in order.
        headers: the comments that name the columns.
        names, begin, sizes: of each document its name, its first byte, its number of tokens.
    """

    def __init__(self, data: bytes, collector: Collector) -> None:
        if b"\n" not in data:
            data = data.replace(b"\r", b"\n")
        self.data, self._collector, self._known = data, collector, set[str]()
        self.rows: list[NodeRow] = []
        self.headers: list[Header] = []
        self.names: list[str] = []
        self.begin: list[int] = []
        self.sizes: list[int] = []
        self._token, self._zero, self._sentence = -1, 0, 0
        start = len(_BOM) * data.startswith(_BOM)
        for line, raw in enumerate(data[start:].split(b"\n")):
            text = raw.strip(_BLANKS)
            if not text:
                self._sentence += 1
            elif text.startswith(b"#"):
                self._read_comment(text, line, start)
            else:
                self._read_row(raw, text, line, start)
            start += len(raw) + 1
        if not self.names and not self.headers:
            collector.note("no-document", variant="newdoc", looks=_looks(data))
        elif self.rows and self.rows[0].document < 0:
            collector.note("token-outside", variant="newdoc", at=self.rows[0].line + 1)

    def _read_comment(self, text: bytes, line: int, start: int) -> None:
        match = _COMMENT.match(text)
        if match is None:
            return
        if match[1] is not None:
            names = match[1].decode("utf-8", "replace").split()
            self.headers.append(Header(line, tuple(names)))
            return
        name = (match[2] or b"").decode("utf-8", AS_THEY_ARE).strip()
        if not name:
            self._collector.note("document-unnamed", "id", at=line + 1, severity="error")
        elif name in self._known:
            values = {"name": quote(name), "document": name}
            self._collector.note("document-twice", "id", at=line + 1, **values)
        self._known.add(name)
        self.names.append(name or str(len(self.names) + 1))
        self.begin.append(start)
        self.sizes.append(0)
        self._token, self._zero = -1, 0

    def _read_row(self, raw: bytes, text: bytes, line: int, start: int) -> None:
        decoded = text.decode("utf-8", AS_THEY_ARE)
        tabs = "\t" in decoded
        cells = decoded.split("\t") if tabs else [cell for cell in decoded.split(" ") if cell]
        if len(text) > LARGEST_CELL and (size := largest_piece(cells)) > LARGEST_CELL:
            expected = f"at most {LARGEST_CELL:,} bytes"
            self._collector.note(
                "file-too-large", "cell", at=line + 1, size=size, expected=expected
            )
        if "." in cells[0][:_LONGEST_ID]:
            self._zero += 1
        elif cells[0] != "0":
            self._token, self._zero = self._token + 1, 0
            if self.names:
                self.sizes[-1] += 1
        first = start + len(raw) - len(raw.lstrip(_BLANKS))
        where = len(self.names) - 1, self._token, self._zero, self._sentence
        self.rows.append(NodeRow(line, start, first, cells, *where))

    @property
    def tokens(self) -> list[NodeRow]:
        """The rows of tokens."""
        return [row for row in self.rows if not row.is_object and not row.is_zero]

    @property
    def zeros(self) -> list[NodeRow]:
        """The rows of zeros."""
        return [row for row in self.rows if row.is_zero]

    def place(self, name: str, line: int) -> int:
        """The number of a column at a line; −1 if the header has another at its usual place.

        A header applies to the lines after it, the first one to those before it, too.
        """
        usual = _USUAL[name]
        if not self.headers:
            return usual
        before = [header for header in self.headers if header.line < line]
        names = (before or self.headers)[-1 if before else 0].names
        if name in names:
            return names.index(name)
        return usual if usual >= len(names) else -1

    def column(self, name: str) -> Iterator[tuple[NodeRow, int]]:
        """Each token and zero with the number of this column; −1 if it has none."""
        place, above = 0, -1
        for row in self.rows:
            if above < 0 or any(above < header.line < row.line for header in self.headers):
                place = self.place(name, row.line)
            above = row.line
            if not row.is_object:
                yield row, place if place < len(row.cells) else -1

    def filled(self, name: str) -> Iterator[tuple[NodeRow, str, int]]:
        """The rows of documents in which this column is not empty: row, cell, its first byte."""
        for row, place in self.column(name):
            if place >= 0 and row.cells[place] not in ("", "_") and row.document >= 0:
                yield row, row.cells[place], self.byte(row, place)

    def byte(self, row: NodeRow, place: int) -> int:
        """The first byte of a cell of a row."""
        before = "\t".join((*row.cells[:place], "")).encode("utf-8", AS_THEY_ARE)
        if self.data.startswith(before, row.start):
            return row.start + len(before)
        at = row.start  # blanks separate the cells, which are not empty
        for cell in row.cells[:place]:
            text = cell.encode("utf-8", AS_THEY_ARE)
            at = self.data.index(text, at) + len(text)
        return self.data.index(row.cells[place].encode("utf-8", AS_THEY_ARE), at)


def _looks(data: bytes) -> str:
    """A phrase for the appearance of a file that is not CoNLL-UA."""
    format = recognise(data)
    if format == "conll":
        return "looks like CoNLL-2012"
    if format is not None and format != "conllua":
        return f"looks like {format}"
    return f"is {describe(data)}"
