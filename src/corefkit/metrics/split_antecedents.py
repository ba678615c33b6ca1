"""Split antecedents: plurals are aligned, and then count as mentions with a weight.

A plural, i.e. an entity with a split antecedent, has one additional, virtual mention. For each
metric, the plurals of a document are aligned one to one so that their elements are as similar as
possible by that metric. The virtual mention of an aligned plural is found in the entity of its
partner, with a weight: what its own elements earn of what they could.

The elements of two plurals are the entities of a tiny document. They are counted like any other,
in fractions, except that in MUC an element with a single mention has a link to itself, which is
found if the other side has the same singleton (docs/anaphora.md).
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, Protocol

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray, tuples
from corefkit.core.corpus import Corpus
from corefkit.core.directed import Both, Directed, Lookups, Numbers
from corefkit.core.links import Elements, Words
from corefkit.core.nodes import span_of
from corefkit.core.pairing import first_best_pairing, scipy_pairing
from corefkit.metrics.base import Counted, MatchedSides, PartitionMetric, Share
from corefkit.metrics.counting import counting_cells, sum_exactly, terms_of
from corefkit.metrics.partition import MUC, holding_links


def _linked_elements(table: Directed) -> tuple[Numbers, int]:
    """The links that hold elements together, and those of singletons to themselves."""
    alone = (table.row_size == 1) & (table.column_size == 1)
    return np.where(alone, table.n, holding_links(table)[0]), 1


def _needed_links(table: Directed) -> IntArray:
    return np.maximum(table.size - 1, 1)


_MUC = Share(_linked_elements, _needed_links)


def _shares(metric: PartitionMetric) -> tuple[Share, ...]:
    """The shares of a metric when it counts elements."""
    return (_MUC,) if metric is MUC else metric.shares


class ElementMentions(Protocol):
    """Which mentions the elements of two plurals have in common."""

    def partners(self, document: int, words: Words) -> Collection[Hashable]:
        """The names of the response mentions that are the same as a mention of the key."""

    def response_name(self, words: Words) -> Hashable:
        """The name of a response mention."""


class MatchedElements(ElementMentions):
    """Matched mentions are the same; those that are not scored, if they have the same words."""

    def __init__(self, matched: MatchedSides, alone: Collection[tuple[Hashable, ...]] = ()) -> None:
        """`alone` are mentions of the key, with their documents, that match nothing."""
        key, response = matched.key, matched.response
        self._alone = alone
        self._partner = {
            span_of(key, key_row): span_of(response, response_row)
            for key_row, response_row in tuples(*matched.pairs)
        }
        self._taken = set(self._partner.values())

    def partners(self, document: int, words: Words) -> Collection[Hashable]:
        """The partner of a mention, or a mention with the same words that has no other partner."""
        span = (document, *words)
        if span in self._partner:
            return (self._partner[span][1:],)
        return () if span in self._taken or span in self._alone else (words,)

    def response_name(self, words: Words) -> Hashable:
        """The words of the mention."""
        return words


class _Plural(NamedTuple):
    """A plural: its document, its entity in the tables, and the words of its elements."""

    document: int
    entity: int
    words: Elements


class _PluralPairs(NamedTuple):
    """Pairs of plurals that share mentions, each with its elements as a document.

    Attributes:
        pairs: the plural of the key and that of the response, by number.
        both: the elements in cells, one document per pair.
    """

    pairs: list[tuple[int, int]]
    both: Both


class _Aligned(NamedTuple):
    """Two aligned plurals, by number, and RATIOS of their elements."""

    key: int
    response: int
    ratios: Sequence[Fraction]

    @property
    def rates(self) -> tuple[Fraction, Fraction]:
        """Recall and precision of the elements."""
        return _ratio(*self.ratios[:2]), _ratio(*self.ratios[2:])


class SplitAntecedents:
    """Lookups with the virtual mentions of split antecedents: the tables that metrics see."""

    def __init__(
        self,
        matched: MatchedSides,
        lookups: Lookups,
        elements: Mapping[str, ElementMentions],
        *,
        weighed: bool = True,
        skipping: Collection[str] = (),
    ) -> None:
        """`elements` say what elements have in common, for each pair of tables that metrics see.

        There are virtual mentions only if they are `weighed`, and not for metrics in `skipping`,
        which skip singletons.
        """
        self._lookups, self._elements = lookups, elements
        self._weighed, self._skipping = weighed, skipping
        self._ties = matched.ties
        self._plurals: list[list[_Plural]] = []
        self._entities: list[tuple[IntArray, IntArray]] = []
        for corpus in (matched.key, matched.response):
            plurals, entities = _with_virtual_mentions(corpus)
            self._plurals.append(plurals)
            self._entities.append(entities)
        self._found: dict[ElementMentions, _PluralPairs] = {}
        self._aligned: dict[tuple[str, int], list[_Aligned]] = {}

    def sees(self, metric: PartitionMetric) -> bool:
        """Whether a metric sees virtual mentions."""
        return self._weighed and bool(metric.plurals) and metric.name not in self._skipping

    def tables(self, metric: PartitionMetric, share: int) -> Both:
        """The two tables that a share of a metric sees."""
        if not self.sees(metric):
            return self._lookups.tables(metric, share)
        cells = []
        for pair in self._align(metric, share):
            recall, precision = pair.rates
            if metric.table != "sides":
                recall = precision = _f1(pair.ratios)
            cells.append((pair.key, pair.response, recall, precision))
        if metric.plurals == "equal":
            cells += self._equal(metric, share)
        key, response = self._lookups.tables(metric, share)
        return self._weighted(key, 0, cells), self._weighted(response, 1, cells)

    def alone(self, metric: PartitionMetric) -> Counted:
        """The columns of a metric for the plurals alone: what the aligned ones earn, of all."""
        columns: list[FloatArray] = []
        for number, share in enumerate(_shares(metric)):
            sums = [[Fraction()] * self._documents for _ in range(4)]
            for pair in self._align(metric, number):
                for column in (0, 2):
                    document = self._plurals[0][pair.key].document
                    sums[column][document] += pair.ratios[column]
            for column, plurals in zip((1, 3), self._plurals, strict=True):
                for plural, possible in zip(plurals, _possible(share, plurals), strict=True):
                    sums[column][plural.document] += possible
            columns += [np.array([float(x) for x in column]) for column in sums]
        return tuple(columns)

    @property
    def entities(self) -> tuple[IntArray, IntArray]:
        """The sizes of the entities of both sides, of which some have only a virtual mention."""
        return self._entities[0][1], self._entities[1][1]

    @property
    def entity_documents(self) -> tuple[IntArray, IntArray]:
        """The documents of the entities of both sides."""
        return self._entities[0][0], self._entities[1][0]

    @property
    def _documents(self) -> int:
        return self._lookups.sides[0].documents

    def _align(self, metric: PartitionMetric, share: int) -> list[_Aligned]:
        """The one-to-one alignment with the largest sum of F1, document by document."""
        if (metric.name, share) not in self._aligned:
            found = self._candidates(self._elements[metric.table])
            ratios = _ratios(found.both, metric, share)
            scores = None
            if self._ties == "scipy":
                scores = _float_scores(found.both, metric, share, ratios)
            self._aligned[metric.name, share] = list(self._best(found.pairs, ratios, scores))
        return self._aligned[metric.name, share]

    def _best(
        self,
        pairs: Sequence[tuple[int, int]],
        ratios: Sequence[Sequence[Fraction]],
        scores: Sequence[float] | None,
    ) -> Iterator[_Aligned]:
        """The aligned pairs; among equally good alignments the first, or with `scores` scipy's."""
        candidates: dict[int, dict[tuple[int, int], int]] = {}
        for number, pair in enumerate(pairs):
            candidates.setdefault(self._plurals[0][pair[0]].document, {})[pair] = number
        numbers = [_numbers(plurals) for plurals in self._plurals]
        for document in sorted(candidates):
            number_of = candidates[document]
            keys, responses = (side[document] for side in numbers)
            if scores is None:
                rows: list[dict[int, Fraction]] = [{} for _ in keys]
                for (key, response), number in number_of.items():
                    rows[keys[key]][responses[response]] = _f1(ratios[number])
                partner = first_best_pairing(rows)
            else:
                table = np.zeros((len(keys), len(responses)))
                for (key, response), number in number_of.items():
                    table[keys[key], responses[response]] = scores[number]
                partner = scipy_pairing(table).tolist()
            listed = list(responses)
            for key, column in zip(keys, partner, strict=True):
                pair = (key, listed[column] if column >= 0 else -1)
                if pair in number_of and _f1(ratios[number_of[pair]]):
                    yield _Aligned(*pair, ratios[number_of[pair]])

    def _candidates(self, elements: ElementMentions) -> _PluralPairs:
        """The pairs of plurals that share mentions, and what their elements share."""
        if elements not in self._found:
            self._found[elements] = self._find(elements)
        return self._found[elements]

    def _find(self, elements: ElementMentions) -> _PluralPairs:
        keys, responses = self._plurals
        # Where the response has each mention: plural and element, and how often.
        listing: dict[tuple[int, Hashable], Counter[tuple[int, int]]] = {}
        for number, plural in enumerate(responses):
            for element, listed in enumerate(plural.words):
                for words in listed:
                    name = plural.document, elements.response_name(words)
                    listing.setdefault(name, Counter())[number, element] += 1
        pairs: list[tuple[int, int]] = []
        sizes: tuple[list[tuple[int, int]], list[tuple[int, int]]] = [], []
        cells: list[tuple[int, int, int, int]] = []
        for number, plural in enumerate(keys):
            found = _shared_elements(plural, elements, listing)
            for other in sorted({response for _, response, _ in found}):
                first = len(sizes[0]), len(sizes[1])
                cells += [
                    (first[0] + key_element, first[1] + response_element, *shared)
                    for (key_element, response, response_element), shared in found.items()
                    if response == other
                ]
                sizes[0].extend((len(pairs), len(words)) for words in plural.words)
                sizes[1].extend((len(pairs), len(words)) for words in responses[other].words)
                pairs.append((number, other))
        row, column, n, back = np.array(cells, dtype=np.int64).reshape(-1, 4).T
        (key_pair, key_size), (response_pair, response_size) = (
            np.array(side, dtype=np.int64).reshape(-1, 2).T for side in sizes
        )
        both_sides = key_pair, key_size, response_pair, response_size
        table = Directed(len(pairs), *both_sides, row, column, n)
        return _PluralPairs(pairs, (table, table.read_back()._replace(n=back)))

    def _equal(
        self, metric: PartitionMetric, share: int
    ) -> list[tuple[int, int, Fraction, Fraction]]:
        """Plurals that were not aligned but have identical elements: their weights are 1."""
        aligned = self._align(metric, share)
        aligned_keys, aligned_responses = (
            {pair.key for pair in aligned},
            {pair.response for pair in aligned},
        )
        numbers = {
            (plural.document, plural.words): number
            for number, plural in enumerate(self._plurals[1])
            if number not in aligned_responses
        }
        return [
            (number, numbers[plural.document, plural.words], Fraction(1), Fraction(1))
            for number, plural in enumerate(self._plurals[0])
            if number not in aligned_keys and (plural.document, plural.words) in numbers
        ]

    def _weighted(
        self, table: Directed, side: int, cells: Sequence[tuple[int, int, Fraction, Fraction]]
    ) -> Directed:
        """A table with the virtual mentions of these pairs, in old or new cells."""
        (document, size), (other_document, other) = self._entities[side], self._entities[1 - side]
        table = table._replace(
            document=document, size=size, other_document=other_document, other=other
        )
        if not cells:
            return table
        weights: dict[tuple[int, int], Fraction] = {}
        for key, response, *both in cells:
            cell = self._plurals[0][key].entity, self._plurals[1][response].entity
            weights[cell[::-1] if side else cell] = both[side]
        # The cells of both tables are in the order of the key, so that CEAF can take the same ones.
        order_of_key = sorted(weights, key=lambda cell: cell[::-1] if side else cell)
        row, column = np.array(order_of_key, dtype=np.int64).T
        cell_of = table.cells_at(row, column)
        new = cell_of < 0
        cell_of[new] = len(table.n) + np.arange(int(new.sum()))
        weight = np.zeros(len(table.n) + int(new.sum()), dtype=object)
        weight[cell_of] = [weights[cell] for cell in order_of_key]
        return table._replace(
            row=np.append(table.row, row[new]),
            column=np.append(table.column, column[new]),
            n=np.append(table.n, np.zeros(int(new.sum()), dtype=np.int64)),
            weight=weight,
        )


def _with_virtual_mentions(corpus: Corpus) -> tuple[list[_Plural], tuple[IntArray, IntArray]]:
    """The plurals, and the documents and sizes of the entities with one more mention for each.

    Entities that have no other mention come last.
    """
    document, size = corpus.entity_document, corpus.entity_size
    if (plurals := corpus.plurals) is None:
        return [], (document, size)
    lost = plurals.entity < 0
    entity = plurals.entity.copy()
    entity[lost] = len(size) + np.arange(int(lost.sum()))
    document = np.append(document, plurals.document[lost])
    size = np.append(size, np.zeros(int(lost.sum()), dtype=np.int64))
    np.add.at(size, entity, 1)
    listed = zip(plurals.document.tolist(), entity.tolist(), plurals.elements, strict=True)
    return [_Plural(*plural) for plural in listed], (document, size)


def _shared_elements(
    plural: _Plural,
    elements: ElementMentions,
    listing: Mapping[tuple[int, Hashable], Counter[tuple[int, int]]],
) -> dict[tuple[int, int, int], tuple[int, int]]:
    """What a key plural shares: element, response plural and its element → mentions of the key's
    element that are found, and mentions of the response's.
    """
    nowhere: Counter[tuple[int, int]] = Counter()
    shared: dict[tuple[int, int, int], tuple[int, int]] = {}
    for element, listed in enumerate(plural.words):
        found: Counter[tuple[int, int]] = Counter()
        names: set[Hashable] = set()
        for words in listed:
            partners = elements.partners(plural.document, words)
            names.update(partners)
            found.update(
                {owner for name in partners for owner in listing.get((plural.document, name), ())}
            )
        back = sum((listing.get((plural.document, name), nowhere) for name in names), Counter())
        shared |= {(element, *owner): (found[owner], back[owner]) for owner in sorted(found)}
    return shared


def _numbers(plurals: Sequence[_Plural]) -> dict[int, dict[int, int]]:
    """Document → the place of each of its plurals, by number."""
    numbers: dict[int, dict[int, int]] = {}
    for number, plural in enumerate(plurals):
        here = numbers.setdefault(plural.document, {})
        here[number] = len(here)
    return numbers


def _ratios(both: Both, metric: PartitionMetric, number: int) -> list[tuple[Fraction, ...]]:
    """RATIOS of the elements of each pair, by one share of a metric."""
    counting = counting_cells(Lookups(both, both, both, both), metric)
    columns = (
        sum_exactly(top, bottom, both[side].document[entity], both[side].documents)
        for side, top, bottom, entity in terms_of(_shares(metric)[number], counting)
    )
    return list(zip(*columns, strict=True))


def _float_scores(
    both: Both, metric: PartitionMetric, number: int, ratios: Sequence[Sequence[Fraction]]
) -> list[float]:
    """F1 in floats, as the UA scorer computes it: if totals tie, the last digit decides."""
    found = [[float(four[column]) for four in ratios] for column in (0, 2)]
    if metric.table == "sides":
        # That scorer adds up the credits of the elements as floats.
        share = _shares(metric)[number]
        for side, table in enumerate(both):
            credits = sum_exactly(*share.earned(table), table.row, len(table.size))
            floats = [float(credit) for credit in credits]
            found[side] = np.bincount(table.document, floats, table.documents).tolist()
    scores = []
    for recalled, right, four in zip(*found, ratios, strict=True):
        needed, made = float(four[1]), float(four[3])
        recall, precision = recalled / needed if needed else 0.0, right / made if made else 0.0
        total = recall + precision
        scores.append(2 * recall * precision / total if total else 0.0)
    return scores


def _possible(share: Share, plurals: Sequence[_Plural]) -> list[Fraction]:
    """What the elements of each plural could earn."""
    sizes = [(at, len(words)) for at, plural in enumerate(plurals) for words in plural.words]
    document, size = np.array(sizes, dtype=np.int64).reshape(-1, 2).T
    none = np.zeros(0, dtype=np.int64)
    table = Directed(len(plurals), document, size, none, none, none, none, none)
    return sum_exactly(share.possible(table), share.bottom, document, len(plurals))


def _ratio(numerator: Fraction, denominator: Fraction) -> Fraction:
    """The quotient; 0 if the denominator is 0."""
    return numerator / denominator if denominator else Fraction()


def _f1(ratios: Sequence[Fraction]) -> Fraction:
    recall, precision = _ratio(*ratios[:2]), _ratio(*ratios[2:])
    return _ratio(2 * recall * precision, recall + precision)
