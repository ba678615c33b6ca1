"""The Table: the output of a command as data. Renderers know nothing but Tables.

A Table holds values. How they are written (rounded, as percentages, empty) is decided here, by the
kind of their column, so that all formats agree.

`render_table` and `render_tables` write Tables in any of FORMATS. To add a format, write a module
of that name with its `render_NAME` and `join_NAME`, and add the name to FORMATS.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import groupby
from typing import Any, Literal, NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.results import result_json
from corefkit.core.style import points
from corefkit.core.texts import visible
from corefkit.metrics import title_of

CellValue = str | float | int | bool | None
"""The value of a cell; None if it is empty."""

ValueKind = Literal["text", "metric", "score", "change", "number", "p", "tick"]
"""How the values of a column are written for people:

- text: unchanged, left-aligned;
- metric: the title of the metric of this name, left-aligned;
- score: numbers from 0 to 1 as percentages;
- change: differences of scores in points, with their sign;
- number: whole numbers with commas, others with their decimals;
- p: p-values, which are never shown as 0;
- tick: a mark if the value is true.
"""

EMPTY = ""
"""The text of a cell without a value."""

TICK = "■"
"""The mark of a condition that holds, as in the tables of the CoNLL-2012 paper."""


Colour = Literal["green", "yellow", "red", "magenta"]
"""The colours of columns and words on terminals that show colours."""


class Heading(NamedTuple):
    """A column: its name for programs, its title for people, the group above it, its kind.

    `digits` are the decimals of its numbers; those of scores are the style's. As text it is at
    least `least` characters wide.
    """

    name: str
    title: str
    group: str = ""
    kind: ValueKind = "text"
    digits: int = 2
    colour: Colour | None = None
    least: int = 0

    @property
    def is_figure(self) -> bool:
        """Whether the column holds figures, which are right-aligned."""
        return self.kind not in ("text", "metric", "tick")

    def show(self, value: CellValue) -> str:
        """The text of a value in this column.

        >>> Heading("f1", "F1", kind="score").show(5 / 11), Heading("n", "n").show(None)
        ('45.45', '')
        >>> Heading("n", "n", kind="number").show(19156)
        '19,156'
        >>> Heading("m", "metric", kind="metric").show("bcub")
        'B³'
        >>> [Heading("p", "p", kind="p", digits=4).show(p) for p in (0.04, 0.00004)]
        ['0.0400', '<0.0001']
        """
        if value is None or value is False:
            return EMPTY
        if self.kind == "tick":
            return TICK
        if isinstance(value, str):
            return title_of(value) if self.kind == "metric" else value
        if self.kind in ("score", "change"):
            return points(value, signed=self.kind == "change")
        if self.kind == "p" and round(value, self.digits) == 0:
            return f"<{10**-self.digits:.{self.digits}f}"
        # z: what is rounded to zero has no sign
        return f"{value:z,.{self.digits}f}" if isinstance(value, float) else f"{value:,}"


def plain_headings(*names: str, kind: ValueKind = "text") -> list[Heading]:
    """Headings whose titles are their names; a column `metric` has names of metrics."""
    return [Heading(n, n, kind="metric" if n == "metric" else kind) for n in names]


def metric_headings(names: Iterable[str], kind: ValueKind) -> list[Heading]:
    """A heading for each metric."""
    return [Heading(name, title_of(name), kind=kind) for name in names]


def percent(value: float | None) -> str:
    """A score between 0 and 1 as tables show it, for use in sentences.

    >>> percent(5 / 11)
    '45.45'
    """
    return "" if value is None else points(value)


class Cell(NamedTuple):
    """A value, and whether it is the `best` of its column or among the `top` ones.

    `text`, if given, is shown to people instead of the value.
    """

    value: CellValue
    best: bool = False
    top: bool = False
    text: str | None = None


Line = tuple[Cell, ...]
"""The cells of one line of a table."""


class TableBlock(NamedTuple):
    """Lines that belong together, under a title if it has one."""

    lines: tuple[Line, ...]
    title: str = ""


_SYSTEM = Heading("system", "system")

NOT_SCORED = "not scored because of the errors above"
"""Shown in place of the scores of a system that has none."""


@frozen(eq=False)
class Table:
    """Blocks of lines under headings; make one with `make_table`.

    `note` is shown below the table; `best` explains what marked figures are.
    """

    name: str
    title: str
    headings: tuple[Heading, ...]
    blocks: tuple[TableBlock, ...]
    note: str = ""
    best: str = "the best"

    @property
    def lines(self) -> Iterator[Line]:
        """The lines of all blocks."""
        return (line for block in self.blocks for line in block.lines)

    def shown(self, line: Line) -> list[str]:
        """The texts of the cells of a line, with control characters made visible."""
        return [
            visible(cell.text if cell.text is not None else heading.show(cell.value))
            for heading, cell in zip(self.headings, line, strict=True)
        ]

    @property
    def groups(self) -> list[tuple[str, int]]:
        """The groups of headings, and the number of columns of each; empty if there are none."""
        names = (heading.group for heading in self.headings)
        groups = [(name, len(list(columns))) for name, columns in groupby(names)]
        return groups if any(name for name, _ in groups) else []

    @property
    def flat(self) -> "Table":
        """The table with the titles of its blocks, which are systems, in a first column."""
        if not any(block.title for block in self.blocks):
            return self
        blocks = [
            TableBlock(tuple((Cell(block.title), *line) for line in block.lines))
            for block in self.blocks
        ]
        return replace(self, headings=(_SYSTEM, *self.headings), blocks=tuple(blocks))

    def without(self, *names: str) -> "Table":
        """The table without the columns of these names."""
        return self.pick([i for i, h in enumerate(self.headings) if h.name not in names])

    def pick(self, columns: Sequence[int]) -> "Table":
        """The table with only the columns of these indices, in this order."""
        blocks = [
            TableBlock(tuple(tuple(line[i] for i in columns) for line in block.lines), block.title)
            for block in self.blocks
        ]
        headings = tuple(self.headings[i] for i in columns)
        return replace(self, headings=headings, blocks=tuple(blocks))

    def to_dict(self) -> dict[str, Any]:
        """The table as plain dicts and lists, unrounded."""
        flat = self.flat
        names = [heading.name for heading in flat.headings]
        return {
            "name": self.name,
            "title": self.title,
            "note": self.note,
            "rows": [
                {"block": number} | dict(zip(names, (c.value for c in line), strict=True))
                for number, block in enumerate(flat.blocks)
                for line in block.lines
            ],
        }


def make_table(
    name: str,
    title: str,
    headings: Iterable[Heading],
    blocks: Iterable[Iterable[Sequence[CellValue | Cell]] | TableBlock],
    **fields: Any,
) -> Table:
    """A table of blocks of lines, whose cells may be plain values; `fields` are those of Table."""
    made = [block if isinstance(block, TableBlock) else make_block(block) for block in blocks]
    return Table(name, title, tuple(headings), tuple(made), **fields)


def make_block(lines: Iterable[Sequence[CellValue | Cell]], title: str = "") -> TableBlock:
    """A block of lines, whose cells may be plain values."""
    wrapped = (
        tuple(value if isinstance(value, Cell) else Cell(value) for value in line) for line in lines
    )
    return TableBlock(tuple(wrapped), title)


def mark_best(values: Sequence[float | None], top: int = 1) -> list[Cell]:
    """The scores of one column as cells, with marks for the best and for the `top` ones.

    Scores that are equal when printed get the same marks. 0 is never marked, and a single score
    only if `top` is more than 1.

    >>> [(c.best, c.top) for c in mark_best([0.5, 0.7, None, 0.2], top=2)]
    [(False, True), (True, True), (False, False), (False, False)]
    >>> [c.best for c in mark_best([0.5, 0.50001, 0.4])], mark_best([0.5])[0].best
    ([True, True, False], False)
    """
    rounded = [float(percent(value) or 0) for value in values]
    ranked = sorted(rounded, reverse=True)[:top]
    if top == 1 and len(values) - values.count(None) < 2:
        return [Cell(value) for value in values]
    return [
        Cell(
            value, best=figure == ranked[0] > 0, top=top > 1 and figure >= ranked[-1] and figure > 0
        )
        for value, figure in zip(values, rounded, strict=True)
    ]


FORMATS = ("text", "json", "tsv", "csv", "markdown", "latex", "html")
"""The formats of tables. Each has `render_NAME(table)`, which returns a text, and `join_NAME(texts,
around)`, which joins the texts of several tables, in the module of its name in this package or in
`markup`; JSON and DELIMITED are simpler."""

_MARKUP = ("markdown", "latex", "html")


DELIMITED = {"csv": ",", "tsv": "\t"}
"""The formats with a single table per file, and their separators."""


class Around(NamedTuple):
    """What surrounds tables: lines above and below, a signature, the title of an HTML page."""

    above: Sequence[str] = ()
    below: Sequence[str] = ()
    signature: str = ""
    title: str = "corefkit"


_NOTHING = Around()

TERMINAL = 80
"""The usual width of a terminal in characters."""


def note_lines(notes: Iterable[str], form: str) -> list[str]:
    """The notes on a result as lines below its tables; in text they are wrapped."""
    lines = [f"note: {note}" for note in notes]
    if form != "text":
        return lines
    from textwrap import fill

    return [fill(visible(line), TERMINAL, subsequent_indent="  ") for line in lines]


def render_table(table: Table, form: str) -> str:
    """The table in one of FORMATS."""
    if form == "json":
        return result_json("table", table.to_dict())
    if form in DELIMITED:
        from corefkit.render.markup import render_delimited

        return render_delimited(table, DELIMITED[form])
    render: Callable[[Table], str] = _renderer(form, "render")
    return render(table)


def render_tables(tables: Sequence[Table], form: str, around: Around = _NOTHING) -> str:
    """Several tables in one of FORMATS except JSON, with lines around them and a signature.

    In delimited formats they are joined to one long table, with nothing around it.
    """
    if form in DELIMITED:
        return render_table(long_table(tables), form)
    shown = [render_table(table, form).rstrip("\n") for table in tables]
    join: Callable[[list[str], Around], str] = _renderer(form, "join")
    return join(shown, around)


def render_file(table: Table, form: str) -> str:
    """A single table as a whole file: in HTML a page, otherwise as in `render_table`."""
    if form == "html":
        return render_tables([table], form, Around(title=table.title or _NOTHING.title))
    return render_table(table, form)


def _renderer(form: str, verb: str) -> Any:
    module = "markup" if form in _MARKUP else form
    return getattr(import_module(f"corefkit.render.{module}"), f"{verb}_{form}")


def emphasised(
    table: Table,
    line: Line,
    escape: Callable[[str], str],
    best: tuple[str, str],
    top: tuple[str, str],
) -> list[str]:
    """The texts of a line, with marks around the best figures and around the top ones."""

    def mark(text: str, cell: Cell) -> str:
        text = f"{top[0]}{text}{top[1]}" if cell.top else text
        return f"{best[0]}{text}{best[1]}" if cell.best else text

    texts = map(escape, table.shown(line))
    return [mark(text, cell) for text, cell in zip(texts, line, strict=True)]


def long_table(tables: Iterable[Table]) -> Table:
    """Several tables as one for programs: one row per figure, with its table, row and column."""
    headings = plain_headings("table", "row", "column")
    headings += plain_headings("value", kind="number")
    lines: list[tuple[CellValue, ...]] = []
    for table in tables:
        labels = sum(not heading.is_figure for heading in table.headings)
        for line in table.lines:
            row = " / ".join(str(cell.value) for cell in line[:labels] if cell.value)
            for heading, cell in zip(table.headings[labels:], line[labels:], strict=True):
                lines.append((table.title, row, heading.name, cell.value))
    return make_table("tables", "", headings, [lines])
