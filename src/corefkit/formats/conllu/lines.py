"""The lines of a CoNLL-U file as arrays: comments, rows, blocks and documents.

Two kinds of comments are read: beginnings of documents and the declaration of attributes.
"""

import re
from functools import cached_property, partial

import numpy as np

from corefkit.core.arrays import ByteArray, IntArray, starts_of_runs
from corefkit.core.carriers import frozen
from corefkit.core.texts import shorten
from corefkit.formats.conll.lines import decode_name, line_bounds
from corefkit.formats.kit.row_incidents import RowIncidents

COLUMNS = 10
_TABS = COLUMNS - 1
ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(COLUMNS)
_TAB, _HASH, _BLANK = b"\t# "


@frozen(eq=False)
class ConlluLines:
    """The places and kinds of the lines of a file; lines count from 0.

    Attributes:
        data, buffer: the bytes, and the same as uint8.
        start, end: int64 (lines,), the bytes of each line without its line end.
        block: int64 (lines,), the block of each line, where blank lines separate blocks; a blank
            line has the number of the block before it (−1 at the beginning).
        comments: int64, the lines that begin with '#'.
        rows: int64 (rows,), the other lines that are not blank and have ten columns.
        odd: int64, the lines with another number of columns.
        tab: int64, the places of all tabs.
    """

    data: bytes
    buffer: ByteArray
    start: IntArray
    end: IntArray
    block: IntArray
    comments: IntArray
    rows: IntArray
    odd: IntArray
    tab: IntArray

    @cached_property
    def tabs(self) -> IntArray:
        """int64 (rows, 9): the places of the tabs of all rows."""
        first = np.searchsorted(self.tab, self.start[self.rows])
        tabs: IntArray = self.tab[first[:, None] + np.arange(_TABS)]
        return tabs

    def text(self, line: int) -> str:
        """The text of a line."""
        return self.data[self.start[line] : self.end[line]].decode("utf-8", "replace")

    def field(self, row: int, column: int) -> bytes:
        """A column of one of the `rows`."""
        first = int(self.tabs[row, column - 1]) + 1 if column else int(self.start[self.rows[row]])
        last = self.tabs[row, column] if column < MISC else self.end[self.rows[row]]
        return self.data[first : int(last)]

    def bounds(self, column: int, rows: IntArray) -> tuple[IntArray, IntArray]:
        """Where a column of some of the `rows` begins and ends, in bytes."""
        line = self.rows[rows]
        first = self.tabs[rows, column - 1] + 1 if column else self.start[line]
        return first, self.tabs[rows, column] if column < MISC else self.end[line]

    def cells(self, column: int, rows: IntArray) -> list[bytes]:
        """A column of some of the `rows`."""
        bounds = zip(*(bound.tolist() for bound in self.bounds(column, rows)), strict=True)
        return [self.data[start:end] for start, end in bounds]


def find_lines(data: bytes) -> ConlluLines:
    """Split the bytes into lines and tell comments, rows of ten columns and blank lines apart."""
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")  # as computers wrote text before 2001
    buffer = np.frombuffer(data, np.uint8)
    start, end = line_bounds(data, buffer)
    end = np.maximum(end, start)
    first = buffer.take(start, mode="clip") if data else np.zeros(1, np.uint8)
    filled = end > start
    for line in np.flatnonzero(filled & ((first == _BLANK) | (first == _TAB))).tolist():
        filled[line] = bool(data[start[line] : end[line]].strip())
    comment = filled & (first == _HASH)
    block = np.cumsum(filled & ~np.concatenate(([False], filled[:-1]))) - 1
    row = np.flatnonzero(filled & ~comment)
    tab = np.flatnonzero(buffer == _TAB)
    tabs = np.diff(np.searchsorted(tab, np.append(start, len(data))))
    whole = tabs[row] == _TABS
    return ConlluLines(
        data, buffer, start, end, block, np.flatnonzero(comment), row[whole], row[~whole], tab
    )


_NEWDOC = re.compile(rb"#\s*newdoc(?:\s+id\s*=\s*(.*?))?\s*")
_DECLARATION = re.compile(rb"#\s*global\.Entity\s*=\s*(.*?)\s*")
_USUAL = ("eid", "etype", "head")
_N, _G = b"ng"
DEFAULT = "eid-etype-head-other"


@frozen
class Declaration:
    """The names of attributes, in order; `line` is that of the comment, −1 if there is none."""

    names: tuple[str, ...]
    line: int = -1

    @cached_property
    def entity(self) -> int:
        """The place of the entity's id."""
        return self.names.index("eid") if "eid" in self.names else self._place("GRP")

    @property
    def local(self) -> bool:
        """Whether ids are local to their document."""
        return "eid" not in self.names

    @property
    def head(self) -> int:
        """The place of the head; −1 if it is not declared."""
        return self._place("head")

    @property
    def etype(self) -> int:
        """The place of the entity type; −1 if it is not declared."""
        return max(self._place("etype"), self._place("entity"))

    def _place(self, name: str) -> int:
        return self.names.index(name) if name in self.names else -1


@frozen(eq=False)
class Headers:
    """The documents of a file and its declaration.

    Attributes:
        names: the names of the documents.
        begin: int64 (documents,), the first line of each.
        block_document: int64 (blocks,), the document of each block of lines.
        declaration: the first one of the file, or the default.
    """

    names: tuple[str, ...]
    begin: IntArray
    block_document: IntArray
    declaration: Declaration


def find_headers(lines: ConlluLines, incidents: RowIncidents) -> Headers:
    """The documents and the declaration in the comments of a file; problems are reported."""
    candidates = _candidates(lines)
    begins, names = [], []
    declarations = []
    for line in candidates.tolist():
        text = lines.data[lines.start[line] : lines.end[line]]
        if match := _NEWDOC.fullmatch(text):
            begins.append(line)
            names.append(decode_name(match[1] or b""))
        elif match := _DECLARATION.fullmatch(text):
            declarations.append((line, match[1].decode("utf-8", "replace")))
    begin = np.array(begins, dtype=np.int64)
    blocks = int(lines.block[-1]) + 1 if len(lines.block) else 0
    first_row = _first_rows(lines, blocks)
    document = np.searchsorted(begin, first_row, side="right") - 1
    if (document[first_row < len(lines.start)] < 0).any():
        first = int(np.flatnonzero(lines.block == 0)[0])
        incidents.note("newdoc-missing", at=incidents.at_line(first))
        document, begin, names = document + 1, np.concatenate(([first], begin)), ["", *names]
    named = tuple(name or str(number) for number, name in enumerate(names, 1))
    return Headers(named, begin, document, _declaration(declarations, incidents))


def _candidates(lines: ConlluLines) -> IntArray:
    """The comments that may be `newdoc` or `global.Entity`, by a few of their bytes."""
    comments = lines.comments[lines.end[lines.comments] - lines.start[lines.comments] >= 7]
    start = lines.start[comments]
    second, third, sixth = (lines.buffer[start + place] for place in (1, 2, 5))
    paragraph = (third == _N) & (sixth == ord("p"))  # '# newpar'
    likely = (second == _N) | (second == _G) | (third == _N) | (third == _G)
    # Comments with several blanks after '#' are rare and always candidates.
    likely |= (third == ord(" ")) | (third == ord("\t"))
    candidates: IntArray = comments[likely & ~paragraph]
    return candidates


def _first_rows(lines: ConlluLines, blocks: int) -> IntArray:
    """The first line of each block that is not a comment; the number of lines if there is none."""
    first = np.full(blocks, len(lines.start), dtype=np.int64)
    rows = np.sort(np.concatenate((lines.rows, lines.odd))) if len(lines.odd) else lines.rows
    block = lines.block[rows]
    starts = starts_of_runs(block)
    first[block[starts]] = rows[starts]
    return first


def _declaration(declarations: list[tuple[int, str]], incidents: RowIncidents) -> Declaration:
    if not declarations:
        return Declaration(tuple(DEFAULT.split("-")))
    line, text = declarations[0]
    for other, again in declarations[1:]:
        if again != text:
            expected = f"{text}, as on line {line + 1:,}"
            incidents.note(
                "declaration-differs",
                at=incidents.at_line(other),
                found=partial(shorten, again),
                expected=expected,
            )
    names = text.split("-")
    if "" in names or len(set(names)) < len(names) or not {"eid", "GRP"} & set(names):
        incidents.note(
            "declaration-bad",
            at=incidents.at_line(line),
            found=partial(shorten, text),
            expected=DEFAULT,
        )
        names = names if {"eid", "GRP"} & set(names) else ["eid", *names[1:]]
        return Declaration(tuple(names), line)
    usual = [name for name in _USUAL if name in names]
    modern = ["eid" if n == "GRP" else "etype" if n == "entity" else n for n in names]
    if modern[: len(usual)] != usual and modern[: len(usual) + 1] != ["eid", *usual]:
        incidents.note(
            "declaration-order",
            at=incidents.at_line(line),
            found=partial(shorten, text),
            expected=DEFAULT,
        )
    return Declaration(tuple(names), line)
