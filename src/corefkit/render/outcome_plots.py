"""Figures of outcomes: one bar per class or group of documents, divided by outcome."""

from collections import Counter
from typing import TYPE_CHECKING, Any

from corefkit.metrics import OUTCOMES
from corefkit.render.outcomes import WORDS
from corefkit.render.plots import (
    COLOURS,
    HATCHES,
    PartsBySystem,
    legend_above,
    name_rows,
    new_figure,
    save_figure,
)
from corefkit.scoring.parts import rows_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_LABELS = 12
"""How many labels have their own bars, OTHER included, which sums up the remaining ones."""
OTHER = "other"
SMALL = 0.01
"""Labels with less than this share of all outcomes are summed up, too, if there are several."""

_LOOKS: list[dict[str, Any]] = [
    {"color": COLOURS[colour], "hatch": hatch, "edgecolor": "white"}
    for colour, hatch in zip((2, 1, 5, 3), HATCHES, strict=False)
]
"""The look of the bars of each outcome."""

Bars = dict[str, dict[str, list[int]]]
"""System → label → tp, wl, fn, fp."""


def plot_outcomes(systems: PartsBySystem, path: str, by: str | None = None) -> None:
    """Draw the outcomes of systems by class, or in their parts `by`; one panel per score."""
    panels = _outcome_panels(systems, by)
    most = max((len(labels) for bars in panels.values() for labels in bars.values()), default=1)
    height = 0.9 + most * (0.1 + 0.2 * max(len(systems), 1))
    figure, axes = new_figure(max(len(panels), 1), width=7.0, height=height)
    for ax, (title, bars) in zip(axes, panels.items(), strict=False):
        _draw_bars(ax, title, bars)
    if panels:
        legend_above(figure, axes, 4)
    save_figure(figure, path)


def _outcome_panels(systems: PartsBySystem, by: str | None) -> dict[str, Bars]:
    """The bars of each application score, by the title of its panel."""
    panels: dict[str, Bars] = {}
    for system, parts in systems.items():
        shown = [part for part in parts if part.by == (by or "") and not part.sum]
        for row in rows_of(shown):
            if "tp" in row and ("class" in row) == (by is None):
                label = row["class"] if by is None else row["label"]
                title = row["metric"].removesuffix(f".{row.get('class')}").replace(".", ", ")
                bars = panels.setdefault(title, {}).setdefault(system, {})
                bars[label] = [row[outcome] for outcome in OUTCOMES]
    return {title: _largest_labels(bars) for title, bars in panels.items()}


def _largest_labels(bars: Bars) -> Bars:
    """The bars of the most frequent labels, the same for all systems; OTHER has the sums."""
    size: Counter[str] = Counter()
    for labels in bars.values():
        size.update({label: sum(counts) for label, counts in labels.items()})
    least = SMALL * size.total()
    ordered = [label for label, number in size.most_common() if number]
    kept = [label for label in ordered if size[label] >= least][: MOST_LABELS - 1]
    if len(ordered) - len(kept) == 1:  # OTHER would be a single label
        kept = ordered
    others = [label for label in ordered if label not in kept]
    shown = {}
    for system, labels in bars.items():
        shown[system] = {label: labels.get(label, [0] * len(OUTCOMES)) for label in kept}
        if others:
            rows = ([0] * len(OUTCOMES), *(labels[label] for label in others if label in labels))
            shown[system][OTHER] = [sum(column) for column in zip(*rows, strict=True)]
    return shown


def _draw_bars(ax: "Axes", title: str, bars: Bars) -> None:
    """Draw one bar per label and system, with the outcomes side by side."""
    labels = list(next(iter(bars.values())))
    step = 0.8 / max(len(bars), 1)
    ticks: dict[float, str] = {}
    for number, (system, counts) in enumerate(bars.items()):
        heights = [at + step * (number - (len(bars) - 1) / 2) for at in range(len(labels))]
        left = [0] * len(labels)
        for column, (name, look) in enumerate(zip(OUTCOMES, _LOOKS, strict=True)):
            widths = [counts[label][column] for label in labels]
            word = WORDS[name] if number == 0 else None
            ax.barh(heights, widths, step * 0.9, left, linewidth=0.3, label=word, **look)
            left = [a + b for a, b in zip(left, widths, strict=True)]
        for height, label in zip(heights, labels, strict=True):
            ticks[height] = f"{label}, {system}" if len(bars) > 1 else label
    name_rows(ax, ticks, ticks.values(), len(labels))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_title(title, loc="left")
    ax.set_xlabel("mentions")
