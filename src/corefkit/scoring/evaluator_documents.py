"""The documents of an Evaluator: checked when they are added, counted many at a time.

A document that has only clusters is matched as soon as it is added: mentions can be anything
hashable, and only a few numbers of them are kept. A document with heads, split antecedents,
non-referring expressions or bridging is kept as rows of two corpora, which are later matched and
counted like those of files.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus, token_number
from corefkit.core.counts import Counts, add
from corefkit.core.directed import Directed, tabulate
from corefkit.core.links import KINDS, Links
from corefkit.core.options import Options
from corefkit.scorers import scorer_for

Clusters = Iterable[Iterable[Hashable]]
"""The entities of one document; a mention is anything that can be hashed, e.g. (start, end)."""

SplitClusters = Mapping[int, Iterable[int]]
"""The number of a cluster → the numbers of the clusters that it is made of, from 0.

Non-referring expressions, which may be elements too, are numbered after the clusters."""

Bridging = Mapping[Hashable, Hashable]
"""Anaphor → anchor, both mentions."""

_ListedClusters = list[tuple[Hashable, ...]]


class PlainDocument(NamedTuple):
    """A document that has only clusters, each mention once.

    `copies` is the number of repeated mentions that were removed from key and response.
    """

    key: _ListedClusters
    response: _ListedClusters
    copies: tuple[int, int]


class AnnotatedSide(NamedTuple):
    """One side of a document, as rows of a corpus; clusters and rows are numbered from 0.

    Attributes:
        rows: start, end and head of each mention, its cluster, and whether it refers.
        clusters: how many there are; each non-referring expression is a cluster of its own.
        elements: pairs of a cluster with split antecedents and a cluster that it is made of.
        bridges: pairs of the row of an anaphor and that of its anchor.
    """

    rows: list[tuple[int, ...]]
    clusters: int
    elements: list[tuple[int, int]]
    bridges: list[tuple[int, int]]


class AnnotatedDocument(NamedTuple):
    """A document with more annotations than its clusters.

    `copies` is the number of repeated mentions of key and response, which are still in the rows.
    """

    key: AnnotatedSide
    response: AnnotatedSide
    copies: tuple[int, int]


class DocumentBuffer:
    """Documents that are waiting to be counted together."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._is_plain: list[bool] = []
        self._plain = _MatchedClusters()
        self._annotated: list[AnnotatedDocument] = []
        self._annotated_mentions = 0

    def __len__(self) -> int:
        return len(self._is_plain)

    @property
    def mentions(self) -> int:
        """How many mentions the responses have."""
        return len(self._plain.partner) + self._annotated_mentions

    def add(self, document: PlainDocument | AnnotatedDocument) -> None:
        """Add one document."""
        if isinstance(document, PlainDocument):
            self._plain.add(document.key, document.response)
            self._is_plain.append(True)
        else:
            self._annotated.append(document)
            self._annotated_mentions += len(document.response.rows)
            self._is_plain.append(False)

    def count(self, names: Sequence[str]) -> Counts:
        """The counts of all documents; `names` are theirs, in the order of their addition."""
        scorer = scorer_for(self._options)
        plain = [name for name, is_plain in zip(names, self._is_plain, strict=True) if is_plain]
        annotated = [
            name for name, is_plain in zip(names, self._is_plain, strict=True) if not is_plain
        ]
        parts = []
        if plain:
            parts.append(scorer.count_table(self._plain.table(), plain))
        if annotated or not plain:
            key = _corpus([document.key for document in self._annotated], annotated)
            response = _corpus([document.response for document in self._annotated], annotated)
            parts.append(scorer.count(scorer.compare_corpora(key, response)))
        if len(parts) == 1:
            return parts[0]
        # The rows of plain documents come first: restore the order of the names.
        rows = np.argsort(~np.array(self._is_plain), kind="stable")
        return add(parts).select(np.argsort(rows))


class _MatchedClusters:
    """Plain documents as flat lists of numbers.

    Attributes:
        documents: how many there are.
        partner: for each response mention the key entity that has it, numbered over all
            documents, or −1.
    """

    def __init__(self) -> None:
        self.documents = 0
        self.partner: list[int] = []
        # For key and response: how many entities each document has, and the size of each entity.
        self._entities: tuple[list[int], list[int]] = [], []
        self._size: tuple[list[int], list[int]] = [], []

    def add(self, key: _ListedClusters, response: _ListedClusters) -> None:
        """Add one document."""
        entity_of: dict[Hashable, int] = {}
        for entity, mentions in enumerate(key, len(self._size[0])):
            entity_of.update(dict.fromkeys(mentions, entity))
        find = entity_of.get
        self.partner += [find(mention, -1) for mention in chain.from_iterable(response)]
        for place, clusters in enumerate((key, response)):
            self._entities[place].append(len(clusters))
            self._size[place].extend(map(len, clusters))
        self.documents += 1

    def table(self) -> Directed:
        """The table of the key, for all documents."""
        numbers = np.arange(self.documents)
        key, response = (
            (np.repeat(numbers, entities), np.array(size, dtype=np.int64))
            for entities, size in zip(self._entities, self._size, strict=True)
        )
        partner: IntArray = np.array(self.partner, dtype=np.int64)
        entity = np.repeat(np.arange(len(response[1])), response[1])
        common = partner >= 0
        return tabulate(self.documents, key, response, partner[common], entity[common])


def plain_document(
    key: Clusters, response: Clusters, options: Options, *, keep_copies: bool
) -> PlainDocument | AnnotatedDocument:
    """A document that has only clusters; TypeError where they are something else.

    The first copy of a repeated mention counts; clusters that are then too small are dropped. With
    `keep_copies` a document with repeated mentions keeps all of them, as an AnnotatedDocument.
    """
    smallest = 2 if options.singletons == "drop" else 1
    sides, copies = [], []
    listed_sides = _listed_sides(key, response)
    if keep_copies and any(repeated for _, repeated in listed_sides):
        (key_clusters, _), (response_clusters, _) = listed_sides
        return annotated_document(key_clusters, response_clusters, {}, options, of_spans=False)
    for listed, repeated in listed_sides:
        if repeated:
            seen: set[Hashable] = set()
            for number, cluster in enumerate(listed):
                listed[number] = tuple(m for m in dict.fromkeys(cluster) if m not in seen)
                seen.update(cluster)
        sides.append([cluster for cluster in listed if len(cluster) >= smallest])
        copies.append(repeated)
    return PlainDocument(sides[0], sides[1], (copies[0], copies[1]))


def _are(values: Iterable[Any], *types: type) -> bool:
    """Whether all values have one of these types; subclasses do not count."""
    return {*map(type, values)} <= {*types}


WANTED = "clusters are lists of hashable mentions, e.g. (start, end) tuples"
_USED_UP = "there is nothing in this iterator, which may be used up; give a list"


def _listed_sides(key: Clusters, response: Clusters) -> list[tuple[_ListedClusters, int]]:
    """The clusters of each side as tuples, and how many mentions are copies of others.

    Raises TypeError for anything that is not a list of clusters.
    """
    try:
        listed_sides = [list_clusters(clusters) for clusters in (key, response)]
        check_depth([*listed_sides[0], *listed_sides[1]])
        return [_with_copies(listed) for listed in listed_sides]
    except TypeError as error:
        raise TypeError(f"{WANTED}{error}") from None


def list_clusters(clusters: Clusters) -> _ListedClusters:
    """The clusters as tuples; TypeError, to follow WANTED, where these are not clusters."""
    if not isinstance(clusters, (list, tuple)) and isinstance(clusters, (str, bytes, Mapping)):
        raise TypeError(f", not a {type(clusters).__name__}")
    try:
        listed = [_listed_mentions(cluster) for cluster in clusters]
    except TypeError as error:
        raise TypeError(f": {error}") from None
    if not listed and isinstance(clusters, Iterator):
        raise TypeError(f": {_USED_UP}")
    return listed


def _with_copies(listed: _ListedClusters) -> tuple[_ListedClusters, int]:
    """The clusters with hashable mentions, and how many mentions are copies of others."""
    try:
        distinct = set(chain.from_iterable(listed))
    except TypeError:
        listed = [tuple(map(hashable, cluster)) for cluster in listed]
        try:
            distinct = set(chain.from_iterable(listed))
        except TypeError as error:
            raise TypeError(f": {error}") from None
    return listed, sum(map(len, listed)) - len(distinct)


def check_depth(clusters: Sequence[Sequence[Any]], *, parts: bool = True) -> None:
    """Raise TypeError where the lists are one level too deep, or one too flat.

    They are too deep where every mention looks like a cluster: a list of spans or of texts, or a
    tuple of spans; with `parts`, of several, because a tuple of one may be meant as a mention. They
    are too flat where all clusters are pairs of integers, and one has the same integer twice.
    """
    first = next(chain.from_iterable(clusters), None)
    if isinstance(first, (list, tuple)):
        if first and isinstance(first[0], (list, tuple, str)) and _are_nested(clusters, parts):
            raise TypeError(
                ", and these are one level too deep: the clusters of one document are expected, "
                "and `corefkit.Evaluator.update_batch` takes those of several (a mention of "
                "several parts is a tuple of tuples)"
            )
    elif isinstance(first, int) and _are_spans(clusters):
        raise TypeError(
            ", and these are one level too flat: mentions where the clusters of a document are "
            "expected (`corefkit.Evaluator.update_batch` takes a list of documents)"
        )


def _are_nested(clusters: Sequence[Sequence[Any]], parts: bool) -> bool:
    """Whether all mentions are lists of spans or of texts, or tuples of spans, of several if they
    may be `parts` of a mention.
    """
    return all(
        isinstance(mention, (list, tuple))
        and len(mention) > (parts and isinstance(mention, tuple))
        and (
            (
                _are(mention, list, tuple)
                and all(len(span) in (2, 3) and _are_whole(span) for span in mention)
            )
            or (isinstance(mention, list) and _are(mention, str))
        )
        for cluster in clusters
        for mention in cluster
    )


def _are_whole(numbers: Iterable[Any]) -> bool:
    """Whether these are whole numbers, of Python or of numpy."""
    return all(isinstance(number, Integral) for number in numbers)


def _are_spans(clusters: Sequence[Sequence[Any]]) -> bool:
    """Whether all clusters are pairs of integers, and one is a span of one token."""
    pairs = all(len(cluster) == 2 and _are(cluster, int) for cluster in clusters)
    return pairs and any(first == last for first, last in clusters)


def hashable(mention: Any) -> Any:
    """A mention with its lists, as JSON has them, turned into tuples.

    >>> hashable([4, 5]), hashable([[4, 5], [7, 7]]), hashable("Ada")
    ((4, 5), ((4, 5), (7, 7)), 'Ada')
    """
    return tuple(map(hashable, mention)) if isinstance(mention, list) else mention


def _listed_mentions(cluster: Iterable[Hashable]) -> tuple[Hashable, ...]:
    """The mentions of a cluster; TypeError where it is not a collection of mentions.

    A word, as in examples, is a cluster of its letters; any other text is a list that was printed.
    """
    if not isinstance(cluster, (list, tuple)) and isinstance(cluster, (bytes, Mapping)):
        raise TypeError(f"a cluster is a list of mentions, not a {type(cluster).__name__}")
    if isinstance(cluster, str) and not cluster.isalpha():
        raise TypeError(f"a cluster is a list of mentions, not the text {cluster!r:.60}")
    mentions = tuple(cluster)
    if not mentions and isinstance(cluster, Iterator):
        raise TypeError(_USED_UP)
    return mentions


def annotated_document(
    key: Clusters,
    response: Clusters,
    annotations: Mapping[str, Any],
    options: Options,
    *,
    of_spans: bool,
) -> AnnotatedDocument:
    """A document with annotations; TypeError or ValueError where something is wrong with it.

    `annotations` may have the pairs `split`, `nonreferring` and `bridging`, of key and response.
    With `of_spans` mentions are (start, end[, head]); otherwise they may have any shape, and are
    replaced by numbers.
    """
    numbers: dict[Hashable, int] = {}
    sides, copies = [], []
    for side, (clusters, repeated) in enumerate(_listed_sides(key, response)):
        of_side = {name: pair[side] for name, pair in annotations.items() if pair is not None}
        head = _needs_head(options, side)
        spans = partial(span_with_head, needs_head=head) if of_spans else partial(_number, numbers)
        sides.append(_annotated_side(clusters, spans, **of_side))
        copies.append(repeated)
    return AnnotatedDocument(sides[0], sides[1], (copies[0], copies[1]))


def _number(numbers: dict[Hashable, int], mention: Hashable) -> tuple[int, int, int]:
    """A span that stands for a mention of any shape; the same for equal mentions."""
    number = numbers.setdefault(mention, len(numbers))
    return number, number, number


def _annotated_side(
    clusters: _ListedClusters,
    span_of: Callable[[Hashable], tuple[int, int, int]],
    split: SplitClusters | None = None,
    nonreferring: Iterable[Hashable] | None = None,
    bridging: Bridging | None = None,
) -> AnnotatedSide:
    """One side as rows; TypeError or ValueError where an annotation does not fit the clusters."""
    for name, annotation in (("split", split), ("bridging", bridging)):
        if not isinstance(annotation, Mapping | None):
            raise TypeError(f"{name}: a dict for each side, not {annotation!r:.60}")
    expletives = [hashable(mention) for mention in nonreferring or ()]
    anchors = {anaphor: hashable(anchor) for anaphor, anchor in (bridging or {}).items()}
    mentions = {mention for cluster in clusters for mention in cluster} | {*expletives}
    for end in (*anchors, *anchors.values()):
        if end not in mentions:
            raise ValueError(f"bridging: {end!r:.60} is not a mention of the document")
    elements = _elements(split or {}, len(clusters), len(expletives))
    rows: list[tuple[int, ...]] = []
    row_of: dict[Hashable, int] = {}
    for entity, cluster in enumerate((*clusters, *((mention,) for mention in expletives))):
        for mention in cluster:
            row_of.setdefault(mention, len(rows))
            rows.append((*span_of(mention), entity, entity < len(clusters)))
    return AnnotatedSide(
        rows,
        len(clusters) + len(expletives),
        [(whole, part) for whole, parts in elements.items() for part in dict.fromkeys(parts)],
        [(row_of[anaphor], row_of[anchor]) for anaphor, anchor in anchors.items()],
    )


def _elements(split: SplitClusters, clusters: int, nonreferring: int) -> dict[int, list[int]]:
    """Cluster with split antecedents → its elements; ValueError where one contains itself."""
    elements = {}
    for whole, parts in split.items():
        listed = [token_number(part) for part in parts]
        limits = (
            (token_number(whole), clusters),
            *((part, clusters + nonreferring) for part in listed),
        )
        for number, limit in limits:
            if not 0 <= number < limit:
                raise ValueError(f"split: there is no cluster {number}, only {clusters} (from 0)")
        elements[token_number(whole)] = listed
    # A cluster whose elements are all decided is decided, too; what is left over is in a circle.
    undecided = dict(elements)
    while decided := [
        whole for whole, parts in undecided.items() if not any(p in undecided for p in parts)
    ]:
        for whole in decided:
            del undecided[whole]
    if undecided:
        raise ValueError(f"split: cluster {min(undecided)} is an element of itself")
    return elements


def _corpus(sides: Sequence[AnnotatedSide], names: Sequence[str]) -> Corpus:
    """The corpus of one side of all documents."""
    table = np.array([row for side in sides for row in side.rows], dtype=np.int64).reshape(-1, 5)
    start, end, head, entity, referring = table.T
    first_row = np.cumsum([0, *(len(side.rows) for side in sides)])
    first_cluster = np.cumsum([0, *(side.clusters for side in sides)])
    document = np.repeat(np.arange(len(sides)), np.diff(first_row))
    links = [
        (KINDS.index(name), first + source, first + target)
        for number, side in enumerate(sides)
        for name, first, ends in (
            ("element", first_cluster[number], side.elements),
            ("bridging", first_row[number], side.bridges),
        )
        for source, target in ends
    ]
    kind, source, target = np.array(links, dtype=np.int64).reshape(-1, 3).T
    # A cluster may be empty: `take` removes its number, and those after it move up.
    corpus = Corpus(
        names=tuple(names),
        tokens=np.full(len(names), -1, dtype=np.int64),
        document=document,
        start=start,
        end=end,
        entity=entity + first_cluster[document],
        labels=tuple(map(str, range(first_cluster[-1]))),
        head=head,
        referring=None if referring.all() else referring.astype(bool),
        links=Links(kind, source, target, ("",) * len(links)) if links else None,
    )
    return corpus.take(np.arange(corpus.mentions))


def _needs_head(options: Options, side: int) -> bool:
    """Whether the mentions of the key (0) or of the response (1) are matched by their heads."""
    return options.match == "head" or (options.match in ("partial", "semeval") and side == 0)


def span_with_head(mention: Hashable, needs_head: bool = True) -> tuple[int, int, int]:
    """Start, end and head of a mention; −2 for an unknown head. A single token is its own head.

    >>> span_with_head((4, 6, 5)), span_with_head((4, 4))
    ((4, 6, 5), (4, 4, 4))
    """
    try:
        start, end, *heads = map(token_number, mention)  # type: ignore[call-overload]
    except (TypeError, ValueError):
        raise TypeError(
            f"a mention is (start, end) or (start, end, head), not {mention!r:.60}"
        ) from None
    head = heads[0] if len(heads) == 1 else start if start == end else -2
    if len(heads) > 1 or not 0 <= start <= end or (heads and not start <= head <= end):
        raise ValueError(f"{mention!r} is not a span with its head (0 ≤ start ≤ head ≤ end)")
    if needs_head and head == -2:
        raise ValueError(f"{mention!r} has no head: give (start, end, head)")
    return start, end, head
