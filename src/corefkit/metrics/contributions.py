"""What single entities, and single mentions, contribute to the counts of a metric.

The recall of a partition metric is the ratio of two sums over key entities, and precision the same
over response entities. Both can therefore be split by any label of entities, and five metrics also
by any label of mentions. Contributions are exact fractions, and their sum over all labels is the
count of the whole, because nothing is filtered: an entity is still compared with all others.

CEAF is aligned once per document. If several alignments are best, the order of pairs of entities
decides (`place_cells`, `first_alignment`); the total is the same for all of them.

>>> from corefkit import Corpus
>>> from corefkit.core.overlap import make_overlap
>>> from corefkit.matching.exact import equal_mentions
>>> def read(*clusters):
...     return Corpus.from_clusters({"a": [[(ord(m), ord(m)) for m in c] for c in clusters]})
>>> key, response = read("abc", "defg"), read("ab", "cd", "fghi")
>>> overlap = make_overlap(key, response, equal_mentions(key, response))
>>> shares = Contributions(overlap, np.arange(4)).of_entities("bcub")[0]
>>> [str(share) for share in shares.key.numerator.listed()]
['5/3', '5/4']
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, pairs, sum_by, tuples
from corefkit.core.carriers import frozen
from corefkit.core.overlap import Overlap
from corefkit.core.pairing import first_alignment
from corefkit.metrics import bcub, lea
from corefkit.metrics.elements import ELEMENTS

if TYPE_CHECKING:
    from corefkit.metrics.split_antecedents import PluralCounter


class Fractions(NamedTuple):
    """Exact fractions: numerators and denominators, int64 (n,)."""

    top: IntArray
    bottom: IntArray

    def listed(self) -> list[Fraction]:
        """The fractions as a list."""
        return [Fraction(top, bottom) for top, bottom in tuples(self.top, self.bottom)]

    def total(self) -> Fraction:
        """Their exact sum."""
        tops: dict[int, int] = {}
        for top, bottom in tuples(self.top, self.bottom):
            tops[bottom] = tops.get(bottom, 0) + top
        return sum((Fraction(top, bottom) for bottom, top in tops.items()), Fraction())

    def take(self, rows: IntArray | BoolArray) -> "Fractions":
        """The fractions of these rows."""
        return Fractions(self.top[rows], self.bottom[rows])

    @property
    def whole(self) -> bool:
        """Whether all denominators are 1."""
        return bool((self.bottom == 1).all())


class Share(NamedTuple):
    """What each entity or mention adds to the numerator and the denominator of a ratio."""

    numerator: Fractions
    denominator: Fractions


class Shares(NamedTuple):
    """The shares of the key in recall, and of the response in precision."""

    key: Share
    response: Share


def whole_numbers(values: IntArray | BoolArray) -> Fractions:
    """Integers as fractions."""
    numbers = values.astype(np.int64)
    return Fractions(numbers, np.ones_like(numbers))


EntityShare = Callable[[Overlap], Share]
"""Overlap → the share of each key entity; for response entities the sides are exchanged."""


def entity_mentions(overlap: Overlap) -> Share:
    """Common mentions, of |K|.

    Also for ceafm, if the overlap has the aligned cells only.
    """
    matched = _sum_cells(overlap, overlap.count)
    return Share(whole_numbers(matched), whole_numbers(overlap.key.size))


def entity_muc(overlap: Overlap) -> Share:
    """|K| − parts of K, of |K| − 1."""
    links = _sum_cells(overlap, overlap.count - 1)
    return Share(whole_numbers(links), whole_numbers(overlap.key.size - 1))


def entity_bcub(overlap: Overlap) -> Share:
    """Σ n² / |K|, of |K|."""
    size = overlap.key.size
    credit = Fractions(_sum_cells(overlap, overlap.count**2), np.maximum(size, 1))
    return Share(credit, whole_numbers(size))


def entity_ceafe(overlap: Overlap) -> Share:
    """φ₄ with the aligned entity, of 1; the overlap has the aligned cells only."""
    top, bottom = np.zeros_like(overlap.key.size), np.ones_like(overlap.key.size)
    top[overlap.key_entity] = 2 * overlap.count
    bottom[overlap.key_entity] = overlap.size_sums
    return Share(Fractions(top, bottom), whole_numbers(np.ones_like(overlap.key.size)))


def entity_lea(overlap: Overlap) -> Share:
    """Σ n(n−1) / (|K|−1), of |K|; for a singleton 1 if the other side has the same singleton."""
    size = overlap.key.size
    alone = size[overlap.key_entity] == 1
    alone &= overlap.response.size[overlap.response_entity] == 1
    links = _sum_cells(overlap, np.where(alone, 1, 2 * pairs(overlap.count)))
    return Share(Fractions(links, np.maximum(size - 1, 1)), whole_numbers(size))


def entity_links(overlap: Overlap) -> Share:
    """Common coreference links, of |K|(|K|−1)/2."""
    links = _sum_cells(overlap, pairs(overlap.count))
    return Share(whole_numbers(links), whole_numbers(pairs(overlap.key.size)))


def entity_nonlinks(overlap: Overlap) -> Share:
    """Common non-coreference links, ½ Σ n (C − c_K − c_R + n), of ½ |K| (M − |K|).

    M is the number of key mentions, C that of common mentions, of which K has c_K and R has c_R.
    Half of a link goes to the entity at each of its ends.
    """
    size, document = overlap.key.size, overlap.key.document
    common = overlap.sum_cells(overlap.count)[overlap.document]
    in_key = _sum_cells(overlap, overlap.count)[overlap.key_entity]
    in_response = _sum_cells(overlap.exchanged, overlap.count)[overlap.response_entity]
    others = common - in_key - in_response + overlap.count
    nonlinks = _sum_cells(overlap, overlap.count * others)
    half = np.full_like(size, 2)
    needed = size * (overlap.key_mentions[document] - size)
    return Share(Fractions(nonlinks, half), Fractions(needed, half))


BY_ENTITY: Mapping[str, tuple[EntityShare, ...]] = {
    "mentions": (entity_mentions,),
    "muc": (entity_muc,),
    "bcub": (entity_bcub,),
    "ceafm": (entity_mentions,),
    "ceafe": (entity_ceafe,),
    "lea": (entity_lea,),
    "blanc": (entity_links, entity_nonlinks),
}
"""The metrics that are sums over entities; blanc is one for each of two kinds of links."""


@frozen(eq=False)
class MentionCells:
    """The entity and the cell of each mention of a side.

    Attributes:
        entity: int64 (mentions,), its entity in the overlap.
        cell: int64 (mentions,), its cell in the overlap; −1 if the other side lacks it.
        first: bool (mentions,), whether it is the first of its entity.
        first_of_cell: bool (mentions,), whether it is the first of its cell.
    """

    entity: IntArray
    cell: IntArray
    first: BoolArray
    first_of_cell: BoolArray


MentionShare = Callable[[Overlap, MentionCells], Share]
"""Overlap, mentions → the share of each key mention; for the response the sides are exchanged."""


def mention_mentions(overlap: Overlap, mentions: MentionCells) -> Share:
    """1 if the other side has it.

    Also for ceafm, if the overlap has the aligned cells only.
    """
    return _each(mentions, whole_numbers(mentions.cell >= 0))


def mention_muc(overlap: Overlap, mentions: MentionCells) -> Share:
    """1 if the other side has it, unless it is the first of its cell; the first mention of an
    entity needs no link.
    """
    linked = (mentions.cell >= 0) & ~mentions.first_of_cell
    return Share(whole_numbers(linked), whole_numbers(~mentions.first))


def mention_bcub(overlap: Overlap, mentions: MentionCells) -> Share:
    """n / |K|."""
    size = overlap.key.size[mentions.entity]
    return _each(mentions, Fractions(_at_cells(overlap.count, mentions), size))


def mention_lea(overlap: Overlap, mentions: MentionCells) -> Share:
    """(n − 1)/(|K| − 1); for a singleton 1 if the other side has it as a singleton, too."""
    size = overlap.key.size[mentions.entity]
    alone = overlap.response.size[overlap.response_entity] == 1
    shared = np.where(alone, 1, 0) if len(alone) else alone.astype(np.int64)
    links = np.where(
        size == 1,
        _at_cells(shared, mentions),
        _at_cells(overlap.count - 1, mentions),
    )
    return _each(mentions, Fractions(links, np.maximum(size - 1, 1)))


BY_MENTION: Mapping[str, MentionShare] = {
    "mentions": mention_mentions,
    "muc": mention_muc,
    "bcub": mention_bcub,
    "ceafm": mention_mentions,
    "lea": mention_lea,
}
"""The metrics that are also sums over mentions."""


@frozen(eq=False)
class Contributions:
    """What the entities and the mentions of two sides contribute to each metric.

    Attributes:
        overlap: the overlap of the two sides.
        place: int64 (cells,), the place of each cell in the order of cells (`place_cells`).
        large: the metrics for which singletons do not count, as in e2e-coref.
        plurals: counts split antecedents, if there are any.
    """

    overlap: Overlap
    place: IntArray
    large: frozenset[str] = frozenset()
    plurals: "PluralCounter | None" = None
    _aligned: dict[str, IntArray] = field(default_factory=dict)
    _pairs: dict[str, tuple[IntArray, IntArray]] = field(default_factory=dict)

    def of_entities(self, metric: str) -> tuple[Shares, ...]:
        """The shares of all entities, numbered as in the overlap; blanc has two kinds.

        With split antecedents, entities that have no other mention come last.
        """
        if self.plurals is not None and metric in ELEMENTS:
            return self._of_plurals(self.plurals, metric)
        overlap = self._counted(metric)
        if self.plurals is not None:
            overlap = _padded(overlap, self.plurals.overlap)
        kinds = (Shares(share(overlap), share(overlap.exchanged)) for share in BY_ENTITY[metric])
        return tuple(self._without_singletons(metric, kind) for kind in kinds)

    def _of_plurals(self, plurals: "PluralCounter", metric: str) -> tuple[Shares, ...]:
        """The shares with those of the virtual mentions of split antecedents."""
        overlaps = plurals.overlaps(metric)
        if metric in ("ceafm", "ceafe"):
            return (self._aligned_plurals(overlaps[0], metric),)
        kinds = zip(BY_ENTITY[metric], _ADDED[metric], overlaps, strict=True)
        return tuple(
            Shares(
                _plus(share(overlap), added(overlap)),
                _plus(share(overlap.exchanged), added(overlap.exchanged)),
            )
            for share, added, overlap in kinds
        )

    def _aligned_plurals(self, overlap: Overlap, metric: str) -> Shares:
        """The shares of CEAF with virtual mentions: a cell with one shares n + w mentions.

        In the order of cells, those without another mention come last, sorted by their entities.
        """
        new_cells = sorted(cell[:2] for cell in overlap.weighted if not cell.shared)
        ours, theirs = np.array(new_cells, dtype=np.int64).reshape(-1, 2).T
        columns = (overlap.key_entity, overlap.response_entity)
        key, response = np.append(columns[0], ours), np.append(columns[1], theirs)
        last = np.iinfo(np.int64).max - len(new_cells)
        place = np.append(self.place, last + np.arange(len(new_cells)))
        share = {(k, r): Fraction(n) for k, r, n in tuples(*columns, overlap.count)}
        for cell in overlap.weighted:
            pair = cell.key_entity, cell.response_entity
            share[pair] = share.get(pair, Fraction()) + cell.recall
        sizes = overlap.key.size[key] + overlap.response.size[response]
        weight = [share[pair] for pair in tuples(key, response)]
        if metric == "ceafe":
            weight = [2 * w / size for w, size in zip(weight, sizes.tolist(), strict=True)]
        top, bottom = (
            np.array(listed, dtype=np.int64).reshape(-1)
            for listed in ([w.numerator for w in weight], [w.denominator for w in weight])
        )
        chosen = first_alignment(key, response, top, bottom, place)
        self._pairs[metric] = key[chosen], response[chosen]
        sides = []
        for entities, entity in ((overlap.key, key), (overlap.response, response)):
            credit = Fractions(np.zeros_like(entities.size), np.ones_like(entities.size))
            credit.top[entity[chosen]], credit.bottom[entity[chosen]] = top[chosen], bottom[chosen]
            ones = np.ones_like(entities.size)
            whole = whole_numbers(ones if metric == "ceafe" else entities.size)
            sides.append(Share(credit, whole))
        return Shares(*sides)

    def of_mentions(self, metric: str, key: MentionCells, response: MentionCells) -> Shares:
        """The shares of all mentions; `key` and `response` number cells as the overlap does."""
        share = BY_MENTION[metric]
        sides = []
        for overlap, mentions in ((self.overlap, key), (self.overlap.exchanged, response)):
            cells = self._cells(metric)
            number = np.full(len(overlap.count) + 1, -1, dtype=np.int64)
            number[cells] = np.arange(len(cells))
            here = MentionCells(
                mentions.entity, number[mentions.cell], mentions.first, mentions.first_of_cell
            )
            shares = share(overlap.choose(cells), here)
            if metric in self.large:
                shares = _without(shares, overlap.key.size[mentions.entity] == 1)
            sides.append(shares)
        return Shares(*sides)

    def aligned(self, metric: str) -> IntArray:
        """The cells of the alignment of ceafm or ceafe."""
        if metric not in self._aligned:
            overlap, rows = self.overlap, np.arange(len(self.overlap.count))
            top, bottom = overlap.count, np.ones_like(overlap.count)
            if metric == "ceafe":
                top, bottom = 2 * overlap.count, overlap.size_sums
                if metric in self.large:
                    rows = rows[overlap.response.size[overlap.response_entity] > 1]
            columns = (overlap.key_entity, overlap.response_entity, top, bottom, self.place)
            self._aligned[metric] = rows[first_alignment(*(column[rows] for column in columns))]
        return self._aligned[metric]

    def aligned_entities(self, metric: str) -> tuple[IntArray, IntArray]:
        """The entities of the key and of the response that ceafm or ceafe aligns."""
        if self.plurals is not None:
            self.of_entities(metric)
            return self._pairs[metric]
        cells = self.aligned(metric)
        return self.overlap.key_entity[cells], self.overlap.response_entity[cells]

    def _counted(self, metric: str) -> Overlap:
        return self.overlap.choose(self._cells(metric))

    def _cells(self, metric: str) -> IntArray:
        """The cells that a metric counts."""
        if metric in ("ceafm", "ceafe"):
            return self.aligned(metric)
        if metric not in self.large:
            return np.arange(len(self.overlap.count))
        overlap = self.overlap
        large = overlap.key.size[overlap.key_entity] > 1
        return np.flatnonzero(large & (overlap.response.size[overlap.response_entity] > 1))

    def _without_singletons(self, metric: str, shares: Shares) -> Shares:
        if metric not in self.large:
            return shares
        key = shares.key
        if metric != "ceafe":  # which keeps the singletons of the key
            key = _without(key, self.overlap.key.size == 1)
        return Shares(key, _without(shares.response, self.overlap.response.size == 1))


def place_cells(cell: IntArray, key_place: IntArray, cells: int) -> IntArray:
    """int64 (cells,): the place of each cell, that of its first mention in the key.

    `cell` and `key_place`, int64 (pairs,), are the cell and the place of each matched mention.
    """
    first = np.full(cells, np.iinfo(np.int64).max, dtype=np.int64)
    np.minimum.at(first, cell, key_place)
    return first


Added = Mapping[int, Fraction]
"""What virtual mentions add to the numerators of key entities."""


def _added_muc(overlap: Overlap) -> Added:
    return _by_entity((c.key_entity, c.recall) for c in overlap.weighted if c.shared)


def _added_bcub(overlap: Overlap) -> Added:
    return _by_entity((c.key_entity, bcub.added(overlap, c)) for c in overlap.weighted)


def _added_lea(overlap: Overlap) -> Added:
    return _by_entity((c.key_entity, lea.added(overlap, c)) for c in overlap.weighted)


def _added_links(overlap: Overlap) -> Added:
    return _by_entity((c.key_entity, c.recall * c.shared) for c in overlap.weighted)


def _added_nonlinks(overlap: Overlap) -> Added:
    """What the links of virtual mentions add; half goes to the entity at each end of a link."""
    half = Fraction(1, 2)
    credits: list[tuple[int, Fraction]] = []
    document = overlap.key.document
    cells = list(tuples(overlap.key_entity, overlap.response_entity, overlap.count))
    for place, (key, response, _, weight, _) in enumerate(overlap.weighted):
        here = document[key]
        others = [(k, n) for k, r, n in cells if document[k] == here and k != key and r != response]
        others += [
            (earlier.key_entity, earlier.recall)
            for earlier in overlap.weighted[:place]
            if document[earlier.key_entity] == here
            and earlier.key_entity != key
            and earlier.response_entity != response
        ]
        for other, number in others:
            credits += [(key, half * weight * number), (other, half * weight * number)]
    return _by_entity(credits)


_ADDED: Mapping[str, tuple[Callable[[Overlap], Added], ...]] = {
    "muc": (_added_muc,),
    "bcub": (_added_bcub,),
    "lea": (_added_lea,),
    "blanc": (_added_links, _added_nonlinks),
}
"""What the virtual mentions of split antecedents add, by metric and kind."""


def _padded(overlap: Overlap, grown: Overlap) -> Overlap:
    """The overlap with entities of size 0 for those of `grown` that have only a virtual mention."""
    sides = []
    for side, grown_side in ((overlap.key, grown.key), (overlap.response, grown.response)):
        size = np.zeros_like(grown_side.size)
        size[: len(side.size)] = side.size
        sides.append(grown_side._replace(size=size))
    return replace(overlap, key=sides[0], response=sides[1])


def _by_entity(added: Iterable[tuple[int, Fraction]]) -> Added:
    sums: dict[int, Fraction] = {}
    for entity, weight in added:
        sums[entity] = sums.get(entity, Fraction()) + weight
    return sums


def _plus(share: Share, added: Added) -> Share:
    """The share with this added to its numerators."""
    top, bottom = share.numerator.top.copy(), share.numerator.bottom.copy()
    for entity, weight in added.items():
        total = Fraction(int(top[entity]), int(bottom[entity])) + weight
        top[entity], bottom[entity] = total.numerator, total.denominator
    return Share(Fractions(top, bottom), share.denominator)


def _sum_cells(overlap: Overlap, values: IntArray) -> IntArray:
    """int64 (key entities,): the sum of `values`, int64 (cells,), over the cells of each."""
    return sum_by(overlap.key_entity, values, len(overlap.key.size))


def _at_cells(values: IntArray, mentions: MentionCells) -> IntArray:
    """int64 (mentions,): the value of the cell of each mention; 0 if it has none."""
    return np.append(values, 0)[mentions.cell]


def _each(mentions: MentionCells, numerator: Fractions) -> Share:
    """A share in which each mention counts 1 in the denominator."""
    return Share(numerator, whole_numbers(np.ones_like(mentions.entity)))


def _without(share: Share, rows: BoolArray) -> Share:
    """The share with 0 for these rows, bool (n,)."""
    return Share(*(Fractions(np.where(rows, 0, part.top), part.bottom) for part in share))
