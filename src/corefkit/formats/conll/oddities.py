"""What is odd about a CoNLL file although it can be scored: warnings, all of them."""

import re

import numpy as np

from corefkit.data.arrays import IntArray, distinct, tuples
from corefkit.data.incidents import Collector
from corefkit.data.texts import shorten
from corefkit.formats.conll.lines import Lines, split_fields

_TAB, _BLANK, _NEWLINE = b"\t \n"
_FEWEST = 3
_PIECE = 1 << 13
_END = re.compile(rb"#\s*end\s+document\b")


def tell_oddities(lines: Lines, marked: int, found: Collector, *, all_columns: bool) -> None:
    """Note the warnings about a file; `marked` is its number of tokens with a bracket."""
    if not lines.names:
        return
    _documents(lines, found)
    _hash_lines(lines, found)
    if all_columns:
        _columns(lines, found)
    if (offset := lines.data.find(b"\x00")) >= 0:
        found.note("nul-byte", line=lines.data.count(b"\n", 0, offset) + 1)
    if not marked and lines.token.any():
        found.note("no-mention")


def _documents(lines: Lines, found: Collector) -> None:
    sizes = np.bincount(lines.inside[1], minlength=len(lines.names))
    for name, (size, begin) in zip(lines.names, tuples(sizes, lines.begin), strict=True):
        if not name:
            found.note("document-unnamed", line=begin + 1)
        if not size:
            found.note("document-empty", line=begin + 1, document=name)


def _hash_lines(lines: Lines, found: Collector) -> None:
    """Ends without a beginning, and comments that look like tokens."""
    filled = np.flatnonzero((lines.end > lines.start) & ~lines.token)
    document = lines.document()
    headers = set(lines.begin.tolist()) | set(lines.finish.tolist())
    for line in filled.tolist():
        if line in headers:
            continue
        text, number = lines.text(line), int(document[line])
        if _END.match(text):
            found.note("end-without-begin", line=line + 1)
        elif number >= 0 and line < lines.finish[number] and _is_like_token(text):
            shown, name = shorten(text.decode("utf-8", "replace")), lines.names[number]
            found.note("comment-with-bracket", line=line + 1, document=name, found=shown)


def _is_like_token(comment: bytes) -> bool:
    """Whether a comment has as many columns as a token line, and ends like one."""
    *before, last = comment.split()
    return len(before) >= _FEWEST and (last in (b"-", b"_", b"*") or b"(" in last or b")" in last)


def _columns(lines: Lines, found: Collector) -> None:
    """Sentences whose lines have different numbers of columns."""
    row, begins = lines.tokens()
    if not len(row):
        return
    tabs, words = _count_columns(lines, row)
    first = np.flatnonzero(begins)[np.cumsum(begins) - 1]
    # Tabs behind the last column may or may not be one more, so both numbers are good.
    odd = np.flatnonzero((tabs != tabs[first]) & (words != words[first]))
    document = lines.document()
    for i in odd[distinct(first[odd]).first].tolist():
        line, model = int(row[i]), int(row[first[i]])
        text, other = (lines.text(n).decode("utf-8", "replace") for n in (line, model))
        own, others = len(split_fields(text)), len(split_fields(other))
        found.note(
            "columns-vary",
            line=line + 1,
            own=own,
            others=others,
            document=lines.names[int(document[line])],
            found=f"{own} columns: {shorten(text)}",
            expected=f"{others} columns, as in line {model + 1:,}",
        )


def _count_columns(lines: Lines, row: IntArray) -> tuple[IntArray, IntArray]:
    """Separators of each line as it stands, and of its text without what follows it.

    They are counted in pieces that fit into the processor's cache.
    """
    tabs = lines.has_tabs
    whole, words = np.empty((2, len(row)), dtype=np.int64)
    for first in range(0, len(row), _PIECE):
        piece = row[first : first + _PIECE]
        begin, after = int(lines.start[piece[0]]), int(piece[-1]) + 1
        buffer = lines.buffer[begin : lines.start[after] if after < len(lines.start) else None]
        if tabs:
            column = buffer == _TAB
        else:
            text = (buffer != _BLANK) & (buffer != _NEWLINE)
            column = text.copy()
            column[1:] &= ~text[:-1]
        bounds = np.stack([lines.start[piece], lines.end[piece]], axis=1).ravel() - begin
        column = np.append(column, False)  # the last line may end with the file
        sums = np.add.reduceat(column.view(np.uint8), bounds, dtype=np.int32)
        words[first : first + _PIECE] = sums[::2]
        whole[first : first + _PIECE] = sums[::2] + sums[1::2] if tabs else sums[::2]
    return whole, words
