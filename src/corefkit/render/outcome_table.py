"""Outcomes of one response for people: counts by class, then examples in context."""

from collections.abc import Iterator, Sequence

from corefkit.data.table import make_table, plain_headings
from corefkit.data.texts import versioned_json, visible
from corefkit.mentions.outcomes import NAMES
from corefkit.mentions.summary import Summary
from corefkit.render.context import PLAIN, example
from corefkit.render.text import COLOURS, render_text

MOST = 12
"""So many classes have a line of their own; the rest is together."""

SAYS = {
    "tp": "right",
    "wl": "linked, but wrongly",
    "fn": "not found",
    "fp": "found where there is nothing",
}
_SIDES = {"wl": "both", "fn": "key", "fp": "response"}


def render_outcomes(parts: Sequence[Summary], examples: int = 3, *, colour: bool = False) -> str:
    """For each score a table of classes and outcomes, followed by examples of what is wrong."""
    texts = []
    for part in parts:
        texts.append(f"{part.score}, {visible(part.system)}\n\n{_table(part, colour)}")
        for outcome in NAMES[1:]:
            if lines := list(_examples(part, outcome, examples, colour)):
                texts.append("\n".join(lines))
    told = "; ".join(f"{name}: {text}" for name, text in SAYS.items())
    return "\n\n".join([*texts, told]) + "\n"


def render_json(parts: Sequence[Summary], examples: int) -> str:
    """The same as one JSON object."""
    scores = {part.score: part.to_dict(examples) for part in parts}
    return versioned_json({"system": parts[0].system, "scores": scores})


def _table(part: Summary, colour: bool) -> str:
    """Classes down, outcomes across; the smallest classes together, and all of them."""
    rows = [(label or "(none)", [row[o] for o in NAMES]) for label, row in part.counts.items()]
    shown = rows if len(rows) <= MOST + 1 else rows[:MOST]
    rest = [numbers for _, numbers in rows[len(shown) :]]
    sums = [("other", [sum(column) for column in zip(*rest, strict=True)])] if rest else []
    whole = [sum(numbers[i] for _, numbers in rows) for i in range(len(NAMES))]
    lines = [(label, *n, sum(n)) for label, n in (*shown, *sums, ("all", whole))]
    headings = plain_headings("class") + plain_headings(*NAMES, "all", kind="number")
    table = make_table("outcomes", "", headings, [lines])
    return render_text(table, bold=colour).rstrip("\n")


def _examples(part: Summary, outcome: str, most: int, colour: bool) -> Iterator[str]:
    for number, (row, label) in enumerate(part.examples(outcome, most)):
        if not number:
            title = f"{COLOURS[outcome]}{outcome}{PLAIN}" if colour else outcome
            yield f"{title} ({SAYS[outcome]}), for example:"
        told = part.describe(row)
        told["found"] = {"found": told["found"]}
        yield from example(label, part.score, told, _SIDES[outcome], colour=colour)
