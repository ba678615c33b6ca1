"""Choosing some errors of many, and finding those that several systems make."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corefkit.analysis.errors import Errors
from corefkit.analysis.types import TYPES
from corefkit.data.arrays import BoolArray, tuples
from corefkit.data.matching.nodes import zero_numbers
from corefkit.data.options import UsageError, choose
from corefkit.mentions.kinds import KINDS

Same = tuple[int, int, tuple[tuple[int, int, int], ...]]
"""What makes an error the same in another response: type, document, spans."""


@dataclass(frozen=True)
class Choice:
    """Which errors are wanted; an empty field restricts nothing.

    Attributes:
        types, documents, kinds, words: any of these; an error has a kind or a word if one of its
            mentions has. The word of a mention is its whole text, or its head, in any case.
        sample: at most so many of each response, drawn by chance.
        seed: of the generator that draws.
    """

    types: Sequence[str] = ()
    documents: Sequence[str] = ()
    kinds: Sequence[str] = ()
    words: Sequence[str] = ()
    sample: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for name in self.types:
            choose("type", name, TYPES)
        for name in self.kinds:
            choose("kind", name, KINDS)

    def of(self, errors: Errors) -> list[int]:
        """The numbers of the errors chosen, ascending."""
        found, names = errors.found, errors.joint.key.names
        if unknown := [name for name in self.documents if name not in names]:
            raise UsageError(f"document: the key has no {unknown[0]!r}; names are compared whole")
        kept = np.ones(len(found), dtype=bool)
        if self.types:
            kept &= np.isin(found.type, [TYPES.index(name) for name in self.types])
        if self.documents:
            kept &= np.isin(found.document, [names.index(name) for name in self.documents])
        if self.kinds:
            kinds = [KINDS.index(name) for name in self.kinds]
            kept &= _some(errors, np.isin(errors.joint.kind[found.mention], kinds))
        rows = np.flatnonzero(kept).tolist()
        if self.words:
            wanted = {word.lower() for word in self.words}
            rows = [row for row in rows if _says(errors, row, wanted)]
        if self.sample is not None and self.sample < len(rows):
            rows = sorted(random.Random(self.seed).sample(rows, self.sample))
        return rows


def _some(errors: Errors, holds: BoolArray) -> BoolArray:
    """bool (errors,): those with a mention for which something holds."""
    number = np.bincount(errors.found.error[holds], minlength=len(errors.found))
    return number > 0


def _says(errors: Errors, number: int, words: set[str]) -> bool:
    mentions = errors[number].mentions
    return any({m.text.lower(), m.head_word.lower()} & words for m in mentions)


def identities(errors: Errors) -> list[Same]:
    """What makes each error the same as one of another response to the same key."""
    found, corpus = errors.found, errors.joint.corpus
    spans = list(tuples(corpus.start, corpus.end, zero_numbers(corpus)))
    mentions = [spans[row] for row in found.mention.tolist()]
    errors_of = tuples(found.type, found.document, found.first[:-1], found.first[1:])
    return [(kind, document, tuple(mentions[a:b])) for kind, document, a, b in errors_of]


def common_errors(systems: Sequence[Errors]) -> dict[str, dict[str, int]]:
    """For each type how many errors all systems make ("all"), and how many only one, by its name.

    An error is the same if it is of one type and takes the same mentions.
    """
    made = [set(identities(errors)) for errors in systems]
    times = Counter(one for some in made for one in some)
    table: dict[str, dict[str, int]] = {}
    for number, name in enumerate(TYPES):
        row = {"all": sum(n == len(systems) and one[0] == number for one, n in times.items())}
        for errors, some in zip(systems, made, strict=True):
            row[errors.name] = sum(one[0] == number and times[one] == 1 for one in some)
        table[name] = row
    return table
