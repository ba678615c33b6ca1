"""`--leave-out`: mentions of some kinds are left out of both sides, based on the trees of the key.

Annotation schemes differ in what they mark: appositives, predicates, relative pronouns. Whether a
mention is left out depends only on its words and the key, so that a span is treated in the same way
on both sides. Nested mentions are proper parts of a key mention. Singletons are left out last, on
each side separately.
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
"""The kinds of mentions that can be left out."""
_OTHER_NAMES = {"copula": "predicate"}
"""Other names of kinds."""

LeftOut = Mapping[str, Mapping[str, int]]
"""The number of mentions that were left out, by side and kind."""


def parse_kinds(kinds: str | Sequence[str]) -> tuple[str, ...]:
    """The kinds that users write, in the order of KINDS; raises UsageError for unknown ones.

    >>> parse_kinds("verb,appositive"), parse_kinds("copula")
    (('appositive', 'verb'), ('predicate',))
    """
    listed = kinds.split(",") if isinstance(kinds, str) else list(kinds)
    names = {_OTHER_NAMES.get(name.strip(), name.strip()) for name in listed if name.strip()}
    if unknown := sorted(names - {*KINDS}):
        known = ", ".join(KINDS)
        raise UsageError(f"leave-out: unknown kind {unknown[0]!r}; choose from {known}")
    return tuple(kind for kind in KINDS if kind in names)


def leave_out(comparison: Comparison, kinds: Sequence[str]) -> Comparison:
    """The comparison without mentions of these kinds; `left_out` says how many there were.

    Raises DataError if a kind needs trees and the key has none.
    """
    finder = _KindFinder(comparison, kinds)
    counts: dict[str, Counter[str]] = {}
    sides: dict[str, Corpus] = {}
    for name, side in (("key", comparison.key), ("response", comparison.response)):
        counts[name] = Counter()
        kept = np.ones(side.mentions, dtype=bool)
        for row, words in enumerate(_words(side)):
            kinds_here = finder.kinds_of(int(side.document[row]), words) if words else ()
            counts[name].update(kinds_here)
            kept[row] = not kinds_here
        sides[name] = side.take(kept)
        if SINGLETON in kinds:
            large = sides[name].drop_singletons()
            if singletons := sides[name].mentions - large.mentions:
                counts[name][SINGLETON] = singletons
            sides[name] = large
    return replace(
        comparison,
        key=sides["key"],
        response=sides["response"],
        left_out={name: dict(numbers) for name, numbers in counts.items()},
    )


def _words(corpus: Corpus) -> list[WordNumbers]:
    """The surface tokens of each mention; () if it has only empty nodes."""
    zero = corpus.zero if corpus.zero is not None else np.zeros(corpus.mentions, dtype=np.int64)
    words = []
    for row, (start, end, empty) in enumerate(tuples(corpus.start, corpus.end, zero)):
        if listed := nodes_listed(corpus, row):
            words.append(tuple(token for token, number in listed if not number))
        else:
            words.append(() if empty else tuple(range(start, end + 1)))
    return words


class _KindFinder:
    """Finds the kinds of a mention from its words, the trees of the key and its mentions."""

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
        """The head of these words in the tree of the key; None if it is unknown."""
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
