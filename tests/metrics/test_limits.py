"""Metrics of documents as large as the engines admit, against fractions.

Such documents cannot be made of mentions, but metrics see sizes and counts and nothing else.
"""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import permutations
from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit import metrics
from corefkit.core.directed import Directed, same_for_all
from corefkit.metrics.base import PartitionMetric
from corefkit.metrics.counting import count
from corefkit.plugins.engines.counting import MOST_MENTIONS
from tests.strategies import examples

Table = list[list[int]]
"""How many mentions the entities of the key (rows) share with those of the response."""


def directed(key: list[int], response: list[int], table: Table) -> Directed:
    cells = [(k, r, n) for k, row in enumerate(table) for r, n in enumerate(row) if n]
    row, column, n = np.array(cells, dtype=np.int64).reshape(-1, 3).T
    (ours, size), (theirs, other) = (
        (np.zeros(len(sizes), dtype=np.int64), np.array(sizes, dtype=np.int64))
        for sizes in (key, response)
    )
    return Directed(1, ours, size, theirs, other, row, column, n)


def counted(name: str, key: list[int], response: list[int], table: Table) -> list[float]:
    metric = metrics.get(name)
    assert isinstance(metric, PartitionMetric)
    columns = count(same_for_all(directed(key, response, table)), [metric])[name]
    return [column[0].item() for column in columns]


def halves(size: list[int], other: list[int], table: Table) -> dict[str, Fraction]:
    """The numerators of recall, from the definitions."""
    rows = list(zip(size, table, strict=True))
    best: dict[str, Fraction] = {}
    for order in permutations(range(len(other)), min(len(size), len(other))):
        pairs = [(k, r) for k, r in enumerate(order)]
        mentions = Fraction(sum(table[k][r] for k, r in pairs))
        likeness = sum(
            (Fraction(2 * table[k][r], size[k] + other[r]) for k, r in pairs), Fraction(0)
        )
        best["ceafm"] = max(best.get("ceafm", mentions), mentions)
        best["ceafe"] = max(best.get("ceafe", likeness), likeness)
    return best | {
        "mentions": Fraction(sum(map(sum, table))),
        "muc": Fraction(sum(n - 1 for row in table for n in row if n)),
        "bcub": sum((Fraction(n * n, s) for s, row in rows for n in row), Fraction(0)),
        "lea": sum((s * Fraction(comb(n, 2), comb(s, 2)) for s, r in rows for n in r), Fraction(0)),
    }


def transposed(table: Table) -> Table:
    return [list(column) for column in zip(*table, strict=True)]


def check(key: list[int], response: list[int], table: Table) -> None:
    recall, precision = halves(key, response, table), halves(response, key, transposed(table))
    for name in recall:
        found, _, correct, _ = counted(name, key, response, table)
        assert found == float(recall[name]), name
        assert correct == float(precision[name]), name
    links = [sum(comb(n, 2) for n in side) for side in (key, response)]
    both = sum(comb(n, 2) for row in table for n in row)
    common = [sum(comb(sum(row), 2) for row in t) for t in (table, transposed(table))]
    neither = comb(sum(map(sum, table)), 2) - sum(common) + both
    others = [comb(sum(side), 2) - n for side, n in zip((key, response), links, strict=True)]
    assert counted("blanc", key, response, table) == [
        *(both, links[0], both, links[1]),
        *(neither, others[0], neither, others[1]),
    ]
    check_clustering(key, response, table)


def check_clustering(key: list[int], response: list[int], table: Table) -> None:
    """Metrics of clustering: exact integers, and entropies to 14 digits."""
    links = [sum(comb(n, 2) for n in side) for side in (key, response)]
    both = sum(comb(n, 2) for row in table for n in row)
    every = sum(key) + sum(response) - sum(map(sum, table))
    expected = float(Fraction(links[0] * links[1], comb(every, 2)))
    assert counted("ari", key, response, table) == [both, *links, expected, every]
    assert counted("pairs", key, response, table) == [both, links[0], both, links[1]]
    cells_of = [(n, k, r) for k, row in zip(key, table, strict=True)
                for r, n in zip(response, row, strict=True) if n]  # fmt: skip
    seen = sum((Fraction(n * (r - 1), 2) for n, _, r in cells_of), Fraction())
    assert counted("pairs_sample", key, response, table) == [both, links[0], both, float(seen)]
    touched = sum((Fraction(n, r) for n, _, r in cells_of), Fraction())
    right = sum(n == k == r for n, k, r in cells_of)
    sampled = counted("clusters_sample", key, response, table)
    assert sampled == [right, len(key), right, float(touched)]
    best = [sum(max(row) for row in t) for t in (table, transposed(table))]
    sizes = sum(key), sum(response)
    assert counted("purity", key, response, table) == [best[0], sizes[0], best[1], sizes[1]]
    cells = [sum(n > 0 for row in t for n in row) for t in (table, transposed(table))]
    twinless = [size - sum(map(sum, table)) for size in sizes]
    steps = [
        cell + alone - len(side)
        for cell, alone, side in zip(cells, twinless, (key, response), strict=True)
    ]
    assert counted("gmd", key, response, table) == [*steps, 2 * (every - 1), every]
    entropies = counted("vmeasure", key, response, table)
    with localcontext() as context:
        context.prec = 50
        for place, (side, t) in enumerate(((key, table), (response, transposed(table)))):
            given = sum(
                (n * (Decimal(size) / n).ln() for size, row in zip(side, t, strict=True)
                for n in row if n), Decimal(0),
            )  # fmt: skip
            given += sum(
                ((size - sum(row)) * Decimal(size).ln() for size, row in zip(side, t, strict=True)),
                Decimal(0),
            )
            assert entropies[2 * place] == pytest.approx(float(given), rel=1e-14)
            own = sum((s * (Decimal(every) / s).ln() for s in side), Decimal(0))
            own += (every - sum(side)) * Decimal(every).ln()
            assert entropies[3 - 2 * place] == pytest.approx(float(own), rel=1e-14)


@given(st.data())
@examples(60)
def test_exact_up_to_the_limit(data: st.DataObject) -> None:
    """Two sides of three entities, with MOST_MENTIONS each; what they share is of any size."""
    cuts = st.lists(st.integers(2, MOST_MENTIONS // 3), min_size=2, max_size=2)
    (a, b), (c, d) = data.draw(cuts), data.draw(cuts)
    key, response = [MOST_MENTIONS - a - b, a, b], [c, d, MOST_MENTIONS - c - d]
    ours, theirs, table = list(key), list(response), [[0] * 3 for _ in range(3)]
    for k, r in data.draw(st.permutations([(k, r) for k in range(3) for r in range(3)])):
        most = min(ours[k], theirs[r])
        table[k][r] = data.draw(st.sampled_from([0, most, most // 2, most // 3]))
        ours[k] -= table[k][r]
        theirs[r] -= table[k][r]
    check(key, response, table)


@pytest.mark.parametrize("size", [2**31 - 1, 2**31, 2**31 + 1, 3 * 10**9, MOST_MENTIONS])
def test_one_entity_on_both_sides(size: int) -> None:
    """|K| + |R| passes 2³²: CEAFe was −1.0000000005 just above it."""
    check([size], [size], [[size]])
    check([size], [size], [[size - 1]])


def test_halves_of_links_beyond_the_integers_of_floating_point() -> None:
    """More than 2⁵³ links are seen, an odd number of halves: pairs_sample was rounded twice."""
    key, response = [3011164890, 33, 25835576], [12, 1367356, 3035633131]
    check(key, response, [[0, 0, 0], [0, 0, 33], [0, 455785, 12917788]])


@pytest.mark.parametrize("name", ["bcub_0", "bcub_all"])
def test_variants_without_twinless_mentions_are_the_plain_metrics(name: str) -> None:
    """The other variants go through single mentions: memory ends long before 64 bits do."""
    half = MOST_MENTIONS // 2
    sides = ([half, MOST_MENTIONS - half], [MOST_MENTIONS])
    table = [[half], [MOST_MENTIONS - half]]
    plain = name.partition("_")[0]
    assert counted(name, *sides, table) == counted(plain, *sides, table)
