"""Metrics with split antecedents: plurals are aligned, and then are mentions with a weight.

A plural has one more mention, v, which stands for its split antecedent. For each metric the
plurals of a document are aligned one to one so that their elements are as alike as possible, by
that metric (`metrics.elements`); an aligned v stands in the entity of its partner with a weight
between 0 and 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.assignment import first_best_pairing, scipy_pairing
from corefkit.core.corpus import Corpus
from corefkit.core.links import Elements, Words
from corefkit.core.nodes import span_of
from corefkit.core.overlap import Entities, Overlap, WeightedCell, entity_ranks
from corefkit.metrics import countable
from corefkit.metrics.base import Counted, MatchedSides, OverlapMetric
from corefkit.metrics.elements import (
    ELEMENTS,
    Element,
    Partition,
    Ratios,
    bcub,
    count_blanc,
    lea,
)

ScoreElements = Callable[[Partition, Partition], Ratios]


class Plural(NamedTuple):
    """The number of its entity in the overlap, and its elements; matched mentions are equal.

    `words` are the elements as their side has them.
    """

    entity: int
    elements: tuple[Element, ...]
    words: Elements

    @property
    def mentions(self) -> frozenset[int]:
        """The mentions of all elements."""
        return frozenset().union(*(element.mentions for element in self.elements))


class AlignedPlurals(NamedTuple):
    """Two plurals, by their places, and what was counted of their elements."""

    key: int
    response: int
    counts: Ratios


def align(
    key: Sequence[Plural],
    response: Sequence[Plural],
    counts: list[dict[int, Ratios]],
    score: ScoreElements,
    ties: str,
) -> list[AlignedPlurals]:
    """The one-to-one alignment of plurals with the greatest sum of F1; those of 0 do not count."""
    if not key or not response:
        return []
    f1 = [{column: f1_of(cell) for column, cell in row.items()} for row in counts]
    if ties == "scipy":
        table = np.zeros((len(key), len(response)))
        for row, cells in enumerate(counts):
            for column, cell in cells.items():
                table[row, column] = _float_f1(score, key[row], response[column], cell)
        partner = scipy_pairing(table).tolist()
    else:
        partner, _ = first_best_pairing(f1, len(response))
    return [
        AlignedPlurals(row, column, counts[row][column])
        for row, column in enumerate(partner)
        if f1[row].get(column)
    ]


def ratio(numerator: Fraction, denominator: Fraction) -> Fraction:
    """The quotient, 0 where there is nothing to divide by."""
    return numerator / denominator if denominator else Fraction()


def f1_of(counts: Ratios) -> Fraction:
    """F1 of what was counted."""
    recall, precision = ratio(*counts[:2]), ratio(*counts[2:])
    return ratio(2 * recall * precision, recall + precision)


def _float_f1(score: ScoreElements, one: Plural, other: Plural, counts: Ratios) -> float:
    """As the scorer computes it: where totals tie, the last digit decides."""
    key, response = one.elements, other.elements
    recalled, needed, right, made = map(float, counts)
    if score in (bcub, lea):
        # It adds what each element has found, as floating-point numbers.
        recalled = reduce(add, (float(score((entity,), response)[0]) for entity in key), 0.0)
        right = reduce(add, (float(score(key, (entity,))[2]) for entity in response), 0.0)
    recall, precision = recalled / needed if needed else 0.0, right / made if made else 0.0
    total = recall + precision
    return 2 * recall * precision / total if total else 0.0


class DocumentPlurals(NamedTuple):
    """The plurals of one document."""

    document: int
    key: list[Plural]
    response: list[Plural]


class PluralCounter:
    """Counts metrics of two sides of which one has plurals, or both."""

    def __init__(self, matched: MatchedSides, overlap: Overlap | None = None) -> None:
        """In an `overlap` of its own entities have the numbers that they have in the sides."""
        self._ties = matched.ties
        key, response = matched.key, matched.response
        if overlap is None:
            ranks, plain = (entity_ranks(key), entity_ranks(response)), matched.overlap
        else:
            ranks, plain = (np.arange(key.entities), np.arange(response.entities)), overlap
        sides, numbers = [], []
        for side, entities, rank in zip(
            (key, response), (plain.key, plain.response), ranks, strict=True
        ):
            grown, entity_numbers = _with_plurals(side, entities, rank)
            sides.append(grown)
            numbers.append(entity_numbers)
        self.overlap = replace(plain, key=sides[0], response=sides[1])
        self._documents = self._find(matched, numbers)

    def count(self, name: str) -> tuple[Counted, Counted]:
        """The columns of a metric, and the same columns for the plurals alone."""
        halves = [self._align(function) for function in ELEMENTS[name]]
        weighted = [self._weighted(name, half) for half in halves]
        ways = zip(ELEMENTS[name], halves, strict=True)
        alone = [self._alone(function, half) for function, half in ways]
        if name == "blanc":
            (both, key, _, response), (neither, not_key, _, not_response) = alone
            columns = count_blanc(*weighted)
            return columns, (both, key, response, neither, not_key, not_response)
        metric = countable(name)
        assert isinstance(metric, OverlapMetric)
        return metric.count(weighted[0]), alone[0]

    def overlaps(self, name: str) -> tuple[Overlap, ...]:
        """The overlap with the cells of virtual mentions by which a metric is counted.

        For blanc there are two, of coreference and of non-coreference links.
        """
        halves = (self._align(function) for function in ELEMENTS[name])
        return tuple(self._weighted(name, half) for half in halves)

    def _find(self, matched: MatchedSides, numbers: list[list[int]]) -> list[DocumentPlurals]:
        """The plurals of each document that has any, elements as numbers of mentions."""
        plurals: dict[int, DocumentPlurals] = {}
        names: dict[int, Names] = {}
        order = np.argsort(matched.key.document[matched.pairs.key], kind="stable")
        documents = matched.key.document[matched.pairs.key[order]]
        for side, corpus in enumerate((matched.key, matched.response)):
            if corpus._plurals is None:
                continue
            listed = zip(corpus._plurals.document.tolist(), corpus._plurals.elements, strict=True)
            for number, (document, words) in zip(numbers[side], listed, strict=True):
                if document not in plurals:
                    plurals[document] = DocumentPlurals(document, [], [])
                    first, end = np.searchsorted(documents, (document, document + 1))
                    names[document] = self._names(matched, document, order[first:end])
                elements = names[document].elements(words, side)
                plurals_of_side = plurals[document].response if side else plurals[document].key
                plurals_of_side.append(Plural(number, elements, words))
        return [plurals[document] for document in sorted(plurals)]

    def _align(self, score: ScoreElements) -> list[list[AlignedPlurals]]:
        """For each document the pairs of plurals whose elements are alike."""
        return [
            align(plurals.key, plurals.response, self._compare(plurals, score), score, self._ties)
            for plurals in self._documents
        ]

    def _compare(self, plurals: DocumentPlurals, score: ScoreElements) -> list[dict[int, Ratios]]:
        """For each plural of the key those of the response, by their places, with a mention in
        common, and what is counted of the elements of both; of others nothing is found."""
        having: dict[int, list[int]] = {}
        for place, plural in enumerate(plurals.response):
            for mention in plural.mentions:
                having.setdefault(mention, []).append(place)
        likeness = []
        for plural in plurals.key:
            places = sorted({place for m in plural.mentions for place in having.get(m, ())})
            others = ((place, plurals.response[place].elements) for place in places)
            likeness.append({place: score(plural.elements, elements) for place, elements in others})
        return likeness

    def _names(self, matched: MatchedSides, document: int, pairs: IntArray) -> "Names":
        """Numbers for the mentions of a document, of which these pairs are matched."""
        return Names(matched, pairs)

    def _weighted(self, name: str, pairs: list[list[AlignedPlurals]]) -> Overlap:
        """The overlap with the cells in which virtual mentions stand."""
        cells = []
        overlap = self.overlap
        columns = tuples(overlap.key_entity, overlap.response_entity, overlap.count)
        counts = {(k, r): n for k, r, n in columns}
        for plurals, aligned in zip(self._documents, pairs, strict=True):
            weighted_pairs = [
                (pair.key, pair.response, *_weights(name, pair.counts)) for pair in aligned
            ]
            if name in ("lea", "blanc"):
                weighted_pairs += _equal(plurals, aligned)
            for ours, theirs, recall, precision in weighted_pairs:
                key, response = plurals.key[ours].entity, plurals.response[theirs].entity
                count = counts.get((key, response), 0)
                cells.append(WeightedCell(key, response, count, recall, precision))
        return replace(self.overlap, weighted=tuple(cells))

    def _alone(self, score: ScoreElements, pairs: list[list[AlignedPlurals]]) -> Counted:
        """Numerators of aligned plurals, denominators of all."""
        sums = np.zeros((4, self.overlap.documents))
        for plurals, aligned in zip(self._documents, pairs, strict=True):
            totals = [
                sum((pair.counts[0] for pair in aligned), Fraction()),
                sum((score(plural.elements, ())[1] for plural in plurals.key), Fraction()),
                sum((pair.counts[2] for pair in aligned), Fraction()),
                sum((score((), plural.elements)[3] for plural in plurals.response), Fraction()),
            ]
            sums[:, plurals.document] = [float(total) for total in totals]
        return tuple(sums)


def _weights(name: str, counts: Ratios) -> tuple[Fraction, Fraction]:
    """How much of v stands in the other entity, for recall and for precision."""
    if name in ("muc", "bcub", "lea"):
        return ratio(*counts[:2]), ratio(*counts[2:])
    return f1_of(counts), f1_of(counts)


def _equal(
    plurals: DocumentPlurals, aligned: list[AlignedPlurals]
) -> list[tuple[int, int, Fraction, Fraction]]:
    """Plurals that were not aligned and have the very same elements: all of v stands there."""
    ours, theirs = {pair.key for pair in aligned}, {pair.response for pair in aligned}
    places = {
        plural.words: place for place, plural in enumerate(plurals.response) if place not in theirs
    }
    return [
        (place, places[plural.words], Fraction(1), Fraction(1))
        for place, plural in enumerate(plurals.key)
        if place not in ours and plural.words in places
    ]


def _with_plurals(corpus: Corpus, entities: Entities, rank: IntArray) -> tuple[Entities, list[int]]:
    """The entities with one more mention for each plural, and the number of each plural's."""
    if corpus._plurals is None:
        return entities, []
    document, size = entities.document.tolist(), entities.size.tolist()
    numbers = []
    for entity, where in tuples(corpus._plurals.entity, corpus._plurals.document):
        number = int(rank[entity]) if entity >= 0 else len(size)
        if entity < 0:
            document.append(where)
            size.append(0)
        size[number] += 1
        numbers.append(number)
    grown = Entities(np.array(document, dtype=np.int64), np.array(size, dtype=np.int64))
    return grown, numbers


class Names:
    """Numbers for the mentions of one document; those that are matched have the same.

    Mentions that are not scored, e.g. non-referring ones, match where their words are the same.
    """

    def __init__(
        self, matched: MatchedSides, pairs: IntArray, alone: frozenset[Words] = frozenset()
    ) -> None:
        """`pairs` are the pairs of the document.

        `alone` are mentions of the key that match nothing, whatever their words.
        """
        self._alone = alone
        self._partner: dict[Words, Words] = {}
        for ours, theirs in tuples(matched.pairs.key[pairs], matched.pairs.response[pairs]):
            span = span_of(matched.key, ours)[1:]
            self._partner[span] = span_of(matched.response, theirs)[1:]
        self._taken = {other: span for span, other in self._partner.items()}
        self._number: dict[tuple[Words, int], int] = {}

    def elements(self, elements: Elements, side: int) -> tuple[Element, ...]:
        """The elements of a plural of one side: 0 the key, 1 the response."""
        return tuple(Element(self._of(words, side) for words in entity) for entity in elements)

    def _of(self, words: Words, side: int) -> int:
        unmatched = 0
        if not side:
            partner = self._partner.get(words)
            # Its words may be those of a response mention that another key mention has taken.
            unmatched = int(partner is None and (words in self._taken or words in self._alone))
            words = partner or words
        return self._number.setdefault((words, unmatched), len(self._number))
