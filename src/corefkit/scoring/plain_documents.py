"""Documents of an Evaluator as lists of clusters whose mentions are whatever can be hashed."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.counts import Counts
from corefkit.data.options import Options
from corefkit.data.overlap import Entities, Overlap, overlap_of_cells
from corefkit.profiles.counting import count_in_overlap

Clusters = Iterable[Iterable[Hashable]]
"""The entities of one document; a mention is anything that can be hashed, e.g. (start, end)."""


class PlainSide(NamedTuple):
    """The clusters of one side of a document with each mention once; how many copies there were."""

    clusters: list[tuple[Hashable, ...]]
    copies: int


class PlainDocuments:
    """Documents that are matched but not yet counted, as flat lists of numbers.

    Attributes:
        documents: how many.
        key_sizes, response_sizes: the sizes of all entities.
        key_entities, response_entities: how many entities each document has.
        partner: for each response mention the key entity that has it, counted from the first
            entity of the first document, or −1.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self.documents = 0
        self.key_sizes: list[int] = []
        self.key_entities: list[int] = []
        self.response_sizes: list[int] = []
        self.response_entities: list[int] = []
        self.partner: list[int] = []

    def __len__(self) -> int:
        return len(self.partner)

    def add(self, document: tuple[PlainSide, PlainSide]) -> None:
        """Add one document."""
        key, response = (side.clusters for side in document)
        entity_of: dict[Hashable, int] = {}
        for entity, mentions in enumerate(key, len(self.key_sizes)):
            entity_of.update(dict.fromkeys(mentions, entity))
        find = entity_of.get
        self.partner += [find(mention, -1) for mention in chain.from_iterable(response)]
        self.key_sizes += map(len, key)
        self.key_entities.append(len(key))
        self.response_sizes += map(len, response)
        self.response_entities.append(len(response))
        self.documents += 1

    def count(self, names: Sequence[str]) -> Counts:
        """What was counted in the documents of these names."""
        return count_in_overlap(self._overlap(), self._options, names)

    def _overlap(self) -> Overlap:
        key, response = (
            Entities(
                np.repeat(np.arange(self.documents), np.array(entities, dtype=np.int64)),
                np.array(sizes, dtype=np.int64),
            )
            for entities, sizes in (
                (self.key_entities, self.key_sizes),
                (self.response_entities, self.response_sizes),
            )
        )
        partner: IntArray = np.array(self.partner, dtype=np.int64)
        entity = np.repeat(np.arange(len(response.size)), response.size)
        common = partner >= 0
        cells = partner[common] * max(len(response.size), 1) + entity[common]
        return overlap_of_cells(self.documents, key, response, cells)


def each_once(clusters: Clusters, smallest: int) -> PlainSide:
    """Each mention once, the first copy; clusters that are left too small are gone."""
    listed = listed_clusters(clusters)
    mentions = sum(map(len, listed))
    try:
        copies = mentions - len(set(chain.from_iterable(listed)))
    except TypeError as error:
        raise TypeError(f"{_WANTED}: {error}") from None
    if copies:
        seen: set[Hashable] = set()
        for place, cluster in enumerate(listed):
            listed[place] = tuple(m for m in dict.fromkeys(cluster) if m not in seen)
            seen.update(cluster)
    return PlainSide([cluster for cluster in listed if len(cluster) >= smallest], copies)


_WANTED = "clusters are lists of hashable mentions, e.g. (start, end) tuples"


def listed_clusters(clusters: Clusters) -> list[tuple[Hashable, ...]]:
    """The clusters as tuples; TypeError for what can be iterated but is no list of clusters."""
    if isinstance(clusters, (str, bytes, Mapping)):
        raise TypeError(f"{_WANTED}, not a {type(clusters).__name__}")
    listed = []
    try:
        for cluster in clusters:
            if isinstance(cluster, (bytes, Mapping)):
                raise TypeError(f"a cluster is a list of mentions, not a {type(cluster).__name__}")
            listed.append(tuple(cluster))
    except TypeError as error:
        raise TypeError(f"{_WANTED}: {error}") from None
    return listed
