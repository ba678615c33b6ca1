"""Scores across documents: one row for each level, and links by how far they reach.

The row of a level is what a run at that level alone would give. Singletons are dropped there: an
entity with one mention in each of two documents has two in their topic.
"""

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray, distinct, pairs
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts, Size
from corefkit.core.incidents import DataError, Incident
from corefkit.scorers import scorer_for
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.levels import (
    DocumentGroups,
    check_ids,
    find_groups,
    find_topics,
    join_documents,
)
from corefkit.scorers.scorer import Scorer
from corefkit.scoring.scores import Scores


class LevelScores(NamedTuple):
    """The scores at one level.

    Attributes:
        level: "none", "topic" or "corpus", as the option names them.
        key, response: how much is compared; `documents` are the topics, or 1 for the corpus.
        scores: the scores; their counts stand by topic, or for the corpus in one row.
    """

    level: str
    key: Size
    response: Size
    scores: Scores

    def to_dict(self) -> dict[str, Any]:
        """The row as it stands in the JSON output."""
        return {
            "across": self.level,
            "key": self.key._asdict(),
            "response": self.response._asdict(),
            "scores": self.scores.to_dict(),
        }


class LinkReach(NamedTuple):
    """Links that reach equally far: how many key and response have, and how many both have.

    A link is a pair of mentions of one entity. The reach is "document" within one, "topic" between
    documents of one topic, "corpus" between topics, or between documents if there are no topics.
    """

    reach: str
    key: int
    response: int
    common: int

    @property
    def recall(self) -> float | None:
        """The share of key links that the response has; None where the key has none."""
        return self.common / self.key if self.key else None

    @property
    def precision(self) -> float | None:
        """The share of response links that the key has; None where the response has none."""
        return self.common / self.response if self.response else None

    @property
    def f1(self) -> float | None:
        """The harmonic mean; None where neither side has such a link."""
        both = self.key + self.response
        return 2 * self.common / both if both else None

    def to_dict(self) -> dict[str, Any]:
        """The row as it stands in the JSON output."""
        rates = {"recall": self.recall, "precision": self.precision, "f1": self.f1}
        return {**self._asdict(), **rates}


def check_levels(scorer: Scorer, key: Side, documents: set[str] | None) -> Side:
    """The key with what is wrong with its topics and its ids."""
    try:
        find_topics(scorer.options, key, documents)
    except DataError as error:
        return key.with_incidents(*error.incidents)
    return key.with_incidents(*check_ids(key))


def score_levels(
    scorer: Scorer, comparison: Comparison
) -> tuple[tuple[LevelScores, ...], tuple[LinkReach, ...], list[Incident]]:
    """A row for each level of the options, the widest last; links by their reach; and what is to be
    known of the ids of the response.
    """
    options = scorer.options
    incidents = check_ids(comparison.response_side)
    if any(incident.severity == "error" for incident in incidents):
        raise DataError(incidents)
    drops = options.singletons == "drop"
    whole = _with_singletons(scorer, comparison) if drops else comparison
    rows = []
    for level in options.across:
        joined = comparison
        if level != "none":
            groups = find_groups(level, options, comparison.key_side, comparison.documents)
            joined = join_documents(whole, groups, drop_singletons=drops)
        rows.append(_row(scorer, joined, level))
    links = _reaches(options.across[-1], scorer, whole)
    return tuple(rows), links, incidents


def _with_singletons(scorer: Scorer, comparison: Comparison) -> Comparison:
    """The comparison with the entities that have one mention in their document."""
    keeping = scorer_for(replace(scorer.options, singletons="keep"))
    sides = [
        replace(side, scored=keeping.prepare(side.corpus)[0])
        for side in (comparison.key_side, comparison.response_side)
    ]
    if comparison.documents is not None:
        sides = [side.within(comparison.documents) for side in sides]
    return keeping.compare_unified(sides[0], sides[1], comparison.documents)


def _row(scorer: Scorer, comparison: Comparison, level: str) -> LevelScores:
    counts = scorer.count(comparison)
    if (chosen := comparison.documents) is not None:
        counts = counts.select(np.array([name in chosen for name in counts.documents], dtype=bool))
    scores = Scores(scorer.options, counts)
    return LevelScores(
        level, _size(comparison.key, counts), _size(comparison.response, counts), scores
    )


def _size(corpus: Corpus, counts: Counts) -> Size:
    return Size(len(counts), corpus.mentions, corpus.entities)


def _reaches(level: str, scorer: Scorer, comparison: Comparison) -> tuple[LinkReach, ...]:
    """How many links of each reach there are, where entities hold up to this level.

    Those within groups of a kind are counted in one go; those of the narrower kind are taken off.
    """
    side, documents = comparison.key_side, comparison.documents
    kinds = {"document": DocumentGroups((), np.arange(len(comparison.key.names)))}
    topics = find_topics(scorer.options, side, documents)
    if topics is not None:
        kinds["topic"] = topics
    if level == "corpus":
        kinds["corpus"] = find_groups(level, scorer.options, side, documents)
    joined = join_documents(comparison, kinds[level])
    reaches, narrower = [], np.zeros(3, dtype=np.int64)
    for kind, groups in kinds.items():
        within = _links_within(joined, comparison, groups.of_document)
        reaches.append(LinkReach(kind, *(within - narrower).tolist()))
        narrower = within
    return tuple(reaches)


def _links_within(joined: Comparison, comparison: Comparison, group: IntArray) -> IntArray:
    """The links within groups, int64 (3,): of the key, of the response, and those of both."""
    key, response, (ours, theirs) = joined.key, joined.response, joined.pairs
    own = [group[side.document] for side in (comparison.key, comparison.response)]
    cells = key.entity[ours] * max(response.entities, 1) + response.entity[theirs]
    sides = (
        (key.entity, own[0]),
        (response.entity, own[1]),
        (distinct(cells).inverse, own[0][ours]),
    )
    width = int(group.max(initial=0)) + 1
    return np.array([pairs(distinct(e * width + g).counts).sum() for e, g in sides])
