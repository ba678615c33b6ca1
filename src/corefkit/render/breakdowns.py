"""Application scores by class, for people: the layouts of Tables 3 and 4 of Tuggener (2014).

Bars of outcomes by class, for one or several systems.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from corefkit.applications.outcomes import NAMES as COLUMNS
from corefkit.core.options import VARIANTS
from corefkit.metrics.base import Score
from corefkit.render.plots import COLOURS, HATCHES, legend_above, name_rows, new_figure, save_figure
from corefkit.render.scores import SHORT, title_of
from corefkit.render.table import (
    Block,
    Cell,
    Heading,
    Table,
    Value,
    make_block,
    make_table,
    plain_headings,
)
from corefkit.scoring.scores import Scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TOTAL = "TOTAL"
_PARTS = {"detection": "ED", "mentions": "EM"}

Labelled = Mapping[str, Mapping[str, Score]]
"""For each label (class or group) the scores that have it, by the name of the metric."""


def break_downs(systems: Mapping[str, Scores], by: str | None) -> list[Table]:
    """Tables of all systems: by the metrics' own classes, or by the feature that `by` names."""
    labelled = {name: labelled_scores(scores, by) for name, scores in systems.items()}
    first: Scores | None = next(iter(systems.values()), None)
    if first is None:
        return []
    # Other metrics have classes too, but no outcomes: those of gap are genders.
    own = [m for m in first.options.applications if first[m].classes is not None]
    plain = [m for m in first if m in own or (by and m == "mentions")]
    tables = [_table_3(labelled, systems, plain, by)] if plain else []
    if "anchor" in first:
        tables.append(_table_4(labelled, systems, by))
    return tables


def labelled_scores(scores: Scores, by: str | None) -> Labelled:
    """The scores of each label, those with most to find first (other features have an order)."""
    found: dict[str, dict[str, Score]] = {}
    if by is not None:
        found = {label: dict(part) for label, part in scores.by(by).items()}
        return _by_frequency(found) if by in ("class", "ne") else found
    for metric, score in ((m, scores[m]) for m in scores.options.applications):
        for label, part in (score.classes or {}).items():
            found.setdefault(label, {})[metric] = part
        for name, inner in score.parts.items():
            for label, part in (inner.classes or {}).items():
                both = found.setdefault(label, {}).get(metric, Score(0.0))
                found[label][metric] = _with_part(both, name, part)
    return _by_frequency(found)


def _by_frequency(found: Labelled) -> Labelled:
    return dict(sorted(found.items(), key=lambda item: (-_weight(item[1]), item[0])))


def _with_part(anchor: Score, name: str, part: Score) -> Score:
    both = {**anchor.parts, name: part}
    values = [both[n].f1 if n in both else 0.0 for n in _PARTS]
    f1 = 2 * values[0] * values[1] / sum(values) if sum(values) else 0.0
    return Score(f1, detection=both.get("detection"), mentions=both.get("mentions"))


def _weight(scores: Mapping[str, Score]) -> int:
    """How many mentions of the label the key has; ties go by the number of false positives."""
    parts = [part for s in scores.values() for part in (s.parts.values() if s.parts else (s,))]
    return max((1000 * _in_key(part) + int(part.counts.get("fp", 0)) for part in parts), default=0)


def _in_key(score: Score) -> int:
    if "recall" in score.counts:
        return int(score.counts["recall"][1])
    return sum(int(score.counts[name]) for name in ("tp", "wl", "fn"))


def _table_3(
    labelled: Mapping[str, Labelled],
    systems: Mapping[str, Scores],
    metrics: Sequence[str],
    by: str | None,
) -> Table:
    """Metrics side by side, a block of labels for each system."""
    headings = [Heading("label", by or "class")]
    for metric in metrics:
        group = title_of(metric)
        headings += [Heading(f"{metric}.{v}", t, group, "score") for v, t in SHORT.items()]
        # Behind the scores the outcomes, or how many mentions the key has.
        counts = ("in key",) if metric == "mentions" else COLUMNS
        headings += [Heading(f"{metric}.{c}", c, group, "number") for c in counts]
    blocks = []
    for system, labels in labelled.items():
        lines = [
            [label, *(value for m in metrics for value in _values(scores.get(m), m))]
            for label, scores in (*labels.items(), (TOTAL, systems[system]))
            if any(m in scores for m in metrics)
        ]
        blocks.append(make_block(lines, system if len(labelled) > 1 else ""))
    return make_table("outcomes", "", headings, blocks)


def _values(score: Score | None, metric: str) -> Iterator[Value]:
    yield from (getattr(score, value) if score else None for value in SHORT)
    if metric == "mentions":
        yield _in_key(score) if score else None
    else:
        yield from (score.counts[name] if score else None for name in COLUMNS)


def _table_4(
    labelled: Mapping[str, Labelled], systems: Mapping[str, Scores], by: str | None
) -> Table:
    """Entity detection (ED) and mentions (EM) of each label, a block with a line a system."""
    headings = [Heading("label", by or "ne"), Heading("system", ""), Heading("part", "anchor")]
    headings += [Heading(value, title, kind="score") for value, title in SHORT.items()]
    headings.append(Heading("fphi", "Fφ", kind="score"))
    headings += plain_headings(*COLUMNS, kind="number")
    blocks = []
    everything = sum(_entities(scores["anchor"]) for scores in systems.values())
    labels = dict.fromkeys(label for groups in labelled.values() for label in groups)
    for label in (*labels, TOTAL):
        found = systems if label == TOTAL else {s: labelled[s].get(label, {}) for s in systems}
        anchors = {system: s["anchor"] for system, s in found.items() if "anchor" in s}
        if any(any(p.counts.values()) for s in anchors.values() for p in s.parts.values()):
            share = sum(map(_entities, anchors.values())) / max(everything, 1)
            blocks.append(_block(label, f"{label} ({100 * share:.2f}%)", anchors))
    return make_table("anchor", "", headings, blocks)


def _entities(score: Score) -> int:
    return _in_key(score.detection) if score.detection else 0


def _block(label: str, shown: str, anchors: Mapping[str, Score]) -> Block:
    """The lines of one label; what a line has in common with the one before is not shown again."""
    lines: list[list[Value | Cell]] = []
    for system, score in anchors.items():
        first = True
        for name, short in _PARTS.items():
            part = score.parts.get(name)
            if part is None or not (any(part.counts.values()) or name == "detection"):
                continue
            named = Cell(label, text=shown if not lines else "")
            told, both = (Cell(v, text=None if first else "") for v in (system, score.f1))
            figures = [getattr(part, value) for value in SHORT]
            counts = [part.counts[column] for column in COLUMNS]
            lines.append([named, told, short, *figures, both, *counts])
            first = False
    return make_block(lines)


MOST = 12
"""So many labels are drawn; the rest together as OTHER."""

OTHER = "other"
SMALL = 0.01
"""Labels with less than this share of all outcomes go there, too, if there are several."""

WORDS = {"tp": "right", "wl": "linked wrongly", "fn": "not found", "fp": "nothing there"}
"""What people read instead of the names of the columns."""
_LOOKS: list[dict[str, Any]] = [
    {"color": COLOURS[colour], "hatch": hatch, "edgecolor": "white"}
    for colour, hatch in zip((2, 1, 5, 3), HATCHES, strict=False)
]
"""How the bars of each column look."""

Bars = dict[str, dict[str, list[int]]]
"""System → label → tp, wl, fn, fp."""


def plot_outcomes(systems: "Mapping[str, Scores]", path: str, by: str | None = None) -> None:
    """Draw the application scores of systems, a panel for each, to a file of one of FORMATS."""
    panels = _panels(systems, by)
    most = max((len(labels) for bars in panels.values() for labels in bars.values()), default=1)
    height = 0.9 + most * (0.1 + 0.2 * max(len(systems), 1))
    figure, axes = new_figure(max(len(panels), 1), width=7.0, height=height)
    for ax, (title, bars) in zip(axes, panels.items(), strict=False):
        _draw(ax, title, bars)
    if panels:
        legend_above(figure, axes[0], 4)
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
    size: Counter[str] = Counter()
    for labels in bars.values():
        size.update({label: sum(counts) for label, counts in labels.items()})
    least = SMALL * size.total()
    ordered = [label for label, number in size.most_common() if number]
    kept = [label for label in ordered if size[label] >= least][: MOST - 1]
    if len(ordered) - len(kept) == 1:  # nothing to fold it with
        kept = ordered
    others = [label for label in ordered if label not in kept]
    shown = {}
    for system, labels in bars.items():
        shown[system] = {label: labels.get(label, [0] * len(COLUMNS)) for label in kept}
        if others:
            rows = ([0] * len(COLUMNS), *(labels[label] for label in others if label in labels))
            shown[system][OTHER] = [sum(column) for column in zip(*rows, strict=True)]
    return shown


def _draw(ax: "Axes", title: str, bars: Bars) -> None:
    """Bars one below the other for the systems, the outcomes one beside the other."""
    labels = list(next(iter(bars.values())))
    step = 0.8 / max(len(bars), 1)
    ticks: dict[float, str] = {}
    for number, (system, counts) in enumerate(bars.items()):
        places = [at + step * (number - (len(bars) - 1) / 2) for at in range(len(labels))]
        left = [0] * len(labels)
        for column, (name, look) in enumerate(zip(COLUMNS, _LOOKS, strict=True)):
            widths = [counts[label][column] for label in labels]
            word = WORDS[name] if number == 0 else None
            ax.barh(places, widths, step * 0.9, left, linewidth=0.3, label=word, **look)
            left = [a + b for a, b in zip(left, widths, strict=True)]
        for place, label in zip(places, labels, strict=True):
            ticks[place] = f"{label}, {system}" if len(bars) > 1 else label
    name_rows(ax, ticks, ticks.values(), len(labels))
    ax.xaxis.set_major_formatter("{x:,.0f}")
    ax.set_title(title, loc="left")
    ax.set_xlabel("mentions")
