"""Tables for a terminal."""

from collections.abc import Mapping, Sequence

from corefkit.data.table import Block, Heading, Table, Value, make_table
from corefkit.data.texts import visible, visible_lines, width
from corefkit.render.tables import Around

BOLD, PLAIN = "\x1b[1m", "\x1b[0m"
COLOURS = {"tp": "\x1b[32m", "wl": "\x1b[33m", "fn": "\x1b[31m", "fp": "\x1b[35m"}
"""Columns of outcomes, by their titles: green, yellow, red, magenta."""


def render_text(table: Table, *, bold: bool = False) -> str:
    """The table in columns of equal width; with `bold`, for terminals that can show it.

    A table with a title has rules and, where nothing can be bold, stars; one without is bare.
    """
    stars = bool(table.title) and not bold
    # The groups of the headings stand each above its first column.
    groups = [text for name, wide in table.groups for text in (visible(name), *[""] * (wide - 1))]
    top = [groups] if groups else []
    top.append([visible(heading.title) for heading in table.headings])
    lines, strong, ends = list(top), [set[int]() for _ in top], []
    for block in table.blocks:
        for texts, best in _block(table, block, stars=stars):
            lines.append(texts)
            strong.append(best if bold else set())
        ends.append(len(lines))
    colours = {i: COLOURS.get(h.title, "") for i, h in enumerate(table.headings)} if bold else {}
    left = {i for i, heading in enumerate(table.headings) if not heading.is_figure}
    widths = [max(map(width, column)) for column in zip(*lines, strict=True)]
    aligned = _align(lines, widths, left, strong, colours)
    if not table.title:
        return "".join(f"{line}\n" for line in [*aligned, *_below(table, stars)])
    rule = "-" * (sum(widths) + 2 * (len(widths) - 1))
    for place in reversed([len(top), *ends[:-1]]):
        aligned.insert(place, rule)
    below = _below(table, stars)
    return "\n".join([visible(table.title), "", *aligned, *[""] * bool(below), *below, ""])


def join_tables(tables: Sequence[str], around: Around) -> str:
    """Tables with the lines around them, an empty line between all."""
    last = [*around.below, *([f"signature: {around.signature}"] if around.signature else [])]
    return "\n\n".join([*map(visible, around.above), *tables, *map(visible_lines, last)]) + "\n"


def _block(table: Table, block: Block, *, stars: bool) -> list[tuple[list[str], set[int]]]:
    """The lines of a block as texts, and which cells of each are the best."""
    lines: list[tuple[list[str], set[int]]] = []
    if block.title:
        lines.append(([visible(block.title), *[""] * (len(table.headings) - 1)], set()))
    for line in block.lines:
        texts = table.shown(line)
        if stars:
            stars_of = ["*" if cell.best else "+" if cell.top else "" for cell in line]
            texts = [text + star for text, star in zip(texts, stars_of, strict=True)]
        lines.append((texts, {i for i, cell in enumerate(line) if cell.best}))
    return lines


def _below(table: Table, stars: bool) -> list[str]:
    """The note, and what the stars mean."""
    cells = [cell for line in table.lines for cell in line] if stars else []
    best = f"* {table.best}" if any(cell.best for cell in cells) else ""
    top = "+ among the best four" if any(cell.top for cell in cells) else ""
    legend = ", ".join(filter(None, (best, top)))
    return [*map(visible, table.note.split("\n") if table.note else []), *filter(None, [legend])]


def _align(
    lines: Sequence[Sequence[str]],
    widths: Sequence[int],
    left: set[int],
    strong: Sequence[set[int]],
    colours: Mapping[int, str],
) -> list[str]:
    """Cells padded to columns, those in `left` flush left; `strong` are bold, by line."""
    aligned = []
    for number, line in enumerate(lines):
        cells = []
        for place, (text, wide) in enumerate(zip(line, widths, strict=True)):
            blanks = " " * (wide - width(text))
            code = BOLD if place in strong[number] else colours.get(place, "")
            shown = f"{code}{text}{PLAIN}" if code and text else text
            cells.append(shown + blanks if place in left else blanks + shown)
        aligned.append("  ".join(cells).rstrip())
    return aligned


def bars(counts: dict[str, int], wide: int = 40) -> str:
    """Counts as bars, for a terminal.

    >>> print(bars({"one": 3, "two": 1}, wide=6))
    one  3  75.00%  ██████
    two  1  25.00%  ██
    """
    total, most = sum(counts.values()), max(counts.values(), default=0)
    headings = [Heading("name", ""), Heading("n", "", kind="number"), Heading("%", "")]
    shares: list[tuple[Value, ...]] = [
        (name, n, f"{100 * n / total:.2f}%".rjust(7) if total else "") for name, n in counts.items()
    ]
    aligned = render_text(make_table("bars", "", headings, [shares])).split("\n")[1:-1]
    drawn = ["█" * round(wide * n / most) if most else "" for n in counts.values()]
    return "\n".join(f"{line}  {bar}".rstrip() for line, bar in zip(aligned, drawn, strict=True))
