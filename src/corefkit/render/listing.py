"""Outcomes of mentions for programs: one line a mention."""

from collections.abc import Iterator, Sequence

from corefkit._version import __version__
from corefkit.data.table import Value
from corefkit.data.texts import to_json
from corefkit.mentions.listing import Listing
from corefkit.mentions.transitions import Transitions
from corefkit.render.delimited import write_rows


def render_tsv(listing: Listing) -> str:
    """Tab-separated values; an antecedent is `start-end words`."""
    return write_rows(_rows(listing), "\t")


def render_csv(listing: Listing) -> str:
    """Comma-separated values, cells quoted where they must be."""
    return write_rows(_rows(listing), ",")


def _rows(listing: Listing) -> "Iterator[Sequence[Value]]":
    for number, row in enumerate(listing.rows()):
        if not number:
            yield list(row)
        yield [_cell(value) for value in row.values()]


def render_jsonl(listing: Listing) -> str:
    """One JSON object a line."""
    return "".join(to_json(row, None) for row in listing.rows())


def render_json(parts: Sequence[Transitions], examples: int) -> str:
    """What the second system corrects, breaks and changes, as one JSON object."""
    found = {
        "version": __version__,
        "a": parts[0].a,
        "b": parts[0].b,
        "scores": {part.score: part.to_dict(examples) for part in parts},
    }
    return to_json(found)


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        return f"{value['start']}-{value['end']} {value['text']}"
    return str(value)
