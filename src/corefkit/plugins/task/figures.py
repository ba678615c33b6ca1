"""The pictures of a shared task: charts of lanes for its page, and figures for papers.

They show what Figures 4 to 7 of the CoNLL-2012 paper show. A figure is drawn from the same chart as
the picture on the page; only many systems are summed up by boxes. matplotlib is loaded only to draw
figures. Marks and hatches repeat the distinctions made by colours, for print in grey.
"""

from collections.abc import Callable, Iterator, Sequence
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
    makers: Sequence[Callable[[TaskRun], LaneChart | None]] = (
        _ranking_lanes,
        _spread_lanes,
        _setting_lanes_of_datasets if run.task.of_datasets else _quality_lanes,
        *(() if run.task.of_datasets else (_test_syntax, _training_syntax)),
    )
    return [chart for chart in (make(run) for make in makers) if chart]


def _ranking_lanes(run: TaskRun) -> LaneChart | None:
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


def _spread_lanes(run: TaskRun) -> LaneChart | None:
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


def _setting_lanes_of_datasets(run: TaskRun) -> LaneChart | None:
    """The score of each system in every setting: like the official score, a mean over datasets."""
    settings = run.task.settings_in_order()
    if len(settings) < 2:
        return None
    scores = [{s.system: s.official for s in run.standings(setting)} for setting in settings]
    lanes = [
        Lane(
            name,
            [
                LaneDot(100 * by_system[name], setting.rules or setting.name, kind)
                for kind, (setting, by_system) in enumerate(zip(settings, scores, strict=True))
            ],
            joined=True,
        )
        for name in run.systems()
    ]
    legend = [(kind, setting.rules or setting.name) for kind, setting in enumerate(settings)]
    return LaneChart("settings", "Systems by setting", [LanePanel("", lanes)], legend)


def _quality_lanes(run: TaskRun) -> LaneChart | None:
    """One panel per system that ran with several mention qualities."""
    settings = run.task.qualities()
    names = {s.name for s in settings}
    systems = [s for s, ran in settings_run(run).items() if len(ran & names) > 1]
    panels = []
    for system in systems:
        lanes = []
        for name, language in run.task.languages.items():
            dots = _dots(run, [(system, name, s.name, s.conditions["quality"]) for s in settings])
            lanes += [Lane(language.title, dots, joined=True)] if dots else []
        panels.append(LanePanel(system, lanes))
    legend = [(kind, QUALITIES[s.conditions["quality"]]) for kind, s in enumerate(settings)]
    name, caption = "systems-by-mention-quality", "Systems by mention quality and language"
    return LaneChart(name, caption, panels, legend) if panels else None


def _test_syntax(run: TaskRun) -> LaneChart | None:
    train = run.task.settings[run.task.official].conditions["train"]
    settings = [s for s in run.task.settings_in_order() if s.conditions["train"] == train]
    caption = "Predicted and gold syntax in test"
    return _setting_lanes(run, settings, "test", "test-syntax", caption)


def _training_syntax(run: TaskRun) -> LaneChart | None:
    settings, caption = (
        run.task.settings_in_order(),
        "Predicted and gold syntax in training and in test",
    )
    return _setting_lanes(run, settings, "train", "training-syntax", caption)


def _setting_lanes(
    run: TaskRun, settings: Sequence[Setting], varied: str, name: str, caption: str
) -> LaneChart | None:
    """One panel per system whose settings vary in `varied`: one lane each, a dot per language."""
    panels = []
    for system, ran in settings_run(run).items():
        scored = [setting for setting in settings if setting.name in ran]
        if len({setting.conditions[varied] for setting in scored}) < 2:
            continue
        lanes = []
        for setting in scored:
            labelled = [(system, n, setting.name, x.title) for n, x in run.task.languages.items()]
            lanes.append(Lane(setting.name, _dots(run, labelled)))
        panels.append(LanePanel(system, [lane for lane in lanes if lane.dots]))
    legend = [(kind, x.title) for kind, x in enumerate(run.task.languages.values())]
    return LaneChart(name, caption, panels, legend) if panels else None


def _dots(run: TaskRun, labelled: Sequence[tuple[str, str, str, str]]) -> list[LaneDot]:
    """A dot for each tuple (system, language, setting, label) that has a score."""
    return [
        LaneDot(value, label, min(kind, KINDS))
        for kind, (system, language, setting, label) in enumerate(labelled)
        if (value := value_of(run, system, language, setting)) is not None
    ]
