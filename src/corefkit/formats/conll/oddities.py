"""What is odd about a CoNLL file although it can be scored: warnings, all of them."""

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.incidents import Collector, Incident, make_incident
from corefkit.data.texts import shorten
from corefkit.formats.conll.lines import Lines

_TAB, _BLANK, _NEWLINE = b"\t \n"
_FEWEST = 3
_PIECE = 1 << 13
_END = re.compile(rb"#\s*end\s+document\b")


def oddities(lines: Lines, path: str, marked: int, *, all_columns: bool = True) -> list[Incident]:
    """The warnings about a file; `marked` is its number of tokens with a bracket."""
    found = Collector(path)
    if not lines.names:
        return []
    data = lines.data
    for incident in (*_documents(lines, path), *_hash_lines(lines, path)):
        found.add(incident)
    if all_columns:
        for incident in _columns(lines, path):
            found.add(incident)
    if b"\x00" in data:
        offset = data.index(b"\x00")
        found.add(_at("nul-byte", path, data.count(b"\n", 0, offset) + 1))
    if not marked and lines.token.any():
        found.add(_at("no-mention", path, None))
    return list(found)


def _documents(lines: Lines, path: str) -> Iterator[Incident]:
    tokens = np.concatenate(([0], np.cumsum(lines.token)))
    for number, name in enumerate(lines.names):
        begin, finish = int(lines.begin[number]), int(lines.finish[number])
        if not name:
            yield _at("document-unnamed", path, begin + 1)
        if tokens[finish] == tokens[begin]:
            yield _at("document-empty", path, begin + 1, document=name)


def _hash_lines(lines: Lines, path: str) -> Iterator[Incident]:
    """Ends without a beginning, and comments that look like tokens."""
    filled = np.flatnonzero((lines.end > lines.start) & ~lines.token)
    document = lines.document()
    headers = set(lines.begin.tolist()) | set(lines.finish.tolist())
    for line in filled.tolist():
        if line in headers:
            continue
        text, number = lines.text(line), int(document[line])
        if _END.match(text):
            yield _at("end-without-begin", path, line + 1)
        elif number >= 0 and line < lines.finish[number] and _is_like_token(text):
            shown = shorten(text.decode("utf-8", "replace"))
            yield _at(
                "comment-with-bracket",
                path,
                line + 1,
                document=lines.names[number],
                found=shown,
            )


def _is_like_token(comment: bytes) -> bool:
    """Whether a comment has as many columns as a token line, and ends like one."""
    *before, last = comment.split()
    return len(before) >= _FEWEST and (last in (b"-", b"_", b"*") or b"(" in last or b")" in last)


def _columns(lines: Lines, path: str) -> Iterator[Incident]:
    """Sentences whose lines have different numbers of columns."""
    row, begins = lines.tokens()
    if not len(row):
        return
    tabs, words = _count_columns(lines, row)
    sentence = np.cumsum(begins) - 1
    first = np.flatnonzero(begins)
    # Tabs behind the last column may or may not be one more, so both numbers are good.
    expected_tabs, expected_words = tabs[first][sentence], words[first][sentence]
    odd = np.flatnonzero((tabs != expected_tabs) & (words != expected_words))
    document = lines.document()
    for i in odd[np.unique(sentence[odd], return_index=True)[1]].tolist():
        line, model = int(row[i]), int(row[first[sentence[i]]])
        own, others = (_fields(lines.text(n)) for n in (line, model))
        yield _at(
            "columns-vary",
            path,
            line + 1,
            own=own,
            others=others,
            document=lines.names[int(document[line])],
            found=f"{own} columns: {shorten(lines.text(line).decode('utf-8', 'replace'))}",
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


def _fields(text: bytes) -> int:
    """How many columns a line has: split by tabs where it has any, else by runs of blanks."""
    return text.count(b"\t") + 1 if b"\t" in text else sum(map(bool, text.split(b" ")))


def _at(
    kind: str,
    path: str,
    line: int | None,
    **more: Any,
) -> Incident:
    return make_incident(kind, file=path, line=line, **more)
