"""Patterns: which errors come again and again, and on which words."""

from collections import Counter
from typing import NamedTuple

import numpy as np

from corefkit.analysis.errors import Errors
from corefkit.analysis.types import TYPES
from corefkit.data.arrays import IntArray
from corefkit.mentions.kinds import KINDS, NAME, NOMINAL, PRONOUN

_SAYS = {
    "span": "{} with wrong boundaries",
    "extra-entity": "{} made an entity of its own",
    "extra-mention": "{} added to an entity",
    "conflated": "{} joined to the wrong entity",
    "missing-entity": "{} whose entity is missed",
    "missing-mention": "{} left out",
    "divided": "{} cut off",
}
_WORDS = 3


class Pattern(NamedTuple):
    """Errors of one type on one kind of mentions: how many, and their commonest words."""

    type: str
    kind: str
    number: int
    words: tuple[str, ...]

    def __str__(self) -> str:
        said = _SAYS[self.type].format(self.kind)
        return f"{said}: {', '.join(self.words)}" if self.words else said


def patterns(errors: Errors, most: int = 10) -> list[Pattern]:
    """The commonest patterns, the most frequent first.

    An error of several mentions is one of a name if it has a name, else of a nominal if it has
    one. Its word is the head of its first mention of that kind, in lower case.
    """
    kind = main_kinds(errors)
    group = errors.found.type * len(KINDS) + kind
    number = np.bincount(group, minlength=len(TYPES) * len(KINDS))
    found = []
    for code in np.argsort(-number, kind="stable")[:most].tolist():
        if number[code]:
            words = _words(errors, np.flatnonzero(group == code), code % len(KINDS))
            name, kinds = TYPES[code // len(KINDS)], KINDS[code % len(KINDS)]
            found.append(Pattern(name, kinds, int(number[code]), words))
    return found


def main_kinds(errors: Errors) -> IntArray:
    """The kind of each error, int64 (errors,): the most telling one among its mentions."""
    found = errors.found
    weight = np.array([0, 2, 1])[errors.joint.kind[found.mention]]
    most = np.zeros(len(found), dtype=np.int64)
    np.maximum.at(most, found.error, weight)
    return np.array([PRONOUN, NOMINAL, NAME])[most]


def _words(errors: Errors, chosen: IntArray, kind: int) -> tuple[str, ...]:
    """The commonest head words of these errors."""
    texts = errors.details.texts
    if not texts.comparable:
        return ()
    found, corpus = errors.found, errors.joint.corpus
    assert corpus.head is not None and corpus.head_zero is not None
    counter: Counter[str] = Counter()
    for error in chosen.tolist():
        rows = found.mention[found.first[error] : found.first[error + 1]]
        row = int(rows[errors.joint.kind[rows] == kind][0])
        if not corpus.head_zero[row]:
            head = int(corpus.head[row])
            counter[texts.text(int(corpus.document[row]), head, head).lower()] += 1
    common = sorted(counter.items(), key=lambda item: (-item[1], item[0]))
    return tuple(word for word, _ in common[:_WORDS] if word)
