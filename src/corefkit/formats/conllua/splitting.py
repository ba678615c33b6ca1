"""Split the bytes of a CoNLL-UA file into rows and cells."""

import re
from collections.abc import Iterator

import numpy as np

from corefkit.data.arrays import BoolArray, ByteArray, IntArray
from corefkit.formats.conll.lines import BLANKS, find_byte, strip
from corefkit.formats.conllua.rows import Comments, Header, Rows

_BOM = b"\xef\xbb\xbf"
_NEWLINE, _TAB, _BLANK, _HASH = b"\n\t #"
_HEADER = re.compile(rb"global\.columns[ \t]*=[ \t]*(.*)")


def find_rows(data: bytes) -> Rows:
    """Split the bytes into rows and cells: by tabs where a line has any, else by runs of blanks."""
    if b"\n" not in data and b"\r" in data:
        data = data.replace(b"\r", b"\n")
    buffer: ByteArray = np.frombuffer(data or b"\n", dtype=np.uint8)
    separator = np.flatnonzero((buffer == _TAB) | (buffer == _NEWLINE))
    ends = np.flatnonzero(buffer[separator] == _NEWLINE)
    breaks = separator[ends]
    if buffer[-1] != _NEWLINE:
        breaks, ends = np.append(breaks, len(buffer)), np.append(ends, len(separator))
    start = np.concatenate(([len(_BOM) if data.startswith(_BOM) else 0], breaks[:-1] + 1))
    begin, end = strip(buffer, start, np.maximum(breaks, start), BLANKS)
    filled = end > begin
    hash_first = filled & (buffer[np.where(filled, begin, 0)] == _HASH)
    line, comment = np.flatnonzero(filled & ~hash_first), np.flatnonzero(hash_first)
    said = strip(buffer, begin[comment] + 1, end[comment], BLANKS)
    comments = Comments(comment, *said)
    headers = tuple(
        Header(number, tuple(found[1].decode("utf-8", "replace").split()))
        for number, found in find_comments(data, comments, b"global.columns", _HEADER)
    )
    first = np.concatenate(([0], ends[:-1] + 1))[line]
    tabs = ends[line] - first
    begin, end = begin[line], end[line]
    # Tabs around the text of a line separate nothing: where there are any, they are left out.
    loose = np.flatnonzero((begin > start[line]) | _tab_behind(buffer, end))
    first[loose] = np.searchsorted(separator, begin[loose])
    tabs[loose] = np.searchsorted(separator, end[loose]) - first[loose]
    left = right = separator
    if not tabs.all():
        left, right = _with_blanks(buffer, separator, begin[tabs == 0], end[tabs == 0])
        first = np.searchsorted(left, begin)
        tabs = np.searchsorted(left, end) - first
    blank = np.flatnonzero(~filled)
    cells = tabs + 1
    return Rows(
        data, buffer, start, blank, comments, line, begin, end, left, right, first, cells, headers
    )


def find_comments(
    data: bytes, comments: Comments, word: bytes, pattern: re.Pattern[bytes]
) -> Iterator[tuple[int, re.Match[bytes]]]:
    """The comments that begin with a word and match a pattern: line and match."""
    buffer = np.frombuffer(data, dtype=np.uint8)
    some = np.flatnonzero(comments.end - comments.begin >= len(word))
    some = some[buffer[comments.begin[some]] == word[0]]
    for at in some.tolist():
        if found := pattern.match(data, int(comments.begin[at]), int(comments.end[at])):
            yield int(comments.line[at]), found


def _tab_behind(buffer: ByteArray, end: IntArray) -> BoolArray:
    """Whether blanks or tabs follow the text of each row."""
    behind = buffer[np.minimum(end, len(buffer) - 1)]
    found: BoolArray = (end < len(buffer)) & (behind != _NEWLINE)
    return found


def _with_blanks(
    buffer: ByteArray, separator: IntArray, begin: IntArray, end: IntArray
) -> tuple[IntArray, IntArray]:
    """The separators together with the runs of blanks in these rows, which have no tab."""
    blank = find_byte(buffer, _BLANK)
    row = np.searchsorted(begin, blank, side="right") - 1
    blank = blank[(row >= 0) & (blank < end[np.maximum(row, 0)])]
    if not len(blank):
        return separator, separator
    opens = np.concatenate(([True], np.diff(blank) > 1))
    closes = np.concatenate((np.diff(blank) > 1, [True]))
    left = np.sort(np.concatenate((separator, blank[opens])))
    return left, np.sort(np.concatenate((separator, blank[closes])))
