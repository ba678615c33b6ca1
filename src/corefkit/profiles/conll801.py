"""How the Perl reference scorer v8.01 counts, bug for bug, where a span stands in two entities.

Without such spans its counts are the standard ones, up to the order in which fractions are added;
that order is kept too, because it decides the last digit, and with it where a percentage is cut.
Everything here goes through one document after the other, as the original does, but never
through all pairs of mentions: only links that touch a repeated span are looked at one by one.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.counts import PerDocument
from corefkit.data.incidents import Collector, Incident
from corefkit.data.matched import Matched
from corefkit.data.options import Options
from corefkit.metrics.assignment import best_alignment
from corefkit.metrics.base import Counted, Sums
from corefkit.profiles.conll801_blanc import count_links
from corefkit.profiles.conll801_documents import Chain, Document, make_documents
from corefkit.profiles.conll801_repeats import Repeat, key_repeats, response_repeats
from corefkit.profiles.steps import Settled, Steps, match_equal

MOST_REPEATS = 10
"""More repeated mentions than this, and v8.01 refuses to score."""


def count(matched: Matched, names: Iterable[str]) -> dict[str, Counted]:
    """Counts of the metrics of these names."""
    documents = make_documents(matched.key, matched.response)
    tables: dict[str, Counted] = {}
    for name in names:
        if name in _LIKENESS:
            rows = _aligned(documents, name)
        elif name in _COUNT:
            rows = [_COUNT[name](document) for document in documents]
        else:
            raise ValueError(f"the reference scorer has no {name}")
        columns = zip(*rows, strict=True) if rows else [()] * (6 if name == "blanc" else 4)
        tables[name] = tuple(_column(c, name, i) for i, c in enumerate(columns))
    return tables


def remove_repeats(key: Corpus, response: Corpus, path: str, options: Options) -> Settled:
    """The response without the mentions that v8.01 removes; what it says of them; the first."""
    del options
    again = response_repeats(key, response)
    kept = np.ones(response.mentions, dtype=bool)
    kept[[repeat.row for repeat in again]] = False
    found = _warnings(again, response, path)
    if len(again) > MOST_REPEATS:
        repeats, expected = f"{len(again):,} repeated mentions", f"at most {MOST_REPEATS}"
        found.note("mentions-repeated", found=repeats, expected=expected)
    return Settled(response.take(kept), list(found), tuple(again[: MOST_REPEATS + 1]))


def tell_key_repeats(key: Corpus, path: str) -> list[Incident]:
    """What v8.01 says of the spans that the key repeats; they are scored wherever they stand."""
    return list(_warnings(key_repeats(key), key, path))


def _warnings(repeats: Sequence[Repeat], corpus: Corpus, path: str) -> Collector:
    found = Collector(path)
    for repeat in repeats:
        document, side = corpus.names[repeat.document], repeat.side
        expected = "each span once"
        found.note("mention-repeated", side, said=repeat.line, document=document, expected=expected)
    return found


def _column(values: Sums, metric: str, place: int) -> PerDocument:
    if metric in ("bcub", "ceafe") and place in (0, 2):
        return np.array(values, dtype=np.float64)
    return np.array(values, dtype=np.int64)


def _size(entities: Iterable[Chain]) -> int:
    return sum(map(len, entities))


def _mentions(d: Document) -> Sums:
    response = {m for entity in d.response for m in entity}
    both = len(d.key_of.keys() & response)
    return both, len(d.key_of), both, len(response)


def _muc(d: Document) -> Sums:
    """Members of response entities with a later member of the same key entity beside them."""
    joined = 0
    for entity in d.response:
        owners = Counter(d.key_of[m][-1] for m in entity if m in d.key_of)
        joined += sum(owners.values()) - len(owners)
    return joined, _size(d.key) - len(d.key), joined, _size(d.response) - len(d.response)


def _bcub(d: Document) -> Sums:
    """Each response mention against the last key entity that lists it, added one by one."""
    recall = precision = 0.0
    for entity, shared in zip(d.response, d.shared, strict=True):
        for mention in entity:
            if mention in d.key_of:
                owner = d.key_of[mention][-1]
                recall += shared[owner] / len(d.key[owner])
                precision += shared[owner] / len(entity)
    return recall, _size(d.key), precision, _size(d.response)


_LIKENESS: Mapping[str, Callable[[int, int, int], float]] = {
    "ceafm": lambda shared, key, response: shared,
    "ceafe": lambda shared, key, response: 2 * shared / (key + response),
}
"""φ of two entities, from how many mentions they share and have; all documents at once are
aligned by one solver."""


def _aligned(documents: Sequence[Document], name: str) -> list[Sums]:
    """For each document the likeness of the best alignment, added in the order of the key."""
    likeness, size = _LIKENESS[name], _size if name == "ceafm" else len
    cells: list[tuple[int, int, int, float]] = []
    rows = columns = 0
    for number, d in enumerate(documents):
        for r, entity in enumerate(d.response):
            cells += [
                (number, rows + k, columns + r, likeness(n, len(d.key[k]), len(entity)))
                for k, n in d.listed_in(entity).items()
            ]
        rows, columns = rows + len(d.key), columns + len(d.response)
    cells.sort()
    row, column, weight = (np.array([cell[i] for cell in cells]) for i in (1, 2, 3))
    totals = [0.0] * len(documents)
    if cells:
        for chosen in best_alignment(row, column, weight.astype(np.float64)).tolist():
            # The original searches for the least 1 − φ and adds 1 − (1 − φ), which is not always φ.
            totals[cells[chosen][0]] += 1 - (1 - cells[chosen][3])
    return [
        (value, size(d.key), value, size(d.response))
        for value, d in zip(totals, documents, strict=True)
    ]


_COUNT: Mapping[str, Callable[[Document], Sums]] = {
    "mentions": _mentions,
    "muc": _muc,
    "bcub": _bcub,
    "blanc": count_links,
}


STEPS = Steps(
    rules=("exact",),
    keeps_repeats=True,
    tell_key=tell_key_repeats,
    settle=remove_repeats,
    match=match_equal,
    counting=count,
)
