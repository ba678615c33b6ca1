"""The first columns of CoNLL-2012 as `check` sees them: the document and the number of the token.

No score depends on them. A file in which they do not fit was often put together from others, or
has lost lines.
"""

from typing import Any

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.incidents import Collector
from corefkit.core.names import split_name
from corefkit.core.source import Column
from corefkit.core.texts import quote
from corefkit.formats.columns.lines import Lines
from corefkit.formats.columns.tokens import split_lines

_FEWEST = 5
"""Document, part, number, word, coreference: files with fewer columns have others."""
_DOCUMENT, _NUMBER = 0, 2
_NOWHERE, _ANY = -1, -2


def check_token_columns(lines: Lines, incidents: Collector) -> None:
    """Report, once per document, a token of another document, and numbers that jump."""
    row, begins = lines.tokens()
    document = lines.inside[1]
    seen: set[tuple[int, int]] = set()
    at = 0
    for fields in split_lines(lines):
        if (fields.count < _FEWEST).any():
            return
        own = slice(at, at + len(fields.row))
        at += len(fields.row)
        names, numbers = fields.column(_DOCUMENT), fields.column(_NUMBER)
        other = _of_other_document(lines, document[own], names)
        for which, column, wrong in (
            (_DOCUMENT, names, other),
            (_NUMBER, numbers, _jumps(numbers, begins[own])),
        ):
            for place in np.flatnonzero(wrong).tolist():
                number = int(document[own][place])
                if (which, number) not in seen:
                    seen.add((which, number))
                    name, text = lines.names[number], column.values[int(column.code[place])]
                    _note(incidents, which, int(row[own][place]) + 1, name, text)


def _of_other_document(lines: Lines, document: IntArray, column: Column) -> BoolArray:
    """bool (tokens,): where the column is not the id in a name such as "(id); part 000"."""
    code_of = {text: code for code, text in enumerate(column.values)}
    low, high = int(document.min()), int(document.max())
    expected = np.full(high - low + 1, _ANY, dtype=np.int64)
    for number in range(low, high + 1):
        id, part = split_name(lines.names[number])
        if part is not None and " " not in id:
            expected[number - low] = code_of.get(id, _NOWHERE)
    wanted = expected[document - low]
    wrong: BoolArray = (wanted != _ANY) & (wanted != column.code)
    return wrong


def _jumps(column: Column, begins: BoolArray) -> BoolArray:
    """bool (tokens,): where the number is not one more than before; sentences may begin anew.

    A column that does not hold numbers for the most part is another one.
    """
    numbers = column.holds(_is_number)
    if not numbers.all():
        return ~numbers & (10 * int(numbers.sum()) > 9 * len(numbers))
    value = column.numbers(int)
    jump = np.diff(value, prepend=value[:1] - 1) != 1
    jumps: BoolArray = jump & ~(begins & (value <= 1))
    return jumps


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdecimal() and len(text) < 10


def _note(incidents: Collector, which: int, line: int, document: str, text: str) -> None:
    details: dict[str, Any] = {"at": line, "document": document, "found": quote(text)}
    if which == _DOCUMENT:
        incidents.note("document-column", expected=quote(split_name(document).id), **details)
    else:
        expected = "numbers that run on within a sentence"
        incidents.note("token-number", "conll", severity="warning", expected=expected, **details)
