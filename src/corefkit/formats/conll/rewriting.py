"""Rewriting files: everything that is not changed stays the same, byte for byte.

Files with `#begin document` are rewritten sentence by sentence.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, zip_longest

import numpy as np

from corefkit.core.arrays import tuples
from corefkit.core.carriers import frozen
from corefkit.core.incidents import data_error
from corefkit.core.texts import quote
from corefkit.formats.conll.lines import Lines
from corefkit.formats.kit.files import AS_THEY_ARE

Row = list[str]
TAB, BLANK = "tab", "blank"
_GAP = "   "
_WIDEST = 200
"""Longer cells do not widen their column, as all other rows would be filled with blanks."""
_PARSE, _NAMES = 5, 10
_SAYABLE = "cells without blanks, none of them empty; the first one not beginning with #"


@frozen
class SentenceRows:
    """The rows of a sentence.

    `document` is the number of its document, `start` that of its first token in the document, and
    `line` its first line, from 1.
    """

    document: int
    name: str
    start: int
    line: int
    rows: list[Row]


SentenceEdit = Callable[[SentenceRows], list[Row]]


def splice(data: bytes, pieces: Mapping[tuple[int, int], str]) -> bytes:
    """The bytes with pieces (first byte, end) replaced by texts.

    >>> splice(b"1 _ 3", {(2, 3): "2"})
    b'1 2 3'
    """
    parts, at = [], 0
    for (start, end), text in sorted(pieces.items()):
        parts += [data[at:start], text.encode("utf-8", AS_THEY_ARE)]
        at = end
    return b"".join([*parts, data[at:]])


def rewrite(
    data: bytes, change: SentenceEdit | None = None, separator: str | None = None, path: str = "-"
) -> bytes:
    """The file with every sentence changed by a function, with tabs or aligned with blanks.

    Comments, headers, blank lines and sentences that need no change stay. Without a separator, each
    sentence keeps its own. Raises DataError for cells that blanks cannot separate.
    """
    lines = Lines(data)
    pieces: dict[tuple[int, int], str] = {}
    for sentence, rows in _sentences(lines):
        tabbed = lines.has_tabs and any(b"\t" in lines.text(row) for row in rows)
        present = TAB if tabbed else BLANK
        changed = change(sentence) if change else sentence.rows
        if changed is sentence.rows and separator in (None, present):
            continue
        texts = _join(changed, separator or present, path, sentence)
        for row, text in zip(rows, texts, strict=True):
            begin = int(lines.start[row])
            pieces[begin, begin + len(lines.raw(row))] = text
    return splice(data, pieces)


def _sentences(lines: Lines) -> Iterator[tuple[SentenceRows, list[int]]]:
    """Each sentence, and the numbers of its lines (from 0)."""
    row, document = lines.tokens, lines.token_document
    begins = np.flatnonzero(lines.begins())
    starts = begins - np.searchsorted(document, document[begins])
    sizes = np.diff(begins, append=len(row))
    fields = (
        [cell.decode("utf-8", AS_THEY_ARE) for cell in cells] for _, cells in lines.cells(row)
    )
    for first, size, number, start in tuples(begins, sizes, document[begins], starts):
        line_numbers, cells = row[first : first + size].tolist(), list(islice(fields, size))
        yield (
            SentenceRows(number, lines.names[number], start, line_numbers[0] + 1, cells),
            line_numbers,
        )


def _join(rows: list[Row], separator: str, path: str, sentence: SentenceRows) -> Iterator[str]:
    if separator == TAB:
        return ("\t".join(row) for row in rows)
    for number, row in enumerate(rows):
        row[-1] = row[-1] or "-"
        odd = next((cell for cell in row if not cell or " " in cell), None)
        if odd is not None or row[0].startswith("#"):
            what = "is empty" if odd == "" else "contains a blank" if odd else "begins with #"
            raise data_error(
                "cell-needs-tabs",
                what=what,
                file=path,
                at=sentence.line + number,
                document=sentence.name,
                found=quote(odd if odd is not None else row[0]),
                expected=_SAYABLE,
            )
    return align(rows)


def align(rows: Sequence[Row]) -> Iterator[str]:
    """The rows in columns of equal width, flush right; closing brackets extend to the right.

    Cells of more than 200 characters do not widen their column.

    >>> print("\\n".join(align([["a", "0", "(NP*", "(1"], ["a", "10", "*))", "1)"]])))
    a    0   (NP*    (1
    a   10      *))   1)
    """
    split = [[_parts(row, index) for index in range(len(row))] for row in rows]
    widths: list[tuple[int, ...]] = []
    for column in zip_longest(*split, fillvalue=("", "")):
        usual = [part for part in column if sum(map(len, part)) <= _WIDEST]
        widths.append(tuple(max((len(part[i]) for part in usual), default=0) for i in (0, 1)))
    for parts in split:
        cells = [
            body.rjust(left) + tail.ljust(right)
            for (body, tail), (left, right) in zip(parts, widths, strict=False)
        ]
        yield _GAP.join(cells).rstrip()


def _parts(row: Row, index: int) -> tuple[str, str]:
    """A cell without and the closing brackets at its end, if its column has brackets."""
    cell = row[index]
    if index != _PARSE and index < _NAMES and index != len(row) - 1:
        return cell, ""
    body = cell.rstrip(")")
    return body, cell[len(body) :]
