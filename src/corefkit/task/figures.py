"""The pictures of a shared task, after Figures 4 to 7 of the CoNLL-2012 paper.

matplotlib loads when a picture is drawn and only then. Colours are those of Okabe and Ito, which
the colour-blind can tell apart; marks and hatches say the same again, for print in grey.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from corefkit.render.dots import Dot, draw_lines
from corefkit.render.plots import STYLE, figure_file, new_figure
from corefkit.stats.significance import Comparison
from corefkit.task import panels
from corefkit.task.run import Outcome
from corefkit.task.shared_task import QUALITIES
from corefkit.task.tables import qualities, systems_in_order

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "png")
_HATCHES = dict(zip(QUALITIES, ("", "///", "..."), strict=True))
FEW = 8
"""Of fewer systems than this each has its dot; of more there are boxes."""


def draw_all(outcome: Outcome, official: Comparison | None = None) -> dict[str, dict[str, bytes]]:
    """All pictures that there is something to show in: name → format → file.

    `official` are the official scores, compared; without them they are not drawn. ImportError
    where matplotlib is not installed.
    """
    import matplotlib as mpl

    # Those that a task of datasets has not show mention quality and syntax.
    wanted = {"dots": dots} if outcome.task.of_datasets else _PICTURES
    with mpl.rc_context(STYLE):
        figures = {name: draw(outcome) for name, draw in wanted.items()}
        if official:
            figures = {"ranking": ranking(official, outcome.task.rank), **figures}
    return {
        name: {form: figure_file(figure, form) for form in FORMATS}
        for name, figure in figures.items()
        if figure is not None
    }


def ranking(found: Comparison, rank: str) -> "Figure | None":
    """The official scores with their intervals, the best at the top."""
    if len(found.systems) < 2:
        return None
    rows = {n: {"": Dot(one[rank].f1, one[rank].interval)} for n, one in found.systems.items()}
    return draw_lines(rows, "official score")


_Spread = tuple[str, str, dict[str, float]]
"""Title, mention quality, and figures by system."""


def _columns(outcome: Outcome) -> list[_Spread]:
    """A column for each language and quality."""
    task = outcome.task
    settings = [task.settings[task.official]] if task.of_datasets else qualities(outcome)
    columns = []
    for name, language in task.languages.items():
        for setting in settings:
            values = {s: panels.value_of(outcome, s, name, setting.name) for s in task.systems}
            title = language.title if task.of_datasets else f"{language.title}\n{setting.quality}"
            found = {s: v for s, v in values.items() if v is not None}
            columns += [(title, setting.quality, found)] if found else []
    return columns


def dots(outcome: Outcome) -> "Figure | None":
    """Figure 5 where systems are few: a dot for each, a line at their mean."""
    columns = _columns(outcome)
    if not columns or len(outcome.task.systems) >= FEW:
        return None
    figure, (ax,) = new_figure(width=max(4.0, 0.85 * len(columns)), height=3.6)
    order = systems_in_order(outcome)
    for place, (_, quality, found) in enumerate(columns):
        mean = sum(found.values()) / len(found)
        ax.plot([place - 0.35, place + 0.35], [mean, mean], "-", color="#777777", zorder=1)
        for system, value in found.items():
            x = place + 0.6 * ((order.index(system) + 0.5) / len(order) - 0.5)
            panels.dot(ax, x, value, quality)
    ax.set_xlim(-0.6, len(columns) - 0.4)
    _label(ax, range(len(columns)), columns, outcome)
    return figure


def _label(ax: "Axes", at: Iterable[int], columns: list[_Spread], outcome: Outcome) -> None:
    ax.set_xticks(list(at), [title for title, *_ in columns])
    ax.set_ylim(0, 105)
    ax.set_ylabel(f"F1 of {outcome.task.rank}")


def boxes(outcome: Outcome) -> "Figure | None":
    """Figure 5: all systems by language and mention quality; the circle is the mean.

    The box spans the quartiles, its line is the median, the whiskers are the extremes.
    """
    columns = _columns(outcome)
    if not columns or len(outcome.task.systems) < FEW:
        return None
    figure, (ax,) = new_figure(width=max(4.0, 0.85 * len(columns)), height=3.6)
    drawn = ax.boxplot(
        [[*found.values()] for *_, found in columns],
        whis=(0, 100),
        widths=0.6,
        patch_artist=True,
        showmeans=True,
        meanprops={"marker": "o", "markerfacecolor": "white", "markeredgecolor": "black"},
        medianprops={"color": "black", "linewidth": 1.5},
    )
    for box, (_, quality, _) in zip(drawn["boxes"], columns, strict=True):
        box.set(facecolor=panels.QUALITY_COLOURS[quality], alpha=0.85)
        box.set_hatch(_HATCHES[quality])
    _label(ax, range(1, len(columns) + 1), columns, outcome)
    return figure


_PICTURES = {
    "dots": dots,
    "systems-by-mention-quality": panels.systems_by_quality,
    "spread-by-language": boxes,
    "test-syntax": panels.syntax_in_test,
    "training-syntax": panels.syntax_in_training,
}

TITLES = {
    "ranking": "Official scores with their confidence intervals over documents",
    "dots": "All systems: a dot each, the best at the left; the line is their mean",
    "systems-by-mention-quality": "Systems by mention quality and language",
    "spread-by-language": "All systems by language and mention quality: quartiles, median, "
    "extremes; the circle is the mean",
    "test-syntax": "Predicted and gold syntax in test",
    "training-syntax": "Predicted and gold syntax in training and in test",
}
"""What stands below each picture."""
