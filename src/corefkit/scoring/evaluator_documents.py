"""The documents of an Evaluator: checked when they are given, counted many at a time.

A document that is nothing but clusters is matched as soon as it waits: mentions can be anything
that can be hashed, and what is left of them are a few numbers. This is the fast path. A document
with heads, split antecedents, non-referring expressions or bridging waits as rows of two corpora,
which are then matched and counted like those of files.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.corpus import Corpus, token_number
from corefkit.core.counts import Counts, add
from corefkit.core.links import KINDS, Links
from corefkit.core.options import Options
from corefkit.core.overlap import Entities, Overlap, SmallOverlap, overlap_of_entities
from corefkit.metrics.base import Sums
from corefkit.scorers import scorer_for

Clusters = Iterable[Iterable[Hashable]]
"""The entities of one document; a mention is anything that can be hashed, e.g. (start, end)."""

SplitClusters = Mapping[int, Iterable[int]]
"""The place of a cluster → the places of the clusters that it is made of.

Non-referring expressions, which may be elements too, have the places after the clusters."""

Bridging = Mapping[Hashable, Hashable]
"""Anaphor → anchor, both mentions."""

SmallMetrics = Mapping[str, Callable[[SmallOverlap], Sums | None]]
"""How each metric counts a small document."""

_FEW = 150
"""So many mentions of responses are counted in plain Python before numpy pays."""

_LARGEST = 1 << 62
"""Numbers that stand for mentions are below this."""

_ListedClusters = list[tuple[Hashable, ...]]


class PlainDocument(NamedTuple):
    """A document of clusters only, each mention once.

    `copies` is how many mentions of the key and of the response were copies of others.
    """

    key: _ListedClusters
    response: _ListedClusters
    copies: tuple[int, int]


class PlainBatch(NamedTuple):
    """Documents of clusters only, each mention once, as numbers.

    `entities` and `size` are of key and response: how many entities each document has, and the
    size of each entity. `partner` is the key entity, counted from 0, that has a response mention.
    """

    entities: tuple[list[int], list[int]]
    size: tuple[list[int], list[int]]
    partner: IntArray


class AnnotatedSide(NamedTuple):
    """One side of a document, as rows of a corpus that count from 0.

    Attributes:
        rows: start, end and head of each mention, its cluster, and whether it refers.
        clusters: how many there are; a non-referring expression is one of its own.
        elements: clusters with split antecedents, and those that they are made of.
        bridges: the rows of anaphors and of their anchors.
    """

    rows: list[tuple[int, ...]]
    clusters: int
    elements: list[tuple[int, int]]
    bridges: list[tuple[int, int]]


class AnnotatedDocument(NamedTuple):
    """A document of which more than its clusters is annotated; `copies` as in PlainDocument."""

    key: AnnotatedSide
    response: AnnotatedSide
    copies: tuple[int, int]


class DocumentBuffer:
    """Documents that wait to be counted together."""

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

    def add_batch(self, batch: PlainBatch) -> None:
        """Add many plain documents."""
        self._plain.add_batch(batch)
        self._is_plain += [True] * len(batch.entities[0])

    def count_small(self, metrics: SmallMetrics) -> list[dict[str, Sums]] | None:
        """For each document metric → its columns, if all are plain, small and easy, else None.

        It is quicker than `count` for few mentions, and slower for many.
        """
        if self._annotated or len(self._plain.partner) > _FEW:
            return None
        documents = []
        for small in self._plain.small_overlaps():
            columns = {}
            for name, count in metrics.items():
                sums = count(small)
                if sums is None:
                    return None
                columns[name] = sums
            documents.append(columns)
        return documents

    def count(self, names: Sequence[str]) -> Counts:
        """The counts of the documents, which have these names, in the order they were added."""
        scorer = scorer_for(self._options)
        plain = [name for name, is_plain in zip(names, self._is_plain, strict=True) if is_plain]
        annotated = [
            name for name, is_plain in zip(names, self._is_plain, strict=True) if not is_plain
        ]
        parts = []
        if plain:
            parts.append(scorer.count_overlap(self._plain.overlap(), plain))
        if annotated or not plain:
            key = _corpus([document.key for document in self._annotated], annotated)
            response = _corpus([document.response for document in self._annotated], annotated)
            parts.append(scorer.count(scorer.compare_corpora(key, response)))
        if len(parts) == 1:
            return parts[0]
        # The rows of plain documents come first: back to the order of the names.
        rows = np.argsort(~np.array(self._is_plain), kind="stable")
        return add(parts).select(np.argsort(rows))


class _MatchedClusters:
    """Plain documents as flat lists of numbers.

    Attributes:
        documents: how many.
        partner: for each response mention the key entity that has it, over all documents, or −1.
    """

    def __init__(self) -> None:
        self.documents = 0
        self.partner: list[int] = []
        # Of key and response: how many entities each document has, and the size of each entity.
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

    def add_batch(self, batch: PlainBatch) -> None:
        """Add many documents."""
        first = len(self._size[0])
        self.partner += np.where(batch.partner < 0, -1, batch.partner + first).tolist()
        for place in (0, 1):
            self._entities[place].extend(batch.entities[place])
            self._size[place].extend(batch.size[place])
        self.documents += len(batch.entities[0])

    def small_overlaps(self) -> Iterator[SmallOverlap]:
        """The mentions that key and response entities share, document by document."""
        (key_size, response_size), partner = self._size, iter(self.partner)
        key_end = response_end = 0
        for ours, theirs in zip(*self._entities, strict=True):
            first, key_end = key_end, key_end + ours
            begin, response_end = response_end, response_end + theirs
            key, response = key_size[first:key_end], response_size[begin:response_end]
            shared: dict[tuple[int, int], int] = {}
            for number, size in enumerate(response):
                for entity in islice(partner, size):
                    if entity >= 0:
                        cell = entity - first, number
                        shared[cell] = shared.get(cell, 0) + 1
            cells = [(*cell, count) for cell, count in shared.items()]
            yield SmallOverlap(key, response, cells, sum(key), sum(response), sum(shared.values()))

    def overlap(self) -> Overlap:
        """The mentions that key and response entities share."""
        numbers = np.arange(self.documents)
        key, response = (
            Entities(np.repeat(numbers, entities), np.array(size, dtype=np.int64))
            for entities, size in zip(self._entities, self._size, strict=True)
        )
        partner: IntArray = np.array(self.partner, dtype=np.int64)
        entity = np.repeat(np.arange(len(response.size)), response.size)
        common = partner >= 0
        sides = key, response
        return overlap_of_entities(self.documents, sides, partner[common], entity[common])


def plain_document(
    key: Clusters, response: Clusters, options: Options, *, keep_copies: bool
) -> PlainDocument | AnnotatedDocument:
    """A document of clusters; TypeError where they are something else.

    Of the copies of a mention the first counts; clusters that are left too small are gone. With
    `keep_copies` a document that has any waits with all of them, as rows.
    """
    smallest = 2 if options.singletons == "drop" else 1
    sides, copies = [], []
    both = _listed_sides(key, response)
    if keep_copies and any(repeated for _, repeated in both):
        return annotated_document(both[0][0], both[1][0], {}, options, of_spans=False)
    for listed, repeated in both:
        if repeated:
            seen: set[Hashable] = set()
            for place, cluster in enumerate(listed):
                listed[place] = tuple(m for m in dict.fromkeys(cluster) if m not in seen)
                seen.update(cluster)
        sides.append([cluster for cluster in listed if len(cluster) >= smallest])
        copies.append(repeated)
    return PlainDocument(sides[0], sides[1], (copies[0], copies[1]))


def _without_singletons(documents: Sequence[Any]) -> list[Clusters]:
    return [[cluster for cluster in document if len(cluster) > 1] for document in documents]


class _FlatSide(NamedTuple):
    """One side of many documents: how many entities each has, their sizes, and all numbers."""

    entities: list[int]
    size: list[int]
    numbers: IntArray


def plain_batch(
    keys: Sequence[Clusters], responses: Sequence[Clusters], options: Options
) -> PlainBatch | None:
    """Many documents at once; None where they must be looked at one by one.

    That is where mentions are anything but pairs of integers, or where a side repeats one.
    """
    key, response = _flat_side(keys), _flat_side(responses)
    if key is None or response is None:
        return None
    lowest = int(min(key.numbers.min(initial=0), response.numbers.min(initial=0)))
    highest = int(max(key.numbers.max(initial=0), response.numbers.max(initial=0)))
    width = highest - lowest + 1
    if len(keys) * width * width > _LARGEST:
        return None
    codes = [_mention_codes(side, lowest, width) for side in (key, response)]
    order = np.argsort(codes[0], kind="stable")
    known = codes[0][order]
    if not ((np.diff(known) > 0).all() and (np.diff(np.sort(codes[1])) > 0).all()):
        return None
    if options.singletons == "drop" and 1 in (*key.size, *response.size):  # there are no copies
        return plain_batch(_without_singletons(keys), _without_singletons(responses), options)
    place = np.searchsorted(known, codes[1]).clip(max=max(len(known) - 1, 0))
    partner: IntArray = np.full(len(codes[1]), -1, dtype=np.int64)
    if len(known):
        entity = np.repeat(np.arange(len(key.size)), key.size)
        partner = np.where(known[place] == codes[1], entity[order][place], -1)
    return PlainBatch((key.entities, response.entities), (key.size, response.size), partner)


def _flat_side(documents: Sequence[Any]) -> _FlatSide | None:
    """One side, if it is made of lists and tuples, and mentions are pairs of integers."""
    if not _are(documents, list, tuple):
        return None
    clusters = list(chain.from_iterable(documents))
    if not _are(clusters, list, tuple):
        return None
    entities, size = list(map(len, documents)), list(map(len, clusters))
    if 0 in size:
        return _flat_side([[c for c in document if c] for document in documents])
    numbers = _numbers_of_pairs(list(chain.from_iterable(clusters)))
    return None if numbers is None else _FlatSide(entities, size, numbers)


def _numbers_of_pairs(mentions: list[Any]) -> IntArray | None:
    """int64 (2 · mentions,), if all of them are pairs of integers that are not too large."""
    if not _are(mentions, tuple, list) or {*map(len, mentions)} - {2}:
        return None
    numbers = list(chain.from_iterable(mentions))
    if not _are(numbers, int):
        return None
    try:
        return np.array(numbers, dtype=np.int64)
    except OverflowError:
        return None


def _are(values: Iterable[Any], *types: type) -> bool:
    return {*map(type, values)} <= {*types}


def _mention_codes(side: _FlatSide, lowest: int, width: int) -> IntArray:
    """A number for each mention, the same for the same pair in the same document."""
    entity_document = np.repeat(np.arange(len(side.entities)), side.entities)
    document = np.repeat(entity_document, side.size)
    first, second = (side.numbers - lowest).reshape(-1, 2).T
    codes: IntArray = (document * width + first) * width + second
    return codes


_WANTED = "clusters are lists of hashable mentions, e.g. (start, end) tuples"


def _listed_sides(key: Clusters, response: Clusters) -> list[tuple[_ListedClusters, int]]:
    """The clusters of each side as tuples, and how many mentions are copies of others.

    TypeError for what can be iterated but is not a list of clusters.
    """
    try:
        both = [_listed_clusters(clusters) for clusters in (key, response)]
        check_depth([*both[0], *both[1]])
        return [_with_copies(listed) for listed in both]
    except TypeError as error:
        raise TypeError(f"{_WANTED}{error}") from None


def _listed_clusters(clusters: Clusters) -> _ListedClusters:
    if not isinstance(clusters, (list, tuple)) and isinstance(clusters, (str, bytes, Mapping)):
        raise TypeError(f", not a {type(clusters).__name__}")
    try:
        return [_listed_mentions(cluster) for cluster in clusters]
    except TypeError as error:
        raise TypeError(f": {error}") from None


def _with_copies(listed: _ListedClusters) -> tuple[_ListedClusters, int]:
    try:
        distinct = set(chain.from_iterable(listed))
    except TypeError:
        listed = [tuple(map(hashable, cluster)) for cluster in listed]
        try:
            distinct = set(chain.from_iterable(listed))
        except TypeError as error:
            raise TypeError(f": {error}") from None
    return listed, sum(map(len, listed)) - len(distinct)


def check_depth(clusters: Sequence[Sequence[Any]]) -> None:
    """TypeError where the clusters of a document are documents, or mentions.

    A mention that is a list of spans or of texts may be a cluster, and a mention of several parts
    as well: where all of a document are such, it is taken for a batch. Of tuples, which can be
    meant as mentions, each must have several spans. Where all clusters are pairs of integers, and
    one has the same integer twice, they are mentions.
    """
    first = next(chain.from_iterable(clusters), None)
    if isinstance(first, (list, tuple)):
        if first and isinstance(first[0], (list, tuple, str)) and _are_nested(clusters):
            raise TypeError(
                ", and these are one level too deep: `update` takes the clusters of one document, "
                "`update_batch` those of several (a mention of several parts is a tuple of tuples)"
            )
    elif isinstance(first, int) and _are_spans(clusters):
        raise TypeError(
            ", and these are one level too flat: mentions where clusters are expected (`update` "
            "takes the clusters of one document, `update_batch` a list of such documents)"
        )


def _are_nested(clusters: Sequence[Sequence[Any]]) -> bool:
    """Whether all mentions are lists of spans or of texts, or tuples of several spans."""
    return all(
        isinstance(mention, (list, tuple))
        and len(mention) > isinstance(mention, tuple)
        and (
            (
                _are(mention, list, tuple)
                and all(len(span) in (2, 3) and _are(span, int) for span in mention)
            )
            or (isinstance(mention, list) and _are(mention, str))
        )
        for cluster in clusters
        for mention in cluster
    )


def _are_spans(clusters: Sequence[Sequence[Any]]) -> bool:
    """Whether all clusters are pairs of integers, and one is a span of one token."""
    pairs = all(len(cluster) == 2 and _are(cluster, int) for cluster in clusters)
    return pairs and any(first == last for first, last in clusters)


def hashable(mention: Any) -> Any:
    """A mention as JSON gives it, a list, as a tuple; any other as it is.

    >>> hashable([4, 5]), hashable([[4, 5], [7, 7]]), hashable("Ada")
    ((4, 5), ((4, 5), (7, 7)), 'Ada')
    """
    return tuple(map(hashable, mention)) if isinstance(mention, list) else mention


def _listed_mentions(cluster: Iterable[Hashable]) -> tuple[Hashable, ...]:
    if not isinstance(cluster, (list, tuple)) and isinstance(cluster, (bytes, Mapping)):
        raise TypeError(f"a cluster is a list of mentions, not a {type(cluster).__name__}")
    return tuple(cluster)


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
    With `of_spans` mentions are (start, end[, head]); elsewhere any will do, and they are numbered.
    """
    numbers: dict[Hashable, int] = {}
    sides, copies = [], []
    for place, listed in enumerate(_listed_sides(key, response)):
        given = {name: pair[place] for name, pair in annotations.items() if pair is not None}
        clusters, repeated = listed
        head = _needs_head(options, place)
        spans = partial(span_with_head, needs_head=head) if of_spans else partial(_number, numbers)
        sides.append(_annotated_side(clusters, spans, **given))
        copies.append(repeated)
    return AnnotatedDocument(sides[0], sides[1], (copies[0], copies[1]))


def _number(numbers: dict[Hashable, int], mention: Hashable) -> tuple[int, int, int]:
    """A number that stands for a mention of whatever shape, as a span."""
    number = numbers.setdefault(mention, len(numbers))
    return number, number, number


def _annotated_side(
    clusters: _ListedClusters,
    span_of: Callable[[Hashable], tuple[int, int, int]],
    split: SplitClusters | None = None,
    nonreferring: Iterable[Hashable] | None = None,
    bridging: Bridging | None = None,
) -> AnnotatedSide:
    """One side as rows; TypeError or ValueError for annotations of what is not in the document."""
    for name, given in (("split", split), ("bridging", bridging)):
        if not isinstance(given, Mapping | None):
            raise TypeError(f"{name}: a dict for each side, not {given!r:.60}")
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
    """The clusters with split antecedents and their elements; none may be made of itself."""
    elements = {}
    for whole, parts in split.items():
        listed = [token_number(place) for place in parts]
        limits = (
            (token_number(whole), clusters),
            *((part, clusters + nonreferring) for part in listed),
        )
        for place, limit in limits:
            if not 0 <= place < limit:
                raise ValueError(f"split: there is no cluster {place}, only {clusters} (from 0)")
        elements[token_number(whole)] = listed
    # Whatever is made of plain clusters only is plain itself; what is left goes round in a circle.
    undecided = dict(elements)
    while plain := [w for w, parts in undecided.items() if not any(p in undecided for p in parts)]:
        for whole in plain:
            del undecided[whole]
    if undecided:
        raise ValueError(f"split: cluster {min(undecided)} is an element of itself")
    return elements


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
