"""CoNLL-2011/2012 files, as they occur in practice: only the last column is read."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray, byte_table, tuples
from corefkit.data.corpus import Corpus
from corefkit.data.source import Source
from corefkit.formats.conll.brackets import find_brackets, match, only_digits
from corefkit.formats.conll.diagnosis import Diagnosis
from corefkit.formats.conll.lines import Lines, find_byte, find_lines, last_column, split_fields
from corefkit.formats.conll.oddities import tell_oddities
from corefkit.formats.conll.tokens import ConllTokens
from corefkit.formats.files import AS_THEY_ARE
from corefkit.formats.registry import PLAIN, Reading

_NONE = byte_table(b"-_*")
_SPACE, _TAB = b" \t"


def parse(data: bytes, path: str, reading: Reading = PLAIN, form: str = "conll") -> Corpus:
    """The corpus in the bytes of one file; its incidents say all that is wrong with it.

    Without `reading.all_columns` only the last column is looked at, and lines that have more or
    fewer columns than their neighbours are not reported.

    Where there are errors the corpus holds what could be read; it must not be scored. With
    `reading.ids` "digits", brackets with other ids, and any other text, are not seen.
    """
    lines = find_lines(data)
    row, document, outside = lines.inside
    tokens = np.bincount(document, minlength=len(lines.names))
    before = np.cumsum(tokens) - tokens

    marked, column = _marked_cells(lines)
    brackets = find_brackets(lines.buffer, column, lines.end[row[marked]])
    unseen = 0
    if reading.ids == "digits":
        seen = only_digits(brackets)
        unseen, brackets = len(brackets.cell) - len(seen.cell), seen
    mentions = match(brackets, document[marked])

    diagnosis = Diagnosis(path, lines, row[marked], column, document[marked])
    diagnosis.file(outside)
    diagnosis.brackets(brackets, mentions)
    if unseen:
        expected = "ids of digits, as the reference scorer wants them"
        diagnosis.found.note("ids-unseen", number=unseen, expected=expected)
    tell_oddities(lines, len(marked), diagnosis.found, all_columns=reading.all_columns)

    labels = [name.decode("utf-8", AS_THEY_ARE) for name in brackets.ids]
    first, last = (marked[brackets.cell[x]] for x in (mentions.first, mentions.last))
    return Corpus(
        tuple(lines.names),
        tokens,
        document[first],
        first - before[document[first]],
        last - before[document[first]],
        mentions.entity,
        tuple(labels[i] for i in mentions.entity_id.tolist()),
        (Source(path, lines.data, 0, len(lines.names), ConllTokens(form, reading.word_column)),),
        lines.start[lines.begin],
        brackets.place[mentions.first],
        row[first] + 1,
        incidents=tuple(diagnosis.found),
    )


def _marked_cells(lines: Lines) -> tuple[IntArray, IntArray]:
    """Which token lines have something in the last column, and where that column begins."""
    row, _, _ = lines.inside
    end = lines.end[row]
    # Most lines end in a blank or tab and one of - _ *: they are done with here.
    gap = lines.buffer[end - 2] == (_TAB if lines.has_tabs else _SPACE)
    marked = np.flatnonzero(~(_NONE[lines.buffer[end - 1]] & gap))
    column = last_column(lines, row[marked])
    end = end[marked]
    full = ~(_NONE[lines.buffer[end - 1]] & (column == end - 1))
    full[full] = ~empty_last(lines, marked[full])
    return marked[full], column[full]


def empty_last(lines: Lines, asked: IntArray | None = None) -> BoolArray:
    """bool (asked,): which of these token lines, or of all, have an empty last column.

    LitBank writes `…<tab>word<tab>` for a token in no mention. Tabs after the last column are
    ignored, so the line alone cannot tell; the lines of the document that end without a tab can:
    they show how many columns there are. If there are none, those of the whole file are asked.
    """
    row, document, _ = lines.inside
    asked = np.arange(len(row)) if asked is None else asked
    behind = lines.buffer[np.minimum(lines.end[row[asked]], len(lines.buffer) - 1)]
    if not lines.has_tabs or not ((behind == _TAB) | (behind == _SPACE)).any():
        return np.zeros(len(asked), dtype=bool)
    tab = find_byte(lines.buffer, _TAB)
    after_text = np.searchsorted(tab, lines.end[row])
    tabs = after_text - np.searchsorted(tab, lines.start[row])
    stop = np.append(lines.start[1:], len(lines.buffer) + 1)[row] - 1
    trailing = np.searchsorted(tab, stop) - after_text
    plain, one = trailing == 0, (trailing == 1)[asked]
    width = document * (int(tabs.max(initial=0)) + 3) + tabs
    known = np.isin(document[asked], document[plain])
    here = np.isin(width[asked] + 1, width[plain])
    anywhere = np.isin(tabs[asked] + 1, tabs[plain])
    empty: BoolArray = one & np.where(known, here, anywhere)
    return empty


class TokenLine(NamedTuple):
    """A line that holds a token: its number (from 1), whether it begins a sentence, its columns."""

    number: int
    begins_sentence: bool
    fields: list[str]


def token_lines(
    data: bytes, begin: int = 0, end: int | None = None, *, errors: str = "replace"
) -> Iterator[TokenLine]:
    """The tokens of all documents, or of those between two bytes of the file.

    `errors` is what `bytes.decode` does with bytes that are not UTF-8.
    """
    lines = find_lines(data[begin:end])
    above = data.count(b"\n", 0, begin) + 1
    numbers = tuples(*lines.tokens())
    for (line, first), fields in zip(numbers, token_fields(lines, errors), strict=True):
        yield TokenLine(line + above, first, fields)


def token_fields(lines: Lines, errors: str) -> Iterator[list[str]]:
    """The columns of each token of a document, the last one even where it is empty."""
    for line, lacks_last in tuples(lines.inside[0], empty_last(lines)):
        fields = split_fields(lines.text(line).decode("utf-8", errors))
        yield [*fields, ""] if lacks_last else fields
