"""What `corefkit score --by` shows of strata: a table for each label or feature, dots, JSON."""

from collections.abc import Iterator, Mapping
from typing import Any

from corefkit.applications.entity_labels import EntityLabel, find_division
from corefkit.applications.features import Feature
from corefkit.applications.link_distances import PREFIX as LINK
from corefkit.core.carriers import frozen
from corefkit.core.texts import to_json
from corefkit.render.table import (
    Cell,
    CellValue,
    Heading,
    Table,
    make_block,
    make_table,
    plain_headings,
    render_table,
)
from corefkit.scoring.scores import Scores
from corefkit.scoring.strata import ALL, Stratum

NOTHING = "–"
"""What stands where a rate has nothing to divide by."""

_SHORT = {"recall": "R", "precision": "P", "f1": "F1"}
_SIZES = {
    "key": ("in key", "key_entities", "key_mentions"),
    "response": ("in response", "response_entities", "response_mentions"),
}
_NOTE = (
    "Recall is of the key {what} of a stratum, precision of the response {what}: these may be "
    "others. Strata add up to the whole; nothing is filtered."
)


@frozen(eq=False)
class DividedScores:
    """The strata of one system by one label or feature, in order, and all of them together."""

    by: str
    bounds: tuple[int, ...] | None
    by_entity: bool
    strata: Mapping[str, Stratum]
    whole: Stratum

    def to_dict(self) -> dict[str, Any]:
        """The strata as they stand in the JSON output."""
        bounds = {} if self.bounds is None else {"bounds": list(self.bounds)}
        listed = [stratum.to_stratum_dict(label) for label, stratum in self.strata.items()]
        return {"by": self.by, **bounds, "strata": listed}

    @property
    def unit(self) -> str:
        """What else is counted besides entities: mentions or links."""
        return "links" if self.by.startswith(LINK) else "mentions"

    @property
    def rows(self) -> Iterator[tuple[str, Stratum]]:
        """The strata, and all of them last."""
        yield from self.strata.items()
        yield ALL, self.whole


def divisions(scores: Scores, by: tuple[str, ...]) -> list[DividedScores]:
    """The strata of a system by each label or feature of the options."""
    found = []
    for one in by:
        division = find_division(one)
        bounds = None if isinstance(division, Feature) else division.bounds
        strata = scores.split(division)
        whole = scores.strata(division.name).all_by(division)
        found.append(
            DividedScores(division.name, bounds, isinstance(division, EntityLabel), strata, whole)
        )
    return found


def strata_tables(systems: Mapping[str, Scores], by: tuple[str, ...], *, wide: bool) -> list[Table]:
    """A table for each label or feature: a row for each stratum, a block for each system.

    With one metric, or `wide`, all values of the metrics; otherwise F1 of each.
    """
    made = {system: divisions(scores, by) for system, scores in systems.items()}
    return [
        _table({system: own[place] for system, own in made.items()}, wide=wide)
        for place in range(len(by) if made else 0)
    ]


def _table(systems: Mapping[str, DividedScores], *, wide: bool) -> Table:
    first = next(iter(systems.values()))
    metrics = list(first.whole)
    all_values = wide or len(metrics) == 1
    figures = [
        (metric, value)
        for metric in metrics
        for value in (_SHORT if all_values and metric != "conll" else ("f1",))
    ]
    headings = [Heading("stratum", first.by)]
    for title, entities, mentions in _SIZES.values():
        headings += [Heading(entities, "ents.", title, "number")] if first.by_entity else []
        name = mentions.replace("mentions", first.unit)
        headings.append(Heading(name, first.unit, title, "number"))
    for metric, value in figures:
        title = _SHORT[value] if all_values else metric
        group = metric if all_values and len(metrics) > 1 else ""
        headings.append(Heading(f"{metric}.{value}", title, group, "score"))
    blocks = [
        make_block(
            (_line(label, stratum, figures) for label, stratum in own.rows),
            system if len(systems) > 1 else "",
        )
        for system, own in systems.items()
    ]
    note = _NOTE.format(what="entities" if first.by_entity else first.unit)
    return make_table("strata", f"By {first.by}", headings, blocks, note=note)


def _line(label: str, stratum: Stratum, figures: list[tuple[str, str]]) -> list[CellValue | Cell]:
    sizes: list[CellValue | Cell] = []
    for side in (stratum.key, stratum.response):
        sizes += [] if side.entities is None else [side.entities]
        sizes.append(side.mentions)
    values = (getattr(stratum[metric], value) for metric, value in figures)
    shown = [Cell(None, text=NOTHING) if value is None else Cell(value) for value in values]
    return [label, *sizes, *shown]


def strata_rows(scores: Scores, by: tuple[str, ...]) -> Iterator[tuple[str, Stratum]]:
    """For programs: the strata of a system with their groups, such as `entity:size:2`."""
    for division in divisions(scores, by):
        for label, stratum in division.strata.items():
            yield f"{division.by}:{label}", stratum


def render_entities(systems: Mapping[str, Scores], form: str) -> str:
    """All entities of both sides with what they contribute, as tsv, csv or jsonl.

    Where there are several systems, each row names its own.
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
