"""What the pictures of a task have in common: panels, and who ran where with what figure."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from corefkit.task.run import Outcome
from corefkit.task.shared_task import Slot
from corefkit.task.tables import standings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def panels(count: int, width: float, height: float, across: int) -> "tuple[Figure, list[Axes]]":
    """So many panels with a common scale, row by row."""
    from matplotlib.figure import Figure

    across = min(across, count)
    rows = -(-count // across)
    figure = Figure(figsize=(width * across, height * rows), layout="constrained")
    grid = figure.subplots(rows, across, sharey=True, squeeze=False)
    axes = [ax for row in grid for ax in row]
    for spare in axes[count:]:
        spare.set_visible(False)
    return figure, axes[:count]


def value_of(outcome: Outcome, system: str, language: str, setting: str) -> float | None:
    """The figure of a system in the official track, in percent; None where there is none."""
    value = outcome.figure(Slot(system, language, outcome.task.tracks[0], setting))
    return None if value is None else 100 * value


def systems_in_order(outcome: Outcome, wanted: Callable[[str], bool]) -> list[str]:
    """The systems that are wanted, the best first."""
    return [s.system for s in standings(outcome) if wanted(s.system)]


def settings_run(outcome: Outcome, system: str, settings: Iterable[str]) -> set[str]:
    """The settings of the official track that a system has a score for in some language."""
    languages = outcome.task.languages
    return {
        s for s in settings if any(value_of(outcome, system, x, s) is not None for x in languages)
    }
