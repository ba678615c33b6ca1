"""A list of links at every threshold.

At a threshold, the links that are at least as probable are kept, and connected mentions are an
entity.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import Any

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus, Span
from corefkit.core.incidents import Collector, DataError, Incident, data_error, errors
from corefkit.core.options import PLAIN_SIDES, Reading
from corefkit.core.texts import decimal_text
from corefkit.formats.kit.link_lists import LinkList, links_as_corpus
from corefkit.formats.kit.reading import read_links
from corefkit.plugins.study.calibration import Calibration, calibrate
from corefkit.scorers import scorer_for
from corefkit.scorers.comparison import Comparison, Side
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
    """A list of links with probabilities, and the key that it is scored against.

    Attributes:
        incidents: those of the list and of the comparison of all its mentions.
    """

    def __init__(
        self, scorer: Scorer, key: Side, path: str, reading: Reading, chosen: set[str] | None
    ) -> None:
        self._scorer, self._key, self._path, self._chosen = scorer, key, path, chosen
        self._lists, warnings = _with_probabilities(read_links(path, reading), path)
        self._whole = links_as_corpus(self._lists, reading, None)
        keeping = scorer_for(replace(scorer.options, singletons="keep"))
        self._comparison = self._compare(keeping, self._whole)
        self.incidents = (*warnings, *self._comparison.incidents)

    def _compare(self, scorer: Scorer, corpus: Corpus) -> Comparison:
        side = replace(scorer.read(corpus, PLAIN_SIDES.response), path=self._path)
        comparison = self._scorer.compare(self._key, side, self._chosen)
        if comparison.failed:
            raise DataError(comparison.incidents)
        return comparison

    @cached_property
    def _links(self) -> "_Links":
        """The links of all documents."""
        comparison, whole = self._comparison, self._whole
        numbers = {name: number for number, name in enumerate(comparison.key.names)}
        compared = comparison.response.rows_of_documents()
        row_in_comparison = np.full(whole.mentions, -1, dtype=np.int64)
        own = np.full(whole.mentions, -inf)
        pairs: list[tuple[int, int]] = []
        p: list[float] = []
        listed = (document for link_list in self._lists for document in link_list.documents)
        rows_of = whole.rows_of_documents()
        for name, rows, document in zip(whole.names, rows_of, listed, strict=True):
            number = numbers.get(name)
            if number is not None and len(compared[number]) == len(rows):
                row_in_comparison[rows] = compared[number]
            own[rows] = [_own_probability(document.own, span) for span in document.spans]
            row = dict(zip(document.spans, rows.tolist(), strict=True))
            links = sorted(document.undirected().items(), key=lambda item: -item[1])
            pairs += [(row[a], row[b]) for (a, b), _ in links]
            p += [probability for _, probability in links]
        source, target = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
        return _Links(row_in_comparison, own, source, target, np.array(p, dtype=np.float64))

    @property
    def _probabilities(self) -> FloatArray:
        """Those of the links in documents that are compared, float64 (links,)."""
        probabilities: FloatArray = self._links.p[self._links.compared]
        return probabilities

    def thresholds(self, points: int) -> list[float]:
        """All distinct probabilities, from the highest; `points` of them where there are more."""
        distinct: list[float] = np.unique(self._probabilities)[::-1].tolist()
        size = len(distinct)
        if size <= points:
            return distinct
        return [distinct[-(-rank * size // points) - 1] for rank in range(1, points + 1)]

    def points(self, thresholds: Sequence[float]) -> list[CurvePoint]:
        """The point at which no link is kept, and those at the thresholds, from the highest."""
        p = self._probabilities
        points = []
        for threshold in (None, *thresholds):
            least = inf if threshold is None else threshold
            comparison = self._compare(self._scorer, self._at(least))
            system = score_comparison(self._scorer, comparison, "")
            if system.scores is None:
                raise DataError(system.incidents)
            links, size = int(np.count_nonzero(p >= least)), system.size
            points.append(CurvePoint(threshold, links, size.mentions, size.entities, system.scores))
        return points

    def _at(self, threshold: float) -> Corpus:
        """The corpus at a threshold; its entities are what links connect."""
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import connected_components

        links, whole = self._links, self._whole
        strong = links.p >= threshold
        source, target = links.source[strong], links.target[strong]
        kept = links.own >= threshold
        kept[source] = kept[target] = True
        size = whole.mentions
        graph = coo_array((np.ones(len(source)), (source, target)), shape=(size, size))
        number, entity = connected_components(graph, directed=False)
        labels = tuple(map(str, range(number)))
        return replace(whole, entity=entity.astype(np.int64), labels=labels).take(kept)

    def calibrate(self, bin_size: int | None, samples: int, seed: int) -> Calibration | None:
        """The calibration of the probabilities; None where there are no links.

        A link is correct if its mentions have partners in one entity of the key.
        """
        pairs, key, links = self._comparison.pairs, self._comparison.key, self._links
        partner = np.full(self._comparison.response.mentions, -1, dtype=np.int64)
        partner[pairs.response] = key.entity[pairs.key]
        rows, compared = links.row_in_comparison, links.compared
        source, target = (partner[rows[side[compared]]] for side in (links.source, links.target))
        document = self._whole.document[links.source[compared]]
        return calibrate(
            self._probabilities,
            (source >= 0) & (source == target),
            np.unique(document, return_inverse=True)[1],
            bin_size=bin_size,
            samples=samples,
            seed=seed,
        )


@frozen(eq=False)
class _Links:
    """The links of all documents, each once and without direction.

    Attributes:
        row_in_comparison: int64 (mentions,), the row of each mention in the comparison; −1 where
            its document is not compared.
        own: float64 (mentions,), the probability of the mention itself; −inf where it has none, inf
            where it is always kept.
        source, target: int64 (links,), the rows of the two mentions of each link.
        p: float64 (links,), the probabilities.
    """

    row_in_comparison: IntArray
    own: FloatArray
    source: IntArray
    target: IntArray
    p: FloatArray

    @property
    def compared(self) -> BoolArray:
        """bool (links,): whether their document is compared."""
        return self.row_in_comparison[self.source] >= 0


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
