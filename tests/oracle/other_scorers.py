"""What more scorers compute: profiles coval, e2e and e2e-singletons of the specification.

Only what departs from profile standard is written here; the rest is the standard oracle.

What the specification leaves open was chosen as simply as possible, and nothing in conformance/
contradicts it:

* coval: of openings that are glued together, as in (1(2, only the last is seen, and a closing
  that then has no partner is ignored: three cases in conformance/ have such cells. Percentages
  are rounded from the exact score; so is the conll score, the mean of the F1 before they are
  rounded.
* e2e, e2e-singletons: copies are those of coval, but all glued openings are seen; mentions are
  distinct spans, and conll is the mean F1 of muc, bcub and ceafe. A document whose entities are
  all skipped adds nothing to either part of a ratio.
* All: ids are those of profile standard, not only digits. A document that the response lacks
  is empty, one that the key lacks is ignored.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from . import conll, metrics
from .conll import Span
from .metrics import Counts, Document, Ratio, Score

"""Recall, precision and F1, rounded to two digits."""

COVAL_METRICS = ("mentions", "muc", "bcub", "ceafe", "lea")
E2E_METRICS = ("mentions", "muc", "bcub", "ceafe", "lea")
IN_CONLL = ("muc", "bcub", "ceafe")


def count_ceafe(pairs: Sequence[Document]) -> Counts:
    """Like the standard oracle, but the alignment, the same from both sides, is sought once."""
    best = sum((metrics.best_alignment(*pair, metrics.phi4) for pair in pairs), Fraction(0))
    return {
        "recall": (best, Fraction(sum(len(key) for key, _ in pairs))),
        "precision": (best, Fraction(sum(len(response) for _, response in pairs))),
    }


def mean_f1(scores: Iterable[Score]) -> Fraction:
    """The conll score."""
    return metrics.mean([f for _, _, f in scores])


# CoVal


Lists: TypeAlias = list[list[Span]]
"""Entities by their first complete mention, each with all its copies."""


def coval_entities(block: conll.Block, *, glued: bool = False) -> Lists:
    """As CoVal completes them: mentions of one token, then what that token closes, as it stands.

    With `glued`, which CoVal does not do, all openings that are written together are seen.
    """
    found: dict[str, list[Span]] = {}
    starts: dict[str, list[int]] = {}
    widths = conll.widths(block)
    for token, (_, line) in enumerate(block.lines):
        cell = conll.coreference_cell(line, widths)
        for single in re.findall(r"\(([^()|]+)\)", cell):
            found.setdefault(single, []).append((token, token))
        opening = r"\(([^()|]+)(?![^()|]|\))" if glued else r"\(([^()|]+)(?![^()|]|\)|\()"
        for opened in re.findall(opening, cell):
            starts.setdefault(opened, []).append(token)
        for closed in re.findall(r"(?<![^()|])(?<!\()([^()|]+)\)", cell):
            if starts.get(closed):
                found.setdefault(closed, []).append((starts[closed].pop(), token))
    return list(found.values())


def belongs(entities: Lists) -> dict[Span, int]:
    """The number of the last entity that lists a mention."""
    return {span: number for number, entity in enumerate(entities) for span in entity}


def coval_muc(key: Lists, response: Lists) -> Ratio:
    """Members, less those without an entity, less the entities of the others."""
    where = belongs(response)
    found = sum(
        len([m for m in entity if m in where]) - len({where[m] for m in entity if m in where})
        for entity in key
    )
    return Fraction(found), Fraction(sum(len(entity) - 1 for entity in key))


def coval_bcub(key: Lists, response: Lists) -> Ratio:
    """The squares of what belongs to each entity."""
    where = belongs(response)
    total = Fraction(0)
    for entity in key:
        for number in range(len(response)):
            total += Fraction(sum(where.get(m) == number for m in entity) ** 2, len(entity))
    return total, Fraction(sum(map(len, key)))


def coval_lea(key: Lists, response: Lists) -> Ratio:
    """Pairs of members that belong to one entity; a singleton to an entity of one member."""
    where = belongs(response)
    total = Fraction(0)
    for entity in key:
        if len(entity) == 1:
            total += entity[0] in where and len(response[where[entity[0]]]) == 1
            continue
        links = list(combinations(entity, 2))
        common = sum(a in where and b in where and where[a] == where[b] for a, b in links)
        total += len(entity) * Fraction(common, len(links))
    return total, Fraction(sum(map(len, key)))


def coval_ceafe(key: Lists, response: Lists) -> Fraction:
    """The best alignment, tried one key entity after the other, by the partners used so far."""
    best: dict[frozenset[int], Fraction] = {frozenset(): Fraction(0)}
    for entity in key:
        following = dict(best)
        for number, other in enumerate(response):
            common = sum(m in other for m in entity)
            likeness = Fraction(2 * common, len(entity) + len(other))
            for used, value in best.items():
                if common and number not in used:
                    state = used | {number}
                    following[state] = max(following.get(state, Fraction(0)), value + likeness)
        best = following
    return max(best.values())


def coval_mentions(key: Lists, response: Lists) -> Ratio:
    """Distinct spans."""
    ours, theirs = ({m for entity in side for m in entity} for side in (key, response))
    return Fraction(len(ours & theirs)), Fraction(len(ours))


COVAL_RECALLS: dict[str, Callable[[Lists, Lists], Ratio]] = {
    "mentions": coval_mentions,
    "muc": coval_muc,
    "bcub": coval_bcub,
    "lea": coval_lea,
}


def coval_counts(key_text: str, response_text: str) -> dict[str, Counts]:
    """Numerators and denominators, by metric."""
    key = {block.name: coval_entities(block) for block in blocks(key_text)}
    there = {block.name: coval_entities(block) for block in blocks(response_text)}
    pairs = [(entities, there.get(name, [])) for name, entities in key.items()]
    counts: dict[str, Counts] = {
        metric: {
            "recall": metrics.add(recall(ours, theirs) for ours, theirs in pairs),
            "precision": metrics.add(recall(theirs, ours) for ours, theirs in pairs),
        }
        for metric, recall in COVAL_RECALLS.items()
    }
    counts["ceafe"] = lists_ceafe(pairs)
    return counts


def lists_ceafe(pairs: Sequence[tuple[Lists, Lists]]) -> Counts:
    """CEAFe of entities with copies."""
    listed = [[m for entity in side for m in entity] for p in pairs for side in p]
    if all(len(side) == len(set(side)) for side in listed):
        # Without repeated spans it is the standard alignment, which the standard oracle finds in
        # long documents too.
        return count_ceafe([([*map(frozenset, a)], [*map(frozenset, b)]) for a, b in pairs])
    best = sum((coval_ceafe(*p) for p in pairs), Fraction(0))
    return {
        "recall": (best, Fraction(sum(len(ours) for ours, _ in pairs))),
        "precision": (best, Fraction(sum(len(theirs) for _, theirs in pairs))),
    }


def blocks(text: str) -> list[conll.Block]:
    """The documents of a file."""
    return conll.split_documents(text.removeprefix("\ufeff"))


def coval_conll(counts: dict[str, Counts]) -> float:
    """The conll score as a rounded percentage."""
    return percentage(mean_f1(metrics.score_counts(counts[metric]) for metric in IN_CONLL))


def percentage(score: Fraction) -> float:
    """Rounded to two digits."""
    return round(float(100 * score), 2)


# The evaluators of e2e-coref: profiles e2e and e2e-singletons


def large(entities: Lists) -> Lists:
    """The entities of more than one member, copies counted."""
    return [entity for entity in entities if len(entity) != 1]


def e2e_bcub(key: Lists, response: Lists) -> Ratio:
    """Key singletons are skipped, shares that fall to a response singleton count nothing."""
    where = belongs(response)
    total = Fraction(0)
    for entity in large(key):
        for number, other in enumerate(response):
            if len(other) != 1:
                total += Fraction(sum(where.get(m) == number for m in entity) ** 2, len(entity))
    return total, Fraction(sum(map(len, large(key))))


def e2e_lea(key: Lists, response: Lists) -> Ratio:
    """Key singletons are skipped."""
    return coval_lea(large(key), response)


E2E_RECALLS = {**COVAL_RECALLS, "bcub": e2e_bcub, "lea": e2e_lea}
SINGLETONS_RECALLS = {**COVAL_RECALLS, "lea": e2e_lea}


def e2e_count(
    metric: str, pairs: Sequence[tuple[Lists, Lists]], *, singletons: bool = False
) -> Counts:
    """Counts of one metric, summed over documents."""
    if metric == "ceafe":
        # The key keeps its singletons and the response does not, whichever side is summed over.
        return lists_ceafe(
            [(key, theirs if singletons else large(theirs)) for key, theirs in pairs]
        )
    recall = (SINGLETONS_RECALLS if singletons else E2E_RECALLS)[metric]
    return {
        "recall": metrics.add(recall(key, response) for key, response in pairs),
        "precision": metrics.add(recall(response, key) for key, response in pairs),
    }


def e2e_counts(key_text: str, response_text: str, *, singletons: bool = False) -> dict[str, Counts]:
    """Numerators and denominators, by metric; entities by their first complete mention."""
    key = {block.name: coval_entities(block, glued=True) for block in blocks(key_text)}
    there = {block.name: coval_entities(block, glued=True) for block in blocks(response_text)}
    pairs = [(entities, there.get(name, [])) for name, entities in key.items()]
    return {metric: e2e_count(metric, pairs, singletons=singletons) for metric in E2E_METRICS}


def e2e_conll(counts: dict[str, Counts]) -> Fraction:
    """The conll score, between 0 and 1."""
    return mean_f1(metrics.score_counts(counts[metric]) for metric in IN_CONLL)
