"""The Perl reference scorer v8.01, bug for bug, for documents in which a span is repeated.

In other documents its counts are the standard ones, except for the order in which fractions are
added; that order is reproduced, too, because it determines the last digit, and thus how a
percentage is truncated. Documents that repeat a span are processed one by one, as in the original,
but without enumerating all pairs of mentions: only spans in many entities are treated one by one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import combinations, product
from typing import ClassVar, Literal, TypeVar

import numpy as np

from corefkit.core.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    among,
    distinct,
    starts_of_runs,
    tuples,
)
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, Incident, errors
from corefkit.core.nodes import mention_codes
from corefkit.core.overlap import Pairs, overlap_of_sides
from corefkit.core.pairing import best_alignment
from corefkit.matching.exact import equal_mentions
from corefkit.metrics.base import Counted, Sums
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.counting import count_by_definition
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
    policies: ClassVar[Mapping[str, str]] = {"lengths": "ignore", "ids": "digits"}
    rules = ("exact",)
    counting = "copies of key spans stay in the key and go in the response"
    equivocal = True
    divisible = False
    needs_files = True

    def drop_copies(self, corpus: Corpus) -> tuple[Corpus, list[Incident]]:
        """The corpus itself: nothing is dropped before both sides are known."""
        return corpus, []

    def describe_key(self, side: Side) -> Side:
        """The key with the warnings of v8.01 about repeated spans, all of which are scored."""
        if errors(side.incidents):
            return side
        key = side.scored
        return side.with_incidents(*_warnings(key_repeats(key), key, side.path))

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

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """All metrics; documents that repeat no span are counted together, others one by one."""
        numbers, documents = repeating_documents(comparison.key, comparison.response)
        plain = comparison
        if documents:
            sides = comparison.key, comparison.response
            key, response = (side.take(~among(side.document, numbers)) for side in sides)
            plain = replace(comparison, key=key, response=response, matching=self.match)
        tables: dict[str, Counted] = {}
        for name in names:
            if name not in _COUNT:
                raise ValueError(f"the reference scorer has no {name}")
            columns = _IN_ORDER[name](plain) if name in _IN_ORDER else _by_definition(plain, name)
            for number, document in zip(numbers.tolist(), documents, strict=True):
                for column, value in zip(columns, _COUNT[name](document), strict=True):
                    column[number] = value
            tables[name] = columns
        return tables


def _by_definition(comparison: Comparison, name: str) -> Counted:
    """The standard counts, in columns that may be changed."""
    return tuple(column.copy() for column in count_by_definition(comparison, [name])[name])


def _bcub_in_order(comparison: Comparison) -> Counted:
    """B³, with the shares of mentions added one by one in the order of the response entities."""
    key, response, (ours, theirs) = comparison.key, comparison.response, comparison.pairs
    order = np.lexsort((theirs, response.entity[theirs], response.document[theirs]))
    owner, entity = key.entity[ours[order]], response.entity[theirs[order]]
    cells = distinct(owner * max(response.entities, 1) + entity)
    shared = cells.counts[cells.inverse]
    add = partial(_add_in_order, key.document[ours[order]], len(key.names))
    sizes = comparison.overlap.key_mentions, comparison.overlap.exchanged.key_mentions
    recall, precision = shared / key.entity_size[owner], shared / response.entity_size[entity]
    return add(recall), sizes[0].copy(), add(precision), sizes[1].copy()


def _ceafe_in_order(comparison: Comparison) -> Counted:
    """CEAFe, with the similarity of aligned entities added in the order of the key."""
    key, response, (ours, theirs) = comparison.key, comparison.response, comparison.pairs
    overlap = overlap_of_sides(key, key.entity[ours], response, response.entity[theirs])
    similarity = 2 * overlap.count / overlap.size_sums
    chosen = best_alignment(overlap.key_entity, overlap.response_entity, similarity)
    total = _add_in_order(overlap.document[chosen], len(key.names), _rounded(similarity[chosen]))
    return total, overlap.key_entities.copy(), total.copy(), overlap.exchanged.key_entities.copy()


def _add_in_order(document: IntArray, documents: int, values: FloatArray) -> FloatArray:
    """float64 (documents,): the sums of values, added one after the other."""
    # Without values, bincount returns integers.
    return np.bincount(document, values, documents).astype(np.float64)


_IN_ORDER: Mapping[str, Callable[[Comparison], Counted]] = {
    "bcub": _bcub_in_order,
    "ceafe": _ceafe_in_order,
}
"""The metrics that add fractions."""


_Phi = TypeVar("_Phi", float, FloatArray)


def _rounded(similarity: _Phi) -> _Phi:
    """φ as the original adds it: it minimises 1 − φ, and then computes 1 − (1 − φ)."""
    return 1 - (1 - similarity)


Chain = list[int]
"""An entity: the numbers of its spans in the order in which they end, copies included."""


@frozen
class ReferenceDocument:
    """One document that repeats a span: its entities in the order of their first brackets."""

    key: list[Chain]
    response: list[Chain]

    @cached_property
    def key_of(self) -> dict[int, list[int]]:
        """Span → the key entities that list it; it belongs to the last one."""
        return listing(self.key)

    @cached_property
    def _key_copies(self) -> dict[int, list[int]]:
        """Span → the key entity of each of its copies."""
        return listing(self.key, copies=True)

    def listed_in(self, entity: Chain) -> Counter[int]:
        """Key entity → the number of its mentions, copies included, that this entity lists."""
        return Counter(k for m in dict.fromkeys(entity) for k in self._key_copies.get(m, ()))

    @cached_property
    def shared(self) -> list[Counter[int]]:
        """For each response entity: key entity → the number of its mentions in that key entity."""
        return [
            Counter(k for m in entity for k in self.key_of.get(m, ())) for entity in self.response
        ]


def repeating_documents(key: Corpus, response: Corpus) -> tuple[IntArray, list[ReferenceDocument]]:
    """The documents in which a side lists a span twice: their numbers and their chains.

    Equal spans have equal numbers on both sides.
    """
    ours, theirs = mention_codes(key, response)
    repeating = key.document[_are_repeated(ours)], response.document[_are_repeated(theirs)]
    numbers = distinct(np.concatenate(repeating)).values
    sides = zip(_chains(key, ours, numbers), _chains(response, theirs, numbers), strict=True)
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


def listing(entities: Sequence[Chain], *, copies: bool = False) -> dict[int, list[int]]:
    """Span → the entities that list it, in order; each once or, with `copies`, once per copy."""
    numbers: dict[int, list[int]] = {}
    for number, entity in enumerate(entities):
        for span in entity if copies else dict.fromkeys(entity):
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
    for (ours, theirs), number in spans.items():
        chosen = list(_subsets(ours)), list(_subsets(theirs))
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
    ours, theirs = mention_codes(key, response)
    repeated = _are_repeated(theirs)
    if not repeated.any():
        return []
    spans = distinct(theirs[repeated]).values
    place = np.searchsorted(spans, ours).clip(max=len(spans) - 1)
    # A key span with several numbers has the last one.
    number_of = {code: number for _, code, number in _numbered(key, ours, spans[place] == ours)}
    repeats, seen = [], set[int]()
    for row, code, _ in _numbered(response, theirs, repeated):
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


def _size(entities: Iterable[Chain]) -> int:
    return sum(map(len, entities))


def _mentions(d: ReferenceDocument) -> Sums:
    response = {m for entity in d.response for m in entity}
    both = len(d.key_of.keys() & response)
    return both, len(d.key_of), both, len(response)


def _muc(d: ReferenceDocument) -> Sums:
    """Mentions of response entities that are followed there by a mention of the same key entity."""
    joined = 0
    for entity in d.response:
        owners = Counter(d.key_of[m][-1] for m in entity if m in d.key_of)
        joined += sum(owners.values()) - len(owners)
    return joined, _size(d.key) - len(d.key), joined, _size(d.response) - len(d.response)


def _bcub(d: ReferenceDocument) -> Sums:
    """The shares of response mentions and the last key entity that lists each, added in order."""
    recall = precision = 0.0
    for entity, shared in zip(d.response, d.shared, strict=True):
        for mention in entity:
            if mention in d.key_of:
                owner = d.key_of[mention][-1]
                recall += shared[owner] / len(d.key[owner])
                precision += shared[owner] / len(entity)
    return recall, _size(d.key), precision, _size(d.response)


_SIMILARITY: Mapping[str, Callable[[int, int, int], float]] = {
    "ceafm": lambda shared, key, response: shared,
    "ceafe": lambda shared, key, response: 2 * shared / (key + response),
}
"""φ of two entities, from the number of common mentions and their sizes."""


def _aligned(d: ReferenceDocument, name: str) -> Sums:
    """The similarity of the best alignment, added in the order of the key."""
    similarity, size = _SIMILARITY[name], _size if name == "ceafm" else len
    cells = sorted(
        (k, r, similarity(n, len(d.key[k]), len(entity)))
        for r, entity in enumerate(d.response)
        for k, n in d.listed_in(entity).items()
    )
    total = 0.0
    if cells:
        row, column, weight = (np.array(values) for values in zip(*cells, strict=True))
        for chosen in best_alignment(row, column, weight.astype(np.float64)).tolist():
            total += _rounded(cells[chosen][2])
    return total, size(d.key), total, size(d.response)


_COUNT: Mapping[str, Callable[[ReferenceDocument], Sums]] = {
    "mentions": _mentions,
    "muc": _muc,
    "bcub": _bcub,
    "ceafm": partial(_aligned, name="ceafm"),
    "ceafe": partial(_aligned, name="ceafe"),
    "blanc": count_links,
}
"""How a document that repeats a span is counted."""
