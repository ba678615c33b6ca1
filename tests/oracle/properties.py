"""Properties of metrics, by walking through labelled partitions and by the oracle's metrics."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product

from .metrics import Entities, conll, score

Document = tuple[Entities, Entities]


def partitions(items: Sequence[int]) -> Iterator[list[list[int]]]:
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for smaller in partitions(rest):
        yield [[first], *smaller]
        for place, block in enumerate(smaller):
            yield [*smaller[:place], [first, *block], *smaller[place + 1 :]]


def form(
    key: list[list[int]], response: list[list[int]], names: Sequence[int]
) -> tuple[object, ...]:
    """What two documents that differ in the names of mentions only have in common."""
    ways = []
    for order in permutations(names):
        new = dict(zip(names, order, strict=True))
        ways.append(
            tuple(
                tuple(sorted(tuple(sorted(new[m] for m in e)) for e in s)) for s in (key, response)
            )
        )
    return min(ways)


def documents(mentions: int) -> list[Document]:
    """One of each kind with so many mentions."""
    names = range(mentions)
    found: dict[tuple[object, ...], Document] = {}
    for sides in product(("both", "key", "response"), repeat=mentions):
        ours = [name for name, side in zip(names, sides, strict=True) if side != "response"]
        theirs = [name for name, side in zip(names, sides, strict=True) if side != "key"]
        for key in partitions(ours):
            for response in partitions(theirs):
                kind = form(key, response, names)
                made = [frozenset(e) for e in key], [frozenset(e) for e in response]
                found.setdefault(kind, made)
    return list(found.values())


def f1(metric: str, *made: Document) -> Fraction:
    return conll(made) if metric == "conll" else score(metric, made)[2]


def count(metric: str, mentions: int) -> dict[str, tuple[int, int, int]]:
    """Cases, ties and breaches of some properties, as the words of each say."""
    every = [document for number in range(1, mentions + 1) for document in documents(number)]
    pairs: dict[str, list[tuple[Fraction, Fraction]]] = {
        name: []
        for name in ("homogeneity", "completeness", "right link", "right mention", "right place")
    }
    maximum = symmetry = 0
    for key, response in every:
        ours = {mention for entity in key for mention in entity}
        theirs = {mention for entity in response for mention in entity}
        value = f1(metric, (key, response))
        maximum += value == 1 and set(key) != set(response)
        symmetry += value != f1(metric, (response, key))
        for entity in response:
            homes = [k for k in key if k & entity]
            rest = [r for r in response if r != entity]
            if ours == theirs and len(homes) == 2:
                cut = [*rest, *(entity & home for home in homes)]
                pairs["homogeneity"].append((value, f1(metric, (key, cut))))
            for other in response:
                inside = any(entity <= k and other <= k for k in key)
                if inside and sorted(entity, key=str) < sorted(other, key=str):
                    joined = [*(r for r in rest if r != other), entity | other]
                    after = f1(metric, (key, joined))
                    pairs["right link"].append((value, after))
                    if ours == theirs:
                        pairs["completeness"].append((value, after))
            for mention in ours - theirs:
                if any(entity <= k and mention in k for k in key):
                    after = f1(metric, (key, [*rest, entity | {mention}]))
                    pairs["right place"].append((value, after))
        for mention in ours - theirs:
            after = f1(metric, (key, [*response, frozenset({mention})]))
            pairs["right mention"].append((value, after))
    strict = ("homogeneity", "completeness")
    counts = {
        name: (
            len(found),
            sum(a == b for a, b in found) if name in strict else 0,
            sum(a > b for a, b in found),
        )
        for name, found in pairs.items()
    }
    return {
        **counts,
        "maximum": (len(every), 0, maximum),
        "symmetry": (len(every), 0, symmetry),
    }
