"""What evaluators count in one document: exact integers and fractions, with every copy.

Sizes count copies, a mention belongs to the last entity that lists it, and an overlap in CEAF
counts the copies of the key entity; on clean input all of that is the textbook.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import isnan
from typing import Any, NamedTuple

ProbeMention = Hashable
Listed = tuple[tuple[Any, ...], ...]
"""The entities of one side, each a tuple of mentions in the order in which they are listed."""

NAN = float("nan")
Value = Fraction | float
"""A score; the only float is NaN."""

Triple = tuple[Value, Value, Value]
"""Recall, precision and F1."""

RuleCounts = tuple[Fraction | int, ...]
"""Numerator and denominator of recall and of precision; two such quadruples for blanc."""

RuleRatios = tuple[Fraction | None, Fraction | None, Fraction | None]
"""Recall, precision and F1 of counts; None is 0/0, and F1 None the harmonic mean."""


class ProbeDocument(NamedTuple):
    """One document: the entities of key and response, as they are listed."""

    key: Listed
    response: Listed


def is_nan(value: Value | float) -> bool:
    """Whether it is not a number."""
    return isinstance(value, float) and isnan(value)


def harmonic(recall: Value, precision: Value) -> Value:
    """F1; 0 of 0 and 0, and not a number of what is not."""
    if is_nan(recall) or is_nan(precision):
        return NAN
    return 2 * recall * precision / (recall + precision) if recall + precision else Fraction(0)


def owners(side: Listed) -> dict[ProbeMention, int]:
    """The entity that each mention belongs to: the last that lists it."""
    return {mention: place for place, entity in enumerate(side) for mention in entity}


# What is done to both sides before they are counted

Preparation = Callable[[ProbeDocument], ProbeDocument | None]


def _drop_singletons(side: Listed) -> Listed:
    return tuple(entity for entity in side if len(entity) > 1)


def filled(entities: Iterable[Iterable[Any]]) -> Listed:
    """Entities as tuples, without those that are left empty."""
    return tuple(entity for entity in map(tuple, entities) if entity)


def without_singletons(sides: ProbeDocument) -> ProbeDocument:
    """Both sides without their entities of one mention."""
    return ProbeDocument(_drop_singletons(sides.key), _drop_singletons(sides.response))


def without_key_singletons(sides: ProbeDocument) -> ProbeDocument:
    """The key without its singletons."""
    return sides._replace(key=_drop_singletons(sides.key))


def without_response_singletons(sides: ProbeDocument) -> ProbeDocument:
    """The response without its singletons."""
    return sides._replace(response=_drop_singletons(sides.response))


def without_twinless(sides: ProbeDocument) -> ProbeDocument:
    """Without the mentions that one side lacks."""
    both = owners(sides.key).keys() & owners(sides.response).keys()
    return ProbeDocument(*(filled([m for m in entity if m in both] for entity in s) for s in sides))


def spurious_added(sides: ProbeDocument) -> ProbeDocument:
    """With what the key lacks added to it, as singletons."""
    extra = (m for m in owners(sides.response) if m not in owners(sides.key))
    return sides._replace(key=sides.key + tuple((m,) for m in extra))


def completed(sides: ProbeDocument) -> ProbeDocument:
    """With what either side lacks added to it, as singletons."""
    missed = tuple((m,) for m in owners(sides.key) if m not in owners(sides.response))
    return ProbeDocument(spurious_added(sides).key, sides.response + missed)


def refused(sides: ProbeDocument) -> ProbeDocument | None:
    """The sides as they are; None where they differ in mentions."""
    same = owners(sides.key).keys() == owners(sides.response).keys()
    return sides if same else None


# What is counted

OneSide = Callable[[Listed, Listed], tuple[Fraction | int, Fraction | int]]
"""Numerator and denominator of one side against the other: recall, and precision exchanged."""


def both_sides(one_side: OneSide) -> Callable[[ProbeDocument], RuleCounts]:
    """Recall, and precision as recall with the sides exchanged."""
    return lambda sides: (
        *one_side(sides.key, sides.response),
        *one_side(sides.response, sides.key),
    )


def _parts(side: Listed, other: Listed) -> Iterator[tuple[int, int, list[int]]]:
    """For each entity its size, how many mentions the other side lacks, and how many of the rest
    belong to each entity there."""
    owner = owners(other)
    for entity in side:
        shares = Counter(owner.get(mention, -1) for mention in entity)
        missing = shares.pop(-1, 0)
        yield len(entity), missing, list(shares.values())


def _pairs_of(size: int) -> int:
    return size * (size - 1) // 2


def distinct_mentions(side: Listed, other: Listed) -> tuple[int, int]:
    """The mentions that the other side has too, copies once."""
    ours, theirs = owners(side).keys(), owners(other).keys()
    return len(ours & theirs), len(ours)


def muc(parts_of: Callable[[int, list[int]], int]) -> OneSide:
    """MUC, where the mentions without a twin and the shares make that many parts."""

    def count(side: Listed, other: Listed) -> tuple[int, int]:
        numerator = denominator = 0
        for size, missing, shares in _parts(side, other):
            numerator += size - parts_of(missing, shares)
            denominator += size - 1
        return numerator, denominator

    return count


def link_pairs(side: Listed, other: Listed) -> tuple[int, int]:
    """All pairs of mentions within entities."""
    resolved = sum(_pairs_of(share) for _, _, shares in _parts(side, other) for share in shares)
    return resolved, sum(_pairs_of(len(entity)) for entity in side)


def bcub(
    weigh: Callable[[int, int, list[int]], tuple[Fraction | int, Fraction | int]],
) -> OneSide:
    """B³, where an entity of some size, with so many missing mentions and shares, counts so."""

    def count(side: Listed, other: Listed) -> tuple[Fraction | int, Fraction | int]:
        numerator = denominator = Fraction(0)
        for size, missing, shares in _parts(side, other):
            earned, possible = weigh(size, missing, shares)
            numerator, denominator = numerator + earned, denominator + possible
        return numerator, denominator

    return count


def squares(size: int, missing: int, shares: list[int]) -> Fraction:
    """The shares of an entity, squared, over its size."""
    return Fraction(sum(share * share for share in shares), size)


def bcub_over_key(missing_counts: int | None) -> Callable[[ProbeDocument], RuleCounts | None]:
    """B³ over key mentions; one that the response lacks counts 0, as a singleton (1), or fails."""

    def count(sides: ProbeDocument) -> RuleCounts | None:
        owner = owners(sides.response)
        recall = precision = Fraction(0)
        for entity in sides.key:
            shares = Counter(owner.get(mention, -1) for mention in entity)
            missing = shares.pop(-1, 0)
            if missing and missing_counts is None:
                return None
            if missing_counts:
                recall += Fraction(missing, len(entity))
                precision += missing
            for place, share in shares.items():
                recall += Fraction(share * share, len(entity))
                precision += Fraction(share * share, len(sides.response[place]))
        mentions = sum(map(len, sides.key))
        return recall, mentions, precision, mentions

    return count


def bcub_over_union(side: Listed, other: Listed) -> tuple[Fraction, int]:
    """B³ over the mentions of both sides; one that a side lacks counts 0."""
    parts = list(_parts(side, other))
    ours = owners(side)
    extra = sum(mention not in ours for entity in other for mention in entity)
    return sum((squares(*part) for part in parts), Fraction(0)), sum(s for s, *_ in parts) + extra


Similarity = Callable[[int, int, int], Fraction | int]
"""How alike a key and a response entity are, from their sizes and what they share."""


def phi3(key: int, response: int, shared: int) -> int:
    """The number of shared mentions."""
    return shared


def phi4(key: int, response: int, shared: int) -> Fraction:
    """Dice: twice the shared mentions over the sizes."""
    return Fraction(2 * shared, key + response)


def jaccard(key: int, response: int, shared: int) -> Fraction:
    """The shared mentions over those of either."""
    return Fraction(shared, key + response - shared)


Similarities = Mapping[tuple[int, int], Fraction | int]
"""The similarities above 0 of key and response entities."""

Aligner = Callable[[Similarities], tuple[Fraction | int, Fraction | int]]
"""The similarity that recall finds, and that which precision finds."""


def _best(cells: Similarities) -> tuple[Fraction | int, Fraction | int]:
    """One to one, as much as possible: the optimum, exactly."""
    total = aligned_total(cells)
    return total, total


def aligned_total(cells: Similarities) -> Fraction | int:
    """The largest sum of cells of which no two share a row or a column.

    Integers decide which cells: fractions are brought to one denominator.
    """
    if not cells:
        return 0
    from math import lcm

    import numpy as np
    from scipy.optimize import linear_sum_assignment

    scale = lcm(*(Fraction(value).denominator for value in cells.values()))
    table = np.zeros((max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1))
    for place, value in cells.items():
        table[place] = int(value * scale)
    rows, columns = linear_sum_assignment(table, maximize=True)
    chosen = zip(rows.tolist(), columns.tolist(), strict=True)
    return sum((cells.get(place, 0) for place in chosen), Fraction(0))


def greedy(cells: Similarities) -> tuple[Fraction | int, Fraction | int]:
    """The best pair first; of equal ones the earlier key entity, then the earlier response."""
    return _taken(sorted(cells, key=lambda place: (-cells[place], place)), cells)


def greedy_rows(cells: Similarities) -> tuple[Fraction | int, Fraction | int]:
    """Key entities in order, each takes the best that is left."""
    return _taken(sorted(cells, key=lambda place: (place[0], -cells[place], place[1])), cells)


def _taken(
    order: Sequence[tuple[int, int]], cells: Similarities
) -> tuple[Fraction | int, Fraction | int]:
    rows: set[int] = set()
    columns: set[int] = set()
    total: Fraction | int = 0
    for row, column in order:
        if row not in rows and column not in columns:
            total += cells[row, column]
            rows.add(row)
            columns.add(column)
    return total, total


def best_partners(cells: Similarities) -> tuple[Fraction | int, Fraction | int]:
    """Each entity with its best partner, whoever else has it."""
    totals = []
    for axis in (0, 1):
        best: dict[int, Fraction | int] = {}
        for place, value in cells.items():
            best[place[axis]] = max(best.get(place[axis], 0), value)
        totals.append(sum(best.values(), Fraction(0)))
    return totals[0], totals[1]


def ceaf(
    similarity: Similarity,
    align: Aligner = _best,
    *,
    entities: bool,
    singletons: bool = True,
) -> Callable[[ProbeDocument], RuleCounts]:
    """CEAF with entities or mentions as denominators; an overlap counts copies in the key.

    Without `singletons` those of the response are not aligned.
    """

    def count(sides: ProbeDocument) -> RuleCounts:
        listing: dict[ProbeMention, list[int]] = {}
        for place, entity in enumerate(sides.response):
            if singletons or len(entity) > 1:
                for mention in {*entity}:
                    listing.setdefault(mention, []).append(place)
        shared: Counter[tuple[int, int]] = Counter(
            (row, column)
            for row, entity in enumerate(sides.key)
            for mention in entity
            for column in listing.get(mention, ())
        )
        sizes = [[len(entity) for entity in side] for side in sides]
        cells = {(r, c): similarity(sizes[0][r], sizes[1][c], n) for (r, c), n in shared.items()}
        recall, precision = align(cells)
        key, response = (len(size) if entities else sum(size) for size in sizes)
        return recall, key, precision, response

    return count


def lea(singletons: str) -> OneSide:
    """LEA; singletons are found `alone`, `anywhere` or `never`."""

    def count(side: Listed, other: Listed) -> tuple[Fraction | int, int]:
        owner = owners(other)
        numerator = Fraction(0)
        for entity, (size, _, shares) in zip(side, _parts(side, other), strict=True):
            if size > 1:
                numerator += Fraction(size * sum(map(_pairs_of, shares)), _pairs_of(size))
            elif singletons != "never" and entity[0] in owner:
                alone = len(other[owner[entity[0]]]) == 1
                numerator += 1 if alone or singletons == "anywhere" else 0
        return numerator, sum(map(len, side))

    return count


def plain_ratios(counted: RuleCounts) -> RuleRatios:
    """Recall and precision of counts; F1 is their harmonic mean."""
    resolved, key, correct, response = counted
    recall = Fraction(resolved) / key if key else None
    return recall, Fraction(correct) / response if response else None, None


def link_counts(sides: ProbeDocument) -> RuleCounts:
    """BLANC: coreference links and other links; a pair is coreferent if any entity has both."""
    together, separate = [], []
    for side in sides:
        within = {frozenset(pair) for entity in side for pair in combinations({*entity}, 2)}
        every = {frozenset(pair) for pair in combinations(owners(side), 2)}
        together.append(within)
        separate.append(every - within)
    counted: list[int] = []
    for key, response in (together, separate):
        counted += [len(key & response), len(key), len(key & response), len(response)]
    return tuple(counted)


def blanc_ratios(lacking: str) -> Callable[[RuleCounts], RuleRatios]:
    """The mean over the two kinds of links.

    A kind is left out where the `key` lacks it, where `both` sides do, or `never`.
    """

    def divide(counted: RuleCounts) -> RuleRatios:
        kinds = [counted[:4], counted[4:]]
        if not any(kind[1] or (lacking != "key" and kind[3]) for kind in kinds):
            return None, None, None
        scores = []
        for kind in kinds:
            if lacking == "never" or kind[1] or (lacking == "both" and kind[3]):
                recall, precision, _ = plain_ratios(kind)
                ratios = recall or Fraction(0), precision or Fraction(0)
                scores.append((*ratios, Fraction(harmonic(*ratios))))
        recall, precision, f1 = (sum(column) / len(scores) for column in zip(*scores, strict=True))
        return Fraction(recall), Fraction(precision), Fraction(f1)

    return divide


def prepared(
    preparation: Preparation, count: Callable[[ProbeDocument], RuleCounts | None]
) -> Callable[[ProbeDocument], RuleCounts | None]:
    """Count what a preparation makes of the sides; None where it refuses them."""

    def count_prepared(sides: ProbeDocument) -> RuleCounts | None:
        ready = preparation(sides)
        return None if ready is None else count(ready)

    return count_prepared
