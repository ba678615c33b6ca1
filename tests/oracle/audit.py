"""Behaviours of evaluators, mention by mention and pair by pair: nothing shared with corefkit.

Entities are lists of mentions, copies included. Each rule is written as its words say.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

Entity = list[Any]
Side = list[Entity]
Pair = tuple[Side, Side]
Ratio = tuple[Fraction, Fraction]
NONE = Fraction(0)


class NoValueError(Exception):
    """The scorer gives no value."""


# Copies


def settle(side: Side, copies: str) -> Side:
    every = [mention for entity in side for mention in entity]
    if len(every) == len(set(every)):
        return side
    if copies == "fail":
        raise NoValueError
    if copies == "copies":
        return side
    once = [sorted(set(entity), key=entity.index) for entity in side]
    if copies == "within":
        return once
    keepers: dict[Any, int] = {}
    for mention in set(every):
        places = [place for place, entity in enumerate(once) if mention in entity]
        if copies == "first":
            keepers[mention] = places[0]
        elif copies == "last":
            keepers[mention] = places[-1]
        elif copies == "sorted":
            keepers[mention] = min(places, key=lambda place: sorted(once[place]))
        else:
            keepers[mention] = places[0] if len(places) == 1 else -1
    kept = [[m for m in entity if keepers[m] == place] for place, entity in enumerate(once)]
    return [entity for entity in kept if entity]


# What is asked of both sides


def home(mention: Any, side: Side) -> int:
    """The last entity that lists a mention, or −1."""
    return max((place for place, entity in enumerate(side) if mention in entity), default=-1)


def all_of(side: Side) -> list[Any]:
    return [mention for entity in side for mention in entity]


def pairs_in(entity: Entity) -> list[tuple[int, int]]:
    return list(combinations(range(len(entity)), 2))


def linked(entity: Entity, other: Side) -> int:
    """The pairs of places of an entity whose mentions belong to one entity on the other side."""
    homes = [home(mention, other) for mention in entity]
    return sum(homes[one] == homes[two] >= 0 for one, two in pairs_in(entity))


def prepare(rule: str, key: Side, response: Side) -> Pair:  # noqa: PLR0911 (one per rule)
    """What `singletons-…` and `twinless-…` do first."""

    def large(side: Side) -> Side:
        return [entity for entity in side if len(entity) > 1]

    ours, theirs = all_of(key), all_of(response)
    if rule == "singletons-both":
        return large(key), large(response)
    if rule == "singletons-key":
        return large(key), response
    if rule == "singletons-response":
        return key, large(response)
    if rule.startswith("twinless-common"):
        kept = [[[m for m in e if m in ours and m in theirs] for e in s] for s in (key, response)]
        return [e for e in kept[0] if e], [e for e in kept[1] if e]
    spurious = [[m] for m in dict.fromkeys(theirs) if m not in ours]
    missed = [[m] for m in dict.fromkeys(ours) if m not in theirs]
    if rule == "twinless-spurious":
        return key + spurious, response
    if rule == "twinless-complete":
        return key + spurious, response + missed
    if rule == "twinless-refused" and (spurious or missed):
        raise NoValueError
    return key, response


PREPARED = (
    "singletons-both",
    "singletons-key",
    "singletons-response",
    "twinless-common",
    "twinless-spurious",
    "twinless-complete",
)

# Counts of one document, recall only; precision is the same with the sides exchanged


def muc(rule: str, key: Side, response: Side) -> Ratio:
    top = bottom = 0
    for entity in key:
        homes = [home(mention, response) for mention in entity]
        missing, parts = homes.count(-1), len(set(homes) - {-1})
        if rule == "standard":
            parts += missing
        elif rule == "twinless-one":
            parts += min(missing, 1)
        top += len(entity) - parts
        bottom += len(entity) - 1
    return Fraction(top), Fraction(bottom)


def links(key: Side, response: Side) -> Ratio:
    return (
        Fraction(sum(linked(entity, response) for entity in key)),
        Fraction(sum(len(pairs_in(entity)) for entity in key)),
    )


def bcub(rule: str, key: Side, response: Side) -> Ratio:
    top = bottom = NONE
    for entity in key:
        if rule == "own-singletons" and len(entity) == 1:
            continue
        worth = NONE
        for mention in entity:
            place = home(mention, response)
            found = sum(home(other, response) == place for other in entity) if place >= 0 else 0
            worth += Fraction(found, len(entity))
            bottom += {"common-only": int(place >= 0), "per-entity": 0}.get(rule, 1)
        top += worth / len(entity) if rule == "per-entity" else worth
        bottom += rule == "per-entity"
    if rule == "union-zero":
        bottom += sum(mention not in all_of(key) for mention in all_of(response))
    return top, bottom


def bcub_of_key(rule: str, key: Side, response: Side) -> tuple[Ratio, Ratio]:
    recall = precision = NONE
    for entity in key:
        for mention in entity:
            place = home(mention, response)
            if place < 0:
                if rule == "key-lost":
                    raise NoValueError
                if rule == "key-alone":
                    recall += Fraction(1, len(entity))
                    precision += 1
                continue
            shared = sum(home(other, response) == place for other in entity)
            recall += Fraction(shared, len(entity))
            precision += Fraction(shared, len(response[place]))
    number = Fraction(len(all_of(key)))
    return (recall, number), (precision, number)


def best_total(
    weights: Sequence[Sequence[Fraction]], used: frozenset[int] = frozenset()
) -> Fraction:
    """The best alignment by trying them all."""
    if not weights:
        return NONE
    best = best_total(weights[1:], used)
    for column, weight in enumerate(weights[0]):
        if weight and column not in used:
            best = max(best, weight + best_total(weights[1:], used | {column}))
    return best


def greedy_total(weights: list[list[Fraction]], *, rows_first: bool) -> Fraction:
    cells = [(row, column) for row, line in enumerate(weights) for column in range(len(line))]
    total, rows, columns = NONE, set[int](), set[int]()
    while True:
        free = [
            c for c in cells if c[0] not in rows and c[1] not in columns and weights[c[0]][c[1]]
        ]
        if rows_first and free:
            free = [cell for cell in free if cell[0] == min(row for row, _ in free)]
        if not free:
            return total
        row, column = max(free, key=lambda cell: weights[cell[0]][cell[1]])
        total += weights[row][column]
        rows.add(row)
        columns.add(column)


def ceaf(metric: str, rule: str, key: Side, response: Side) -> tuple[Ratio, Ratio]:
    by_size = {"ceafm": "phi3", "ceafe": "phi4"}[metric]
    kind = by_size
    if rule.startswith("phi3") or rule in ("phi4", "jaccard"):
        kind = rule[:4] if rule != "jaccard" else rule
    weights = []
    for ours in key:
        line = []
        for theirs in response:
            shared = sum(mention in theirs for mention in ours)
            if rule == "unaligned" and len(theirs) == 1:
                shared = 0
            line.append(
                {
                    "phi3": Fraction(shared),
                    "phi4": Fraction(2 * shared, len(ours) + len(theirs)),
                    "jaccard": Fraction(shared, len(ours) + len(theirs) - shared),
                }[kind]
            )
        weights.append(line)
    if rule == "many":
        found = sum((max(line, default=NONE) for line in weights), NONE)
        right = sum((max(column) for column in zip(*weights, strict=True)), NONE)
    elif "greedy" in rule:
        found = right = greedy_total(weights, rows_first=rule == "greedy-rows")
    else:
        found = right = best_total(weights)
    entities = kind != "phi3" or rule in ("entity-denominators", "phi3-entities")
    sizes = [Fraction(len(side) if entities else len(all_of(side))) for side in (key, response)]
    return (found, sizes[0]), (right, sizes[1])


def lea(rule: str, key: Side, response: Side) -> Ratio:
    top = NONE
    for entity in key:
        if len(entity) > 1:
            top += Fraction(len(entity) * linked(entity, response), len(pairs_in(entity)))
        elif rule != "lost" and (place := home(entity[0], response)) >= 0:
            top += rule == "any" or len(response[place]) == 1
    return top, Fraction(len(all_of(key)))


def mentions(key: Side, response: Side) -> Ratio:
    ours, theirs = set(all_of(key)), set(all_of(response))
    return Fraction(len(ours & theirs)), Fraction(len(ours))


def blanc_links(side: Side) -> tuple[set[frozenset[Any]], set[frozenset[Any]]]:
    every = {frozenset(pair) for pair in combinations(set(all_of(side)), 2)}
    within = {pair for pair in every if any(pair <= set(entity) for entity in side)}
    return within, every - within


def count(metric: str, rule: str, key: Side, response: Side) -> list[Ratio]:
    """Recall and precision of one document; for blanc of both kinds of links."""
    if rule in PREPARED or (metric == "blanc" and rule.startswith("twinless")):
        key, response = prepare(rule, key, response)
        rule = "standard"
    if metric == "blanc":
        ratios = []
        for ours, theirs in zip(blanc_links(key), blanc_links(response), strict=True):
            both = Fraction(len(ours & theirs))
            ratios += [(both, Fraction(len(ours))), (both, Fraction(len(theirs)))]
        return ratios
    if metric == "bcub" and rule.startswith("key-"):
        return list(bcub_of_key(rule, key, response))
    if metric in ("ceafm", "ceafe") and rule != "pairs":
        return list(ceaf(metric, rule, key, response))
    one: Callable[[Side, Side], Ratio]
    if rule in ("pairs", "link-weights"):
        one = links
    elif metric == "mentions":
        one = mentions
    else:
        counting = {"muc": muc, "bcub": bcub, "lea": lea}[metric]

        def one(ours: Side, theirs: Side) -> Ratio:
            return counting(rule, ours, theirs)

    return [one(key, response), one(response, key)]


# From counts to values

Values = tuple[Any, Any, Any]


def f1(recall: Any, precision: Any) -> Any:
    if "nan" in (recall, precision):
        return "nan"
    return 2 * recall * precision / (recall + precision) if recall + precision else NONE


def divide(metric: str, rule: str, ratios: list[Ratio]) -> list[Any]:
    """Recall, precision and F1; "0/0" where there is none, F1 "f1" where it is made of these."""
    if metric != "blanc" or rule == "pairs":
        return [*(top / bottom if bottom else "0/0" for top, bottom in ratios[:2]), "f1"]
    lacking = "key"
    if rule == "both-empty":
        lacking = "both"
    elif rule in ("never", "twinless-common-never", "twinless-refused"):
        lacking = "never"
    scores, links_there = [], NONE
    for (found, key), (right, response) in (ratios[:2], ratios[2:]):
        links_there += key if lacking == "key" else key + response
        if lacking == "never" or key or (lacking == "both" and response):
            recall = found / key if key else NONE
            precision = right / response if response else NONE
            scores.append((recall, precision, f1(recall, precision)))
    if not links_there:
        return ["0/0", "0/0", "0/0"]
    return [sum(column, NONE) / len(scores) for column in zip(*scores, strict=True)]


def replace_zero(values: list[Any], zero: str) -> list[Any]:
    if "0/0" not in values:
        return values if values[2] != "f1" else [*values[:2], f1(*values[:2])]
    if zero == "fail":
        raise NoValueError
    instead = {
        "0": (NONE, NONE),
        "1": (Fraction(1), Fraction(1)),
        "nan": ("nan", "nan"),
        "nan-recall": ("nan", NONE),
    }[zero]
    made = [new if old == "0/0" else old for old, new in zip(values, instead, strict=False)]
    return [*made, f1(*made)]


def mean(values: Sequence[Any], weights: Sequence[int]) -> Any:
    if "nan" in values:
        return "nan"
    return sum((v * w for v, w in zip(values, weights, strict=True)), NONE) / sum(weights)


def evaluate(behaviour: dict[str, Any], metric: str, documents: Sequence[Pair]) -> list[str] | None:
    """What a behaviour gives for a probe, as behaviours.json writes it."""
    try:
        return [str(value) for value in _evaluate(behaviour, metric, documents)]
    except NoValueError:
        return None


def _evaluate(behaviour: dict[str, Any], metric: str, documents: Sequence[Pair]) -> list[Any]:
    rule, average = behaviour["rule"], behaviour["average"]
    if average == "joined":
        documents = [
            tuple([[(number, m) for m in e] for e in side] for side in pair)  # type: ignore[misc]
            for number, pair in enumerate(documents)
        ]
    if average in ("joined", "pooled"):
        documents = [tuple([e for pair in documents for e in pair[side]] for side in (0, 1))]  # type: ignore[list-item]
    ready = [tuple(settle(side, behaviour["copies"]) for side in pair) for pair in documents]
    counts = [count(metric, rule, key, response) for key, response in ready]
    if average in ("micro", "joined", "pooled"):
        sums = [
            (sum((top for top, _ in column), NONE), sum((bottom for _, bottom in column), NONE))
            for column in zip(*counts, strict=True)
        ]
        values = replace_zero(divide(metric, rule, sums), behaviour["zero"])
    else:
        weights = [len(all_of(key)) if average == "weighted" else 1 for key, _ in ready]
        rows = [
            (replace_zero(divide(metric, rule, ratios), behaviour["zero"]), weight)
            for ratios, weight in zip(counts, weights, strict=True)
            if weight
        ]
        if not rows:
            return [NONE, NONE, NONE]
        columns = zip(*(values for values, _ in rows), strict=True)
        values = [mean(column, [weight for _, weight in rows]) for column in columns]
        if average != "macro":
            values[2] = f1(*values[:2])
    return [values[1], values[0], values[2]] if behaviour["exchanged"] else values
