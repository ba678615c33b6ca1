"""A table on the page: what leads stands first and stays, what does not vary is not shown."""

from dataclasses import replace

from corefkit.render.table import Line, Table

_FIRST = ("place", "system", "official")
"""These columns lead, in this order, where a table has them."""
_KEPT = (*_FIRST, "id", "status", "file", "line", "what")
"""These are shown even if all rows have the same."""

_FOR_PROGRAMS = ("p_bootstrap",)
"""These are in the files alone: this p-value is too small where documents are few."""


def on_page(table: Table) -> Table:
    """The table with what leads first, without columns of conditions that all rows share."""
    led = sorted(range(len(table.headings)), key=lambda i: _place(table, i))
    lines = list(table.lines)
    shown, same = [], []
    for i in led:
        heading = table.headings[i]
        if heading.name in _FOR_PROGRAMS:
            continue
        values = {line[i].value for line in lines}
        if heading.is_figure or heading.name in _KEPT or len(lines) < 2 or len(values) > 1:
            shown.append(i)
        elif value := heading.show(values.pop()):
            ticked = heading.kind == "tick"
            what, of = (heading.title, heading.group) if ticked else (value, heading.title)
            same.append(f"{of}: {what}" if of else what)
    note = f"In all rows {'; '.join(same)}. {table.note}".strip() if same else table.note
    return replace(table.pick(shown), note=note)


def _place(table: Table, column: int) -> int:
    """Where a column stands; in a table without systems what names a row leads."""
    heading = table.headings[column]
    if heading.name in _FIRST:
        return _FIRST.index(heading.name)
    systems = any(h.name == "system" for h in table.headings)
    names_row = heading.kind == "text" and heading.name not in _KEPT
    return -1 if names_row and not systems else len(_FIRST)


def _sticky(table: Table, column: int) -> str:
    """The class of a column that stays when the table is scrolled."""
    if table.headings[0].name == "place":
        return ("place s0", "s1")[column] if column < 2 else ""
    return "s0" if column == 0 else ""


def group_cells(table: Table) -> list[tuple[str, int, str]]:
    """The line above the headings: title, how many columns, class; columns that stay apart."""
    cells: list[tuple[str, int, str]] = []
    column = 0
    for name, width in table.groups:
        left = width
        while left and (kind := _sticky(table, column)):
            cells.append(("", 1, kind))
            column, left = column + 1, left - 1
        if left:
            cells.append((name, left, ""))
        column += left
    return cells


def head_attributes(table: Table, column: int) -> dict[str, str]:
    """The class of a heading."""
    return _classes({"n": table.headings[column].is_figure, _sticky(table, column): True})


def cell_attributes(table: Table, line: Line, column: int) -> dict[str, str]:
    """Classes for looks; the exact value to sort by where the text is rounded."""
    heading, cell = table.headings[column], line[column]
    kinds = {"n": heading.is_figure, "best": cell.best, "top": cell.top}
    kinds |= {"what": heading.name == "what", "official": heading.name == "official"}
    attributes = _classes({**kinds, _sticky(table, column): True})
    if isinstance(cell.value, float):
        attributes["data-v"] = repr(cell.value)
    return attributes


def _classes(kinds: dict[str, bool]) -> dict[str, str]:
    classes = " ".join(name for name, on in kinds.items() if on and name)
    return {"class": classes} if classes else {}
