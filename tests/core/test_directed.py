"""Tables of what entities share."""

from fractions import Fraction
from itertools import permutations

import numpy as np

from corefkit import Corpus, score
from corefkit.core.directed import Directed, entity_ranks, lookups_of_pairs
from corefkit.matching.exact import equal_mentions
from corefkit.metrics.partition import MUC

KEY = [[2, 4, 7, 17, 18, 19], [5, 8, 9, 14, 16], [3, 11], [0, 1, 6, 13, 15]]
RESPONSE = [[0, 1, 7, 11, 12, 14, 16], [13], [3, 8, 9, 15], [2, 4], [5, 17, 19]]
"""Two alignments of these have the same φ₄ in fractions, and not in floating-point numbers."""


def corpus(*entities: list[int]) -> Corpus:
    return Corpus.from_clusters(
        {"d": [[(token, token) for token in tokens] for tokens in entities]}
    )


def test_scores_do_not_depend_on_the_order_of_entities() -> None:
    expected = score(corpus(*KEY), corpus(*RESPONSE)).to_dict()
    for entities in permutations(KEY):
        assert score(corpus(*entities), corpus(*RESPONSE[::-1])).to_dict() == expected


def test_entities_are_ranked_by_their_first_mentions() -> None:
    """Not by their last ones, which come in the opposite order here, nor by how they are listed."""
    assert entity_ranks(corpus([2, 3], [0, 9], [1, 4])).tolist() == [2, 0, 1]


def test_cells_are_found_by_their_two_entities() -> None:
    """Against a dictionary; a mention that is found nowhere, and a pair without a cell, have −1."""
    key, response = corpus(*KEY), corpus(*RESPONSE)
    lookups = lookups_of_pairs(key, response, equal_mentions(key, response))
    for table in lookups.sides:
        number = {cell: n for n, cell in enumerate(zip(table.row, table.column, strict=True))}
        columns_of_row = range(-1, len(table.other))
        pairs = [(row, column) for row in range(len(table.size)) for column in columns_of_row]
        rows, columns = np.array(pairs).T
        expected = [number.get(pair, -1) for pair in pairs]
        assert len({*expected}) == len(number) + 1
        assert table.cells_at(rows, columns).tolist() == expected
    nothing = corpus([90])
    empty = lookups_of_pairs(key, nothing, equal_mentions(key, nothing)).sides[0]
    assert empty.cells_at(np.array([0, 3]), np.array([0, -1])).tolist() == [-1, -1]


def test_a_virtual_mention_alone_is_linked_to_nothing() -> None:
    """A cell of half a virtual mention holds no links of MUC; with a mention it holds that half."""
    half, zeros = np.array([Fraction(1, 2)] * 2), np.zeros(2, dtype=np.int64)
    size, both = np.array([3, 3]), np.array([0, 1])
    table = Directed(1, zeros, size, zeros, size, both, both, np.array([0, 1]), half)
    earned, bottom = MUC.shares[0].earned(table)
    assert (earned.tolist(), bottom) == ([0, Fraction(1, 2)], 1)


def test_a_table_read_back_twice_is_the_same() -> None:
    """Its weights included, as one would be with split antecedents."""
    key, response = corpus(*KEY), corpus(*RESPONSE)
    table = lookups_of_pairs(key, response, equal_mentions(key, response)).sides[0]
    weighted = table._replace(weight=np.array([Fraction(n, 7) for n in range(len(table.n))]))
    again = weighted.read_back().read_back()
    assert all(np.array_equal(a, b) for a, b in zip(weighted, again, strict=True))
    assert np.array_equal(weighted.read_back().m, weighted.m)
