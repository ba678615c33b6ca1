"""Shares of entities and mentions add up; CEAF is split by the first best alignment."""

from fractions import Fraction
from itertools import permutations
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corefkit import Corpus
from corefkit.core.arrays import tuples
from corefkit.core.directed import Directed, lookups_of_pairs, same_for_all
from corefkit.core.nodes import reading_order
from corefkit.matching.exact import equal_mentions
from corefkit.metrics import get
from corefkit.metrics.base import PartitionMetric
from corefkit.metrics.counting import SKIPPED, Mentions, SideMentions, count, count_mentions
from corefkit.scorers import make_options, scorer_for
from corefkit.scoring.strata import Strata
from tests.strategies import examples

Clusters = list[list[int]]


@st.composite
def partitions(draw: st.DrawFn, most: int = 12) -> tuple[Clusters, Clusters]:
    """Two partitions with singletons and mentions that only one side has."""
    size = draw(st.integers(1, most))
    sides = []
    for _ in range(2):
        entity = draw(st.lists(st.integers(0, 4), min_size=size, max_size=size))
        clusters: dict[int, list[int]] = {}
        for mention, number in enumerate(entity):
            if number:  # the others are not there
                clusters.setdefault(number, []).append(mention)
        sides.append(list(clusters.values()))
    return sides[0], sides[1]


def strata_of(key: Clusters, response: Clusters, **policies: Any) -> Strata:
    options = make_options("mentions,muc,bcub,ceafm,ceafe,lea,blanc", **policies)
    scorer = scorer_for(options)
    sides = [
        scorer.read(Corpus.from_clusters({"d": [[(m, m) for m in c] for c in side]}))
        for side in (key, response)
    ]
    return Strata(scorer.compare(sides[0], sides[1]), options)


METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "blanc")
BY_MENTION = ("mentions", "muc", "bcub", "ceafm", "lea")


def partition_metric(name: str) -> PartitionMetric:
    metric = get(name)
    assert isinstance(metric, PartitionMetric)
    return metric


def table_of(strata: Strata) -> Directed:
    corpora = strata.compared.key_corpus, strata.compared.response_corpus
    return lookups_of_pairs(*corpora, equal_mentions(*corpora)).sides[0]


def unbroken(strata: Strata, name: str) -> list[float]:
    """The counts of the metric itself."""
    lookups, metric = same_for_all(table_of(strata)), partition_metric(name)
    columns = count(lookups, [metric], SKIPPED[strata.options.singletons])[name]
    return [float(column.sum()) for column in columns]


@given(partitions(), st.sampled_from(["keep", "e2e", "lea"]))
@examples(60)
def test_entities_add_up_to_the_unbroken_counts(
    sides: tuple[Clusters, Clusters], singletons: str
) -> None:
    strata = strata_of(*sides, singletons=singletons)
    for name in METRICS:
        totals = [float(sum(column)) for column in strata.shares(partition_metric(name))]
        assert totals == pytest.approx(unbroken(strata, name), abs=1e-12), name


@given(partitions(), st.sampled_from(["keep", "e2e"]))
@examples(60)
def test_mentions_add_up_to_their_entities(
    sides: tuple[Clusters, Clusters], singletons: str
) -> None:
    """Not only to the whole: the mentions of an entity add up to what the entity contributes."""
    strata = strata_of(*sides, singletons=singletons)
    corpora = strata.compared.key_corpus, strata.compared.response_corpus
    lookups = lookups_of_pairs(*corpora, equal_mentions(*corpora))
    assert lookups.found is not None
    key, response = (
        SideMentions(corpus.entity, found, reading_order(corpus), corpus.entity)
        for corpus, found in zip(corpora, lookups.found, strict=True)
    )
    labels = max(corpus.entities for corpus in corpora)
    for name in BY_MENTION:
        metric = partition_metric(name)
        columns = count_mentions(
            lookups, metric, Mentions(key, response, labels), SKIPPED[singletons], strata.align
        )
        for column, whole in zip(columns, strata.shares(metric), strict=True):
            listed = [float(share) for share in whole]
            assert column.tolist() == listed + [0] * (labels - len(listed)), name


@given(partitions())
@examples(60)
def test_exchanged_sides_exchange_what_they_contribute(sides: tuple[Clusters, Clusters]) -> None:
    one, other = strata_of(*sides), strata_of(*sides[::-1])
    for name in METRICS:
        ours, theirs = (strata.shares(partition_metric(name)) for strata in (one, other))
        for first in range(0, len(ours), 4):
            four, exchanged = ours[first : first + 4], theirs[first : first + 4]
            assert four == [*exchanged[2:], *exchanged[:2]], name


def best_alignments(strata: Strata, metric: str) -> list[frozenset[int]]:
    """All alignments of the highest total, as sets of cells, by trying every one."""
    table = table_of(strata)
    key, response = table.size.tolist(), table.other.tolist()
    cells = {
        (k, r): (cell, n) for cell, (k, r, n) in enumerate(tuples(table.row, table.column, table.n))
    }
    best, found = Fraction(-1), set[frozenset[int]]()
    padded = list(range(len(response))) + [-1] * len(key)
    for partner in set(permutations(padded, len(key))):
        chosen = [cells[pair] for pair in enumerate(partner) if pair in cells]
        places = frozenset(cell for cell, _ in chosen)
        total = Fraction(0)
        for k, r in enumerate(partner):
            if (k, r) in cells:
                n = cells[k, r][1]
                total += n if metric == "ceafm" else Fraction(2 * n, key[k] + response[r])
        if total > best:
            best, found = total, set()
        if total == best:
            found.add(places)
    return list(found)


def in_order(strata: Strata, key: Clusters, response: Clusters) -> list[int]:
    """The cells by the first mention that their two entities have in common."""
    table = table_of(strata)
    first = [min({*key[k]} & {*response[r]}) for k, r in tuples(table.row, table.column)]
    return sorted(range(len(first)), key=first.__getitem__)


@given(partitions(most=9), st.sampled_from(["ceafm", "ceafe"]))
@example(([[0, 3, 6], [1, 2, 5, 7], [4]], [[0, 1, 3, 5, 7], [2, 4, 6]]), "ceafm")
@examples(60)
def test_the_rule_against_all_alignments(sides: tuple[Clusters, Clusters], metric: str) -> None:
    strata = strata_of(*sides)
    order = in_order(strata, *sides)
    expected = max(
        ([cell in alignment for cell in order] for alignment in best_alignments(strata, metric)),
    )
    found = set(strata.align(table_of(strata), partition_metric(metric)).tolist())
    assert [cell in found for cell in order] == expected


def test_where_key_order_would_choose_otherwise() -> None:
    """The cell of the first mention decides, not the first key entity."""
    strata = strata_of([[0, 1], [2, 3]], [[0, 2], [1, 3]])
    ours, theirs = strata.aligned_entities(partition_metric("ceafm"))
    assert (ours.tolist(), theirs.tolist()) == ([0, 1], [0, 1])


def test_ties_that_dominance_must_leave_open() -> None:
    """{abcd} with {ab} or {cd}: neither weighs more than the other; the first has the cell."""
    strata = strata_of([[0, 1, 2, 3]], [[2, 3], [0, 1]])
    _, theirs = strata.aligned_entities(partition_metric("ceafe"))
    assert theirs.tolist() == [1]
