"""Scores across documents: a part per level, and the links by how far they reach.

The part of a level has the scores of a run at that level alone. Singletons are dropped at each
level separately: an entity with one mention in each of two documents has two in their topic.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray, links_among, ranks_of
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts
from corefkit.core.directed import table_of_pairs
from corefkit.core.document_groups import DocumentGroups
from corefkit.core.incidents import DataError, Incident
from corefkit.core.nodes import number_rows
from corefkit.metrics.base import PartScore
from corefkit.scorers import scorer_for
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.counting import count_comparison
from corefkit.scorers.levels import (
    check_ids,
    find_groups,
    find_topics,
    join_documents,
)
from corefkit.scorers.scorer import Scorer
from corefkit.scoring.parts import ACROSS, REACH, Part, PartSize
from corefkit.scoring.scores import Scores


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
    rows = []
    joined = whole
    for level in options.across:
        if level == "none":
            rows.append(_row(scorer, comparison, level))
            continue
        joined = join_documents(whole, groups[level])
        rows.append(_row(scorer, joined.without_singletons() if drops else joined, level))
    return tuple(rows), _reaches(groups, whole, joined), incidents


def _with_singletons(scorer: Scorer, comparison: Comparison) -> Comparison:
    """The comparison with the entities that have a single mention in their document."""
    keeping = scorer_for(replace(scorer.options, singletons="keep"))
    sides = [
        keeping.moved(side, side.corpus) for side in (comparison.key_side, comparison.response_side)
    ]
    if comparison.documents is not None:
        sides = [side.within(comparison.documents) for side in sides]
    return keeping.compare_unified(sides[0], sides[1], comparison.documents)


def _row(scorer: Scorer, comparison: Comparison, level: str) -> Part[Scores]:
    counts = count_comparison(scorer, comparison)
    if (chosen := comparison.documents) is not None:
        counts = counts.select(np.array([name in chosen for name in counts.documents], dtype=bool))
    scores = Scores(scorer.options, counts)
    key, response = (_size(side, counts) for side in (comparison.key, comparison.response))
    return Part(((ACROSS, level),), scores, key, response)


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


def _reaches(
    groups: Mapping[str, DocumentGroups], comparison: Comparison, joined: Comparison
) -> tuple[Part[Any], ...]:
    """How many links of each reach there are, where `joined` has the groups of the widest level.

    All links within groups of a kind are counted; then those of the narrower kind are subtracted.
    """
    documents = np.arange(len(comparison.key.names))
    kinds = {
        "document": documents,
        **{kind: members.of_document for kind, members in groups.items()},
    }
    by_topic = np.argsort(kinds.get("topic", documents), kind="stable")
    pieces = _pieces(comparison, joined, ranks_of(by_topic))
    reaches, narrower = [], np.zeros(3, dtype=np.int64)
    for kind, group in kinds.items():
        within = np.array([piece.links_within(group) for piece in pieces])
        reaches.append(reach_part(kind, *(within - narrower).tolist()))
        narrower = within
    return tuple(reaches)


class _DocumentPieces(NamedTuple):
    """The pieces that documents hold of wholes, which extend over several documents.

    A whole is an entity, or what two entities share. Each column is int64 (pieces,): the number of
    the whole, the document and the number of mentions; sorted by whole, topic and document.
    """

    whole: IntArray
    document: IntArray
    size: IntArray

    def links_within(self, group: IntArray) -> int:
        """How many links the wholes have within groups of documents.

        `group`, int64 (documents,), is the group of each document; groups are single documents,
        topics or the whole corpus.
        """
        groups = group[self.document]
        begins = np.ones(len(groups), dtype=bool)
        begins[1:] = (np.diff(self.whole) != 0) | (np.diff(groups) != 0)
        first = np.flatnonzero(begins)
        return int(links_among(np.add.reduceat(self.size, first)).sum()) if len(first) else 0


def _pieces(comparison: Comparison, joined: Comparison, rank: IntArray) -> list[_DocumentPieces]:
    """The pieces of key entities, of response entities, and of what pairs of them share.

    `rank`, int64 (documents,), is the place of each document in an order by topics.
    """
    key, response = comparison.key, comparison.response
    table = table_of_pairs(key, response, comparison.pairs)
    united = []
    for narrow, wide in ((key, joined.key), (response, joined.response)):
        number = np.zeros(narrow.entities, dtype=np.int64)
        number[narrow.entity] = wide.entity
        united.append(number)
    both = united[0][table.row] * max(joined.response.entities, 1)
    both += united[1][table.column]
    wholes = (
        (united[0], key.entity_document, key.entity_size),
        (united[1], response.entity_document, response.entity_size),
        (both, table.document[table.row], table.n),
    )
    pieces = []
    for columns in wholes:
        order = np.argsort(number_rows((columns[0], rank[columns[1]])))
        pieces.append(_DocumentPieces(*(column[order] for column in columns)))
    return pieces
