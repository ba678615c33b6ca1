"""The rules by which evaluators count each metric, the standard first.

To add a rule, write one entry; a test checks that the battery still distinguishes all of them.
"""

from collections.abc import Callable

from corefkit.core.carriers import frozen
from corefkit.plugins.audit import rule_counts as model


@frozen
class CountRule:
    """A way to compute a metric.

    Attributes:
        words: a description.
        count: counts one document; None where the scorer fails on it.
        divide: turns counts of one document, or sums of them, into ratios.
    """

    words: str
    count: model.Counting
    divide: Callable[[model.RuleCounts], model.RuleRatios] = model.plain_ratios


CountRules = dict[str, CountRule]

_PREPARATIONS: dict[str, tuple[str, model.Preparation]] = {
    "singletons-both": (
        "drops singletons from both sides first",
        model.without_singletons(),
    ),
    "singletons-key": (
        "drops singletons from the key first",
        model.without_singletons(response=False),
    ),
    "singletons-response": (
        "drops singletons from the response first",
        model.without_singletons(key=False),
    ),
    "twinless-common": (
        "removes mentions that one side lacks from both sides first",
        model.without_twinless,
    ),
    "twinless-spurious": (
        "adds mentions that the key lacks to the key, as singletons",
        model.spurious_added,
    ),
    "twinless-complete": (
        "adds mentions that one side lacks to that side, as singletons",
        model.completed,
    ),
}


def _prepared(standard: CountRule, *names: str) -> CountRules:
    """The standard after each of these preparations."""
    rules = {}
    for name in names:
        words, preparation = _PREPARATIONS[name]
        count = model.prepared(preparation, standard.count)
        rules[name] = CountRule(words, count, standard.divide)
    return rules


def _standard(count: model.Counting) -> CountRules:
    """The standard, and the standard after each preparation."""
    standard = CountRule("as standard", count)
    return {"standard": standard, **_prepared(standard, *_PREPARATIONS)}


def _one_side(words: str, count: model.OneSide) -> CountRule:
    """A rule that counts precision as recall with the sides exchanged."""
    return CountRule(words, model.both_sides(count))


def _ceaf(similarity: model.Similarity, *, entities: bool) -> CountRules:
    """CEAF with all preparations, and with alignments that are not the best."""
    ways = {
        "greedy": ("aligns greedily, best pair first", model.greedy),
        "greedy-rows": ("aligns greedily, in the order of key entities", model.greedy_rows),
        "many": ("aligns each entity with its best partner, not one to one", model.best_partners),
    }
    return _standard(model.ceaf(similarity, entities=entities)) | {
        name: CountRule(words, model.ceaf(similarity, align, entities=entities))
        for name, (words, align) in ways.items()
    }


def _blanc() -> CountRules:
    standard = CountRule("as standard", model.link_counts, model.blanc_ratios("key"))
    never = model.blanc_ratios("never")
    return {
        "standard": standard,
        "both-empty": CountRule(
            "leaves a kind of link out only where both sides lack it (Luo et al. 2014)",
            model.link_counts,
            model.blanc_ratios("both"),
        ),
        "never": CountRule("counts a missing kind of link as 0", model.link_counts, never),
        **_prepared(standard, "twinless-common"),
        "twinless-common-never": CountRule(
            "removes mentions that one side lacks first and counts a missing kind of link as 0",
            model.prepared(model.without_twinless, model.link_counts),
            never,
        ),
        "twinless-refused": CountRule(
            "fails where the two sides differ in mentions; counts a missing kind of link as 0",
            model.prepared(model.refused, model.link_counts),
            never,
        ),
        **_prepared(standard, "singletons-both"),
        "pairs": CountRule("counts coreference links only", lambda s: model.link_counts(s)[:4]),
    }


_MUC = CountRule(
    "as standard", model.both_sides(model.muc(lambda missing, shares: missing + len(shares)))
)

RULES: dict[str, CountRules] = {
    "mentions": _standard(model.both_sides(model.distinct_mentions)),
    "muc": {
        "standard": _MUC,
        **_prepared(_MUC, "twinless-common"),
        "twinless-free": _one_side(
            "does not count a mention that the other side lacks as a part of its own, so nothing "
            "is lost by it",
            model.muc(lambda missing, shares: len(shares)),
        ),
        "twinless-one": _one_side(
            "counts all mentions of an entity that the other side lacks as one part",
            model.muc(lambda missing, shares: (missing > 0) + len(shares)),
        ),
        "pairs": _one_side("is not MUC: it counts all pairs of mentions", model.link_pairs),
    },
    "bcub": _standard(model.both_sides(model.bcub(lambda *p: (model.squares(*p), p[0]))))
    | {
        "own-singletons": _one_side(
            "skips singletons of the side it sums over",
            model.bcub(lambda *p: (model.squares(*p), p[0]) if p[0] > 1 else (0, 0)),
        ),
        "per-entity": _one_side(
            "averages over entities, not over mentions",
            model.bcub(lambda *p: (model.squares(*p) / p[0], 1)),
        ),
        "common-only": _one_side(
            "averages over mentions that both sides have; entities keep their sizes",
            model.bcub(lambda *p: (model.squares(*p), p[0] - p[1])),
        ),
        "key-zero": CountRule(
            "averages recall and precision over key mentions; one that the response lacks counts 0",
            model.bcub_over_key(0),
        ),
        "key-alone": CountRule(
            "averages recall and precision over key mentions; one that the response lacks counts "
            "as a singleton",
            model.bcub_over_key(1),
        ),
        "union-zero": _one_side(
            "averages recall and precision over the mentions of both sides; one that a side lacks "
            "counts 0",
            model.bcub_over_union,
        ),
        "key-lost": CountRule(
            "averages over key mentions, and fails where the response lacks one",
            model.bcub_over_key(None),
        ),
    },
    "ceafm": _ceaf(model.phi3, entities=False)
    | {
        "entity-denominators": CountRule(
            "divides by the number of entities instead of mentions",
            model.ceaf(model.phi3, entities=True),
        ),
        "phi4": CountRule("is CEAFe: similarity φ₄", model.ceaf(model.phi4, entities=True)),
    },
    "ceafe": _ceaf(model.phi4, entities=True)
    | {
        "jaccard": CountRule(
            "uses |K ∩ R| / |K ∪ R| for φ₄", model.ceaf(model.jaccard, entities=True)
        ),
        "unaligned": CountRule(
            "aligns no response singleton but counts them in the denominator",
            model.ceaf(model.phi4, entities=True, singletons=False),
        ),
        "phi3": CountRule(
            "is CEAFm: counts shared mentions and divides by mentions",
            model.ceaf(model.phi3, entities=False),
        ),
        "phi3-entities": CountRule(
            "counts shared mentions and divides by entities", model.ceaf(model.phi3, entities=True)
        ),
        "phi3-greedy": CountRule(
            "is CEAFm, aligned greedily", model.ceaf(model.phi3, model.greedy, entities=False)
        ),
        "pairs": _one_side("is not CEAF: it counts all pairs of mentions", model.link_pairs),
    },
    "lea": _standard(model.both_sides(model.lea("alone")))
    | {
        "lost": _one_side(
            "counts singletons in the denominator and never finds them", model.lea("never")
        ),
        "any": _one_side(
            "finds a singleton wherever the other side has its mention", model.lea("anywhere")
        ),
        "link-weights": _one_side(
            "weighs entities by links instead of mentions and skips singletons", model.link_pairs
        ),
    },
    "blanc": _blanc(),
}
"""The rules of each metric, the standard first."""

_NOTHING = "a singleton earns nothing and counts in the denominator"
_ALWAYS = "a singleton always earns, even if the other side lacks it"

MISTAKES: dict[str, tuple[CountRule, ...]] = {
    "bcub": (
        _one_side(_NOTHING, model.bcub(lambda *p: (model.squares(*p) if p[0] > 1 else 0, p[0]))),
        _one_side(_ALWAYS, model.bcub(lambda *p: (model.squares(*p) if p[0] > 1 else 1, p[0]))),
    ),
    "ceafe": (
        CountRule(
            _NOTHING,
            model.ceaf(
                lambda k, r, n: model.phi4(k, r, n) if k > 1 and r > 1 else 0, entities=True
            ),
        ),
    ),
    "lea": (_one_side(_ALWAYS, model.lea("always")),),
}
"""Mistakes that have a name where no rule explains a metric; not combined with other departures."""
