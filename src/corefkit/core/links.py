"""Relations other than identity between mentions and entities.

`Links` are relations such as bridging. `Plurals` are the entities with split antecedents, each with
its elements, the entities that it consists of. `Dependencies` are those of the heads of zeros.
`components` turns identity links between mentions into entities.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.carriers import frozen
from corefkit.core.columns import Column, join_columns
from corefkit.core.mention_columns import Ragged, take_lists

if TYPE_CHECKING:
    from corefkit.core.corpus import Corpus

NodeType = TypeVar("NodeType", bound=Hashable)

KINDS = ("split", "bridging", "bridging-entity", "element")
"""split: a plural entity → one of its elements, an entity.
bridging: an anaphor (a mention) → its anchor (a mention).
bridging-entity: an anaphor (a mention) → its anchor (an entity).
element: like split, but from CoNLL-UA files, whose split antecedents are scored."""

_SOURCE_IS_ENTITY = np.array([True, False, False, True])
_TARGET_IS_ENTITY = np.array([True, False, True, True])


@frozen(eq=False)
class Links:
    """Links, in columns.

    Attributes:
        kind: int64 (links,), an index into KINDS.
        source, target: int64 (links,), rows of mentions or numbers of entities; KINDS says which.
        label: the relation as written in the file, e.g. "part"; "" for none.
    """

    kind: IntArray
    source: IntArray
    target: IntArray
    label: tuple[str, ...]

    def ends_in(self, entity: IntArray) -> tuple[IntArray, IntArray]:
        """The entities at both ends, int64 (links,); `entity` has that of each mention."""
        columns = (self.source, _SOURCE_IS_ENTITY), (self.target, _TARGET_IS_ENTITY)
        ends = []
        for end, is_entity in columns:
            is_mention, entities = ~is_entity[self.kind], end.copy()
            entities[is_mention] = entity[end[is_mention]]
            ends.append(entities)
        return ends[0], ends[1]

    def take(self, rows: IntArray, size: int, entity: IntArray) -> "Links | None":
        """The links between the mentions and entities that are kept; None if there are none.

        `rows` are the mentions kept, of `size`; `entity` has the new number of each entity, −1 if
        it is dropped.
        """
        mention = np.full(max(size, 1), -1, dtype=np.int64)
        mention[rows] = np.arange(len(rows))
        source = self._moved(self.source, _SOURCE_IS_ENTITY, mention, entity)
        target = self._moved(self.target, _TARGET_IS_ENTITY, mention, entity)
        left = np.flatnonzero((source >= 0) & (target >= 0))
        if not len(left):
            return None
        label = tuple(self.label[i] for i in left.tolist())
        return Links(self.kind[left], source[left], target[left], label)

    def _moved(
        self, end: IntArray, is_entity: IntArray, mention: IntArray, entity: IntArray
    ) -> IntArray:
        """One end of the links with new numbers for mentions and entities."""
        entities = is_entity[self.kind]
        moved = np.empty_like(end)
        moved[entities], moved[~entities] = entity[end[entities]], mention[end[~entities]]
        return moved

    @staticmethod
    def concat(parts: "Sequence[tuple[Links | None, int, int]]") -> "Links | None":
        """Several as one; `parts` are (links, number of the first mention, of the first entity)."""
        present = [(links, m, e) for links, m, e in parts if links is not None]
        if not present:
            return None
        source = [x.source + np.where(_SOURCE_IS_ENTITY[x.kind], e, m) for x, m, e in present]
        target = [x.target + np.where(_TARGET_IS_ENTITY[x.kind], e, m) for x, m, e in present]
        kind = np.concatenate([links.kind for links, _, _ in present])
        label = tuple(label for links, _, _ in present for label in links.label)
        return Links(kind, np.concatenate(source), np.concatenate(target), label)


Words = tuple[int, int, int, tuple[tuple[int, int], ...]]
"""A mention without its document: start, end, number of the empty node, listed nodes."""

Elements = tuple[tuple[Words, ...], ...]
"""The elements of a plural, each as the sorted words of its mentions; sorted."""


@frozen(eq=False)
class Plurals:
    """The entities of a corpus with split antecedents, in the order of their numbers.

    They are kept even if their mentions, or those of their elements, are removed from the corpus.

    Attributes:
        entity: int64 (plurals,), the number of the entity; −1 if it has no mention left.
        document: int64 (plurals,), its document.
        elements: the elements of each.
    """

    entity: IntArray
    document: IntArray
    elements: tuple[Elements, ...]

    def take(self, entity: IntArray) -> "Plurals":
        """The plurals with entities renumbered; `entity` has the new numbers, −1 for none."""
        known = self.entity >= 0
        moved = np.where(known, entity[np.where(known, self.entity, 0)], -1) if len(entity) else -1
        return Plurals(np.broadcast_to(moved, self.entity.shape), self.document, self.elements)

    def renumbered(self, numbers: Mapping[int, int]) -> "Plurals | None":
        """The plurals of the documents in `numbers`, which maps old to new document numbers."""
        kept = [at for at, document in enumerate(self.document.tolist()) if document in numbers]
        if not kept:
            return None
        document = [numbers[int(self.document[at])] for at in kept]
        elements = tuple(self.elements[at] for at in kept)
        return Plurals(self.entity[kept], np.array(document, dtype=np.int64), elements)


def with_plurals(corpus: "Corpus", *, zeros: bool = True, copies: bool = False) -> "Corpus":
    """The corpus with its split antecedents as plurals; plurals with equal elements are merged.

    Elements that are plurals themselves are replaced by their own elements, recursively. Without
    `zeros`, elements have no mentions of empty nodes; with `copies`, they list a span as often as
    their entity does. The corpus must be complete: mentions may be removed only afterwards.
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
        nonreferring = set(corpus.entity[~corpus.referring].tolist())
        parts = {plural: parts[plural] for plural in parts if plural not in nonreferring}
    words = _words(corpus, set().union(*parts.values()), zeros, copies)
    elements = {}
    for plural in sorted(parts):
        if listed := {words[e] for e in _leaves(plural, parts) if e in words}:
            elements[plural] = tuple(sorted(listed))
    return _joined(replace(corpus, plurals=None), elements)


def _leaves(plural: int, parts: dict[int, list[int]]) -> list[int]:
    """The elements of a plural that are not plurals themselves, also those of its elements."""
    leaves: dict[int, None] = {}
    waiting, seen = [*parts[plural]], {plural}
    while waiting:
        element = waiting.pop()
        if element in parts:
            if element not in seen:
                seen.add(element)
                waiting += parts[element]
        else:
            leaves[element] = None
    return list(leaves)


def _words(
    corpus: "Corpus", entities: set[int], zeros: bool, copies: bool
) -> dict[int, tuple[Words, ...]]:
    """The mentions of these entities, without entities that have none."""
    from corefkit.core.nodes import span_of

    listed: dict[int, list[Words]] = {}
    for row in np.flatnonzero(np.isin(corpus.entity, list(entities))).tolist():
        words = span_of(corpus, row)[1:]
        if zeros or not words[2]:
            listed.setdefault(int(corpus.entity[row]), []).append(words)
    return {
        e: tuple(sorted(mentions if copies else set(mentions))) for e, mentions in listed.items()
    }


def _joined(corpus: "Corpus", elements: dict[int, Elements]) -> "Corpus":
    """The corpus with these plurals; a plural with the elements of an earlier one joins it."""
    if not elements:
        return corpus
    document = corpus.entity_document.tolist()
    first: dict[tuple[int, Elements], int] = {}
    becomes = np.arange(corpus.entities)
    for plural, listed in elements.items():
        becomes[plural] = first.setdefault((document[plural], listed), plural)
    kept = [plural for plural in elements if becomes[plural] == plural]
    plurals = Plurals(
        np.array(kept, dtype=np.int64),
        corpus.entity_document[kept],
        tuple(elements[plural] for plural in kept),
    )
    joined = replace(corpus, entity=becomes[corpus.entity], plurals=plurals)
    # Plurals that joined another have no mentions left: `take` drops them.
    return joined if len(kept) == len(elements) else joined.take(np.arange(corpus.mentions))


ROOT = (-2, 0)
"""The parent of the root of a sentence; as a node, it comes before all others."""

Arc = tuple[tuple[int, int], str]
"""The parent, as (token, 0) or (token before the empty node, its number), and the relation."""


@frozen(eq=False)
class Dependencies:
    """The sentence and the dependencies of the head of each zero.

    Attributes:
        parents: for each mention whose head is an empty node, the parents of that head: nodes as
            in Corpus, or ROOT. Mentions without dependencies have an empty list.
        sentence: int64 (zeros,), the sentence of each, numbered from 0 in its document.
        relation: the relation to each parent.
    """

    parents: Ragged
    sentence: IntArray
    relation: Column

    @classmethod
    def of(cls, lists: Sequence[tuple[int, int, Sequence[Arc]]]) -> "Dependencies | None":
        """Dependencies from (row, sentence, arcs), rows ascending; None for an empty list.

        >>> Dependencies.of([(7, 0, [((3, 0), "nsubj")])]).arcs(7)
        [((3, 0), 'nsubj')]
        """
        parents = Ragged.of([(row, [parent for parent, _ in arcs]) for row, _, arcs in lists])
        if parents is None:
            return None
        sentence = np.array([sentence for _, sentence, _ in lists], dtype=np.int64)
        return cls(parents, sentence, Column.of([name for *_, arcs in lists for _, name in arcs]))

    def arcs(self, row: int) -> list[Arc]:
        """The dependencies of one row; [] if it is not a zero."""
        parents = self.parents.at(row) or []
        first = int(self.parents.first[np.searchsorted(self.parents.row, row)])
        code = self.relation.code[first : first + len(parents)].tolist()
        return list(zip(parents, map(self.relation.values.__getitem__, code), strict=True))

    def take(self, rows: IntArray, size: int) -> "Dependencies | None":
        """The dependencies of `rows`, out of `size`, renumbered by position; None for none."""
        parents = self.parents.take(rows, size)
        if parents is None:
            return None
        _, chosen, _, item = take_lists(self.parents.row, self.parents.first, rows, size)
        relation = Column(self.relation.code[item], self.relation.values)
        return Dependencies(parents, self.sentence[chosen], relation)

    @staticmethod
    def concat(parts: "Sequence[tuple[Dependencies | None, int]]") -> "Dependencies | None":
        """Several as one; each comes with the number of its first row."""
        present = [(part, shift) for part, shift in parts if part is not None]
        parents = Ragged.concat([(part.parents, shift) for part, shift in present])
        if parents is None:
            return None
        sentence = np.concatenate([part.sentence for part, _ in present])
        return Dependencies(parents, sentence, join_columns([part.relation for part, _ in present]))


def components(
    nodes: Iterable[NodeType], links: Iterable[tuple[NodeType, NodeType]]
) -> dict[NodeType, int]:
    """The number of each node's component; components are in the order of their first nodes.

    Both ends of every link must be among the nodes.

    >>> components("abcd", [("a", "c"), ("d", "c")])
    {'a': 0, 'b': 1, 'c': 0, 'd': 0}
    """
    above = {node: node for node in nodes}

    def top(node: NodeType) -> NodeType:
        root = node
        while above[root] != root:
            root = above[root]
        while above[node] != root:  # shorten the path for the next search
            above[node], node = root, above[node]
        return root

    for source, target in links:
        above[top(target)] = top(source)
    number: dict[NodeType, int] = {}
    return {node: number.setdefault(top(node), len(number)) for node in above}
