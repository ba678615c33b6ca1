"""The shape of mentions and entities: how long, how deep, how far apart."""

import numpy as np

from corefkit.data.arrays import IntArray, count_no_smaller_before, ranks_of
from corefkit.data.corpus import Corpus
from corefkit.data.matching.nodes import sizes
from corefkit.ontonotes.tokens import Tokens

Histogram = dict[int, int]

HISTOGRAMS = {
    "entity_sizes": "entities by number of mentions",
    "mention_lengths": "mentions by number of tokens",
    "nesting": "mentions by number of mentions around them",
    "antecedent_sentences": "links by distance to the antecedent in sentences",
    "antecedent_mentions": "links by distance to the antecedent in mentions",
}


def histogram(values: IntArray) -> Histogram:
    """How often each value occurs, in rising order.

    >>> histogram(np.array([2, 1, 2]))
    {1: 1, 2: 2}
    """
    found, counts = np.unique(values, return_counts=True)
    return dict(zip(found.tolist(), counts.tolist(), strict=True))


def nesting(corpus: Corpus) -> IntArray:
    """How many other mentions contain each mention, int64 (mentions,)."""
    depth = np.zeros(corpus.mentions, dtype=np.int64)
    if not corpus.mentions:
        return depth
    order = corpus.text_order
    document, start, end = (x[order] for x in (corpus.document, corpus.start, corpus.end))
    # In text order, those that contain a mention begin before it and end no earlier.
    around = count_no_smaller_before(document * (int(end.max()) + 1) + end)
    changes = np.diff(document, prepend=-1) | np.diff(start, prepend=-1) | np.diff(end, prepend=-1)
    first = np.flatnonzero(changes)
    copies = np.arange(len(order)) - np.repeat(first, np.diff(np.append(first, len(order))))
    depth[order] = around - copies
    return depth


def antecedents(corpus: Corpus) -> tuple[IntArray, IntArray]:
    """Each mention but the first of its entity, and the one before it: two int64 (links,).

    Mentions are numbered as in the corpus; their order is that of the text.
    """
    order = corpus.text_order
    order = order[np.argsort(corpus.entity[order], kind="stable")]
    same = np.diff(corpus.entity[order]) == 0
    return order[1:][same], order[:-1][same]


def mention_shapes(tokens: Tokens, *, sentences: bool) -> dict[str, Histogram]:
    """The histograms of mentions that have a place in a text, in the order of HISTOGRAMS.

    Without those that need tokens where spans count characters, or sentences where none are known.
    """
    corpus, found = tokens.corpus, {}
    if corpus.unit == "token":
        found["mention_lengths"] = histogram(sizes(corpus))
    found["nesting"] = histogram(nesting(corpus))
    mention, antecedent = antecedents(corpus)
    if corpus.sources and sentences:
        sentence = tokens.sentence_of_mentions
        found["antecedent_sentences"] = histogram(sentence[mention] - sentence[antecedent])
    rank = ranks_of(corpus.text_order)
    found["antecedent_mentions"] = histogram(rank[mention] - rank[antecedent])
    return found
