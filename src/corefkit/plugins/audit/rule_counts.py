"""What evaluators count in one document, in exact integers and fractions.

Repeated mentions are counted as evaluators do that do not remove them: sizes include copies, a
mention belongs to the last entity that lists it, and an overlap in CEAF counts the copies in the
key entity. Without copies, the counts are those of the textbook.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import isnan

from corefkit.scoring.shrink import SmallDocument, SmallSide

ProbeMention = Hashable
NAN = float("nan")
Value = Fraction | float
"""A score: a fraction; the only float is NaN."""

Triple = tuple[Value, Value, Value]
"""Recall, precision and F1."""

RuleCounts = tuple[Fraction | int, ...]
"""Numerator and denominator of recall and of precision; for blanc two such quadruples."""

RuleRatios = tuple[Fraction | None, Fraction | None, Fraction | None]
"""Recall, precision and F1. Recall or precision None means 0/0; F1 None, their harmonic mean."""


def is_nan(value: Value | float) -> bool:
    """Whether a value is NaN."""
    return isinstance(value, float) and isnan(value)


def harmonic(recall: Value, precision: Value) -> Value:
    """The harmonic mean; 0 where both are 0, NaN where one is NaN."""
    if is_nan(recall) or is_nan(precision):
        return NAN
    return 2 * recall * precision / (recall + precision) if recall + precision else Fraction(0)


def owners(side: SmallSide) -> dict[ProbeMention, int]:
    """Mention → the number of its entity: the last one that lists it."""
    return {mention: number for number, entity in enumerate(side) for mention in entity}


# What is done to both sides before they are counted

Counting = Callable[[SmallDocument], RuleCounts | None]
"""Counts a document; None where the scorer fails on it."""

Preparation = Callable[[SmallDocument], SmallDocument | None]
"""Changes a document before it is counted; None where the scorer fails on it."""


def prepared(preparation: Preparation, count: Counting) -> Counting:
    """Counts documents after a preparation."""

    def count_prepared(sides: SmallDocument) -> RuleCounts | None:
        changed = preparation(sides)
        return None if changed is None else count(changed)

    return count_prepared


def without_singletons(*, key: bool = True, response: bool = True) -> Preparation:
    """Drops the entities of one mention from these sides."""

    def drop(sides: SmallDocument) -> SmallDocument:
        longer = [tuple(entity for entity in side if len(entity) > 1) for side in sides.sides]
        return SmallDocument(
            longer[0] if key else sides.key, longer[1] if response else sides.response
        )

    return drop


def without_twinless(sides: SmallDocument) -> SmallDocument:
    """Both sides without the mentions that one of them lacks."""
    both = owners(sides.key).keys() & owners(sides.response).keys()
    return sides.with_sides(([m for m in entity if m in both] for entity in s) for s in sides.sides)


def spurious_added(sides: SmallDocument) -> SmallDocument:
    """The sides, with response mentions that the key lacks added to the key, as singletons."""
    extra = (m for m in owners(sides.response) if m not in owners(sides.key))
    return sides._replace(key=sides.key + tuple((m,) for m in extra))


def completed(sides: SmallDocument) -> SmallDocument:
    """The sides, with the mentions that each side lacks added to it, as singletons."""
    missed = tuple((m,) for m in owners(sides.key) if m not in owners(sides.response))
    return SmallDocument(spurious_added(sides).key, sides.response + missed)


def refused(sides: SmallDocument) -> SmallDocument | None:
    """The sides unchanged; None where they differ in mentions."""
    same = owners(sides.key).keys() == owners(sides.response).keys()
    return sides if same else None


# What is counted

OneSide = Callable[[SmallSide, SmallSide], tuple[Fraction | int, Fraction | int]]
"""Numerator and denominator of recall, of the first side against the second."""


def both_sides(one_side: OneSide) -> Callable[[SmallDocument], RuleCounts]:
    """Counts recall, and precision as recall with the sides exchanged."""
    return lambda sides: (
        *one_side(sides.key, sides.response),
        *one_side(sides.response, sides.key),
    )


def _parts(side: SmallSide, other: SmallSide) -> Iterator[tuple[int, int, list[int]]]:
    """The parts of each entity: its size, how many of its mentions the other side lacks, and how
    many belong to each entity of the other side.
    """
    owner = owners(other)
    for entity in side:
        shares = Counter(owner.get(mention, -1) for mention in entity)
        missing = shares.pop(-1, 0)
        yield len(entity), missing, list(shares.values())


def _pairs_of(size: int) -> int:
    return size * (size - 1) // 2


def distinct_mentions(side: SmallSide, other: SmallSide) -> tuple[int, int]:
    """The number of mentions that both sides have, and of those that this side has; no copies."""
    mentions, other_mentions = owners(side).keys(), owners(other).keys()
    return len(mentions & other_mentions), len(mentions)


def muc(parts_of: Callable[[int, list[int]], int]) -> OneSide:
    """MUC. `parts_of` gives the number of parts of an entity, from its missing mentions and its
    shares.
    """

    def count(side: SmallSide, other: SmallSide) -> tuple[int, int]:
        numerator = denominator = 0
        for size, missing, shares in _parts(side, other):
            numerator += size - parts_of(missing, shares)
            denominator += size - 1
        return numerator, denominator

    return count


def link_pairs(side: SmallSide, other: SmallSide) -> tuple[int, int]:
    """The number of pairs within entities of both sides, and within entities of this side."""
    resolved = sum(_pairs_of(share) for _, _, shares in _parts(side, other) for share in shares)
    return resolved, sum(_pairs_of(len(entity)) for entity in side)


def bcub(
    weigh: Callable[[int, int, list[int]], tuple[Fraction | int, Fraction | int]],
) -> OneSide:
    """B³. `weigh` gives the numerator and denominator of an entity, from its size, its missing
    mentions and its shares.
    """

    def count(side: SmallSide, other: SmallSide) -> tuple[Fraction | int, Fraction | int]:
        numerator = denominator = Fraction(0)
        for size, missing, shares in _parts(side, other):
            earned, possible = weigh(size, missing, shares)
            numerator, denominator = numerator + earned, denominator + possible
        return numerator, denominator

    return count


def squares(size: int, missing: int, shares: list[int]) -> Fraction:
    """The sum of the squared shares of an entity, divided by its size."""
    return Fraction(sum(share * share for share in shares), size)


def bcub_over_key(missing_counts: int | None) -> Counting:
    """B³ with recall and precision over key mentions.

    A key mention that the response lacks counts 0, counts as a singleton (1), or is a failure
    (None).
    """

    def count(sides: SmallDocument) -> RuleCounts | None:
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
            for number, share in shares.items():
                recall += Fraction(share * share, len(entity))
                precision += Fraction(share * share, len(sides.response[number]))
        mentions = sum(map(len, sides.key))
        return recall, mentions, precision, mentions

    return count


def bcub_over_union(side: SmallSide, other: SmallSide) -> tuple[Fraction, int]:
    """B³ over the mentions of both sides; one that a side lacks counts 0."""
    parts = list(_parts(side, other))
    mentions = owners(side)
    extra = sum(mention not in mentions for entity in other for mention in entity)
    return sum((squares(*part) for part in parts), Fraction(0)), sum(s for s, *_ in parts) + extra


Similarity = Callable[[int, int, int], Fraction | int]
"""The similarity of two entities, from the sizes of key and response entity and the overlap."""


def phi3(key: int, response: int, shared: int) -> int:
    """The number of shared mentions."""
    return shared


def phi4(key: int, response: int, shared: int) -> Fraction:
    """The Dice coefficient: twice the shared mentions, divided by the sum of the sizes."""
    return Fraction(2 * shared, key + response)


def jaccard(key: int, response: int, shared: int) -> Fraction:
    """The Jaccard coefficient: the shared mentions, divided by those of either entity."""
    return Fraction(shared, key + response - shared)


Similarities = Mapping[tuple[int, int], Fraction | int]
"""(key entity, response entity) → similarity, where it is above 0."""

Aligner = Callable[[Similarities], tuple[Fraction | int, Fraction | int]]
"""Aligns entities; the total similarity for recall, and that for precision."""


def best(cells: Similarities) -> tuple[Fraction | int, Fraction | int]:
    """The best one-to-one alignment, exactly.

    The cells are chosen by integers: the fractions are brought to a common denominator.
    """
    if not cells:
        return 0, 0
    from math import lcm

    import numpy as np
    from scipy.optimize import linear_sum_assignment

    scale = lcm(*(Fraction(value).denominator for value in cells.values()))
    table = np.zeros((max(r for r, _ in cells) + 1, max(c for _, c in cells) + 1))
    for cell, value in cells.items():
        table[cell] = int(value * scale)
    rows, columns = linear_sum_assignment(table, maximize=True)
    chosen = zip(rows.tolist(), columns.tolist(), strict=True)
    total = sum((cells.get(cell, 0) for cell in chosen), Fraction(0))
    return total, total


def greedy(cells: Similarities) -> tuple[Fraction | int, Fraction | int]:
    """Greedy alignment, best pair first; ties go to the earlier key, then response entity."""
    return _align_in_order(sorted(cells, key=lambda cell: (-cells[cell], cell)), cells)


def greedy_rows(cells: Similarities) -> tuple[Fraction | int, Fraction | int]:
    """Greedy alignment in the order of key entities; each takes the best one left."""
    order = sorted(cells, key=lambda cell: (cell[0], -cells[cell], cell[1]))
    return _align_in_order(order, cells)


def _align_in_order(
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
    """Each entity with its best partner, not one to one."""
    totals = []
    for axis in (0, 1):
        best: dict[int, Fraction | int] = {}
        for cell, value in cells.items():
            best[cell[axis]] = max(best.get(cell[axis], 0), value)
        totals.append(sum(best.values(), Fraction(0)))
    return totals[0], totals[1]


def ceaf(
    similarity: Similarity,
    align: Aligner = best,
    *,
    entities: bool,
    singletons: bool = True,
) -> Callable[[SmallDocument], RuleCounts]:
    """CEAF, divided by the number of entities or of mentions.

    Without `singletons`, those of the response are not aligned. An overlap counts the copies in the
    key entity.
    """

    def count(sides: SmallDocument) -> RuleCounts:
        response_entities: dict[ProbeMention, list[int]] = {}
        for number, entity in enumerate(sides.response):
            if singletons or len(entity) > 1:
                for mention in {*entity}:
                    response_entities.setdefault(mention, []).append(number)
        shared: Counter[tuple[int, int]] = Counter(
            (row, column)
            for row, entity in enumerate(sides.key)
            for mention in entity
            for column in response_entities.get(mention, ())
        )
        sizes = [[len(entity) for entity in side] for side in sides.sides]
        cells = {(r, c): similarity(sizes[0][r], sizes[1][c], n) for (r, c), n in shared.items()}
        recall, precision = align(cells)
        key, response = (len(size) if entities else sum(size) for size in sizes)
        return recall, key, precision, response

    return count


def lea(singletons: str) -> OneSide:
    """LEA. A singleton is found if the other side has its mention `alone` (as a singleton) or
    `anywhere`, or `never`, or `always`.
    """

    def count(side: SmallSide, other: SmallSide) -> tuple[Fraction | int, int]:
        owner = owners(other)
        numerator = Fraction(0)
        for entity, (size, _, shares) in zip(side, _parts(side, other), strict=True):
            if size > 1:
                numerator += Fraction(size * sum(map(_pairs_of, shares)), _pairs_of(size))
            elif singletons == "always":
                numerator += 1
            elif singletons != "never" and entity[0] in owner:
                alone = len(other[owner[entity[0]]]) == 1
                numerator += 1 if alone or singletons == "anywhere" else 0
        return numerator, sum(map(len, side))

    return count


def plain_ratios(counted: RuleCounts) -> RuleRatios:
    """Recall and precision; F1 is left to be their harmonic mean."""
    resolved, key, correct, response = counted
    recall = Fraction(resolved) / key if key else None
    return recall, Fraction(correct) / response if response else None, None


def link_counts(sides: SmallDocument) -> RuleCounts:
    """BLANC: the counts of coreference links, then those of non-coreference links.

    A pair of mentions is coreferent if any entity lists both.
    """
    together, separate = [], []
    for side in sides.sides:
        within = {frozenset(pair) for entity in side for pair in combinations({*entity}, 2)}
        every = {frozenset(pair) for pair in combinations(owners(side), 2)}
        together.append(within)
        separate.append(every - within)
    counts: list[int] = []
    for key, response in (together, separate):
        counts += [len(key & response), len(key), len(key & response), len(response)]
    return tuple(counts)


def blanc_ratios(lacking: str) -> Callable[[RuleCounts], RuleRatios]:
    """The mean of the scores of both kinds of links.

    A kind is left out where the `key` lacks it, where `both` sides lack it, or `never`, as
    `lacking` says.
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
