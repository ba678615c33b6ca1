"""Tables as plain text, for a terminal."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from corefkit.core.style import style, styled
from corefkit.core.texts import visible, visible_lines, width
from corefkit.render.table import (
    Around,
    Cell,
    CellValue,
    Colour,
    Heading,
    Table,
    TableBlock,
    make_table,
)

_CODES: dict[str, str] = {
    "bold": "\x1b[1m",
    "dim": "\x1b[2m",
    "red": "\x1b[31m",
    "green": "\x1b[32m",
    "yellow": "\x1b[33m",
    "magenta": "\x1b[35m",
}
_RESET = "\x1b[0m"

WIDTH = 100
"""The width of notes, and of tables whose last column or names can be shortened."""

_Shown = list[tuple[str, bool]]
"""The cells of a line: the text, and whether it is the best of its column."""


def render_text(table: Table) -> str:
    """The table in aligned columns, with bold text and colours if the style allows them.

    A table with a title has rules and, in a style without bold text, stars at the best figures.
    """
    stars = bool(table.title) and not style().bold
    # The name of a group is above its first column.
    groups = [text for name, size in table.groups for text in (visible(name), *[""] * (size - 1))]
    lines = [_plain(groups)] if groups else []
    lines.append(_plain(visible(heading.title) for heading in table.headings))
    starts = [len(lines)]
    for block in table.blocks:
        lines += _block(table, block, stars=stars)
        starts.append(len(lines))
    lines, starts = _fold_last(table, lines, starts)
    widths = [
        max(heading.least, *(width(text) for text, _ in column))
        for heading, column in zip(table.headings, zip(*lines, strict=True), strict=True)
    ]
    aligned = [_align(table, line, widths) for line in lines]
    below = _below(table, stars)
    if not table.title:
        return "".join(f"{line}\n" for line in [*aligned, *below])
    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    for start in reversed(starts[:-1] or starts):  # below the heading, and between blocks
        aligned.insert(start, rule)
    return "\n".join([visible(table.title), "", *aligned, *[""] * bool(below), *below, ""])


_LEAST_ROOM = 30
"""The least width to which the last column is folded."""


def _fold_last(
    table: Table, lines: list[_Shown], starts: list[int]
) -> tuple[list[_Shown], list[int]]:
    """The lines, with the texts of the last column folded if the table is too wide.

    `starts` are the indices at which blocks begin; they are returned as they are after folding.
    """
    if not table.headings or table.headings[-1].is_figure or len(table.headings) < 2:
        return lines, starts
    *first_columns, last = zip(*lines, strict=True)
    used = sum(
        max(heading.least, *(width(text) for text, _ in column)) + 2
        for heading, column in zip(table.headings, first_columns, strict=False)
    )
    room = max(WIDTH - used, _LEAST_ROOM)
    if max(width(text) for text, _ in last) <= room:
        return lines, starts
    from textwrap import wrap

    folded: list[_Shown] = []
    breaks = []
    for line in lines:
        breaks.append(len(folded))
        text, best = line[-1]
        pieces = wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
        folded.append([*line[:-1], (pieces[0], best)])
        folded += [[*[("", False)] * len(first_columns), (piece, best)] for piece in pieces[1:]]
    breaks.append(len(folded))
    return folded, [breaks[start] for start in starts]


def line_up(tables: Sequence[Table]) -> list[Table]:
    """The tables with equal widths for columns that have the same name, or title of figures."""
    least: dict[str, int] = {}
    for table in tables:
        for number, heading in enumerate(table.headings):
            shown = [heading.title, *(table.shown(line)[number] for line in table.lines)]
            widest = max(width(visible(text)) for text in shown)
            least[_column(heading)] = max(widest, least.get(_column(heading), 0))
    return [
        replace(table, headings=tuple(h._replace(least=least[_column(h)]) for h in table.headings))
        for table in tables
    ]


def _column(heading: Heading) -> str:
    return heading.title if heading.is_figure else heading.name


def width_of(tables: Iterable[Table]) -> int:
    """The number of characters in the longest line of the tables as text."""
    with styled(bold=False):
        lines = [line for table in tables for line in render_text(table).split("\n")]
    return max(map(len, lines), default=0)


def join_text(tables: Sequence[str], around: Around) -> str:
    """Tables with the lines around them and the short signature, separated by empty lines."""
    below = list(around.below)
    if around.signature:
        from corefkit.scorers.signature import shorten

        below.append(f"signature: {shorten(around.signature)}")
    return "\n\n".join([*map(visible, around.above), *tables, *map(visible_lines, below)]) + "\n"


def _plain(texts: Iterable[str]) -> _Shown:
    return [(text, False) for text in texts]


def _block(table: Table, block: TableBlock, *, stars: bool) -> Iterator[_Shown]:
    """The lines of a block, below its title."""
    if block.title:
        yield _plain([visible(block.title), *[""] * (len(table.headings) - 1)])
    for line in block.lines:
        cells = zip(table.shown(line), line, strict=True)
        yield [(text + _star(cell) if stars else text, cell.best) for text, cell in cells]


def _star(cell: Cell) -> str:
    return "*" if cell.best else "+" if cell.top else ""


def _below(table: Table, stars: bool) -> list[str]:
    """The lines of the note, and the meaning of the stars."""
    cells = [cell for line in table.lines for cell in line] if stars else []
    best = f"* {table.best}" if any(cell.best for cell in cells) else ""
    top = "+ among the best four" if any(cell.top for cell in cells) else ""
    legend = ", ".join(filter(None, (best, top)))
    notes = table.note.split("\n") if table.note else []
    return [*(line for note in notes for line in _narrow(visible(note))), *filter(None, [legend])]


def _narrow(note: str) -> list[str]:
    """The note in lines of at most WIDTH characters."""
    if width(note) <= WIDTH:
        return [note]
    from textwrap import wrap

    return wrap(note, WIDTH, break_long_words=False, break_on_hyphens=False)


def _align(table: Table, line: _Shown, widths: Sequence[int]) -> str:
    """The cells of a line, padded to the widths of their columns; figures are right-aligned."""
    cells = []
    for (text, best), column_width, heading in zip(line, widths, table.headings, strict=True):
        blanks = " " * (column_width - width(text))
        look = "bold" if best else heading.colour
        shown = paint(text, look)
        cells.append(blanks + shown if heading.is_figure else shown + blanks)
    return "  ".join(cells).rstrip()


def paint(text: str, look: Colour | Literal["bold", "dim"] | None) -> str:
    """The text in a colour, bold or dim, if the style allows it."""
    return f"{_CODES[look]}{text}{_RESET}" if look and text and style().bold else text


def bars(counts: dict[str, int], wide: int = 40) -> str:
    """Counts as bars, with numbers and shares, for a terminal; the longest is `wide` characters.

    >>> print(bars({"one": 3, "two": 1}, wide=6))
    one  3  75.00%  ██████
    two  1  25.00%  ██
    """
    total, most = sum(counts.values()), max(counts.values(), default=0)
    headings = [Heading("name", ""), Heading("n", "", kind="number"), Heading("%", "")]
    shares: list[tuple[CellValue, ...]] = [
        (name, n, f"{100 * n / total:.2f}%".rjust(7) if total else "") for name, n in counts.items()
    ]
    aligned = render_text(make_table("bars", "", headings, [shares])).split("\n")[1:-1]
    drawn = ["█" * round(wide * n / most) if most else "" for n in counts.values()]
    return "\n".join(f"{line}  {bar}".rstrip() for line, bar in zip(aligned, drawn, strict=True))
