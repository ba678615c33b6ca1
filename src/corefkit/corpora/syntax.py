"""The syntax of mentions, from tags and trees: their categories, and their place in the sentence.

Categories are those of Table 4 of the CoNLL-2012 paper. A mention of one token has the category of
its tag; a longer one is a noun phrase if it is one in the parse. These rules reproduce the 2,274
proper nouns and all but two of the 299 verbs of the development set; the table counts more noun
phrases, because it includes appositives that are not in the files of the shared task.

Gold mentions (GM) and gold boundaries (GB) are the inputs of the supplementary settings of
CoNLL-2012: spans without entities. GM are the mentions of the key. GB are all noun phrases and
pronouns of the gold parse, and the mentions that match no constituent. A constituent is a bracket
of the parse, so a single verb without a bracket is in GB only if it is a mention of the key.
"""

from bisect import bisect_left
from functools import cached_property

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, tuples
from corefkit.core.brackets import Spans
from corefkit.core.corpus import Corpus
from corefkit.core.tokens import Tokens

CATEGORIES = ("NP", "pronoun", "proper noun", "other noun", "verb", "other")
NP, PRONOUN, PROPER, NOUN, VERB, OTHER = range(len(CATEGORIES))

_TAGS = {
    PRONOUN: "PRP PRP$ PN PRON PPER PPOSAT PPOSS PRELS PRELAT PDS PRF",
    PROPER: "NNP NNPS NR NE PROPN",
    NOUN: "NN NNS NT NOUN",
    VERB: "VB VBD VBG VBN VBP VBZ MD VV VA VC VE VERB AUX",
}
"""Tags of the Penn and Chinese treebanks, STTS and Universal Dependencies.

Tags that several of them share have the same category: NN is a noun in all of them.
"""

_CATEGORY = {tag: category for category, tags in _TAGS.items() for tag in tags.split()}


def tag_category(tag: str) -> int:
    """The category of a token with this tag.

    >>> CATEGORIES[tag_category("PRP$")], CATEGORIES[tag_category("VVFIN")]
    ('pronoun', 'verb')
    """
    if tag in _CATEGORY:
        return _CATEGORY[tag]
    # STTS distinguishes forms of verbs (VVFIN, VVINF …); Arabic tags contain those of their parts.
    if tag[:2] in ("VV", "VA", "VM") and len(tag) > 2:
        return VERB
    for inside, category in (("NNP", PROPER), ("NN", NOUN), ("PRP", PRONOUN)):
        if inside in tag:
            return category
    return OTHER


def mention_categories(tokens: Tokens) -> IntArray:
    """The category of each mention, int64 (mentions,), an index into CATEGORIES."""
    first, last = tokens.mention_first, tokens.mention_last
    by_tag = tokens.column("pos").numbers(tag_category)
    phrase = tokens.constituents.named("NP").over(first, last) >= 0
    alone = by_tag[np.minimum(first, len(by_tag) - 1)] if len(by_tag) else first
    return np.where(first == last, alone, np.where(phrase, NP, OTHER))


POSSESSIVE_TAGS = frozenset({"PRP$", "PPOSAT", "PPOSS", "WP$"})
_WORDS = """
    be am is are was were been being 's 're 'm become becomes became seem seems seemed appear
    appears appeared remain remains remained stay stays stayed sein bin bist ist sind seid war
    waren werden wird wurde bleiben bleibt blieb
"""
_COPULAS = frozenset(_WORDS.split())
"""Copular words and lemmas: those of section 3.6 of the CoNLL-2012 paper, and German ones."""

_CLAUSES = frozenset({"S", "SINV", "SQ", "SBAR", "VP"})
_APART = frozenset({",", ":", "-LRB-", "$,", "$("})


class Syntax:
    """The syntax of spans, which count the tokens of the corpus and include both ends.

    Where the files lack tags or trees, the answers are False.
    """

    def __init__(self, tokens: Tokens) -> None:
        self._tag = tokens.column("pos").to_list() if tokens.has("pos") else []
        none = Spans(EMPTY, EMPTY, EMPTY, EMPTY, ())
        self._spans = tokens.spans("parse")[0] if tokens.has_brackets("parse") else none
        self._inner = innermost(self._spans, len(tokens))
        self._first_copula = self._find_copulas(tokens)

    @cached_property
    def _children(self) -> dict[tuple[int, str], list[int]]:
        """(constituent, label) → its children with this label."""
        children: dict[tuple[int, str], list[int]] = {}
        for node, parent in enumerate(self._spans.parent.tolist()):
            children.setdefault((parent, self._label(node)), []).append(node)
        return children

    @cached_property
    def _nodes_over(self) -> dict[tuple[int, int], list[int]]:
        """Span → the constituents with exactly this span, outer ones first."""
        nodes: dict[tuple[int, int], list[int]] = {}
        for node, span in enumerate(tuples(self._spans.first, self._spans.last)):
            nodes.setdefault(span, []).append(node)
        return nodes

    @cached_property
    def _coordinated(self) -> set[int]:
        """The constituents that have a conjunction right below them."""
        joins = (i for i, tag in enumerate(self._tag) if tag in ("CC", "KON"))
        return {int(self._inner[token]) for token in joins}

    def _find_copulas(self, tokens: Tokens) -> dict[int, int]:
        """Constituent → the first copula that is its child."""
        copular = np.zeros(len(tokens), dtype=bool)
        for column in (tokens.column(name) for name in ("word", "lemma") if tokens.has(name)):
            copular |= column.holds(lambda text: text.lower() in _COPULAS)
        backwards = np.flatnonzero(copular)[::-1]  # The first one is set last, and stays.
        return dict(tuples(self._inner[backwards], backwards))

    @cached_property
    def _predicate(self) -> dict[int, int]:
        """Constituent → its last child that is a verb phrase with a copula and a noun phrase."""
        verbs = (i for i in sorted(self._first_copula) if i >= 0 and self._label(i) == "VP")
        return {int(self._spans.parent[i]): i for i in verbs if (i, "NP") in self._children}

    def is_pronoun(self, first: int, last: int) -> bool:
        """Whether the span is a single pronoun, personal or possessive."""
        return first == last and self._category(first) == PRONOUN

    def is_verb(self, first: int, last: int) -> bool:
        """Whether the span is a single verb."""
        return first == last and self._category(first) == VERB

    def is_possessive(self, first: int, last: int) -> bool:
        """Whether it is a possessive pronoun, or has a possessive marker at its end or after it."""
        if not self._tag:
            return False
        after = self._tag[last + 1] if last + 1 < len(self._tag) else ""
        is_possessive_pronoun = first == last and self._tag[first] in POSSESSIVE_TAGS
        return is_possessive_pronoun or "POS" in (self._tag[last], after)

    def is_premodifier(self, first: int, last: int) -> bool:
        """Whether it is right before a noun of its noun phrase, and not a noun phrase itself."""
        if any(self._label(i) == "NP" for i in self._nodes_over.get((first, last), ())):
            return False
        around = self._around(first, last)
        if around is None or self._label(around) not in ("NP", "NML"):
            return False
        return last < self._spans.last[around] and self._category(last + 1) in (NOUN, PROPER)

    def is_appositive(self, first: int, last: int) -> bool:
        """Whether it is a noun phrase in a noun phrase, next to another one.

        There must be one comma or the like between them, and no coordination.
        """
        for node in self._nodes_over.get((first, last), ()):
            parent = int(self._spans.parent[node])
            if parent < 0 or self._label(node) != "NP" or self._label(parent) != "NP":
                continue
            phrases = self._children[parent, "NP"]
            at = bisect_left(phrases, node)
            if parent not in self._coordinated and any(
                self._apart(phrases[i], phrases[i + 1])
                for i in (at - 1, at)
                if 0 <= i < len(phrases) - 1
            ):
                return True
        return False

    def is_copular(self, first: int, last: int) -> bool:
        """Whether it is a noun phrase after a copula, or the subject of such a copula."""
        for node in self._nodes_over.get((first, last), ()):
            parent = int(self._spans.parent[node])
            if self._label(node) != "NP" or parent < 0 or self._label(parent) not in _CLAUSES:
                continue
            if self._has_copula_before(parent, first) or self._has_predicate_after(parent, node):
                return True
        return False

    def _has_copula_before(self, parent: int, token: int) -> bool:
        return parent in self._first_copula and self._first_copula[parent] < token

    def _has_predicate_after(self, parent: int, node: int) -> bool:
        return parent in self._predicate and self._predicate[parent] > node

    def _apart(self, left: int, right: int) -> bool:
        between = range(int(self._spans.last[left]) + 1, int(self._spans.first[right]))
        return len(between) == 1 and bool(self._tag) and self._tag[between[0]] in _APART

    def _around(self, first: int, last: int) -> int | None:
        """The smallest constituent that contains the span and is larger; None: there is none."""
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


def innermost(spans: Spans, tokens: int) -> IntArray:
    """The innermost span around each token, int64 (tokens,); −1 where there is none."""
    level = spans.token_levels(tokens)
    # Among the spans on the level of a token, the innermost is the one that was opened last.
    order = np.lexsort((spans.first, spans.level))
    opened = (spans.level * tokens + spans.first)[order]
    found = np.searchsorted(opened, level * tokens + np.arange(tokens), side="right") - 1
    return np.where(level < 0, -1, np.append(order, -1)[found])


def gold_mentions(corpus: Corpus) -> Corpus:
    """The mentions of the key, each once, as singletons.

    >>> corpus = Corpus.from_clusters({"tale": [[(0, 1), (4, 4)], [(6, 8)]]})
    >>> gold_mentions(corpus)
    Corpus(1 document, 3 mentions, 3 entities)
    """
    return _singletons(corpus, corpus.document, corpus.start, corpus.end)


def gold_boundaries(corpus: Corpus) -> Corpus:
    """The gold boundaries as singletons; DataError where the parse is missing or broken."""
    tokens = Tokens(corpus).load("pos", "parse")
    spans = tokens.constituents
    first, last = tokens.mention_first, tokens.mention_last
    unaligned = spans.over(first, last) < 0
    phrases = spans.named("NP")
    pronouns = np.flatnonzero(tokens.column("pos").numbers(tag_category) == PRONOUN)
    begin = np.concatenate((phrases.first, pronouns, first[unaligned]))
    end = np.concatenate((phrases.last, pronouns, last[unaligned]))
    # A mention may cross the end of a sentence, but not that of a document.
    document = tokens.document[begin]
    shift = tokens.document_start[document]
    return _singletons(corpus, document, begin - shift, end - shift)


def _singletons(corpus: Corpus, document: IntArray, start: IntArray, end: IntArray) -> Corpus:
    """A corpus with a singleton for each of these spans, in text order.

    Entity ids are numbers from 0 in each document.
    """
    table = np.unique(np.stack((document, start, -end), axis=1), axis=0)
    document, start, end = table[:, 0], table[:, 1], -table[:, 2]
    number = np.arange(len(table)) - np.searchsorted(document, document)
    unknown = np.zeros(len(table), dtype=np.int64)
    return Corpus(
        names=corpus.names,
        tokens=corpus.tokens,
        document=document,
        start=start,
        end=end,
        entity=np.arange(len(table)),
        labels=tuple(map(str, number.tolist())),
        sources=corpus.sources,
        document_byte=corpus.document_byte,
        byte=unknown,
        line=unknown,
    )
