"""Documents of an Evaluator as lists of clusters whose mentions are whatever can be hashed."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.counts import Counts
from corefkit.data.options import Options
from corefkit.data.overlap import Entities, overlap_of_entities
from corefkit.profiles.counting import count_in_overlap

Clusters = Iterable[Iterable[Hashable]]
"""The entities of one document; a mention is anything that can be hashed, e.g. (start, end)."""


class PlainSide(NamedTuple):
    """The clusters of one side of a document, and how many of its mentions are copies of others."""

    clusters: list[tuple[Hashable, ...]]
    copies: int


class PlainDocuments:
    """Documents that are matched but not yet counted, as flat lists of numbers.

    Attributes:
        documents: how many.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self.documents = 0
        # Of key and response: the document of each entity, and its size.
        self._document: tuple[list[int], list[int]] = [], []
        self._size: tuple[list[int], list[int]] = [], []
        # For each response mention the key entity that has it, over all documents, or −1.
        self._partner: list[int] = []

    def __len__(self) -> int:
        return len(self._partner)

    def add(self, document: tuple[PlainSide, PlainSide]) -> None:
        """Add one document, in which each mention stands once."""
        key, response = (side.clusters for side in document)
        entity_of: dict[Hashable, int] = {}
        for entity, mentions in enumerate(key, len(self._size[0])):
            entity_of.update(dict.fromkeys(mentions, entity))
        find = entity_of.get
        self._partner += [find(mention, -1) for mention in chain.from_iterable(response)]
        for place, clusters in enumerate((key, response)):
            self._document[place].extend([self.documents] * len(clusters))
            self._size[place].extend(map(len, clusters))
        self.documents += 1

    def count(self, names: Sequence[str]) -> Counts:
        """What was counted in the documents of these names."""
        key, response = (
            Entities(np.array(document, dtype=np.int64), np.array(size, dtype=np.int64))
            for document, size in zip(self._document, self._size, strict=True)
        )
        partner: IntArray = np.array(self._partner, dtype=np.int64)
        entity = np.repeat(np.arange(len(response.size)), response.size)
        common = partner >= 0
        sides = key, response
        overlap = overlap_of_entities(self.documents, sides, partner[common], entity[common])
        return count_in_overlap(overlap, self._options, names)


def each_once(clusters: Clusters, smallest: int) -> PlainSide:
    """Each mention once, the first copy; clusters that are left too small are gone."""
    listed, copies = listed_clusters(clusters)
    if copies:
        seen: set[Hashable] = set()
        for place, cluster in enumerate(listed):
            listed[place] = tuple(m for m in dict.fromkeys(cluster) if m not in seen)
            seen.update(cluster)
    return PlainSide([cluster for cluster in listed if len(cluster) >= smallest], copies)


_WANTED = "clusters are lists of hashable mentions, e.g. (start, end) tuples"


def listed_clusters(clusters: Clusters) -> PlainSide:
    """The clusters as tuples; TypeError for what can be iterated but is no list of clusters."""
    if isinstance(clusters, (str, bytes, Mapping)):
        raise TypeError(f"{_WANTED}, not a {type(clusters).__name__}")
    try:
        listed = [_listed(cluster) for cluster in clusters]
        copies = sum(map(len, listed)) - len(set(chain.from_iterable(listed)))
    except TypeError as error:
        raise TypeError(f"{_WANTED}: {error}") from None
    return PlainSide(listed, copies)


def _listed(cluster: Iterable[Hashable]) -> tuple[Hashable, ...]:
    if isinstance(cluster, (bytes, Mapping)):
        raise TypeError(f"a cluster is a list of mentions, not a {type(cluster).__name__}")
    return tuple(cluster)
