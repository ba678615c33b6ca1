"""A ranking on the page: scores with intervals and bars, heat in columns, lines that join systems.

A line beside some systems joins those of which no two can be told apart.
"""

from collections.abc import Collection, Sequence
from statistics import median

from corefkit.core.carriers import frozen
from corefkit.render.table import mark_best


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


@frozen
class RankedSystem:
    """A row of a ranking; `ends` are those of the interval of its score.

    `near` are the systems that it cannot be told apart from.
    """

    place: int
    name: str
    score: float
    best: bool = False
    ends: tuple[float, float] | None = None
    cells: Sequence[RankedCell] = ()
    baseline: bool = False
    team: str = ""
    paper: str = ""
    code: str = ""
    near: Sequence[str] = ()
    lines: Sequence[str] = ()

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
        return any(row.team for row in self.rows)

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
