"""Metrics with split antecedents: plurals are aligned, and then count as mentions with a weight.

A plural, i.e. an entity with a split antecedent, has one additional, virtual mention v. For each
metric, the plurals of a document are aligned one to one so that their elements are as similar as
possible by that metric (`metrics.elements`). The v of an aligned plural is shared with the entity
of its partner, with a weight between 0 and 1.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from operator import add
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray, tuples
from corefkit.core.corpus import Corpus
from corefkit.core.links import Elements, Words
from corefkit.core.nodes import span_of
from corefkit.core.overlap import Entities, Overlap, WeightedCell, entity_ranks
from corefkit.core.pairing import first_best_pairing, scipy_pairing
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
    """A plural: its entity in the overlap, and its elements as numbers of mentions.

    Matched mentions have the same number. `words` are the elements as annotated.
    """

    entity: int
    elements: tuple[Element, ...]
    words: Elements

    @property
    def mentions(self) -> frozenset[int]:
        """The mentions of all elements."""
        return frozenset().union(*(element.mentions for element in self.elements))


class AlignedPlurals(NamedTuple):
    """Two aligned plurals, by their positions, and the counts of their elements."""

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
    """The one-to-one alignment of plurals with the largest sum of F1, without pairs of F1 0."""
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
        partner = first_best_pairing(f1)
    return [
        AlignedPlurals(row, column, counts[row][column])
        for row, column in enumerate(partner)
        if f1[row].get(column)
    ]


def ratio(numerator: Fraction, denominator: Fraction) -> Fraction:
    """The quotient; 0 if the denominator is 0."""
    return numerator / denominator if denominator else Fraction()


def f1_of(counts: Ratios) -> Fraction:
    """The F1 of these counts."""
    recall, precision = ratio(*counts[:2]), ratio(*counts[2:])
    return ratio(2 * recall * precision, recall + precision)


def _float_f1(score: ScoreElements, ours: Plural, theirs: Plural, counts: Ratios) -> float:
    """F1 in floats, as the UA scorer computes it: if totals tie, the last digit decides."""
    key, response = ours.elements, theirs.elements
    recalled, needed, right, made = map(float, counts)
    if score in (bcub, lea):
        # That scorer adds up the credits of the elements as floats.
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
    """Counts metrics of two sides, at least one of which has plurals."""

    def __init__(self, matched: MatchedSides, overlap: Overlap | None = None) -> None:
        """If an `overlap` is given, its entities must have the same numbers as in the corpora."""
        self._ties = matched.ties
        key, response = matched.key, matched.response
        if overlap is None:
            ranks, plain = (entity_ranks(key), entity_ranks(response)), matched.overlap
        else:
            ranks, plain = (np.arange(key.entities), np.arange(response.entities)), overlap
        sides, numbers = [], []
        given = zip((key, response), (plain.key, plain.response), ranks, strict=True)
        for corpus, entities, rank in given:
            grown, entity_numbers = _with_plurals(corpus, entities, rank)
            sides.append(grown)
            numbers.append(entity_numbers)
        self.overlap = replace(plain, key=sides[0], response=sides[1])
        self._documents = self._find(matched, numbers)

    def count(self, name: str) -> tuple[Counted, Counted]:
        """The columns of a metric, and the same columns for the plurals alone."""
        alignments = [self._align(function) for function in ELEMENTS[name]]
        weighted = [self._weighted(name, aligned) for aligned in alignments]
        kinds = zip(ELEMENTS[name], alignments, strict=True)
        alone = [self._alone(function, aligned) for function, aligned in kinds]
        if name == "blanc":
            (both, key, _, response), (neither, not_key, _, not_response) = alone
            columns = count_blanc(*weighted)
            return columns, (both, key, response, neither, not_key, not_response)
        metric = countable(name)
        assert isinstance(metric, OverlapMetric)
        return metric.count(weighted[0]), alone[0]

    def overlaps(self, name: str) -> tuple[Overlap, ...]:
        """The overlap with the weighted cells of a metric.

        blanc has two overlaps: for coreference links and for non-coreference links.
        """
        alignments = (self._align(function) for function in ELEMENTS[name])
        return tuple(self._weighted(name, aligned) for aligned in alignments)

    def _find(self, matched: MatchedSides, numbers: list[list[int]]) -> list[DocumentPlurals]:
        """The plurals of each document that has any; `numbers` are those of their entities."""
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
        """The aligned plurals of each document, by a function that scores elements."""
        return [
            align(plurals.key, plurals.response, self._compare(plurals, score), score, self._ties)
            for plurals in self._documents
        ]

    def _compare(self, plurals: DocumentPlurals, score: ScoreElements) -> list[dict[int, Ratios]]:
        """The counts of each key plural with the response plurals, by their positions.

        Pairs of plurals without a common mention are left out: their counts would be 0.
        """
        places_of: dict[int, list[int]] = {}
        for place, plural in enumerate(plurals.response):
            for mention in plural.mentions:
                places_of.setdefault(mention, []).append(place)
        counts = []
        for plural in plurals.key:
            places = sorted({place for m in plural.mentions for place in places_of.get(m, ())})
            others = ((place, plurals.response[place].elements) for place in places)
            counts.append({place: score(plural.elements, elements) for place, elements in others})
        return counts

    def _names(self, matched: MatchedSides, document: int, pairs: IntArray) -> "Names":
        """The numbering of the mentions of a document with these pairs; subclasses override it."""
        return Names(matched, pairs)

    def _weighted(self, name: str, pairs: list[list[AlignedPlurals]]) -> Overlap:
        """The overlap with the weighted cells of aligned plurals."""
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
        """The columns of the plurals alone: numerators of aligned ones, denominators of all."""
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
    """The weights of v in the entity of its partner, for recall and for precision."""
    if name in ("muc", "bcub", "lea"):
        return ratio(*counts[:2]), ratio(*counts[2:])
    return f1_of(counts), f1_of(counts)


def _equal(
    plurals: DocumentPlurals, aligned: list[AlignedPlurals]
) -> list[tuple[int, int, Fraction, Fraction]]:
    """Plurals that were not aligned but have identical elements: the weights of v are 1."""
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
    """The entities with one more mention for each plural, and the entity of each plural."""
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
    """Numbers for the mentions of one document; matched mentions have the same number.

    Mentions that are not scored, e.g. non-referring ones, match if they have the same words.
    """

    def __init__(
        self, matched: MatchedSides, pairs: IntArray, alone: frozenset[Words] = frozenset()
    ) -> None:
        """`pairs` are indices of the pairs of the document.

        `alone` are mentions of the key that match nothing, whatever their words.
        """
        self._alone = alone
        self._partner: dict[Words, Words] = {}
        for ours, theirs in tuples(matched.pairs.key[pairs], matched.pairs.response[pairs]):
            span = span_of(matched.key, ours)[1:]
            self._partner[span] = span_of(matched.response, theirs)[1:]
        self._taken = set(self._partner.values())
        self._number: dict[tuple[Words, int], int] = {}

    def elements(self, elements: Elements, side: int) -> tuple[Element, ...]:
        """The elements of a plural of a side: 0 is the key, 1 the response."""
        return tuple(Element(self._of(words, side) for words in entity) for entity in elements)

    def _of(self, words: Words, side: int) -> int:
        unmatched = 0
        if not side:
            partner = self._partner.get(words)
            # Its words may be those of a response mention that another key mention matches.
            unmatched = int(partner is None and (words in self._taken or words in self._alone))
            words = partner or words
        return self._number.setdefault((words, unmatched), len(self._number))
