"""What the parse says about a mention: possessive, pre-modifier, appositive, part of a copula."""

import numpy as np

from corefkit.data.arrays import EMPTY, IntArray
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
        self._copulas: dict[int, list[int]] = {}
        for token, node in enumerate(self._inner.tolist()):
            if self._is_copula(token):
                self._copulas.setdefault(node, []).append(token)
        joins = (i for i, tag in enumerate(self._tag) if tag in ("CC", "KON"))
        self._coordinated = {int(self._inner[token]) for token in joins}
        self._phrases: dict[int, tuple[dict[int, int], list[int]]] = {}
        self._last_predicate: dict[int, int] = {}

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
            place, phrases = self._noun_phrases(parent)
            at = place[node]
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
            before = self._copulas.get(parent, [first])[0] < first
            if before or self._last_predicating(parent) > node:
                return True
        return False

    def _noun_phrases(self, parent: int) -> tuple[dict[int, int], list[int]]:
        """The noun phrases right below a node: the place of each, and the list of them."""
        if parent not in self._phrases:
            listed = [i for i in self._children[parent] if self._label(i) == "NP"]
            self._phrases[parent] = {node: place for place, node in enumerate(listed)}, listed
        return self._phrases[parent]

    def _last_predicating(self, parent: int) -> int:
        """The last verb phrase right below a node with a copula and a noun phrase; −1: none."""
        if parent not in self._last_predicate:
            verbs = (i for i in self._children[parent] if self._label(i) == "VP")
            self._last_predicate[parent] = max(filter(self._predicates, verbs), default=-1)
        return self._last_predicate[parent]

    def _predicates(self, phrase: int) -> bool:
        nouns = any(self._label(i) == "NP" for i in self._children.get(phrase, ()))
        return nouns and phrase in self._copulas

    def _is_copula(self, token: int) -> bool:
        texts = [column[token].lower() for column in (self._word, self._lemma) if column]
        return any(text in _COPULAS for text in texts)

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
    inner = np.full(tokens, -1, dtype=np.int64)
    # From where one begins or ends to the next such place, the same span is the innermost.
    size, number = max(len(spans), 1), np.arange(len(spans))
    begins = spans.first * (2 * size) + number + size
    ends = (spans.last + 1) * (2 * size) + size - 1 - number
    place = np.concatenate((begins, ends))
    who = np.concatenate((number, spans.parent))
    order = np.argsort(place)
    token, who = place[order] // (2 * size), who[order]
    final = np.flatnonzero(np.diff(token, append=tokens + 1))
    token, who = token[final], who[final]
    length = np.diff(np.append(token, max(tokens, int(token[-1]) if len(token) else 0)))
    filled = np.repeat(who, length)
    begin = int(token[0]) if len(token) else 0
    inner[begin : begin + len(filled)] = filled[: tokens - begin]
    return inner
