"""The rows of CSV and TSV files; what their columns mean is in `core.table_columns`."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from corefkit.core.table_columns import LINKS


def is_link(row: Mapping[str, Any]) -> bool:
    """Whether a JSON object is a line of a link list, by its keys."""
    if ("anaphor" in row or "antecedent" in row) and not isinstance(row.get("tokens"), list):
        return True
    return {"start", "end", "antecedent_start"} <= LINKS.find(row).keys()


class TableRow(NamedTuple):
    """The cells of a row of a table, and the line on which it begins, from 1."""

    line: int
    cells: list[str]


class TableError(Exception):
    """A row of a table has no clear end: the line on which it begins, and the reason."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(line, reason)
        self.line, self.reason = line, reason


def table_rows(lines: Sequence[str], strict: bool = True) -> Iterator[TableRow]:
    """The rows of a table that are not blank; its first line shows what separates the cells.

    In a table with tabs, quotation marks are part of a cell. In one with commas they enclose a
    cell, as in any CSV. Raises TableError if a cell continues on the next line and, with `strict`,
    if a quotation mark is out of place.

    >>> [row.cells for row in table_rows(['Document,"text, raw"', "a,b"])]
    [['Document', 'text, raw'], ['a', 'b']]
    """
    tabs = "\t" in next((line for line in lines if line.strip()), "")
    rows = (
        csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, strict=strict)
        if tabs
        else csv.reader(lines, strict=strict)
    )
    line = 0
    try:
        for row in rows:
            line += 1
            if rows.line_num > line:
                raise TableError(line, "a quoted cell runs over the end of the line")
            if any(map(str.strip, row)):
                yield TableRow(line, row)
    except csv.Error as error:
        raise TableError(line + 1, str(error)) from error
