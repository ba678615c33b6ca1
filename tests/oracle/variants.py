"""The variants of SPEC section 4 by moving mentions about, one by one, in explicit sets."""

from fractions import Fraction

from .metrics import (
    Counts,
    Document,
    Entities,
    Ratio,
    entity_of,
    mentions,
    recall_bcub,
    recall_ceafe,
    recall_ceafm,
)

RECALLS = {"bcub": recall_bcub, "ceafm": recall_ceafm, "ceafe": recall_ceafe}


def drop(entities: Entities, gone: set[object]) -> Entities:
    """The entities without some mentions; those left empty go."""
    return [left for entity in entities if (left := entity - gone)]


def spurious_singletons(key: Entities, response: Entities) -> set[object]:
    """The twinless response mentions that are entities of their own."""
    return {next(iter(r)) for r in response if len(r) == 1} - mentions(key)


def add_singletons(entities: Entities, new: set[object]) -> Entities:
    """The entities and a singleton for each new mention."""
    return [*entities, *(frozenset({mention}) for mention in new)]


def recall_all(key: Entities, response: Entities) -> Ratio:
    """B³ recall in which a twinless mention has 1/|K|."""
    total = recall_bcub(key, response)[0]
    for mention in mentions(key) - mentions(response):
        total += Fraction(1, len(entity_of(mention, key)))
    return total, Fraction(len(mentions(key)))


def moved(key: Entities, response: Entities) -> tuple[Document, Document]:
    """What Cai and Strube compare: for recall and for precision."""
    undetected = mentions(key) - mentions(response)
    gone = spurious_singletons(key, response)
    spurious = mentions(response) - mentions(key) - gone
    left = add_singletons(drop(response, gone), undetected)
    return (key, drop(left, spurious)), (add_singletons(key, spurious), left)


def count(variant: str, document: Document) -> Counts:
    """The counts of one document."""
    key, response = document
    metric, _, rule = variant.partition("_")
    recall = RECALLS[metric]
    if rule == "sys":
        (k1, r1), (k2, r2) = moved(key, response)
        return {"recall": recall(k1, r1), "precision": recall(r2, k2)}
    if rule == "0":
        response = drop(response, mentions(response) - mentions(key))
    if rule == "rn":
        response = drop(response, spurious_singletons(key, response))
    if variant in ("bcub_all", "bcub_rn"):
        recall = recall_all
    return {"recall": recall(key, response), "precision": recall(response, key)}
