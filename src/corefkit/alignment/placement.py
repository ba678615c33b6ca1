"""The mentions of a changed text, placed on the tokens of a key, and a report of what was changed
or lost.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import numpy as np

from corefkit.alignment.words import Alignment, Change, align_words
from corefkit.core.arrays import EMPTY, BoolArray, IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import UNPLACED, Corpus, Moves
from corefkit.core.incidents import Collector, Incident
from corefkit.core.mention_columns import runs_of
from corefkit.core.nodes import Node, nodes_listed, zero_numbers
from corefkit.core.texts import count_of, quote, shorten
from corefkit.core.tokens import document_text, document_words

_SHOWN = 3
"""The number of changes that an incident shows."""


@frozen(eq=False)
class PlacedCorpus:
    """A corpus whose mentions were moved to the tokens of a key.

    Attributes:
        corpus: its mentions; those that could not be placed are empty nodes after the last token,
            each with a number of its own above UNPLACED.
        alignments: the alignment of each document, by name.
        lost: the mentions that could not be placed, as rows of the corpus that was read.
        lost_texts: the texts of these, by row.
        incidents: the changes of texts and the mentions lost.
    """

    corpus: Corpus
    alignments: dict[str, Alignment]
    lost: IntArray
    lost_texts: dict[int, str]
    incidents: list[Incident]

    @property
    def coverage(self) -> float:
        """The share of the key's letters that are aligned, over all documents."""
        total = sum(int(a.size.sum()) for a in self.alignments.values())
        return sum(len(a.key) for a in self.alignments.values()) / total if total else 1.0

    def dropped(self) -> Corpus:
        """The corpus without the mentions that could not be placed."""
        return self.corpus.take(~is_unplaced(self.corpus))


def is_unplaced(corpus: Corpus) -> BoolArray:
    """bool (mentions,): the mentions that an alignment could not place."""
    return zero_numbers(corpus) > UNPLACED


def place(corpus: Corpus, key: Corpus, *, one_by_one: bool = False) -> PlacedCorpus:
    """Align the documents of a corpus with those of the same names in a key.

    Documents that the key lacks lose their mentions. With `one_by_one`, so do documents with a
    different text, unless all have one. Raises DataError if the key has no words.
    """
    words = document_words(key)
    number = {name: i for i, name in enumerate(key.names)}
    texts = _CorpusTexts(corpus)
    zero = zero_numbers(corpus).copy()
    moves, incidents = Moves(corpus), Collector(corpus.path)
    lost = np.zeros(corpus.mentions, dtype=bool)
    alignments = {
        name: align_words(words[number[name]], texts.text(document))
        for document, name in enumerate(corpus.names)
        if name in number
    }
    one_by_one = one_by_one and not all(a.differs for a in alignments.values())
    lost_texts: dict[int, str] = {}
    broken = {(i.file, i.line) for i in corpus.incidents if i.id == "answer-broken"}
    absent = {i.document for i in corpus.incidents if i.id == "answer-absent"}
    for document, rows in enumerate(corpus.rows_of_documents()):
        name = corpus.names[document]
        if name not in number:
            moves.drop_document(document, rows)
            continue
        alignment = alignments[name]
        if one_by_one and alignment.differs:
            moves.drop_document(document, rows)
            at = corpus.document_place(document)
            if (at.file, at.line) not in broken:  # what could not be read is reported already
                share = share_text(alignment.coverage)
                incidents.note("answer-broken", "text", at, share=share)
            continue
        moves.tokens[document] = key.tokens[number[name]]
        first, last = _covered(alignment, texts, document, rows)
        moves.start[rows], moves.end[rows] = first, last
        missing = rows[(first < 0) & (zero[rows] == 0)]
        lost[missing] = True
        moves.start[missing] = moves.end[missing] = int(moves.tokens[document]) - 1
        zero[missing] = UNPLACED + 1 + np.arange(len(missing))
        for row in rows[~lost[rows]].tolist():
            if nodes := nodes_listed(corpus, row):
                moves.list_nodes(row, _placed_nodes(alignment, texts, document, nodes))
        lost_texts |= texts.mention_texts(document, missing)
        if name in absent and alignment.is_only_longer:
            continue  # strings that the key lacks: they were put after its end, and reported
        report_changes(corpus, document, alignment, incidents)
        if not alignment.differs:
            report_lost(corpus, {row: lost_texts[row] for row in missing.tolist()}, incidents)
    zeros = zero if zero.any() else None
    unknown = dict.fromkeys(("head", "head_zero", "minimum", "dependencies"))
    moved = moves.made(zero=zeros, unit="token", **unknown)
    moved = replace(moved, sources=(), byte=EMPTY, line=EMPTY)
    return PlacedCorpus(moved, alignments, np.flatnonzero(lost), lost_texts, [*incidents])


def _covered(
    alignment: Alignment, texts: "_CorpusTexts", document: int, rows: IntArray
) -> tuple[IntArray, IntArray]:
    """The first and last word of each mention; an empty node follows the word before it."""
    first, last = alignment.covered(*texts.spans(document, rows))
    if texts.corpus.zero is not None:
        for at in np.flatnonzero(texts.corpus.zero[rows] > 0).tolist():
            token = int(texts.corpus.end[rows[at]])
            first[at] = last[at] = alignment.word_before(texts.end(document, token))
    return first, last


class _CorpusTexts:
    """The texts of a corpus of characters, or of tokens: their words, joined by blanks."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._words = document_words(corpus) if corpus.unit == "token" else []
        self._begins: dict[int, IntArray] = {}

    def text(self, document: int) -> str:
        """The text of a document; "" if it is not known."""
        if self.corpus.unit == "token":
            return " ".join(self._words[document])
        return document_text(self.corpus, document) or ""

    def spans(self, document: int, rows: IntArray) -> tuple[IntArray, IntArray]:
        """The spans of mentions in characters, both ends included."""
        return self.characters(document, self.corpus.start[rows], self.corpus.end[rows])

    def characters(
        self, document: int, start: IntArray, end: IntArray
    ) -> tuple[IntArray, IntArray]:
        """Spans of a document, in characters, both ends included."""
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

    def mention_texts(self, document: int, rows: IntArray) -> dict[int, str]:
        """The texts of mentions, by their rows."""
        text = self.text(document) if len(rows) else ""
        ends = zip(*(x.tolist() for x in self.spans(document, rows)), strict=True)
        return {row: text[a : b + 1] for row, (a, b) in zip(rows.tolist(), ends, strict=True)}


def _placed_nodes(
    alignment: Alignment, texts: _CorpusTexts, document: int, nodes: list[Node]
) -> Iterator[Node]:
    """The nodes of an irregular mention on the tokens of the key, as far as they can be placed."""
    start, end = np.array(runs_of(t for t, z in nodes if not z), dtype=np.int64).reshape(-1, 2).T
    for first, last in tuples(*alignment.covered(*texts.characters(document, start, end))):
        yield from ((word, 0) for word in range(first, last + 1) if first >= 0)
    for token, zero in nodes:
        if zero:
            yield alignment.word_before(texts.end(document, token)) if token >= 0 else -1, zero


def report_changes(
    corpus: Corpus, document: int, alignment: Alignment, incidents: Collector
) -> None:
    """Note an incident if a text is not that of the key: changed, truncated or different."""
    if not alignment.changes:
        return
    kind, variant = "text-changed", "truncated" if alignment.truncated else ""
    if alignment.differs:
        kind, variant = "text-differs", ""
    elif alignment.truncated and len(alignment.changes) == 1:
        kind, variant = "text-truncated", ""
    incidents.note(
        kind,
        variant,
        share=share_text(alignment.coverage),
        changes=changed_words(alignment),
        at=corpus.document_place(document),
        found="; ".join(_show(alignment, c) for c in alignment.changes[:_SHOWN]),
    )


def report_lost(corpus: Corpus, texts: dict[int, str], incidents: Collector) -> None:
    """Note an incident for each mention that could not be placed; `texts` has them by row."""
    for row, text in texts.items():
        shown = f"{quote(text)} of entity {shorten(corpus.labels[int(corpus.entity[row])])}"
        incidents.note("mention-unaligned", at=partial(corpus.mention_place, row), found=shown)


def changed_words(alignment: Alignment) -> str:
    """The numbers of words that were replaced, added and dropped, as a text.

    >>> from corefkit.alignment.words import align_words
    >>> changed_words(align_words(["a", "tale"], "the tale"))
    '1 word replaced, 0 added, 0 dropped'
    """
    replaced, added, dropped = (
        sum(getattr(change, name) for change in alignment.changes)
        for name in ("replaced", "added", "dropped")
    )
    return f"{count_of(replaced, 'word')} replaced, {added:,} added, {dropped:,} dropped"


def _show(alignment: Alignment, change: Change) -> str:
    """A change as a text for a message."""
    found = shorten(" ".join(alignment.text[slice(*change.characters)].split()), 40)
    wanted = shorten(" ".join(alignment.words[slice(*change.words)]), 40)
    return change_text(change.words[0], found, wanted)


def change_text(token: int, found: str, wanted: str) -> str:
    """What the text has at a token of the key in place of what it should have.

    >>> change_text(3, "hut", "house"), change_text(3, "old", "")
    ("token 3: 'hut' for 'house'", "token 3: 'old' was added")
    """
    at = f"token {token:,}"
    if not found:
        return f"{at}: {quote(wanted)} is missing"
    what = f"for {quote(wanted)}" if wanted else "was added"
    return f"{at}: {quote(found)} {what}"


def share_text(share: float) -> str:
    """A share as a percentage, truncated to one decimal so that only 1 becomes 100.0 %.

    >>> share_text(0.99999), share_text(1.0)
    ('99.9 %', '100.0 %')
    """
    return f"{int(1000 * share) / 10:.1f} %"
