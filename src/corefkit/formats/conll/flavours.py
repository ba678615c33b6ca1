"""The flavours of CoNLL: all columns of Table 12 or as few as possible, tabs or aligned blanks.

The files of 2011 and 2012 have the same columns, so there is one full flavour.
"""

from collections.abc import Callable
from functools import partial

from corefkit.data.incidents import Incident, data_error
from corefkit.formats.conll.reader import parse
from corefkit.formats.conll.rewriting import Row, Sentence, rewrite

KEEP, FULL, MINIMAL = "keep", "full", "minimal"
COLUMNS = {
    KEEP: "the columns of the file",
    FULL: "12 and more columns, those that the file lacks empty",
    MINIMAL: "document, part, number, word and coreference",
}
_EMPTY = ("-", "-", "-", "___", "-", "*", "-", "-", "-", "-", "*")
"""What stands in the first eleven columns where nothing is known."""

_WORD = 3


def convert(
    data: bytes,
    path: str = "-",
    columns: str = KEEP,
    separator: str | None = None,
    tell: Callable[[list[Incident]], None] | None = None,
) -> bytes:
    """The file in another flavour; "tab" or "blank" separates columns, None leaves them alone.

    Raises DataError where the file is broken, where blanks cannot say what tabs do, and, if
    columns are to change, where the lines of a sentence have different numbers of them. `tell`
    is called with the warnings.

    >>> data = b"#begin document a\\na\\t0\\t0\\tHi\\tUH\\t-\\n"
    >>> convert(data, columns="minimal", separator="blank")
    b'#begin document a\\na   0   0   Hi   -\\n'
    """
    warnings = parse(data, path).checked().incidents
    change = partial(_change, columns=columns, path=path) if columns != KEEP else None
    new = rewrite(data, change, separator, path)
    if tell:
        tell([*warnings])
    return new


def _change(sentence: Sentence, columns: str, path: str) -> list[Row]:
    """The rows with other columns; DataError where they have different numbers of them."""
    rows, width = sentence.rows, len(sentence.rows[0])
    for place, row in enumerate(rows):
        if len(row) != width:
            raise data_error(
                "columns-differ",
                file=path,
                line=sentence.line + place,
                document=sentence.name,
                found=f"{len(row)} columns",
                expected=f"{width}, as in the first line of the sentence",
            )
    fits = width > len(_EMPTY) if columns == FULL else width == _WORD + 2
    if fits:
        return rows
    if width < _WORD + 2:  # files of few columns lack document, part, number and word
        name = "_".join(sentence.name.split()) or "_"
        rows = [[name, "0", str(place), _EMPTY[_WORD], row[-1]] for place, row in enumerate(rows)]
    if columns == FULL:
        return [[*row[:-1], *_EMPTY[len(row) - 1 :], row[-1]] for row in rows]
    return [[*row[: _WORD + 1], row[-1]] for row in rows]
