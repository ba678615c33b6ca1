"""Documents of an Evaluator with more than chains: split antecedents, non-referring, bridging."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import index
from typing import NamedTuple

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.counts import Counts
from corefkit.data.links import KINDS, Links
from corefkit.data.options import Options
from corefkit.profiles.counting import count, match_sides
from corefkit.scoring.prepare import prepare
from corefkit.scoring.span_evaluation import needs_head, span_with_head

Plurals = Mapping[int, Iterable[int]]
"""Entities with split antecedents: the place of a cluster → the places of those it is made of.

Non-referring expressions, which may be elements too, have the places behind the clusters."""

Bridging = Mapping[Hashable, Hashable]
"""Anaphor → anchor, both mentions."""


class Annotated(NamedTuple):
    """One side of a document: clusters as they were listed, and what is annotated besides."""

    clusters: Sequence[Sequence[Hashable]]
    plurals: dict[int, list[int]]
    nonreferring: list[Hashable]
    bridging: dict[Hashable, Hashable]


def annotated(
    clusters: Sequence[Sequence[Hashable]],
    plurals: Plurals | None,
    nonreferring: Iterable[Hashable] | None,
    bridging: Bridging | None,
) -> Annotated:
    """The side of a document; TypeError or ValueError for what refers to nothing in it."""
    for name, given in (("split", plurals), ("bridging", bridging)):
        if not isinstance(given, Mapping | None):
            raise TypeError(f"{name}: a dict for each side, not {given!r:.60}")
    silent = list(nonreferring or ())
    anchors = dict(bridging or {})
    mentions = {mention for cluster in clusters for mention in cluster} | {*silent}
    for end in (*anchors, *anchors.values()):
        if end not in mentions:
            raise ValueError(f"bridging: {end!r:.60} is no mention of the document")
    return Annotated(clusters, _plurals(plurals or {}, len(clusters), len(silent)), silent, anchors)


def _plurals(given: Plurals, clusters: int, silent: int) -> dict[int, list[int]]:
    """The plurals with their elements; none may be made of itself."""
    plurals = {}
    for plural, elements in given.items():
        own = [index(place) for place in elements]
        for place, most in ((index(plural), clusters), *((e, clusters + silent) for e in own)):
            if not 0 <= place < most:
                raise ValueError(f"split: there is no cluster {place}, only {clusters} (from 0)")
        plurals[index(plural)] = own
    # Whatever is made of plain clusters only is plain itself; what is left goes round in a circle.
    left = dict(plurals)
    while plain := [one for one, own in left.items() if not any(e in left for e in own)]:
        for one in plain:
            del left[one]
    if left:
        raise ValueError(f"split: cluster {min(left)} is an element of itself")
    return plurals


class AnnotatedDocuments:
    """Documents that wait to be counted as corpora, in which all can be said.

    Where the options match mentions by more than equality they must be spans; elsewhere any
    mention will do, and is numbered.
    """

    def __init__(self, options: Options, *, of_spans: bool) -> None:
        self._options, self._of_spans = options, of_spans
        self.documents = 0
        self._sides = _SideColumns(), _SideColumns()

    def __len__(self) -> int:
        return len(self._sides[1].rows)

    def add(self, key: Annotated, response: Annotated) -> None:
        """Add one document; TypeError or ValueError for mentions that are no spans and should."""
        spans = self.check(key, response)
        for side, one, span in zip(self._sides, (key, response), spans, strict=True):
            side.add(self.documents, one, span)
        self.documents += 1

    def check(self, key: Annotated, response: Annotated) -> "list[dict[Hashable, _NodeSpan]]":
        """The spans of the mentions of both sides."""
        number: dict[Hashable, int] = {}
        found = []
        for side, one in enumerate((key, response)):
            mentions = dict.fromkeys((*(m for c in one.clusters for m in c), *one.nonreferring))
            if self._of_spans:
                head = needs_head(self._options, side)
                found.append({m: span_with_head(m, head) for m in mentions})
            else:
                numbered = {m: number.setdefault(m, len(number)) for m in mentions}
                found.append({m: (n, n, n) for m, n in numbered.items()})
        return found

    def count(self, names: Sequence[str]) -> Counts:
        """What was counted in the documents of these names."""
        whole = self._sides[0].corpus(names), self._sides[1].corpus(names)
        key, response = (prepare(side, self._options)[0] for side in whole)
        matched = match_sides(key, response, self._options)
        return count(replace(matched, annotated=whole), self._options)


_NodeSpan = tuple[int, int, int]
"""Start, end and head."""


class _SideColumns:
    """The documents of one side as the columns of a corpus."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, ...]] = []
        self._entities = 0
        self._links: list[tuple[str, int, int]] = []

    def add(self, document: int, one: Annotated, spans: Mapping[Hashable, _NodeSpan]) -> None:
        """Add one document."""
        first, row_of = self._entities, dict[Hashable, int]()
        clusters = [*((c, True) for c in one.clusters), *(([m], False) for m in one.nonreferring)]
        for entity, (cluster, referring) in enumerate(clusters, first):
            for mention in cluster:
                row_of.setdefault(mention, len(self.rows))
                self.rows.append((document, *spans[mention], entity, referring))
        self._entities += len(clusters)
        for plural, elements in one.plurals.items():
            self._links += [("element", first + plural, first + e) for e in dict.fromkeys(elements)]
        self._links += [("bridging", row_of[a], row_of[b]) for a, b in one.bridging.items()]

    def corpus(self, names: Sequence[str]) -> Corpus:
        """All of it."""
        table = np.array(self.rows, dtype=np.int64).reshape(-1, 6)
        document, start, end, head, entity, referring = table.T
        # A cluster may be empty: then its number is that of no entity, and the next ones move up.
        corpus = Corpus(
            tuple(names),
            np.full(len(names), -1, dtype=np.int64),
            document,
            start,
            end,
            entity,
            tuple(map(str, range(self._entities))),
            head=head,
            referring=None if referring.all() else referring.astype(bool),
            links=self._made_links(),
        )
        return corpus.take(np.arange(corpus.mentions))

    def _made_links(self) -> Links | None:
        if not self._links:
            return None
        kind = np.array([KINDS.index(kind) for kind, _, _ in self._links], dtype=np.int64)
        source, target = np.array([ends[1:] for ends in self._links], dtype=np.int64).T
        return Links(kind, source, target, ("",) * len(kind))
