"""Documents of an Evaluator as lists of clusters whose mentions are whatever can be hashed.

Documents of an Evaluator as corpora: spans with heads, split antecedents, bridging.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from operator import index
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts
from corefkit.core.links import KINDS, Links
from corefkit.core.options import Options
from corefkit.core.overlap import Entities, overlap_of_entities
from corefkit.scorers import scorer_for

Clusters = Iterable[Iterable[Hashable]]
"""The entities of one document; a mention is anything that can be hashed, e.g. (start, end)."""


class PlainSide(NamedTuple):
    """The clusters of one side of a document, and how many of its mentions are copies of others."""

    clusters: list[tuple[Hashable, ...]]
    copies: int


class PlainDocuments:
    """Documents that are matched but not yet counted, as flat lists of numbers.

    Attributes:
        documents: how many.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self.documents = 0
        # Of key and response: the document of each entity, and its size.
        self._document: tuple[list[int], list[int]] = [], []
        self._size: tuple[list[int], list[int]] = [], []
        # For each response mention the key entity that has it, over all documents, or −1.
        self._partner: list[int] = []

    def __len__(self) -> int:
        return len(self._partner)

    def add(self, document: tuple[PlainSide, PlainSide]) -> None:
        """Add one document, in which each mention stands once."""
        key, response = (side.clusters for side in document)
        entity_of: dict[Hashable, int] = {}
        for entity, mentions in enumerate(key, len(self._size[0])):
            entity_of.update(dict.fromkeys(mentions, entity))
        find = entity_of.get
        self._partner += [find(mention, -1) for mention in chain.from_iterable(response)]
        for place, clusters in enumerate((key, response)):
            self._document[place].extend([self.documents] * len(clusters))
            self._size[place].extend(map(len, clusters))
        self.documents += 1

    def count(self, names: Sequence[str]) -> Counts:
        """What was counted in the documents of these names."""
        key, response = (
            Entities(np.array(document, dtype=np.int64), np.array(size, dtype=np.int64))
            for document, size in zip(self._document, self._size, strict=True)
        )
        partner: IntArray = np.array(self._partner, dtype=np.int64)
        entity = np.repeat(np.arange(len(response.size)), response.size)
        common = partner >= 0
        sides = key, response
        overlap = overlap_of_entities(self.documents, sides, partner[common], entity[common])
        return scorer_for(self._options).count_overlap(overlap, names)


def each_once(clusters: Clusters, smallest: int) -> PlainSide:
    """Each mention once, the first copy; clusters that are left too small are gone."""
    listed, copies = listed_clusters(clusters)
    if copies:
        seen: set[Hashable] = set()
        for place, cluster in enumerate(listed):
            listed[place] = tuple(m for m in dict.fromkeys(cluster) if m not in seen)
            seen.update(cluster)
    return PlainSide([cluster for cluster in listed if len(cluster) >= smallest], copies)


_WANTED = "clusters are lists of hashable mentions, e.g. (start, end) tuples"


def listed_clusters(clusters: Clusters) -> PlainSide:
    """The clusters as tuples; TypeError for what can be iterated but is no list of clusters."""
    if isinstance(clusters, (str, bytes, Mapping)):
        raise TypeError(f"{_WANTED}, not a {type(clusters).__name__}")
    try:
        listed = [_listed(cluster) for cluster in clusters]
        copies = sum(map(len, listed)) - len(set(chain.from_iterable(listed)))
    except TypeError as error:
        raise TypeError(f"{_WANTED}: {error}") from None
    return PlainSide(listed, copies)


def _listed(cluster: Iterable[Hashable]) -> tuple[Hashable, ...]:
    if isinstance(cluster, (bytes, Mapping)):
        raise TypeError(f"a cluster is a list of mentions, not a {type(cluster).__name__}")
    return tuple(cluster)


Plurals = Mapping[int, Iterable[int]]
"""Entities with split antecedents: the place of a cluster → the places of those it is made of.

Non-referring expressions, which may be elements too, have the places behind the clusters."""

Bridging = Mapping[Hashable, Hashable]
"""Anaphor → anchor, both mentions."""


class AnnotatedSide(NamedTuple):
    """One side of a document, as rows of a corpus that count from 0.

    Attributes:
        rows: start, end and head of each mention, its cluster, and whether it refers.
        clusters: how many there are; a non-referring expression is one of its own.
        elements: clusters with split antecedents, and those that they are made of.
        bridges: the rows of anaphors and of their anchors.
        copies: how many mentions are copies of others.
    """

    rows: list[tuple[int, ...]]
    clusters: int
    elements: list[tuple[int, int]]
    bridges: list[tuple[int, int]]
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
    number: dict[Hashable, int] = {}
    sides = []
    for place, (side, copies) in enumerate(listed):
        parts = [None if pair is None else pair[place] for pair in besides.values()]
        plurals, silent, anchors = _besides(side, *parts)
        head = _needs_head(options, place)
        rows: list[tuple[int, ...]] = []
        row_of: dict[Hashable, int] = {}
        for entity, cluster in enumerate((*side, *((mention,) for mention in silent))):
            for mention in cluster:
                row_of.setdefault(mention, len(rows))
                if of_spans:
                    span = span_with_head(mention, head)
                else:
                    span = (number.setdefault(mention, len(number)),) * 3
                rows.append((*span, entity, entity < len(side)))
        elements = [(plural, e) for plural, own in plurals.items() for e in dict.fromkeys(own)]
        bridges = [(row_of[anaphor], row_of[anchor]) for anaphor, anchor in anchors.items()]
        size = len(side) + len(silent)
        sides.append(AnnotatedSide(rows, size, elements, bridges, copies))
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
        self._sides: tuple[list[AnnotatedSide], list[AnnotatedSide]] = [], []
        self._mentions = 0

    @property
    def documents(self) -> int:
        """How many."""
        return len(self._sides[0])

    def __len__(self) -> int:
        return self._mentions

    def add(self, document: tuple[AnnotatedSide, AnnotatedSide]) -> None:
        """Add one document."""
        for sides, side in zip(self._sides, document, strict=True):
            sides.append(side)
        self._mentions += len(document[1].rows)

    def count(self, names: Sequence[str]) -> Counts:
        """What was counted in the documents of these names."""
        whole = _corpus(self._sides[0], names), _corpus(self._sides[1], names)
        scorer = scorer_for(self._options)
        return scorer.count(scorer.compare_corpora(*whole))


def _corpus(sides: Sequence[AnnotatedSide], names: Sequence[str]) -> Corpus:
    """The same side of all documents."""
    table = np.array([row for side in sides for row in side.rows], dtype=np.int64).reshape(-1, 5)
    start, end, head, entity, referring = table.T
    first_row = np.cumsum([0, *(len(side.rows) for side in sides)])
    first_cluster = np.cumsum([0, *(side.clusters for side in sides)])
    document = np.repeat(np.arange(len(sides)), np.diff(first_row))
    links = [
        (KINDS.index(name), first + one, first + other)
        for number, side in enumerate(sides)
        for name, first, ends in (
            ("element", first_cluster[number], side.elements),
            ("bridging", first_row[number], side.bridges),
        )
        for one, other in ends
    ]
    kind, source, target = np.array(links, dtype=np.int64).reshape(-1, 3).T
    # A cluster may be empty: then its number is that of no entity, and the next ones move up.
    corpus = Corpus(
        tuple(names),
        np.full(len(names), -1, dtype=np.int64),
        document,
        start,
        end,
        entity + first_cluster[document],
        tuple(map(str, range(first_cluster[-1]))),
        head=head,
        referring=None if referring.all() else referring.astype(bool),
        links=Links(kind, source, target, ("",) * len(links)) if links else None,
    )
    return corpus.take(np.arange(corpus.mentions))


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
