"""Windows: long documents are cut into pieces, which are compared one by one.

A mention belongs to the window that contains its first token, so none is lost or counted twice.
Mentions are matched before the cut, and a matched response mention goes to the window of its
partner. The mentions of an entity in a window form an entity of their own. The bounds are those of
the key.

`with_windows` parses what users write, `find_windows` finds the bounds in a key, and
`Comparison.cut` returns a Comparison whose documents are the windows, which metrics count like any
other.

>>> parse_windows("1500,500,sentences:20")
('500', '1500', 'sentences:20')
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from math import fsum
from typing import TYPE_CHECKING

import numpy as np

from corefkit.core.arrays import (
    BoolArray,
    IntArray,
    stretches,
    sum_by,
)
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts, PerDocument
from corefkit.core.incidents import Collector, data_error
from corefkit.core.options import Options, PiecesPolicy, UsageError, compile_pattern
from corefkit.core.tokens import Tokens, document_words, known_sentences
from corefkit.metrics import get as get_metric
from corefkit.metrics.base import Average, PartitionMetric
from corefkit.scorers import scorer_for

if TYPE_CHECKING:
    from corefkit.scorers.scorer import Scorer

WindowChoice = int | str | Iterable[int | str]
"""Windows as users write them: 1500, "500,1500", "sentences:20", "paragraphs", "re:^ACT"."""

WHOLE = "whole"
"""The name of the row for whole documents."""

SENTENCES, PARAGRAPHS, PATTERN = "sentences:", "paragraphs", "re:"
_FORMS = "a width such as 1500, sentences:20, paragraphs or re:PATTERN"
_BEYOND = 1 << 62
"""No window is as wide as this."""


def with_windows(
    options: Options, window: WindowChoice = (), singletons: PiecesPolicy = "follow"
) -> Options:
    """The options with these windows; raises UsageError if documents cannot be cut into them."""
    windows = parse_windows(window)
    if not windows:
        return options
    if options.across:
        raise UsageError("window: documents are cut or joined, not both; leave out across")
    chosen = replace(options, window=windows, window_singletons=singletons)
    scorer_for(chosen).check_windows()
    whole = [m for m in options.metrics if not isinstance(get_metric(m), PartitionMetric | Average)]
    if whole:
        raise UsageError(
            f"window: {whole[0]} is not counted in windows; choose metrics of entities: mentions, "
            "muc, bcub, ceafm, ceafe, blanc, lea, links or conll"
        )
    return chosen


def parse_windows(window: WindowChoice) -> tuple[str, ...]:
    """The windows one by one, each once: widths first, from narrow to wide.

    A pattern may contain commas: it extends to the end of its text.

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
            compile_pattern("window", pattern)
            windows[PATTERN + pattern] = (3, 0)
    return tuple(sorted(windows, key=lambda name: (windows[name], name)))


def _canonical(text: str) -> str:
    """A window in its canonical form; raises UsageError if it is not one."""
    if text == PARAGRAPHS:
        return text
    unit = SENTENCES if text.startswith(SENTENCES) else ""
    number = text.removeprefix(unit)
    if not (number.isascii() and number.isdecimal()) or not 0 < int(number) < _BEYOND:
        raise UsageError(f"window: {text!r:.60} is not {_FORMS}")
    return f"{unit}{int(number)}"


def _rank(text: str) -> tuple[int, int]:
    """The sort key of a window: its kind, then its width."""
    if text == PARAGRAPHS:
        return 2, 0
    sentences = text.startswith(SENTENCES)
    return int(sentences), int(text.removeprefix(SENTENCES))


@frozen(eq=False)
class Windows:
    """The document and the bounds of each window, int64 (windows,), sorted by document and start.

    A mention at the position p belongs to the window if `first` ≤ p < `last`. Without `last`, each
    window ends where the next one of its document begins: a partition of the document.
    """

    document: IntArray
    first: IntArray
    last: IntArray | None = None

    def __len__(self) -> int:
        return len(self.document)

    @property
    def partition(self) -> bool:
        """Whether each position belongs to exactly one window."""
        return self.last is None

    def within(self, documents: BoolArray) -> "Windows":
        """The windows of these documents, bool (documents,)."""
        kept = documents[self.document]
        last = None if self.last is None else self.last[kept]
        return Windows(self.document[kept], self.first[kept], last)

    def holding(self, document: IntArray, position: IntArray) -> IntArray:
        """int64 (n,): the window of each position in its document; only for a partition."""
        width = 1 + int(position.max(initial=0))
        begins = self.document * width + np.minimum(self.first, width)
        return np.searchsorted(begins, document * width + position, side="right") - 1

    def rows(self, document: IntArray, position: IntArray) -> tuple[IntArray, IntArray]:
        """The rows of these positions in documents, and their windows, sorted by window and row.

        A row may have several windows or none.
        """
        if self.last is None:
            only = self.holding(document, position)
            row = np.argsort(only, kind="stable")
            return row, only[row]
        width = 1 + int(position.max(initial=0))
        code = document * width + position
        order = np.argsort(code, kind="stable")
        ends = (np.minimum(bound, width) for bound in (self.first, self.last))
        low, high = (np.searchsorted(code[order], self.document * width + end) for end in ends)
        number = np.maximum(high - low, 0)
        row, window = order[stretches(low, number)], np.repeat(np.arange(len(self)), number)
        # Within a window, rows are in the order of the corpus.
        by_row = np.argsort(window * max(len(position), 1) + row, kind="stable")
        return row[by_row], window[by_row]

    def times(self, corpus: Corpus) -> IntArray:
        """int64 (mentions,): the number of windows that contain each mention of a corpus."""
        row, _ = self.rows(corpus.document, np.maximum(corpus.start, 0))
        return np.bincount(row, minlength=corpus.mentions)


def find_windows(
    scorer: "Scorer", key: Corpus, window: str, collector: Collector, response: Corpus | None = None
) -> Windows:
    """The windows of all documents of a key; raises DataError if its files do not mark them.

    The collector notes a pattern that matches nothing. If the length of a document is unknown, it
    extends to the last mention of both sides.
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
    repeated = np.zeros(len(start), dtype=bool)
    repeated[1:] = (document[1:] == document[:-1]) & (start[1:] == start[:-1])
    return Windows(document[~repeated], start[~repeated])


def regular_windows(lengths: IntArray, width: int) -> Windows:
    """Windows of one width over documents with these numbers of tokens; at least one for each."""
    number = np.maximum(-(-lengths // width), 1)
    document = np.repeat(np.arange(len(lengths)), number)
    return Windows(document, width * stretches(np.zeros_like(number), number))


def _starts(key: Corpus, window: str) -> tuple[IntArray, IntArray]:
    """The document and the start of each window; the first of a document may be missing."""
    if window == PARAGRAPHS:
        return _paragraphs(key)
    need_sentences(key, f"--window {window}")
    tokens = Tokens(key)
    first = tokens.sentence_start[:-1]
    document = tokens.document[first]
    start = first - tokens.document_start[document]
    if window.startswith(SENTENCES):
        number = np.arange(len(first)) - np.searchsorted(document, document)
        chosen = number % int(window.removeprefix(SENTENCES)) == 0
    else:
        pattern = compile_pattern("window", window.removeprefix(PATTERN))
        ends = np.append(first[1:], len(tokens)) - tokens.document_start[document]
        words = document_words(key)
        sentences = zip(document.tolist(), start.tolist(), ends.tolist(), strict=True)
        texts = (" ".join(words[d][a : max(a, b)]) for d, a, b in sentences)
        chosen = np.array([bool(pattern.search(text)) for text in texts], dtype=bool)
    return document[chosen], start[chosen]


def need_sentences(key: Corpus, wanted: str) -> None:
    """Raise DataError if the files of a key do not mark sentences; `wanted` is what needs them."""
    known = bool(key.sources) or not key.names
    if not known or any(known_sentences(source) is None for source in key.sources):
        raise data_error(
            "sentences-unknown", "needed", severity="error", file=key.path, wanted=wanted
        )


def _paragraphs(key: Corpus) -> tuple[IntArray, IntArray]:
    """The document and the start of each paragraph; raises DataError if they are not marked."""
    by_source = [(source.first_document, source.paragraphs()) for source in key.sources]
    known = [(before, *starts) for before, starts in by_source if starts is not None]
    if not known or len(known) < len(by_source):
        raise data_error("paragraphs-unknown", file=key.path)
    document = np.concatenate([before + document for before, document, _ in known])
    return document, np.concatenate([start for *_, start in known])


def by_document(counts: Counts, windows: Windows, names: tuple[str, ...]) -> Counts:
    """The counts of windows, summed by document."""
    bounds = np.searchsorted(windows.document, np.arange(len(names) + 1)).tolist()

    def add(column: PerDocument) -> PerDocument:
        if column.dtype == np.int64:
            return sum_by(windows.document, column.astype(np.int64, copy=False), len(names))
        figures = column.tolist()
        return np.array([fsum(figures[a:b]) for a, b in pairwise(bounds)], dtype=np.float64)

    tables = {m: tuple(add(c) for c in columns) for m, columns in counts.tables.items()}
    return Counts(names, tables)
