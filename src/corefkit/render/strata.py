"""The strata of `corefkit score --by`: tables, figures, JSON, and the list of all entities."""

from collections.abc import Mapping

from corefkit.core.carriers import frozen
from corefkit.core.texts import to_json
from corefkit.features.divisions import LINK, find_division
from corefkit.features.entity_labels import EntityLabel
from corefkit.render.parts import division_table
from corefkit.render.table import (
    Heading,
    Table,
    make_table,
    plain_headings,
    render_table,
)
from corefkit.scoring.parts import WHOLE, Part
from corefkit.scoring.scores import Scores

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

    A row says how many key mentions, or links, its stratum has. The option `by` of the scores says
    what they are split by. Returns notes on the intervals.
    """
    from corefkit.render.plots import SAMPLED, Dot, draw_lines, save_figure, stratum_name, title_of
    from corefkit.stats.compare import strata_intervals
    from corefkit.stats.figures import interval_notes, parts_of
    from corefkit.stats.resampling import Plan

    scores = list(systems.values())
    strata, notes = strata_intervals([parts_of(one) for one in scores], Plan())
    divided = divisions(scores[0], scores[0].options.by)
    panels: dict[str, dict[str, dict[str, Dot | None]]] = {}
    for name, of_system in zip(systems, strata, strict=True):
        for stratum in of_system:
            unit = "links" if stratum.by.startswith(LINK) else "mentions"
            size = f"{_key_mentions(divided, stratum.by, stratum.label):,} {unit}"
            row = f"{stratum_name(stratum.by, stratum.label)}: {size}"
            for metric, figure in stratum.scores.items():
                lines = panels.setdefault(title_of(metric), {})
                dot = figure and Dot(figure.f1, figure.interval)
                lines.setdefault(row, {})[name] = dot
    save_figure(draw_lines(panels, "F1 in percent", over=SAMPLED), path)
    return (*interval_notes([len(scores[0].counts)]), *notes)


def _key_mentions(divided: list[DividedScores], by: str, label: str) -> int:
    """The number of key mentions in a stratum, or of its links."""
    strata = [part.strata.get(label) for part in divided if part.by == by]
    return (strata[0].key.links or strata[0].key.mentions or 0) if strata and strata[0] else 0
