"""The pictures of a shared task: charts of lanes for its page, and figures for papers.

They show what Figures 4 to 7 of the CoNLL-2012 paper show. A figure is drawn from the same chart as
the picture on the page; only many systems are summed up by boxes. matplotlib is loaded only to draw
figures. Marks and hatches repeat the distinctions made by colours, for print in grey.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from corefkit.plugins.task.page_layout import KINDS, Lane, LaneChart, LaneDot, LanePanel
from corefkit.plugins.task.results import TaskRun
from corefkit.plugins.task.shared_task import QUALITIES, Setting, Slot
from corefkit.render.plots import (
    COLOURS,
    HATCHES,
    SAMPLED,
    STYLE,
    Dot,
    draw_lines,
    figure_file,
    new_figure,
)

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_BOXES = dict(zip(QUALITIES, zip(COLOURS, HATCHES, strict=True), strict=False))
"""The colour and the hatch of the boxes of each mention quality."""
_FILE_FORMATS = ("svg", "png")
FEW = 8
"""With fewer systems than this each has its own dot; otherwise boxes summarise them."""


def draw_all(run: TaskRun) -> dict[str, dict[str, bytes]]:
    """The files of all pictures that have something to show: name → format → content.

    ImportError if matplotlib is not installed.
    """
    import matplotlib as mpl

    with mpl.rc_context(STYLE):
        figures = {
            chart.name: boxes(run) if chart.name == "spread" else figure_of(chart, run.task.rank)
            for chart in charts(run)
        }
    return {
        name: {form: figure_file(figure, form) for form in _FILE_FORMATS}
        for name, figure in figures.items()
    }


def figure_of(chart: LaneChart, rank: str) -> "Figure":
    """The figure of a chart: a panel for each of its panels, a line for each of its lanes."""

    def dots(lane: Lane) -> Iterator[tuple[str, Dot]]:
        for dot in lane.dots:
            ends = dot.ends and (dot.ends[0] / 100, dot.ends[1] / 100)
            yield dot.label if chart.legend else "", Dot(dot.value / 100, ends)
        if lane.mean is not None:
            yield "mean", Dot(lane.mean / 100, full=False)

    panels = {
        panel.title: {lane.label: dict(dots(lane)) for lane in panel.lanes}
        for panel in chart.panels
    }
    unit = f"F1 of {rank}" if chart.legend else "official score"
    figure = draw_lines(panels, f"{unit} in percent", over=SAMPLED)
    for ax in figure.axes:
        ax.set_xlim(chart.marks[0], chart.marks[-1])
        for line in ax.lines:
            line.set_clip_on(False)  # the mark of 100 lies half outside
    return figure


def value_of(run: TaskRun, system: str, language: str, setting: str) -> float | None:
    """The ranking score of a system in the official track, in percent; None if it has none."""
    value = run.figure(Slot(system, language, run.task.tracks[0], setting))
    return None if value is None else 100 * value


def settings_run(run: TaskRun) -> dict[str, set[str]]:
    """For each system, the settings of the official track in which it has any score."""
    scored = [s for s in run.task.slots(track=run.task.tracks[0]) if run.scores(s)]
    systems = run.systems()
    return {name: {slot.setting for slot in scored if slot.system == name} for name in systems}


_Spread = tuple[str, str, dict[str, float]]
"""Title, mention quality, and scores in percent by system."""


def columns_of_figures(run: TaskRun) -> list[_Spread]:
    """One column per language and mention quality; one per dataset in a task of datasets."""
    task = run.task
    settings = [task.settings[task.official]] if task.of_datasets else task.qualities()
    columns = []
    for name, language in task.languages.items():
        for setting in settings:
            values = {s: value_of(run, s, name, setting.name) for s in task.systems}
            quality = setting.conditions.get("quality", "")
            title = f"{language.title}\n{quality}".rstrip()
            scored = {s: v for s, v in values.items() if v is not None}
            columns += [(title, quality, scored)] if scored else []
    return columns


def boxes(run: TaskRun) -> "Figure":
    """Figure 5: all systems by language and mention quality; the circle is the mean.

    The box spans the quartiles, its line is the median, the whiskers are the extremes.
    """
    columns = columns_of_figures(run)
    figure, (ax,) = new_figure(width=max(4.0, 0.85 * len(columns)), height=3.6)
    drawn = ax.boxplot(
        [[*figures.values()] for *_, figures in columns],
        whis=(0, 100),
        widths=0.6,
        patch_artist=True,
        showmeans=True,
        meanprops={"marker": "o", "markerfacecolor": "white", "markeredgecolor": "black"},
        medianprops={"color": "black", "linewidth": 1.5},
    )
    for box, (_, quality, _) in zip(drawn["boxes"], columns, strict=True):
        colour, hatch = _BOXES[quality or "NB"]
        box.set(facecolor=colour, alpha=0.85, hatch=hatch)
    ax.set_xticks(range(1, len(columns) + 1), [title for title, *_ in columns])
    if run.task.of_datasets:
        ax.tick_params("x", rotation=60)
    ax.set_ylim(0, 105)
    ax.set_ylabel(f"F1 of {run.task.rank}")
    return figure


_NAMED = 4
"""How many of the best systems have their own kind of dot where all systems share a lane."""


def charts(run: TaskRun) -> list[LaneChart]:
    """All charts that have something to show."""
    makers = [_ranking, _spread]
    makers += [_dataset_settings] if run.task.of_datasets else [_qualities, _test, _training]
    return [chart for chart in (make(run) for make in makers) if chart]


def _ranking(run: TaskRun) -> LaneChart | None:
    comparison, rank = run.official_comparison, run.task.rank
    if comparison is None or len(comparison.systems) < 2:
        return None
    lanes = []
    for name, figures in comparison.systems.items():
        interval = figures[rank].interval
        ends = (100 * interval[0], 100 * interval[1]) if interval else None
        lanes.append(Lane(name, [LaneDot(100 * figures[rank].f1, name, 0, ends)], shown=True))
    caption = "Official scores with their confidence intervals over documents"
    return LaneChart("ranking", caption, [LanePanel("", lanes)])


def _spread(run: TaskRun) -> LaneChart | None:
    """All systems by language, or dataset, and mention quality."""
    columns = columns_of_figures(run)
    order = [name for name in run.systems() if any(name in figures for *_, figures in columns)]
    if len(order) < 2:
        return None
    named = order[:_NAMED]
    lanes = []
    for title, _, figures in columns:
        dots = [
            LaneDot(value, name, named.index(name) if name in named else KINDS)
            for name, value in sorted(figures.items(), key=lambda pair: -order.index(pair[0]))
        ]
        lanes.append(Lane(title.replace("\n", ", "), dots, sum(figures.values()) / len(figures)))
    legend = list(enumerate(named)) + ([(KINDS, "others")] if len(order) > _NAMED else [])
    name = "dots" if len(run.task.systems) < FEW else "spread"
    caption = f"All systems by {run.task.word}; the line across is their mean"
    return LaneChart(name, caption, [LanePanel("", lanes)], legend)


def _dataset_settings(run: TaskRun) -> LaneChart | None:
    """Each system in every setting: like the official score, a mean over datasets."""
    settings = run.task.settings_in_order()
    if len(settings) < 2:
        return None
    titles = [setting.rules or setting.name for setting in settings]
    scores = [{s.system: s.official for s in run.standings(setting)} for setting in settings]
    lanes = []
    for name in run.systems():
        values = [100 * by_system[name] for by_system in scores]
        lanes.append(Lane(name, _dots(zip(titles, values, strict=True)), joined=True))
    panels = [LanePanel("", lanes)]
    return LaneChart("settings", "Systems by setting", panels, [*enumerate(titles)])


def _qualities(run: TaskRun) -> LaneChart | None:
    settings = run.task.qualities()
    legend = [QUALITIES[setting.conditions["quality"]] for setting in settings]
    panels = _panels(run, settings, "quality", by_language=True)
    name, caption = "systems-by-mention-quality", "Systems by mention quality and language"
    return LaneChart(name, caption, panels, [*enumerate(legend)]) if panels else None


def _test(run: TaskRun) -> LaneChart | None:
    task = run.task
    train = task.settings[task.official].conditions["train"]
    settings = [s for s in task.settings_in_order() if s.conditions["train"] == train]
    return _syntax(run, settings, "test", "Predicted and gold syntax in test")


def _training(run: TaskRun) -> LaneChart | None:
    caption = "Predicted and gold syntax in training and in test"
    return _syntax(run, run.task.settings_in_order(), "train", caption)


def _syntax(
    run: TaskRun, settings: Sequence[Setting], varied: str, caption: str
) -> LaneChart | None:
    panels = _panels(run, settings, varied)
    legend = [language.title for language in run.task.languages.values()]
    name = "test-syntax" if varied == "test" else "training-syntax"
    return LaneChart(name, caption, panels, [*enumerate(legend)]) if panels else None


def _panels(
    run: TaskRun, settings: Sequence[Setting], varied: str, *, by_language: bool = False
) -> list[LanePanel]:
    """One panel per system that ran in settings that differ in `varied`.

    Its lanes are the settings, with a dot per language, or, `by_language`, the other way round.
    """
    titles = {name: language.title for name, language in run.task.languages.items()}
    panels = []
    for system, ran in settings_run(run).items():
        scored = [setting for setting in settings if setting.name in ran]
        if len({setting.conditions[varied] for setting in scored}) < 2:
            continue
        rows = {s.name: [(title, name, s) for name, title in titles.items()] for s in scored}
        if by_language:
            rows = {
                title: [(setting.conditions[varied], name, setting) for setting in settings]
                for name, title in titles.items()
            }
        lanes = []
        for label, columns in rows.items():
            dots = _dots((shown, value_of(run, system, n, s.name)) for shown, n, s in columns)
            lanes += [Lane(label, dots, joined=by_language)] if dots else []
        panels.append(LanePanel(system, lanes))
    return panels


def _dots(values: Iterable[tuple[str, float | None]]) -> list[LaneDot]:
    """A dot for each label and value, of a kind of its own; those without a value are left out."""
    return [
        LaneDot(value, label, min(kind, KINDS))
        for kind, (label, value) in enumerate(values)
        if value is not None
    ]
