"""A corpus whose tokens are counted anew: empty nodes as tokens, documents of a topic as one."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from corefkit.data.arrays import EMPTY
from corefkit.data.corpus import BEFORE_SENTENCE, Corpus
from corefkit.data.matching.nodes import nodes_listed
from corefkit.data.options import UsageError
from corefkit.data.ragged import Ragged
from corefkit.data.source import Source
from corefkit.data.tokens import ListedTokens, TokenTable, sentence_of
from corefkit.formats.content import Content, contents
from corefkit.formats.moving import Moves

EMPTY_WORD = "_"
"""The word of an empty node that became a token."""

_Node = tuple[int, int]


def zeros_as_tokens(corpus: Corpus) -> Corpus:
    """The corpus with a token for every empty node that is in a mention.

    Heads and minimum spans, which count the old tokens, are left out.
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


def _zeros(corpus: Corpus) -> list[list[_Node]]:
    """The empty nodes of each document that are in mentions, in order."""
    found: list[set[_Node]] = [set() for _ in corpus.names]
    for row in range(corpus.mentions):
        nodes = _nodes(corpus, row)
        found[int(corpus.document[row])] |= {node for node in nodes if node[1]}
    return [sorted(nodes) for nodes in found]


def _nodes(corpus: Corpus, row: int) -> list[_Node]:
    """The nodes of a mention; of one run of tokens only the first and the last."""
    if nodes := nodes_listed(corpus, row):
        return nodes
    zero = 0 if corpus.zero is None else int(corpus.zero[row])
    first, last = (int(corpus.start[row]), zero), (int(corpus.end[row]), zero)
    return [first] if zero else [first, last]


def _place(node: _Node, zeros: list[_Node]) -> int:
    """The new number of a node: a token stands behind the empty nodes of the tokens before it."""
    if not node[1]:
        return node[0] + bisect_left(zeros, (node[0], 0))
    return node[0] + 1 + bisect_left(zeros, node)


def _with_zeros(content: Content, zeros: list[_Node]) -> tuple[list[str], list[int]]:
    """The words and the lengths of the sentences, empty nodes among them."""
    lengths = list(content.lengths) or ([0] if zeros else [])
    sentence = [n for n, length in enumerate(content.lengths) for _ in range(length)]
    words: list[str] = []
    done = 0
    for token, zero in zeros:
        words += [*content.words[done : token + 1], EMPTY_WORD]
        done = token + 1
        of = token + 1 if zero > BEFORE_SENTENCE else token
        lengths[sentence[min(max(of, 0), len(sentence) - 1)] if sentence else 0] += 1
    return words + content.words[done:], lengths


def pool_topics(corpus: Corpus) -> Corpus:
    """The documents of each topic of ECB+ as one document, with entities over documents joined.

    A topic is what stands before the first `_` of a name. Raises UsageError for other formats:
    only ECB+ names entities over documents.
    """
    if not corpus.sources or any(s.format.name != "ecbplus" for s in corpus.sources):
        raise UsageError("cross: only ECB+ files name entities over documents; use split")
    topic = [name.partition("_")[0] for name in corpus.names]
    names = {name: place for place, name in enumerate(dict.fromkeys(topic))}
    place = [names[name] for name in topic]
    listed = list(contents(corpus))
    order = sorted(range(len(topic)), key=lambda old: place[old])
    first, tokens = np.zeros(len(topic), dtype=np.int64), np.zeros(len(names), dtype=np.int64)
    for old in order:
        first[old] = tokens[place[old]]
        tokens[place[old]] += corpus.tokens[old]
    document = np.array(place, dtype=np.int64)[corpus.document]
    keys = [
        (there, corpus.labels[entity])
        for there, entity in zip(document.tolist(), corpus.entity.tolist(), strict=True)
    ]
    number = {key: n for n, key in enumerate(dict.fromkeys(keys))}
    shift = first[corpus.document]
    parts = None
    if corpus.parts is not None:
        lists = [(r, [(t + int(shift[r]), z) for t, z in nodes]) for r, nodes in corpus.parts]
        parts = Ragged.of(lists)
    pooled = replace(
        corpus,
        names=tuple(names),
        tokens=tokens,
        document=document,
        start=corpus.start + shift,
        end=corpus.end + shift,
        entity=np.array([number[key] for key in keys], dtype=np.int64),
        labels=tuple(label for _, label in number),
        parts=parts,
    )
    words = [word for n in order for word in listed[n].words]
    lengths = [length for n in order for length in listed[n].lengths]
    return with_tokens(pooled, words, lengths, "recounted")


def with_tokens(
    corpus: Corpus,
    words: Sequence[str],
    lengths: Sequence[int],
    format: str,
    unnamed: frozenset[int] = frozenset(),
) -> Corpus:
    """The corpus with these words and lengths of sentences instead of its files."""
    tokens = ListedTokens(format, TokenTable(words, sentence_of(lengths)))
    path = corpus.sources[0].path if corpus.sources else "made in Python"
    source = Source(path, b"", 0, len(corpus.names), tokens, unnamed)
    begin = np.zeros(len(corpus.names), dtype=np.int64)
    return replace(corpus, sources=(source,), begin=begin, byte=EMPTY, line=EMPTY)
