"""CoNLL-2011/2012 files, as they occur in practice: only the last column is read.

    #begin document (tale); part 000
    tale   0   0   Once   RB   (S(ADVP*)   -   -   -   -   *    -
    tale   0   1      a   DT        (NP*   -   -   -   -   *   (1|(2)
    tale   0   2   king   NN          *)   -   -   -   -   *   1)

`(12` begins a mention, `12)` ends one, and `(12)` does both; `|` or `_` may separate them. Their
order inside a cell does not matter: one-token mentions are processed first, then openings, then
closings. Of nested mentions of one entity, the one opened last closes first. Some tools write a
bare `12` between `(12` and `12)`, to show that the mention continues; it is ignored.

Number-first columns are those of SemEval-2010, and CoNLL-U rows under '#begin document' (DEMOCRAT).
What can be asked of the tokens of a file, after it was read, is in `ConllSource`.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, distinct, ranks_of, starts_of_runs, stretches
from corefkit.core.brackets import find_spans
from corefkit.core.carriers import frozen
from corefkit.core.columns import Column, column_number
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, DataError
from corefkit.core.options import PLAIN, Reading
from corefkit.core.source import Source
from corefkit.core.text_pieces import TextPieces
from corefkit.formats.conll.incidents import ConllIncidents
from corefkit.formats.conll.lines import (
    NO_MARKS,
    Lines,
    lines_of,
    split_cells,
    split_columns,
    word_place,
)
from corefkit.formats.kit.files import AS_THEY_ARE

_SINGLE, _OPEN, _CLOSE, _BARE = range(4)
_KINDS = {(b"(", b")"): _SINGLE, (b"(", b""): _OPEN, (b"", b")"): _CLOSE, (b"", b""): _BARE}
_PIECE = re.compile(rb"(\(?)([^()|]+)(\)?)(\|?)|[()]")
_JOINT = re.compile(rb"(?<=\))_|_(?=\()")
_RANGE = re.compile(rb"\d+-\d+|\d+\.\d+")
"""The number of a row that is not a token."""

_Bracket = tuple[int, bytes, int]
"""Its kind, its id, and where it begins in the cell."""


def parse(data: bytes, path: str, reading: Reading = PLAIN, form: str = "conll") -> Corpus:
    """The corpus in the bytes of one file; its incidents are all problems of the file.

    Without `reading.all_columns` only the last column is read, and lines that have more or fewer
    columns than their neighbours are not reported.

    If there are errors, the corpus holds what could be read; it must not be scored. With
    `reading.ids` "digits", brackets with other ids and any other text are ignored.
    """
    lines = Lines(data)
    brackets, cells = find_brackets(lines)
    malformed, unseen = cells.malformed, 0
    if reading.ids == "digits":
        seen = _only_digits(brackets)
        unseen, brackets, malformed = len(brackets.cell) - len(seen.cell), seen, []
    pairs = pair_brackets(brackets, lines.token_document[cells.token])

    incidents = ConllIncidents(path, lines)
    incidents.check_file()
    stray = cells.places(brackets.cell[pairs.stray])
    incidents.check_cells([*malformed, *stray], cells.places(brackets.cell[pairs.continued]))
    incidents.check_unpaired(
        cells.brackets(brackets, pairs.unopened), cells.brackets(brackets, pairs.unclosed)
    )
    if unseen:
        expected = "ids of digits, as the reference scorer wants them"
        incidents.note("ids-unseen", number=unseen, expected=expected)
    incidents.check_lines(len(cells.token), reading, number_first=form != "conll")

    first, last = (cells.token[brackets.cell[side]] for side in (pairs.first, pairs.last))
    document = lines.token_document[first]
    tokens = np.bincount(lines.token_document, minlength=len(lines.names))
    before = np.cumsum(tokens) - tokens
    entity, ids = _entities(brackets, document, pairs.first)
    incidents.check_ids(brackets.ids, ids, entity, cells.token[brackets.cell[pairs.first]])
    source = ConllSource(
        path, lines.data, 0, len(lines.names), form, word_column=reading.get("word_column")
    )
    source.cache["lines"] = lines
    return Corpus(
        names=tuple(lines.names),
        tokens=tokens,
        document=document,
        start=first - before[document],
        end=last - before[document],
        entity=entity,
        labels=tuple(id.decode("utf-8", AS_THEY_ARE) for id in ids),
        sources=(source,),
        document_byte=lines.start[lines.begin],
        byte=cells.byte(brackets, pairs.first),
        line=lines.tokens[first] + 1,
        incidents=tuple(incidents),
    )


def read_cell(cell: bytes) -> list[_Bracket] | None:
    """The brackets of a cell: one-token mentions, then openings, closings and bare ids.

    None if the cell is malformed: each bracket must have an id, and each | must be between two
    brackets.

    >>> read_cell(b"12)|(3)(7")
    [(0, b'3', 4), (1, b'7', 7), (2, b'12', 0)]
    """
    if b"_" in cell:  # corefconversion joins by _, right after ")" or right before "("
        cell = _JOINT.sub(b"|", cell)
    if cell[:1] == b"|" or cell[-1:] == b"|" or b"||" in cell:
        return None
    brackets, place = [], 0
    for left, id, right, joint in _PIECE.findall(cell):
        if not id:
            return None
        brackets.append((_KINDS[left, right], id, place))
        place += len(left) + len(id) + len(right) + len(joint)
    return sorted(brackets, key=lambda bracket: bracket[0]) if place == len(cell) else None


class Brackets(NamedTuple):
    """All brackets of a file, by cell; within a cell: one-token mentions, openings, closings.

    Attributes:
        cell: int64 (brackets,), the number of the cell of each.
        kind: int64 (brackets,), what it does.
        id: int64 (brackets,), an index into `ids`.
        offset: int64 (brackets,), where it begins in its cell.
        ids: the distinct ids.
    """

    cell: IntArray
    kind: IntArray
    id: IntArray
    offset: IntArray
    ids: list[bytes]


class MarkedCells(NamedTuple):
    """The cells of a file that are not empty.

    Attributes:
        token: int64 (cells,), the token of each.
        row: int64 (cells,), its line, from 0.
        start: int64 (cells,), its first byte in the file.
        malformed: the line and the first byte of those that do not consist of brackets and ids.
    """

    token: IntArray
    row: IntArray
    start: IntArray
    malformed: list[tuple[int, int]]

    def places(self, numbers: IntArray) -> list[tuple[int, int]]:
        """The line and the first byte of some cells."""
        return [*zip(self.row[numbers].tolist(), self.start[numbers].tolist(), strict=True)]

    def byte(self, brackets: Brackets, numbers: IntArray) -> IntArray:
        """The first byte of some brackets."""
        byte: IntArray = self.start[brackets.cell[numbers]] + brackets.offset[numbers]
        return byte

    def brackets(self, brackets: Brackets, numbers: IntArray) -> list[tuple[int, int, bytes]]:
        """The line, the first byte and the id of some brackets."""
        row, byte = self.row[brackets.cell[numbers]], self.byte(brackets, numbers)
        ids = [brackets.ids[id] for id in brackets.id[numbers].tolist()]
        return [*zip(row.tolist(), byte.tolist(), ids, strict=True)]


def find_brackets(lines: Lines) -> tuple[Brackets, MarkedCells]:
    """The brackets of a file and their cells; each distinct cell is read once."""
    token = np.flatnonzero(lines.marked[lines.tokens])
    texts = lines.last_cells(lines.tokens[token])
    number = defaultdict[bytes, int](count().__next__)
    code = np.fromiter(map(number.__getitem__, texts), np.int64, len(texts))
    is_empty = np.array([text in NO_MARKS for text in number], bool)
    if is_empty.any():
        filled = ~is_empty[code]
        token, code = token[filled], code[filled]
    row = lines.tokens[token]
    length = np.array([*map(len, number)], np.int64)
    start = lines.end[row] - length[code]

    read = [
        None if empty else read_cell(text) for text, empty in zip(number, is_empty, strict=True)
    ]
    bad = np.array([brackets is None for brackets in read], bool)[code]
    malformed = [*zip(row[bad].tolist(), start[bad].tolist(), strict=True)]
    ids: dict[bytes, int] = {}
    table = [
        (kind, ids.setdefault(id, len(ids)), offset)
        for brackets in read
        for kind, id, offset in brackets or ()
    ]
    columns = np.array(table, np.int64).reshape(-1, 3)
    size = np.array([len(brackets or ()) for brackets in read], np.int64)
    expanded = stretches((np.cumsum(size) - size)[code], size[code])
    kind, id, offset = columns[expanded].T
    cell = np.repeat(np.arange(len(code)), size[code])
    return Brackets(cell, kind, id, offset, [*ids]), MarkedCells(token, row, start, malformed)


def _only_digits(brackets: Brackets) -> Brackets:
    """The brackets that the reference scorer reads: those whose id consists of ASCII digits."""
    digits = np.array([id.isdigit() for id in brackets.ids], dtype=bool)
    seen = digits[brackets.id] & (brackets.kind != _BARE)
    cell, kind, id, offset = (column[seen] for column in brackets[:4])
    return Brackets(cell, kind, id, offset, brackets.ids)


class PairedBrackets(NamedTuple):
    """The numbers of brackets, int64 (…,).

    Attributes:
        first, last: the first and the last bracket of each mention, in the order of the last ones.
        unopened, unclosed: brackets without a partner.
        continued, stray: bare ids inside a mention with the same id, and those elsewhere.
    """

    first: IntArray
    last: IntArray
    unopened: IntArray
    unclosed: IntArray
    continued: IntArray
    stray: IntArray


def pair_brackets(brackets: Brackets, document: IntArray) -> PairedBrackets:
    """Pair each closing bracket with the one of its id and document that was opened last.

    `document` (cells,) is that of each cell. Most ids have brackets that simply alternate, which
    are paired all at once; those that are nested, broken or bare are paired with a stack.
    """
    group = document[brackets.cell] * max(len(brackets.ids), 1) + brackets.id
    single = np.flatnonzero(brackets.kind == _SINGLE)
    rest = np.flatnonzero(brackets.kind != _SINGLE)
    rest = rest[np.argsort(group[rest], kind="stable")]
    begins = starts_of_runs(group[rest])
    size = np.diff(begins, append=len(rest))
    is_second = (np.arange(len(rest)) - np.repeat(begins, size)) % 2 > 0
    odd = np.repeat(size % 2 > 0, size)
    odd |= brackets.kind[rest] != np.where(is_second, _CLOSE, _OPEN)
    odd = np.repeat(np.logical_or.reduceat(odd, begins) if len(begins) else odd, size)
    simple = rest[~odd]
    stacks = _Stacks()
    columns = (rest[odd], group[rest[odd]], brackets.kind[rest[odd]])
    for number, of_group, kind in zip(*(column.tolist() for column in columns), strict=True):
        stacks.add(number, of_group, kind)
    stacks.finish()
    first = np.concatenate((single, simple[0::2], np.array(stacks.first, np.int64)))
    last = np.concatenate((single, simple[1::2], np.array(stacks.last, np.int64)))
    completed = np.argsort(last)
    others = (stacks.unopened, stacks.unclosed, stacks.continued, stacks.stray)
    return PairedBrackets(
        first[completed], last[completed], *(np.array(sorted(o), np.int64) for o in others)
    )


class _Stacks:
    """PairedBrackets the brackets of one group after the other; the lists hold their numbers."""

    def __init__(self) -> None:
        self.first: list[int] = []
        self.last: list[int] = []
        self.unopened: list[int] = []
        self.unclosed: list[int] = []
        self.continued: list[int] = []
        self.stray: list[int] = []
        self._group, self._open = -1, list[int]()
        self._bare: list[tuple[int, int | None]] = []

    def add(self, number: int, group: int, kind: int) -> None:
        """Process the next bracket."""
        if group != self._group:
            self.finish()
            self._group = group
        if kind == _OPEN:
            self._open.append(number)
        elif kind == _BARE:
            self._bare.append((number, self._open[-1] if self._open else None))
        elif self._open:
            self.first.append(self._open.pop())
            self.last.append(number)
        else:
            self.unopened.append(number)

    def finish(self) -> None:
        """End a group: what is open is never closed; a bare id must be in a completed mention."""
        self.unclosed += self._open
        never_closed = {None, *self._open}
        for number, around in self._bare:
            (self.stray if around in never_closed else self.continued).append(number)
        self._open, self._bare = [], []


def _entities(
    brackets: Brackets, document: IntArray, first: IntArray
) -> tuple[IntArray, list[bytes]]:
    """The entity of each mention, numbered in the order of first brackets, and their ids."""
    group = document * max(len(brackets.ids), 1) + brackets.id[first]
    entities = distinct(group)
    earliest = np.full(len(entities.values), len(brackets.cell))
    np.minimum.at(earliest, entities.inverse, first)
    order = np.argsort(earliest)
    ids = [brackets.ids[id] for id in brackets.id[earliest[order]].tolist()]
    return ranks_of(order)[entities.inverse], ids


def parse_number_first(data: bytes, path: str, reading: Reading) -> Corpus:
    """The corpus in a file of number-first columns; rows 21-22 (ranges) and 5.1 are skipped."""
    collector = Collector(path)
    plain = b"\n".join(_rows(data.split(b"\n"), collector))
    how = replace(
        reading.with_options(word_column=reading.get("word_column") or 2), all_columns=False
    )
    corpus = parse(plain, path, how, "semeval2010")
    return replace(corpus, incidents=(*corpus.incidents, *collector))


def _rows(lines: list[bytes], collector: Collector) -> Iterator[bytes]:
    """The lines, with a comment of the same length in place of each row that is not a token."""
    before, width = 0, 0
    for number, line in enumerate(lines, 1):
        text = line.strip(b" \t\r")
        if not text or text.startswith(b"#"):
            before = 0
            width = 0 if text.startswith((b"#begin", b"# begin")) else width
            yield line
            continue
        cells = split_cells(line.rstrip(b"\r") if b"\t" in text else text)
        if _RANGE.fullmatch(cells[0]):
            if b"(" in cells[-1] or b")" in cells[-1]:
                shown, expected = _text(cells[-1])[:40], "brackets on tokens only"
                collector.note("token-number", "bracket", at=number, found=shown, expected=expected)
            yield b"#" + b" " * (len(line) - 1)
            continue
        number_of_token = int(cells[0]) if cells[0].isdigit() and len(cells[0]) < 10 else None
        if cells[0].isdigit() and number_of_token != before + 1:
            shown = f"{_text(cells[0])[:20]} after {before}"
            collector.note("token-number", at=number, found=shown, expected=str(before + 1))
        before = before + 1 if number_of_token is None else number_of_token
        width = width or len(cells)
        if len(cells) != width:
            has, expected = f"{len(cells)} columns", f"{width} columns"
            collector.note("columns-differ", "document", at=number, found=has, expected=expected)
        yield line


def _text(cell: bytes) -> str:
    return cell.decode("utf-8", "replace")


@frozen(eq=False)
class ConllSource(Source):
    """A CoNLL file: its token columns, sentences and trees.

    `word_column` is the number of the column with the words, from 1; None: it is detected.
    """

    format: str = "conll"
    has_ids: bool = True
    word_column: int | None = None

    @property
    def lines(self) -> Lines:
        """The lines of the file."""
        return lines_of(self)

    def find_columns(self, names: Sequence[str | int], errors: str) -> list[Column]:
        """These columns, by name or number; DataError if a line lacks one.

        Lines are split once, however many columns are requested.
        """
        return split_columns(self.lines, self._placed(names), self.path, errors)

    def columns_at(self, tokens: IntArray, *names: str | int) -> list[Column]:
        """These columns of some tokens; only their lines are split, unless one lacks a column."""
        try:
            return split_columns(self.lines, self._placed(names), self.path, tokens=tokens)
        except DataError:
            return super().columns_at(tokens, *names)

    def words(self) -> TextPieces | None:
        """The words as pieces of the file; None if a line has none."""
        return self.once("words", self._words)

    def _words(self) -> TextPieces | None:
        words = self.lines.pieces(column_number(self._word_place()))
        return None if (words.end < 0).any() else words

    def _placed(self, names: Sequence[str | int]) -> Sequence[str | int]:
        if "word" not in names:
            return names
        place = self._word_place()
        return [place if name == "word" else name for name in names]

    def _word_place(self) -> int | str:
        return word_place(self.lines) if self.word_column is None else self.word_column - 1

    def sentences(self) -> IntArray:
        """int64 (tokens,): the sentence of each; blank lines and ends of documents end one."""
        return np.cumsum(self.lines.begins()) - 1

    def marks_sentences(self) -> bool:
        """Whether a blank line stands in a document."""
        lines = self.lines
        blank = np.flatnonzero(lines.end <= lines.start)
        return bool(
            (np.searchsorted(blank, lines.finish) > np.searchsorted(blank, lines.begin)).any()
        )

    def heads(self, begin: IntArray, end: IntArray) -> IntArray:
        """The head of each span that is a constituent of a tree, −1 for the others."""
        from corefkit.formats.conll.heads import HeadedTrees

        try:
            parse, tags = self.columns("parse", "pos")
        except DataError:  # a file of few columns has no trees
            return np.full(len(begin), -1, dtype=np.int64)
        trees = self.once(
            "trees", lambda: HeadedTrees(find_spans(parse, self.sentences())[0], tags)
        )
        return trees.heads(begin, end)

    def token_lines(self) -> IntArray:
        """int64 (tokens,): the line of each token."""
        return self.lines.tokens + 1

    def head_column(self) -> int | None:
        """The ninth column in SemEval-2010 files."""
        return 8 if self.format == "semeval2010" else None

    def glued_openings(self, after: IntArray) -> BoolArray:
        """Whether each of these bytes is an opening bracket."""
        if self.format == "semeval2010" or not self.data:
            return super().glued_openings(after)
        glued: BoolArray = self.lines.buffer.take(after, mode="clip") == ord("(")
        return glued
