"""The Perl reference scorer v8.01, bug for bug, for documents in which a span is repeated.

In other documents its counts are the standard ones, except for the order in which fractions are
added; that order is reproduced, too, because it determines the last digit, and thus how a
percentage is truncated. BLANC stays apart where a document repeats a span: its links are sets of
pairs of spans, which is no sum over cells. They are counted without enumerating all pairs: only
spans in many entities are treated one by one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations, product
from typing import Literal

import numpy as np

from corefkit.core.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    among,
    distinct,
    number_together,
    starts_of_runs,
    tuples,
)
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.directed import Lookups, Pairs, both_ways, found_in, table_of
from corefkit.core.incidents import Collector, Incident, errors
from corefkit.core.nodes import mention_codes
from corefkit.matching.exact import equal_mentions
from corefkit.metrics.base import Counted
from corefkit.metrics.counting import counting_cells, similarities
from corefkit.metrics.partition import CEAFE
from corefkit.scorers.comparison import Comparison, Role, Side
from corefkit.scorers.lookups import distinct_detected, every_owner, last_owners
from corefkit.scorers.rules import ANY_LENGTHS, ONLY_DIGITS, STANDARD_RULES, with_rules
from corefkit.scorers.scorer import Scorer

MOST_REPEATS = 10
"""With more repeated mentions than this, v8.01 refuses to score."""


class Conll801(Scorer):
    """The Perl reference scorer.

    It reads only ids that are numbers and does not compare lengths. All copies of a span in the key
    are kept, and a mention belongs to the last entity that lists it. In the response, copies of key
    spans are removed, because the script looks mentions up one by one and marks those it has seen.
    It matches only equal spans.
    """

    metrics = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "conll")
    others = ()
    rules = with_rules(STANDARD_RULES, ONLY_DIGITS, ANY_LENGTHS)
    matches = ("exact",)
    keeps_copies = True
    counting = "copies of key spans stay in the key and go in the response"
    divisible = False
    needs_files = True

    def prepare(self, side: Side) -> Side:
        """The side; a key with the warnings about repeated spans, all of which are scored."""
        side = super().prepare(side)
        if side.role == "response" or errors(side.incidents):
            return side
        key = side.scored
        return side.with_incidents(*_warnings(key_repeats(key), key, side.path))

    def drop_copies(self, corpus: Corpus, role: Role) -> tuple[Corpus, list[Incident]]:
        """The corpus itself: nothing is dropped before both sides are known."""
        del role
        return corpus, []

    def adjust_response(self, comparison: Comparison) -> Comparison:
        """The comparison without the response mentions that v8.01 removes, with its warnings."""
        response = comparison.response
        repeats = response_repeats(comparison.key, response)
        kept = np.ones(response.mentions, dtype=bool)
        kept[[repeat.row for repeat in repeats]] = False
        collector = _warnings(repeats, response, comparison.response_side.path)
        if len(repeats) > MOST_REPEATS:
            number, most = f"{len(repeats):,} repeated mentions", f"at most {MOST_REPEATS}"
            collector.note("mentions-repeated", found=number, expected=most)
        return replace(
            comparison,
            response=response.take(kept),
            incidents=(*comparison.incidents, *collector),
            repeats=tuple(repeats[: MOST_REPEATS + 1]),
        )

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """The mentions with equal spans."""
        return equal_mentions(key, response)

    def weighs_plurals(self) -> bool:
        """The original knows no split antecedents."""
        return False

    def lookups(self, comparison: Comparison) -> Lookups:
        """Only the response looks: in the last key entity that lists a span.

        Recall reads its table back. CEAF sees all entities that list a span.
        """
        key, response = comparison.key, comparison.response
        (key_code, response_code), number = number_together(*mention_codes(key, response))
        in_key = last_owners(key, key_code, number)[response_code]
        precision = found_in(response, key, in_key)
        rows, entities = every_owner(key_code, response_code, response.entity)
        both = precision.read_back(), precision
        return Lookups(
            sides=both,
            listed=both_ways(table_of(key, key.entity[rows], response, entities)),
            linked=both,
            mentions=distinct_detected(key, response, key_code, response_code),
        )

    def as_added(
        self, tables: dict[str, Counted], comparison: Comparison, lookups: Lookups
    ) -> dict[str, Counted]:
        """The counts with fractions added in the order of the original, and its links of repeats.

        The order determines the last digit, and so how a percentage is truncated.
        """
        if "bcub" in tables and "bcub" not in self.skipped:
            tables["bcub"] = _bcub_in_order(tables["bcub"], comparison)
        if "ceafe" in tables and "ceafe" not in self.skipped:
            tables["ceafe"] = _ceafe_in_order(tables["ceafe"], lookups)
        if "blanc" in tables:
            columns = tuple(column.copy() for column in tables["blanc"])
            numbers, documents = repeating_documents(comparison.key, comparison.response)
            for number, document in zip(numbers.tolist(), documents, strict=True):
                both, key, response, neither, *others = count_links(document)
                links = both, key, both, response, neither, others[0], neither, others[1]
                for column, value in zip(columns, links, strict=True):
                    column[number] = value
            tables["blanc"] = columns
        return tables


def _bcub_in_order(counted: Counted, comparison: Comparison) -> Counted:
    """B³ with the shares of response mentions added one by one, entity by entity.

    The numerator of a share is the number of mentions of the response entity, copies included, that
    the key entity lists.
    """
    key, response = comparison.key, comparison.response
    (key_code, response_code), number = number_together(*mention_codes(key, response))
    in_key = last_owners(key, key_code, number)[response_code]
    rows = np.flatnonzero(in_key >= 0)
    rows = rows[np.lexsort((rows, response.entity[rows], response.document[rows]))]
    owner, entity = in_key[rows], response.entity[rows]
    width = max(response.entities, 1)
    listing, lister = every_owner(response_code, key_code, key.entity)
    cells = distinct(lister * width + response.entity[listing])
    shared = cells.counts[np.searchsorted(cells.values, owner * width + entity)]
    add = partial(_add_in_order, response.document[rows], len(key.names))
    recall, precision = shared / key.entity_size[owner], shared / response.entity_size[entity]
    return add(recall), counted[1], add(precision), counted[3]


def _ceafe_in_order(counted: Counted, lookups: Lookups) -> Counted:
    """CEAFe with the similarity of aligned entities added in the order of the key.

    The original minimises 1 − φ, and then adds 1 − (1 − φ).
    """
    table, _ = counting_cells(lookups, CEAFE)
    similarity = 1 - (1 - similarities(table, CEAFE))
    total = _add_in_order(table.document[table.row], table.documents, similarity)
    return total, counted[1], total, counted[3]


def _add_in_order(document: IntArray, documents: int, values: FloatArray) -> FloatArray:
    """float64 (documents,): the sums of values, added one after the other."""
    # Without values, bincount returns integers.
    return np.bincount(document, values, documents).astype(np.float64)


Chain = list[int]
"""An entity: the numbers of its spans in the order in which they end, copies included."""


@frozen
class ReferenceDocument:
    """One document that repeats a span: its entities in the order of their first brackets."""

    key: list[Chain]
    response: list[Chain]


def repeating_documents(key: Corpus, response: Corpus) -> tuple[IntArray, list[ReferenceDocument]]:
    """The documents in which a side lists a span twice: their numbers and their chains.

    Equal spans have equal numbers on both sides.
    """
    key_code, response_code = mention_codes(key, response)
    repeating = (
        key.document[_are_repeated(key_code)],
        response.document[_are_repeated(response_code)],
    )
    numbers = distinct(np.concatenate(repeating)).values
    sides = zip(
        _chains(key, key_code, numbers), _chains(response, response_code, numbers), strict=True
    )
    return numbers, [ReferenceDocument(k, r) for k, r in sides]


def _are_repeated(codes: IntArray) -> BoolArray:
    """bool (mentions,): whether another mention has the same code."""
    spans = distinct(codes)
    return spans.counts[spans.inverse] > 1


def _chains(corpus: Corpus, codes: IntArray, numbers: IntArray) -> list[list[Chain]]:
    """The chains of each of these documents."""
    order = np.argsort(corpus.entity, kind="stable")
    ends = np.cumsum(corpus.entity_size)
    documents: dict[int, list[Chain]] = {number: [] for number in numbers.tolist()}
    for entity in np.flatnonzero(among(corpus.entity_document, numbers)).tolist():
        rows = order[ends[entity] - corpus.entity_size[entity] : ends[entity]]
        documents[int(corpus.entity_document[entity])].append(codes[rows].tolist())
    return list(documents.values())


def listing(entities: Sequence[Chain]) -> dict[int, list[int]]:
    """Span → the entities that list it, in order."""
    numbers: dict[int, list[int]] = {}
    for number, entity in enumerate(entities):
        for span in dict.fromkeys(entity):
            numbers.setdefault(span, []).append(number)
    return numbers


_FEW = 8
"""Spans in more entities, counted on both sides together, are treated one by one."""

EntityNumbers = tuple[int, ...]
"""The entities of a side that list a span."""


def count_links(document: ReferenceDocument) -> tuple[int, ...]:
    """Links on both sides, of the key, and of the response: coreferent, then non-coreferent.

    Links are sets of pairs of spans: coreferent within entities, non-coreferent across entities. So
    a span in two entities is also linked to itself, and a pair may be of both kinds.
    """
    sides = [listing(side) for side in (document.key, document.response)]
    entities_of = {m: tuple(tuple(s.get(m, ())) for s in sides) for m in (sides[0] | sides[1])}
    many = {m for m, listed in entities_of.items() if sum(map(len, listed)) > _FEW}
    few = Counter(listed for m, listed in entities_of.items() if m not in many)
    twice = [_twice(side) for side in (document.key, document.response)]
    self_links = [len(spans) for spans in (twice[0] & twice[1], *twice)]
    within = [_within(few), self_links]
    if many:
        within.append(_within_one_by_one(document, entities_of, many))
    return *map(sum, zip(*within, strict=True)), *_across(Counter(entities_of.values()))


def _twice(entities: Iterable[Chain]) -> set[int]:
    """The spans that an entity lists twice."""
    return {m for e in entities for m, times in Counter(e).items() if times > 1}


def _within(spans: Mapping[tuple[EntityNumbers, ...], int]) -> list[int]:
    """The number of pairs of spans with a common entity: on both sides, in the key, in the
    response.

    By inclusion and exclusion, so that a pair with two common entities counts once: pairs with one,
    minus pairs with two, and so on.
    """
    sizes = [Counter[tuple[EntityNumbers, ...]]() for _ in range(3)]
    for (key_entities, response_entities), number in spans.items():
        chosen = list(_subsets(key_entities)), list(_subsets(response_entities))
        for pair in product(*chosen):
            sizes[0][pair] += number
        for side in (0, 1):
            for entities in chosen[side]:
                sizes[side + 1][(entities,)] += number
    return [sum(_sign(s) * n * (n - 1) // 2 for s, n in counter.items()) for counter in sizes]


def _subsets(entities: EntityNumbers) -> Iterator[EntityNumbers]:
    """All non-empty subsets."""
    return (s for size in range(1, len(entities) + 1) for s in combinations(entities, size))


def _sign(chosen: tuple[EntityNumbers, ...]) -> int:
    return -1 if sum(len(entities) - 1 for entities in chosen) % 2 else 1


def _within_one_by_one(
    document: ReferenceDocument,
    entities_of: Mapping[int, tuple[EntityNumbers, ...]],
    spans: Iterable[int],
) -> list[int]:
    """Like `_within`, for the pairs of these spans with all spans; each pair counts once."""
    counts = np.zeros(3, dtype=np.int64)
    place = {span: number for number, span in enumerate(entities_of)}
    chains = document.key, document.response
    sides = [[np.array([place[span] for span in chain]) for chain in side] for side in chains]
    left = np.ones(len(entities_of), dtype=bool)
    for span in spans:
        left[place[span]] = False
        together = np.zeros((2, len(entities_of)), dtype=bool)
        for links, side, entities in zip(together, sides, entities_of[span], strict=True):
            for entity in entities:
                links[side[entity]] = True
        key, response = together & left
        counts += (key & response).sum(), key.sum(), response.sum()
    numbers: list[int] = counts.tolist()
    return numbers


def _across(spans: Mapping[tuple[EntityNumbers, ...], int]) -> list[int]:
    """The number of pairs of spans in different entities: on both sides, in the key, in the
    response.

    These are all pairs except those of spans whose only entity is the same. A span in two entities
    also forms such a pair with itself.
    """
    numbers = []
    for sides in ((0, 1), (0,), (1,)):
        here = {s: n for s, n in spans.items() if all(s[side] for side in sides)}
        total = sum(here.values())
        links = total * (total - 1) // 2
        for size in range(1, len(sides) + 1):
            for chosen_sides in combinations(sides, size):
                alone = Counter[tuple[EntityNumbers, ...]]()
                for listed, number in here.items():
                    if all(len(listed[side]) == 1 for side in chosen_sides):
                        alone[tuple(listed[side] for side in chosen_sides)] += number
                pairs = sum(n * (n - 1) // 2 for n in alone.values())
                links += pairs if size == 2 else -pairs
        links += sum(n for s, n in here.items() if all(len(s[side]) > 1 for side in sides))
        numbers.append(links)
    return numbers


SideName = Literal["key", "response"]


@frozen
class Repeat:
    """A copy of a span that occurred before.

    `row` is the mention in its corpus. `earlier` and `later` are the numbers of two copies in the
    key; for a response mention both are the number of the key span.
    """

    side: SideName
    row: int
    document: int
    start: int
    end: int
    earlier: int
    later: int

    @property
    def line(self) -> str:
        """The line that v8.01 prints; the two numbers are not separated."""
        where = f"Repeated mention in the {self.side}: {self.start}, {self.end}"
        return f"{where} {self.earlier}{self.later}"


def key_repeats(key: Corpus) -> list[Repeat]:
    """The copies of key spans after the first, in the order of v8.01."""
    (codes,) = mention_codes(key)
    repeats, last = [], dict[int, int]()
    for row, code, number in _numbered(key, codes, _are_repeated(codes)):
        if code in last:
            repeats.append(_repeat("key", key, row, last[code], number))
        last[code] = number
    return repeats


def response_repeats(key: Corpus, response: Corpus) -> list[Repeat]:
    """The response mentions that v8.01 removes, in its order: those whose key span it has seen."""
    key_code, response_code = mention_codes(key, response)
    repeated = _are_repeated(response_code)
    if not repeated.any():
        return []
    spans = distinct(response_code[repeated]).values
    place = np.searchsorted(spans, key_code).clip(max=len(spans) - 1)
    # A key span with several numbers has the last one.
    number_of = {
        code: number for _, code, number in _numbered(key, key_code, spans[place] == key_code)
    }
    repeats, seen = [], set[int]()
    for row, code, _ in _numbered(response, response_code, repeated):
        if code in number_of and code in seen:
            repeats.append(_repeat("response", response, row, number_of[code], number_of[code]))
        seen.add(code)
    return repeats


def _numbered(corpus: Corpus, codes: IntArray, chosen: BoolArray) -> Iterator[tuple[int, ...]]:
    """The row, code and number of the chosen mentions, in the order of v8.01.

    It numbers all mentions of a document from 0.
    """
    if not chosen.any():
        return iter(())
    order = np.lexsort((np.arange(corpus.mentions), corpus.entity, corpus.document))
    begins = starts_of_runs(corpus.document[order])
    lengths = np.diff(begins, append=len(order))
    number = np.arange(len(order)) - np.repeat(begins, lengths)
    shown = chosen[order]
    return tuples(order[shown], codes[order][shown], number[shown])


def _repeat(side: SideName, corpus: Corpus, row: int, earlier: int, later: int) -> Repeat:
    document, start, end = (int(c[row]) for c in (corpus.document, corpus.start, corpus.end))
    return Repeat(side, row, document, start, end, earlier, later)


def _warnings(repeats: Sequence[Repeat], corpus: Corpus, path: str) -> Collector:
    collector = Collector(path)
    for repeat in repeats:
        document, side = corpus.names[repeat.document], repeat.side
        expected = "each span once"
        collector.note(
            "mention-repeated", side, line=repeat.line, document=document, expected=expected
        )
    return collector
