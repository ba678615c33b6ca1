"""The pictures of a shared task, after Figures 4 to 7 of the CoNLL-2012 paper.

matplotlib loads when a picture is drawn and only then. Colours are those of Okabe and Ito, which
the colour-blind can tell apart; marks and hatches say the same again, for print in grey.
"""

import warnings
from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from corefkit.render.dots import Dot, draw_lines
from corefkit.render.plots import COLOURS, STYLE
from corefkit.stats.significance import Comparison
from corefkit.task.panels import panels, settings_run, systems_in_order, value_of
from corefkit.task.run import Outcome
from corefkit.task.shared_task import QUALITIES, Setting
from corefkit.task.syntax_figures import syntax_in_test, syntax_in_training
from corefkit.task.tables import qualities

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = ("svg", "png")
_COLOURS = dict(zip(QUALITIES, COLOURS, strict=False))
_MARKS = dict(zip(QUALITIES, "os^", strict=True))
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
    with mpl.rc_context(STYLE), warnings.catch_warnings():
        # A font may lack the letters of a system's name; the page and the tables have them.
        warnings.filterwarnings("ignore", message="Glyph")
        figures = {name: draw(outcome) for name, draw in wanted.items()}
        if official:
            figures = {"ranking": ranking(official, outcome.task.rank), **figures}
        return {
            name: {form: _save(figure, form) for form in FORMATS}
            for name, figure in figures.items()
            if figure is not None
        }


def _save(figure: "Figure", form: str) -> bytes:
    out = BytesIO()
    metadata = {"Date": None, "Creator": None} if form == "svg" else {"Software": None}
    figure.savefig(out, format=form, dpi=150, metadata=metadata)
    return out.getvalue()


def systems_by_quality(outcome: Outcome) -> "Figure | None":
    """Figure 4: a panel a system; for each language its score by mention quality."""
    task, settings = outcome.task, qualities(outcome)
    names = [s.name for s in settings]
    systems = systems_in_order(outcome, lambda s: len(settings_run(outcome, s, names)) > 1)
    if not systems:
        return None
    figure, axes = panels(len(systems), 2.6, 2.4, 4)
    for ax, system in zip(axes, systems, strict=True):
        for place, language in enumerate(task.languages):
            values = [value_of(outcome, system, language, name) for name in names]
            shown = [(i, v) for i, v in enumerate(values) if v is not None]
            at = [place + 0.22 * (i - (len(names) - 1) / 2) for i, _ in shown]
            ax.plot(at, [v for _, v in shown], "-", color="#999999", linewidth=1, zorder=1)
            for x, (i, v) in zip(at, shown, strict=True):
                _dot(ax, x, v, settings[i].quality)
        ax.set_title(system)
        ax.set_xticks(range(len(task.languages)), [x.title for x in task.languages.values()])
        ax.set_xlim(-0.6, len(task.languages) - 0.4)
        ax.set_ylim(0, 105)
    _quality_legend(figure, settings)
    return figure


def _dot(ax: "Axes", x: float, value: float, quality: str) -> None:
    mark, colour = _MARKS[quality], _COLOURS[quality]
    ax.plot([x], [value], mark, color=colour, mec="black", mew=0.5, zorder=2)


def _quality_legend(figure: "Figure", settings: Sequence[Setting]) -> None:
    from matplotlib.lines import Line2D

    handles = []
    for quality in (s.quality for s in settings):
        look = {"marker": _MARKS[quality], "color": _COLOURS[quality], "mec": "black"}
        label = f"{quality}: {QUALITIES[quality]}"
        handles.append(Line2D([], [], linestyle="none", label=label, **look))  # type: ignore[arg-type]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)


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
    for language in task.languages.values():
        for setting in settings:
            values = {s: value_of(outcome, s, language.name, setting.name) for s in task.systems}
            title = language.title if task.of_datasets else f"{language.title}\n{setting.quality}"
            found = {s: v for s, v in values.items() if v is not None}
            columns += [(title, setting.quality, found)] if found else []
    return columns


def dots(outcome: Outcome) -> "Figure | None":
    """Figure 5 where systems are few: a dot for each, a line at their mean."""
    columns = _columns(outcome)
    if not columns or len(outcome.task.systems) >= FEW:
        return None
    figure, (ax,) = panels(1, max(4.0, 0.85 * len(columns)), 3.6, 1)
    order = systems_in_order(outcome, lambda _: True)
    for place, (_, quality, found) in enumerate(columns):
        mean = sum(found.values()) / len(found)
        ax.plot([place - 0.35, place + 0.35], [mean, mean], "-", color="#777777", zorder=1)
        for system, value in found.items():
            x = place + 0.6 * ((order.index(system) + 0.5) / len(order) - 0.5)
            _dot(ax, x, value, quality)
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
    task = outcome.task
    if len(task.systems) < FEW:
        return None
    columns = _columns(outcome)
    if not columns:
        return None
    figure, (ax,) = panels(1, max(4.0, 0.85 * len(columns)), 3.6, 1)
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
        box.set(facecolor=_COLOURS[quality], alpha=0.85)
        box.set_hatch(_HATCHES[quality])
    _label(ax, range(1, len(columns) + 1), columns, outcome)
    return figure


_PICTURES = {
    "dots": dots,
    "systems-by-mention-quality": systems_by_quality,
    "spread-by-language": boxes,
    "test-syntax": syntax_in_test,
    "training-syntax": syntax_in_training,
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
