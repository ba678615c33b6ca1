"""The documents, sentences, words and empty nodes of a CorefUD file.

numpy finds the rows; only cells that are asked for are cut out of the file.

    # newdoc id = drawer
    # global.Entity = eid-etype-head-other
    # sent_id = drawer-1
    1     Nela    Nela   PROPN   NNP   _   2   nsubj   _       Entity=(e1-person-1)
    2     found   find   VERB    VBD   _   0   root    _       _
    2.1   _       _      _       _     _   _   _       2:obj   Entity=(e2)

Words are numbered from 1 in each sentence; 2.1 and 2.2 are empty nodes after word 2; 3-4 is a
multiword token, which precedes word 3. Blank lines end sentences.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property, partial
from itertools import count
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, byte_table, starts_of_runs
from corefkit.core.carriers import frozen
from corefkit.core.corpus import BEFORE_SENTENCE
from corefkit.core.incidents import Collector, Place
from corefkit.core.links import ROOT
from corefkit.core.names import repeated
from corefkit.core.nodes import Node
from corefkit.core.texts import shorten
from corefkit.formats.conll.lines import line_bounds
from corefkit.formats.kit.detection import describe
from corefkit.formats.kit.files import AS_THEY_ARE, LARGEST_CELL, largest_piece

COLUMNS = 10
ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(COLUMNS)
DEFAULT = "eid-etype-head-other"
NO_NODE = -1

_BOM = b"\xef\xbb\xbf"
_BLANKS = b" \t\r\v\f"
_IS_BLANK = byte_table(_BLANKS)
_NEWDOC = re.compile(rb"#\s*newdoc(?:\s+id\s*=\s*(.*?))?\s*")
_DECLARATION = re.compile(rb"#\s*global\.Entity\s*=\s*(.*?)\s*")
_NEWPAR = re.compile(rb"#\s*newpar\b")
SENT_ID = b"# sent_id"
_USUAL = ("eid", "etype", "head")
_WORD = re.compile(rb"[1-9][0-9]{0,8}")
_EMPTY = re.compile(rb"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,5})")
_RANGE = re.compile(rb"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_REFERENCE = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?")
_Problem = tuple[int, str, int, str, dict[str, Any]]
"""The line at which it is noticed, its kind, the line that is shown, its variant and details."""


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

    @cached_property
    def head(self) -> int:
        """The place of the head; −1 if it is not declared."""
        return self._place("head")

    @cached_property
    def etype(self) -> int:
        """The place of the entity type; −1 if it is not declared."""
        return max(self._place("etype"), self._place("entity"))

    def _place(self, name: str) -> int:
        return self.names.index(name) if name in self.names else -1


class ConlluRow(NamedTuple):
    """A line of ten columns.

    Attributes:
        line: its number, from 0.
        text: the line; it is split into cells only on demand.
        node: its number among the words and empty nodes of the file; NO_NODE for multiword tokens
            and malformed ids.
        document, sentence: the numbers of its document and of its sentence.
        token, zero: the node as in a Corpus: the number of the word in its document and 0, or that
            of the word before an empty node and the number of the empty node there.
    """

    line: int
    text: str
    node: int
    document: int
    sentence: int
    token: int
    zero: int

    @property
    def cells(self) -> list[str]:
        """Its columns."""
        return self.text.split("\t")

    @property
    def form(self) -> str:
        """The second of them."""
        return self.text.split("\t", 2)[FORM]

    @property
    def misc(self) -> str:
        """The last of them."""
        return self.text[self.text.rindex("\t") + 1 :]

    @property
    def place(self) -> Node:
        """The node as in a Corpus."""
        return self.token, self.zero


def cut(data: bytes, start: IntArray, end: IntArray) -> list[bytes]:
    """The pieces of the bytes with these bounds."""
    bounds = zip(start.tolist(), end.tolist(), strict=True)
    return [data[first:stop] for first, stop in bounds]


class NodeColumns(NamedTuple):
    """Some fields of all rows, int64 (rows,), named as in ConlluRow."""

    line: IntArray
    node: IntArray
    document: IntArray
    sentence: IntArray
    token: IntArray
    zero: IntArray


class ConlluFile:
    """A file; lines, documents, sentences, rows and nodes count from 0.

    Attributes:
        data: its bytes; line feeds replace carriage returns where lines end with these only.
        start, end: int64 (lines,), the bytes of each line without its line end.
        names, begin: the name of each document, and its first line.
        sizes: how many words each document has.
        columns: the rows of ten columns, in order.
        row_of_node: int64 (nodes,), the rows that are words and empty nodes.
        is_range: bool (rows,), whether each row is a multiword token.
        document_of_sentence: int64 (sentences,), the document of each; −1 if it has no rows.
        words_of_sentence: int64 (sentences,), how many words each has.
        declaration: the first one of the file, or the default.
        incidents: the problems of lines, ids, sentences and documents, and those noted later.
    """

    def __init__(self, data: bytes, path: str) -> None:
        if b"\n" not in data:
            data = data.replace(b"\r", b"\n")  # as computers wrote text before 2001
        self.data, self.incidents = data, Collector(path)
        self.start, self.end = line_bounds(data, np.frombuffer(data, np.uint8))
        filled, self._is_comment = self._kinds_of_lines()
        begins = filled & ~np.append(False, filled[:-1])
        self._sentence_of_line: IntArray = np.cumsum(begins) - 1
        self._first_line: IntArray = np.flatnonzero(begins)
        self._problems: list[_Problem] = []

        self.names: list[str] = []
        self.begin: list[int] = []
        for line, text in self._comments(b"newdoc"):
            if match := _NEWDOC.fullmatch(text):
                self.names.append((match[1] or b"").decode("utf-8", AS_THEY_ARE).strip())
                self.begin.append(line)
        lines = np.flatnonzero(filled & ~self._is_comment)
        self.document_of_sentence = self._documents(lines)
        row_lines = self._find_rows(lines)
        sentence = self._sentence_of_line[row_lines]
        ids = _Ids(self.cells(ID), sentence)
        document = self.document_of_sentence[sentence]
        words = np.cumsum(ids.is_word)
        of_documents = np.bincount(document[ids.is_word], minlength=len(self.names))
        self.sizes: list[int] = of_documents.tolist()
        token = words - 1 - (np.cumsum(of_documents) - of_documents)[document]
        is_node = ids.is_word | (ids.zero > 0)
        node = np.where(is_node, np.cumsum(is_node) - 1, NO_NODE)
        self.columns = NodeColumns(row_lines, node, document, sentence, token, ids.zero)
        self.row_of_node: IntArray = np.flatnonzero(is_node)
        self.is_range = ids.is_range
        self.words_of_sentence = np.bincount(sentence[ids.is_word], minlength=len(self._first_line))
        self._check_rows(ids)
        for problem in sorted(self._problems, key=itemgetter(0)):
            _, kind, line, variant, details = problem
            self.note(kind, line, variant, **details)
        self.declaration = self._declared()
        self._check()

    def _kinds_of_lines(self) -> tuple[BoolArray, BoolArray]:
        """bool (lines,): whether each line is not blank, and whether it is a comment."""
        filled = self.end > self.start
        first = np.frombuffer(self.data or b"\n", np.uint8).take(self.start, mode="clip")
        for line in np.flatnonzero(filled & _IS_BLANK[first]).tolist():
            filled[line] = bool(self.data[self.start[line] : self.end[line]].strip(_BLANKS))
        return filled, filled & (first == ord("#"))

    def _texts(self, lines: IntArray) -> list[bytes]:
        """These lines without their line ends."""
        return cut(self.data, self.start[lines], self.end[lines])

    def _comments(self, word: bytes) -> Iterator[tuple[int, bytes]]:
        """The comments that contain a word, with their lines."""
        found = np.array([match.start() for match in re.finditer(word, self.data)], np.int64)
        lines = np.unique(np.searchsorted(self.start, found, "right") - 1)
        lines = lines[self._is_comment[lines]]
        return zip(lines.tolist(), self._texts(lines), strict=True)

    def begin_with(self, lines: IntArray, text: bytes) -> BoolArray:
        """bool (lines,): whether these lines begin with a text."""
        first = self.start[lines, None] + np.arange(len(text))
        found = np.frombuffer(self.data, np.uint8).take(first, mode="clip")
        fits = self.end[lines] - self.start[lines] >= len(text)
        same: BoolArray = fits & (found == np.frombuffer(text, np.uint8)).all(axis=1)
        return same

    @cached_property
    def sentence_lines(self) -> IntArray:
        """int64 (sentences,): the line of the first sent_id of each, or else its first line."""
        comments = np.flatnonzero(self._is_comment)
        named = comments[self.begin_with(comments, SENT_ID)]
        sentence, first = np.unique(self._sentence_of_line[named], return_index=True)
        lines = self._first_line.copy()
        lines[sentence] = named[first]
        return lines

    def _documents(self, lines: IntArray) -> IntArray:
        """int64 (sentences,): the document of each, −1 if it has comments only.

        `lines` are neither blank nor comments. Documents without a name get their number.
        """
        sentence = self._sentence_of_line[lines]
        begins = starts_of_runs(sentence)
        if len(lines) and not (self.begin and self.begin[0] < lines[0]):
            first = int(self._first_line[0])
            self._add_problem(int(lines[0]), "newdoc-missing", first)
            self.names.insert(0, "")
            self.begin.insert(0, first)
        self.names = [name or str(number) for number, name in enumerate(self.names, 1)]
        document = np.full(len(self._first_line), -1)
        document[sentence[begins]] = np.searchsorted(self.begin, lines[begins], "right") - 1
        return document

    def _find_rows(self, lines: IntArray) -> IntArray:
        """Those of the lines that have ten columns of possible sizes; the others are reported."""
        self._tabs = np.flatnonzero(np.frombuffer(self.data, np.uint8) == ord("\t"))
        first_tab = np.searchsorted(self._tabs, self.start[lines])
        number = np.searchsorted(self._tabs, self.end[lines]) - first_tab + 1
        whole = number == COLUMNS
        for at in np.flatnonzero(self.end[lines] - self.start[lines] > LARGEST_CELL).tolist():
            line = int(lines[at])
            text = self.text(line)
            if (
                len(text) > LARGEST_CELL
                and (size := largest_piece(text.split("\t"))) > LARGEST_CELL
            ):
                whole[at], number[at] = False, COLUMNS
                expected = f"at most {LARGEST_CELL:,} bytes"
                self._add_problem(
                    line, "file-too-large", line, "cell", size=size, expected=expected
                )
        for at in np.flatnonzero(number != COLUMNS).tolist():
            line, found = int(lines[at]), int(number[at])
            expected = "ten, separated by tabs"
            self._add_problem(line, "columns", line, number=found, expected=expected)
        self._first_tab = first_tab[whole]
        self._row_start, self._row_end = self.start[lines[whole]], self.end[lines[whole]]
        rows: IntArray = lines[whole]
        return rows

    def _check_rows(self, ids: "_Ids") -> None:
        """Report wrong ids, sentences without words and comments below rows."""
        line, sentence = self.columns.line, self.columns.sentence
        last_line = np.append(self._first_line[1:] - 1, len(self.start))
        for row, expected in ids.wrong():
            at = int(line[row])
            self._add_problem(at, "id-bad", at, expected=expected)
        for row, expected in ids.unfinished(self.words_of_sentence):
            end = int(last_line[sentence[row]])
            self._add_problem(end, "id-bad", int(line[row]), expected=expected)
        for empty in np.flatnonzero(self.words_of_sentence == 0).tolist():
            line_of_name = int(self.sentence_lines[empty])
            self._add_problem(int(last_line[empty]), "sentence-empty", line_of_name)
        first_row = np.full(len(self._first_line), len(self.start))
        begins = starts_of_runs(sentence)
        first_row[sentence[begins]] = line[begins]
        comments = np.flatnonzero(self._is_comment)
        below = comments > first_row[self._sentence_of_line[comments]]
        for at in comments[below].tolist():
            self._add_problem(at, "comment-misplaced", at)

    def _add_problem(
        self, noticed: int, kind: str, line: int, variant: str = "", **details: Any
    ) -> None:
        """Keep a problem that is noticed at one line and shown at another."""
        self._problems.append((noticed, kind, line, variant, details))

    def _declared(self) -> Declaration:
        found = [
            (line, match[1].decode("utf-8", AS_THEY_ARE))
            for line, comment in self._comments(rb"global\.Entity")
            if (match := _DECLARATION.fullmatch(comment))
        ]
        if not found:
            return Declaration(tuple(DEFAULT.split("-")))
        (line, text), *others = found
        for other, again in others:
            if again != text:
                expected = f"{text}, as on line {line + 1:,}"
                self.note("declaration-differs", other, found=shorten(again), expected=expected)
        names = text.split("-")
        if "" in names or len(set(names)) < len(names) or not {"eid", "GRP"} & set(names):
            self.note("declaration-bad", line, found=shorten(text), expected=DEFAULT)
            names = names if {"eid", "GRP"} & set(names) else ["eid", *names[1:]]
            return Declaration(tuple(names), line)
        usual = [name for name in _USUAL if name in names]
        modern = ["eid" if n == "GRP" else "etype" if n == "entity" else n for n in names]
        if modern[: len(usual)] != usual and modern[: len(usual) + 1] != ["eid", *usual]:
            self.note("declaration-order", line, found=shorten(text), expected=DEFAULT)
        return Declaration(tuple(names), line)

    def _check(self) -> None:
        """Report names that documents share, and a file without documents."""
        for name, first, again in repeated(self.names):
            expected = f"another name than on line {self.begin[first] + 1:,}"
            self.note("document-twice", self.begin[again], document=name, expected=expected)
        if not self.names:
            expected = "a CoNLL-U file: '# newdoc id = NAME', one node per line"
            looks = shorten(describe(self.data))
            self.note("no-document", 0, "sentence", found=looks, expected=expected)

    def note(
        self, kind: str, line: int, variant: str = "", byte: int | None = None, **details: Any
    ) -> None:
        """Note an incident at a line, counted from 0, and perhaps at one of its bytes."""
        self.incidents.note(kind, variant, partial(self._place, line, byte), **details)

    def _place(self, line: int, byte: int | None) -> Place:
        column = None
        if byte is not None:
            column = len(self.data[self.start[line] : byte].decode("utf-8", AS_THEY_ARE)) + 1
        return Place(None, line + 1, column, None, shorten(self.text(line)) or None)

    def text(self, line: int) -> str:
        """A line without its line end."""
        return self.data[self.start[line] : self.end[line]].decode("utf-8", AS_THEY_ARE)

    def bounds(self, column: int, rows: IntArray | None = None) -> tuple[IntArray, IntArray]:
        """int64 (rows,): the bytes of a column of these rows, or of all."""
        chosen = slice(None) if rows is None else rows
        tab = self._first_tab[chosen] + column
        start = self._row_start[chosen] if column == ID else self._tabs[tab - 1] + 1
        return start, self._row_end[chosen] if column == MISC else self._tabs[tab]

    def cells(self, column: int, rows: IntArray | None = None) -> list[bytes]:
        """A column of these rows, or of all."""
        return cut(self.data, *self.bounds(column, rows))

    def rows_at(self, rows: IntArray) -> list[ConlluRow]:
        """These rows, given by their numbers."""
        line, *others = (column[rows] for column in self.columns)
        texts = (text.decode("utf-8", AS_THEY_ARE) for text in self._texts(line))
        return [*map(ConlluRow, line.tolist(), texts, *(column.tolist() for column in others))]

    @cached_property
    def rows(self) -> list[ConlluRow]:
        """All rows."""
        return self.rows_at(np.arange(len(self.columns.line)))

    @cached_property
    def nodes(self) -> list[ConlluRow]:
        """The rows of words and empty nodes."""
        return [row for row in self.rows if row.node != NO_NODE]

    @cached_property
    def lines(self) -> list[str]:
        """The lines, without line feeds and without the mark of UTF-8 at the top."""
        return self.data.removeprefix(_BOM).decode("utf-8", AS_THEY_ARE).split("\n")

    @property
    def paragraphs(self) -> IntArray:
        """The sentences that begin a paragraph, in order."""
        lines = [line for line, text in self._comments(b"newpar") if _NEWPAR.match(text)]
        return np.unique(self._sentence_of_line[lines])

    @cached_property
    def sentence_numbers(self) -> IntArray:
        """int64 (sentences,): the number of each among those of its document that have words."""
        filled = self.words_of_sentence > 0
        before: IntArray = np.cumsum(filled) - filled
        of_documents: IntArray = before[self._sentence_of_line[self.begin]]
        numbers: IntArray = before - np.append(of_documents, 0)[self.document_of_sentence]
        return numbers

    @cached_property
    def _zero(self) -> IntArray:
        """int64 (nodes,): 0 for words, else the number of the empty node."""
        zero: IntArray = self.columns.zero[self.row_of_node]
        return zero

    @cached_property
    def _word_nodes(self) -> IntArray:
        """The nodes that are words."""
        return np.flatnonzero(self._zero == 0)

    def find(self, node: int, text: str) -> int | None:
        """The node with this id in the sentence of another; −1 for the root, None if missing."""
        match = _REFERENCE.fullmatch(text)
        if match is None:
            return None
        sentence, number = int(self.columns.sentence[self.row_of_node[node]]), int(match[1])
        if match[2] is not None:
            return self._empty_nodes.get((sentence, number, int(match[2])))
        if number > self.words_of_sentence[sentence]:
            return None
        return int(self._word_nodes[self.words_before[sentence] + number - 1]) if number else -1

    @cached_property
    def words_before(self) -> IntArray:
        """int64 (sentences,): how many words precede each."""
        words: IntArray = np.cumsum(self.words_of_sentence)
        return words - self.words_of_sentence

    @cached_property
    def _empty_nodes(self) -> dict[tuple[int, int, int], int]:
        """(sentence, word, number) of each empty node → its node."""
        rows = self.row_of_node[self.empties]
        ids = (map(int, id.split(b".")) for id in self.cells(ID, rows))
        sentences = self.columns.sentence[rows].tolist()
        return {
            (sentence, *id): node
            for sentence, id, node in zip(sentences, ids, self.empties, strict=True)
        }

    def place(self, node: int) -> Node:
        """A node as in a Corpus; ROOT for −1."""
        if node < 0:
            return ROOT
        row = self.row_of_node[node]
        return int(self.columns.token[row]), int(self.columns.zero[row])

    def with_cell(self, row: ConlluRow, column: int, text: str) -> str:
        """The line of a row with another cell."""
        cells = row.cells
        cells[column] = text
        return "\t".join(cells) + self.lines[row.line][len(row.text) :]

    def joined(self, lines: Sequence[str]) -> bytes:
        """The file with these lines instead of its own."""
        top = _BOM if self.data.startswith(_BOM) else b""
        return top + "\n".join(lines).encode("utf-8", AS_THEY_ARE)

    @cached_property
    def word_rows(self) -> IntArray:
        """int64 (words,): the rows that are words."""
        rows: IntArray = self.row_of_node[self._word_nodes]
        return rows

    @property
    def words(self) -> list[ConlluRow]:
        """The rows of words."""
        return self.rows_at(self.word_rows)

    @cached_property
    def empties(self) -> list[int]:
        """The nodes that are empty."""
        numbers: list[int] = np.flatnonzero(self._zero > 0).tolist()
        return numbers

    @cached_property
    def empties_before(self) -> IntArray:
        """int64 (nodes + 1,): how many empty nodes precede each node, and how many there are."""
        return np.append(0, np.cumsum(self._zero > 0))

    @cached_property
    def numbers(self) -> dict[tuple[int, int, int], int]:
        """(document, token, zero) of each node → its number."""
        rows = self.row_of_node
        places = (self.columns.document, self.columns.token, self.columns.zero)
        columns = (column[rows].tolist() for column in places)
        return {place: node for node, place in enumerate(zip(*columns, strict=True))}


def readable(text: str) -> str:
    """The text of a file with bytes that are not UTF-8 replaced.

    >>> readable("a\\udcff")
    'a\ufffd'
    """
    return text.encode("utf-8", AS_THEY_ARE).decode("utf-8", "replace")


_IS_WORD, _IS_EMPTY, _IS_RANGE, _IS_BAD = range(4)


def _read_id(id: bytes) -> tuple[int, int, int]:
    """What an id is, with its numbers.

    >>> _read_id(b"3"), _read_id(b"3.1") == (_IS_EMPTY, 3, 1), _read_id(b"x") == (_IS_BAD, 0, 0)
    ((0, 3, 0), True, True)
    """
    if _WORD.fullmatch(id):
        return _IS_WORD, int(id), 0
    for kind, pattern in (_IS_EMPTY, _EMPTY), (_IS_RANGE, _RANGE):
        if match := pattern.fullmatch(id):
            return kind, int(match[1]), int(match[2])
    return _IS_BAD, 0, 0


class _Ids:
    """The ids of all rows, of which each distinct one is read once.

    Attributes:
        is_word, is_range: bool (rows,), whether each row is a word, or a multiword token.
        zero: int64 (rows,), the numbers of empty nodes, 0 for other rows.
    """

    def __init__(self, ids: Sequence[bytes], sentence: IntArray) -> None:
        number = defaultdict[bytes, int](count().__next__)
        code = np.fromiter(map(number.__getitem__, ids), np.int64, len(ids))
        read = np.array([_read_id(id) for id in number], np.int64).reshape(-1, 3)
        self._kind, self._first, self._second = read[code].T
        self._sentence = sentence
        begins = starts_of_runs(sentence)
        self._begin = np.repeat(begins, np.diff(begins, append=len(sentence)))
        self.is_word: BoolArray = self._kind == _IS_WORD
        self.is_range: BoolArray = self._kind == _IS_RANGE
        at_top = np.where(self._first == 0, BEFORE_SENTENCE, 0)
        self.zero: IntArray = np.where(self._kind == _IS_EMPTY, self._second + at_top, 0)
        self._word = np.append(self._first, 0)[self._last_before(_IS_WORD)]

    def _last_before(self, kind: int) -> IntArray:
        """The last row of a kind that precedes each row in its sentence; −1 if there is none."""
        last = np.maximum.accumulate(np.where(self._kind == kind, np.arange(len(self._kind)), -1))
        before = np.append(-1, last)[:-1]
        return np.where(before >= self._begin, before, -1)

    @cached_property
    def _empty(self) -> IntArray:
        """The number that an empty node would have at each row."""
        before = self._last_before(_IS_EMPTY)
        follows = np.append(self._first, -1)[before] == self._word
        return np.where(follows, np.append(self._second, 0)[before], 0) + 1

    @cached_property
    def _right(self) -> BoolArray:
        """Whether each id is right. An empty node precedes a multiword token at its place."""
        first, second, word = self._first, self._second, self._word
        before = self._last_before(_IS_RANGE)
        reached = np.append(second, 0)[before]
        is_next, after_range = first == word + 1, np.append(word, -1)[before] == word
        right_empty = (first == word) & (second == self._empty) & ~after_range
        right_range = is_next & (reached < first) & (first < second)
        right: BoolArray = np.choose(self._kind, (is_next, right_empty, right_range, False))
        return right

    def wrong(self) -> Iterator[tuple[int, str]]:
        """The rows with wrong ids, and what is expected instead."""
        for row in np.flatnonzero(~self._right).tolist():
            kind, word = int(self._kind[row]), int(self._word[row])
            yield (
                row,
                (
                    str(word + 1),
                    f"{word}.{self._empty[row]}",
                    _range_expected(word),
                    "a number such as 3, 3.1 or 3-4",
                )[kind],
            )

    def unfinished(self, words: IntArray) -> Iterator[tuple[int, str]]:
        """Multiword tokens that end after all `words` of their sentence, and what is expected."""
        late = (self._kind == _IS_RANGE) & (self._second > words[self._sentence])
        for row in np.flatnonzero(late & self._right).tolist():
            yield row, _range_expected(int(self._word[row]))


def _range_expected(before: int) -> str:
    return f"{before + 1}-… before word {before + 1}"
