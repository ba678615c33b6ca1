"""Anchors: is an entity found by its first nominal mention, and are its other mentions with it?

Search and sentiment analysis ask what a text says about a named entity. The anchor of a chain is
its first nominal. Entity detection (ED): key anchors are tp if some response chain contains them,
and fn if not; response anchors that no key chain contains are fp. This aligns chains. Entity
mentions (EM) are counted for each aligned pair: tp are those that K and R share, fn the others of
K, fp the others of R. Fφ is the harmonic mean of the two F1 (Tuggener 2014, section 3.3). The
classes are those of named entities.

`paper` drops the singletons of both sides, and several key chains may share a response chain. In
`code`, the author's release, each response chain is taken by at most one key chain.
"""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, ranks_of, stretches
from corefkit.features.chains import Chains, ComparedChains, at
from corefkit.features.features import OWN_NAME
from corefkit.metrics import OUTCOMES
from corefkit.metrics.base import Score, Sums, divide
from corefkit.metrics.outcomes import (
    FN,
    FP,
    TP,
    Events,
    OutcomeMetric,
    Outcomes,
    Sample,
    classify,
    events,
    score,
    single,
)


def outcomes(compared: ComparedChains, variant: str = "paper") -> tuple[Outcomes, Outcomes]:
    """The outcomes of anchors (ED), and those of mentions, summed at the key anchors (EM)."""
    aligned = align(compared, variant)
    both = np.flatnonzero((compared.key.anchor >= 0) & (aligned >= 0))
    mentions = _mentions(compared, both, aligned[both])
    return detection(compared, aligned, variant), Outcomes(mentions, events(EMPTY, EMPTY))


def align(compared: ComparedChains, variant: str) -> IntArray:
    """int64 (key chains,): the response chain with which each is aligned by its anchor, or −1."""
    if variant == "code":
        return _take_away(compared)
    chain = at(compared.response.entity, at(compared.in_response, compared.key.anchor))
    return np.where(at(compared.response.size, chain) > 1, chain, -1)


def detection(compared: ComparedChains, aligned: IntArray, variant: str) -> Outcomes:
    """The outcome of each anchor in ED."""
    anchored = np.flatnonzero(compared.key.anchor >= 0)
    anchors = events(compared.key.anchor[anchored], np.where(aligned[anchored] < 0, FN, TP))
    spurious = _left_over(compared, aligned) if variant == "code" else _unknown_anchors(compared)
    return Outcomes(anchors, spurious)


def mention_outcomes(compared: ComparedChains, alignment: IntArray) -> tuple[Outcomes, IntArray]:
    """The outcome of each mention in EM, of which `outcomes` has only the sums at the anchors.

    Also returns the aligned key chain of each event of the response, all of which are fp.
    """
    key, response = compared.key, compared.response
    aligned = np.where(key.anchor >= 0, alignment, -1)
    wanted = aligned[key.entity]
    correct = at(response.entity, compared.in_response) == wanted
    over_key = np.where(wanted < 0, -1, np.where(correct, TP, FN))
    # All mentions of all aligned response chains, repeated if key chains share one.
    chain = np.flatnonzero(aligned >= 0)
    size = response.size[aligned[chain]]
    mention = stretches(response.first[aligned[chain]], size)
    chain = np.repeat(chain, size)
    strange = at(key.entity, compared.in_key[mention]) != chain
    return Outcomes(single(over_key), events(mention[strange], FP)), chain[strange]


def named_anchors(compared: ComparedChains, variant: str) -> tuple[IntArray, IntArray]:
    """The anchor of each mention's chain, in the key and in the response; −1 for none.

    `paper` drops the singletons of the response, so these have none.
    """
    key, response = compared.key, compared.response
    anchor = response.anchor
    if variant == "paper":
        anchor = np.where(response.size > 1, anchor, -1)
    return key.anchor[key.entity], anchor[response.entity]


def _take_away(compared: ComparedChains) -> IntArray:
    """int64 (key chains,): the response chain that each takes, or −1.

    Key chains choose one after the other, among response chains that are still free: one with an
    anchor takes the response chain that contains it; one without takes the first response chain
    that shares a mention with it.

    This is a stable matching, and the only one, because all response chains rank the key chains in
    the same way. Hence all key chains can ask at once: each response chain keeps the earliest of
    those that asked, and the others ask their next choice. The result is the same.
    """
    key_rank, response_rank = _ranks(compared.key), _ranks(compared.response)
    chain, wish = _wishes(compared, key_rank, response_rank)
    first = np.searchsorted(chain, np.arange(len(key_rank) + 1))
    holder = np.full(len(response_rank), len(key_rank))
    asking = np.flatnonzero(np.diff(first) > 0)
    next_wish = first[:-1].copy()
    while len(asking):
        wanted = wish[next_wish[asking]]
        before = holder[wanted]
        np.minimum.at(holder, wanted, asking)
        displaced = np.unique(before[before != holder[wanted]])
        refused = asking[holder[wanted] != asking]
        asking = np.concatenate((refused, displaced[displaced < len(key_rank)]))
        next_wish[asking] += 1
        asking = asking[next_wish[asking] < first[asking + 1]]
    taken = np.flatnonzero(holder < len(key_rank))
    by_rank = np.full(len(key_rank), -1, dtype=np.int64)
    by_rank[holder[taken]] = taken
    return by_rank[key_rank]


def _wishes(
    compared: ComparedChains, key_rank: IntArray, response_rank: IntArray
) -> tuple[IntArray, IntArray]:
    """Key chains by rank, and the response chains that each may take, the preferred one first."""
    key, response = compared.key, compared.response
    anchored = np.flatnonzero(key.anchor >= 0)
    held = at(response.entity, at(compared.in_response, key.anchor[anchored]))
    anchored, held = anchored[held >= 0], held[held >= 0]
    loose = np.flatnonzero((compared.in_response >= 0) & ~key.in_nominal_chain)
    chain = np.concatenate((key_rank[anchored], key_rank[key.entity[loose]]))
    wish = np.concatenate((held, response.entity[compared.in_response[loose]]))
    order = np.lexsort((response_rank[wish], chain))
    return chain[order], wish[order]


def _ranks(chains: Chains) -> IntArray:
    """The rank of each chain by its first mention: by start, then the *shorter* one first."""
    first = chains.first
    return ranks_of(np.lexsort((chains.end[first], chains.start[first], chains.document[first])))


def _unknown_anchors(compared: ComparedChains) -> Events:
    """The anchors of response chains, except singletons, that are in no key chain."""
    anchor = compared.response.anchor[
        (compared.response.anchor >= 0) & (compared.response.size > 1)
    ]
    return events(anchor[compared.in_key[anchor] < 0], FP)


def _left_over(compared: ComparedChains, taken: IntArray) -> Events:
    """All response chains that were not taken; classed only if they have an anchor and are not
    singletons.
    """
    left = np.setdiff1d(np.arange(len(compared.response.size)), taken)
    anchor = compared.response.anchor[left]
    spurious = events(np.where(anchor >= 0, anchor, compared.response.first[left]), FP)
    classed = (anchor >= 0) & (compared.response.size[left] > 1)
    return replace(spurious, classed=classed, instead={"ne": OWN_NAME})


def _mentions(compared: ComparedChains, key: IntArray, response: IntArray) -> Events:
    """tp, fn and fp of aligned chains, all for the anchor of the key chain."""
    common = shared(compared, key, response)
    anchor = compared.key.anchor[key]
    numbers = (common, compared.key.size[key] - common, compared.response.size[response] - common)
    return events(np.tile(anchor, 3), np.repeat((TP, FN, FP), len(anchor)), np.concatenate(numbers))


def shared(compared: ComparedChains, key: IntArray, response: IntArray) -> IntArray:
    """int64 (pairs,): the number of common mentions of these pairs of chains."""
    both = np.flatnonzero(compared.in_response >= 0)
    width = max(compared.response.corpus.entities, 1)
    cells = compared.key.entity[both] * width + compared.response.entity[compared.in_response[both]]
    cells.sort()
    wanted = key * width + response
    return np.searchsorted(cells, wanted, side="right") - np.searchsorted(cells, wanted)


COLUMNS = tuple(f"{part}_{name}" for part in ("detection", "mentions") for name in OUTCOMES)


def score_parts(sums: Sums) -> Score:
    """Fφ, with the scores of detection and mentions."""
    return score_of_anchors(score(sums[:4]), score(sums[4:]))


def score_of_anchors(detection: Score | None, mentions: Score | None) -> Score:
    """Fφ, the harmonic mean of the F1 of both parts; it is 0 where one is missing."""
    first, second = (part.f1 if part else 0.0 for part in (detection, mentions))
    f1 = divide(2 * first * second, first + second)
    return Score(f1, detection=detection, mentions=mentions)


def classify_parts(total: Score, classes: Mapping[str, Sums]) -> Score:
    """The score with detection and mentions by class, without classes that have no counts."""
    if total.detection is None or total.mentions is None:
        raise ValueError("not a score of anchors")
    detection = {name: sums[:4] for name, sums in classes.items() if any(sums[:4])}
    mentions = {name: sums[4:] for name, sums in classes.items() if any(sums[4:])}
    return replace(
        total,
        detection=classify(total.detection, detection),
        mentions=classify(total.mentions, mentions),
    )


ANCHOR = OutcomeMetric(
    name="anchor",
    title="Anchor",
    help="application score: are entities found by their first nominal, and their mentions, too?",
    formula="""\
The anchor of a chain is its first nominal. R = tp / (tp + fn), P = tp / (tp + fp)
detection: tp, key anchors that some response chain contains; fn, other key anchors;
fp, response anchors that no key chain contains
mentions: in chains K and R so aligned, tp are shared, fn in K only, fp in R only
F1 is Fφ, the harmonic mean of the F1 of detection and of mentions.
Variant code: each key chain takes its response chain away.""",
    example="""\
Text X Y x y, X and Y are nouns. Key {Xx} {Yy}, response {XYxy}.
Both anchors are found: detection tp 2, F1 1. Each key chain has 2 of its mentions in {XYxy},
and 2 that are not its own: mentions tp 4, fp 4, F1 2/3.  Fφ = 0.8.""",
    sample=Sample("X/NN Y/NN x/PRP y/PRP", "Xx Yy", "XYxy"),
    columns=COLUMNS,
    score=score_parts,
    outcomes=outcomes,
    feature="ne",
    tokens=("pos", "ne"),
    only_for_classes={"paper": ("ne",), "code": ("ne",)},
    classify=classify_parts,
)
