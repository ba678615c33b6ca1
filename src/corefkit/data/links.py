"""Links: relations between mentions or entities other than identity."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import IntArray

KINDS = ("split", "bridging", "bridging-entity", "element")
"""split: a plural entity → an entity that is an element of it.
bridging: an anaphor, a mention → its anchor, a mention.
bridging-entity: an anaphor, a mention → its anchor, an entity.
element: like split, in CoNLL-UA files, where split antecedents are scored."""

_SOURCE_IS_ENTITY = np.array([True, False, False, True])
_TARGET_IS_ENTITY = np.array([True, False, True, True])


@dataclass(frozen=True, eq=False)
class Links:
    """Columns of links.

    Attributes:
        kind: int64 (links,), an index into KINDS.
        source, target: int64 (links,), row numbers of mentions or numbers of entities, by kind.
        label: the relation as it was written, e.g. "part"; "" for none.
    """

    kind: IntArray
    source: IntArray
    target: IntArray
    label: tuple[str, ...]

    def take(self, rows: IntArray, size: int, entity: IntArray) -> "Links | None":
        """The links between what is left: mentions `rows`, entities renumbered (−1: gone)."""
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
        which = is_entity[self.kind]
        moved = np.empty_like(end)
        moved[which], moved[~which] = entity[end[which]], mention[end[~which]]
        return moved

    @staticmethod
    def concat(parts: "Sequence[tuple[Links | None, int, int]]") -> "Links | None":
        """Several as one; mentions and entities of each are counted from the given numbers on."""
        some = [(links, m, e) for links, m, e in parts if links is not None]
        if not some:
            return None
        source = [x.source + np.where(_SOURCE_IS_ENTITY[x.kind], e, m) for x, m, e in some]
        target = [x.target + np.where(_TARGET_IS_ENTITY[x.kind], e, m) for x, m, e in some]
        kind = np.concatenate([links.kind for links, _, _ in some])
        label = tuple(label for links, _, _ in some for label in links.label)
        return Links(kind, np.concatenate(source), np.concatenate(target), label)
