"""The Perl reference scorer v8.01, bug for bug, for documents in which a span is repeated.

In other documents its counts are the standard ones, except for the order in which fractions are
added; that order is reproduced, too, because it determines the last digit, and thus how a
percentage is truncated. BLANC stays apart where a document repeats a span: its links are sets of
pairs of spans, which is no sum over cells.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Literal

import numpy as np

from corefkit.core.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    distinct,
    links_among,
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
from corefkit.scorers.comparison import Comparison, Side
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

    def drop_copies(self, corpus: Corpus) -> tuple[Corpus, list[Incident]]:
        """The corpus itself: nothing is dropped before both sides are known."""
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
            documents = repeating_documents(comparison.key, comparison.response)
            for number, entities in documents.items():
                both, key, response, neither, *others = count_links(*entities)
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
"""An entity: the numbers of its spans, copies included."""

BothChains = tuple[list[Chain], list[Chain]]
"""The entities of a document, of the key and of the response; equal spans have equal numbers."""


def repeating_documents(key: Corpus, response: Corpus) -> dict[int, BothChains]:
    """The documents in which a side lists a span twice, by number."""
    codes = mention_codes(key, response)
    sides = tuple(zip((key, response), codes, strict=True))
    repeating = np.concatenate([side.document[_are_repeated(code)] for side, code in sides])
    if not len(repeating):
        return {}
    chains = [_chains(side, code) for side, code in sides]
    numbers = distinct(repeating).values.tolist()
    return {number: (chains[0][number], chains[1][number]) for number in numbers}


def _are_repeated(codes: IntArray) -> BoolArray:
    """bool (mentions,): whether another mention has the same code."""
    spans = distinct(codes)
    return spans.counts[spans.inverse] > 1


def _chains(corpus: Corpus, codes: IntArray) -> list[list[Chain]]:
    """The chains of each document."""
    entities: list[Chain] = [[] for _ in corpus.labels]
    for entity, code in tuples(corpus.entity, codes):
        entities[entity].append(code)
    documents: list[list[Chain]] = [[] for _ in corpus.names]
    for number, entity in zip(corpus.entity_document.tolist(), entities, strict=True):
        documents[number].append(entity)
    return documents


_NONE, _SEVERAL = -1, -2
"""Instead of the entity of a span: no entity lists it, or several do."""


def count_links(key: list[Chain], response: list[Chain]) -> IntArray:
    """Links on both sides, of the key, and of the response: coreferent, then non-coreferent.

    Links are sets of pairs of spans: coreferent within entities, non-coreferent across entities. So
    a span in two entities is also linked to itself, and a pair may be of both kinds. Spans that
    several entities list are treated one by one; the others are those of a partition.
    """
    number = {span: n for n, span in enumerate(dict.fromkeys(chain(*key, *response)))}
    sides = [
        [np.array([number[span] for span in entity]) for entity in side] for side in (key, response)
    ]
    listings = [_listing(entities, len(number)) for entities in sides]
    only = np.array(
        [
            [_SEVERAL if len(listed) > 1 else next(iter(listed), _NONE) for listed in listing]
            for listing in listings
        ],
        dtype=np.int64,
    )
    in_several = only == _SEVERAL
    left = ~in_several.any(axis=0)
    links = _links_of_partition(*only[:, left])
    for span in np.flatnonzero(~left).tolist():
        together = np.zeros_like(in_several)
        for mask, entities, listing in zip(together, sides, listings, strict=True):
            for entity in listing[span]:
                mask[entities[entity]] = True
        own = only[:, [span]]
        apart = (only != _NONE) & (own != _NONE) & ((only != own) | in_several)
        links += _on_both_and_each(together & left, apart & left)
        links[3:] += in_several[:, span].all(), *in_several[:, span]
        left[span] = True
    twice = [_twice(side) for side in (key, response)]
    links[:3] += [len(spans) for spans in (twice[0] & twice[1], *twice)]
    return links


def _listing(entities: Sequence[IntArray], spans: int) -> list[set[int]]:
    """The entities that list each span."""
    listing: list[set[int]] = [set() for _ in range(spans)]
    for entity, listed in enumerate(entities):
        for span in listed.tolist():
            listing[span].add(entity)
    return listing


def _links_of_partition(key: IntArray, response: IntArray) -> IntArray:
    """The same of spans that at most one entity of each side lists, int64 (spans,)."""
    both = (key >= 0) & (response >= 0)
    width = int(response.max(initial=0)) + 1
    of_key, of_response, common_of_key, common_of_response, of_both = (
        int(links_among(distinct(entity).counts).sum())
        for entity in (
            key[key >= 0],
            response[response >= 0],
            key[both],
            response[both],
            key[both] * width + response[both],
        )
    )
    all_both, all_key, all_response = links_among(
        np.array([chosen.sum() for chosen in (both, key >= 0, response >= 0)])
    ).tolist()
    apart = all_both - common_of_key - common_of_response + of_both
    within = of_both, of_key, of_response
    return np.array([*within, apart, all_key - of_key, all_response - of_response])


def _on_both_and_each(*kinds: BoolArray) -> IntArray:
    """For each kind of links, bool (2, spans), those on both sides, of the key, of the response."""
    return np.concatenate([[kind.all(axis=0).sum(), *kind.sum(axis=1)] for kind in kinds])


def _twice(entities: Iterable[Chain]) -> set[int]:
    """The spans that an entity lists twice."""
    return {m for e in entities for m, times in Counter(e).items() if times > 1}


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
    nearest = np.searchsorted(spans, key_code).clip(max=len(spans) - 1)
    # A key span with several numbers has the last one.
    number_of = {
        code: number for _, code, number in _numbered(key, key_code, spans[nearest] == key_code)
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
