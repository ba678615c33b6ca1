"""Tables of any layout: columns under group heads, rows in blocks, figures marked as the best.

One Table is rendered as text, markdown, LaTeX, CSV, TSV and JSON, so that all of them say the same.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import groupby
from typing import Any

from corefkit.render.latex import escape
from corefkit.render.text import align_columns

Value = str | float | int | bool | None


@dataclass(frozen=True)
class Column:
    """A column: its name in JSON and CSV, its title for people, and the head it stands under."""

    name: str
    title: str
    group: str = ""
    number: bool = True


@dataclass(frozen=True)
class Cell:
    """An exact value, the text that people see, and whether it is the best or among the best."""

    value: Value
    text: str
    bold: bool = False
    underlined: bool = False


Row = tuple[Cell, ...]


@dataclass(frozen=True)
class Table:
    """A table; `note` says what people must know to read it, `best` what bold figures are."""

    name: str
    title: str
    columns: tuple[Column, ...]
    blocks: tuple[tuple[Row, ...], ...]
    note: str = ""
    best: str = "the best"

    @property
    def rows(self) -> Iterator[Row]:
        """All rows, whatever their block."""
        return (row for block in self.blocks for row in block)

    def to_dict(self) -> dict[str, Any]:
        """The table as plain dicts and lists, with exact values."""
        names = [column.name for column in self.columns]
        return {
            "name": self.name,
            "title": self.title,
            "note": self.note,
            "rows": [
                {"block": number} | dict(zip(names, (c.value for c in row), strict=True))
                for number, block in enumerate(self.blocks)
                for row in block
            ],
        }


def label(text: str) -> Cell:
    """A cell of words."""
    return Cell(text, text)


def figure(value: float | None, *, bold: bool = False, underlined: bool = False) -> Cell:
    """A score between 0 and 1, shown as a percentage; blank where there is none."""
    if value is None:
        return Cell(None, "")
    return Cell(value, f"{100 * value:.2f}", bold, underlined)


def mark(values: Sequence[float | None], top: int = 1) -> list[Cell]:
    """Figures of one column: the best bold, the `top` best underlined; equal ones all alike.

    Where only the best is marked, a figure that stands alone is not.

    >>> [(c.text, c.bold, c.underlined) for c in mark([0.5, 0.7, None], top=2)]
    [('50.00', False, True), ('70.00', True, True), ('', False, False)]
    """
    shown = sorted({round(v, 4) for v in values if v is not None}, reverse=True)
    ranked = sorted((round(v, 4) for v in values if v is not None), reverse=True)
    least = ranked[min(top, len(ranked)) - 1] if ranked and top > 1 else 2.0
    marked = len(ranked) > 1 or top > 1
    return [
        figure(
            v,
            bold=marked and v is not None and round(v, 4) == shown[0],
            underlined=v is not None and round(v, 4) >= least,
        )
        for v in values
    ]


def render_grid(table: Table, form: str, *, bold: bool = False) -> str:
    """The table in one of GRID_FORMATS; `bold` is for terminals that can show it."""
    if form == "text":
        return _text(table, bold)
    return _RENDERERS[form](table)


def heads(columns: Iterable[Column]) -> list[tuple[str, int]]:
    """The group heads and how many columns each spans."""
    return [(group, len(list(same))) for group, same in groupby(columns, lambda c: c.group)]


def _text(table: Table, bold: bool) -> str:
    left = next((i for i, c in enumerate(table.columns) if c.number), len(table.columns))
    lines: list[list[str]] = []
    if any(c.group for c in table.columns):
        above = [
            text for group, width in heads(table.columns) for text in (*[""] * (width - 1), group)
        ]
        lines.append(above)
    lines.append([column.title for column in table.columns])
    strong: list[set[int]] = [set() for _ in lines]
    ends = []
    for block in table.blocks:
        for row in block:
            lines.append([cell.text + ("" if bold else _star(cell)) for cell in row])
            strong.append({i for i, cell in enumerate(row) if cell.bold and bold})
        ends.append(len(lines))
    aligned = align_columns(lines, left=left, strong=strong).split("\n")
    rule = "-" * max(map(len, aligned[: ends[0] if ends else 1]))
    for place in reversed([len(lines) - sum(map(len, table.blocks)), *ends[:-1]]):
        aligned.insert(place, rule)
    legend = [] if bold else _legend(table)
    below = [*([table.note] if table.note else []), *legend]
    return "\n".join([table.title, "", *aligned, *([""] * bool(below)), *below, ""])


def _star(cell: Cell) -> str:
    return "*" if cell.bold else "+" if cell.underlined else ""


def _legend(table: Table) -> list[str]:
    cells = [cell for row in table.rows for cell in row]
    best = f"* {table.best}" if any(c.bold for c in cells) else ""
    more = "+ among the best four" if any(c.underlined for c in cells) else ""
    return [", ".join(filter(None, (best, more)))] if best or more else []


def _markdown(table: Table) -> str:
    titles = [" ".join(filter(None, (c.group, c.title))) or " " for c in table.columns]
    lines = [f"**{_escape(table.title)}**", "", _line(map(_escape, titles))]
    lines.append(_line("---:" if c.number else "---" for c in table.columns))
    lines += [_line(map(_markdown_cell, row)) for row in table.rows]
    return "\n".join([*lines, "", *([_escape(table.note), ""] if table.note else [])])


def _markdown_cell(cell: Cell) -> str:
    text = _escape(cell.text)
    text = f"<u>{text}</u>" if cell.underlined else text
    return f"**{text}**" if cell.bold else text


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _escape(text: str) -> str:
    return "".join("\\" + c if c in "\\|*_`<[" else c for c in text)


def _latex(table: Table) -> str:
    align = "".join("r" if c.number else "l" for c in table.columns)
    lines = ["% needs \\usepackage{booktabs}", f"\\begin{{tabular}}{{{align}}}", "\\toprule"]
    if any(c.group for c in table.columns):
        above = [
            f"\\multicolumn{{{width}}}{{c}}{{{escape(group)}}}"
            for group, width in heads(table.columns)
        ]
        lines.append(" & ".join(above) + " \\\\")
    lines.append(" & ".join(escape(c.title) for c in table.columns) + " \\\\")
    for block in table.blocks:
        lines.append("\\midrule")
        lines += [" & ".join(map(_latex_cell, row)) + " \\\\" for row in block]
    caption = " ".join(filter(None, (table.title + ".", table.note))).replace("\n", "\n% ")
    return "\n".join([*lines, "\\bottomrule", "\\end{tabular}", f"% {caption}", ""])


def _latex_cell(cell: Cell) -> str:
    text = "$\\bullet$" if cell.text == TICK else escape(cell.text)
    text = f"\\underline{{{text}}}" if cell.underlined else text
    return f"\\textbf{{{text}}}" if cell.bold else text


TICK = "■"
"""What stands where a condition holds, as in the tables of the CoNLL-2012 paper."""


def _delimited(delimiter: str) -> Callable[[Table], str]:
    def render(table: Table) -> str:
        out = StringIO()
        writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
        writer.writerow([column.name for column in table.columns])
        writer.writerows(["" if c.value is None else c.value for c in row] for row in table.rows)
        return out.getvalue()

    return render


def _json(table: Table) -> str:
    return json.dumps(table.to_dict(), indent=1, ensure_ascii=False) + "\n"


_RENDERERS: dict[str, Callable[[Table], str]] = {
    "text": lambda table: _text(table, False),
    "json": _json,
    "tsv": _delimited("\t"),
    "csv": _delimited(","),
    "markdown": _markdown,
    "latex": _latex,
}

GRID_FORMATS = tuple(_RENDERERS)
SUFFIXES = {"text": "txt", "json": "json", "csv": "csv", "markdown": "md", "latex": "tex"}
"""The files that a table is written to, and how their names end."""
