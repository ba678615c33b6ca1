"""The documents of an Evaluator: checked when they are added, counted many at a time.

Mentions can be anything hashable: numbers stand for them, equal ones for equal mentions. Only where
heads or the order of the text matter must they be spans. Documents wait as rows of two corpora,
which are matched and counted like those of files.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, count
from numbers import Integral
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.corpus import Corpus, token_number
from corefkit.core.counts import Counts
from corefkit.core.incidents import DataError
from corefkit.core.links import KINDS, Links
from corefkit.core.options import PLAIN_SIDES, Options
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.counting import count_comparison
from corefkit.scorers.lookups import too_many_copies
from corefkit.scorers.scorer import Scorer

Clusters = Iterable[Iterable[Hashable]]
"""The entities of one document; a mention is anything that can be hashed, e.g. (start, end)."""

SplitClusters = Mapping[int, Iterable[int]]
"""The number of a cluster → the numbers of the clusters that it is made of, from 0.

Non-referring expressions, which may be elements too, are numbered after the clusters."""

Bridging = Mapping[Hashable, Hashable]
"""Anaphor → anchor, both mentions."""

_ListedClusters = list[tuple[Hashable, ...]]


class ListedSide(NamedTuple):
    """One side of a document, as rows of a corpus; clusters and rows are numbered from 0.

    Attributes:
        mentions: a number that stands for each mention, or its start, end and head.
        sizes: the number of mentions of each cluster.
        nonreferring: how many clusters at the end are non-referring expressions.
        elements: pairs of a cluster with split antecedents and a cluster that it is made of.
        bridges: pairs of the row of an anaphor and that of its anchor.
        copies: the number of mentions that are copies of others.
    """

    mentions: Sequence[int | tuple[int, int, int]]
    sizes: Sequence[int]
    nonreferring: int
    elements: Sequence[tuple[int, int]]
    bridges: Sequence[tuple[int, int]]
    copies: int


ListedDocument = tuple[ListedSide, ListedSide]
"""Key and response."""


def count_documents(
    scorer: Scorer, documents: Sequence[ListedDocument], names: Sequence[str]
) -> Counts:
    """The counts of documents with these names."""
    return count_comparison(scorer, _compare(scorer, documents, names))


def check_copies(scorer: Scorer, document: ListedDocument, name: str) -> None:
    """Raise DataError where copies of mentions on both sides make too many pairs."""
    if refusals := [*too_many_copies(_compare(scorer, [document], [name]))]:
        raise DataError(refusals)


def _compare(
    scorer: Scorer, documents: Sequence[ListedDocument], names: Sequence[str]
) -> Comparison:
    key, response = (
        scorer.moved(Side.of("", reading), _corpus([doc[side] for doc in documents], names))
        for side, reading in enumerate(PLAIN_SIDES)
    )
    return scorer.compare_unified(key, response)


def make_document(
    key: Clusters,
    response: Clusters,
    annotations: Mapping[str, Any],
    options: Options,
    *,
    of_spans: bool,
) -> ListedDocument:
    """A document of clusters; TypeError or ValueError where something is wrong with it.

    `annotations` may have the pairs `split`, `nonreferring` and `bridging`, of key and response.
    With `of_spans` mentions are (start, end[, head]); otherwise they may have any shape.
    """
    sides = []
    for side, clusters in enumerate(_listed_sides(key, response)):
        given = {name: pair[side] for name, pair in annotations.items() if pair is not None}
        listed = _annotated(clusters, **given) if given else _UNANNOTATED
        expletives = [(hashable(mention),) for mention in given.get("nonreferring") or ()]
        flat = [*chain.from_iterable((*clusters, *expletives))]
        sizes = [*map(len, clusters), *map(len, expletives)]
        sides.append((flat, listed._replace(sizes=sizes)))
    numbers = dict(zip((*sides[0][0], *sides[1][0]), count(), strict=False))
    document = []
    for side, (flat, listed) in enumerate(sides):
        mentions: list[Any] = [*map(numbers.__getitem__, flat)]
        copies = len(mentions) - len({*mentions})
        if of_spans:
            needs_head = _needs_head(options, side)
            mentions = [span_with_head(mention, needs_head) for mention in flat]
        document.append(listed._replace(mentions=mentions, copies=copies))
    return document[0], document[1]


_UNANNOTATED = ListedSide((), (), 0, (), (), 0)


def _are(values: Iterable[Any], *types: type) -> bool:
    """Whether all values have one of these types; subclasses do not count."""
    return {*map(type, values)} <= {*types}


WANTED = "clusters are lists of hashable mentions, e.g. (start, end) tuples"
_USED_UP = "there is nothing in this iterator, which may be used up; give a list"


def _listed_sides(key: Clusters, response: Clusters) -> list[_ListedClusters]:
    """The clusters of each side as tuples; TypeError for anything that is no list of clusters."""
    try:
        listed_sides = [list_clusters(clusters) for clusters in (key, response)]
        check_depth([*listed_sides[0], *listed_sides[1]])
        _check_one_side(*listed_sides)
        return [_with_hashable(listed) for listed in listed_sides]
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


def _with_hashable(listed: _ListedClusters) -> _ListedClusters:
    """The clusters with hashable mentions; TypeError where a mention is not hashable."""
    try:
        hash(tuple(listed))
    except TypeError:
        listed = [tuple(map(hashable, cluster)) for cluster in listed]
        try:
            hash(tuple(listed))
        except TypeError as error:
            raise TypeError(f": {error}") from None
    return listed


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


def _check_one_side(key: _ListedClusters, response: _ListedClusters) -> None:
    """Raise TypeError where only one side is too deep, so that its mentions are clusters of spans
    of the other side, or too flat, as `check_depth` says.
    """
    for side, other in ((key, response), (response, key)):
        if len(side) > 1 and isinstance(next(chain.from_iterable(side), None), int):
            check_depth(side)
        if not _are_nested(side, parts=True) or _are_nested(other, parts=True):
            continue
        mentions = {hashable(mention) for cluster in other for mention in cluster}
        if not mentions.isdisjoint(_spans_inside(side)):
            check_depth(side)


def _spans_inside(values: Iterable[Any]) -> Iterator[Any]:
    """The spans in nested lists."""
    for value in values:
        if isinstance(value, str):
            continue
        if _are_whole(value):
            yield tuple(value)
        else:
            yield from _spans_inside(value)


def _are_nested(clusters: Sequence[Sequence[Any]], parts: bool) -> bool:
    """Whether all mentions are lists of spans or of texts, or tuples of spans, of several if they
    may be `parts` of a mention.
    """
    return all(
        isinstance(mention, (list, tuple))
        and len(mention) > (parts and isinstance(mention, tuple))
        and (_holds_spans(mention) or (isinstance(mention, list) and _are(mention, str)))
        for cluster in clusters
        for mention in cluster
    )


def _holds_spans(values: Sequence[Any]) -> bool:
    """Whether these are spans, or lists of them, however deep."""
    return _are(values, list, tuple) and all(
        (len(value) in (2, 3) and _are_whole(value)) or (value and _holds_spans(value))
        for value in values
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


def _annotated(
    clusters: _ListedClusters,
    split: SplitClusters | None = None,
    nonreferring: Iterable[Hashable] | None = None,
    bridging: Bridging | None = None,
) -> ListedSide:
    """The annotations of one side; TypeError or ValueError where one does not fit the clusters."""
    for name, annotation in (("split", split), ("bridging", bridging)):
        if not isinstance(annotation, Mapping | None):
            raise TypeError(f"{name}: a dict for each side, not {annotation!r:.60}")
    expletives = [hashable(mention) for mention in nonreferring or ()]
    row_of: dict[Hashable, int] = {}
    for row, mention in enumerate((*chain.from_iterable(clusters), *expletives)):
        row_of.setdefault(mention, row)
    bridges = [(a, hashable(anchor)) for a, anchor in (bridging or {}).items()]
    for end in chain.from_iterable(bridges):
        if end not in row_of:
            raise ValueError(f"bridging: {end!r:.60} is not a mention of the document")
    elements = _elements(split or {}, len(clusters), len(expletives))
    return ListedSide(
        (),
        (),
        len(expletives),
        [(whole, part) for whole, parts in elements.items() for part in dict.fromkeys(parts)],
        [(row_of[anaphor], row_of[anchor]) for anaphor, anchor in bridges],
        0,
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


def _corpus(sides: Sequence[ListedSide], names: Sequence[str]) -> Corpus:
    """The corpus of one side of all documents."""
    mentions = np.array([*chain.from_iterable(side.mentions for side in sides)], dtype=np.int64)
    spans = mentions.ndim > 1
    start, end, head = mentions.T if spans else (mentions, mentions, None)
    sizes = np.array([*chain.from_iterable(side.sizes for side in sides)], dtype=np.int64)
    clusters = np.array([len(side.sizes) for side in sides], dtype=np.int64)
    last_cluster, rows = np.cumsum(clusters), [len(side.mentions) for side in sides]
    refers = np.ones(len(sizes), dtype=bool)
    for last, side in zip(last_cluster.tolist(), sides, strict=True):
        refers[last - side.nonreferring : last] = False
    links = [
        (KINDS.index(name), first + source, first + target)
        for name, firsts in (
            ("element", last_cluster - clusters),
            ("bridging", np.cumsum(rows) - rows),
        )
        for first, side in zip(firsts.tolist(), sides, strict=True)
        for source, target in (side.elements if name == "element" else side.bridges)
    ]
    kind, source, target = np.array(links, dtype=np.int64).reshape(-1, 3).T
    entity = np.repeat(np.arange(len(sizes)), sizes)
    corpus = Corpus(
        names=tuple(names),
        tokens=np.full(len(names), -1, dtype=np.int64),
        document=np.repeat(np.arange(len(sides)), rows),
        start=start,
        end=end,
        entity=entity,
        labels=tuple(map(str, range(len(sizes)))),
        head=head,
        referring=None if refers.all() else refers[entity],
        links=Links(kind, source, target, ("",) * len(links)) if links else None,
    )
    # A cluster may be empty: `take` removes its number, and those after it move up.
    return corpus if sizes.all() else corpus.take(np.arange(len(start)))


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
