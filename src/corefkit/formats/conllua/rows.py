"""The rows of a CoNLL-UA file, split line by line: tokens, zeros and objects, and the documents.

    # global.columns = ID FORM LEMMA … IDENTITY BRIDGING DISCOURSE_DEIXIS
    # newdoc id = tale
    1     The    …   (EntityID=3|MarkableID=m1|Min=2   _   _
    2     king   …   )                                 _   _
    2.1   _      …   (EntityID=3|MarkableID=m2)        _   _

A row such as 2.1 is a zero; one with the id 0 is an object, which is no part of the text.
"""

import re
from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.incidents import Collector
from corefkit.core.texts import quote
from corefkit.formats.kit.detection import describe, recognise
from corefkit.formats.kit.files import AS_THEY_ARE, LARGEST_CELL, largest_piece
from corefkit.formats.registry import title_of

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
    """A token or a zero.

    Attributes:
        line: its line, from 0.
        cells: its cells.
        document: the number of its document; −1 before the first.
        token: the number of the token, or of the last one before it; −1 if there is none.
        zero: the number of a zero after this token; 0 for the token itself.
    """

    line: int
    cells: list[str]
    document: int
    token: int
    zero: int


class Rows:
    """The rows of a file. Those of tokens and zeros, the *nodes*, are lists of equal length.

    Attributes:
        data: the bytes; line feeds replace carriage returns where lines end with these only.
        starts: the first byte of each line.
        blank: the blank lines, which end sentences.
        headers: the comments that name the columns.
        names, begin, sizes: of each document its name, its first byte, its number of tokens.
        line, cells, document, token, zero: of each node, see `NodeRow`.
    """

    def __init__(self, data: bytes, collector: Collector) -> None:
        if b"\n" not in data:
            data = data.replace(b"\r", b"\n")
        self.data, self._collector, self._known = data, collector, set[str]()
        self.starts: list[int] = []
        self.blank: list[int] = []
        self.headers: list[Header] = []
        self.names: list[str] = []
        self.begin: list[int] = []
        self.line: list[int] = []
        self.cells: list[list[str]] = []
        self.document: list[int] = []
        self.token: list[int] = []
        self.zero: list[int] = []
        outside = self._read_lines()
        if not self.names and not self.headers:
            collector.note("no-document", variant="newdoc", looks=_looks(data))
        elif outside is not None:
            collector.note("token-outside", variant="newdoc", at=outside + 1)
        last = dict(zip(self.document, self.token, strict=True))
        self.sizes = [last.get(document, -1) + 1 for document in range(len(self.names))]

    def _read_lines(self) -> int | None:
        """Read all lines; the result is the first row if it is before the first document."""
        outside: int | None = None
        document, token, zero = -1, -1, 0
        start = len(_BOM) * self.data.startswith(_BOM)
        for line, raw in enumerate(self.data[start:].split(b"\n")):
            self.starts.append(start)
            start += len(raw) + 1
            text = raw.strip(_BLANKS)
            if not text:
                self.blank.append(line)
                continue
            if text.startswith(b"#"):
                self._read_comment(text, line)
                if document < len(self.names) - 1:
                    document, token, zero = document + 1, -1, 0
                continue
            if document < 0 and outside is None:
                outside = line
            cells = text.decode("utf-8", AS_THEY_ARE).split("\t")
            if len(cells) == 1:
                cells = [cell for cell in cells[0].split(" ") if cell]
            if len(text) > LARGEST_CELL:
                self._check_size(cells, line)
            if "." in cells[0][:_LONGEST_ID]:
                zero += 1
            elif cells[0] != "0":
                token, zero = token + 1, 0
            else:  # an object
                continue
            self.line.append(line)
            self.cells.append(cells)
            self.document.append(document)
            self.token.append(token)
            self.zero.append(zero)
        return outside

    def _check_size(self, cells: list[str], line: int) -> None:
        if (size := largest_piece(cells)) > LARGEST_CELL:
            expected = f"at most {LARGEST_CELL:,} bytes"
            self._collector.note(
                "file-too-large", "cell", at=line + 1, size=size, expected=expected
            )

    def _read_comment(self, text: bytes, line: int) -> None:
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
        self.begin.append(self.starts[line])

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

    def sections(self, name: str) -> Iterator[tuple[int, int, int]]:
        """The nodes between two headers, from one to before another, and the place of a column."""
        ends = [bisect(self.line, header.line) for header in self.headers[1:]]
        for first, end in pairwise([0, *ends, len(self.line)]):
            if first < end:
                yield first, end, self.place(name, self.line[first])

    def column(self, name: str) -> list[str | None]:
        """The cell of each node in a column; None where it has none."""
        texts: list[str | None] = []
        for first, end, index in self.sections(name):
            texts += cells_at(index, self.cells[first:end])
        return texts

    def filled(self, name: str) -> Iterator[tuple[NodeRow, int]]:
        """The nodes of documents in which a column is not empty, and the place of the column."""
        for first, end, index in self.sections(name):
            for node, cell in enumerate(cells_at(index, self.cells[first:end]), first):
                if cell and cell != "_" and self.document[node] >= 0:
                    yield self.node(node), index

    def node(self, number: int) -> NodeRow:
        """A node."""
        return NodeRow(
            self.line[number],
            self.cells[number],
            self.document[number],
            self.token[number],
            self.zero[number],
        )

    def byte(self, row: NodeRow, index: int) -> int:
        """The first byte of a cell of a row."""
        start = self.starts[row.line]
        while self.data[start] in _BLANKS:
            start += 1
        before = "\t".join((*row.cells[:index], "")).encode("utf-8", AS_THEY_ARE)
        if self.data.startswith(before, start):
            return start + len(before)
        for cell in row.cells[:index]:  # blanks separate the cells, which are not empty
            text = cell.encode("utf-8", AS_THEY_ARE)
            start = self.data.index(text, start) + len(text)
        return self.data.index(row.cells[index].encode("utf-8", AS_THEY_ARE), start)


def cells_at(index: int, rows: Iterable[Sequence[str]]) -> list[str | None]:
    """The cell of each row at a place; None where it has none."""
    if index < 0:
        return [None for _ in rows]
    return [cells[index] if index < len(cells) else None for cells in rows]


def _looks(data: bytes) -> str:
    """A phrase for the appearance of a file that is not CoNLL-UA."""
    format = recognise(data)
    if format not in (None, "conllua"):
        return f"looks like {title_of(format)}"
    return f"is {describe(data)}"
