"""RuCoCo's LEA: links within entities, and links between an entity and those that it includes.

An entity that includes others (a split antecedent) has a second term: each of its mentions is
linked to each mention of its members. Singletons have no links of the first kind. If no entity
includes others, this is LEA without singletons.

>>> sides = RUCOCO.sample()
>>> from corefkit import score
>>> score(*sides, "rucoco")["rucoco"].counts
{'recall': [3.0, 4], 'precision': [1.6666666666666667, 4]}
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import lcm

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray, tuples
from corefkit.core.corpus import Corpus
from corefkit.core.links import KINDS, Links
from corefkit.metrics.base import Counted, MatchedMetric, MatchedSides

_GROUPS = KINDS.index("split"), KINDS.index("element")
"""Links from an entity to one that it includes."""


def count(matched: MatchedSides) -> Counted:
    """Σ weight · share of links found, and Σ weight, of the key and of the response."""
    key, response, pairs = matched.key, matched.response, matched.pairs
    key_numbers = np.arange(key.mentions)
    response_numbers = np.arange(response.mentions) + key.mentions
    response_numbers[pairs.response] = pairs.key  # matched mentions have the same number
    key_groups, response_groups = (
        _EntityGroups(key, key_numbers),
        _EntityGroups(response, response_numbers),
    )
    documents = len(key.names)
    return (
        *_resolved(key_groups, response_groups, documents),
        *_resolved(response_groups, key_groups, documents),
    )


def nearest_sum(numerators: Mapping[int, int]) -> float:
    """Σ numerator/denominator, rounded once; `numerators` maps denominators to numerators.

    >>> nearest_sum({3: 2, 8: 4})
    1.1666666666666667
    """
    common = lcm(*numerators)
    return sum(n * (common // d) for d, n in numerators.items()) / common


class _EntityGroups:
    """The entities of a side: their documents, their mentions, and those of their members.

    `identity`, int64 (mentions,), are the numbers of the mentions.
    """

    def __init__(self, corpus: Corpus, identity: IntArray) -> None:
        self.document = corpus.entity_document.tolist()
        self.mentions: list[list[int]] = [[] for _ in corpus.labels]
        for entity, mention in tuples(corpus.entity, identity):
            self.mentions[entity].append(mention)
        self.entity = dict(tuples(identity, corpus.entity))
        included = _included(corpus.links)
        self.members = {
            entity: frozenset(
                m for member in _reached(entity, included) for m in self.mentions[member]
            )
            for entity in included
        }


def _included(links: Links | None) -> dict[int, list[int]]:
    """The entities that each entity includes."""
    included: dict[int, list[int]] = {}
    if links is not None:
        chosen = np.isin(links.kind, _GROUPS)
        for entity, member in tuples(links.source[chosen], links.target[chosen]):
            included.setdefault(entity, []).append(member)
    return included


def _reached(entity: int, included: dict[int, list[int]]) -> Iterable[int]:
    """The members of an entity, and those reached through them that include no others."""
    reached = dict.fromkeys(included[entity])
    waiting, seen = [*reached], {entity}
    while waiting:
        member = waiting.pop()
        if member in seen:
            continue
        seen.add(member)
        if member in included:
            waiting += included[member]
        else:
            reached[member] = None
    return reached


def _resolved(
    side: _EntityGroups, other: _EntityGroups, documents: int
) -> tuple[FloatArray, IntArray]:
    """Σ weight · resolution and Σ weight of the entities of a side, by document."""
    sums: list[defaultdict[int, int]] = [defaultdict(int) for _ in range(documents)]
    weights = np.zeros(documents, dtype=np.int64)
    for entity, mentions in enumerate(side.mentions):
        document, size = side.document[entity], len(mentions)
        if size > 1:
            shared: defaultdict[int, int] = defaultdict(int)
            for mention in mentions:
                if mention in other.entity:
                    shared[other.entity[mention]] += 1
            sums[document][size - 1] += sum(n * (n - 1) for n in shared.values())
            weights[document] += size
        members = side.members.get(entity)
        if members and size:
            sums[document][size] += sum(
                len(members & other.members.get(other.entity[mention], frozenset()))
                for mention in mentions
                if mention in other.entity
            )
            weights[document] += len(members)
    return np.array([nearest_sum(terms) for terms in sums], dtype=np.float64), weights


def _sample() -> tuple[Corpus, Corpus]:
    """K = {a}{b}{cd}{e}, where {cd} includes {a} and {b}; in the response {cde} includes {a}."""
    kind = np.array([_GROUPS[0]])
    key = Corpus.from_clusters({"example": [[(0, 0)], [(1, 1)], [(2, 2), (3, 3)], [(4, 4)]]})
    links = Links(np.repeat(kind, 2), np.array([2, 2]), np.array([0, 1]), ("", ""))
    response = Corpus.from_clusters({"example": [[(0, 0)], [(1, 1)], [(2, 2), (3, 3), (4, 4)]]})
    response_links = Links(kind, np.array([2]), np.array([0]), ("",))
    return replace(key, links=links), replace(response, links=response_links)


RUCOCO = MatchedMetric(
    name="rucoco",
    title="RuCoCo",
    help="LEA without singletons, and links of entities with those that they include",
    citation="Dobrovolskii et al. 2022, RuCoCo: a new Russian corpus with coreference annotation",
    formula="""\
R = Σ_K (|K| · found links of K / all links of K + |C(K)| · found pairs / (|K| · |C(K)|)) / weights
The first term and its weight |K| are those of entities of two mentions or more. C(K) are the
mentions of the entities that K includes; a pair of a mention of K and one of C(K) is found where
a response entity R has the first, and C(R) the second.""",
    example="""\
K = {a}{b}{cd}{e}, {cd} includes {a} and {b}; the response has {cde}, which includes {a}. In
{cd} 1 of 1 links is found, weight 2; of its pairs with a and b those with a, 2 of 4, weight 2.
R = (2·1 + 2·2/4) / (2 + 2) = 3/4. P = (3·1/3 + 1·2/3) / (3 + 1) = 5/12.""",
    sample=_sample,
    count=count,
)
