"""Tables in every format. To add one, write its module and its name in FORMATS."""

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from corefkit.data.table import Cell, Line, Table, Value, make_table, plain_headings
from corefkit.data.texts import to_json

FORMATS = ("text", "json", "tsv", "csv", "markdown", "latex", "html")
"""Each has its `render_<format>(table)` in the module of this package of that name, and there
`join_tables(tables, around)` for several tables with lines around them."""
SUFFIXES = {"text": "txt", "json": "json", "csv": "csv", "markdown": "md", "latex": "tex"}
"""The files that a table of a task is written to, and how their names end."""

DELIMITED = {"csv": ",", "tsv": "\t"}
"""The formats that have one table a file, and a module together; what stands between cells."""


class Around(NamedTuple):
    """What stands around tables: lines above and below, a signature, the title of a page."""

    above: Sequence[str] = ()
    below: Sequence[str] = ()
    signature: str = ""
    title: str = "corefkit"


_NOTHING = Around()


def render_table(table: Table, form: str, *, bold: bool = False) -> str:
    """The table in one of FORMATS; `bold` is for terminals that can show it."""
    if form == "json":
        return to_json(table.to_dict())
    if form in DELIMITED:
        from corefkit.render.delimited import render_delimited

        return render_delimited(table, DELIMITED[form])
    render: Callable[..., str] = _renderer(form, f"render_{form}")
    return render(table, bold=bold) if form == "text" else render(table)


def render_tables(
    tables: Sequence[Table], form: str, around: Around = _NOTHING, *, bold: bool = False
) -> str:
    """Several tables in one of FORMATS but JSON, with lines around them and a signature.

    For programs they are one long table, and nothing else.
    """
    if form in DELIMITED:
        return render_table(long_table(tables), form)
    shown = [render_table(table, form, bold=bold).rstrip("\n") for table in tables]
    join: Callable[[list[str], Around], str] = _renderer(form, "join_tables")
    return join(shown, around)


def render_file(table: Table, form: str, *, bold: bool = False) -> str:
    """One table that is all there is: in HTML a page of its own, otherwise as `render_table`."""
    if form == "html":
        return render_tables([table], form, Around(title=table.title or _NOTHING.title))
    return render_table(table, form, bold=bold)


def _renderer(form: str, function: str) -> Any:
    return getattr(import_module(f"corefkit.render.{form}"), function)


def emphasised(
    table: Table,
    line: Line,
    escape: Callable[[str], str],
    best: tuple[str, str],
    top: tuple[str, str],
) -> list[str]:
    """The texts of a line, the best figures and those among the best between marks."""

    def marked(text: str, cell: Cell) -> str:
        text = f"{top[0]}{text}{top[1]}" if cell.top else text
        return f"{best[0]}{text}{best[1]}" if cell.best else text

    texts = map(escape, table.shown(line))
    return [marked(text, cell) for text, cell in zip(texts, line, strict=True)]


def long_table(tables: Iterable[Table]) -> Table:
    """Several tables as one for programs: a line for each figure, with where it stands."""
    headings = plain_headings("table", "row", "column")
    headings += plain_headings("value", kind="number")
    lines: list[tuple[Value, ...]] = []
    for table in tables:
        labels = sum(not heading.is_figure for heading in table.headings)
        for line in table.lines:
            row = " / ".join(str(cell.value) for cell in line[:labels] if cell.value)
            for heading, cell in zip(table.headings[labels:], line[labels:], strict=True):
                lines.append((table.title, row, heading.name, cell.value))
    return make_table("tables", "", headings, [lines])
