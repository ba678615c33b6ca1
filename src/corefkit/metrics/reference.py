"""How the Perl reference scorer v8.01 counts, bug for bug, where a span stands in two entities.

Without such spans its counts are the standard ones, up to the order in which fractions are added;
that order is kept too, because it decides the last digit, and with it where a percentage is cut.
Everything here goes through one document after the other, as the original does, but never
through all pairs of mentions: only links that touch a repeated span are looked at one by one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit._arrays import IntArray
from corefkit.assignment import best_alignment
from corefkit.corpus import Corpus
from corefkit.incidents import LISTED, Collector, Incident
from corefkit.matching import mention_codes
from corefkit.metrics.base import Column, Number

MOST_REPEATS = 10
"""More repeated mentions than this, and v8.01 refuses to score."""

Chain = list[int]
"""An entity: the numbers of its spans in the order of completion, copies included."""


@dataclass(frozen=True)
class Document:
    """One document: entities in the order of their first brackets."""

    key: list[Chain]
    response: list[Chain]

    @cached_property
    def key_of(self) -> dict[int, list[int]]:
        """The key entities that list a span; the last one is the one it belongs to."""
        return _listing(self.key)

    @cached_property
    def shared(self) -> list[Counter[int]]:
        """For each response entity, how many of its members each key entity lists."""
        return [
            Counter(k for m in entity for k in self.key_of.get(m, ())) for entity in self.response
        ]


def count(key: Corpus, response: Corpus, names: Iterable[str]) -> dict[str, tuple[Column, ...]]:
    """Counts of the metrics of these names; both corpora have the same documents."""
    documents = make_documents(key, response)
    tables: dict[str, tuple[Column, ...]] = {}
    for name in names:
        if name not in _COUNT:
            raise ValueError(f"the reference scorer has no {name}")
        rows = _COUNT[name](documents)
        columns = zip(*rows, strict=True) if rows else [()] * (6 if name == "blanc" else 4)
        tables[name] = tuple(_column(c, name, i) for i, c in enumerate(columns))
    return tables


def make_documents(key: Corpus, response: Corpus) -> list[Document]:
    """The chains of all documents, equal spans with equal numbers on both sides."""
    ours, theirs = mention_codes(key, response)
    sides = zip(_chains(key, ours), _chains(response, theirs), strict=True)
    return [Document(k, r) for k, r in sides]


def repeats(key: Corpus, response: Corpus) -> IntArray:
    """The response mentions that v8.01 removes, in its order: key spans that were seen before."""
    ours, theirs = mention_codes(key, response)
    order = np.lexsort((np.arange(response.mentions), response.entity, response.document))
    order = order[np.isin(theirs[order], ours)]
    _, first = np.unique(theirs[order], return_index=True)
    again = np.ones(len(order), dtype=bool)
    again[first] = False
    return order[again]


def remove_repeats(key: Corpus, response: Corpus, path: str) -> tuple[Corpus, list[Incident]]:
    """The response without the mentions that v8.01 removes, and what it says of them."""
    again = repeats(key, response)
    found = Collector(path)
    kept = np.ones(response.mentions, dtype=bool)
    kept[again] = False
    for row in again[:LISTED].tolist():
        found.add(_repeat(key, response, row, path))
    found.count("mention-repeated", max(len(again) - LISTED, 0))
    if len(again) > MOST_REPEATS:
        found.add(_too_many(len(again), path))
    return response.keep(kept), list(found)


def repeat_line(key: Corpus, response: Corpus, row: int) -> str:
    """The line that v8.01 prints about a repeated mention."""
    start, end = int(response.start[row]), int(response.end[row])
    number = span_number(key, int(response.document[row]), start, end)
    return f"Repeated mention in the response: {start}, {end} {number}{number}"


def _repeat(key: Corpus, response: Corpus, row: int, path: str) -> Incident:
    return Incident(
        "mention-repeated",
        "warning",
        repeat_line(key, response, row),
        file=path,
        document=response.names[int(response.document[row])],
        expected="each span once",
        hint="the first copy is scored, as the reference scorer does",
    )


def _too_many(number: int, path: str) -> Incident:
    return Incident(
        "mentions-repeated",
        "error",
        "the reference scorer refuses a response with so many repeated mentions",
        file=path,
        found=f"{number:,} repeated mentions",
        expected=f"at most {MOST_REPEATS}",
        hint="correct the response, or score it with another profile",
    )


def span_number(key: Corpus, document: int, start: int, end: int) -> int:
    """The number that v8.01 gives to a key span: its place in the key, the last if it has many."""
    rows = np.flatnonzero(key.document == document)
    rows = rows[np.argsort(key.entity[rows], kind="stable")]
    places = np.flatnonzero((key.start[rows] == start) & (key.end[rows] == end))
    return int(places[-1])


def _chains(corpus: Corpus, codes: IntArray) -> list[list[Chain]]:
    order = np.argsort(corpus.entity, kind="stable")
    spans = codes[order].tolist()
    ends = np.cumsum(corpus.entity_size).tolist()
    documents: list[list[Chain]] = [[] for _ in corpus.names]
    start = 0
    for document, end in zip(corpus.entity_document.tolist(), ends, strict=True):
        documents[document].append(spans[start:end])
        start = end
    return documents


def _listing(entities: Sequence[Chain]) -> dict[int, list[int]]:
    """For each span the entities that list it, each once, in order."""
    found: dict[int, list[int]] = {}
    for number, entity in enumerate(entities):
        for span in dict.fromkeys(entity):
            found.setdefault(span, []).append(number)
    return found


def _column(values: Sequence[Number], metric: str, place: int) -> Column:
    if metric in ("bcub", "ceafe") and place in (0, 2):
        return np.array(values, dtype=np.float64)
    return np.array(values, dtype=np.int64)


def _size(entities: Iterable[Chain]) -> int:
    return sum(map(len, entities))


def _mentions(documents: Sequence[Document]) -> list[tuple[Number, ...]]:
    rows: list[tuple[Number, ...]] = []
    for d in documents:
        response = {m for entity in d.response for m in entity}
        both = len(d.key_of.keys() & response)
        rows.append((both, len(d.key_of), both, len(response)))
    return rows


def _muc(documents: Sequence[Document]) -> list[tuple[Number, ...]]:
    """Members of response entities with a later member of the same key entity beside them."""
    rows: list[tuple[Number, ...]] = []
    for d in documents:
        joined = 0
        for entity in d.response:
            owners = Counter(d.key_of[m][-1] for m in entity if m in d.key_of)
            joined += sum(owners.values()) - len(owners)
        needed, made = _size(d.key) - len(d.key), _size(d.response) - len(d.response)
        rows.append((joined, needed, joined, made))
    return rows


def _bcub(documents: Sequence[Document]) -> list[tuple[Number, ...]]:
    """Each response mention against the last key entity that lists it, added one by one."""
    rows: list[tuple[Number, ...]] = []
    for d in documents:
        recall = precision = 0.0
        for entity, shared in zip(d.response, d.shared, strict=True):
            for mention in entity:
                if mention in d.key_of:
                    owner = d.key_of[mention][-1]
                    recall += shared[owner] / len(d.key[owner])
                    precision += shared[owner] / len(entity)
        rows.append((recall, _size(d.key), precision, _size(d.response)))
    return rows


def _ceafm(documents: Sequence[Document]) -> list[tuple[Number, ...]]:
    best = _aligned(documents, lambda shared, key, response: shared)
    return [
        (int(value), _size(d.key), int(value), _size(d.response))
        for value, d in zip(best, documents, strict=True)
    ]


def _ceafe(documents: Sequence[Document]) -> list[tuple[Number, ...]]:
    best = _aligned(documents, lambda shared, key, response: 2 * shared / (key + response))
    return [
        (value, len(d.key), value, len(d.response))
        for value, d in zip(best, documents, strict=True)
    ]


def _aligned(
    documents: Sequence[Document], likeness: Callable[[int, int, int], float]
) -> list[float]:
    """For each document the likeness of the best alignment, added in the order of the key."""
    cells: list[tuple[int, int, int, float]] = []
    rows = columns = 0
    for number, d in enumerate(documents):
        for r, (entity, shared) in enumerate(zip(d.response, d.shared, strict=True)):
            distinct = shared if len(set(entity)) == len(entity) else _distinct(d, entity)
            cells += [
                (number, rows + k, columns + r, likeness(n, len(d.key[k]), len(entity)))
                for k, n in distinct.items()
            ]
        rows, columns = rows + len(d.key), columns + len(d.response)
    cells.sort()
    row, column, weight = (np.array([cell[i] for cell in cells]) for i in (1, 2, 3))
    totals = [0.0] * len(documents)
    if cells:
        for chosen in best_alignment(row, column, weight.astype(np.float64)).tolist():
            totals[cells[chosen][0]] += cells[chosen][3]
    return totals


def _distinct(document: Document, entity: Chain) -> Counter[int]:
    return Counter(k for m in set(entity) for k in document.key_of.get(m, ()))


def _blanc(documents: Sequence[Document]) -> list[tuple[Number, ...]]:
    """Links are sets of pairs of numbers: coreferent within, others across entities.

    So a span in two entities is also linked to itself, and a pair may be of both kinds.
    """
    return [tuple(map(sum, zip(_plain(d), _touched(d), strict=True))) for d in documents]


def _repeated(document: Document) -> set[int]:
    """The spans that occur more than once on a side."""
    sides = (Counter(m for e in side for m in e) for side in (document.key, document.response))
    return {m for side in sides for m, times in side.items() if times > 1}


def _plain(document: Document) -> tuple[int, ...]:
    """The links between spans that occur once on each side, from counts."""
    repeated = _repeated(document)
    sides = [
        {m: e for e, entity in enumerate(side) for m in entity if m not in repeated}
        for side in (document.key, document.response)
    ]
    both = [m for m in sides[0] if m in sides[1]]
    within = [_pairs(Counter(side.values())) for side in sides]
    total = [_pairs({0: len(side)}) for side in sides]
    common = _pairs({0: len(both)})
    same = _pairs(Counter((sides[0][m], sides[1][m]) for m in both))
    coreferent = [_pairs(Counter(side[m] for m in both)) for side in sides]
    neither = common - coreferent[0] - coreferent[1] + same
    return (
        *(same, within[0], within[1]),
        *(neither, total[0] - within[0], total[1] - within[1]),
    )


def _pairs(sizes: Mapping[object, int]) -> int:
    return sum(n * (n - 1) // 2 for n in sizes.values())


def _touched(document: Document) -> tuple[int, ...]:
    """The links that touch a repeated span, one by one."""
    repeated = sorted(_repeated(document))
    if not repeated:
        return (0,) * 6
    listings = [_listing(side) for side in (document.key, document.response)]
    twice = [
        {m for entity in side for m, times in Counter(entity).items() if times > 1}
        for side in (document.key, document.response)
    ]
    spans = sorted(listings[0].keys() | listings[1].keys())
    known = set(repeated)
    counts = [0] * 6
    for one in repeated:
        for other in spans:
            if other in known and other < one:
                continue
            within, across = [], []
            for listing, inside in zip(listings, twice, strict=True):
                ours, theirs = set(listing.get(one, ())), set(listing.get(other, ()))
                both = bool(ours) and bool(theirs)
                within.append(one in inside if one == other else bool(ours & theirs))
                across.append(both and len(ours | theirs) > 1)
            for first, kind in ((0, within), (3, across)):
                counts[first] += all(kind)
                counts[first + 1] += kind[0]
                counts[first + 2] += kind[1]
    return tuple(counts)


_COUNT: Mapping[str, Callable[[Sequence[Document]], list[tuple[Number, ...]]]] = {
    "mentions": _mentions,
    "muc": _muc,
    "bcub": _bcub,
    "ceafm": _ceafm,
    "ceafe": _ceafe,
    "blanc": _blanc,
}
