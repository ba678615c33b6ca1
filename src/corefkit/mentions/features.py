"""Features: functions from the mentions of a side to labels, one for each break-down.

To add one, write a function that takes Chains and returns a label for each mention, and name it
in FEATURES. From Python pass your own: `scores.by(Feature("long", is_long))`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from corefkit.data.arrays import IntArray, ranks_of
from corefkit.data.columns import Column
from corefkit.data.groups import genre
from corefkit.mentions.chains import NO_NAME, NOUN, Chains

FIRST = "first"
"""The distance of a mention that has no antecedent."""

ALL = "all"
"""The class of all mentions where the key does not say what tells classes apart."""

SEVERAL = "(several words)"
"""The word of a mention of more than one."""


@dataclass(frozen=True)
class Feature:
    """What a break-down is by.

    Attributes:
        name: what it is called.
        label: mentions of one side → their labels, as a Column or as any sequence.
        tokens: the token columns it reads, so that they are read together.
    """

    name: str
    label: Callable[[Chains], Column | Sequence[object]]
    tokens: tuple[str, ...] = ()


def labels(feature: Feature, *sides: Chains) -> tuple[tuple[str, ...], list[IntArray]]:
    """The labels that a feature gives on several sides, in order; for each mention its label.

    A Column says the order of its labels; those of other sequences are sorted.
    """
    columns = [_column(feature.label(side)) for side in sides]
    for column, side in zip(columns, sides, strict=True):
        if len(column.code) != len(side):
            raise ValueError(f"{feature.name}: {len(column.code)} labels of {len(side)} mentions")
    names = tuple(dict.fromkeys(value for column in columns for value in column.values))
    place = {name: number for number, name in enumerate(names)}
    return names, [column.numbers(place.__getitem__) for column in columns]


def _column(found: Column | Sequence[object]) -> Column:
    if isinstance(found, Column):
        return found
    values, code = np.unique(np.array([str(label) for label in found]), return_inverse=True)
    return Column(code.astype(np.int64), tuple(values.tolist()))


def mention_class(chains: Chains) -> Column:
    """NOUN if nominal, else the tag; `all` where the key has no tags."""
    if not chains.tokens.has("pos"):
        return _all(chains)
    tag = chains.column("pos")
    return Column(np.where(chains.nominal, 0, tag.code + 1), (NOUN, *tag.values))


def entity_name(chains: Chains) -> Column:
    """The named entity class of the chain; `all` where the key has no names."""
    return _named(chains, lambda: chains.entity_name[chains.entity])


def own_name(chains: Chains) -> Column:
    """The named entity class over exactly the mention; `all` where the key has no names."""
    return _named(chains, lambda: chains.own_name)


def _named(chains: Chains, name: Callable[[], IntArray]) -> Column:
    if not chains.tokens.has("ne"):
        return _all(chains)
    return Column(name() + 1, (NO_NAME, *chains.tokens.names.labels))


def _all(chains: Chains) -> Column:
    return Column(np.zeros(len(chains), dtype=np.int64), (ALL,))


def word(chains: Chains) -> Column:
    """The word in lower case, the most frequent first; longer mentions together."""
    word = chains.column("word")
    single = chains.end == chains.start
    lower = [value.lower() for value in word.values]
    number = {value: i for i, value in enumerate(dict.fromkeys((SEVERAL, *lower)))}
    code = np.where(single, np.array([number[value] for value in lower])[word.code], 0)
    order = np.argsort(-np.bincount(code, minlength=len(number)), kind="stable")
    names = tuple(number)
    return Column(ranks_of(order)[code], tuple(names[i] for i in order.tolist()))


def length(chains: Chains) -> Column:
    """The number of tokens."""
    return binned(chains.end - chains.start + 1, (1, 2, 3, 4, 5, 10))


def distance(chains: Chains) -> Column:
    """How many sentences back the mention before it in its chain is."""
    sentence = chains.tokens.sentence[chains.token]
    back = sentence - np.append(sentence, 0)[chains.previous]
    column = binned(back, (0, 1, 2, 3, 5, 10))
    return Column(np.where(chains.previous < 0, 0, column.code + 1), (FIRST, *column.values))


def entity_size(chains: Chains) -> Column:
    """The number of mentions of the entity."""
    return binned(chains.size[chains.entity], (1, 2, 3, 4, 5, 10, 20, 50))


def document_genre(chains: Chains) -> Column:
    """The genre of the document."""
    genres = _column([genre(name) for name in chains.corpus.names])
    return Column(genres.code[chains.document], genres.values)


def speaker(chains: Chains) -> Column:
    """Who says the first word of the mention."""
    column = chains.column("speaker")
    order = sorted(range(len(column.values)), key=column.values.__getitem__)
    return Column(np.argsort(order)[column.code], tuple(column.values[i] for i in order))


def binned(numbers: IntArray, lowest: Sequence[int]) -> Column:
    """Numbers by ranges, each told by the lowest in it; the last has no end.

    >>> binned(np.array([1, 3, 9]), (1, 2, 5))
    Column(code=array([0, 1, 2]), values=('1', '2-4', '5+'))
    """
    names = [str(a) if b == a + 1 else f"{a}-{b - 1}" for a, b in pairwise(lowest)]
    code = np.searchsorted(np.array(lowest), numbers, side="right") - 1
    return Column(code, (*names, f"{lowest[-1]}+"))


OWN_NAME = Feature("ne", own_name, ("ne",))

FEATURES: dict[str, Feature] = {
    feature.name: feature
    for feature in (
        Feature("class", mention_class, ("pos",)),
        Feature("ne", entity_name, ("pos", "ne")),
        Feature("word", word, ("word",)),
        Feature("length", length),
        Feature("distance", distance),
        Feature("entity-size", entity_size),
        Feature("genre", document_genre),
        Feature("speaker", speaker, ("speaker",)),
    )
}
