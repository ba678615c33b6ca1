"""What evaluators do: a model of coreference scorers in exact fractions.

A behaviour is a rule (which counts), an average over documents, what 0/0 is, whether recall and
precision are exchanged, and what becomes of repeated mentions. They are applied in this order:
documents pooled or joined, copies, rule, counts, average, 0/0, exchange. The standard is the first
entry of each table. To add a behaviour, write one entry; a test says whether the battery still
tells all of them apart.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any, NamedTuple, cast

Mention = Hashable
Listed = tuple[tuple[Any, ...], ...]
"""The entities of one side, each a tuple of mentions in the order in which they are listed."""

METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "lea", "blanc")
"""The metrics whose behaviours are known; `conll` is made of three of them."""

NAN = float("nan")
Value = Fraction | float
"""A score; the only float is NaN."""

Triple = tuple[Value, Value, Value]
"""Recall, precision and F1."""

Counted = tuple[Fraction | int, ...]
"""Numerator and denominator of recall and of precision; two such quadruples for blanc."""

Ratios = tuple[Fraction | None, Fraction | None, Fraction | None]
"""Recall, precision and F1 of counts; None is 0/0, and F1 None the harmonic mean."""


class Sides(NamedTuple):
    """One document: the entities of key and response, as they are listed."""

    key: Listed
    response: Listed


class Prediction(NamedTuple):
    """What a behaviour gives; `values` is None where it fails, `zero` says whether 0/0 counts."""

    values: Triple | None
    zero: bool


class Rule(NamedTuple):
    """How a metric counts one document; `count` returns None where the scorer fails.

    `divide` turns summed counts into ratios.
    """

    id: str
    words: str
    count: Callable[[Sides], Counted | None]
    divide: Callable[[Counted], Ratios]


class Choice(NamedTuple):
    """An average, a meaning of 0/0 or a treatment of copies: its id and its words."""

    id: str
    words: str


@dataclass(frozen=True, order=True)
class Behaviour:
    """What a scorer does with one metric, by the ids of the tables below."""

    metric: str
    rule: str = "standard"
    average: str = "micro"
    exchanged: bool = False
    zero: str = "0"
    copies: str = "first"

    @property
    def departures(self) -> int:
        """In how many of rule, average and exchange it is not the standard."""
        return (self.rule != "standard") + (self.average != "micro") + self.exchanged

    @property
    def words(self) -> str:
        """What it computes on clean input, in words."""
        parts = []
        if self.rule != "standard":
            parts.append(RULES[self.metric][self.rule].words)
        if self.average != "micro":
            parts.append(AVERAGES[self.average].words)
        if self.exchanged:
            parts.append(EXCHANGED)
        return "; ".join(parts) or "as standard"

    def predict(self, documents: Sequence[Sides]) -> Prediction:
        """Recall, precision and F1 of these documents, exactly."""
        return _predict(self, tuple(documents))


EXCHANGED = "precision and recall are exchanged"

AVERAGES = {
    choice.id: choice
    for choice in (
        Choice("micro", "sums counts over documents"),
        Choice("macro", "averages recall, precision and F1 over documents"),
        Choice(
            "macro-ratios",
            "averages recall and precision over documents and takes F1 of the means",
        ),
        Choice("weighted", "averages the scores of documents, weighted by their key mentions"),
        Choice(
            "joined",
            "takes all documents as one, so that pairs of mentions of different documents count",
        ),
        Choice(
            "pooled",
            "ignores document boundaries: mentions of different documents with the same place "
            "are one mention",
        ),
    )
}
MEANS = ("macro", "macro-ratios", "weighted")

ZEROS = {
    choice.id: choice
    for choice in (
        Choice("0", "0/0 is 0"),
        Choice("1", "0/0 is 1"),
        Choice("nan", "0/0 is not a number"),
        Choice("nan-recall", "0/0 is not a number in recall, 0 in precision"),
        Choice("left-out", "a document with 0/0 is left out of the mean"),
        Choice("fail", "fails on 0/0"),
    )
}

COPIES = {
    choice.id: choice
    for choice in (
        Choice("first", "keeps the first copy of a repeated mention, in list order"),
        Choice(
            "sorted",
            "keeps the copy of a repeated mention in the entity that comes first in sorted order",
        ),
        Choice(
            "copies",
            "keeps every copy of a repeated mention; it belongs to the last entity that lists it",
        ),
        Choice(
            "within",
            "drops copies within an entity only; a repeated mention belongs to the last entity "
            "that lists it",
        ),
        Choice("last", "keeps only the last copy of a repeated mention"),
        Choice("gone", "drops all copies of a mention in two entities"),
        Choice("fail", "fails on repeated mentions"),
    )
}


def averages_of(metric: str) -> list[str]:
    """The averages that can be told apart; joined documents differ from micro in blanc only."""
    return [name for name in AVERAGES if name != "joined" or metric == "blanc"]


def zeros_of(metric: str, average: str) -> list[str]:
    """The meanings of 0/0 that a metric and an average can have."""
    absent = {"nan-recall"} if metric == "blanc" else set()
    absent |= set() if average in MEANS else {"left-out"}
    return [name for name in ZEROS if name not in absent]


def copies_of(metric: str) -> list[str]:
    """The treatments of repeated mentions that can be told apart."""
    if metric == "mentions":
        return ["first", "gone", "fail"]
    return [name for name in COPIES if metric != "blanc" or name != "copies"]


def combinations_of(metric: str) -> Iterator[Behaviour]:
    """All rules, averages and exchanges, fewest departures first, then by the tables."""
    every = [
        Behaviour(metric, rule, average, exchanged)
        for rule in RULES[metric]
        for average in averages_of(metric)
        for exchanged in (False, True)
    ]
    yield from sorted(every, key=lambda behaviour: behaviour.departures)


def single_departures(metric: str) -> Iterator[Behaviour]:
    """The behaviours that depart from the standard in one thing."""
    standard = Behaviour(metric)
    yield from (replace(standard, rule=rule) for rule in list(RULES[metric])[1:])
    yield from (replace(standard, average=name) for name in averages_of(metric)[1:])
    yield from (replace(standard, zero=name) for name in zeros_of(metric, "micro")[1:])
    yield replace(standard, exchanged=True)
    yield from (replace(standard, copies=name) for name in copies_of(metric)[1:])


# How a behaviour is applied


@lru_cache(maxsize=200_000)
def _predict(behaviour: Behaviour, documents: tuple[Sides, ...]) -> Prediction:
    rule = RULES[behaviour.metric][behaviour.rule]
    counts, weights = [], []
    for document in _together(documents, behaviour.average):
        sides = _without_copies(document, behaviour.copies)
        counted = None if sides is None else _count(behaviour.metric, rule.id, sides)
        if sides is None or counted is None:
            return Prediction(None, False)
        counts.append(counted)
        weights.append(sum(map(len, sides.key)))
    if behaviour.average in MEANS:
        ratios = [rule.divide(counted) for counted in counts]
        prediction = _mean(ratios, weights, behaviour)
    else:
        sums = tuple(sum(column) for column in zip(*counts, strict=True))
        whole = rule.divide(cast(Counted, sums))
        values = _substitute(whole, behaviour.zero)
        prediction = Prediction(values, None in whole[:2])
    if behaviour.exchanged and prediction.values is not None:
        recall, precision, f1 = prediction.values
        return prediction._replace(values=(precision, recall, f1))
    return prediction


@lru_cache(maxsize=200_000)
def _count(metric: str, rule: str, sides: Sides) -> Counted | None:
    return RULES[metric][rule].count(sides)


def _together(documents: Sequence[Sides], average: str) -> Sequence[Sides]:
    """The documents that are counted: one where a scorer joins or pools them."""
    if average not in ("joined", "pooled"):
        return documents
    if average == "joined":
        documents = [_tagged(document, number) for number, document in enumerate(documents)]
    key = tuple(entity for document in documents for entity in document.key)
    return [Sides(key, tuple(entity for document in documents for entity in document.response))]


def _tagged(document: Sides, number: int) -> Sides:
    key, response = (
        tuple(tuple((number, mention) for mention in entity) for entity in side)
        for side in document
    )
    return Sides(key, response)


def _mean(ratios: Sequence[Ratios], weights: Sequence[int], behaviour: Behaviour) -> Prediction:
    """The mean over documents; weights count only where the average is weighted."""
    if behaviour.average == "weighted":
        pairs = [(r, w) for r, w in zip(ratios, weights, strict=True) if w]
        if not pairs:
            return Prediction((Fraction(0), Fraction(0), Fraction(0)), False)
        ratios, weights = [r for r, _ in pairs], [w for _, w in pairs]
    else:
        weights = [1] * len(ratios)
    in_play = any(None in document[:2] for document in ratios)
    columns: list[list[tuple[Value, int]]] = [[], [], []]
    for document, weight in zip(ratios, weights, strict=True):
        values = _substitute(document, behaviour.zero)
        if values is None:
            return Prediction(None, in_play)
        for place, value in enumerate(values):
            needed = document[:2] if place == 2 else document[place : place + 1]
            if behaviour.zero != "left-out" or None not in needed:
                columns[place].append((value, weight))
    recall, precision, f1 = map(_weighted_mean, columns)
    if behaviour.average != "macro":
        f1 = harmonic(recall, precision)
    return Prediction((recall, precision, f1), in_play)


def _weighted_mean(column: Sequence[tuple[Value, int]]) -> Value:
    if any(value != value for value, _ in column):
        return NAN
    total = sum(weight for _, weight in column)
    return sum((value * weight for value, weight in column), Fraction(0)) / (total or 1)


def _substitute(ratios: Ratios, zero: str) -> Triple | None:
    """The three values with 0/0 as the scorer has it; None where it fails."""
    recall, precision, f1 = ratios
    if recall is not None and precision is not None:
        return recall, precision, harmonic(recall, precision) if f1 is None else f1
    if zero == "fail":
        return None
    instead: dict[str, tuple[Value, Value]] = {
        "1": (Fraction(1), Fraction(1)),
        "nan": (NAN, NAN),
        "nan-recall": (NAN, Fraction(0)),
    }
    of_recall, of_precision = instead.get(zero, (Fraction(0), Fraction(0)))
    first: Value = of_recall if recall is None else recall
    second: Value = of_precision if precision is None else precision
    return first, second, harmonic(first, second)


def harmonic(recall: Value, precision: Value) -> Value:
    """F1; 0 of 0 and 0, and not a number of what is not."""
    if recall != recall or precision != precision:
        return NAN
    return 2 * recall * precision / (recall + precision) if recall + precision else Fraction(0)


# Repeated mentions


def repeats(side: Listed) -> bool:
    """Whether a side lists a mention twice."""
    return sum(map(len, side)) != len({mention for entity in side for mention in entity})


def _without_copies(document: Sides, copies: str) -> Sides | None:
    """Both sides with the copies that count; None where the scorer refuses them."""
    if not any(map(repeats, document)):
        return document
    if copies == "fail":
        return None
    return Sides(*(_COPY_RULES[copies](side) for side in document))


def _first(side: Listed) -> Listed:
    seen: set[Mention] = set()
    kept = []
    for entity in side:
        kept.append(tuple(m for m in dict.fromkeys(entity) if m not in seen))
        seen.update(entity)
    return _filled(kept)


def _sorted(side: Listed) -> Listed:
    """Each mention stays in the entity that comes first by its spans in text order."""
    owner: dict[Mention, int] = {}
    for place in sorted(range(len(side)), key=lambda place: sorted({*side[place]})):
        for mention in side[place]:
            owner.setdefault(mention, place)
    return _owned(side, owner)


def _last(side: Listed) -> Listed:
    return _owned(side, _owners(side))


def _within(side: Listed) -> Listed:
    return tuple(tuple(dict.fromkeys(entity)) for entity in side)


def _gone(side: Listed) -> Listed:
    places = Counter(mention for entity in side for mention in {*entity})
    return _filled([m for m in dict.fromkeys(entity) if places[m] == 1] for entity in side)


def _owned(side: Listed, owner: dict[Mention, int]) -> Listed:
    return _filled(
        [m for m in dict.fromkeys(entity) if owner[m] == place] for place, entity in enumerate(side)
    )


def _filled(entities: Any) -> Listed:
    return tuple(tuple(entity) for entity in entities if entity)


_COPY_RULES: dict[str, Callable[[Listed], Listed]] = {
    "first": _first,
    "sorted": _sorted,
    "copies": lambda side: side,
    "within": _within,
    "last": _last,
    "gone": _gone,
}


def _owners(side: Listed) -> dict[Mention, int]:
    """The entity that each mention belongs to: the last that lists it."""
    return {mention: place for place, entity in enumerate(side) for mention in entity}


# What is done to both sides before they are counted

Preparation = Callable[[Sides], Sides | None]


def _as_they_are(sides: Sides) -> Sides:
    return sides


def _drop_singletons(side: Listed) -> Listed:
    return tuple(entity for entity in side if len(entity) > 1)


def _no_singletons(sides: Sides) -> Sides:
    return Sides(_drop_singletons(sides.key), _drop_singletons(sides.response))


def _no_key_singletons(sides: Sides) -> Sides:
    return sides._replace(key=_drop_singletons(sides.key))


def _no_response_singletons(sides: Sides) -> Sides:
    return sides._replace(response=_drop_singletons(sides.response))


def _common(sides: Sides) -> Sides:
    """Without the mentions that one side lacks."""
    both = _owners(sides.key).keys() & _owners(sides.response).keys()
    return Sides(*(_filled([m for m in entity if m in both] for entity in s) for s in sides))


def _spurious_added(sides: Sides) -> Sides:
    """With what the key lacks added to it, as singletons."""
    extra = (m for m in _owners(sides.response) if m not in _owners(sides.key))
    return sides._replace(key=sides.key + tuple((m,) for m in extra))


def _completed(sides: Sides) -> Sides:
    """With what either side lacks added to it, as singletons."""
    missed = tuple((m,) for m in _owners(sides.key) if m not in _owners(sides.response))
    return Sides(_spurious_added(sides).key, sides.response + missed)


def _refused(sides: Sides) -> Sides | None:
    same = _owners(sides.key).keys() == _owners(sides.response).keys()
    return sides if same else None


_PREPARATIONS: dict[str, tuple[str, Preparation]] = {
    "singletons-both": ("drops singletons from both sides first", _no_singletons),
    "singletons-key": ("drops singletons from the key first", _no_key_singletons),
    "singletons-response": ("drops singletons from the response first", _no_response_singletons),
    "twinless-common": ("removes mentions that one side lacks from both sides first", _common),
    "twinless-spurious": (
        "adds mentions that the key lacks to the key, as singletons",
        _spurious_added,
    ),
    "twinless-complete": (
        "adds mentions that one side lacks to that side, as singletons",
        _completed,
    ),
}

# What is counted

OneSide = Callable[[Listed, Listed], tuple[Fraction | int, Fraction | int]]
"""Numerator and denominator of one side against the other: recall, and precision exchanged."""


def _each(one_side: OneSide) -> Callable[[Sides], Counted]:
    """Recall, and precision as recall with the sides exchanged."""
    return lambda sides: (
        *one_side(sides.key, sides.response),
        *one_side(sides.response, sides.key),
    )


def _parts(side: Listed, other: Listed) -> Iterator[tuple[int, int, list[int]]]:
    """For each entity its size, how many mentions the other side lacks, and how many of the rest
    belong to each entity there."""
    owner = _owners(other)
    for entity in side:
        shares = Counter(owner.get(mention, -1) for mention in entity)
        missing = shares.pop(-1, 0)
        yield len(entity), missing, list(shares.values())


def _pairs_of(size: int) -> int:
    return size * (size - 1) // 2


def _distinct_mentions(side: Listed, other: Listed) -> tuple[int, int]:
    ours, theirs = _owners(side).keys(), _owners(other).keys()
    return len(ours & theirs), len(ours)


def _muc(parts_of: Callable[[int, list[int]], int]) -> OneSide:
    """MUC, where the mentions without a twin and the shares make that many parts."""

    def count(side: Listed, other: Listed) -> tuple[int, int]:
        numerator = denominator = 0
        for size, missing, shares in _parts(side, other):
            numerator += size - parts_of(missing, shares)
            denominator += size - 1
        return numerator, denominator

    return count


def _link_pairs(side: Listed, other: Listed) -> tuple[int, int]:
    """All pairs of mentions within entities."""
    found = sum(_pairs_of(share) for _, _, shares in _parts(side, other) for share in shares)
    return found, sum(_pairs_of(len(entity)) for entity in side)


def _bcub(
    weigh: Callable[[int, int, list[int]], tuple[Fraction | int, Fraction | int]],
) -> OneSide:
    """B³, where an entity of some size, with so many missing mentions and shares, counts so."""

    def count(side: Listed, other: Listed) -> tuple[Fraction | int, Fraction | int]:
        numerator = denominator = Fraction(0)
        for size, missing, shares in _parts(side, other):
            found, possible = weigh(size, missing, shares)
            numerator, denominator = numerator + found, denominator + possible
        return numerator, denominator

    return count


def _squares(size: int, missing: int, shares: list[int]) -> Fraction:
    return Fraction(sum(share * share for share in shares), size)


def _bcub_over_key(missing_counts: int | None) -> Callable[[Sides], Counted | None]:
    """B³ over key mentions; one that the response lacks counts 0, as a singleton (1), or fails."""

    def count(sides: Sides) -> Counted | None:
        owner = _owners(sides.response)
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


def _bcub_over_union(side: Listed, other: Listed) -> tuple[Fraction, int]:
    parts = list(_parts(side, other))
    ours = _owners(side)
    extra = sum(mention not in ours for entity in other for mention in entity)
    return sum((_squares(*part) for part in parts), Fraction(0)), sum(s for s, *_ in parts) + extra


Similarity = Callable[[int, int, int], Fraction | int]
"""Of a key entity and a response entity, from their sizes and what they share."""


def _phi3(key: int, response: int, shared: int) -> int:
    return shared


def _phi4(key: int, response: int, shared: int) -> Fraction:
    return Fraction(2 * shared, key + response)


def _jaccard(key: int, response: int, shared: int) -> Fraction:
    return Fraction(shared, key + response - shared)


Cells = dict[tuple[int, int], Fraction | int]
"""The similarities above 0 of key and response entities."""

Alignment = Callable[[Cells], tuple[Fraction | int, Fraction | int]]
"""The similarity that recall finds, and that which precision finds."""


def _best(cells: Cells) -> tuple[Fraction | int, Fraction | int]:
    """One to one, as much as possible: the optimum, exactly."""
    total = best_total(cells)
    return total, total


def best_total(cells: Cells) -> Fraction | int:
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


def _greedy(cells: Cells) -> tuple[Fraction | int, Fraction | int]:
    """The best pair first; of equal ones the earlier key entity, then the earlier response."""
    return _taken(sorted(cells, key=lambda place: (-cells[place], place)), cells)


def _greedy_rows(cells: Cells) -> tuple[Fraction | int, Fraction | int]:
    """Key entities in order, each takes the best that is left."""
    return _taken(sorted(cells, key=lambda place: (place[0], -cells[place], place[1])), cells)


def _taken(order: Sequence[tuple[int, int]], cells: Cells) -> tuple[Fraction | int, Fraction | int]:
    rows: set[int] = set()
    columns: set[int] = set()
    total: Fraction | int = 0
    for row, column in order:
        if row not in rows and column not in columns:
            total += cells[row, column]
            rows.add(row)
            columns.add(column)
    return total, total


def _many(cells: Cells) -> tuple[Fraction | int, Fraction | int]:
    """Each entity with its best partner, whoever else has it."""
    totals = []
    for axis in (0, 1):
        best: dict[int, Fraction | int] = {}
        for place, value in cells.items():
            best[place[axis]] = max(best.get(place[axis], 0), value)
        totals.append(sum(best.values(), Fraction(0)))
    return totals[0], totals[1]


def _ceaf(
    similarity: Similarity,
    align: Alignment = _best,
    *,
    entities: bool,
    singletons: bool = True,
) -> Callable[[Sides], Counted]:
    """CEAF with entities or mentions as denominators; an overlap counts copies in the key.

    Without `singletons` those of the response are not aligned.
    """

    def count(sides: Sides) -> Counted:
        listing: dict[Mention, list[int]] = {}
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


def _lea(singletons: str) -> OneSide:
    """LEA; singletons are found `alone`, `anywhere` or `never`."""

    def count(side: Listed, other: Listed) -> tuple[Fraction | int, int]:
        owner = _owners(other)
        numerator = Fraction(0)
        for entity, (size, _, shares) in zip(side, _parts(side, other), strict=True):
            if size > 1:
                numerator += Fraction(size * sum(map(_pairs_of, shares)), _pairs_of(size))
            elif singletons != "never" and entity[0] in owner:
                alone = len(other[owner[entity[0]]]) == 1
                numerator += 1 if alone or singletons == "anywhere" else 0
        return numerator, sum(map(len, side))

    return count


def _plain_ratios(counted: Counted) -> Ratios:
    found, key, correct, response = counted
    recall = Fraction(found) / key if key else None
    return recall, Fraction(correct) / response if response else None, None


def _links(sides: Sides) -> Counted:
    """BLANC: coreference links and other links; a pair is coreferent if any entity has both."""
    together, apart = [], []
    for side in sides:
        within = {frozenset(pair) for entity in side for pair in combinations({*entity}, 2)}
        every = {frozenset(pair) for pair in combinations(_owners(side), 2)}
        together.append(within)
        apart.append(every - within)
    counted: list[int] = []
    for key, response in (together, apart):
        counted += [len(key & response), len(key), len(key & response), len(response)]
    return tuple(counted)


def _blanc_ratios(lacking: str) -> Callable[[Counted], Ratios]:
    """The mean over the two kinds of links.

    A kind is left out where the `key` lacks it, where `both` sides do, or `never`.
    """

    def divide(counted: Counted) -> Ratios:
        kinds = [counted[:4], counted[4:]]
        if not any(kind[1] or (lacking != "key" and kind[3]) for kind in kinds):
            return None, None, None
        scores = []
        for kind in kinds:
            if lacking == "never" or kind[1] or (lacking == "both" and kind[3]):
                recall, precision, _ = _plain_ratios(kind)
                ratios = recall or Fraction(0), precision or Fraction(0)
                scores.append((*ratios, Fraction(harmonic(*ratios))))
        recall, precision, f1 = (sum(column) / len(scores) for column in zip(*scores, strict=True))
        return Fraction(recall), Fraction(precision), Fraction(f1)

    return divide


def _prepared(preparation: Preparation, count: Callable[[Sides], Counted | None]) -> Callable[
    [Sides], Counted | None
]:
    def prepared(sides: Sides) -> Counted | None:
        ready = preparation(sides)
        return None if ready is None else count(ready)

    return prepared


def _rules(
    standard: Callable[[Sides], Counted | None],
    preparations: Sequence[str],
    *own: tuple[str, str, Callable[[Sides], Counted | None]],
) -> dict[str, Rule]:
    """The rules of a metric of plain ratios: the standard, after preparations, and its own."""
    rules = [Rule("standard", "as standard", standard, _plain_ratios)]
    for name in preparations:
        words, preparation = _PREPARATIONS[name]
        rules.append(Rule(name, words, _prepared(preparation, standard), _plain_ratios))
    rules += [Rule(name, words, count, _plain_ratios) for name, words, count in own]
    return {rule.id: rule for rule in rules}


def _blanc_rules() -> dict[str, Rule]:
    by_key, by_both, never = map(_blanc_ratios, ("key", "both", "never"))
    rules = (
        Rule("standard", "as standard", _links, by_key),
        Rule(
            "both-empty",
            "leaves a kind of link out only where both sides lack it (Luo et al. 2014)",
            _links,
            by_both,
        ),
        Rule("never", "counts a missing kind of link as 0", _links, never),
        Rule(
            "twinless-common",
            "removes mentions that one side lacks from both sides first",
            _prepared(_common, _links),
            by_key,
        ),
        Rule(
            "twinless-common-never",
            "removes mentions that one side lacks first and counts a missing kind of link as 0",
            _prepared(_common, _links),
            never,
        ),
        Rule(
            "twinless-refused",
            "fails where the two sides differ in mentions; counts a missing kind of link as 0",
            _prepared(_refused, _links),
            never,
        ),
        Rule(
            "singletons-both",
            "drops singletons from both sides first",
            _prepared(_no_singletons, _links),
            by_key,
        ),
        Rule("pairs", "counts coreference links only", lambda s: _links(s)[:4], _plain_ratios),
    )
    return {rule.id: rule for rule in rules}


_EVERY_PREPARATION = tuple(_PREPARATIONS)

RULES: dict[str, dict[str, Rule]] = {
    "mentions": _rules(_each(_distinct_mentions), _EVERY_PREPARATION),
    "muc": _rules(
        _each(_muc(lambda missing, shares: missing + len(shares))),
        ["twinless-common"],
        (
            "twinless-free",
            "does not count a mention that the other side lacks as a part of its own, so nothing "
            "is lost by it",
            _each(_muc(lambda missing, shares: len(shares))),
        ),
        (
            "twinless-one",
            "counts all mentions of an entity that the other side lacks as one part",
            _each(_muc(lambda missing, shares: (missing > 0) + len(shares))),
        ),
        ("pairs", "is not MUC: it counts all pairs of mentions", _each(_link_pairs)),
    ),
    "bcub": _rules(
        _each(_bcub(lambda *part: (_squares(*part), part[0]))),
        _EVERY_PREPARATION,
        (
            "own-singletons",
            "skips singletons of the side it sums over",
            _each(_bcub(lambda *p: (_squares(*p), p[0]) if p[0] > 1 else (0, 0))),
        ),
        (
            "per-entity",
            "averages over entities, not over mentions",
            _each(_bcub(lambda *part: (_squares(*part) / part[0], 1))),
        ),
        (
            "common-only",
            "averages over mentions that both sides have; entities keep their sizes",
            _each(_bcub(lambda *part: (_squares(*part), part[0] - part[1]))),
        ),
        (
            "key-zero",
            "averages recall and precision over key mentions; one that the response lacks counts 0",
            _bcub_over_key(0),
        ),
        (
            "key-alone",
            "averages recall and precision over key mentions; one that the response lacks counts "
            "as a singleton",
            _bcub_over_key(1),
        ),
        (
            "union-zero",
            "averages recall and precision over the mentions of both sides; one that a side lacks "
            "counts 0",
            _each(_bcub_over_union),
        ),
        (
            "key-lost",
            "averages over key mentions, and fails where the response lacks one",
            _bcub_over_key(None),
        ),
    ),
    "ceafm": _rules(
        _ceaf(_phi3, entities=False),
        _EVERY_PREPARATION,
        ("greedy", "aligns greedily, best pair first", _ceaf(_phi3, _greedy, entities=False)),
        (
            "greedy-rows",
            "aligns greedily, in the order of key entities",
            _ceaf(_phi3, _greedy_rows, entities=False),
        ),
        (
            "many",
            "aligns each entity with its best partner, not one to one",
            _ceaf(_phi3, _many, entities=False),
        ),
        (
            "entity-denominators",
            "divides by the number of entities instead of mentions",
            _ceaf(_phi3, entities=True),
        ),
        ("phi4", "is CEAFe: similarity φ₄", _ceaf(_phi4, entities=True)),
    ),
    "ceafe": _rules(
        _ceaf(_phi4, entities=True),
        _EVERY_PREPARATION,
        ("greedy", "aligns greedily, best pair first", _ceaf(_phi4, _greedy, entities=True)),
        (
            "greedy-rows",
            "aligns greedily, in the order of key entities",
            _ceaf(_phi4, _greedy_rows, entities=True),
        ),
        (
            "many",
            "aligns each entity with its best partner, not one to one",
            _ceaf(_phi4, _many, entities=True),
        ),
        ("jaccard", "uses |K ∩ R| / |K ∪ R| for φ₄", _ceaf(_jaccard, entities=True)),
        (
            "unaligned",
            "aligns no response singleton but counts them in the denominator",
            _ceaf(_phi4, entities=True, singletons=False),
        ),
        (
            "phi3",
            "is CEAFm: counts shared mentions and divides by mentions",
            _ceaf(_phi3, entities=False),
        ),
        (
            "phi3-entities",
            "counts shared mentions and divides by entities",
            _ceaf(_phi3, entities=True),
        ),
        ("phi3-greedy", "is CEAFm, aligned greedily", _ceaf(_phi3, _greedy, entities=False)),
        ("pairs", "is not CEAF: it counts all pairs of mentions", _each(_link_pairs)),
    ),
    "lea": _rules(
        _each(_lea("alone")),
        _EVERY_PREPARATION,
        ("lost", "counts singletons in the denominator and never finds them", _each(_lea("never"))),
        ("any", "finds a singleton wherever the other side has its mention", _each(_lea("anywhere"))),
        (
            "link-weights",
            "weighs entities by links instead of mentions and skips singletons",
            _each(_link_pairs),
        ),
    ),
    "blanc": _blanc_rules(),
}
"""The rules of each metric, the standard first."""
