"""Pictures of the page: dots on lanes. They follow the theme and the width, and need no script.

A chart has panels, a panel has lanes, a lane has dots at their figures; what a colour says, the
form of the dot says, too.
"""

from collections.abc import Sequence
from math import ceil, floor

from corefkit.core.carriers import frozen

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
