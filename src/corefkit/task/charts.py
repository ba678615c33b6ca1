"""The pictures of the page of a task, as charts of lanes; `figures` draws those for papers."""

from collections.abc import Callable, Sequence

from corefkit.render.pages.task.lanes import KINDS, Lane, LaneChart, LaneDot, LanePanel
from corefkit.task.figures import CAPTIONS, FEW, columns_of_figures, settings_run, value_of
from corefkit.task.results import TaskRun
from corefkit.task.shared_task import QUALITIES, Setting
from corefkit.task.tables import qualities

_NAMED = 4
"""So many of the best systems have dots of their own kind where all share a lane."""


def charts(run: TaskRun) -> list[LaneChart]:
    """All pictures that there is something to show in."""
    makers: Sequence[Callable[[TaskRun], LaneChart | None]] = (
        _ranking,
        _spread,
        _by_setting_of_datasets if run.task.of_datasets else _by_quality,
        *(() if run.task.of_datasets else (_test_syntax, _training_syntax)),
    )
    return [chart for chart in (make(run) for make in makers) if chart]


def _ranking(run: TaskRun) -> LaneChart | None:
    comparison, rank = run.official_comparison, run.task.rank
    if comparison is None or len(comparison.systems) < 2:
        return None
    lanes = []
    for name, figures in comparison.systems.items():
        low_high = figures[rank].interval
        ends = (100 * low_high[0], 100 * low_high[1]) if low_high else None
        lanes.append(Lane(name, [LaneDot(100 * figures[rank].f1, name, 0, ends)], shown=True))
    return LaneChart("ranking", CAPTIONS["ranking"], [LanePanel("", lanes)])


def _spread(run: TaskRun) -> LaneChart | None:
    """All systems by language, or dataset, and mention quality."""
    columns, order = columns_of_figures(run), run.systems()
    if not columns or len(order) < 2:
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
    caption = f"All systems by {run.task.kind}; the line across is their mean"
    return LaneChart(name, caption, [LanePanel("", lanes)], legend)


def _by_setting_of_datasets(run: TaskRun) -> LaneChart | None:
    """The score of each system in every setting: a mean over datasets, as the official one is."""
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


def _by_quality(run: TaskRun) -> LaneChart | None:
    """A panel for each system that ran with several mention qualities."""
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
    return _by_setting(run, settings, "test", "test-syntax")


def _training_syntax(run: TaskRun) -> LaneChart | None:
    return _by_setting(run, run.task.settings_in_order(), "train", "training-syntax")


def _by_setting(
    run: TaskRun, settings: Sequence[Setting], varied: str, name: str
) -> LaneChart | None:
    """A panel for each system that varied something: its settings, a dot for each language."""
    panels = []
    for system, ran in settings_run(run).items():
        own = [setting for setting in settings if setting.name in ran]
        if len({getattr(setting, varied) for setting in own}) < 2:
            continue
        lanes = []
        for setting in own:
            wanted = [(system, n, setting.name, x.title) for n, x in run.task.languages.items()]
            lanes.append(Lane(setting.name, _dots(run, wanted)))
        panels.append(LanePanel(system, [lane for lane in lanes if lane.dots]))
    legend = [(kind, x.title) for kind, x in enumerate(run.task.languages.values())]
    return LaneChart(name, CAPTIONS[name], panels, legend) if panels else None


def _dots(run: TaskRun, wanted: Sequence[tuple[str, str, str, str]]) -> list[LaneDot]:
    """A dot for each system, language and setting that has a figure, with its label."""
    values = [value_of(run, system, language, setting) for system, language, setting, _ in wanted]
    labels = [label for *_, label in wanted]
    return [
        LaneDot(value, label, min(kind, KINDS))
        for kind, (value, label) in enumerate(zip(values, labels, strict=True))
        if value is not None
    ]
