"""What two more scorers compute: profiles coval and e2e of the specification.

Only what departs from profile standard is written here; the rest is the standard oracle.

What the specification leaves open was chosen as simply as possible, and nothing in conformance/
contradicts it:

* coval: entities are ordered by the first sight of their ids, tokens in order, a coreference
  cell from left to right, where "(1" and "(1)" are sights. An entity that lists a span twice
  keeps it once. Entities left empty go. Percentages are rounded from the exact score; so is the
  conll score, the mean of the F1 before they are rounded.
* e2e: mentions and conll, of which no figures are known, are those of profile standard and the
  mean F1 of this profile's muc, bcub and ceafe. A document whose entities are all skipped adds
  nothing to either part of a ratio.
* Both: ids are those of profile standard, not only digits. A document that the response lacks
  is empty, one that the key lacks is ignored.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import TypeAlias

from . import conll, metrics
from .conll import Span
from .metrics import Counts, Document, Entities, Entity, Ratio, Score

Percentages: TypeAlias = tuple[float, float, float]
"""Recall, precision and F1, rounded to two digits."""

COVAL_METRICS = ("mentions", "muc", "bcub", "ceafe", "lea")
E2E_METRICS = ("mentions", "muc", "bcub", "ceafe", "lea")
IN_CONLL = ("muc", "bcub", "ceafe")


def documents(
    key_text: str,
    response_text: str,
    without_repeats: Callable[[Iterable[list[Span]]], list[frozenset[Span]]],
) -> list[Document]:
    """The documents of the key, each with the response to it, without repeated spans."""
    key = {document.name: document.entities for document in conll.read(key_text)}
    response = {document.name: document.entities for document in conll.read(response_text)}
    return [
        (without_repeats(key[name].values()), without_repeats(response.get(name, {}).values()))
        for name in key
    ]


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


def last_copies(entities: Iterable[list[Span]]) -> list[frozenset[Span]]:
    """Keep one copy of each span, in the last entity that lists it."""
    kept: list[frozenset[Span]] = []
    seen: set[Span] = set()
    for spans in reversed(list(entities)):
        new = frozenset(spans) - seen
        if new:
            kept.append(new)
        seen |= new
    return kept[::-1]


def coval_documents(key_text: str, response_text: str) -> list[Document]:
    """What CoVal scores."""
    return documents(key_text, response_text, last_copies)


def coval_counts(key_text: str, response_text: str) -> dict[str, Counts]:
    """Numerators and denominators, by metric."""
    pairs = coval_documents(key_text, response_text)
    return {
        metric: count_ceafe(pairs) if metric == "ceafe" else metrics.count_plain(metric, pairs)
        for metric in COVAL_METRICS
    }


def coval_scores(counts: dict[str, Counts]) -> dict[str, Percentages]:
    """Rounded percentages, by metric."""
    return {metric: percentages(metrics.score_counts(counts[metric])) for metric in counts}


def coval_conll(counts: dict[str, Counts]) -> float:
    """The conll score as a rounded percentage."""
    return percentage(mean_f1(metrics.score_counts(counts[metric]) for metric in IN_CONLL))


def percentages(score: Score) -> Percentages:
    """Three rounded percentages."""
    recall, precision, f = score
    return percentage(recall), percentage(precision), percentage(f)


def percentage(score: Fraction) -> float:
    """Rounded to two digits."""
    return round(float(100 * score), 2)


# The evaluator of e2e-coref


def without_singletons(entities: Entities) -> list[Entity]:
    """The entities of more than one mention."""
    return [entity for entity in entities if len(entity) > 1]


def e2e_recall_bcub(key: Entities, response: Entities) -> Ratio:
    """Key singletons are skipped, shares that fall to a response singleton count nothing."""
    total = Fraction(0)
    mentions = 0
    for entity in without_singletons(key):
        mentions += len(entity)
        for other in without_singletons(response):
            total += Fraction(len(entity & other) ** 2, len(entity))
    return total, Fraction(mentions)


def e2e_recall_lea(key: Entities, response: Entities) -> Ratio:
    """Key singletons are skipped; response singletons have no link that others could have."""
    return metrics.recall_lea(without_singletons(key), response)


E2E_RECALLS: dict[str, Callable[[Entities, Entities], Ratio]] = {
    "mentions": metrics.recall_mentions,
    "muc": metrics.recall_muc,
    "bcub": e2e_recall_bcub,
    "lea": e2e_recall_lea,
}


def e2e_count(metric: str, pairs: Sequence[Document]) -> Counts:
    """Counts of one metric, summed over documents."""
    if metric == "ceafe":
        # The key keeps its singletons and the response does not, whichever side is summed over.
        kept = [(key, without_singletons(response)) for key, response in pairs]
        return count_ceafe(kept)
    recall = E2E_RECALLS[metric]
    return {
        "recall": metrics.add(recall(key, response) for key, response in pairs),
        "precision": metrics.add(recall(response, key) for key, response in pairs),
    }


def e2e_documents(key_text: str, response_text: str) -> list[Document]:
    """What the evaluator scores: repeated mentions as in profile standard."""
    return documents(key_text, response_text, conll.first_copies)


def e2e_counts(key_text: str, response_text: str) -> dict[str, Counts]:
    """Numerators and denominators, by metric."""
    pairs = e2e_documents(key_text, response_text)
    return {metric: e2e_count(metric, pairs) for metric in E2E_METRICS}


def e2e_conll(counts: dict[str, Counts]) -> Fraction:
    """The conll score, between 0 and 1."""
    return mean_f1(metrics.score_counts(counts[metric]) for metric in IN_CONLL)
