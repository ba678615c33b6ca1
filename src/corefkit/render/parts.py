"""The parts of one division as a table: windows, levels, strata."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from corefkit import metrics
from corefkit.render.table import Cell, CellValue, Heading, Table, make_block, make_table
from corefkit.scoring.parts import Part

SHORT = {"recall": "R", "precision": "P", "f1": "F1"}
"""The values of a score, with short titles, in their usual order."""

NOTHING = "–"
"""Shown in place of a ratio whose denominator is 0."""

_UNITS = {"entities": "ents.", "mentions": "mentions", "links": "links"}
_SIZES = (
    Heading("windows", "windows", kind="number"),
    Heading("key_documents", "units", kind="number"),
    *(
        Heading(f"{side}_{unit}", title, f"in {side}", "number")
        for side in ("key", "response")
        for unit, title in _UNITS.items()
    ),
)
"""The sizes of a part, in order; a table has those that are known."""


def division_table(  # noqa: PLR0913 (what tables of divisions differ in)
    name: str,
    title: str,
    label: Heading,
    systems: Mapping[str, Iterable[tuple[str, Part[Any]]]],
    *,
    wide: bool = False,
    note: str = "",
) -> Table:
    """One row per part, under its label, and one block per system.

    A single metric has recall, precision and F1, several have F1 only, unless `wide`.
    """
    listed = {system: [*rows] for system, rows in systems.items()}
    parts = [part for rows in listed.values() for _, part in rows]
    known = {size for part in parts for size in part.sizes()}
    sizes = [heading for heading in _SIZES if heading.name in known]
    figures = _figures(parts[-1].scores, wide=wide) if parts else []
    several = len(dict(figures)) > 1
    headings = [label, *sizes]
    for metric, value in figures:
        of_value = wide or not several
        group = (metrics.get(metric).title or metric) if of_value and several else ""
        shown = SHORT[value] if of_value else metric
        headings.append(Heading(f"{metric}.{value}", shown, group, "score"))
    blocks = [
        make_block(
            [
                [text, *map(part.sizes().get, [size.name for size in sizes]), *_line(part, figures)]
                for text, part in rows
            ],
            system if len(listed) > 1 else "",
        )
        for system, rows in listed.items()
    ]
    return make_table(name, title, headings, blocks, note=note)


def _figures(scores: Mapping[str, Any], *, wide: bool) -> list[tuple[str, str]]:
    """Pairs of a metric and a value that it has."""
    values = SHORT if wide or len(scores) == 1 else ("f1",)
    averages = metrics.averages([*scores])
    return [
        (name, value)
        for name, score in scores.items()
        for value in values
        if value == "f1" or (name not in averages and _has(score, value))
    ]


def _has(score: Any, value: str) -> bool:
    return score.nothing is None or getattr(score, value) is not None


def _line(part: Part[Any], figures: Sequence[tuple[str, str]]) -> list[CellValue | Cell]:
    values = (getattr(part.scores[metric], value) for metric, value in figures)
    return [Cell(None, text=NOTHING) if value is None else value for value in values]
