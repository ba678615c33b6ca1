"""Outcomes of mentions for programs: one line a mention."""

import csv
import json
from collections.abc import Sequence
from io import StringIO

from corefkit._version import __version__
from corefkit.mentions.listing import Listing
from corefkit.mentions.transitions import Transitions


def render_tsv(listing: Listing) -> str:
    """Tab-separated values; an antecedent is `start-end words`."""
    lines: list[str] = []
    for row in listing.rows():
        if not lines:
            lines.append("\t".join(row))
        lines.append("\t".join(_cell(value) for value in row.values()))
    return "\n".join(lines) + "\n" if lines else ""


def render_csv(listing: Listing) -> str:
    """Comma-separated values, cells quoted where they must be."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for number, row in enumerate(listing.rows()):
        if not number:
            writer.writerow(row)
        writer.writerow(map(_cell, row.values()))
    return out.getvalue()


def render_jsonl(listing: Listing) -> str:
    """One JSON object a line."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in listing.rows())


def render_json(parts: Sequence[Transitions], examples: int) -> str:
    """What the second system corrects, breaks and changes, as one JSON object."""
    found = {
        "version": __version__,
        "a": parts[0].a,
        "b": parts[0].b,
        "scores": {part.score: part.to_dict(examples) for part in parts},
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, dict):
        return f"{value['start']}-{value['end']} {value['text']}"
    return str(value)
