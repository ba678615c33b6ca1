"""The layout of the page of a task: tables, rankings, and charts of dots on lanes.

In a table, what leads stands first and stays, and what does not vary is not shown. A ranking has
scores with intervals and bars, heat in its columns, and lines that join systems of which no two can
be told apart. A chart has panels, a panel has lanes, a lane has dots at their figures; what a
colour says, the form of the dot says, too. Charts follow the theme and the width, and need no
script.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from math import ceil, floor
from statistics import median
from typing import Protocol

from corefkit.core.carriers import frozen
from corefkit.render.table import Line, Table, mark_best

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


@frozen
class RankedCell:
    """The figure of a system for one language or dataset.

    Attributes:
        value: from 0 to 1; None where there is none.
        best: whether it is the best of its column.
        heat: how good it is among those of its column, from 0 to 1.
        broken: whether a response was sent that could not be scored.
        problem: what to link to where there is no figure.
    """

    value: float | None
    best: bool = False
    heat: float = 0.0
    broken: bool = False
    problem: str = ""


class SystemFacts(Protocol):
    """What the manifest of a task says of a system; empty where it does not."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def description(self) -> str:
        """What it is."""

    @property
    def team(self) -> str:
        """Who made it."""

    @property
    def paper(self) -> str:
        """The address of the paper about it."""

    @property
    def code(self) -> str:
        """The address of its code."""

    @property
    def baseline(self) -> bool:
        """Whether it is the organisers' own."""


@frozen
class RankedSystem:
    """A row of a ranking; `ends` are those of the interval of its score.

    `near` are the systems that it cannot be told apart from.
    """

    place: int
    facts: SystemFacts
    score: float
    best: bool = False
    ends: tuple[float, float] | None = None
    cells: Sequence[RankedCell] = ()
    near: Sequence[str] = ()
    lines: Sequence[str] = ()

    @property
    def name(self) -> str:
        """The name of the system."""
        return self.facts.name

    @property
    def reach(self) -> float | None:
        """Half the width of the interval."""
        return (self.ends[1] - self.ends[0]) / 2 if self.ends else None


@frozen
class RankingView:
    """A ranking as the page shows it.

    Attributes:
        name: that of the table with the same figures, whose files are linked to; empty for none.
        title: what it is of, as far as rankings differ; `label` is short, for the button.
        columns: the languages or datasets.
        note: what to know to read it.
    """

    name: str
    title: str
    label: str
    columns: Sequence[str]
    rows: Sequence[RankedSystem]
    note: str = ""

    @property
    def width(self) -> int:
        """How many lines stand side by side."""
        return max((len(row.lines) for row in self.rows), default=0)

    @property
    def teams(self) -> bool:
        """Whether a team is known."""
        return any(row.facts.team for row in self.rows)

    @property
    def intervals(self) -> bool:
        """Whether an interval is known."""
        return any(row.ends for row in self.rows)


def heat(values: Sequence[float | None]) -> list[float]:
    """Where figures stand between the worst and the best of them; 0 where there is none.

    The median is in the middle at least: one that is far behind does not make the others alike.

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


def column_of_cells(
    values: Sequence[float | None], sent: Sequence[bool], problems: Sequence[str]
) -> list[RankedCell]:
    """The cells of one column: figures, whether there is a response, and ids of problems."""
    return [
        RankedCell(value, marked.best, warmth)
        if value is not None
        else RankedCell(None, broken=there, problem=problem)
        for value, marked, warmth, there, problem in zip(
            values, mark_best(values), heat(values), sent, problems, strict=True
        )
    ]


def group_lines(names: Sequence[str], groups: Sequence[Collection[str]]) -> list[list[str]]:
    """For each row the lines beside it: "" none, or how the line goes on there.

    "first", "last" and "inner" are rows of the group; "gap" is one that the line passes. Lines
    that do not meet stand in the same column. A group of one has none.

    >>> group_lines("abcd", [["a", "b"], ["b", "d"], ["c", "d"]])
    [['first', ''], ['last', 'first'], ['first', 'gap'], ['last', 'last']]
    """
    places = {name: place for place, name in enumerate(names)}
    spans = [sorted(places[name] for name in group) for group in groups if len(group) > 1]
    columns: list[list[str]] = []
    ends: list[int] = []
    for span in sorted(spans):
        first, last = span[0], span[-1]
        free = next((i for i, end in enumerate(ends) if end < first), len(columns))
        if free == len(columns):
            columns.append([""] * len(names))
            ends.append(last)
        ends[free] = last
        for place in range(first, last + 1):
            within = "inner" if place in span else "gap"
            columns[free][place] = {first: "first", last: "last"}.get(place, within)
    return [list(row) for row in zip(*columns, strict=True)] or [[] for _ in names]


KINDS = 6
"""How many kinds of dots have looks of their own; further ones look alike."""

_STEPS = (2, 5, 10, 20, 25)
"""Points between two marks of an axis."""
_MOST_MARKS = 6


@frozen
class LaneDot:
    """A figure in percent, what it is of, and the kind of its look; `ends` are of its interval."""

    value: float
    label: str
    kind: int = 0
    ends: tuple[float, float] | None = None


@frozen
class Lane:
    """A row of a panel; `mean` is a mark across it, and with `shown` the figure is written."""

    label: str
    dots: Sequence[LaneDot]
    mean: float | None = None
    shown: bool = False
    joined: bool = False

    @property
    def reach(self) -> tuple[float, float]:
        """From the least to the most of its dots."""
        values = [dot.value for dot in self.dots]
        return min(values), max(values)


@frozen
class LanePanel:
    """Lanes under a title."""

    title: str
    lanes: Sequence[Lane]


@frozen
class LaneChart:
    """A picture; `legend` has the name of each kind of dot, where there are several."""

    name: str
    caption: str
    panels: Sequence[LanePanel]
    legend: Sequence[tuple[int, str]] = ()

    @property
    def marks(self) -> list[int]:
        """The figures that the axis shows, round ones around all dots.

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
        """Where a figure stands, in percent of the width of a lane."""
        marks = self.marks
        return f"{100 * (value - marks[0]) / (marks[-1] - marks[0]):.2f}"
