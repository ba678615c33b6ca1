"""Outcomes of mentions for programs: one line a mention."""

from collections.abc import Sequence

from corefkit.data.texts import to_json, versioned_json
from corefkit.mentions.listing import Listing
from corefkit.mentions.transitions import Transitions
from corefkit.render.delimited import write_rows


def render_rows(listing: Listing, form: str) -> str:
    """A line for each mention: CSV, TSV or JSON; an antecedent in a cell is `start-end words`."""
    if form == "jsonl":
        return "".join(to_json(row, None) for row in listing.rows())
    rows = list(listing.rows())
    cells = [[_cell(value) for value in row.values()] for row in rows]
    return write_rows([list(row) for row in rows[:1]] + cells, "," if form == "csv" else "\t")


def render_json(parts: Sequence[Transitions], examples: int) -> str:
    """What the second system corrects, breaks and changes, as one JSON object."""
    scores = {part.score: part.to_dict(examples) for part in parts}
    return versioned_json({"a": parts[0].a, "b": parts[0].b, "scores": scores})


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        return f"{value['start']}-{value['end']} {value['text']}"
    return str(value)
