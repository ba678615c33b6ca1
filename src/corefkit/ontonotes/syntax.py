"""What the parse says about a mention: possessive, pre-modifier, appositive, part of a copula."""

from collections.abc import Iterable

import numpy as np

from corefkit.data.arrays import EMPTY, IntArray
from corefkit.formats.conll.stars import Spans
from corefkit.ontonotes.categories import NOUN, PRONOUN, PROPER, VERB, tag_category
from corefkit.ontonotes.tokens import Tokens

POSSESSIVE_TAGS = frozenset({"PRP$", "PPOSAT", "PPOSS", "WP$"})
_COPULAS = frozenset(
    {
        *("be", "am", "is", "are", "was", "were", "been", "being", "'s", "'re", "'m"),
        *("become", "becomes", "became", "seem", "seems", "seemed", "appear", "appears"),
        *("appeared", "remain", "remains", "remained", "stay", "stays", "stayed"),
        *("sein", "bin", "bist", "ist", "sind", "seid", "war", "waren", "werden", "wird"),
        *("wurde", "bleiben", "bleibt", "blieb"),
    }
)
"""Words and lemmas: section 3.6 of the CoNLL-2012 paper, and the German ones."""

_CLAUSES = frozenset({"S", "SINV", "SQ", "SBAR", "VP"})
_APART = frozenset({",", ":", "-LRB-", "$,", "$("})


class Syntax:
    """Answers about spans of tokens (of the corpus, both ends included), as far as files tell."""

    def __init__(self, tokens: Tokens) -> None:
        self._tag = tokens.pos.to_list() if tokens.has("pos") else []
        self._word = tokens.word.to_list() if tokens.has("word") else []
        self._lemma = tokens.lemma.to_list() if tokens.has("lemma") else []
        none = Spans(EMPTY, EMPTY, EMPTY, EMPTY, ())
        self._spans = tokens.spans("parse")[0] if tokens.holds("parse") else none
        self._inner = _innermost(self._spans, len(tokens))
        self._children: dict[int, list[int]] = {}
        for number, parent in enumerate(self._spans.parent.tolist()):
            self._children.setdefault(parent, []).append(number)
        self._at: dict[tuple[int, int], list[int]] = {}
        ends = zip(self._spans.first.tolist(), self._spans.last.tolist(), strict=True)
        for number, span in enumerate(ends):
            self._at.setdefault(span, []).append(number)

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
            phrases = [i for i in self._children[parent] if self._label(i) == "NP"]
            place = phrases.index(node)
            if any(
                self._apart(phrases[i], phrases[i + 1])
                for i in (place - 1, place)
                if 0 <= i < len(phrases) - 1
            ) and not self._coordinated(parent):
                return True
        return False

    def is_copular(self, first: int, last: int) -> bool:
        """A noun phrase behind a copula, or the subject of one with a noun phrase behind it."""
        for node in self._at.get((first, last), ()):
            parent = int(self._spans.parent[node])
            if self._label(node) != "NP" or parent < 0 or self._label(parent) not in _CLAUSES:
                continue
            if self._copula_in(range(int(self._spans.first[parent]), first), parent):
                return True
            for sister in self._children[parent]:
                if sister > node and self._label(sister) == "VP" and self._predicates(sister):
                    return True
        return False

    def _predicates(self, phrase: int) -> bool:
        verb = range(int(self._spans.first[phrase]), int(self._spans.last[phrase]) + 1)
        nouns = any(self._label(i) == "NP" for i in self._children.get(phrase, ()))
        return nouns and self._copula_in(verb, phrase)

    def _copula_in(self, tokens: Iterable[int], node: int) -> bool:
        return any(self._inner[t] == node and self._is_copula(t) for t in tokens)

    def _is_copula(self, token: int) -> bool:
        texts = [column[token].lower() for column in (self._word, self._lemma) if column]
        return any(text in _COPULAS for text in texts)

    def _apart(self, left: int, right: int) -> bool:
        between = range(int(self._spans.last[left]) + 1, int(self._spans.first[right]))
        return len(between) == 1 and bool(self._tag) and self._tag[between[0]] in _APART

    def _coordinated(self, node: int) -> bool:
        span = range(int(self._spans.first[node]), int(self._spans.last[node]) + 1)
        return any(self._inner[t] == node and self._tag[t] in ("CC", "KON") for t in span)

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
    inner = np.full(tokens, -1, dtype=np.int64)
    for level in range(int(spans.level.max(initial=-1)) + 1):
        here = np.flatnonzero(spans.level == level)
        length = spans.last[here] - spans.first[here] + 1
        offset = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
        inner[np.repeat(spans.first[here], length) + offset] = np.repeat(here, length)
    return inner
