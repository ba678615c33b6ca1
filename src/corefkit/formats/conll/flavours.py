"""The flavours of CoNLL: all columns of Table 12 or as few as possible, tabs or aligned blanks.

The files of 2011 and 2012 have the same columns, so there is one full flavour.
"""

from collections.abc import Callable

from corefkit.data.incidents import DataError, Incident, data_error, errors
from corefkit.formats.conll.reader import parse
from corefkit.formats.conll.rewriting import Change, Row, Sentence, rewrite

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
    found = list(parse(data, path).incidents)
    if errors(found):
        raise DataError(found)
    changes: dict[str, Change | None] = {
        KEEP: None,
        FULL: lambda sentence: _full(_even(sentence, path)),
        MINIMAL: lambda sentence: _minimal(_even(sentence, path)),
    }
    new = rewrite(data, changes[columns], separator, path)
    if tell:
        tell(found)
    return new


def _even(sentence: Sentence, path: str) -> Sentence:
    """The sentence, if all its lines have the same number of columns."""
    expected = len(sentence.rows[0])
    for place, row in enumerate(sentence.rows):
        if len(row) != expected:
            raise data_error(
                "columns-differ",
                file=path,
                line=sentence.line + place,
                document=sentence.name,
                found=f"{len(row)} columns",
                expected=f"{expected}, as in the first line of the sentence",
            )
    return sentence


def _full(sentence: Sentence) -> list[Row]:
    if all(len(row) > len(_EMPTY) for row in sentence.rows):
        return sentence.rows
    rows = (_named(sentence, place) for place in range(len(sentence.rows)))
    return [[*row[:-1], *_EMPTY[len(row) - 1 :], row[-1]] for row in rows]


def _minimal(sentence: Sentence) -> list[Row]:
    if all(len(row) == _WORD + 2 for row in sentence.rows):
        return sentence.rows
    rows = (_named(sentence, place) for place in range(len(sentence.rows)))
    return [[*row[: _WORD + 1], row[-1]] for row in rows]


def _named(sentence: Sentence, place: int) -> Row:
    """A row with document, part, number and word, which files of few columns lack."""
    row = sentence.rows[place]
    if len(row) >= _WORD + 2:
        return row
    name = "_".join(sentence.name.split()) or "_"
    return [name, "0", str(place), _EMPTY[_WORD], row[-1]]
