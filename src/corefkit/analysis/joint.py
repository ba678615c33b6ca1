"""Joint: the mentions of key and response in one table, each mention once."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from corefkit.analysis.spans import pair_spans, text_order
from corefkit.data.arrays import BoolArray, IntArray, ranks_of
from corefkit.data.corpus import Corpus
from corefkit.data.joining import concat
from corefkit.data.matched import Matched
from corefkit.data.tagsets import Tagset
from corefkit.mentions.heads import with_heads
from corefkit.mentions.kinds import mention_kinds
from corefkit.mentions.tokens import KeyTokens


@dataclass(frozen=True, eq=False)
class Joint:
    """All mentions of both sides, int64 (mentions,) each unless said otherwise.

    The first rows are the mentions of the key, in its order, then come those that only the
    response has. A mention of the response that was matched with one of the key, or differs from
    it in its boundaries only (a span error), is that one, and has its span, head and kind.

    Attributes:
        key: the key as it is scored; its sources hold the texts.
        response: the response as it is scored, with the documents of the key.
        tokens: the token columns of the key.
        corpus: the mentions themselves, with heads; documents are those of the key, `entity`
            means nothing here.
        kind: an index into corefkit.mentions.kinds.KINDS.
        key_entity, response_entity: the entity on each side, −1 where the side lacks the mention.
        response_row: the row of the response, −1 where it lacks the mention.
        wrong_span: bool, whether the boundaries differ.
        response_kind: the kind of each mention of the response, by its own span, int64 (mentions
            of the response,).
    """

    key: Corpus
    response: Corpus
    tokens: KeyTokens
    corpus: Corpus
    kind: IntArray
    key_entity: IntArray
    response_entity: IntArray
    response_row: IntArray
    wrong_span: BoolArray
    response_kind: IntArray

    @property
    def mentions(self) -> int:
        """How many there are."""
        return self.corpus.mentions

    @property
    def document(self) -> IntArray:
        """The document of each mention."""
        return self.corpus.document

    @cached_property
    def rank(self) -> IntArray:
        """The place of each mention in the order of the text, the shorter of two first."""
        return ranks_of(text_order(self.corpus))


def join(
    matched: Matched,
    tokens: KeyTokens,
    tagset: str | Tagset = "auto",
    pronouns: Iterable[str] | None = None,
) -> Joint:
    """The mentions of both sides; `tokens` are those of the key. See `mention_kinds`."""
    key, response, pairs = matched.key, matched.response, matched.pairs
    tokens.read_ahead(["word", "pos", "parse"])
    in_response = matched.partner.copy()
    alone = np.ones(response.mentions, dtype=bool)
    alone[pairs.response] = False
    only = np.flatnonzero(alone)
    both = with_heads(side_by_side(key, response.take(alone)), key)
    rank = ranks_of(text_order(both))
    extra, missing = key.mentions + np.arange(len(only)), np.flatnonzero(in_response < 0)
    wrong, right = pair_spans(
        both, tokens, extra[np.argsort(rank[extra])], missing[np.argsort(rank[missing])]
    )
    in_response[right] = only[wrong - key.mentions]
    kind = mention_kinds(both, tokens, tagset, pronouns)
    response_kind = np.empty(response.mentions, dtype=np.int64)
    response_kind[pairs.response], response_kind[only] = kind[pairs.key], kind[key.mentions :]
    left = np.ones(both.mentions, dtype=bool)
    left[wrong] = False
    corpus = both.take(left)
    wrong_span = np.zeros(corpus.mentions, dtype=bool)
    wrong_span[right] = True
    rows = np.concatenate((in_response, only[left[key.mentions :]]))
    nobody = np.full(len(rows) - key.mentions, -1, dtype=np.int64)
    return Joint(
        key,
        response,
        tokens,
        corpus,
        kind[left],
        np.concatenate((key.entity, nobody)),
        np.append(response.entity, -1)[rows],
        rows,
        wrong_span,
        response_kind,
    )


def side_by_side(key: Corpus, response: Corpus) -> Corpus:
    """The mentions of both corpora, as if they were of one, over the documents of the key."""
    documents = len(key.names)
    bare = [replace(side, sources=(), links=None, incidents=()) for side in (key, response)]
    both = concat(bare)
    # The key comes last: the number of tokens of a document is what it says.
    return both.renumbered(key.names, {i: i % documents for i in range(2 * documents)[::-1]})
