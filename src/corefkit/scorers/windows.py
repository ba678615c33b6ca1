"""Windows: long documents cut into pieces that are compared one by one.

A mention belongs, whole, to the window in which its first token stands, so none is lost and none
counted twice. Mentions are matched before the cut; a matched response mention goes with its
partner. What is left of an entity in a window is an entity of its own. Bounds are the key's.

`with_windows` reads what people write, `find_windows` says where a key is cut, and `cut` makes a
Comparison of it whose documents are the windows: metrics count that as any other.

>>> parse_windows("1500,500,sentences:20")
('500', '1500', 'sentences:20')
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from math import fsum
from operator import itemgetter
from typing import TYPE_CHECKING

import numpy as np

from corefkit.applications.tokens import known_sentences
from corefkit.core.arrays import (
    EMPTY,
    BoolArray,
    IntArray,
    distinct,
    ranks_of,
    starts_of_runs,
    stretches,
    sum_by,
)
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts, PerDocument
from corefkit.core.incidents import Collector, DataError, data_error, make_incident
from corefkit.core.options import Options, PiecesPolicy, UsageError
from corefkit.core.overlap import Pairs
from corefkit.core.tokens import TokenColumns, document_words
from corefkit.metrics import get as get_metric
from corefkit.metrics.base import Average, OverlapMetric
from corefkit.scorers import scorer_for
from corefkit.scorers.comparison import Comparison

if TYPE_CHECKING:
    from corefkit.scorers.scorer import Scorer

WindowChoice = int | str | Iterable[int | str]
"""Windows as people write them: 1500, "500,1500", "sentences:20", "paragraphs", "re:^ACT"."""

WHOLE = "whole"
"""How the row of uncut documents is called."""

SENTENCES, PARAGRAPHS, PATTERN = "sentences:", "paragraphs", "re:"
_FORMS = "a width such as 1500, sentences:20, paragraphs or re:PATTERN"
_BEYOND = 1 << 62
"""Where the last window of a document ends."""


def with_windows(
    options: Options, window: WindowChoice = (), singletons: PiecesPolicy = "follow"
) -> Options:
    """The options with these windows; UsageError for what cannot be cut."""
    windows = parse_windows(window)
    if not windows:
        return options
    if options.across:
        raise UsageError("window: documents are cut or joined, not both; leave out across")
    chosen = replace(options, window=windows, window_singletons=singletons)
    scorer_for(chosen).check_windows()
    whole = [m for m in options.metrics if not isinstance(get_metric(m), OverlapMetric | Average)]
    if whole:
        raise UsageError(
            f"window: {whole[0]} is not counted in windows; choose metrics of entities: mentions, "
            "muc, bcub, ceafm, ceafe, blanc, lea, links or conll"
        )
    return chosen


def parse_windows(window: WindowChoice) -> tuple[str, ...]:
    """The windows one by one, each once: widths first, the narrow before the wide.

    A pattern, which may hold commas, ends only where its text does.

    >>> parse_windows(["re:^(ACT|SCENE), ", 500])
    ('500', 're:^(ACT|SCENE), ')
    """
    texts = [window] if isinstance(window, int | str) else list(window)
    windows: dict[str, tuple[int, int]] = {}
    for text in texts:
        if isinstance(text, bool) or not isinstance(text, int | str):
            raise UsageError(f"window: {text!r:.60} is not {_FORMS}")
        plain, comma, pattern = f",{text}".partition(f",{PATTERN}")
        parts = plain.split(",")[1:] if not comma or plain else []
        for part in parts:
            name = _canonical(part.strip())
            windows[name] = _rank(name)
        if comma:
            _compile(pattern)
            windows[PATTERN + pattern] = (3, 0)
    return tuple(sorted(windows, key=lambda name: (windows[name], name)))


def _canonical(text: str) -> str:
    """A window as signatures have it; UsageError where it is none."""
    if text == PARAGRAPHS:
        return text
    unit = SENTENCES if text.startswith(SENTENCES) else ""
    number = text.removeprefix(unit)
    if not (number.isascii() and number.isdecimal()) or not 0 < int(number) < _BEYOND:
        raise UsageError(f"window: {text!r:.60} is not {_FORMS}")
    return f"{unit}{int(number)}"


def _rank(text: str) -> tuple[int, int]:
    if text == PARAGRAPHS:
        return 2, 0
    sentences = text.startswith(SENTENCES)
    return int(sentences), int(text.removeprefix(SENTENCES))


def _compile(pattern: str) -> "re.Pattern[str]":
    try:
        return re.compile(pattern)
    except re.error as error:
        raise UsageError(f"window: {pattern!r} is not a pattern: {error}") from None


@frozen(eq=False)
class Windows:
    """Where documents are cut: int64 (windows,) the document of each and its bounds.

    A mention whose place p is `first` ≤ p < `last` belongs to the window. They stand by document.
    In a `partition` each place belongs to one window; with a `width` they are so wide.
    """

    document: IntArray
    first: IntArray
    last: IntArray
    partition: bool = True
    width: int = 0

    def __len__(self) -> int:
        return len(self.document)

    def within(self, documents: BoolArray) -> "Windows":
        """Those of some documents."""
        kept = documents[self.document]
        return replace(
            self, document=self.document[kept], first=self.first[kept], last=self.last[kept]
        )

    def holding(self, document: IntArray, place: IntArray) -> IntArray:
        """The window of each place in a document, both int64 (n,), of a partition."""
        if self.width and len(self):
            first = starts_of_runs(self.document)
            last = np.append(first[1:], len(self)) - 1
            first_window = np.zeros(int(self.document[-1]) + 1, dtype=np.int64)
            first_window[self.document[first]] = np.arange(len(first))
            first_window = first_window[document]
            held: IntArray = np.minimum(
                first[first_window] + place // self.width, last[first_window]
            )
            return held
        width = 1 + int(place.max(initial=0))
        begins = self.document * width + np.minimum(self.first, width)
        return np.searchsorted(begins, document * width + place, side="right") - 1

    def times(self, corpus: Corpus) -> IntArray:
        """int64 (mentions,): in how many windows each mention of a corpus stands."""
        row, _ = _place(corpus.document, np.maximum(corpus.start, 0), self)
        return np.bincount(row, minlength=corpus.mentions)


def find_windows(
    scorer: "Scorer", key: Corpus, window: str, collector: Collector, response: Corpus | None = None
) -> Windows:
    """The windows of all documents of a key; DataError where its files do not say where they are.

    What else is to be known of them is noted by the collector. Where the key does not say how long
    a document is, it reaches as far as the mentions of both.
    """
    if window.isdecimal():
        reach = key.lengths if response is None else np.maximum(key.lengths, response.lengths)
        return scorer.token_windows(np.where(key.tokens < 0, reach, key.tokens), int(window))
    document, start = _starts(key, window)
    if window.startswith(PATTERN) and not (start > 0).any():
        collector.note("window-no-match", pattern=window.removeprefix(PATTERN))
    begins = np.arange(len(key.names))
    both = np.concatenate((begins, document)), np.concatenate((np.zeros_like(begins), start))
    order = np.lexsort(both[::-1])
    document, start = both[0][order], both[1][order]
    again = np.zeros(len(start), dtype=bool)
    again[1:] = (document[1:] == document[:-1]) & (start[1:] == start[:-1])
    return make_windows(document[~again], start[~again])


def make_windows(document: IntArray, first: IntArray) -> Windows:
    """Windows that end where the next one of their document begins; sorted by both."""
    last = np.append(first[1:], _BEYOND)
    last[:-1][document[1:] != document[:-1]] = _BEYOND
    return Windows(document, first, last)


def regular_windows(lengths: IntArray, width: int) -> Windows:
    """Windows of one width over documents with so many tokens; a document has one at least."""
    number = np.maximum(-(-lengths // width), 1)
    document = np.repeat(np.arange(len(lengths)), number)
    windows = make_windows(document, width * stretches(np.zeros_like(number), number))
    return replace(windows, width=width)


def _starts(key: Corpus, window: str) -> tuple[IntArray, IntArray]:
    """Document and place of the beginning of each window; the first of a document may be left."""
    if window == PARAGRAPHS:
        return _paragraphs(key)
    need_sentences(key, f"--window {window}")
    tokens = TokenColumns(key)
    first = tokens.sentence_start[:-1]
    document = tokens.document[first]
    place = first - tokens.document_start[document]
    if window.startswith(SENTENCES):
        number = np.arange(len(first)) - np.searchsorted(document, document)
        chosen = number % int(window.removeprefix(SENTENCES)) == 0
    else:
        pattern = _compile(window.removeprefix(PATTERN))
        ends = np.append(first[1:], len(tokens)) - tokens.document_start[document]
        words = document_words(key)
        sentences = zip(document.tolist(), place.tolist(), ends.tolist(), strict=True)
        texts = (" ".join(words[d][a : max(a, b)]) for d, a, b in sentences)
        chosen = np.array([bool(pattern.search(text)) for text in texts], dtype=bool)
    return document[chosen], place[chosen]


def need_sentences(key: Corpus, wanted: str) -> None:
    """DataError where the files of a key do not tell where sentences end, which is `wanted`."""
    known = bool(key.sources) or not key.names
    if not known or any(known_sentences(source) is None for source in key.sources):
        raise data_error(
            "sentences-unknown", "needed", severity="error", file=key.path, wanted=wanted
        )


def _paragraphs(key: Corpus) -> tuple[IntArray, IntArray]:
    by_source = [(source.first_document, source.paragraphs()) for source in key.sources]
    known = [(before, *starts) for before, starts in by_source if starts is not None]
    if not known or len(known) < len(by_source):
        raise data_error("paragraphs-unknown", file=key.path)
    document = np.concatenate([before + document for before, document, _ in known])
    return document, np.concatenate([start for *_, start in known])


def cut(comparison: Comparison, windows: Windows, *, drop_singletons: bool = False) -> Comparison:
    """The comparison with its windows as documents, in which pairs stay pairs.

    With `drop_singletons` the entities of one mention that are left in windows go.
    """
    key, response = comparison.key, comparison.response
    pairs = comparison.pairs
    sides, placed = [], []
    for corpus, place in zip((key, response), places_of(comparison), strict=True):
        row, window = _place(corpus.document, place, windows)
        sides.append(_pieces(corpus, row, window, len(windows)))
        placed.append((row, window))
    made = replace(
        comparison,
        key=sides[0],
        response=sides[1],
        matching=_moved(pairs, placed, len(windows), windows.partition),
        annotated=None,
        documents=None,
    )
    return made.without_singletons() if drop_singletons else made


def places_of(comparison: Comparison) -> tuple[IntArray, IntArray]:
    """Where the mentions of both sides stand; a matched response mention goes with its partner.

    A zero before the first word of a document stands at that word. DataError where there are split
    antecedents, which stand nowhere.
    """
    key, response, pairs = comparison.key, comparison.response, comparison.pairs
    if key._plurals is not None or response._plurals is not None:
        holder = key if key._plurals is not None else response
        raise DataError([make_incident("window-split", file=holder.path)])
    place = response.start.copy()
    place[pairs.response] = key.start[pairs.key]
    return np.maximum(key.start, 0), np.maximum(place, 0)


def _place(document: IntArray, place: IntArray, windows: Windows) -> tuple[IntArray, IntArray]:
    """Rows and their windows, by window, then row; a row may be in several windows or in none."""
    if windows.partition:
        only = windows.holding(document, place)
        row = np.argsort(only, kind="stable")
        return row, only[row]
    width = 1 + int(place.max(initial=0))
    code = document * width + place
    order = np.argsort(code, kind="stable")
    ends = (np.minimum(bound, width) for bound in (windows.first, windows.last))
    low, high = (np.searchsorted(code[order], windows.document * width + end) for end in ends)
    number = np.maximum(high - low, 0)
    row, window = order[stretches(low, number)], np.repeat(np.arange(len(windows)), number)
    # Within a window as they stand in the corpus.
    again = np.argsort(window * max(len(place), 1) + row, kind="stable")
    return row[again], window[again]


def _pieces(corpus: Corpus, row: IntArray, window: IntArray, windows: int) -> Corpus:
    """The mentions of these rows, windows as documents and pieces as entities."""
    width = max(corpus.entities, 1)
    pieces = distinct(window * width + corpus.entity[row])
    label = (pieces.values % width).tolist()
    labels = itemgetter(*label, *label[:1])(corpus.labels)[: len(label)] if label else ()
    taken = corpus if np.array_equal(row, np.arange(corpus.mentions)) else corpus.take(row)
    return replace(
        taken,
        names=tuple(map(str, range(windows))),
        tokens=np.full(windows, -1, dtype=np.int64),
        document=window,
        entity=pieces.inverse,
        labels=labels,
        sources=(),
        links=None,
        dependencies=None,
        _begin=EMPTY,
    )


def _moved(
    pairs: Pairs, placed: list[tuple[IntArray, IntArray]], windows: int, partition: bool
) -> Pairs:
    """The pairs as rows of the pieces: partners stand in the same windows."""
    if partition:
        return Pairs(*(ranks_of(row)[rows] for rows, (row, _) in zip(pairs, placed, strict=True)))
    sides = []
    for rows, (row, window) in zip(pairs, placed, strict=True):
        number = np.full(1 + max(int(rows.max(initial=0)), int(row.max(initial=0))), -1)
        number[rows] = np.arange(len(rows))
        pair = number[row]
        matched = np.flatnonzero(pair >= 0)
        order = np.argsort(pair[matched] * windows + window[matched], kind="stable")
        sides.append(matched[order])
    return Pairs(*sides)


def by_document(counts: Counts, windows: Windows, names: tuple[str, ...]) -> Counts:
    """The counts of windows, added up for each document."""
    bounds = np.searchsorted(windows.document, np.arange(len(names) + 1)).tolist()

    def add(column: PerDocument) -> PerDocument:
        if column.dtype == np.int64:
            return sum_by(windows.document, column.astype(np.int64, copy=False), len(names))
        figures = column.tolist()
        return np.array([fsum(figures[a:b]) for a, b in pairwise(bounds)], dtype=np.float64)

    tables = {m: tuple(add(c) for c in columns) for m, columns in counts.tables.items()}
    return Counts(names, tables)
