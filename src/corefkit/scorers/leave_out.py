"""Scheme bridges: mentions of some kinds left out of both sides, decided on the trees of the key.

Annotation schemes differ in what they mark: appositives, predicates, relative pronouns. What is
left out is a function of the words of a mention and of the key's tree, so that a span has the same
fate on both sides. Nested mentions are proper parts of a key mention; singletons go last, each side
by itself.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import tuples
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, data_error
from corefkit.core.nodes import nodes_listed
from corefkit.core.options import UsageError
from corefkit.core.source import HeadWord
from corefkit.scorers.comparison import Comparison

WordNumbers = tuple[int, ...]
"""The surface tokens of a mention, in its document."""

_PRONOUNS = frozenset({"PRON", "DET", "ADV"})


def _is_relative(head: HeadWord) -> bool:
    return "Rel" in head.feature("PronType") and head.upos in _PRONOUNS


_BY_HEAD: dict[str, Callable[[HeadWord], bool]] = {
    "appositive": lambda head: head.deprel == "appos",
    "predicate": lambda head: head.copula,
    "relative": _is_relative,
    "reflexive": lambda head: head.upos == "PRON" and "Yes" in head.feature("Reflex"),
    "reciprocal": lambda head: "Rcp" in head.feature("PronType"),
    "compound": lambda head: head.deprel == "compound",
    "verb": lambda head: head.upos in ("VERB", "AUX"),
}
NESTED, SINGLETON = "nested", "singleton"
KINDS = (*_BY_HEAD, NESTED, SINGLETON)
"""What can be left out."""

LeftOut = Mapping[str, Mapping[str, int]]
"""How many mentions were left out, by side and kind."""


def parse_kinds(kinds: str | Sequence[str]) -> tuple[str, ...]:
    """Kinds as people write them, in the order of KINDS; UsageError for what there is not.

    >>> parse_kinds("verb,appositive")
    ('appositive', 'verb')
    """
    listed = kinds.split(",") if isinstance(kinds, str) else list(kinds)
    names = {name.strip() for name in listed if name.strip()}
    if unknown := sorted(names - {*KINDS}):
        known = ", ".join(KINDS)
        raise UsageError(f"leave-out: unknown kind {unknown[0]!r}; choose from {known}")
    return tuple(kind for kind in KINDS if kind in names)


def leave_out(comparison: Comparison, kinds: Sequence[str]) -> Comparison:
    """The comparison without mentions of these kinds, and how many they were.

    Raises DataError where the key has no trees and a kind needs them.
    """
    judge = _KindFinder(comparison, kinds)
    counts: dict[str, Counter[str]] = {}
    sides: dict[str, Corpus] = {}
    for name, side in (("key", comparison.key), ("response", comparison.response)):
        counts[name] = Counter()
        kept = np.ones(side.mentions, dtype=bool)
        for row, words in enumerate(_words(side)):
            reasons = judge.kinds_of(int(side.document[row]), words) if words else ()
            counts[name].update(reasons)
            kept[row] = not reasons
        sides[name] = side.take(kept)
        if SINGLETON in kinds:
            large = sides[name].drop_singletons()
            if alone := sides[name].mentions - large.mentions:
                counts[name][SINGLETON] = alone
            sides[name] = large
    return replace(
        comparison,
        key=sides["key"],
        response=sides["response"],
        left_out={name: dict(numbers) for name, numbers in counts.items()},
    )


def _words(corpus: Corpus) -> list[WordNumbers]:
    """The surface tokens of each mention; none where it is of empty nodes alone."""
    zero = corpus.zero if corpus.zero is not None else np.zeros(corpus.mentions, dtype=np.int64)
    words = []
    for row, (start, end, empty) in enumerate(tuples(corpus.start, corpus.end, zero)):
        if listed := nodes_listed(corpus, row):
            words.append(tuple(token for token, number in listed if not number))
        else:
            words.append(() if empty else tuple(range(start, end + 1)))
    return words


class _KindFinder:
    """Decides which kinds the words of a mention fall under, by the key."""

    def __init__(self, comparison: Comparison, kinds: Sequence[str]) -> None:
        self._texts = comparison.key_side.corpus
        self._number = {name: n for n, name in enumerate(self._texts.names)}
        self._names = comparison.key.names
        self._by_head = [kind for kind in kinds if kind in _BY_HEAD]
        self._nested = NESTED in kinds
        self._known: dict[tuple[int, WordNumbers], tuple[str, ...]] = {}
        self._around: dict[tuple[int, int], list[frozenset[int]]] = {}
        if self._nested:
            for document, words in zip(
                comparison.key.document.tolist(), _words(comparison.key), strict=True
            ):
                whole = frozenset(words)
                for token in words:
                    self._around.setdefault((document, token), []).append(whole)

    def kinds_of(self, document: int, words: WordNumbers) -> tuple[str, ...]:
        """The kinds for which a mention of these words is left out."""
        identity = document, words
        if identity not in self._known:
            kinds = []
            if self._by_head:
                head = self._head(document, words)
                kinds = [kind for kind in self._by_head if head and _BY_HEAD[kind](head)]
            if self._nested and self._is_nested(document, words):
                kinds.append(NESTED)
            self._known[identity] = tuple(kinds)
        return self._known[identity]

    def _is_nested(self, document: int, words: WordNumbers) -> bool:
        inner = frozenset(words)
        return any(inner < whole for whole in self._around.get((document, words[0]), ()))

    def _head(self, document: int, words: WordNumbers) -> HeadWord | None:
        """The head of some words by the tree of the key."""
        number = self._number[self._names[document]]
        source = self._texts.source(number)
        if source is None:
            raise _no_trees(None, self._by_head)
        before = self._texts.first_token[number] - self._texts.first_token[source.first_document]
        tokens = [int(before) + word for word in words]
        head = source.head_word(tokens)
        if head is None:
            if self._by_head != ["verb"]:
                raise _no_trees(source.path, self._by_head)
            if len(words) > 1:
                return None
            column = source.columns("pos")[0]
            tag = column.values[int(column.code[tokens[0]])]
            return HeadWord("", "VERB" if tag.startswith("V") or tag == "AUX" else "", "", False)
        return head


def _no_trees(path: str | None, kinds: Sequence[str]) -> DataError:
    listed = ", ".join(kind for kind in kinds if kind != "verb")
    return data_error("column-missing", "trees", kinds=listed, file=path)
