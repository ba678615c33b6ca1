"""The rules by which evaluators count each metric, the standard first.

To add a rule, write one entry; a test checks that the battery still distinguishes all of them.
"""

from collections.abc import Callable, Sequence

from corefkit.core.carriers import frozen
from corefkit.plugins.audit.rule_counts import (
    Preparation,
    RuleCounts,
    RuleRatios,
    Similarity,
    bcub,
    bcub_over_key,
    bcub_over_union,
    best_partners,
    blanc_ratios,
    both_sides,
    ceaf,
    completed,
    distinct_mentions,
    greedy,
    greedy_rows,
    jaccard,
    lea,
    link_counts,
    link_pairs,
    muc,
    phi3,
    phi4,
    plain_ratios,
    prepared,
    refused,
    spurious_added,
    squares,
    without_key_singletons,
    without_response_singletons,
    without_singletons,
    without_twinless,
)
from corefkit.scoring.shrink import SmallDocument

_Counting = Callable[[SmallDocument], RuleCounts | None]
_OwnRule = tuple[str, str, _Counting]


@frozen
class CountRule:
    """A way to compute a metric.

    Attributes:
        id: its name in the tables.
        words: a description.
        count: counts one document; None where the scorer fails on it.
        divide: turns counts of one document, or sums of them, into ratios.
    """

    id: str
    words: str
    count: _Counting
    divide: Callable[[RuleCounts], RuleRatios]


_PREPARATIONS: dict[str, tuple[str, Preparation]] = {
    "singletons-both": ("drops singletons from both sides first", without_singletons),
    "singletons-key": ("drops singletons from the key first", without_key_singletons),
    "singletons-response": (
        "drops singletons from the response first",
        without_response_singletons,
    ),
    "twinless-common": (
        "removes mentions that one side lacks from both sides first",
        without_twinless,
    ),
    "twinless-spurious": (
        "adds mentions that the key lacks to the key, as singletons",
        spurious_added,
    ),
    "twinless-complete": (
        "adds mentions that one side lacks to that side, as singletons",
        completed,
    ),
}


def _rules(
    standard: _Counting, preparations: Sequence[str], *special: _OwnRule
) -> dict[str, CountRule]:
    """The rules of a metric with plain ratios.

    They are the standard, the standard after each of the preparations, and the special rules.
    """
    rules = [CountRule("standard", "as standard", standard, plain_ratios)]
    for name in preparations:
        words, preparation = _PREPARATIONS[name]
        rules.append(CountRule(name, words, prepared(preparation, standard), plain_ratios))
    rules += [CountRule(name, words, count, plain_ratios) for name, words, count in special]
    return {rule.id: rule for rule in rules}


def _alignments(similarity: Similarity, *, entities: bool) -> list[_OwnRule]:
    """The rules of CEAF that do not find the best alignment."""
    ways = (
        ("greedy", "aligns greedily, best pair first", greedy),
        ("greedy-rows", "aligns greedily, in the order of key entities", greedy_rows),
        ("many", "aligns each entity with its best partner, not one to one", best_partners),
    )
    return [(name, words, ceaf(similarity, way, entities=entities)) for name, words, way in ways]


def _blanc_rules() -> dict[str, CountRule]:
    by_key, by_both, never = map(blanc_ratios, ("key", "both", "never"))
    rules = (
        CountRule("standard", "as standard", link_counts, by_key),
        CountRule(
            "both-empty",
            "leaves a kind of link out only where both sides lack it (Luo et al. 2014)",
            link_counts,
            by_both,
        ),
        CountRule("never", "counts a missing kind of link as 0", link_counts, never),
        CountRule(
            "twinless-common",
            _PREPARATIONS["twinless-common"][0],
            prepared(without_twinless, link_counts),
            by_key,
        ),
        CountRule(
            "twinless-common-never",
            "removes mentions that one side lacks first and counts a missing kind of link as 0",
            prepared(without_twinless, link_counts),
            never,
        ),
        CountRule(
            "twinless-refused",
            "fails where the two sides differ in mentions; counts a missing kind of link as 0",
            prepared(refused, link_counts),
            never,
        ),
        CountRule(
            "singletons-both",
            _PREPARATIONS["singletons-both"][0],
            prepared(without_singletons, link_counts),
            by_key,
        ),
        CountRule(
            "pairs", "counts coreference links only", lambda s: link_counts(s)[:4], plain_ratios
        ),
    )
    return {rule.id: rule for rule in rules}


_EVERY_PREPARATION = tuple(_PREPARATIONS)

RULES: dict[str, dict[str, CountRule]] = {
    "mentions": _rules(both_sides(distinct_mentions), _EVERY_PREPARATION),
    "muc": _rules(
        both_sides(muc(lambda missing, shares: missing + len(shares))),
        ["twinless-common"],
        (
            "twinless-free",
            "does not count a mention that the other side lacks as a part of its own, so nothing "
            "is lost by it",
            both_sides(muc(lambda missing, shares: len(shares))),
        ),
        (
            "twinless-one",
            "counts all mentions of an entity that the other side lacks as one part",
            both_sides(muc(lambda missing, shares: (missing > 0) + len(shares))),
        ),
        ("pairs", "is not MUC: it counts all pairs of mentions", both_sides(link_pairs)),
    ),
    "bcub": _rules(
        both_sides(bcub(lambda *part: (squares(*part), part[0]))),
        _EVERY_PREPARATION,
        (
            "own-singletons",
            "skips singletons of the side it sums over",
            both_sides(bcub(lambda *p: (squares(*p), p[0]) if p[0] > 1 else (0, 0))),
        ),
        (
            "per-entity",
            "averages over entities, not over mentions",
            both_sides(bcub(lambda *part: (squares(*part) / part[0], 1))),
        ),
        (
            "common-only",
            "averages over mentions that both sides have; entities keep their sizes",
            both_sides(bcub(lambda *part: (squares(*part), part[0] - part[1]))),
        ),
        (
            "key-zero",
            "averages recall and precision over key mentions; one that the response lacks counts 0",
            bcub_over_key(0),
        ),
        (
            "key-alone",
            "averages recall and precision over key mentions; one that the response lacks counts "
            "as a singleton",
            bcub_over_key(1),
        ),
        (
            "union-zero",
            "averages recall and precision over the mentions of both sides; one that a side lacks "
            "counts 0",
            both_sides(bcub_over_union),
        ),
        (
            "key-lost",
            "averages over key mentions, and fails where the response lacks one",
            bcub_over_key(None),
        ),
    ),
    "ceafm": _rules(
        ceaf(phi3, entities=False),
        _EVERY_PREPARATION,
        *_alignments(phi3, entities=False),
        (
            "entity-denominators",
            "divides by the number of entities instead of mentions",
            ceaf(phi3, entities=True),
        ),
        ("phi4", "is CEAFe: similarity φ₄", ceaf(phi4, entities=True)),
    ),
    "ceafe": _rules(
        ceaf(phi4, entities=True),
        _EVERY_PREPARATION,
        *_alignments(phi4, entities=True),
        ("jaccard", "uses |K ∩ R| / |K ∪ R| for φ₄", ceaf(jaccard, entities=True)),
        (
            "unaligned",
            "aligns no response singleton but counts them in the denominator",
            ceaf(phi4, entities=True, singletons=False),
        ),
        (
            "phi3",
            "is CEAFm: counts shared mentions and divides by mentions",
            ceaf(phi3, entities=False),
        ),
        (
            "phi3-entities",
            "counts shared mentions and divides by entities",
            ceaf(phi3, entities=True),
        ),
        ("phi3-greedy", "is CEAFm, aligned greedily", ceaf(phi3, greedy, entities=False)),
        ("pairs", "is not CEAF: it counts all pairs of mentions", both_sides(link_pairs)),
    ),
    "lea": _rules(
        both_sides(lea("alone")),
        _EVERY_PREPARATION,
        (
            "lost",
            "counts singletons in the denominator and never finds them",
            both_sides(lea("never")),
        ),
        (
            "any",
            "finds a singleton wherever the other side has its mention",
            both_sides(lea("anywhere")),
        ),
        (
            "link-weights",
            "weighs entities by links instead of mentions and skips singletons",
            both_sides(link_pairs),
        ),
    ),
    "blanc": _blanc_rules(),
}
"""The rules of each metric, the standard first."""


def _named(words: str, count: _Counting) -> CountRule:
    return CountRule("named", words, count, plain_ratios)


_NOTHING = "a singleton earns nothing and counts in the denominator"
_ALWAYS = "a singleton always earns, even if the other side lacks it"

MISTAKES: dict[str, tuple[CountRule, ...]] = {
    "bcub": (
        _named(_NOTHING, both_sides(bcub(lambda *p: (squares(*p) if p[0] > 1 else 0, p[0])))),
        _named(_ALWAYS, both_sides(bcub(lambda *p: (squares(*p) if p[0] > 1 else 1, p[0])))),
    ),
    "ceafe": (
        _named(
            _NOTHING,
            ceaf(lambda k, r, n: phi4(k, r, n) if k > 1 and r > 1 else 0, entities=True),
        ),
    ),
    "lea": (_named(_ALWAYS, both_sides(lea("always"))),),
}
"""Mistakes that have a name where no rule explains a metric; not combined with other departures."""
