"""The layout of the page of a task: tables, rankings, and charts of dots on lanes.

In tables, the leading columns come first and stay visible when scrolled; columns whose value is the
same in all rows are not shown. A ranking has scores with intervals and bars, columns coloured by
value, and lines that join systems that cannot be told apart. A chart has panels, a panel has lanes,
a lane has dots at their values; shapes of dots repeat the distinctions made by colours. Charts
follow the theme and the width of the page, and need no script.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import ceil, floor
from statistics import median

from corefkit.core.carriers import frozen
from corefkit.plugins.task.shared_task import Entrant
from corefkit.render.table import Line, Table

_FIRST = ("place", "system", "official")
"""The columns that lead, in this order, if a table has them."""
_KEPT = (*_FIRST, "id", "status", "file", "line", "what")
"""Columns that are shown even if all rows have the same value."""

_FOR_PROGRAMS = ("p_bootstrap",)
"""Columns that only the files have: this p-value is too small if documents are few."""


def on_page(table: Table) -> Table:
    """The table with its leading columns first; conditions of all rows are in the note instead."""
    ordered = sorted(range(len(table.headings)), key=lambda i: _place(table, i))
    lines = list(table.lines)
    shown, common = [], []
    for i in ordered:
        heading = table.headings[i]
        if heading.name in _FOR_PROGRAMS:
            continue
        values = {line[i].value for line in lines}
        if heading.is_figure or heading.name in _KEPT or len(lines) < 2 or len(values) > 1:
            shown.append(i)
        elif value := heading.show(values.pop()):
            name = heading.title
            if heading.kind == "tick":
                name, value = heading.group, heading.title
            common.append(f"{name}: {value}" if name else value)
    note = f"In all rows {'; '.join(common)}. {table.note}".strip() if common else table.note
    return replace(table.pick(shown), note=note)


def _place(table: Table, column: int) -> int:
    """The rank of a column; in a table without systems, the columns that name a row lead."""
    heading = table.headings[column]
    if heading.name in _FIRST:
        return _FIRST.index(heading.name)
    systems = any(h.name == "system" for h in table.headings)
    names_row = heading.kind == "text" and heading.name not in _KEPT
    return -1 if names_row and not systems else len(_FIRST)


def _sticky(table: Table, column: int) -> str:
    """The CSS class of a column that stays visible when the table is scrolled; empty for others."""
    if table.headings[0].name == "place":
        return ("place s0", "s1")[column] if column < 2 else ""
    return "s0" if column == 0 else ""


def group_cells(table: Table) -> list[tuple[str, int, str]]:
    """The row of groups: name, number of columns and CSS class; sticky columns are separate."""
    cells: list[tuple[str, int, str]] = []
    column = 0
    for name, width in table.groups:
        remaining = width
        while remaining and (kind := _sticky(table, column)):
            cells.append(("", 1, kind))
            column, remaining = column + 1, remaining - 1
        if remaining:
            cells.append((name, remaining, ""))
        column += remaining
    return cells


def head_attributes(table: Table, column: int) -> dict[str, str]:
    """The HTML attributes of a heading: its class."""
    return _classes({"n": table.headings[column].is_figure, _sticky(table, column): True})


def cell_attributes(table: Table, line: Line, column: int) -> dict[str, str]:
    """The HTML attributes of a cell: its class, and the exact value of a figure, for sorting."""
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


@frozen
class RankedCell:
    """The score of a system for one language or dataset.

    Attributes:
        value: the score, from 0 to 1; None if there is none.
        best: whether it is the best of its column.
        heat: how good it is among those of its column, from 0 to 1.
        broken: whether a response was sent that could not be scored.
        problem: the id to link to if there is no score, or documents are missing.
    """

    value: float | None
    best: bool
    heat: float
    broken: bool
    problem: str


@frozen
class RankedSystem:
    """A row of a ranking; `ends` are the ends of the interval of its score.

    `near` are the systems that it cannot be told apart from, `lines` as in `group_lines`.
    """

    place: int
    facts: Entrant
    score: float
    best: bool
    ends: tuple[float, float] | None
    near: Sequence[str]
    lines: Sequence[str]
    cells: Sequence[RankedCell] = ()

    @property
    def reach(self) -> float | None:
        """Half the width of the interval."""
        return (self.ends[1] - self.ends[0]) / 2 if self.ends else None


@frozen
class RankingView:
    """A ranking on the page.

    Attributes:
        name: the table with the same figures, whose files are linked to; may be empty.
        title: its track and setting, as far as rankings differ.
        label: the short title, for the button.
        columns: the titles of languages or datasets.
        note: the note below it.
    """

    name: str
    title: str
    label: str
    columns: Sequence[str]
    rows: Sequence[RankedSystem]
    note: str

    @property
    def width(self) -> int:
        """The number of columns of lines."""
        return max((len(row.lines) for row in self.rows), default=0)

    @property
    def teams(self) -> bool:
        """Whether any team is known."""
        return any(row.facts.team for row in self.rows)


def heat(values: Sequence[float | None]) -> list[float]:
    """The place of each value between the worst (0) and the best (1); 0 for None.

    The median is at most 0.5: otherwise a single very low value would make all others look alike.

    >>> heat([0.5, None, 0.75, 1.0]), heat([0.1, 0.75, 0.5, 1.0, 0.875])
    ([0.0, 0.0, 0.5, 1.0], [0.0, 0.5, 0.0, 1.0, 0.75])
    """
    known = [value for value in values if value is not None]
    if not known:
        return [0.0] * len(values)
    most = max(known)
    least = max(min(known), 2 * median(known) - most)
    span = most - least
    return [max(v - least, 0.0) / span if span and v is not None else 0.0 for v in values]


def group_lines(names: Sequence[str], groups: Sequence[Collection[str]]) -> list[list[str]]:
    """For each row the columns of lines beside it; each column has at most one line per row.

    "first", "last" and "inner" are rows of a group, "gap" is a row that its line passes, "" one
    without a line. Lines that do not meet share a column. A group of one has no line.

    >>> group_lines("abcd", [["a", "b"], ["b", "d"], ["c", "d"]])
    [['first', ''], ['last', 'first'], ['first', 'gap'], ['last', 'last']]
    """
    numbers = {name: number for number, name in enumerate(names)}
    spans = [sorted(numbers[name] for name in group) for group in groups if len(group) > 1]
    columns: list[list[str]] = []
    ends: list[int] = []
    for span in sorted(spans):
        first, last = span[0], span[-1]
        free = next((i for i, end in enumerate(ends) if end < first), len(columns))
        if free == len(columns):
            columns.append([""] * len(names))
            ends.append(last)
        ends[free] = last
        for number in range(first, last + 1):
            within = "inner" if number in span else "gap"
            columns[free][number] = {first: "first", last: "last"}.get(number, within)
    return [list(row) for row in zip(*columns, strict=True)] or [[] for _ in names]


KINDS = 6
"""How many kinds of dots have their own look; further ones look alike."""

_STEPS = (2, 5, 10, 20, 25)
"""Points between two marks of an axis."""
_MOST_MARKS = 6


@frozen
class LaneDot:
    """A value in percent, its label, the kind of its look, and the ends of its interval."""

    value: float
    label: str
    kind: int = 0
    ends: tuple[float, float] | None = None


@frozen
class Lane:
    """A row of a panel; `mean` is marked by a line across it.

    With `shown` the value of its dot is written, with `joined` its dots are joined by a line.
    """

    label: str
    dots: Sequence[LaneDot]
    mean: float | None = None
    shown: bool = False
    joined: bool = False

    @property
    def reach(self) -> tuple[float, float]:
        """The least and the greatest value of its dots."""
        values = [dot.value for dot in self.dots]
        return min(values), max(values)


@frozen
class LanePanel:
    """Lanes under a title."""

    title: str
    lanes: Sequence[Lane]


@frozen
class LaneChart:
    """A chart; `legend` has each kind of dot with its name, if there are several."""

    name: str
    caption: str
    panels: Sequence[LanePanel]
    legend: Sequence[tuple[int, str]] = ()

    @property
    def marks(self) -> list[int]:
        """The round values on the axis; all dots and intervals lie between them.

        >>> lane = Lane("", [LaneDot(62.5, ""), LaneDot(81, "")])
        >>> LaneChart("", "", [LanePanel("", [lane])]).marks
        [60, 65, 70, 75, 80, 85]
        """
        dots = [dot for panel in self.panels for lane in panel.lanes for dot in lane.dots]
        values = [value for dot in dots for value in (dot.value, *(dot.ends or ()))]
        for step in _STEPS:
            first, last = floor(min(values) / step), ceil(max(values) / step)
            if last - first < _MOST_MARKS:
                break
        last = max(last, first + 1)
        return [step * mark for mark in range(first, last + 1)]

    def at(self, value: float) -> str:
        """The position of a value, in percent of the width of a lane."""
        marks = self.marks
        return f"{100 * (value - marks[0]) / (marks[-1] - marks[0]):.2f}"
