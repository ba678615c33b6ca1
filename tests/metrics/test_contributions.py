"""Contributions add up, whatever the labels; CEAF is split by the first best alignment."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corefkit import Corpus
from corefkit.metrics import get
from corefkit.metrics.base import OverlapMetric
from corefkit.metrics.contributions import BY_ENTITY, BY_MENTION, Shares
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


def strata_of(key: Clusters, response: Clusters, **policies: str) -> Strata:
    options = make_options("mentions,muc,bcub,ceafm,ceafe,lea,blanc", **policies)
    scorer = scorer_for(options)
    sides = [
        scorer.read(Corpus.from_clusters({"d": [[(m, m) for m in c] for c in side]}))
        for side in (key, response)
    ]
    return Strata(scorer.compare(sides[0], sides[1]).pair("auto"), options)


def sums(shares: Shares, codes: Sequence[object] | None = None) -> tuple[Fraction, ...]:
    return tuple(part.total() for share in shares for part in share)


def unbroken(strata: Strata, metric: str) -> list[float]:
    """The counts of the metric itself, those of blanc as RATIOS of both kinds."""
    counted = get(metric)
    assert isinstance(counted, OverlapMetric)
    table = [float(column.sum()) for column in counted.count(strata.overlap)]
    if metric != "blanc":
        return table
    both, key, response, neither, not_key, not_response = table
    return [both, key, both, response, neither, not_key, neither, not_response]


@given(partitions(), st.randoms(use_true_random=False))
@examples(60)
def test_any_labels_add_up_to_the_unbroken_counts(
    sides: tuple[Clusters, Clusters], rng: object
) -> None:
    strata = strata_of(*sides)
    random = np.random.default_rng(rng.getrandbits(32))  # type: ignore[attr-defined]
    for metric in BY_ENTITY:
        kinds = strata.contributions.of_entities(metric)
        total = [float(part) for kind in kinds for part in sums(kind)]
        assert total == pytest.approx(unbroken(strata, metric), abs=1e-12)
        for kind in kinds:
            codes = [random.integers(0, 3, len(share.numerator.top)) for share in kind]
            split = [
                Shares(
                    *(
                        share._replace(
                            **{n: getattr(share, n).take(code == label) for n in share._fields}
                        )
                        for share, code in zip(kind, codes, strict=True)
                    )
                )
                for label in range(3)
            ]
            assert tuple(map(sum, zip(*map(sums, split), strict=True))) == sums(kind)


@given(partitions(), st.sampled_from(["keep", "e2e"]))
@examples(60)
def test_mentions_add_up_to_their_entities(
    sides: tuple[Clusters, Clusters], singletons: str
) -> None:
    """Not only to the whole: the mentions of an entity add up to what the entity contributes."""
    strata = strata_of(*sides, singletons=singletons)
    for metric in BY_MENTION:
        (entities,) = strata.contributions.of_entities(metric)
        mentions = strata.contributions.of_mentions(metric, *strata.mentions)
        for of_entity, of_mention, cells in zip(entities, mentions, strata.mentions, strict=True):
            for whole, parts in zip(of_entity, of_mention, strict=True):
                listed = whole.listed()
                for entity, share in enumerate(listed):
                    assert parts.take(cells.entity == entity).total() == share, metric


@given(partitions())
@examples(60)
def test_exchanged_sides_exchange_what_they_contribute(sides: tuple[Clusters, Clusters]) -> None:
    one, other = strata_of(*sides), strata_of(*sides[::-1])
    for metric in BY_ENTITY:
        for ours, theirs in zip(
            one.contributions.of_entities(metric),
            other.contributions.of_entities(metric),
            strict=True,
        ):
            assert [part.listed() for part in ours.key] == [p.listed() for p in theirs.response]
            assert [part.listed() for part in ours.response] == [p.listed() for p in theirs.key]


def best_alignments(strata: Strata, metric: str) -> list[frozenset[int]]:
    """All alignments of the highest total, as sets of cells, by trying every one."""
    overlap = strata.overlap
    key, response = overlap.key.size.tolist(), overlap.response.size.tolist()
    cells = {
        (k, r): (cell, n)
        for cell, (k, r, n) in enumerate(
            zip(
                overlap.key_entity.tolist(),
                overlap.response_entity.tolist(),
                overlap.count.tolist(),
                strict=True,
            )
        )
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
    ours, theirs = sorted(key, key=min), sorted(response, key=min)
    cells = zip(
        strata.overlap.key_entity.tolist(), strata.overlap.response_entity.tolist(), strict=True
    )
    first = [min({*ours[k]} & {*theirs[r]}) for k, r in cells]
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
    found = set(strata.contributions.aligned(metric).tolist())
    assert [cell in found for cell in order] == expected


def test_where_key_order_would_choose_otherwise() -> None:
    """The cell of the first mention decides, not the first key entity."""
    strata = strata_of([[0, 1], [2, 3]], [[0, 2], [1, 3]])
    cells = strata.contributions.aligned("ceafm")
    assert strata.overlap.key_entity[cells].tolist() == [0, 1]
    assert strata.overlap.response_entity[cells].tolist() == [0, 1]


def test_ties_that_dominance_must_leave_open() -> None:
    """{abcd} with {ab} or {cd}: neither weighs more than the other; the first has the cell."""
    strata = strata_of([[0, 1, 2, 3]], [[2, 3], [0, 1]])
    cells = strata.contributions.aligned("ceafe")
    assert strata.overlap.response_entity[cells].tolist() == [0]
