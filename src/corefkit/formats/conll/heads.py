"""The head tokens of constituents, for all trees at once.

The rules are those of Collins (1999), in the form used in error analyses of coreference: one rule
per label, with the labels of children in order of preference. Preterminals are not constituents in
CoNLL files, so a child is a constituent or a token.
"""

import re
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.brackets import Spans
from corefkit.core.columns import Column

Preference = tuple[str, str]
"""The labels of acceptable children, and the side from which to search: "left" or "right"."""

_FUNCTION = re.compile(r"(?<=[^-=])[-=].*")
_NOTHING = -1


def _each(side: str, labels: str) -> tuple[Preference, ...]:
    return (*((label, side) for label in labels.split()), ("", side))


_NOUN_PHRASE: tuple[Preference, ...] = (
    ("NN NNP NNPS NNS NX POS JJR", "right"),
    ("NP NML", "left"),
    ("$ ADJP PRN", "right"),
    ("CD", "right"),
    ("JJ JJS RB QP", "right"),
    ("", "right"),
)
_NOUNS = _each("right", "NN NNS NNP NNPS NP NAC EX $ CD QP PRP VBG JJ JJS JJR ADJP FW")
_LAST = _each("right", "")

RULES: dict[str, tuple[Preference, ...]] = {
    "NP": _NOUN_PHRASE,
    "NML": _NOUN_PHRASE,
    "ADJP": _each("right", "NNS QP NN $ ADVP JJ VBN VBG ADJP JJR NP JJS DT FW RBR RBS SBAR RB"),
    "ADVP": _each("left", "RB RBR RBS FW ADVP TO CD JJR JJ IN NP JJS NN"),
    "CONJP": _each("left", "CC RB IN"),
    "FRAG": _each("left", ""),
    "UCP": _each("left", ""),
    "INTJ": _LAST,
    "PRN": _LAST,
    "META": _LAST,
    "LST": _each("left", "LS :"),
    "NAC": _NOUNS,
    "NX": _NOUNS,
    "X": _NOUNS,
    "PP": _each("left", "IN TO VBG VBN RP FW"),
    "PRT": _each("left", "RP"),
    "QP": _each("right", "$ IN NNS NN JJ RB DT CD NCD QP JJR JJS"),
    "RRC": _each("left", "VP NP ADVP ADJP PP"),
    "S": _each("right", "TO IN VP S SBAR ADJP UCP NP"),
    "SBAR": _each("right", "WHNP WHPP WHADVP WHADJP IN DT S SQ SINV SBAR FRAG"),
    "SBARQ": _each("right", "SQ S SINV SBARQ FRAG"),
    "SINV": _each("right", "VBZ VBD VBP VB MD VP S SINV ADJP NP"),
    "SQ": _each("right", "VBZ VBD VBP VB MD VP SQ"),
    "VP": _each("right", "TO VBD VBN MD VBZ VB VBG VBP VP ADJP NN NNS NP"),
    "WHADJP": _each("right", "CC WRB JJ ADJP"),
    "WHADVP": _each("left", "CC WRB"),
    "WHNP": _each("right", "WDT WP WP$ WHADJP WHPP WHNP"),
    "WHPP": _each("left", "IN TO FW"),
}
"""The preferences of each label, in order; the last one accepts any child. Other labels take the
last child. In NP and NML, a last child with a possessive head overrides the rule."""

_POSSESSIVE = ("NP", "NML")


class HeadedTrees:
    """The constituents of all tokens, with the tags of these, and their heads.

    >>> from corefkit.core.brackets import find_spans
    >>> parse = Column.of(["(NP(NP*", "*)", "(PP*", "(NP*)))"])
    >>> spans, _ = find_spans(parse, np.zeros(4, dtype=np.int64))
    >>> trees = HeadedTrees(spans, Column.of(["DT", "NN", "IN", "NNP"]))
    >>> trees.heads(np.array([0, 2, 1]), np.array([3, 3, 2])).tolist()
    [1, 2, -1]
    """

    def __init__(self, spans: Spans, tags: Column) -> None:
        self._spans, self._tags = spans, tags

    def heads(self, first: IntArray, last: IntArray) -> IntArray:
        """The head token of each span of tokens that is a constituent; −1 for other spans.

        Of several constituents over the same tokens, the lowest counts.
        """
        over = self._spans.over(first, last, inner=True)
        if not (over >= 0).any():
            return over
        return np.where(over >= 0, self._all[over], -1)

    @cached_property
    def _all(self) -> IntArray:
        return _all_heads(self._spans, self._tags)


def _all_heads(spans: Spans, tags: Column) -> IntArray:
    """The head token of every constituent, level by level from the leaves up."""
    labels = [_FUNCTION.sub("", label) for label in spans.labels]
    symbols = {name: i for i, name in enumerate(dict.fromkeys((*tags.values, *labels)))}
    span_symbol = np.array([symbols[label] for label in labels], dtype=np.int64)[spans.label]
    tag = np.array([symbols[value] for value in tags.values], dtype=np.int64)[tags.code]
    rules = _Preferences(labels, symbols)
    token_level = spans.token_levels(len(tags.code))
    by_level = np.argsort(token_level, kind="stable")
    bounds = np.searchsorted(token_level[by_level], np.arange(int(spans.level.max()) + 3))
    heads = np.full(len(spans), -1, dtype=np.int64)
    below = np.zeros(0, dtype=np.int64)
    for level in range(int(spans.level.max()), -1, -1):
        here = np.flatnonzero(spans.level == level)
        leaves = by_level[bounds[level] : bounds[level + 1]]
        begin = np.concatenate((leaves, spans.first[below]))
        order = np.argsort(begin)  # children do not overlap, so no two begin alike
        token = np.concatenate((leaves, heads[below]))[order]
        symbol = np.concatenate((tag[leaves], span_symbol[below]))[order]
        parent = np.searchsorted(spans.first[here], begin[order], side="right") - 1
        heads[here] = rules.choose(spans.label[here], parent, token, symbol, tag[token])
        below = here
    return heads


class _Preferences:
    """The rules as tables: how much each symbol is preferred under each label of a parent."""

    def __init__(self, labels: Sequence[str], symbols: dict[str, int]) -> None:
        rules = [RULES.get(label, _LAST) for label in labels]
        self.most = max(map(len, rules))
        self.rank = np.empty((len(rules), len(symbols)), dtype=np.int64)
        self.left: BoolArray = np.zeros((len(rules), self.most), dtype=bool)
        for row, rule in enumerate(rules):
            self.rank[row] = len(rule) - 1
            for rank, (wanted, side) in enumerate(rule):
                self.left[row, rank] = side == "left"
                for label in wanted.split():
                    if label in symbols:
                        self.rank[row, symbols[label]] = rank
        self.possessive = np.array([label in _POSSESSIVE for label in labels], dtype=bool)
        self.pos = symbols.get("POS", _NOTHING)

    def choose(
        self, label: IntArray, parent: IntArray, token: IntArray, symbol: IntArray, tag: IntArray
    ) -> IntArray:
        """The head of each constituent of these labels.

        Its children are adjacent and in order: `parent` is their parent as an index into `label`,
        `token` their head token, `symbol` their own label or tag, and `tag` that of the token.
        """
        rule = label[parent]
        rank = np.minimum(self.rank[rule, symbol], self.rank[rule, tag])
        place = np.arange(len(parent))
        worth = rank * 2 * len(parent) + np.where(self.left[rule, rank], place, -place)
        begin = np.searchsorted(parent, np.arange(len(label)))
        least = np.minimum.reduceat(worth, begin)
        chosen = np.flatnonzero(worth == least[parent])
        heads = token[chosen]
        final = np.append(begin[1:], len(parent)) - 1
        genitive = self.possessive[label] & (tag[final] == self.pos)
        return np.where(genitive, token[final], heads)
