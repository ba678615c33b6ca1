"""Plurals: the entities with split antecedents, each with the entities that it is made of."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from corefkit.data.arrays import IntArray, tuples
from corefkit.data.links import KINDS

if TYPE_CHECKING:
    from corefkit.data.corpus import Corpus

Words = tuple[int, int, int, tuple[tuple[int, int], ...]]
"""A mention without its document: start, end, the number of an empty node, its nodes if listed."""

Elements = tuple[frozenset[Words], ...]
"""The entities that a plural is made of, as the words of their mentions."""


@dataclass(frozen=True, eq=False)
class Plurals:
    """The plurals of a corpus, in the order of their entities.

    They stay when their mentions, or those of their elements, are taken out of the corpus.

    Attributes:
        entity: int64 (plurals,), the number of the entity; −1 where it has no mention left.
        document: int64 (plurals,), its document.
        elements: the elements of each.
    """

    entity: IntArray
    document: IntArray
    elements: tuple[Elements, ...]

    def take(self, entity: IntArray) -> "Plurals":
        """The same with entities renumbered (−1: gone)."""
        known = self.entity >= 0
        moved = np.where(known, entity[np.where(known, self.entity, 0)], -1) if len(entity) else -1
        return Plurals(np.broadcast_to(moved, self.entity.shape), self.document, self.elements)

    def renumbered(self, places: Mapping[int, int]) -> "Plurals | None":
        """The plurals of the documents that have a place, which becomes their number."""
        kept = [at for at, one in enumerate(self.document.tolist()) if one in places]
        if not kept:
            return None
        document = [places[int(self.document[at])] for at in kept]
        elements = tuple(self.elements[at] for at in kept)
        return Plurals(self.entity[kept], np.array(document, dtype=np.int64), elements)


def with_plurals(corpus: "Corpus", *, zeros: bool = True) -> "Corpus":
    """The corpus with its split antecedents as plurals; those of equal elements become one entity.

    Plurals among the elements are resolved into their own elements, however deep. Without `zeros`
    elements have no mentions of empty nodes. It is for corpora that have everything that was
    annotated: afterwards anything may be taken out.
    """
    if corpus.links is None:
        return corpus
    kind = corpus.links.kind == KINDS.index("element")
    if not kind.any():
        return corpus
    parts: dict[int, list[int]] = {}
    for plural, element in tuples(corpus.links.source[kind], corpus.links.target[kind]):
        parts.setdefault(plural, []).append(element)
    if corpus.referring is not None:
        silent = set(corpus.entity[~corpus.referring].tolist())
        parts = {plural: own for plural, own in parts.items() if plural not in silent}
    words = _words(corpus, {e for own in parts.values() for e in own}, zeros)
    elements = {}
    for plural in sorted(parts):
        found = {words.get(e, frozenset[Words]()) for e in _leaves(plural, parts)}
        if listed := sorted((one for one in found if one), key=sorted):
            elements[plural] = tuple(listed)
    return _joined(replace(corpus, plurals=None), elements)


def _leaves(plural: int, parts: dict[int, list[int]]) -> list[int]:
    """The entities that a plural is made of in the end."""
    found: dict[int, None] = {}
    waiting, seen = [*parts[plural]], {plural}
    while waiting:
        element = waiting.pop()
        if element in parts:
            if element not in seen:
                seen.add(element)
                waiting += parts[element]
        else:
            found[element] = None
    return list(found)


def _words(corpus: "Corpus", entities: set[int], zeros: bool) -> dict[int, frozenset[Words]]:
    """The mentions of these entities."""
    from corefkit.data.spans import span_of

    found: dict[int, set[Words]] = {}
    for row in np.flatnonzero(np.isin(corpus.entity, list(entities))).tolist():
        _, *words = span_of(corpus, row)
        if zeros or not words[2]:
            found.setdefault(int(corpus.entity[row]), set()).add(tuple(words))  # type: ignore[arg-type]
    return {entity: frozenset(own) for entity, own in found.items()}


def _joined(corpus: "Corpus", elements: dict[int, Elements]) -> "Corpus":
    """The corpus with these plurals; of those with equal elements the later joins the earlier."""
    if not elements:
        return corpus
    of_entity = corpus.entity_document.tolist()
    first: dict[tuple[int, Elements], int] = {}
    becomes = np.arange(corpus.entities)
    for plural, own in elements.items():
        becomes[plural] = first.setdefault((of_entity[plural], own), plural)
    kept = [plural for plural in elements if becomes[plural] == plural]
    plurals = Plurals(
        np.array(kept, dtype=np.int64),
        corpus.entity_document[kept],
        tuple(elements[plural] for plural in kept),
    )
    joined = replace(corpus, entity=becomes[corpus.entity], plurals=plurals)
    # Those that joined another have no mention left: taking all rows leaves them out.
    return joined if len(kept) == len(elements) else joined.take(np.arange(corpus.mentions))
