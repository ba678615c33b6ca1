"""Predicted and gold syntax, in test and in training: Figures 6 and 7 of the CoNLL-2012 paper."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from corefkit.render.plots import COLOURS
from corefkit.task.panels import panels, settings_run, systems_in_order, value_of
from corefkit.task.run import Outcome
from corefkit.task.shared_task import QUALITIES, Setting

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_LINES = ("o-", "s--", "^:", "D-.", "v-", "P--")


def syntax_in_test(outcome: Outcome) -> "Figure | None":
    """Figure 6: systems that ran with predicted and with gold syntax in test."""
    train = outcome.task.settings[outcome.task.official].train
    settings = [s for s in outcome.task.settings_in_order() if s.train == train]
    return _by_setting(outcome, settings, "test")


def syntax_in_training(outcome: Outcome) -> "Figure | None":
    """Figure 7: systems that also differ in the syntax they were trained on."""
    return _by_setting(outcome, outcome.task.settings_in_order(), "train")


def _by_setting(outcome: Outcome, settings: list[Setting], varied: str) -> "Figure | None":
    """A panel a system that varied something: its score by setting, a line a language.

    Dots below the panel say what each setting is, as in the paper.
    """
    task = outcome.task

    def wanted(system: str) -> bool:
        ran = settings_run(outcome, system, [s.name for s in settings])
        return len({getattr(s, varied) for s in settings if s.name in ran}) > 1

    systems = systems_in_order(outcome, wanted)
    if not systems:
        return None
    ran = {name for s in systems for name in settings_run(outcome, s, [x.name for x in settings])}
    settings = [s for s in settings if s.name in ran]
    figure, axes = panels(len(systems), 1.4 + 0.55 * len(settings), 4.2, 2)
    for ax, system in zip(axes, systems, strict=True):
        for number, language in enumerate(task.languages.values()):
            values = [value_of(outcome, system, language.name, s.name) for s in settings]
            found = {i: v for i, v in enumerate(values) if v is not None}
            line, colour = _LINES[number % len(_LINES)], COLOURS[number % len(COLOURS)]
            ax.plot([*found], [*found.values()], line, color=colour, label=language.title)
        ax.set_title(system)
        ax.set_xlim(-0.5, len(settings) - 0.5)
        _dots(ax, settings, varied)
    axes[0].set_ylabel(f"F1 of {task.rank}")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    return figure


def _dots(ax: "Axes", settings: Sequence[Setting], varied: str) -> None:
    """A row for each condition, a full dot where it holds."""
    conditions: list[tuple[str, Callable[[Setting], bool]]] = [
        (quality, lambda s, q=quality: s.quality == q)  # type: ignore[misc]
        for quality in QUALITIES
        if any(s.quality == quality for s in settings)
    ]
    conditions += [("gold syntax, test", lambda s: s.test == "gold")]
    if varied == "train":
        conditions += [("gold syntax, training", lambda s: s.train == "gold")]
    ax.set_xticks([])
    below = ax.inset_axes((0, -0.07 * len(conditions) - 0.03, 1, 0.07 * len(conditions)))
    below.set_xlim(ax.get_xlim())
    below.set_ylim(len(conditions) - 0.5, -0.5)
    below.set_yticks(range(len(conditions)), [name for name, _ in conditions], fontsize=7)
    below.set_xticks([])
    below.set_xlabel(" ")  # keeps the legend at a distance
    below.grid(False)
    below.tick_params(length=0)
    for spine in below.spines.values():
        spine.set_visible(False)
    for row, (_, holds) in enumerate(conditions):
        for place, setting in enumerate(settings):
            fill = "black" if holds(setting) else "white"
            below.plot([place], [row], "o", markersize=4, color="black", mfc=fill, mew=0.6)
