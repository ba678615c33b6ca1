"""What the parse says about a mention: possessive, pre-modifier, appositive, part of a copula."""

from bisect import bisect_left

import numpy as np

from corefkit.data.arrays import EMPTY, IntArray, tuples
from corefkit.formats.conll.stars import Spans
from corefkit.ontonotes.categories import NOUN, PRONOUN, PROPER, VERB, tag_category
from corefkit.ontonotes.tokens import Tokens

POSSESSIVE_TAGS = frozenset({"PRP$", "PPOSAT", "PPOSS", "WP$"})
_WORDS = """
    be am is are was were been being 's 're 'm become becomes became seem seems seemed appear
    appears appeared remain remains remained stay stays stayed sein bin bist ist sind seid war
    waren werden wird wurde bleiben bleibt blieb
"""
_COPULAS = frozenset(_WORDS.split())
"""Words and lemmas: section 3.6 of the CoNLL-2012 paper, and the German ones."""

_CLAUSES = frozenset({"S", "SINV", "SQ", "SBAR", "VP"})
_APART = frozenset({",", ":", "-LRB-", "$,", "$("})


class Syntax:
    """Answers about spans of tokens (of the corpus, both ends included), as far as files tell."""

    def __init__(self, tokens: Tokens) -> None:
        self._tag = tokens.pos.to_list() if tokens.has("pos") else []
        none = Spans(EMPTY, EMPTY, EMPTY, EMPTY, ())
        self._spans = tokens.spans("parse")[0] if tokens.holds("parse") else none
        self._inner = _innermost(self._spans, len(tokens))
        self._below: dict[tuple[int, str], list[int]] = {}
        for number, parent in enumerate(self._spans.parent.tolist()):
            self._below.setdefault((parent, self._label(number)), []).append(number)
        self._at: dict[tuple[int, int], list[int]] = {}
        ends = zip(self._spans.first.tolist(), self._spans.last.tolist(), strict=True)
        for number, span in enumerate(ends):
            self._at.setdefault(span, []).append(number)
        copular = np.zeros(len(tokens), dtype=bool)
        for column in (tokens.column(name) for name in ("word", "lemma") if tokens.has(name)):
            copular |= column.holds(lambda text: text.lower() in _COPULAS)
        # Of several in one constituent the first one stays.
        backwards = np.flatnonzero(copular)[::-1]
        self._copula = dict(tuples(self._inner[backwards], backwards))
        joins = (i for i, tag in enumerate(self._tag) if tag in ("CC", "KON"))
        self._coordinated = {int(self._inner[token]) for token in joins}
        # The last verb phrase right below a constituent that has a copula and a noun phrase.
        verbs = (i for i in sorted(self._copula) if i >= 0 and self._label(i) == "VP")
        parent = self._spans.parent
        self._predicate = {int(parent[i]): i for i in verbs if (i, "NP") in self._below}

    def is_pronoun(self, first: int, last: int) -> bool:
        """A single pronoun, personal or possessive."""
        return first == last and self._category(first) == PRONOUN

    def is_verb(self, first: int, last: int) -> bool:
        """A single verb."""
        return first == last and self._category(first) == VERB

    def is_possessive(self, first: int, last: int) -> bool:
        """A possessive pronoun, or a phrase with a possessive marker at its end or behind it."""
        if not self._tag:
            return False
        after = self._tag[last + 1] if last + 1 < len(self._tag) else ""
        own = first == last and self._tag[first] in POSSESSIVE_TAGS
        return own or "POS" in (self._tag[last], after)

    def is_premodifier(self, first: int, last: int) -> bool:
        """Inside a noun phrase right before a noun of it, and no noun phrase itself."""
        if any(self._label(i) == "NP" for i in self._at.get((first, last), ())):
            return False
        around = self._around(first, last)
        if around is None or self._label(around) not in ("NP", "NML"):
            return False
        return last < self._spans.last[around] and self._category(last + 1) in (NOUN, PROPER)

    def is_appositive(self, first: int, last: int) -> bool:
        """A noun phrase beside another one in a noun phrase, with only a comma or so between."""
        for node in self._at.get((first, last), ()):
            parent = int(self._spans.parent[node])
            if parent < 0 or self._label(node) != "NP" or self._label(parent) != "NP":
                continue
            phrases = self._below[parent, "NP"]
            at = bisect_left(phrases, node)
            if parent not in self._coordinated and any(
                self._apart(phrases[i], phrases[i + 1])
                for i in (at - 1, at)
                if 0 <= i < len(phrases) - 1
            ):
                return True
        return False

    def is_copular(self, first: int, last: int) -> bool:
        """A noun phrase behind a copula, or the subject of one with a noun phrase behind it."""
        for node in self._at.get((first, last), ()):
            parent = int(self._spans.parent[node])
            if self._label(node) != "NP" or parent < 0 or self._label(parent) not in _CLAUSES:
                continue
            if self._copula.get(parent, first) < first or self._predicate.get(parent, -1) > node:
                return True
        return False

    def _apart(self, left: int, right: int) -> bool:
        between = range(int(self._spans.last[left]) + 1, int(self._spans.first[right]))
        return len(between) == 1 and bool(self._tag) and self._tag[between[0]] in _APART

    def _around(self, first: int, last: int) -> int | None:
        """The smallest constituent that holds the span and more."""
        node = int(self._inner[first])
        while node >= 0:
            begin, end = int(self._spans.first[node]), int(self._spans.last[node])
            if begin <= first and last <= end and (begin, end) != (first, last):
                return node
            node = int(self._spans.parent[node])
        return None

    def _label(self, node: int) -> str:
        return self._spans.labels[int(self._spans.label[node])]

    def _category(self, token: int) -> int | None:
        return tag_category(self._tag[token]) if token < len(self._tag) else None


def _innermost(spans: Spans, tokens: int) -> IntArray:
    """The innermost span around each token, int64 (tokens,); −1 where there is none."""
    level = spans.token_levels(tokens)
    # Of the spans on the level of a token, the innermost is the one that was opened last.
    order = np.lexsort((spans.first, spans.level))
    opened = (spans.level * tokens + spans.first)[order]
    place = np.searchsorted(opened, level * tokens + np.arange(tokens), side="right") - 1
    return np.where(level < 0, -1, np.append(order, -1)[place])
