"""The metrics from their definitions: explicit sets, enumerated links, exact fractions.

Nothing here is meant to be fast. Precision is always recall with the sides exchanged.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Literal, TypeAlias, TypedDict, overload

Mention: TypeAlias = Hashable
Entity: TypeAlias = frozenset[Mention]
Entities: TypeAlias = Sequence[Entity]
Link: TypeAlias = frozenset[Mention]
Document: TypeAlias = tuple[Entities, Entities]
"""Key entities and response entities; those of one side are disjoint and not empty."""

Ratio: TypeAlias = tuple[Fraction, Fraction]
"""Numerator and denominator, kept apart because they are summed over documents."""

Score: TypeAlias = tuple[Fraction, Fraction, Fraction]
"""Recall, precision and F1."""

PlainMetric: TypeAlias = Literal["mentions", "muc", "bcub", "ceafm", "ceafe", "lea"]


class Counts(TypedDict):
    """What recall and precision are made of."""

    recall: Ratio
    precision: Ratio


class BlancCounts(TypedDict):
    """The two kinds of links of BLANC, counted apart."""

    coreference: Counts
    noncoreference: Counts


# Recall of one document


def mentions(entities: Entities) -> set[Mention]:
    """All mentions of one side."""
    return {mention for entity in entities for mention in entity}


def recall_mentions(key: Entities, response: Entities) -> Ratio:
    """Mentions found on both sides, of the key's mentions."""
    found = mentions(key) & mentions(response)
    return Fraction(len(found)), Fraction(len(mentions(key)))


def parts(entity: Entity, others: Entities) -> set[Entity]:
    """The partition of an entity: each other entity's share, each missing mention by itself."""
    shares = {entity & other for other in others if entity & other}
    missing = {frozenset({mention}) for mention in entity - mentions(others)}
    return shares | missing


def recall_muc(key: Entities, response: Entities) -> Ratio:
    """The links that need not be added to join the parts of each key entity."""
    kept = sum(len(entity) - len(parts(entity, response)) for entity in key)
    return Fraction(kept), Fraction(sum(len(entity) - 1 for entity in key))


def entity_of(mention: Mention, entities: Entities) -> Entity:
    """The entity that holds a mention; empty if there is none."""
    for entity in entities:
        if mention in entity:
            return entity
    return frozenset()


def recall_bcub(key: Entities, response: Entities) -> Ratio:
    """For each key mention, the share of its key entity that its response entity holds."""
    total = Fraction(0)
    for mention in mentions(key):
        own, other = entity_of(mention, key), entity_of(mention, response)
        total += Fraction(len(own & other), len(own))
    return total, Fraction(len(mentions(key)))


def phi3(one: Entity, other: Entity) -> Fraction:
    """The number of common mentions."""
    return Fraction(len(one & other))


def phi4(one: Entity, other: Entity) -> Fraction:
    """The number of common mentions, relative to the mean size of the two entities."""
    return Fraction(2 * len(one & other), len(one) + len(other))


def recall_ceafm(key: Entities, response: Entities) -> Ratio:
    """The best alignment for phi3, of the key's mentions."""
    return best_alignment(key, response, phi3), Fraction(len(mentions(key)))


def recall_ceafe(key: Entities, response: Entities) -> Ratio:
    """The best alignment for phi4, of the key's entities."""
    return best_alignment(key, response, phi4), Fraction(len(key))


def coreference_links(entities: Entities) -> set[Link]:
    """All pairs of mentions of the same entity."""
    return {frozenset(pair) for entity in entities for pair in combinations(entity, 2)}


def noncoreference_links(entities: Entities) -> set[Link]:
    """All pairs of mentions of different entities."""
    return {
        frozenset(pair) for one, other in combinations(entities, 2) for pair in product(one, other)
    }


def recall_links(key: set[Link], response: set[Link]) -> Ratio:
    """The links found on both sides, of the key's links."""
    return Fraction(len(key & response)), Fraction(len(key))


def lea_links(entity: Entity) -> set[Link]:
    """The links of an entity; that of a singleton leads to itself."""
    if len(entity) == 1:
        return {entity}
    return coreference_links([entity])


def recall_lea(key: Entities, response: Entities) -> Ratio:
    """The share of each key entity's links that the response has, weighted by its size."""
    response_links = {link for entity in response for link in lea_links(entity)}
    total = Fraction(0)
    for entity in key:
        links = lea_links(entity)
        total += len(entity) * Fraction(len(links & response_links), len(links))
    return total, Fraction(len(mentions(key)))


# The best one-to-one alignment


def best_alignment(
    key: Entities, response: Entities, similarity: Callable[[Entity, Entity], Fraction]
) -> Fraction:
    """The largest sum of similarities in which no entity is used twice.

    Similarity must be symmetric, not negative, and 0 for entities without a common mention.
    """
    totals = (best_in_component(*group, similarity) for group in components(key, response))
    return sum(totals, Fraction(0))


def components(key: Entities, response: Entities) -> Iterator[tuple[Entities, Entities]]:
    """Groups of entities that share mentions, directly or through other entities."""
    left = list(key)
    while left:
        keys: set[Entity] = set()
        responses: set[Entity] = set()
        reached = {left[0]}
        while reached != keys:
            keys = reached
            responses = {r for r in response if any(not r.isdisjoint(k) for k in keys)}
            reached = keys | {k for k in left if any(not k.isdisjoint(r) for r in responses)}
        yield [k for k in key if k in keys], [r for r in response if r in responses]
        left = [k for k in left if k not in keys]


def best_in_component(
    key: Entities, response: Entities, similarity: Callable[[Entity, Entity], Fraction]
) -> Fraction:
    """Try all alignments, one entity of the larger side after the other.

    Of all ways to align the entities so far that use the same entities of the smaller side,
    only the best can be continued to the best whole. An entity that no later one overlaps
    can be forgotten.
    """
    smaller, larger = sorted((key, response), key=len)
    neighbours = [{i for i, other in enumerate(smaller) if one & other} for one in larger]
    best: dict[frozenset[int], Fraction] = {frozenset(): Fraction(0)}
    for position, one in enumerate(larger):
        still_wanted = {i for later in neighbours[position + 1 :] for i in later}
        following: dict[frozenset[int], Fraction] = {}
        for used, total in best.items():
            aligned = [
                (used | {i}, total + similarity(one, smaller[i]))
                for i in neighbours[position] - used
            ]
            for now_used, now_total in [(used, total), *aligned]:
                state = now_used & still_wanted
                following[state] = max(now_total, following.get(state, now_total))
        best = following
    return max(best.values())


# Counts and scores of a corpus

RECALLS: dict[str, Callable[[Entities, Entities], Ratio]] = {
    "mentions": recall_mentions,
    "muc": recall_muc,
    "bcub": recall_bcub,
    "ceafm": recall_ceafm,
    "ceafe": recall_ceafe,
    "lea": recall_lea,
}

METRICS = (*RECALLS, "blanc")


def add(ratios: Iterable[Ratio]) -> Ratio:
    """Numerators and denominators summed apart."""
    pairs = list(ratios)
    return (
        sum((numerator for numerator, _ in pairs), Fraction(0)),
        sum((denominator for _, denominator in pairs), Fraction(0)),
    )


def validate(entities: Entities) -> None:
    """Refuse entities that are empty or that share mentions."""
    if not all(entities):
        raise ValueError("an entity is empty")
    if sum(len(entity) for entity in entities) != len(mentions(entities)):
        raise ValueError("a mention stands in two entities")


def count_plain(metric: str, documents: Iterable[Document]) -> Counts:
    """Counts of any metric but blanc, summed over documents."""
    recall = RECALLS[metric]
    recalls: list[Ratio] = []
    precisions: list[Ratio] = []
    for key, response in documents:
        validate(key)
        validate(response)
        recalls.append(recall(key, response))
        precisions.append(recall(response, key))
    return {"recall": add(recalls), "precision": add(precisions)}


def count_links(documents: Iterable[Document], links: Callable[[Entities], set[Link]]) -> Counts:
    """Counts of one kind of links, summed over documents."""
    recalls: list[Ratio] = []
    precisions: list[Ratio] = []
    for key, response in documents:
        validate(key)
        validate(response)
        recalls.append(recall_links(links(key), links(response)))
        precisions.append(recall_links(links(response), links(key)))
    return {"recall": add(recalls), "precision": add(precisions)}


def count_blanc(documents: Iterable[Document]) -> BlancCounts:
    """Counts of blanc, summed over documents; links never cross documents."""
    documents = list(documents)
    return {
        "coreference": count_links(documents, coreference_links),
        "noncoreference": count_links(documents, noncoreference_links),
    }


@overload
def count(metric: Literal["blanc"], documents: Iterable[Document]) -> BlancCounts: ...
@overload
def count(metric: PlainMetric, documents: Iterable[Document]) -> Counts: ...
@overload
def count(metric: str, documents: Iterable[Document]) -> Counts | BlancCounts: ...
def count(metric: str, documents: Iterable[Document]) -> Counts | BlancCounts:
    """Numerators and denominators of one metric, summed over documents."""
    return count_blanc(documents) if metric == "blanc" else count_plain(metric, documents)


def divide(ratio: Ratio) -> Fraction:
    """The quotient; 0/0 is 0."""
    numerator, denominator = ratio
    return numerator / denominator if denominator else Fraction(0)


def f1(recall: Fraction, precision: Fraction) -> Fraction:
    """The harmonic mean; 0 if both are 0."""
    return divide((2 * recall * precision, recall + precision))


def score_counts(counts: Counts) -> Score:
    """Recall, precision and F1 of one pair of ratios."""
    recall, precision = divide(counts["recall"]), divide(counts["precision"])
    return recall, precision, f1(recall, precision)


def score_blanc(counts: BlancCounts) -> Score:
    """The means over the kinds of links that the key has."""
    kinds = [counts["coreference"], counts["noncoreference"]]
    scores = [score_counts(kind) for kind in kinds if kind["recall"][1]]
    if not scores:
        return Fraction(0), Fraction(0), Fraction(0)
    recalls, precisions, f1s = zip(*scores, strict=True)
    return mean(recalls), mean(precisions), mean(f1s)


def mean(values: Sequence[Fraction]) -> Fraction:
    """The arithmetic mean."""
    return sum(values, Fraction(0)) / len(values)


def score(metric: str, documents: Iterable[Document]) -> Score:
    """Recall, precision and F1 of one metric: counts are summed first, divided once."""
    if metric == "blanc":
        return score_blanc(count_blanc(documents))
    return score_counts(count_plain(metric, documents))


def conll(documents: Iterable[Document]) -> Fraction:
    """The mean of the F1 of muc, bcub and ceafe."""
    documents = list(documents)
    return mean([score(metric, documents)[2] for metric in ("muc", "bcub", "ceafe")])
