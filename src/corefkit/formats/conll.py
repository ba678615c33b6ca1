"""CoNLL-2011/2012 files, as the wild writes them: the last column read, the others left alone."""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit._arrays import BoolArray, IntArray
from corefkit.corpus import Corpus, Source
from corefkit.formats.brackets import find_brackets, match, only_digits
from corefkit.formats.diagnosis import Diagnosis
from corefkit.formats.lines import Lines, find_lines, last_column
from corefkit.formats.oddities import oddities
from corefkit.incidents import Incident

_NONE = np.zeros(256, dtype=bool)
_NONE[list(b"-_*")] = True
_SPACE, _TAB = b" \t"


def parse(data: bytes, path: str, ids: str = "any") -> tuple[Corpus, list[Incident]]:
    """The corpus in the bytes of one file, and all that is wrong with it.

    Where there are errors the corpus holds what could be read; it must not be scored. With
    ids="digits", brackets with other ids, and any other text, are not seen.
    """
    lines = find_lines(data)
    row, document, outside = lines.inside()
    tokens = np.bincount(document, minlength=len(lines.names))
    position = np.arange(len(row)) - (np.cumsum(tokens) - tokens)[document]

    marked, column = _marked_cells(lines, row, document)
    brackets = find_brackets(lines.buffer, column, lines.end[row[marked]])
    unseen = 0
    if ids == "digits":
        seen = only_digits(brackets)
        unseen, brackets = len(brackets.cell) - len(seen.cell), seen
    mentions = match(brackets, document[marked])

    diagnosis = Diagnosis(path, lines, row[marked], column, document[marked])
    diagnosis.file(outside)
    diagnosis.brackets(brackets, mentions)
    diagnosis.unseen(unseen)

    labels = [name.decode("utf-8", "replace") for name in brackets.ids]
    first, last = (marked[brackets.cell[x]] for x in (mentions.first, mentions.last))
    corpus = Corpus(
        tuple(lines.names),
        tokens,
        document[first],
        position[first],
        position[last],
        mentions.entity,
        tuple(labels[i] for i in mentions.entity_id.tolist()),
        (Source(path, data, 0, len(lines.names)),),
        lines.start[lines.begin],
        brackets.place[mentions.first],
        row[first] + 1,
    )
    return corpus, [*diagnosis.found, *oddities(lines, path, len(marked))]


def _marked_cells(lines: Lines, row: IntArray, document: IntArray) -> tuple[IntArray, IntArray]:
    """Which token lines have something in the last column, and where that column begins."""
    end = lines.end[row]
    alone = (end - 1 == lines.start[row]) | _ends_column(lines, end)
    marked = np.flatnonzero(~(_NONE[lines.buffer[end - 1]] & alone))
    column = last_column(lines, row[marked])
    end = end[marked]
    full = ~(_NONE[lines.buffer[end - 1]] & (column == end - 1))
    behind = lines.buffer[np.minimum(end, len(lines.buffer) - 1)]
    widths = _Widths(lines)
    for i in np.flatnonzero(full & ((behind == _TAB) | (behind == _SPACE))).tolist():
        full[i] = not widths.empty_last(int(row[marked[i]]), int(document[marked[i]]))
    return marked[full], column[full]


def _ends_column(lines: Lines, end: IntArray) -> BoolArray:
    """Whether a column of one character ends there: behind a blank, or a tab if there are tabs."""
    before = lines.buffer[np.maximum(end - 2, 0)]
    ends: BoolArray = before == (_TAB if b"\t" in lines.data else _SPACE)
    return ends


class _Widths:
    """Tells an empty coreference column behind a last tab from a tab that means nothing.

    LitBank writes `…<tab>word<tab>` for a token in no mention. Tabs after the last column are
    ignored, so the line alone cannot tell; the lines of the document that end without a tab can:
    they show how many columns there are. If there are none, those of the whole file are asked.
    """

    def __init__(self, lines: Lines) -> None:
        self._lines = lines
        self._of: dict[int, set[int]] = {}

    def empty_last(self, line: int, document: int) -> bool:
        """Whether the line (from 0) of the document has an empty last column."""
        if self._trailing_tabs(line) != 1:
            return False
        if document not in self._of:
            begin, finish = int(self._lines.begin[document]), int(self._lines.finish[document])
            self._of[document] = self._widths(range(begin, finish)) or self._anywhere
        return self._lines.text(line).count(b"\t") + 2 in self._of[document]

    @cached_property
    def _anywhere(self) -> set[int]:
        """For documents whose lines all end with a tab: what the others of the file show."""
        return self._widths(range(len(self._lines.start)))

    def _widths(self, rows: range) -> set[int]:
        return {
            self._lines.text(row).count(b"\t") + 1
            for row in rows
            if self._lines.token[row] and not self._trailing_tabs(row)
        }

    def _trailing_tabs(self, line: int) -> int:
        return self._lines.raw(line).count(b"\t", len(self._lines.text(line)))


class TokenLine(NamedTuple):
    """A line that holds a token: its number (from 1), whether it begins a sentence, its columns."""

    number: int
    begins_sentence: bool
    fields: list[str]


def token_lines(data: bytes, begin: int = 0, end: int | None = None) -> Iterator[TokenLine]:
    """The tokens of all documents, or of those between two bytes of the file."""
    lines = find_lines(data[begin:end])
    above = data.count(b"\n", 0, begin) + 1
    widths = _Widths(lines)
    row, document, _ = lines.inside()
    previous = -1
    for line, number in zip(row.tolist(), document.tolist(), strict=True):
        text = lines.text(line).decode("utf-8", "replace")
        fields = text.split("\t") if "\t" in text else text.split()
        if widths.empty_last(line, number):
            fields.append("")
        yield TokenLine(line + above, line != previous + 1, fields)
        previous = line
