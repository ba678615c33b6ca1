"""Split antecedents, non-referring expressions and bridging from their definitions.

Mentions are hashable, entities sets of them; matched mentions are equal. Alignments are found by
trying all of them, links by listing all pairs. Nothing here is meant to be fast.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

Mention = Hashable
Entity = frozenset[Mention]
Ratio = tuple[Fraction, Fraction]


class Side(NamedTuple):
    """Entities, and for those that are plurals, by their places, the places of their elements."""

    entities: Sequence[Entity]
    plurals: Mapping[int, Sequence[int]]

    def elements(self, plural: int) -> list[Entity]:
        """The elements of a plural; plurals among them are replaced by theirs."""
        found: list[Entity] = []
        for place in self.plurals[plural]:
            own = self.elements(place) if place in self.plurals else [self.entities[place]]
            found += [entity for entity in own if entity not in found]
        return found

    def size(self, place: int) -> int:
        return len(self.entities[place]) + (place in self.plurals)


def divided(numerator: Fraction, denominator: Fraction) -> Fraction:
    return numerator / denominator if denominator else Fraction()


def f1(recall: Ratio, precision: Ratio) -> Fraction:
    r, p = divided(*recall), divided(*precision)
    return divided(2 * r * p, r + p)


def recall_of(metric: str, key: Sequence[Entity], response: Sequence[Entity]) -> Ratio:
    """Recall of plain partitions; in muc an element of one mention is one link."""
    size = Fraction(sum(map(len, key)))
    found = Fraction()
    if metric == "muc":
        for own in key:
            if len(own) == 1:
                found += any(own == other for other in response)
            else:
                parts = [own & other for other in response if own & other]
                lost = len(own) - sum(map(len, parts))
                found += len(own) - len(parts) - lost
        return found, Fraction(sum(max(len(own) - 1, 1) for own in key))
    if metric == "bcub":
        for own in key:
            for mention in own:
                place = next((other for other in response if mention in other), frozenset())
                found += Fraction(len(own & place), len(own))
        return found, size
    if metric == "lea":
        for own in key:
            links = [set(pair) for pair in combinations(own, 2)]
            right = sum(any(link <= other for other in response) for link in links)
            found += Fraction(len(own) * right, len(links)) if links else int(own in response)
        return found, size
    if metric in ("ceafm", "ceafe"):
        shares = [[likeness(metric, k, r) for r in response] for k in key]
        best = max(total(shares, pairing) for pairing in pairings(len(key), len(response)))
        return best, size if metric == "ceafm" else Fraction(len(key))
    linked = metric == "linked"
    ours, theirs = links_of(key, linked), links_of(response, linked)
    return Fraction(len(ours & theirs)), Fraction(len(ours))


def likeness(metric: str, key: Entity, response: Entity) -> Fraction:
    common = len(key & response)
    return Fraction(common if metric == "ceafm" else Fraction(2 * common, len(key) + len(response)))


def links_of(side: Sequence[Entity], linked: bool) -> set[frozenset[Mention]]:
    place = {mention: number for number, own in enumerate(side) for mention in own}
    return {
        frozenset(pair)
        for pair in combinations(place, 2)
        if (place[pair[0]] == place[pair[1]]) is linked
    }


def pairings(rows: int, columns: int) -> Iterator[tuple[int | None, ...]]:
    """All one-to-one pairings, those that pair early rows with early columns first."""
    if not rows:
        yield ()
        return

    def extend(made: tuple[int | None, ...]) -> Iterator[tuple[int | None, ...]]:
        if len(made) == rows:
            yield made
            return
        for column in (*(c for c in range(columns) if c not in made), None):
            yield from extend((*made, column))

    yield from extend(())


def total(table: Sequence[Sequence[Fraction]], pairing: Sequence[int | None]) -> Fraction:
    return sum((table[r][c] for r, c in enumerate(pairing) if c is not None), Fraction())


class Plural(NamedTuple):
    """An aligned pair of plurals by the places of their entities, and v's two weights."""

    key: int
    response: int
    recall: Fraction
    precision: Fraction


def align(metric: str, key: Side, response: Side) -> tuple[list[Plural], Ratio, Ratio]:
    """The pairs that a metric sees, and recall and precision of the plurals alone."""
    ours, theirs = sorted(key.plurals), sorted(response.plurals)
    recall = [
        [recall_of(metric, key.elements(k), response.elements(r)) for r in theirs] for k in ours
    ]
    precision = [
        [recall_of(metric, response.elements(r), key.elements(k)) for r in theirs] for k in ours
    ]
    table = [
        [f1(*cell) for cell in zip(*rows, strict=True)]
        for rows in zip(recall, precision, strict=True)
    ]
    best: tuple[int | None, ...] = ()
    most = Fraction(-1)
    for pairing in pairings(len(ours), len(theirs)):
        cleaned = all(c is None or table[r][c] for r, c in enumerate(pairing))
        if cleaned and total(table, pairing) > most:
            best, most = pairing, total(table, pairing)
    places = [(r, c) for r, c in enumerate(best) if c is not None]
    by_side = metric in ("muc", "bcub", "lea")
    found = []
    for r, c in places:
        both = divided(*recall[r][c]), divided(*precision[r][c])
        weights = both if by_side else (table[r][c], table[r][c])
        found.append(Plural(ours[r], theirs[c], *weights))
    if metric in ("lea", "linked", "apart"):
        left = [r for r in theirs if r not in {pair.response for pair in found}]
        for k in ours:
            for r in left:
                alone = k not in {pair.key for pair in found}
                if alone and set(key.elements(k)) == set(response.elements(r)):
                    found.append(Plural(k, r, Fraction(1), Fraction(1)))
    alone_recall = (
        sum((recall[r][c][0] for r, c in places), Fraction()),
        sum((recall_of(metric, key.elements(k), [])[1] for k in ours), Fraction()),
    )
    alone_precision = (
        sum((precision[r][c][0] for r, c in places), Fraction()),
        sum((recall_of(metric, response.elements(r), [])[1] for r in theirs), Fraction()),
    )
    return found, alone_recall, alone_precision


def score(metric: str, key: Side, response: Side) -> dict[str, Ratio]:
    """Recall and precision with split antecedents, and of the plurals alone."""
    pairs, alone_recall, alone_precision = align(metric, key, response)
    back = [Plural(p.response, p.key, p.precision, p.recall) for p in pairs]
    return {
        "recall": one_side(metric, key, response, pairs),
        "precision": one_side(metric, response, key, back),
        "split recall": alone_recall,
        "split precision": alone_precision,
    }


def one_side(metric: str, key: Side, response: Side, pairs: Sequence[Plural]) -> Ratio:
    sizes = [key.size(place) for place in range(len(key.entities))]
    weight = {(pair.key, pair.response): pair.recall for pair in pairs}
    shares = [
        [len(own & other) + weight.get((k, r), Fraction()) for r, other in numbered(response)]
        for k, own in numbered(key)
    ]
    if metric == "muc":
        found = Fraction()
        for k, own in numbered(key):
            for r, other in numbered(response):
                if own & other:
                    found += len(own & other) - 1 + weight.get((k, r), Fraction())
        return found, Fraction(sum(size - 1 for size in sizes))
    if metric == "bcub":
        found = sum(
            (share**2 / sizes[k] for k, row in enumerate(shares) for share in row), Fraction()
        )
        return found, Fraction(sum(sizes))
    if metric in ("ceafm", "ceafe"):
        table = [
            [
                share if metric == "ceafm" else 2 * share / (sizes[k] + response.size(r))
                for r, share in enumerate(row)
            ]
            for k, row in enumerate(shares)
        ]
        rows, columns = len(key.entities), len(response.entities)
        best = max(total(table, pairing) for pairing in pairings(rows, columns))
        return best, Fraction(sum(sizes) if metric == "ceafm" else rows)
    return by_links(metric, key, response, pairs)


def numbered(side: Side) -> list[tuple[int, Entity]]:
    return list(enumerate(side.entities))


def by_links(metric: str, key: Side, response: Side, pairs: Sequence[Plural]) -> Ratio:
    """lea and the halves of blanc: all pairs of mentions, virtual ones among them."""
    where: dict[Mention, tuple[int, Fraction]] = {
        mention: (r, Fraction(1)) for r, own in numbered(response) for mention in own
    }
    where |= {("v", pair.key): (pair.response, pair.recall) for pair in pairs}
    items = {k: [*own, *([("v", k)] if k in key.plurals else [])] for k, own in numbered(key)}

    def link(one: Mention, other: Mention, together: bool) -> Fraction:
        if one not in where or other not in where:
            return Fraction()
        (r, w), (s, x) = where[one], where[other]
        return w * x if (r == s) is together else Fraction()

    if metric == "lea":
        found = Fraction()
        for own in items.values():
            links = list(combinations(own, 2))
            right = sum((link(*pair, together=True) for pair in links), Fraction())
            if links:
                found += len(own) * right / len(links)
            else:
                # Its one link is to itself, so both ends have the same weight.
                place, weight = where.get(own[0], (-1, Fraction()))
                found += weight * weight if place >= 0 and response.size(place) == 1 else 0
        return found, Fraction(sum(map(len, items.values())))
    if metric == "linked":
        every = [pair for own in items.values() for pair in combinations(own, 2)]
        return sum((link(*p, together=True) for p in every), Fraction()), Fraction(len(every))
    every = [(one, other) for a, b in combinations(items.values(), 2) for one in a for other in b]
    return sum((link(*p, together=False) for p in every), Fraction()), Fraction(len(every))
