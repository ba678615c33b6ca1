"""The strata of `corefkit score --by`: tables, figures, JSON, and the list of all entities."""

from collections.abc import Mapping
from math import log10
from typing import TYPE_CHECKING

from corefkit import metrics
from corefkit.core.carriers import frozen
from corefkit.core.texts import to_json
from corefkit.features.divisions import LINK, find_division
from corefkit.features.entity_labels import EntityLabel
from corefkit.render.parts import NOTHING, division_table
from corefkit.render.table import (
    Heading,
    Table,
    make_table,
    plain_headings,
    render_table,
)
from corefkit.scoring.parts import WHOLE, Part
from corefkit.scoring.scores import Scores

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from corefkit.stats.figures import Interval

_NOTE = (
    "Recall is of the key {unit} of a stratum, precision of the response {unit},\n"
    "which may differ. Strata add up to the whole: nothing is filtered."
)


@frozen(eq=False)
class DividedScores:
    """The strata of one system by one label or feature, in order; the last is their sum."""

    by: str
    by_entity: bool
    strata: Mapping[str, Part[Scores]]


def divisions(scores: Scores, by: tuple[str, ...]) -> list[DividedScores]:
    """The strata of a system by each of the labels and features `by`."""
    divided = []
    for name in by:
        division = find_division(name)
        strata = scores.split(division)
        strata[WHOLE] = scores.strata(division.name).all_by(division)
        divided.append(DividedScores(division.name, isinstance(division, EntityLabel), strata))
    return divided


def strata_tables(systems: Mapping[str, Scores], by: tuple[str, ...], *, wide: bool) -> list[Table]:
    """One table per label or feature, with one row per stratum and one block per system.

    A single metric has recall, precision and F1, several have F1 only, unless `wide`.
    """
    divided = {system: divisions(scores, by) for system, scores in systems.items()}
    return [
        _table({system: parts[place] for system, parts in divided.items()}, wide=wide)
        for place in range(len(by) if divided else 0)
    ]


def _table(systems: Mapping[str, DividedScores], *, wide: bool) -> Table:
    first = next(iter(systems.values()))
    parts = {system: divided.strata.items() for system, divided in systems.items()}
    label, note = Heading("stratum", first.by), note_of_strata(first.by, by_entity=first.by_entity)
    return division_table("strata", f"By {first.by}", label, parts, wide=wide, note=note)


def note_of_strata(by: str, *, by_entity: bool) -> str:
    """The note below a table of strata."""
    unit = "links" if by.startswith(LINK) else "mentions"
    return _NOTE.format(unit="entities" if by_entity else unit)


def render_entities(systems: Mapping[str, Scores], form: str) -> str:
    """All entities of both sides with what they contribute, as tsv, csv or jsonl.

    If there are several systems, the first column names them.
    """
    from corefkit.scoring.entity_listing import entity_rows

    rows = [
        ({"system": system} if len(systems) > 1 else {}) | row
        for system, scores in systems.items()
        for row in entity_rows(scores.strata())
    ]
    if form == "jsonl":
        return "".join(to_json(row, indent=None) for row in rows)
    headings = plain_headings(*(rows[0] if rows else ()))
    lines = [list(row.values()) for row in rows]
    return render_table(make_table("entities", "", headings, [lines]), form)


def plot_strata(systems: Mapping[str, Scores], path: str) -> tuple[str, ...]:
    """Draw F1 by stratum: one panel per metric, one row per stratum, one dot per system.

    Intervals are over documents; the larger the ring around a dot, the more key mentions the
    stratum has. The option `by` of the scores says what they are split by. Returns notes on the
    intervals.
    """
    from corefkit.render.plots import legend_above, name_rows, new_figure, save_figure
    from corefkit.stats.compare import strata_intervals
    from corefkit.stats.figures import interval_notes, parts_of
    from corefkit.stats.resampling import Plan

    scores = list(systems.values())
    strata, notes = strata_intervals([parts_of(one) for one in scores], Plan())
    divided = {name: divisions(one, one.options.by) for name, one in systems.items()}
    shown = dict.fromkeys(metric for stratum in strata[0] for metric in stratum.scores)
    rows = list(zip(*strata, strict=True))
    figure, axes = new_figure(max(len(shown), 1), width=6.5, height=0.9 + 0.3 * max(len(rows), 1))
    for ax, metric in zip(axes, shown, strict=False):
        for place, of_systems in enumerate(rows):
            for number, (name, stratum) in enumerate(zip(systems, of_systems, strict=True)):
                mentions = _key_mentions(divided[name], stratum.by, stratum.label)
                y = place + 0.6 * ((number + 0.5) / len(systems) - 0.5)
                system = (number, name if not place else None)
                _draw_stratum(ax, stratum.scores.get(metric), y, system, mentions)
        names = [f"{first.by.removeprefix('entity:')} {first.label}" for first, *_ in rows]
        name_rows(ax, range(len(rows)), names, len(rows))
        ax.set_title(metrics.get(metric).title or metric, loc="left")
    axes[len(shown) - 1].set_xlabel("F1; – nothing to divide by")
    if len(systems) > 1:
        legend_above(figure, axes[0], min(4, len(systems)))
    save_figure(figure, path)
    return (*interval_notes([len(scores[0].counts)]), *notes)


def _key_mentions(divided: list[DividedScores], by: str, label: str) -> int:
    """The number of key mentions in a stratum."""
    strata = [part.strata.get(label) for part in divided if part.by == by]
    return (strata[0].key.links or strata[0].key.mentions or 0) if strata and strata[0] else 0


def _draw_stratum(
    ax: "Axes",
    figure: "Interval | None",
    y: float,
    system: tuple[int, str | None],
    mentions: int,
) -> None:
    """Draw one dot with its interval and its ring, or a dash if there is no F1."""
    from corefkit.render.plots import COLOURS, MARKS, plain

    number, name = system
    colour = COLOURS[number % len(COLOURS)]
    if figure is None:
        ax.annotate(NOTHING, (0.005, y), xycoords=("axes fraction", "data"), va="center")
        return
    if figure.interval:
        ax.plot([100 * end for end in figure.interval], [y, y], "-", color=colour, lw=1.4)
    value, ring = [100 * figure.f1], 3 + 2.2 * log10(1 + mentions)
    ax.plot(value, [y], "o", ms=ring, mfc="none", mec=colour, lw=0.6)
    label = plain(name) if name else None
    ax.plot(value, [y], MARKS[number % len(MARKS)], color=colour, ms=3.5, label=label)
