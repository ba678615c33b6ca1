"""Characters and tokens: converting spans between them, and corpora whose tokens are renumbered.

Character spans become the tokens that they touch: those of another side, if the text spells its
words (apart from blanks, which are Python's white space), or tokens cut at blanks and at the
boundaries of mentions. This is not a tokeniser: "don't." stays one token unless a mention begins or
ends inside it. Empty nodes may become tokens. In the texts that the CRAC tasks give to language
models, `##` is the word for an empty node.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.columns import sentence_of
from corefkit.core.corpus import BEFORE_SENTENCE, Corpus, Moves
from corefkit.core.incidents import Collector, Incident
from corefkit.core.nodes import Node, node_runs, nodes_listed
from corefkit.core.source import ListedSource, TokenTable, no_columns
from corefkit.core.texts import quote
from corefkit.core.tokens import document_text, document_words
from corefkit.formats.kit.building import RawDocument
from corefkit.formats.kit.content import Content, contents


@frozen(eq=False)
class Spelling:
    """How a text spells words. A letter here is any character that is not a blank.

    Attributes:
        before: int64 (characters + 1,), how many letters precede each character.
        token: int64 (letters,), the token of each letter.
        first, last: bool (letters,), whether it is the first or last of its token.
    """

    before: IntArray
    token: IntArray
    first: BoolArray
    last: BoolArray

    def tokens(self, start: IntArray, end: IntArray) -> tuple[IntArray, IntArray, BoolArray]:
        """The first and last token that character spans touch, and which spans split a token.

        A span of blanks only touches none: its last token precedes its first.
        """
        first, last = self.before[start], self.before[end + 1] - 1
        empty = last < first
        if not len(self.token):
            return first, last, np.zeros(len(first), dtype=bool)
        a, b = (np.clip(letter, 0, len(self.token) - 1) for letter in (first, last))
        split = (~self.first[a] | ~self.last[b]) & ~empty
        return np.where(empty, 0, self.token[a]), np.where(empty, -1, self.token[b]), split

    def minima(self, spans: IntArray) -> IntArray:
        """int64 (spans, 2): the first and last token that each of the spans (spans, 2) touches."""
        return np.stack(self.tokens(*spans.T)[:2], axis=1)


def spell(text: str, words: list[str]) -> Spelling | None:
    """How the text spells the words; None if it does not.

    >>> spell("don't go", ["do", "n't", "go"]).token.tolist()
    [0, 0, 1, 1, 1, 2, 2]
    """
    bare = ["".join(word.split()) for word in words]
    if "".join(bare) != "".join(text.split()):
        return None
    lengths = np.array([len(word) for word in bare], dtype=np.int64)
    token = np.repeat(np.arange(len(bare)), lengths)
    change = np.diff(token) > 0
    before = np.cumsum([0, *(not character.isspace() for character in text)])
    outer = np.ones(min(len(token), 1), dtype=bool)
    return Spelling(before, token, np.append(outer, change), np.append(change, outer))


def to_tokens(corpus: Corpus, other: Corpus) -> tuple[Corpus, list[Incident]]:
    """A corpus of character spans, moved to the tokens of another corpus with the same documents.

    Also returns warnings about mentions that begin or end inside a token, which are widened.
    Documents that the other corpus lacks lose their mentions. Raises DataError if the other corpus
    has no words.
    """
    words = document_words(other)
    number = {name: i for i, name in enumerate(other.names)}
    moves, collector = Moves(corpus), Collector(corpus.path)
    for document, rows in enumerate(corpus.rows_of_documents()):
        other_number = number.get(corpus.names[document])
        tokens = [] if other_number is None else words[other_number]
        spelling = None if other_number is None else _spelling(corpus, document, tokens, collector)
        if other_number is None or spelling is None:
            moves.drop_document(document, rows)
            continue
        moves.tokens[document] = other.tokens[other_number]
        start, end, split = spelling.tokens(corpus.start[rows], corpus.end[rows])
        moves.start[rows], moves.end[rows], moves.kept[rows] = start, end, end >= start
        moves.move_minima(rows, spelling.minima)
        for at in np.flatnonzero(split).tolist():
            row = int(rows[at])
            text = document_text(corpus, document) or ""
            mention = text[int(corpus.start[row]) : int(corpus.end[row]) + 1]
            whole = " ".join(tokens[int(start[at]) : int(end[at]) + 1])
            collector.note(
                "mention-splits-token",
                at=partial(corpus.mention_place, row),
                found=quote(mention),
                expected=f"whole tokens, e.g. {quote(whole)}",
            )
        for row in rows.tolist():
            if nodes := nodes_listed(corpus, row):
                touched = spelling.token[spelling.before[[t for t, _ in nodes]]]
                moves.list_nodes(row, ((t, 0) for t in touched.tolist()))
    moved = moves.made(unit="token")
    return replace(moved, sources=(), byte=EMPTY, line=EMPTY), [*collector]


def _spelling(
    corpus: Corpus, document: int, words: list[str], collector: Collector
) -> Spelling | None:
    """How the text of a document spells the words; their first difference is reported."""
    text = document_text(corpus, document) or ""
    if (spelling := spell(text, words)) is None:
        left, right = "".join("".join(words).split()), "".join(text.split())
        pairs = enumerate(zip(left, right, strict=False))
        at = next((i for i, (a, b) in pairs if a != b), min(len(left), len(right)))
        collector.note(
            "text-differs",
            "spelling",
            at=corpus.document_place(document),
            found=quote(right[at : at + 20], 20),
            expected=quote(left[at : at + 20], 20),
        )
    return spelling


EMPTY_WORD = "_"
"""The word of an empty node that became a token."""


def zeros_as_tokens(corpus: Corpus) -> Corpus:
    """The corpus with a token for every empty node that is in a mention.

    Heads and minimum spans, which refer to the old tokens, are dropped.
    """
    zeros = _zeros(corpus)
    moves = Moves(corpus)
    words: list[str] = []
    lengths: list[int] = []
    for number, content in enumerate(contents(corpus)):
        new_words, new_lengths = _with_zeros(content, zeros[number])
        words += new_words
        lengths += new_lengths
        moves.tokens[number] = len(new_words)
    for row in range(corpus.mentions):
        listed = zeros[int(corpus.document[row])]
        moved = [_place(node, listed) for node in _nodes(corpus, row)]
        moves.start[row], moves.end[row] = moved[0], moved[-1]
        if nodes_listed(corpus, row):
            moves.list_nodes(row, ((token, 0) for token in moved))
    counted = moves.made(zero=None, head=None, head_zero=None, dependencies=None, minimum=None)
    return with_tokens(counted, words, lengths, "recounted")


def _zeros(corpus: Corpus) -> list[list[Node]]:
    """The empty nodes of each document that are in mentions, in order."""
    zeros: list[set[Node]] = [set() for _ in corpus.names]
    for row in range(corpus.mentions):
        nodes = _nodes(corpus, row)
        zeros[int(corpus.document[row])] |= {node for node in nodes if node[1]}
    return [sorted(nodes) for nodes in zeros]


def _nodes(corpus: Corpus, row: int) -> list[Node]:
    """The nodes of a mention; for one run of tokens only the first and the last."""
    return nodes_listed(corpus, row) or [*node_runs(corpus, row)[0]]


def _place(node: Node, zeros: list[Node]) -> int:
    """The new number of a node: a token follows the empty nodes of the tokens before it."""
    if not node[1]:
        return node[0] + bisect_left(zeros, (node[0], 0))
    return node[0] + 1 + bisect_left(zeros, node)


def _with_zeros(content: Content, zeros: list[Node]) -> tuple[list[str], list[int]]:
    """The words and the lengths of the sentences, with empty nodes as words."""
    lengths = list(content.lengths) or ([0] if zeros else [])
    sentence = [n for n, length in enumerate(content.lengths) for _ in range(length)]
    words: list[str] = []
    done = 0
    for token, zero in zeros:
        words += [*content.words[done : token + 1], EMPTY_WORD]
        done = token + 1
        near = token + 1 if zero > BEFORE_SENTENCE else token
        lengths[sentence[min(max(near, 0), len(sentence) - 1)] if sentence else 0] += 1
    return words + content.words[done:], lengths


def with_tokens(
    corpus: Corpus,
    words: Sequence[str],
    lengths: Sequence[int],
    format: str,
    unnamed: frozenset[int] = frozenset(),
) -> Corpus:
    """The corpus with these words and sentence lengths instead of its files."""
    listed = TokenTable(words, sentence_of(lengths))
    path = corpus.sources[0].path if corpus.sources else "made in Python"
    source = ListedSource(path, b"", 0, len(corpus.names), format, unnamed, listed=listed)
    begin = np.zeros(len(corpus.names), dtype=np.int64)
    return replace(corpus, sources=(source,), document_byte=begin, byte=EMPTY, line=EMPTY)


def split_tokens(corpus: Corpus) -> Corpus:
    """A corpus of character spans as one of tokens; no mention is widened.

    Tokens and sentences are those of the file if all mentions begin and end with its tokens.
    Otherwise tokens are cut at blanks and at the boundaries of mentions, and lines are sentences.
    Raises DataError if the text is not known.
    """
    moves = Moves(corpus)
    words: list[str] = []
    lengths: list[int] = []
    for document, rows in enumerate(corpus.rows_of_documents()):
        text = document_text(corpus, document)
        if text is None:
            raise no_columns()
        start, end = corpus.start[rows], corpus.end[rows]
        apart = {row: nodes for row in rows.tolist() if (nodes := nodes_listed(corpus, row))}
        inside = np.array([t for nodes in apart.values() for t, _ in nodes], dtype=np.int64)
        cut = _segments(corpus, document)
        if cut is None or not cut.fits(start, end, inside):
            cut = _cut(text, np.concatenate((start, end + 1, inside, inside + 1)))
        words += [text[a : b + 1] for a, b in tuples(cut.first, cut.last)]
        moves.tokens[document] = len(cut.first)
        lengths += cut.lengths
        moves.start[rows] = np.searchsorted(cut.first, start)
        moves.end[rows] = np.searchsorted(cut.last, end, side="right") - 1
        moves.move_minima(rows, cut.token)
        for row, nodes in apart.items():
            characters = np.array([t for t, _ in nodes], dtype=np.int64)
            tokens = cut.token(characters[cut.covers(characters)])
            moves.list_nodes(row, ((token, 0) for token in tokens.tolist()))
    moves.kept = moves.end >= moves.start
    return with_tokens(moves.made(unit="token"), words, lengths, "tokens", corpus.unnamed)


class _TokenCut(NamedTuple):
    """A text cut into tokens.

    Attributes:
        first, last: int64 (tokens,), the first and last character of each.
        lengths: how many tokens each sentence has.
    """

    first: IntArray
    last: IntArray
    lengths: list[int]

    def token(self, characters: IntArray) -> IntArray:
        """int64 (places,): the token of each character; for a blank, the one before it."""
        tokens: IntArray = np.searchsorted(self.first, characters, side="right") - 1
        return tokens

    def covers(self, characters: IntArray) -> BoolArray:
        """bool (places,): which characters are in tokens."""
        covered: BoolArray = characters <= np.append(self.last, -1)[self.token(characters)]
        return covered

    def fits(self, start: IntArray, end: IntArray, inside: IntArray) -> bool:
        """Whether mentions begin and end with tokens, and these characters are in some."""
        ends = np.isin(start, self.first).all() and np.isin(end, self.last).all()
        return bool(ends and self.covers(inside).all())


def _cut(text: str, bounds: IntArray) -> _TokenCut:
    """Tokens cut at blanks and at these boundaries; sentences are lines."""
    cuts = np.unique(bounds).tolist()
    spans: list[tuple[int, int]] = []
    for word in re.finditer(r"\S+", text):
        begin, end = word.span()
        inside = cuts[bisect_right(cuts, begin) : bisect_left(cuts, end)]
        spans += pairwise((begin, *inside, end))
    first, after = np.array(spans, dtype=np.int64).reshape(-1, 2).T
    breaks = [match.start() for match in re.finditer("\n", text)]
    return _TokenCut(first, after - 1, np.bincount(np.searchsorted(breaks, first)).tolist())


def _segments(corpus: Corpus, document: int) -> _TokenCut | None:
    """The tokens of the file; None if it has none."""
    source = corpus.source(document)
    known = None if source is None else source.segmentation(document - source.first_document)
    if known is None:
        return None
    first, after = np.array(known.tokens, dtype=np.int64).reshape(-1, 2).T
    sentence = np.searchsorted(np.array(known.sentences), first, side="right")
    return _TokenCut(first, after - 1, np.bincount(sentence).tolist())


EMPTY_NODE = "##"
"""The beginning of the word of an empty node; its form, if it has one, follows."""


def _nodes_of_words(words: Sequence[str]) -> list[Node]:
    """The node of each word: (token, 0), or (the token before an empty node, its number).

    Empty if no word is an empty node.

    >>> _nodes_of_words(["Llueve", "##", "hoy"]), _nodes_of_words(["Llueve"])
    ([(0, 0), (0, 1), (1, 0)], [])
    """
    if not any(word.startswith(EMPTY_NODE) for word in words):
        return []
    nodes, token, zero = [], -1, BEFORE_SENTENCE
    for word in words:
        empty = word.startswith(EMPTY_NODE)
        token, zero = (token, zero + 1) if empty else (token + 1, 0)
        nodes.append((token, zero))
    return nodes


def with_empty_nodes(document: RawDocument) -> RawDocument:
    """The document, one sentence, whose words that begin with ## are empty nodes, not tokens."""
    words = document.words or ()
    nodes = _nodes_of_words(words)
    if not nodes:
        return document
    mentions = []
    for mention in document.mentions:
        inside = nodes[mention.start : mention.end + 1]
        (start, zero), (end, _) = inside[0], inside[-1]
        several = len(inside) > 1
        listed = inside if several and any(zero for _, zero in inside) else ()
        placed = mention._replace(start=start, end=end, zero=0 if several else zero, nodes=listed)
        mentions.append(placed)
    tokens = [word for word in words if not word.startswith(EMPTY_NODE)]
    return replace(document, mentions=mentions, words=tokens, lengths=[len(tokens)])
