"""Overlap: what an engine fetches, a histogram of cells and of entities, and the counts from it.

Each row stands for many equal cells or entities, so the metrics are written here once more, with
`times`; they are those of `metrics.partition`.
"""

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray, sum_by, sum_of_ratios, tuples
from corefkit.core.arrays import links_among as links_of
from corefkit.core.carriers import frozen
from corefkit.metrics.ari import expected_links
from corefkit.metrics.base import Counted
from corefkit.metrics.vmeasure import sum_logs


class EntityRows(NamedTuple):
    """The document and the number of mentions of each entity of a side, int64 (entities,).

    If an engine counted the entities, a row represents `times` entities of the same document and
    size.
    """

    document: IntArray
    size: IntArray
    times: IntArray | None = None


@frozen(eq=False)
class Overlap:
    """The sparse table of |K ∩ R| for all documents at once; all that partition metrics see.

    Attributes:
        documents: the number of documents, which both sides number in the same way.
        key, response: the entities of the two sides.
        key_entity, response_entity, count: int64 (cells,), one cell for each pair of entities
            with a common mention; sorted by key entity, then response entity.
        times: int64 (cells,), the number of cells with the same sizes and count that each row
            represents, if an engine counted; None: each row is one cell.
        commons: if there are `times`, the number of mentions that the entities of the key, and
            those of the response, share with the other side.
        bests: likewise, the number that they share with the entity of the other side that has
            most of them; None if no metric needs it.
    """

    documents: int
    key: EntityRows
    response: EntityRows
    key_entity: IntArray
    response_entity: IntArray
    count: IntArray
    times: IntArray | None = None
    commons: tuple[EntityRows, EntityRows] | None = None
    bests: tuple[EntityRows, EntityRows] | None = None

    @cached_property
    def document(self) -> IntArray:
        """int64 (cells,): the document of each cell."""
        return self.key.document[self.key_entity]

    @property
    def size_sums(self) -> IntArray:
        """int64 (cells,): |K| + |R| of each cell."""
        return self.key.size[self.key_entity] + self.response.size[self.response_entity]

    @cached_property
    def exchanged(self) -> "Overlap":
        """The overlap with key and response exchanged; its recall is the precision of this one."""
        return replace(
            self,
            key=self.response,
            response=self.key,
            key_entity=self.response_entity,
            response_entity=self.key_entity,
            commons=(self.commons[1], self.commons[0]) if self.commons else None,
            bests=(self.bests[1], self.bests[0]) if self.bests else None,
        )

    @cached_property
    def key_entities(self) -> IntArray:
        """int64 (documents,): the number of key entities."""
        return self.sum_entities(self.key, np.ones_like(self.key.size))

    @cached_property
    def key_mentions(self) -> IntArray:
        """int64 (documents,): the number of key mentions."""
        return self.sum_entities(self.key, self.key.size)

    @cached_property
    def key_links(self) -> IntArray:
        """int64 (documents,): the number of key links, i.e. pairs of mentions of one entity."""
        return self.sum_entities(self.key, links_of(self.key.size))

    @cached_property
    def common_links(self) -> IntArray:
        """int64 (documents,): the number of key links between mentions that both sides have."""
        if self.commons:
            return self.sum_entities(self.commons[0], links_of(self.commons[0].size))
        common = sum_by(self.key_entity, self.count, len(self.key.size))
        return self.sum_entities(self.key, links_of(common))

    @cached_property
    def largest_shares(self) -> IntArray:
        """int64 (documents,): Σ max_R |K ∩ R| over the key entities."""
        if self.bests:
            return self.sum_entities(self.bests[0], self.bests[0].size)
        best = np.zeros_like(self.key.size)
        np.maximum.at(best, self.key_entity, self.count)
        return self.sum_entities(self.key, best)

    @cached_property
    def all_mentions(self) -> IntArray:
        """int64 (documents,): the number of mentions of either side; common ones count once."""
        common = self.sum_cells(self.count)
        return self.key_mentions + self.exchanged.key_mentions - common

    def sum_entities(self, side: EntityRows, values: IntArray) -> IntArray:
        """int64 (documents,): the sum of `values`, int64 (entities of the side,)."""
        weighted = values if side.times is None else values * side.times
        return sum_by(side.document, weighted, self.documents)

    def sum_cells(self, values: IntArray) -> IntArray:
        """int64 (documents,): the sum of `values`, int64 (cells,)."""
        return sum_by(self.document, self._weighted(values), self.documents)

    def sum_ratios(self, numerator: IntArray, denominator: IntArray) -> FloatArray:
        """float64 (documents,): the sum of numerator / denominator, both int64 (cells,)."""
        return sum_of_ratios(self.document, self._weighted(numerator), denominator, self.documents)

    def _weighted(self, values: IntArray) -> IntArray:
        return values if self.times is None else values * self.times


def aligned_mentions(overlap: Overlap, aligned: Overlap) -> Counted:
    """ceafm, given the cells of the best alignment."""
    common = aligned.sum_cells(aligned.count)
    return common, overlap.key_mentions, common, overlap.exchanged.key_mentions


def aligned_entities(overlap: Overlap, aligned: Overlap) -> Counted:
    """ceafe, given the cells of the best alignment."""
    similarity = aligned.sum_ratios(2 * aligned.count, aligned.size_sums)
    return similarity, overlap.key_entities, similarity, overlap.exchanged.key_entities


def _mentions(overlap: Overlap) -> Counted:
    common = overlap.sum_cells(overlap.count)
    return common, overlap.key_mentions, common, overlap.exchanged.key_mentions


def _muc(overlap: Overlap) -> Counted:
    links, other = overlap.sum_cells(overlap.count - 1), overlap.exchanged
    needed, made = (s.sum_entities(s.key, s.key.size - 1) for s in (overlap, other))
    return links, needed, links, made


def _bcub(overlap: Overlap) -> Counted:
    recalled, right = (
        side.sum_ratios(side.count**2, side.key.size[side.key_entity])
        for side in (overlap, overlap.exchanged)
    )
    return recalled, overlap.key_mentions, right, overlap.exchanged.key_mentions


def _lea(overlap: Overlap) -> Counted:
    other = overlap.exchanged
    return _resolved(overlap), overlap.key_mentions, _resolved(other), other.key_mentions


def _resolved(overlap: Overlap) -> FloatArray:
    size = overlap.key.size[overlap.key_entity]
    alone = (size == 1) & (overlap.response.size[overlap.response_entity] == 1)
    links = np.where(alone, 1, overlap.count * (overlap.count - 1))
    return overlap.sum_ratios(links, np.maximum(size - 1, 1))


def _blanc(overlap: Overlap) -> Counted:
    both, key, _, response = _links(overlap)
    neither = (
        links_of(overlap.sum_cells(overlap.count))
        - overlap.common_links
        - overlap.exchanged.common_links
        + both
    )
    not_key = links_of(overlap.key_mentions) - key
    not_response = links_of(overlap.exchanged.key_mentions) - response
    return both, key, response, neither, not_key, not_response


def _links(overlap: Overlap) -> Counted:
    both = overlap.sum_cells(links_of(overlap.count))
    return both, overlap.key_links, both, overlap.exchanged.key_links


def _clusters(overlap: Overlap) -> Counted:
    right = overlap.sum_cells(_equal(overlap))
    return right, overlap.key_entities, right, overlap.exchanged.key_entities


def _equal(overlap: Overlap) -> IntArray:
    key, response = overlap.key.size[overlap.key_entity], overlap.response.size
    same = (overlap.count == key) & (overlap.count == response[overlap.response_entity])
    equal: IntArray = same.astype(np.int64)
    return equal


def _purity(overlap: Overlap) -> Counted:
    other = overlap.exchanged
    return (
        overlap.largest_shares,
        overlap.key_mentions,
        other.largest_shares,
        other.key_mentions,
    )


def _ari(overlap: Overlap) -> Counted:
    both = overlap.sum_cells(links_of(overlap.count))
    key, response = overlap.key_links, overlap.exchanged.key_links
    mentions = overlap.all_mentions
    expected = [expected_links(*document) for document in tuples(key, response, mentions)]
    return both, key, response, np.array(expected, dtype=np.float64), mentions


def _entropies(overlap: Overlap) -> Counted:
    """The columns of vmeasure and vi."""
    mentions = overlap.all_mentions
    documents = np.arange(overlap.documents)
    return (
        _given(overlap),
        _entropy(overlap.exchanged),
        _given(overlap.exchanged),
        _entropy(overlap),
        mentions,
        sum_logs(overlap.documents, documents, mentions, np.ones_like(mentions), mentions),
    )


def _given(overlap: Overlap) -> FloatArray:
    side = overlap.key
    times = np.ones_like(side.size) if side.times is None else side.times
    repeats = np.ones_like(overlap.count) if overlap.times is None else overlap.times
    document, size = overlap.document, side.size[overlap.key_entity]
    matched = overlap.count * repeats
    return sum_logs(
        overlap.documents,
        np.concatenate((document, side.document, document)),
        np.concatenate((size, side.size, size)),
        np.concatenate((overlap.count, np.ones_like(side.size), np.ones_like(size))),
        np.concatenate((matched, side.size * times, -matched)),
    )


def _entropy(overlap: Overlap) -> FloatArray:
    side, mentions = overlap.key, overlap.all_mentions
    sizes = side.size if side.times is None else side.size * side.times
    return sum_logs(
        overlap.documents,
        np.concatenate((side.document, np.arange(overlap.documents))),
        np.concatenate((mentions[side.document], mentions)),
        np.concatenate((side.size, np.ones_like(mentions))),
        np.concatenate((sizes, mentions - overlap.key_mentions)),
    )


def _gmd(overlap: Overlap) -> Counted:
    kept = overlap.sum_cells(overlap.count - 1)
    other, mentions = overlap.exchanged, overlap.all_mentions
    merges = overlap.key_mentions - overlap.key_entities - kept
    splits = other.key_mentions - other.key_entities - kept
    return merges, splits, 2 * np.maximum(mentions - 1, 0), mentions


def _pairs_sample(overlap: Overlap) -> Counted:
    right = overlap.sum_cells(links_of(overlap.count))
    size = overlap.response.size[overlap.response_entity]
    seen = overlap.sum_ratios(overlap.count * (size - 1), np.full_like(size, 2))
    return right, overlap.key_links, right, seen


def _bcub_sample(overlap: Overlap) -> Counted:
    size = overlap.response.size[overlap.response_entity]
    ours = overlap.sum_ratios(overlap.count**2, overlap.key.size[overlap.key_entity])
    right = overlap.sum_ratios(overlap.count**2, size)
    return ours, overlap.key_mentions, right, overlap.sum_cells(overlap.count)


def _clusters_sample(overlap: Overlap) -> Counted:
    size = overlap.response.size[overlap.response_entity]
    right = overlap.sum_cells(_equal(overlap))
    return right, overlap.key_entities, right, overlap.sum_ratios(overlap.count, size)


_COUNT = {
    "mentions": _mentions,
    "muc": _muc,
    "bcub": _bcub,
    "lea": _lea,
    "blanc": _blanc,
    "links": _links,
    "pairs": _links,
    "clusters": _clusters,
    "purity": _purity,
    "ari": _ari,
    "vmeasure": _entropies,
    "vi": _entropies,
    "gmd": _gmd,
    "pairs_sample": _pairs_sample,
    "bcub_sample": _bcub_sample,
    "clusters_sample": _clusters_sample,
}


def count_overlap(overlap: Overlap, names: list[str]) -> dict[str, Counted]:
    """The counts of metrics that are not aligned."""
    return {name: _COUNT[name](overlap) for name in names}
