"""Inputs of the supplementary settings of CoNLL-2012: the spans, without their entities.

Gold mentions (GM) are the mentions of the key. Gold boundaries (GB) are all noun phrases and
pronouns of the gold parse, and the mentions that match no constituent. A constituent is a bracket
of the parse: a single verb without one of its own is in GB when it is a mention of the key.
"""

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.corpora.syntax import PRONOUN, tag_category
from corefkit.corpora.tokens import Tokens


def gold_mentions(corpus: Corpus) -> Corpus:
    """The mentions of the key, each once and each an entity of its own.

    >>> corpus = Corpus.from_clusters({"tale": [[(0, 1), (4, 4)], [(6, 8)]]})
    >>> gold_mentions(corpus)
    Corpus(1 document, 3 mentions, 3 entities)
    """
    return _singletons(corpus, corpus.document, corpus.start, corpus.end)


def gold_boundaries(corpus: Corpus) -> Corpus:
    """The gold boundaries, each an entity of its own; DataError where there is no sound parse."""
    tokens = Tokens(corpus).load("pos", "parse")
    spans = tokens.constituents
    first, last = tokens.mention_first, tokens.mention_last
    unaligned = spans.over(first, last) < 0
    phrases = spans.named("NP")
    pronouns = np.flatnonzero(tokens.pos.numbers(tag_category) == PRONOUN)
    begin = np.concatenate((phrases.first, pronouns, first[unaligned]))
    end = np.concatenate((phrases.last, pronouns, last[unaligned]))
    # A mention may go on over the end of a sentence, but not of a document.
    document = tokens.document[begin]
    shift = tokens.document_start[document]
    return _singletons(corpus, document, begin - shift, end - shift)


def _singletons(corpus: Corpus, document: IntArray, start: IntArray, end: IntArray) -> Corpus:
    """A corpus of these spans in text order; ids count from 0 in every document."""
    table = np.unique(np.stack((document, start, -end), axis=1), axis=0)
    document, start, end = table[:, 0], table[:, 1], -table[:, 2]
    number = np.arange(len(table)) - np.searchsorted(document, document)
    mentions = (document, start, end, np.arange(len(table)))
    labels, zero = tuple(map(str, number.tolist())), np.zeros(len(table), dtype=np.int64)
    files = (corpus.sources, corpus._begin)
    return Corpus(corpus.names, corpus.tokens, *mentions, labels, *files, zero, zero)
