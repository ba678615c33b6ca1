"""Tables in every format. To add one, write its module and its name in FORMATS."""

from collections.abc import Callable, Iterable, Sequence
from importlib import import_module

from corefkit.data.table import Cell, Line, Table, Value, make_table, plain_headings
from corefkit.data.texts import to_json, visible, visible_lines

FORMATS = ("text", "json", "tsv", "csv", "markdown", "latex", "html")
"""Each has its `render_<format>(table)` in the module of this package of that name."""
SUFFIXES = {"text": "txt", "json": "json", "csv": "csv", "markdown": "md", "latex": "tex"}
"""The files that a table of a task is written to, and how their names end."""

DELIMITED = ("csv", "tsv")
"""The formats that have one table a file, and a module together."""


def render_table(table: Table, form: str, *, bold: bool = False) -> str:
    """The table in one of FORMATS; `bold` is for terminals that can show it."""
    if form == "json":
        return to_json(table.to_dict())
    module = import_module(f"corefkit.render.{'delimited' if form in DELIMITED else form}")
    render: Callable[..., str] = getattr(module, f"render_{form}")
    return render(table, bold=bold) if form == "text" else render(table)


def render_tables(  # noqa: PLR0913 (what stands above and below them)
    tables: Sequence[Table],
    form: str,
    *,
    bold: bool = False,
    above: Iterable[str] = (),
    below: Iterable[str] = (),
    signature: str = "",
    title: str = "corefkit",
) -> str:
    """Several tables in one of FORMATS but JSON, with lines around them and a signature.

    For programs they are one long table, and nothing else.
    """
    if form in DELIMITED:
        return render_table(long_table(tables), form)
    shown = [render_table(table, form, bold=bold).rstrip("\n") for table in tables]
    if form == "text":
        last = [*below, *([f"signature: {signature}"] if signature else [])]
        return "\n\n".join([*map(visible, above), *shown, *map(visible_lines, last)]) + "\n"
    if form == "markdown":
        from corefkit.render.markdown import escape as escape_markdown

        last = [*map(escape_markdown, below), *([f"`{signature}`"] if signature else [])]
        return "\n\n".join([*shown, *last]) + "\n"
    if form == "latex":
        from corefkit.render.latex import comment

        first = [comment(signature)] if signature else []
        return "\n\n".join([*first, *shown, *map(comment, below)]) + "\n"
    from corefkit.render.html import escape, page

    parts = [*(f"<p>{escape(line)}</p>" for line in above), *shown]
    parts += [f"<p>{escape(line)}</p>" for line in below]
    parts += [f"<p><code>{escape(signature)}</code></p>"] if signature else []
    return page(title, (f"{part}\n" for part in parts))


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
