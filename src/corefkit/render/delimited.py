"""Tables for programs: comma- and tab-separated values, nothing rounded."""

import csv
from collections.abc import Iterable, Sequence
from contextvars import ContextVar
from io import StringIO

from corefkit.render.table import CellValue, Table

SAFE: ContextVar[bool] = ContextVar("safe", default=False)
"""Whether people will open what is written in a spreadsheet."""


def render_delimited(table: Table, delimiter: str) -> str:
    """The values under the names of the columns."""
    table = table.flat
    names = [heading.name for heading in table.headings]
    rows = ([cell.value for cell in line] for line in table.lines)
    return write_rows([names, *rows], delimiter)


def write_rows(rows: Iterable[Sequence[CellValue]], delimiter: str) -> str:
    """Rows of values as text, cells quoted where they must be; None is an empty cell.

    Where SAFE is set, texts that a spreadsheet would take for a formula begin with an apostrophe;
    numbers stay numbers.
    """
    safe = SAFE.get()
    lines = []
    for row in rows:
        cells = ["" if value is None else value for value in row]
        lines.append(_line(map(_harmless, cells) if safe else cells, delimiter))
    return "".join(lines)


def _line(cells: Iterable[CellValue], delimiter: str) -> str:
    """One row. The writer quotes cells that have a character of its own line end: CR and LF."""
    out = StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\r\n").writerow(cells)
    return out.getvalue().removesuffix("\r\n") + "\n"


def _harmless(value: CellValue) -> CellValue:
    dangerous = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if dangerous else value
