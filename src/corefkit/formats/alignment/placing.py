"""Mentions of a text that was changed, on the tokens of a key."""

from dataclasses import dataclass, replace

import numpy as np

from corefkit.data.arrays import EMPTY, BoolArray, IntArray
from corefkit.data.corpus import UNPLACED, Corpus
from corefkit.data.incidents import Collector, Incident
from corefkit.data.matching.nodes import zero_numbers
from corefkit.data.ragged import Ragged, runs_of
from corefkit.formats.alignment.incidents import DIFFERENT, tell_changes, tell_lost
from corefkit.formats.alignment.words import Alignment, align_words
from corefkit.formats.characters import document_text, document_words

Node = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Placed:
    """A corpus on the tokens of another one.

    Attributes:
        corpus: its mentions; those that have no place stand as empty nodes of their own, whose
            numbers are above UNPLACED, behind the last token.
        alignments: how the text of each document was aligned, by its name.
        lost: the mentions without a place, as rows of the corpus that was read.
        said: the texts of these, by row.
        incidents: what is reported about it.
    """

    corpus: Corpus
    alignments: dict[str, Alignment]
    lost: IntArray
    said: dict[int, str]
    incidents: list[Incident]

    @property
    def coverage(self) -> float:
        """The share of the key's letters that are aligned, over all documents."""
        total = sum(int(a.size.sum()) for a in self.alignments.values())
        return sum(len(a.key) for a in self.alignments.values()) / total if total else 1.0

    def dropped(self) -> Corpus:
        """The corpus without the mentions that have no place."""
        return self.corpus.take(~is_unplaced(self.corpus))


def is_unplaced(corpus: Corpus) -> BoolArray:
    """bool (mentions,): those that an alignment could not place."""
    return zero_numbers(corpus) > UNPLACED


def place(corpus: Corpus, key: Corpus) -> Placed:
    """Align the documents of a corpus with those of the same names in a key.

    Documents that the key lacks lose their mentions. Raises DataError where the key has no words.
    """
    words = document_words(key)
    number = {name: i for i, name in enumerate(key.names)}
    texts = _Texts(corpus)
    start, end = corpus.start.copy(), corpus.end.copy()
    zero = zero_numbers(corpus).copy()
    tokens = np.full(len(corpus.names), -1, dtype=np.int64)
    kept, lost = (np.zeros(corpus.mentions, dtype=bool) for _ in range(2))
    found = Collector(corpus.path)
    alignments: dict[str, Alignment] = {}
    parts: dict[int, list[Node]] = {}
    said: dict[int, str] = {}
    for document, (name, rows) in enumerate(
        zip(corpus.names, corpus.rows_of_documents(), strict=True)
    ):
        if name not in number:
            continue
        alignment = alignments[name] = align_words(words[number[name]], texts.text(document))
        tokens[document] = key.tokens[number[name]]
        kept[rows] = True
        first, last = _covered(alignment, texts, document, rows)
        start[rows], end[rows] = first, last
        missing = rows[(first < 0) & (zero[rows] == 0)]
        lost[missing] = True
        start[missing] = end[missing] = int(tokens[document]) - 1
        zero[missing] = UNPLACED + 1 + np.arange(len(missing))
        _place_parts(alignment, texts, document, rows[~lost[rows]], parts)
        tell_changes(corpus, document, alignment, found)
        said |= texts.said(document, missing)
        if alignment.coverage >= DIFFERENT:
            tell_lost(corpus, {row: said[row] for row in missing.tolist()}, found)
    moved = replace(
        corpus,
        start=start,
        end=end,
        zero=zero if zero.any() else None,
        tokens=tokens,
        unit="token",
        parts=Ragged.of(sorted(parts.items())),
        head=None,
        head_zero=None,
        minimum=None,
        dependencies=None,
    )
    moved = replace(moved.take(kept), sources=(), byte=EMPTY, line=EMPTY)
    return Placed(moved, alignments, np.flatnonzero(lost), said, [*found])


def _covered(
    alignment: Alignment, texts: "_Texts", document: int, rows: IntArray
) -> tuple[IntArray, IntArray]:
    """First and last word of the mentions; an empty node stays behind the word before it."""
    first, last = alignment.covered(*texts.spans(document, rows))
    if texts.corpus.zero is not None:
        for at in np.flatnonzero(texts.corpus.zero[rows] > 0).tolist():
            token = int(texts.corpus.end[rows[at]])
            first[at] = last[at] = alignment.word_before(texts.end(document, token))
    return first, last


class _Texts:
    """The texts of a corpus of characters, or of tokens, whose words are joined by blanks."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._words = document_words(corpus) if corpus.unit == "token" else []
        self._begins: dict[int, IntArray] = {}

    def text(self, document: int) -> str:
        """The text of a document; "" where it is not known."""
        if self.corpus.unit == "token":
            return " ".join(self._words[document])
        return document_text(self.corpus, document) or ""

    def spans(self, document: int, rows: IntArray) -> tuple[IntArray, IntArray]:
        """The spans of mentions in characters, both ends included."""
        return self.characters(document, self.corpus.start[rows], self.corpus.end[rows])

    def characters(
        self, document: int, start: IntArray, end: IntArray
    ) -> tuple[IntArray, IntArray]:
        """Spans of the corpus, in characters."""
        if self.corpus.unit == "character":
            return start, end
        if document not in self._begins:
            sizes = [len(word) + 1 for word in self._words[document]]
            self._begins[document] = np.cumsum([0, *sizes])
        begins = self._begins[document]
        return begins[np.maximum(start, 0)], begins[end + 1] - 2

    def end(self, document: int, token: int) -> int:
        """The last character of a token."""
        return int(self.characters(document, np.array([token]), np.array([token]))[1][0])

    def said(self, document: int, rows: IntArray) -> dict[int, str]:
        """The texts of mentions, by their rows."""
        text = self.text(document) if len(rows) else ""
        ends = zip(*(x.tolist() for x in self.spans(document, rows)), strict=True)
        return {row: text[a : b + 1] for row, (a, b) in zip(rows.tolist(), ends, strict=True)}


def _place_parts(
    alignment: Alignment,
    texts: _Texts,
    document: int,
    rows: IntArray,
    found: dict[int, list[Node]],
) -> None:
    """Find the nodes of mentions of several parts, of those that are still no plain spans."""
    parts = texts.corpus.parts
    if parts is None:
        return
    for row in rows.tolist():
        nodes = parts.nodes(row)
        if nodes is None:
            continue
        runs = runs_of(t for t, z in nodes if not z)
        start, end = np.array(runs, dtype=np.int64).reshape(-1, 2).T
        firsts, lasts = alignment.covered(*texts.characters(document, start, end))
        ends = zip(firsts.tolist(), lasts.tolist(), strict=True)
        placed = {(w, 0) for a, b in ends if a >= 0 for w in range(a, b + 1)}
        placed |= {
            (alignment.word_before(texts.end(document, t)) if t >= 0 else -1, z)
            for t, z in nodes
            if z
        }
        listed = sorted(placed)
        if any(z for _, z in listed) or listed[-1][0] - listed[0][0] + 1 > len(listed):
            found[row] = listed
