"""Stacked bars of outcomes: tp, wl, fn and fp by class, for one or several systems."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from corefkit.data.options import Options, UsageError
from corefkit.mentions.ratios import COLUMNS
from corefkit.metrics import VARIANTS
from corefkit.metrics.base import Score
from corefkit.render.plots import check_name, new_figure, save_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from corefkit.scoring.scores import Scores

MOST = 12
"""So many labels are drawn; the rest together as OTHER."""

OTHER = "other"
_COLOURS = {"tp": "#2a9d5c", "wl": "#e9b949", "fn": "#c8553d", "fp": "#8d6a9f"}

Bars = dict[str, dict[str, list[int]]]
"""System → label → tp, wl, fn, fp."""


def check_plot(options: Options, path: str) -> None:
    """UsageError where nothing can be drawn, or not to such a file."""
    check_name(path)
    if not options.applications:
        raise UsageError(f"plot: only outcomes of {', '.join(VARIANTS)} can be drawn")


def plot_outcomes(systems: "Mapping[str, Scores]", path: str, by: str | None = None) -> None:
    """Draw the application scores of systems, a panel for each, to a .png, .svg or .html file."""
    panels = _panels(systems, by)
    most = max((len(labels) for bars in panels.values() for labels in bars.values()), default=1)
    width = max(6.0, 0.5 * most * max(len(systems), 1) + 2)
    figure, axes = new_figure(max(len(panels), 1), width=width)
    for ax, (title, bars) in zip(axes, panels.items(), strict=False):
        _draw(ax, title, bars)
    if panels:
        axes[0].legend(ncols=4, frameon=False)
    save_figure(figure, path)


def _panels(systems: "Mapping[str, Scores]", by: str | None) -> dict[str, Bars]:
    """For each score what its bars are."""
    panels: dict[str, Bars] = {}
    for system, scores in systems.items():
        groups = scores.by(by) if by is not None else {}
        for title, total in _with_counts(scores).items():
            labels = {label: _with_counts(part)[title] for label, part in groups.items()}
            found = labels if by is not None else dict(total.classes or {})
            counts = {label: [s.counts[c] for c in COLUMNS] for label, s in found.items()}
            panels.setdefault(title, {})[system] = counts
    return {title: _the_largest(bars) for title, bars in panels.items()}


def _with_counts(scores: "Scores") -> dict[str, Score]:
    found: dict[str, Score] = {}
    for name in scores:
        if name in VARIANTS:
            parts = scores[name].parts
            found |= {f"{name}, {p}": s for p, s in parts.items()} or {name: scores[name]}
    return found


def _the_largest(bars: Bars) -> Bars:
    """The labels with most in them, the same for all systems, the others added up."""
    size: dict[str, int] = {}
    for labels in bars.values():
        for label, counts in labels.items():
            size[label] = size.get(label, 0) + sum(counts)
    kept = sorted((label for label in size if size[label]), key=lambda label: -size[label])
    kept = kept if len(kept) <= MOST else kept[: MOST - 1]
    others = [label for label in size if size[label] and label not in kept]
    shown = {}
    for system, labels in bars.items():
        shown[system] = {label: labels.get(label, [0] * len(COLUMNS)) for label in kept}
        if others:
            shown[system][OTHER] = _sum([labels[label] for label in others if label in labels])
    return shown


def _sum(rows: Sequence[Sequence[int]]) -> list[int]:
    return [sum(column) for column in zip([0] * len(COLUMNS), *rows, strict=True)]


def _draw(ax: "Axes", title: str, bars: Bars) -> None:
    """Bars side by side for the systems, the outcomes one upon the other."""
    labels = list(next(iter(bars.values())))
    step = 0.8 / max(len(bars), 1)
    for number, (system, counts) in enumerate(bars.items()):
        places = [at + step * (number - (len(bars) - 1) / 2) for at in range(len(labels))]
        bottom = [0] * len(labels)
        for column, name in enumerate(COLUMNS):
            heights = [counts[label][column] for label in labels]
            once = name if number == 0 else None
            ax.bar(places, heights, step * 0.92, bottom, color=_COLOURS[name], label=once)
            bottom = [a + b for a, b in zip(bottom, heights, strict=True)]
        if len(bars) > 1:
            for place, top in zip(places, bottom, strict=True):
                ax.text(place, top, f" {system}", rotation=90, ha="center", va="bottom", fontsize=6)
    ax.set_xticks(range(len(labels)), [label.replace("$", r"\$") for label in labels])
    ax.set_title(title, loc="left")
    ax.margins(y=0.25 if len(bars) > 1 else 0.05)
