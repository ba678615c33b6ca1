"""The rows of a CorefUD file, read line by line: its documents, sentences, words and empty nodes.

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
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import accumulate
from typing import Any, NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.corpus import BEFORE_SENTENCE
from corefkit.core.incidents import Collector, Place
from corefkit.core.links import ROOT
from corefkit.core.names import repeated
from corefkit.core.nodes import Node
from corefkit.core.texts import shorten
from corefkit.formats.kit.detection import describe
from corefkit.formats.kit.files import AS_THEY_ARE, LARGEST_CELL, largest_piece

COLUMNS = 10
ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC = range(COLUMNS)
DEFAULT = "eid-etype-head-other"
NO_NODE = -1

_BOM = b"\xef\xbb\xbf"
_BLANKS = " \t\r\v\f"
_NEWDOC = re.compile(r"#\s*newdoc(?:\s+id\s*=\s*(.*?))?\s*", re.ASCII)
_DECLARATION = re.compile(r"#\s*global\.Entity\s*=\s*(.*?)\s*", re.ASCII)
_NEWPAR = re.compile(r"#\s*newpar\b", re.ASCII)
_SENT_ID = "# sent_id"
_USUAL = ("eid", "etype", "head")
_WORD = re.compile(r"[1-9][0-9]{0,8}")
_EMPTY = re.compile(r"(0|[1-9][0-9]{0,8})\.([1-9][0-9]{0,5})")
_RANGE = re.compile(r"([1-9][0-9]{0,8})-([1-9][0-9]{0,8})")
_REFERENCE = re.compile(r"([0-9]{1,9})(?:\.([0-9]{1,9}))?")


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

    @property
    def is_range(self) -> bool:
        """Whether it is a multiword token."""
        return self.node == NO_NODE and _RANGE.fullmatch(self.cells[ID]) is not None


@dataclass(eq=False)
class ConlluSentence:
    """The lines between two blank lines.

    Attributes:
        line: its line, from 0: that of its sent_id, or else the first one.
        document: its document, −1 before its first row.
        number: its number among the sentences of the document that have words.
        name: its sent_id, with the blanks before it; None without one.
        paragraph: whether it begins a paragraph.
        words: the nodes that are words.
        empties: (word, number) of each empty node → its node.
    """

    line: int
    document: int = -1
    number: int = 0
    name: str | None = None
    paragraph: bool = False
    words: list[int] = field(default_factory=list)
    empties: dict[tuple[int, int], int] = field(default_factory=dict)

    def find(self, text: str) -> int | None:
        """The node with this id; −1 for the root, None if there is none."""
        match = _REFERENCE.fullmatch(text)
        if match is None:
            return None
        number = int(match[1])
        if match[2] is not None:
            return self.empties.get((number, int(match[2])))
        if not number:
            return -1
        return self.words[number - 1] if number <= len(self.words) else None


class ConlluFile:
    """A file; lines, documents, sentences and nodes count from 0.

    Attributes:
        data: its bytes; line feeds replace carriage returns where lines end with these only.
        lines: the lines, without line feeds and without the mark of UTF-8 at the top.
        names, begin: the name of each document, and its first line.
        sizes: how many words each document has.
        sentences: the sentences.
        rows: the rows of ten columns, in order.
        nodes: those of words and empty nodes.
        declaration: the first one of the file, or the default.
        incidents: the problems of lines, ids, sentences and documents, and those noted later.
    """

    def __init__(self, data: bytes, path: str) -> None:
        if b"\n" not in data:
            data = data.replace(b"\r", b"\n")  # as computers wrote text before 2001
        self.data, self.incidents = data, Collector(path)
        self.lines = data.removeprefix(_BOM).decode("utf-8", AS_THEY_ARE).split("\n")
        self.names: list[str] = []
        self.begin: list[int] = []
        self.sizes: list[int] = []
        self.sentences: list[ConlluSentence] = []
        self.rows: list[ConlluRow] = []
        self.nodes: list[ConlluRow] = []
        self._declarations: list[tuple[int, str]] = []
        self._sentences_before, self._ids = 0, _Ids()
        self._asked = -1, 0, 0
        self._read()
        self.declaration = self._declared()
        self._check()

    def _read(self) -> None:
        sentence = None
        for line, raw in enumerate(self.lines):
            text = raw.removesuffix("\r")
            if not text or (text[0] in _BLANKS and not text.strip(_BLANKS)):
                self._end(sentence)
                sentence = None
                continue
            if sentence is None:
                sentence, self._ids = ConlluSentence(line), _Ids()
                self.sentences.append(sentence)
            if text[0] == "#":
                self._read_comment(text, line, sentence)
                continue
            if sentence.document < 0:
                self._begin(sentence)
            long = len(text) > LARGEST_CELL
            if long and (size := largest_piece(text.split("\t"))) > LARGEST_CELL:
                expected = f"at most {LARGEST_CELL:,} bytes"
                self.note("file-too-large", line, "cell", size=size, expected=expected)
            elif (number := text.count("\t") + 1) == COLUMNS:
                self._read_row(text, line, sentence)
            else:
                self.note("columns", line, number=number, expected="ten, separated by tabs")
        self._end(sentence)

    def _read_comment(self, text: str, line: int, sentence: ConlluSentence) -> None:
        if self._ids.rows:
            self.note("comment-misplaced", line)
        if "newdoc" in text and (match := _NEWDOC.fullmatch(text)):
            self._add_document((match[1] or "").strip(), line)
        elif "global" in text and (match := _DECLARATION.fullmatch(text)):
            self._declarations.append((line, match[1]))
        elif "newpar" in text and _NEWPAR.match(text):
            sentence.paragraph = True
        elif text.startswith(_SENT_ID) and sentence.name is None:
            sentence.line, sentence.name = line, text.removeprefix(_SENT_ID + " =")

    def _add_document(self, name: str, line: int) -> None:
        self.names.append(name or str(len(self.names) + 1))
        self.begin.append(line)
        self.sizes.append(0)
        self._sentences_before = 0

    def _begin(self, sentence: ConlluSentence) -> None:
        """Note the document of a sentence at its first row."""
        if not self.names:
            first = next(line for line, text in enumerate(self.lines) if text.strip(_BLANKS))
            self.note("newdoc-missing", first)
            self._add_document("", first)
        sentence.document, sentence.number = len(self.names) - 1, self._sentences_before

    def _end(self, sentence: ConlluSentence | None) -> None:
        """End a sentence, whose multiword tokens must end in it."""
        if sentence is None:
            return
        for line, expected in self._ids.unfinished():
            self.note("id-bad", line, expected=expected)
        if sentence.words:
            self._sentences_before += 1
        else:
            self.note("sentence-empty", sentence.line)

    def _read_row(self, text: str, line: int, sentence: ConlluSentence) -> None:
        id = text[: text.index("\t")]
        zero, wrong = self._ids.read(id, line)
        if wrong:
            self.note("id-bad", line, expected=wrong)
        document, node = sentence.document, len(self.nodes)
        if zero is None:
            node = NO_NODE
        elif zero:
            word, number = map(int, id.split("."))
            sentence.empties[word, number] = node
        else:
            sentence.words.append(node)
            self.sizes[document] += 1
        at = len(self.sentences) - 1
        row = ConlluRow(line, text, node, document, at, self.sizes[document] - 1, zero or 0)
        self.rows.append(row)
        if node != NO_NODE:
            self.nodes.append(row)

    def _declared(self) -> Declaration:
        if not self._declarations:
            return Declaration(tuple(DEFAULT.split("-")))
        (line, text), *others = self._declarations
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
        self, kind: str, line: int, variant: str = "", column: int | None = None, **details: Any
    ) -> None:
        """Note an incident at a line, and perhaps at a column, both counted from 0."""
        self.incidents.note(kind, variant, partial(self._place, line, column), **details)

    def _place(self, line: int, column: int | None) -> Place:
        shown = shorten(self.lines[line].removesuffix("\r"))
        return Place(None, line + 1, None if column is None else column + 1, None, shown or None)

    @cached_property
    def line_bytes(self) -> list[int]:
        """The byte at which each line begins."""
        first = len(_BOM) * self.data.startswith(_BOM)
        sizes = [len(line) + 1 for line in self.data[first:].split(b"\n")]
        return [*accumulate(sizes, initial=first)]

    def byte(self, line: int, column: int) -> int:
        """The byte of a character of a line; quick where those of a line are asked in order."""
        last, begin, size = self._asked
        if line != last or column < begin:
            begin, size = 0, 0
        size += len(self.lines[line][begin:column].encode("utf-8", AS_THEY_ARE))
        self._asked = line, column, size
        return self.line_bytes[line] + size

    def find(self, node: int, text: str) -> int | None:
        """The node with this id in the sentence of another; −1 for the root, None if missing."""
        return self.sentences[self.nodes[node].sentence].find(text)

    def place(self, node: int) -> Node:
        """A node as in a Corpus; ROOT for −1."""
        return self.nodes[node].place if node >= 0 else ROOT

    def with_cell(self, row: ConlluRow, column: int, text: str) -> str:
        """The line of a row with another cell."""
        cells = row.cells
        cells[column] = text
        return "\t".join(cells) + self.lines[row.line][len(row.text) :]

    def joined(self, lines: Sequence[str]) -> bytes:
        """The file with these lines instead of its own."""
        top = _BOM if self.data.startswith(_BOM) else b""
        return top + "\n".join(lines).encode("utf-8", AS_THEY_ARE)

    @property
    def words(self) -> list[ConlluRow]:
        """The rows of words."""
        return [row for row in self.nodes if not row.zero]

    @property
    def empties(self) -> list[int]:
        """The nodes that are empty."""
        return [row.node for row in self.nodes if row.zero]

    @cached_property
    def empties_before(self) -> list[int]:
        """How many empty nodes precede each node, and how many there are."""
        return [0, *accumulate(int(row.zero > 0) for row in self.nodes)]

    @cached_property
    def numbers(self) -> dict[tuple[int, int, int], int]:
        """(document, token, zero) of each node → its number."""
        return {(row.document, row.token, row.zero): row.node for row in self.nodes}


def readable(text: str) -> str:
    """The text of a file with bytes that are not UTF-8 replaced.

    >>> readable("a\\udcff")
    'a\ufffd'
    """
    return text.encode("utf-8", AS_THEY_ARE).decode("utf-8", "replace")


class _Ids:
    """Reads the ids of the rows of a sentence in order, and checks them."""

    def __init__(self) -> None:
        self.rows = 0
        self._words, self._word = 0, 0
        self._empty, self._range = (0, 0), (-1, 0)
        self._open_ranges: list[tuple[int, int, int]] = []

    def read(self, id: str, line: int) -> tuple[int | None, str]:
        """The node of an id: 0 for a word, its number for an empty node, None for others.

        Also which id is expected instead; "" if it is right.
        """
        self.rows += 1
        expected = str(self._word + 1)
        if id == expected or _WORD.fullmatch(id):
            self._word, self._words = int(id), self._words + 1
            return 0, "" if id == expected else expected
        if match := _EMPTY.fullmatch(id):
            return self._read_empty(int(match[1]), int(match[2]))
        if match := _RANGE.fullmatch(id):
            return None, self._read_range(int(match[1]), int(match[2]), line)
        return None, "a number such as 3, 3.1 or 3-4"

    def _read_empty(self, word: int, number: int) -> tuple[int, str]:
        """Read an empty node, which must precede a multiword token that begins there."""
        last_word, last = self._empty
        expected = last + 1 if last and last_word == self._word else 1
        right = (word, number) == (self._word, expected) and self._range[0] != self._word
        self._empty = word, number
        zero = number if word else number + BEFORE_SENTENCE
        return zero, "" if right else f"{self._word}.{expected}"

    def _read_range(self, first: int, last: int, line: int) -> str:
        before, (_, reached) = self._word, self._range
        self._range = before, last
        if first == before + 1 and reached < first < last:
            self._open_ranges.append((line, last, before))
            return ""
        return _range_expected(before)

    def unfinished(self) -> Iterator[tuple[int, str]]:
        """The lines of multiword tokens that do not end in the sentence, and what is expected."""
        for line, last, before in self._open_ranges:
            if last > self._words:
                yield line, _range_expected(before)


def _range_expected(before: int) -> str:
    return f"{before + 1}-… before word {before + 1}"
