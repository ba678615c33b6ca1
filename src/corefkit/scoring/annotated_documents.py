"""Documents of an Evaluator as corpora: spans with heads, split antecedents, bridging."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from operator import index
from typing import Any, NamedTuple

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.counts import Counts
from corefkit.data.links import KINDS, Links
from corefkit.data.options import Options
from corefkit.profiles.counting import count, match_sides
from corefkit.scoring.plain_documents import Clusters, each_once, listed_clusters
from corefkit.scoring.prepare import prepare

Plurals = Mapping[int, Iterable[int]]
"""Entities with split antecedents: the place of a cluster → the places of those it is made of.

Non-referring expressions, which may be elements too, have the places behind the clusters."""

Bridging = Mapping[Hashable, Hashable]
"""Anaphor → anchor, both mentions."""

_NodeSpan = tuple[int, int, int]
"""Start, end and head."""


class AnnotatedSide(NamedTuple):
    """One side of a document: clusters as they were listed, what is annotated besides, the spans
    of the mentions, and how many copies of them there are."""

    clusters: Sequence[Sequence[Hashable]]
    plurals: dict[int, list[int]]
    nonreferring: list[Hashable]
    bridging: dict[Hashable, Hashable]
    spans: dict[Hashable, _NodeSpan]
    copies: int


def annotated_document(
    clusters: tuple[Clusters, Clusters],
    besides: Mapping[str, Any],
    options: Options,
    *,
    of_spans: bool,
) -> tuple[AnnotatedSide, AnnotatedSide]:
    """A document that can be added; TypeError or ValueError where something is wrong with it.

    With `of_spans` mentions are (start, end[, head]); elsewhere any will do, and they are numbered.
    """
    listed = [listed_clusters(side) for side in clusters]
    copies = [each_once(side, 1).copies for side in listed]
    number: dict[Hashable, int] = {}
    sides = []
    for place, side in enumerate(listed):
        parts = [None if pair is None else pair[place] for pair in besides.values()]
        plurals, silent, anchors = _besides(side, *parts)
        mentions = dict.fromkeys((*(m for cluster in side for m in cluster), *silent))
        if of_spans:
            head = _needs_head(options, place)
            spans = {m: span_with_head(m, head) for m in mentions}
        else:
            numbered = {m: number.setdefault(m, len(number)) for m in mentions}
            spans = {m: (n, n, n) for m, n in numbered.items()}
        sides.append(AnnotatedSide(side, plurals, silent, anchors, spans, copies[place]))
    return sides[0], sides[1]


def _besides(
    clusters: Sequence[Sequence[Hashable]],
    plurals: Plurals | None = None,
    nonreferring: Iterable[Hashable] | None = None,
    bridging: Bridging | None = None,
) -> tuple[dict[int, list[int]], list[Hashable], dict[Hashable, Hashable]]:
    """What is annotated besides chains; TypeError or ValueError for what is not in the document."""
    for name, given in (("split", plurals), ("bridging", bridging)):
        if not isinstance(given, Mapping | None):
            raise TypeError(f"{name}: a dict for each side, not {given!r:.60}")
    silent = list(nonreferring or ())
    anchors = dict(bridging or {})
    mentions = {mention for cluster in clusters for mention in cluster} | {*silent}
    for end in (*anchors, *anchors.values()):
        if end not in mentions:
            raise ValueError(f"bridging: {end!r:.60} is no mention of the document")
    return _plurals(plurals or {}, len(clusters), len(silent)), silent, anchors


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
    """Documents that wait to be matched and counted as corpora, in which all can be said."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self.documents = 0
        self._sides = _SideColumns(), _SideColumns()

    def __len__(self) -> int:
        return len(self._sides[1].rows)

    def add(self, document: tuple[AnnotatedSide, AnnotatedSide]) -> None:
        """Add one document."""
        for columns, side in zip(self._sides, document, strict=True):
            columns.add(self.documents, side)
        self.documents += 1

    def count(self, names: Sequence[str]) -> Counts:
        """What was counted in the documents of these names."""
        whole = self._sides[0].corpus(names), self._sides[1].corpus(names)
        key, response = (prepare(side, self._options)[0] for side in whole)
        matched = match_sides(key, response, self._options)
        return count(replace(matched, annotated=whole), self._options)


class _SideColumns:
    """The documents of one side as the columns of a corpus."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, ...]] = []
        self._entities = 0
        self._links: list[tuple[str, int, int]] = []

    def add(self, document: int, one: AnnotatedSide) -> None:
        """Add one document."""
        first, row_of = self._entities, dict[Hashable, int]()
        clusters = [*((c, True) for c in one.clusters), *(([m], False) for m in one.nonreferring)]
        for entity, (cluster, referring) in enumerate(clusters, first):
            for mention in cluster:
                row_of.setdefault(mention, len(self.rows))
                self.rows.append((document, *one.spans[mention], entity, referring))
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


def _needs_head(options: Options, side: int) -> bool:
    """Whether mentions of the key (0) or the response (1) are matched by their heads."""
    return options.match == "head" or (options.match in ("partial", "semeval") and side == 0)


def span_with_head(mention: Hashable, needs_head: bool = True) -> tuple[int, int, int]:
    """Start, end and head of a mention; a mention of one token is its own head.

    >>> span_with_head((4, 6, 5)), span_with_head((4, 4))
    ((4, 6, 5), (4, 4, 4))
    """
    try:
        start, end, *rest = (index(number) for number in mention)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        raise TypeError(
            f"a mention is (start, end) or (start, end, head), not {mention!r:.60}"
        ) from None
    head = rest[0] if len(rest) == 1 else start if start == end else -2
    if len(rest) > 1 or not 0 <= start <= end or (rest and not start <= head <= end):
        raise ValueError(f"{mention!r} is not a span with its head (0 ≤ start ≤ head ≤ end)")
    if needs_head and head == -2:
        raise ValueError(f"{mention!r} has no head: give (start, end, head)")
    return start, end, head
