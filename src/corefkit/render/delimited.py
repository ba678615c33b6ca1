"""Tables for programs: comma- and tab-separated values, nothing rounded."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO

from corefkit.data.table import Table, Value


def render_csv(table: Table, *, safe: bool = False) -> str:
    """Comma-separated values under the names of the columns."""
    return _render(table, ",", safe)


def render_tsv(table: Table, *, safe: bool = False) -> str:
    """Tab-separated values under the names of the columns."""
    return _render(table, "\t", safe)


def _render(table: Table, delimiter: str, safe: bool) -> str:
    table = table.flat
    names = [heading.name for heading in table.headings]
    rows = ([cell.value for cell in line] for line in table.lines)
    return write_rows([names, *rows], delimiter, safe=safe)


def write_rows(rows: Iterable[Sequence[Value]], delimiter: str = ",", *, safe: bool = False) -> str:
    """Rows of values as text, cells quoted where they must be; None is an empty cell.

    With `safe`, texts that a spreadsheet would take for a formula begin with an apostrophe;
    numbers stay numbers.

    >>> print(write_rows([["=1+1", -0.5, None]], safe=True), end="")
    '=1+1,-0.5,
    """
    out = StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    for row in rows:
        cells = ["" if value is None else value for value in row]
        writer.writerow(map(_harmless, cells) if safe else cells)
    return out.getvalue()


def _harmless(value: Value) -> Value:
    dangerous = isinstance(value, str) and value[:1] in ("=", "+", "-", "@", "\t", "\r")
    return f"'{value}" if dangerous else value
