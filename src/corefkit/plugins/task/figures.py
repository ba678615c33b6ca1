"""The pictures of a shared task: figures for papers, and charts of lanes for its page.

The figures follow Figures 4 to 7 of the CoNLL-2012 paper; matplotlib is loaded only to draw them.
Marks and hatches repeat the distinctions made by colours, for print in grey.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from corefkit.plugins.task.page_layout import KINDS, Lane, LaneChart, LaneDot, LanePanel
from corefkit.plugins.task.results import TaskRun
from corefkit.plugins.task.shared_task import QUALITIES, Setting, Slot
from corefkit.plugins.task.tables import qualities
from corefkit.render.plots import COLOURS, SAMPLED, STYLE, Dot, draw_lines, figure_file, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

QUALITY_COLOURS = dict(zip(QUALITIES, COLOURS, strict=False))
_MARKS = dict(zip(QUALITIES, "os^", strict=True))
_LINES = ("o-", "s--", "^:", "D-.", "v-", "P--")
_FILE_FORMATS = ("svg", "png")
_HATCHES = dict(zip(QUALITIES, ("", "///", "..."), strict=True))
FEW = 8
"""With fewer systems than this each has its own dot; otherwise boxes summarise them."""


def draw_all(run: TaskRun) -> dict[str, dict[str, bytes]]:
    """The files of all pictures that have something to show: name → format → content.

    ImportError if matplotlib is not installed.
    """
    import matplotlib as mpl

    # Datasets have neither mention quality nor syntax, which the other pictures show.
    shown = ("ranking", "dots", "spread") if run.task.of_datasets else _PICTURES
    pictures = {name: _PICTURES[name] for name in shown}
    with mpl.rc_context(STYLE):
        figures = {name: draw(run) for name, draw in pictures.items()}
    return {
        name: {form: figure_file(figure, form) for form in _FILE_FORMATS}
        for name, figure in figures.items()
        if figure is not None
    }


def value_of(run: TaskRun, system: str, language: str, setting: str) -> float | None:
    """The ranking score of a system in the official track, in percent; None if it has none."""
    value = run.figure(Slot(system, language, run.task.tracks[0], setting))
    return None if value is None else 100 * value


def settings_run(run: TaskRun) -> dict[str, set[str]]:
    """For each system, the settings of the official track in which it has any score."""
    scored = [s for s in run.task.slots(track=run.task.tracks[0]) if run.scores(s)]
    systems = run.systems()
    return {name: {slot.setting for slot in scored if slot.system == name} for name in systems}


def systems_by_quality(run: TaskRun) -> "Figure | None":
    """Figure 4: one panel per system, with its scores by language and mention quality."""
    task, settings = run.task, qualities(run)
    names = [s.name for s in settings]
    systems = [s for s, ran in settings_run(run).items() if len(ran & {*names}) > 1]
    if not systems:
        return None
    figure, axes = new_figure(len(systems), 2.6, 2.4, across=4, same=True)
    for ax, system in zip(axes, systems, strict=True):
        for place, language in enumerate(task.languages):
            values = [value_of(run, system, language, name) for name in names]
            shown = [(i, v) for i, v in enumerate(values) if v is not None]
            places = [place + 0.22 * (i - (len(names) - 1) / 2) for i, _ in shown]
            ax.plot(places, [v for _, v in shown], "-", color="#999999", linewidth=1, zorder=1)
            for x, (i, v) in zip(places, shown, strict=True):
                dot(ax, x, v, settings[i].quality)
        ax.set_title(system)
        ax.set_xticks(range(len(task.languages)), [x.title for x in task.languages.values()])
        ax.set_xlim(-0.6, len(task.languages) - 0.4)
        ax.set_ylim(0, 105)
    _quality_legend(figure, settings)
    return figure


def dot(ax: "Axes", x: float, value: float, quality: str) -> None:
    """Draw a score as a dot; its shape and colour show the mention quality."""
    mark, colour = _MARKS[quality], QUALITY_COLOURS[quality]
    ax.plot([x], [value], mark, color=colour, mec="black", mew=0.5, zorder=2)


def _quality_legend(figure: "Figure", settings: Sequence[Setting]) -> None:
    from matplotlib.lines import Line2D

    handles = []
    for quality in (s.quality for s in settings):
        look = {"marker": _MARKS[quality], "color": QUALITY_COLOURS[quality], "mec": "black"}
        label = f"{quality}: {QUALITIES[quality]}"
        handles.append(Line2D([], [], linestyle="none", label=label, **look))  # type: ignore[arg-type]
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False)


def syntax_in_test(run: TaskRun) -> "Figure | None":
    """Figure 6: systems that ran with both predicted and gold syntax in test."""
    train = run.task.settings[run.task.official].train
    settings = [s for s in run.task.settings_in_order() if s.train == train]
    return _by_setting(run, settings, "test")


def syntax_in_training(run: TaskRun) -> "Figure | None":
    """Figure 7: systems that were trained on both predicted and gold syntax."""
    return _by_setting(run, run.task.settings_in_order(), "train")


def _by_setting(run: TaskRun, settings: list[Setting], varied: str) -> "Figure | None":
    """One panel per system whose settings vary in `varied`: its scores, one line per language.

    Dots below the panel describe each setting, as in the paper. None if no system varied it.
    """
    task, ran = run.task, settings_run(run)
    systems = [
        s for s in ran if len({getattr(x, varied) for x in settings if x.name in ran[s]}) > 1
    ]
    if not systems:
        return None
    settings = [x for x in settings if any(x.name in ran[s] for s in systems)]
    width = 1.4 + 0.55 * len(settings)
    figure, axes = new_figure(len(systems), width, 4.2, across=2, same=True)
    for ax, system in zip(axes, systems, strict=True):
        for number, language in enumerate(task.languages.values()):
            values = [value_of(run, system, language.name, s.name) for s in settings]
            scored = {i: v for i, v in enumerate(values) if v is not None}
            line, colour = _LINES[number % len(_LINES)], COLOURS[number % len(COLOURS)]
            ax.plot([*scored], [*scored.values()], line, color=colour, label=language.title)
        ax.set_title(system)
        ax.set_xlim(-0.5, len(settings) - 0.5)
        _conditions(ax, settings, varied)
    axes[0].set_ylabel(f"F1 of {task.rank}")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3, frameon=False)
    return figure


def _conditions(ax: "Axes", settings: Sequence[Setting], varied: str) -> None:
    """Draw one row per condition below a panel, with a full dot where it holds."""
    rows = [(q, "quality", q) for q in QUALITIES if any(s.quality == q for s in settings)]
    rows.append(("gold syntax, test", "test", "gold"))
    if varied == "train":
        rows.append(("gold syntax, training", "train", "gold"))
    ax.set_xticks([])
    below = ax.inset_axes((0, -0.07 * len(rows) - 0.03, 1, 0.07 * len(rows)))
    below.set_xlim(ax.get_xlim())
    below.set_ylim(len(rows) - 0.5, -0.5)
    below.set_yticks(range(len(rows)), [title for title, _, _ in rows], fontsize=7)
    below.set_xticks([])
    below.set_xlabel(" ")  # keeps the legend at a distance
    below.grid(False)
    below.tick_params(length=0)
    for spine in below.spines.values():
        spine.set_visible(False)
    for row, (_, condition, value) in enumerate(rows):
        for place, setting in enumerate(settings):
            fill = "black" if getattr(setting, condition) == value else "white"
            below.plot([place], [row], "o", markersize=4, color="black", mfc=fill, mew=0.6)


def ranking_dots(run: TaskRun) -> "Figure | None":
    """The official scores with their intervals, the best at the top."""
    comparison, rank = run.official_comparison, run.task.rank
    if comparison is None or len(comparison.systems) < 2:
        return None
    rows = {n: {"": Dot(f[rank].f1, f[rank].interval)} for n, f in comparison.systems.items()}
    return draw_lines({"": rows}, "official score", over=SAMPLED)


_Spread = tuple[str, str, dict[str, float]]
"""Title, mention quality, and scores in percent by system."""


def columns_of_figures(run: TaskRun) -> list[_Spread]:
    """One column per language and mention quality; one per dataset in a task of datasets."""
    task = run.task
    settings = [task.settings[task.official]] if task.of_datasets else qualities(run)
    columns = []
    for name, language in task.languages.items():
        for setting in settings:
            values = {s: value_of(run, s, name, setting.name) for s in task.systems}
            title = language.title if task.of_datasets else f"{language.title}\n{setting.quality}"
            scored = {s: v for s, v in values.items() if v is not None}
            columns += [(title, setting.quality, scored)] if scored else []
    return columns


def dots(run: TaskRun) -> "Figure | None":
    """Figure 5 if there are few systems: one dot for each, and a line at their mean."""
    columns = columns_of_figures(run)
    if not columns or len(run.task.systems) >= FEW:
        return None
    figure, (ax,) = new_figure(width=max(4.0, 0.85 * len(columns)), height=3.6)
    order = run.systems()
    for place, (_, quality, figures) in enumerate(columns):
        mean = sum(figures.values()) / len(figures)
        ax.plot([place - 0.35, place + 0.35], [mean, mean], "-", color="#777777", zorder=1)
        for system, value in figures.items():
            x = place + 0.6 * ((order.index(system) + 0.5) / len(order) - 0.5)
            dot(ax, x, value, quality)
    ax.set_xlim(-0.6, len(columns) - 0.4)
    _label(ax, range(len(columns)), columns, run)
    return figure


def _label(ax: "Axes", at: Iterable[int], columns: list[_Spread], run: TaskRun) -> None:
    ax.set_xticks(list(at), [title for title, *_ in columns])
    if run.task.of_datasets:
        ax.tick_params("x", rotation=60)
    ax.set_ylim(0, 105)
    ax.set_ylabel(f"F1 of {run.task.rank}")


def boxes(run: TaskRun) -> "Figure | None":
    """Figure 5: all systems by language and mention quality; the circle is the mean.

    The box spans the quartiles, its line is the median, the whiskers are the extremes.
    """
    columns = columns_of_figures(run)
    if not columns or len(run.task.systems) < FEW:
        return None
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
        box.set(facecolor=QUALITY_COLOURS[quality], alpha=0.85)
        box.set_hatch(_HATCHES[quality])
    _label(ax, range(1, len(columns) + 1), columns, run)
    return figure


_PICTURES = {
    "ranking": ranking_dots,
    "dots": dots,
    "systems-by-mention-quality": systems_by_quality,
    "spread": boxes,
    "test-syntax": syntax_in_test,
    "training-syntax": syntax_in_training,
}

CAPTIONS = {
    "ranking": "Official scores with their confidence intervals over documents",
    "dots": "All systems: a dot each, the best at the left; the line is their mean",
    "systems-by-mention-quality": "Systems by mention quality and language",
    "spread": "All systems by language and mention quality: quartiles, median, "
    "extremes; the circle is the mean",
    "test-syntax": "Predicted and gold syntax in test",
    "training-syntax": "Predicted and gold syntax in training and in test",
    "settings": "Systems by setting",
}
"""The caption of each picture; `settings` exists only on the page."""


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
    return LaneChart("ranking", CAPTIONS["ranking"], [LanePanel("", lanes)])


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
    return LaneChart("settings", CAPTIONS["settings"], [LanePanel("", lanes)], legend)


def _quality_lanes(run: TaskRun) -> LaneChart | None:
    """One panel per system that ran with several mention qualities."""
    settings = qualities(run)
    names = {s.name for s in settings}
    systems = [s for s, ran in settings_run(run).items() if len(ran & names) > 1]
    panels = []
    for system in systems:
        lanes = []
        for name, language in run.task.languages.items():
            dots = _dots(run, [(system, name, s.name, s.quality) for s in settings])
            lanes += [Lane(language.title, dots, joined=True)] if dots else []
        panels.append(LanePanel(system, lanes))
    legend = [(kind, QUALITIES[s.quality]) for kind, s in enumerate(settings)]
    name = "systems-by-mention-quality"
    return LaneChart(name, CAPTIONS[name], panels, legend) if panels else None


def _test_syntax(run: TaskRun) -> LaneChart | None:
    train = run.task.settings[run.task.official].train
    settings = [s for s in run.task.settings_in_order() if s.train == train]
    return _setting_lanes(run, settings, "test", "test-syntax")


def _training_syntax(run: TaskRun) -> LaneChart | None:
    return _setting_lanes(run, run.task.settings_in_order(), "train", "training-syntax")


def _setting_lanes(
    run: TaskRun, settings: Sequence[Setting], varied: str, name: str
) -> LaneChart | None:
    """One panel per system whose settings vary in `varied`: one lane each, a dot per language."""
    panels = []
    for system, ran in settings_run(run).items():
        scored = [setting for setting in settings if setting.name in ran]
        if len({getattr(setting, varied) for setting in scored}) < 2:
            continue
        lanes = []
        for setting in scored:
            labelled = [(system, n, setting.name, x.title) for n, x in run.task.languages.items()]
            lanes.append(Lane(setting.name, _dots(run, labelled)))
        panels.append(LanePanel(system, [lane for lane in lanes if lane.dots]))
    legend = [(kind, x.title) for kind, x in enumerate(run.task.languages.values())]
    return LaneChart(name, CAPTIONS[name], panels, legend) if panels else None


def _dots(run: TaskRun, labelled: Sequence[tuple[str, str, str, str]]) -> list[LaneDot]:
    """A dot for each tuple (system, language, setting, label) that has a score."""
    return [
        LaneDot(value, label, min(kind, KINDS))
        for kind, (system, language, setting, label) in enumerate(labelled)
        if (value := value_of(run, system, language, setting)) is not None
    ]
