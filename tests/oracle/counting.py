"""How the standard rules count and pair, frozen for the time of the redesign: slow, exact, plain.

A side is a list of entities, each a list of mentions; a mention may be there more than once. First
the copies go (`first_copies`, `listed_copies`), then a document is a table of cells: how many
mentions each entity of one side shares with each of the other. Everything is counted from these
cells, in one direction at a time; a stratum is a sum over some of the entities.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

Span = tuple[int, int]
Side = Sequence[Sequence[Span]]
Clean = list[list[Span]]

METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "links")


class Cells(NamedTuple):
    """One direction of a document: the entities of a side, and what the other shares with them."""

    size: list[int]
    other: list[int]
    shared: dict[tuple[int, int], int]
    first: dict[tuple[int, int], int]
    """The place of the first shared mention of a cell in the order of all mentions."""


def text_order(span: Span) -> tuple[int, int]:
    """Spans by their start, longer ones first."""
    return span[0], -span[1]


def first_copies(side: Side) -> Clean:
    """A repeated mention stays in the entity that comes first in the text."""
    entities = [sorted(set(entity), key=text_order) for entity in side]
    return listed_copies(sorted(entities, key=lambda e: [text_order(s) for s in e]))


def listed_copies(side: Side) -> Clean:
    """A repeated mention stays where it is listed first."""
    seen: set[Span] = set()
    found: Clean = []
    for entity in side:
        kept = []
        for span in entity:
            if span not in seen:
                seen.add(span)
                kept.append(span)
        if kept:
            found.append(kept)
    return found


def cells(key: Clean, response: Clean) -> Cells:
    """The cells of the key's direction; those of the response's are `cells(response, key)`."""
    entity_of = {span: number for number, entity in enumerate(response) for span in entity}
    shared: dict[tuple[int, int], int] = {}
    first: dict[tuple[int, int], int] = {}
    places = sorted((span for entity in (*key, *response) for span in entity), key=text_order)
    place = {span: number for number, span in reversed(list(enumerate(places)))}
    for number, entity in enumerate(key):
        for span in entity:
            if span in entity_of:
                cell = number, entity_of[span]
                shared[cell] = shared.get(cell, 0) + 1
                first[cell] = min(first.get(cell, place[span]), place[span])
    return Cells(list(map(len, key)), list(map(len, response)), shared, first)


def phi(table: Cells, metric: str) -> dict[tuple[int, int], Fraction]:
    """The similarity of the two entities of each cell."""
    if metric == "ceafm":
        return {cell: Fraction(n) for cell, n in table.shared.items()}
    return {
        (k, r): Fraction(2 * n, table.size[k] + table.other[r])
        for (k, r), n in table.shared.items()
    }


def alignment(table: Cells, metric: str) -> set[tuple[int, int]]:
    """The cells of the best one-to-one alignment.

    Of several best ones it is the one that has the first cell, in the order of first shared
    mentions, in which any two of them differ. All alignments of each component are tried.
    """
    weight = phi(table, metric)
    chosen: set[tuple[int, int]] = set()
    for component in components(sorted(weight, key=lambda cell: table.first[cell])):
        chosen |= set(best(component, weight)[1])
    return chosen


def components(listed: Sequence[tuple[int, int]]) -> list[list[tuple[int, int]]]:
    """Cells that are connected by entities, each group in the order of the list."""
    groups: list[list[tuple[int, int]]] = []
    for cell in listed:
        touching = [g for g in groups if any(cell[0] == k or cell[1] == r for k, r in g)]
        groups = [g for g in groups if g not in touching]
        groups.append([*(c for g in touching for c in g), cell])
    return [[cell for cell in listed if cell in set(group)] for group in groups]


def best(
    component: Sequence[tuple[int, int]], weight: dict[tuple[int, int], Fraction]
) -> tuple[Fraction, tuple[tuple[int, int], ...]]:
    """The weight and the cells of the best alignment; of equals, the one with the first cell."""
    if not component:
        return Fraction(0), ()
    cell, *rest = component
    free = [(k, r) for k, r in rest if k != cell[0] and r != cell[1]]
    with_cell, taken = best(free, weight)
    with_cell += weight[cell]
    if weight[cell] >= sum(
        max((weight[c] for c in rest if c[side] == cell[side]), default=Fraction(0))
        for side in (0, 1)
    ):  # nothing that it excludes is worth more, and it comes first
        return with_cell, (cell, *taken)
    without, others = best(rest, weight)
    return (with_cell, (cell, *taken)) if with_cell >= without else (without, others)


def earned(table: Cells, metric: str, singletons: str = "keep") -> list[Fraction]:
    """What each entity of this direction earns."""
    found = [Fraction(0)] * len(table.size)
    chosen = alignment(table, metric) if metric in ("ceafm", "ceafe") else set(table.shared)
    similar = phi(table, metric) if metric in ("ceafm", "ceafe") else {}
    for k, r in chosen:
        n, size, other = table.shared[k, r], table.size[k], table.other[r]
        skipped = size == 1 and (
            (metric == "lea" and singletons != "keep") or (metric == "bcub" and singletons == "e2e")
        )
        if skipped or (metric == "bcub" and singletons == "e2e" and other == 1):
            continue
        found[k] += similar[k, r] if similar else _SHARES[metric](n, size, other)
    return found


_SHARES: dict[str, Callable[[int, int, int], Fraction]] = {
    "mentions": lambda n, size, other: Fraction(n),
    "muc": lambda n, size, other: Fraction(n - 1),
    "bcub": lambda n, size, other: Fraction(n * n, size),
    "lea": lambda n, size, other: (
        Fraction(int(other == 1)) if size == 1 else Fraction(n * (n - 1), size - 1)
    ),
    "links": lambda n, size, other: Fraction(comb(n, 2)),
}


def possible(table: Cells, metric: str, singletons: str = "keep") -> list[int]:
    """What each entity of this direction could earn."""
    if metric == "muc":
        return [size - 1 for size in table.size]
    if metric == "ceafe":
        return [1] * len(table.size)
    if metric == "links":
        return [comb(size, 2) for size in table.size]
    skip = (metric == "lea" and singletons != "keep") or (metric == "bcub" and singletons == "e2e")
    return [0 if skip and size == 1 else size for size in table.size]


def ratio(
    table: Cells, metric: str, singletons: str = "keep", sizes: range | None = None
) -> list[Fraction]:
    """The numerator and the denominator of one direction, of entities of some sizes."""
    kept = [sizes is None or size in sizes for size in table.size]
    found = [x for x, k in zip(earned(table, metric, singletons), kept, strict=True) if k]
    could = [x for x, k in zip(possible(table, metric, singletons), kept, strict=True) if k]
    return [sum(found, Fraction(0)), Fraction(sum(could))]


def blanc(key: Clean, response: Clean) -> list[int]:
    """Links on both sides, of the key, of the response; the same for what is not linked."""
    table = cells(key, response)
    both = sum(comb(n, 2) for n in table.shared.values())
    ours, theirs = (sum(comb(n, 2) for n in side) for side in (table.size, table.other))
    common = sum(table.shared.values())
    in_key, in_response = [0] * len(key), [0] * len(response)
    for (k, r), n in table.shared.items():
        in_key[k] += n
        in_response[r] += n
    neither = comb(common, 2) - sum(comb(n, 2) for n in (*in_key, *in_response)) + both
    apart = [comb(sum(s), 2) - links for s, links in ((table.size, ours), (table.other, theirs))]
    return [both, ours, theirs, neither, *apart]
