"""The rows of CSV and TSV files; what their columns mean is in `core.table_columns`."""

import csv
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from corefkit.core.incidents import Collector
from corefkit.core.table_columns import LINKS
from corefkit.formats.kit.building import lines_of, refused


def is_link(row: Mapping[str, Any]) -> bool:
    """Whether a JSON object is a line of a link list, by its keys."""
    if ("anaphor" in row or "antecedent" in row) and not isinstance(row.get("tokens"), list):
        return True
    return {"start", "end", "antecedent_start"} <= LINKS.find(row).keys()


class TableRow(NamedTuple):
    """The cells of a row of a table, and the line on which it begins, from 1."""

    line: int
    cells: list[str]


def table_rows(data: bytes, collector: Collector, *, strict: bool = True) -> Iterator[TableRow]:
    r"""The rows of a table that are not blank; its first line shows what separates the cells.

    In a table with tabs, quotation marks are part of a cell. In one with commas they enclose a
    cell, as in any CSV. DataError, and an incident, if a cell is too long or continues on the next
    line and, with `strict`, if a quotation mark is out of place.

    >>> table = 'Document,"text, raw"\na,b'.encode()
    >>> [row.cells for row in table_rows(table, Collector("x"))]
    [['Document', 'text, raw'], ['a', 'b']]
    """
    lines = lines_of(data)
    tabs = "\t" in next((line for line in lines if line.strip()), "")
    rows = (
        csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, strict=strict)
        if tabs
        else csv.reader(lines, strict=strict)
    )
    line = 1
    try:
        for row in rows:
            if rows.line_num > line:
                raise csv.Error("a quoted cell runs over the end of the line")
            if any(map(str.strip, row)):
                yield TableRow(line, row)
            line += 1
    except csv.Error as error:
        raise refused(collector, "file-unreadable", "table", at=line, reason=str(error)) from None
