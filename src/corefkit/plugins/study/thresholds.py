"""A list of links at every threshold.

At a threshold, the links that are at least as probable are kept, and connected mentions are an
entity. From the highest threshold to the lowest, mentions are only added and entities only merged:
one union-find per document is enough, and a document is counted again only where it has changed.
All states of all documents are counted at once, as if each were a document.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import Any

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray, distinct, stretches
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Span
from corefkit.core.directed import Directed, entity_ranks, tabulate
from corefkit.core.incidents import Collector, DataError, Incident, data_error, errors
from corefkit.core.options import PLAIN_SIDES, Reading
from corefkit.core.texts import decimal_text
from corefkit.formats.kit.link_lists import LinkList, links_as_corpus
from corefkit.formats.kit.reading import read_links
from corefkit.metrics import counted, get
from corefkit.metrics.base import PartitionMetric
from corefkit.plugins.study.calibration import Calibration, calibrate
from corefkit.scorers import scorer_for
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.counting import count_table
from corefkit.scorers.scorer import Scorer
from corefkit.scoring.run import score_comparison
from corefkit.scoring.scores import Scores


@frozen(eq=False)
class CurvePoint:
    """The scores at one threshold.

    Attributes:
        threshold: links with this probability or a higher one are kept; None where no link is.
        links, mentions, entities: how many are kept.
        scores: the scores of these.
    """

    threshold: float | None
    links: int
    mentions: int
    entities: int
    scores: Scores

    @property
    def shown(self) -> str | None:
        """The threshold as a text; None where there is none."""
        return None if self.threshold is None else decimal_text(self.threshold)

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and numbers, nothing rounded."""
        sizes = {name: getattr(self, name) for name in ("links", "mentions", "entities")}
        return {"threshold": self.shown, **sizes, "scores": self.scores.to_dict()}


class ListedResponse:
    """A list of links, compared once with its key, with all mentions of all thresholds.

    Attributes:
        incidents: those of the list and of the comparison.
    """

    def __init__(
        self, scorer: Scorer, key: Side, path: str, reading: Reading, chosen: set[str] | None
    ) -> None:
        self._scorer, self._key, self._chosen = scorer, key, chosen
        self._lists, warnings = _with_probabilities(read_links(path, reading), path)
        self._path, self._reading = path, reading
        whole = links_as_corpus(self._lists, reading, None)
        keeping = scorer_for(replace(scorer.options, singletons="keep"))
        side = replace(keeping.read(whole, PLAIN_SIDES.response), path=path)
        self._comparison = scorer.compare(key, side, chosen)
        if self._comparison.failed:
            raise DataError(self._comparison.incidents)
        self.incidents = (*warnings, *self._comparison.incidents)
        self._graphs = list(self._make_graphs())

    def _make_graphs(self) -> "Iterator[_LinkGraph]":
        """The links of each document that is compared."""
        comparison = self._comparison
        names = comparison.response_side.corpus.names
        places = {name: number for number, name in enumerate(comparison.key.names)}
        rows = comparison.response.rows_of_documents()
        listed = (document for link_list in self._lists for document in link_list.documents)
        for name, document in zip(names, listed, strict=True):
            place = places.get(name)
            if place is None or len(rows[place]) != len(document.spans):
                continue
            links = document.undirected()
            index = {span: number for number, span in enumerate(document.spans)}
            ordered = sorted(links.items(), key=lambda item: -item[1])
            pairs = [(index[a], index[b]) for (a, b), _ in ordered]
            source, target = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
            own = np.array([_own_probability(document.own, span) for span in document.spans])
            p = np.array([p for _, p in ordered], dtype=np.float64)
            yield _LinkGraph(place, rows[place], own, source, target, p)

    def thresholds(self, points: int) -> list[float]:
        """All distinct probabilities, from the highest; `points` of them where there are more."""
        distinct: list[float] = np.unique(self._probabilities)[::-1].tolist()
        size = len(distinct)
        if size <= points:
            return distinct
        return [distinct[-(-rank * size // points) - 1] for rank in range(1, points + 1)]

    def points(self, thresholds: Sequence[float]) -> list[CurvePoint]:
        """The point at which no link is kept, and those at the thresholds, from the highest."""
        p = np.sort(self._probabilities)
        kept = [0, *(len(p) - int(np.searchsorted(p, t)) for t in thresholds)]
        count = self._count_together if self._is_plain else self._count_one_by_one
        rows = zip((None, *thresholds), kept, count(thresholds), strict=True)
        return [CurvePoint(t, links, *sizes, scores) for t, links, (sizes, scores) in rows]

    @property
    def _probabilities(self) -> FloatArray:
        return np.concatenate([np.zeros(0), *(graph.p for graph in self._graphs)])

    @property
    def _is_plain(self) -> bool:
        """Whether mentions have the same partners at all thresholds, and tables are enough."""
        scorer, options, comparison = self._scorer, self._scorer.options, self._comparison
        methods = ("lookups", "as_added", "match", "adjust_response", "scored_copies", "complete")
        overrides_nothing = all(getattr(type(scorer), m) is getattr(Scorer, m) for m in methods)
        return (
            overrides_nothing
            and options.match == "exact"
            and comparison.coverage is None
            and comparison.key.plurals is None
            and sum(len(graph.rows) for graph in self._graphs) == comparison.response.mentions
            and all(isinstance(get(m), PartitionMetric) for m in counted(options.metrics))
        )

    def _count_one_by_one(
        self, thresholds: Sequence[float]
    ) -> Iterator[tuple[tuple[int, int], Scores]]:
        """Mentions, entities and scores at each threshold, each compared from the beginning."""
        for threshold in (inf, *thresholds):
            corpus = links_as_corpus(self._lists, self._reading, threshold)
            read = self._scorer.read(corpus, PLAIN_SIDES.response)
            side = replace(read, path=self._path)
            comparison = self._scorer.compare(self._key, side, self._chosen)
            system = score_comparison(self._scorer, comparison, "")
            if system.scores is None:
                raise DataError(system.incidents)
            yield (system.size.mentions, system.size.entities), system.scores

    def _count_together(
        self, thresholds: Sequence[float]
    ) -> Iterator[tuple[tuple[int, int], Scores]]:
        """Mentions, entities and scores at each threshold; all states are counted at once."""
        key, options = self._comparison.key, self._scorer.options
        states = _States(self._comparison, drop=options.singletons == "drop")
        current = np.arange(len(key.names))  # the state of each document
        for number in current.tolist():
            states.add(number, np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))
        changes: list[list[tuple[int, int]]] = [[] for _ in thresholds]
        for graph in self._graphs:
            for at, rows, entities in graph.states(thresholds):
                changes[at].append((graph.document, states.add(graph.document, rows, entities)))
        names = [key.names[document] for document in states.documents]
        table, sizes = states.table()
        counts = count_table(options, table, names)
        scored = np.ones(len(key.names), dtype=bool)
        if self._comparison.documents is not None:
            scored = np.array([name in self._comparison.documents for name in key.names])
        for changed in ([], *changes):
            for document, state in changed:
                current[document] = state
            rows = current[scored]
            mentions, entities = sizes[rows].sum(axis=0).tolist()
            yield (mentions, entities), Scores(options, counts.select(rows))

    def calibrate(self, bin_size: int | None, samples: int, seed: int) -> Calibration | None:
        """The calibration of the probabilities; None where there are no links.

        A link is correct if its mentions have partners in one entity of the key.
        """
        pairs, key = self._comparison.pairs, self._comparison.key
        partner = np.full(self._comparison.response.mentions, -1, dtype=np.int64)
        partner[pairs.response] = key.entity[pairs.key]
        ends = [(partner[g.rows[g.source]], partner[g.rows[g.target]]) for g in self._graphs]
        right = [(source >= 0) & (source == target) for source, target in ends]
        document = [np.full(len(g.p), n) for n, g in enumerate(self._graphs)]
        return calibrate(
            self._probabilities,
            np.concatenate([np.zeros(0, dtype=bool), *right]),
            np.concatenate([np.zeros(0, dtype=np.int64), *document]),
            bin_size=bin_size,
            samples=samples,
            seed=seed,
        )


@frozen(eq=False)
class _LinkGraph:
    """The links of one document, each once and without direction.

    Attributes:
        document: its number in the key.
        rows: int64 (mentions,), the rows of its mentions in the response.
        own: float64 (mentions,), the probability of the mention itself; −inf where it has none, inf
            where it is always kept.
        source, target: int64 (links,), the two mentions of each link, as indices into `rows`.
        p: float64 (links,), the probabilities, from the highest to the lowest.
    """

    document: int
    rows: IntArray
    own: FloatArray
    source: IntArray
    target: IntArray
    p: FloatArray

    def states(self, thresholds: Sequence[float]) -> Iterator[tuple[int, IntArray, IntArray]]:
        """The states that differ from those before: the number of the threshold, rows, entities."""
        root, kept = np.arange(len(self.rows)), np.zeros(len(self.rows), dtype=bool)
        kept_links = np.searchsorted(-self.p, -np.array(thresholds), side="right").tolist()
        links = list(zip(self.source.tolist(), self.target.tolist(), strict=True))
        descending = np.sort(-self.own)
        kept_by_own = np.searchsorted(descending, -np.array(thresholds), side="right").tolist()
        links_done = mentions_done = 0
        for number, threshold in enumerate(thresholds):
            if kept_links[number] == links_done and kept_by_own[number] == mentions_done:
                continue
            kept |= self.own >= threshold
            for a, b in links[links_done : kept_links[number]]:
                kept[a] = kept[b] = True
                if root[a] != root[b]:
                    root[root == root[b]] = root[a]
            links_done, mentions_done = kept_links[number], kept_by_own[number]
            places = np.flatnonzero(kept)
            yield number, self.rows[places], root[places]


def _own_probability(probabilities: Mapping[Span, float | None], span: Span) -> float:
    """The probability of a mention itself: −inf where it has none, inf where it is always kept."""
    if span not in probabilities:
        return -inf
    p = probabilities[span]
    return inf if p is None else p


def _with_probabilities(
    lists: Sequence[LinkList], path: str
) -> tuple[Sequence[LinkList], list[Incident]]:
    """The lists, and their warnings.

    Raises DataError where they have errors, or scores that are not probabilities.
    """
    incidents = [incident for link_list in lists for incident in link_list.incidents]
    if errors(incidents):
        raise DataError(incidents)
    linked = any(document.links for link_list in lists for document in link_list.documents)
    if not lists or (linked and not any(link_list.scored for link_list in lists)):
        raise data_error("no-confidence", file=path)
    collector, warnings = Collector(path), Collector(path)
    for link_list in lists:
        for document in link_list.documents:
            document.note_reversed(warnings)
            for line, shown in document.improbable():
                name, expected = document.name, "a number from 0 to 1"
                collector.note("p-bad", at=line, document=name, found=shown, expected=expected)
    collector.check()
    return lists, [*incidents, *warnings]


class _States:
    """Several states of documents, each counted as a document.

    Attributes:
        documents: the document of each state, by its number in the key.
    """

    def __init__(self, comparison: Comparison, *, drop: bool) -> None:
        key, pairs = comparison.key, comparison.pairs
        self._drop = drop
        rank = entity_ranks(key)
        by_rank = np.argsort(rank)
        self._key_size = key.entity_size[by_rank]
        places = np.arange(len(key.names) + 1)
        self._bounds = np.searchsorted(key.entity_document[by_rank], places)
        self._partner = np.full(comparison.response.mentions, -1, dtype=np.int64)
        self._partner[pairs.response] = rank[key.entity[pairs.key]]
        self.documents: list[int] = []
        self._rows: list[IntArray] = []
        self._entities: list[IntArray] = []

    def add(self, document: int, rows: IntArray, entities: IntArray) -> int:
        """Add a document with these mentions in these entities; returns the number of the state."""
        self._rows.append(rows)
        self._entities.append(entities)
        self.documents.append(document)
        return len(self.documents) - 1

    def table(self) -> tuple[Directed, IntArray]:
        """The table of the key for all states; mentions and entities of each, int64 (states, 2)."""
        number = len(self.documents)
        state = np.repeat(np.arange(number), [len(rows) for rows in self._rows])
        rows, entity = np.concatenate(self._rows), np.concatenate(self._entities)
        width = int(entity.max(initial=0)) + 1
        entities = distinct(state * width + entity)
        if self._drop:
            kept = entities.counts[entities.inverse] > 1
            state, rows, entity = state[kept], rows[kept], entity[kept]
            entities = distinct(state * width + entity)
        response = state[entities.first], entities.counts
        mentions = np.bincount(state, minlength=number)
        sizes = np.stack((mentions, np.bincount(response[0], minlength=number)), axis=1)
        document = np.array(self.documents, dtype=np.int64)
        begin, count = self._bounds[document], np.diff(self._bounds)[document]
        key_size = self._key_size[stretches(begin, count)]
        key = np.repeat(np.arange(number), count), key_size
        shift = np.cumsum(count) - count - begin
        partner = self._partner[rows]
        both = np.flatnonzero(partner >= 0)
        ours, theirs = partner[both] + shift[state[both]], entities.inverse[both]
        return tabulate(number, key, response, ours, theirs), sizes
