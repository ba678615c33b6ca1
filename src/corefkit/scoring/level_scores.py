"""Scores across documents: a part per level, and the links by how far they reach.

The part of a level has the scores of a run at that level alone. Singletons are dropped at each
level separately: an entity with one mention in each of two documents has two in their topic.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from corefkit.core.arrays import links_among
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts
from corefkit.core.directed import table_of_pairs
from corefkit.core.incidents import DataError, Incident
from corefkit.metrics.base import PartScore
from corefkit.scorers import scorer_for
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.counting import count_comparison
from corefkit.scorers.levels import check_ids, find_groups, find_topics
from corefkit.scorers.scorer import Scorer
from corefkit.scoring.parts import ACROSS, REACH, Part, PartSize
from corefkit.scoring.scores import Scores, chosen_counts


def check_levels(scorer: Scorer, key: Side, documents: set[str] | None) -> Side:
    """The key with the incidents of its topics and its ids."""
    try:
        find_topics(scorer.options, key, documents)
    except DataError as error:
        return key.with_incidents(*error.incidents)
    return key.with_incidents(*check_ids(key))


def score_levels(
    scorer: Scorer, comparison: Comparison
) -> tuple[tuple[Part[Scores], ...], tuple[Part[Any], ...], list[Incident]]:
    """A part per level of the options, the widest last; links by reach; incidents of the ids of
    the response. Raises DataError where these ids are not comparable.
    """
    options = scorer.options
    incidents = check_ids(comparison.response_side)
    if any(incident.severity == "error" for incident in incidents):
        raise DataError(incidents)
    drops = options.singletons == "drop"
    whole = _with_singletons(scorer, comparison) if drops else comparison
    groups = find_groups(options, comparison.key_side, comparison.documents)
    joined = {level: whole.joined(members) for level, members in groups.items()}
    levels = []
    for level in options.across:
        at_level = joined.get(level, comparison)
        of_level = at_level.without_singletons() if drops and level in joined else at_level
        levels.append(_level(scorer, of_level, level))
    return tuple(levels), tuple(_reaches({"document": whole, **joined})), incidents


def _with_singletons(scorer: Scorer, comparison: Comparison) -> Comparison:
    """The comparison with the entities that have a single mention in their document."""
    key, response = (
        replace(side, scored=side.joinable or side.scored)
        for side in (comparison.key_side, comparison.response_side)
    )
    keeping = scorer_for(replace(scorer.options, singletons="keep"))
    return keeping.compare_unified(key, response, comparison.documents)


def _level(scorer: Scorer, comparison: Comparison, level: str) -> Part[Scores]:
    counts = chosen_counts(count_comparison(scorer, comparison), comparison)
    key, response = (_size(side, counts) for side in (comparison.key, comparison.response))
    return Part(((ACROSS, level),), Scores(scorer.options, counts), key, response)


def _size(corpus: Corpus, counts: Counts) -> PartSize:
    """The size of a side; its documents are topics, or 1 for the corpus."""
    return PartSize(corpus.entities, corpus.mentions, documents=len(counts))


def reach_part(reach: str, key: int, response: int, common: int) -> Part[Any]:
    """The links that reach equally far: how many key and response have, and how many both have.

    A link is a pair of mentions of one entity. The reach is "document" within a document, "topic"
    between documents of one topic, "corpus" between topics, or between documents if there are no
    topics. A rate is None where a side has no such link, F1 where neither has one.
    """
    recall, precision = (common / side if side else None for side in (key, response))
    f1 = 2 * common / (key + response) if key + response else None
    counts = {"recall": [common, key], "precision": [common, response]}
    score = PartScore(f1, recall, precision, counts)
    return Part(((REACH, reach),), {"pairs": score})


def _reaches(joined: Mapping[str, Comparison]) -> Iterator[Part[Any]]:
    """How many links of each reach there are: those within, without those of the narrower reach."""
    narrower = np.zeros(3, dtype=np.int64)
    for reach, comparison in joined.items():
        key, response = comparison.key, comparison.response
        shared = table_of_pairs(key, response, comparison.pairs).n
        sizes = key.entity_size, response.entity_size, shared
        within = np.array([links_among(size).sum() for size in sizes])
        yield reach_part(reach, *(within - narrower).tolist())
        narrower = within
