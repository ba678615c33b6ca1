"""Lookups: in which entity of the other side each mention is found.

Scorers that keep copies of mentions differ in this. Each says for every mention in which
entity of the other side it is found, and for CEAF which mentions are listed by which entities; the
functions of this module make tables of it.
"""

from collections.abc import Iterator
from functools import partial

import numpy as np

from corefkit.core.arrays import IntArray, distinct, join, number_together
from corefkit.core.corpus import Corpus
from corefkit.core.directed import (
    Both,
    Lookups,
    Pairs,
    both_ways,
    found_in,
    table_of,
    table_of_pairs,
    tabulate,
)
from corefkit.core.incidents import Collector, Incident
from corefkit.core.nodes import mention_codes
from corefkit.matching.exact import common_codes
from corefkit.scorers.comparison import Comparison


def make_lookups(
    key: Corpus,
    response: Corpus,
    found: tuple[IntArray, IntArray],
    listed: tuple[IntArray, IntArray],
    mentions: Both,
) -> Lookups:
    """Lookups from the entity of the other side in which each mention is found; −1 for none.

    `listed` are key mentions with the response entities that list them. BLANC and CEAF read the
    table of the key in both directions.
    """
    recall = found_in(key, response, found[0])
    rows, entities = listed
    return Lookups(
        sides=(recall, found_in(response, key, found[1])),
        listed=both_ways(table_of(key, key.entity[rows], response, entities)),
        linked=both_ways(recall),
        mentions=mentions,
        found=found,
    )


def all_detected(key: Corpus, response: Corpus, pairs: Pairs) -> Both:
    """Mention detection by pairs, where every copy is a mention."""
    return both_ways(table_of_pairs(key, response, pairs))


def distinct_detected(
    key: Corpus, response: Corpus, key_code: IntArray, response_code: IntArray
) -> Both:
    """Mention detection by codes, where the first of the mentions with the same code counts."""
    rows = distinct(key_code).first, distinct(response_code).first
    common = common_codes(key_code[rows[0]], response_code[rows[1]])
    entities = key.entity[rows[0][common.key]], response.entity[rows[1][common.response]]
    entities_of_key, entities_of_response = (
        (side.entity_document, np.bincount(side.entity[first], minlength=side.entities))
        for side, first in zip((key, response), rows, strict=True)
    )
    return both_ways(tabulate(len(key.names), entities_of_key, entities_of_response, *entities))


def last_owners(
    corpus: Corpus, code: IntArray, codes: int, rank: IntArray | None = None
) -> IntArray:
    """int64 (codes + 1,): the last entity that lists each code; −1 for none, and for the code −1.

    Entities are in the order of their numbers, or of a `rank`, int64 (entities,).
    """
    order = np.argsort(corpus.entity if rank is None else rank[corpus.entity], kind="stable")
    owner = np.full(codes + 1, -1, dtype=np.int64)
    owner[code[order]] = corpus.entity[order]  # the last value stays
    return owner


def every_owner(
    codes: IntArray, other_codes: IntArray, entity: IntArray
) -> tuple[IntArray, IntArray]:
    """Rows of one side, each with all entities of the other that list its code.

    `entity`, int64 (mentions of the other side,), is that of each of `other_codes`.
    """
    # One of the copies in an entity is enough; pairs of all copies may not fit into memory.
    listed = _once_an_entity(other_codes, entity)
    rows, partners = join(codes, other_codes[listed])
    return once_each(rows, listed[partners], entity)


def _once_an_entity(codes: IntArray, entity: IntArray) -> IntArray:
    """The rows of mentions without the later copies of a code in the same entity."""
    return distinct(codes * (int(entity.max(initial=0)) + 1) + entity).first


MOST_PAIRS = 10_000_000
"""With more pairs of copies than this, tables need gigabytes and CEAF takes hours."""


def too_many_copies(comparison: Comparison) -> Iterator[Incident]:
    """An error if copies of spans on both sides make more than `MOST_PAIRS` pairs."""
    key, response = comparison.key, comparison.response
    (codes, other), number = number_together(*mention_codes(key, response))
    in_key = np.bincount(codes, minlength=number)
    rows = _once_an_entity(other, response.entity)
    if comparison.rule == "min":  # where mentions agree pair by pair
        rows = np.arange(response.mentions)
    listing = np.bincount(other[rows], minlength=number)
    pairs = np.where((in_key > 1) & (listing > 1), in_key * listing, 0)
    if pairs.sum() > MOST_PAIRS:
        most = int(pairs.argmax())
        last = int(np.flatnonzero(other == most)[-1])
        collector = Collector(comparison.response_side.path)
        collector.note(
            "mentions-repeated",
            "pairs",
            number=int(in_key[most]),
            other=int((other == most).sum()),
            at=partial(response.mention_place, last),
            document=response.names[int(response.document[last])],
            found=f"{int(pairs.sum()):,} pairs of mentions and entities",
            expected=f"at most {MOST_PAIRS:,}",
        )
        yield from collector


def once_each(rows: IntArray, partners: IntArray, entity: IntArray) -> tuple[IntArray, IntArray]:
    """Rows, each once with every entity that one of its partners belongs to."""
    entities = entity[partners]
    first = distinct(rows * (int(entity.max(initial=0)) + 1) + entities).first
    return rows[first], entities[first]
