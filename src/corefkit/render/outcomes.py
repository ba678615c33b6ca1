"""Outcomes of mentions: a line each for programs; counts by class and examples for people.

What B corrects, breaks and changes relative to A: tables and examples for people.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from corefkit.applications.listing import KINDS, Listing, Summary, TransitionKind, Transitions
from corefkit.applications.outcomes import NAMES
from corefkit.core.texts import to_json, versioned_json, visible
from corefkit.render.delimited import write_rows
from corefkit.render.errors import example
from corefkit.render.table import DELIMITED, Cell, Heading, Table, Value, make_table, plain_headings
from corefkit.render.text import COLOURS, PLAIN, render_text

MOST_TRANSITIONS = 8
"""So many classes have a column of their own; the rest is together."""

_OTHER, _TOTAL = "other", "total"
_COLOURS = {"corrects": "\x1b[32m", "breaks": "\x1b[31m", "changes": "\x1b[33m"}


def render_transitions(listing: Listing, form: str, examples: int, *, colour: bool) -> str:
    """As JSON, or a table for each score, followed by examples."""
    a, b = listing.fates
    parts = [Transitions(listing, score, a, b) for score in listing.scores]
    if form == "json":
        scores = {part.score: part.to_dict(examples) for part in parts}
        return versioned_json({"a": a, "b": b, "scores": scores})
    texts = []
    for part in parts:
        table = render_text(_transition_table(part), bold=colour).rstrip("\n")
        texts.append(f"{part.score}: from {visible(part.a)} to {visible(part.b)}\n\n{table}")
        texts += [
            text
            for kind in KINDS[:3]
            if (text := _transition_examples(part, kind, examples, colour))
        ]
    return "\n\n".join(texts) + "\n"


def _transition_table(part: Transitions) -> Table:
    """Steps down, classes across."""
    size: Counter[str] = Counter()
    for (_, _, label), number in part.counts.items():
        size[label] += number
    shown = [label for label, _ in size.most_common(MOST_TRANSITIONS)]
    other = [_OTHER] if len(size) > MOST_TRANSITIONS else []
    headings = [Heading("step", ""), *plain_headings(*shown, *other, _TOTAL, kind="number")]
    lines: list[list[Value | Cell]] = []
    for kind in KINDS:
        steps: dict[str, Counter[str]] = {}
        for (found, step, label), number in part.counts.items():
            if found == kind:
                steps.setdefault(step, Counter())[label if label in shown else _OTHER] += number
        total = sum(steps.values(), Counter[str]())
        rows = sorted(steps.items(), key=lambda item: (-item[1].total(), item[0]))
        for name, counter in ((kind, total), *((f"  {step}", c) for step, c in rows)):
            numbers = [counter[label] for label in (*shown, *other)]
            lines.append([Cell(name, best=name == kind), *numbers, counter.total()])
    return make_table(part.score, "", headings, [lines])


def _transition_examples(part: Transitions, kind: TransitionKind, most: int, colour: bool) -> str:
    told = [part.describe(row) for row in part.examples(kind, most)]
    if not told:
        return ""
    title = f"{_COLOURS[kind]}{kind}{PLAIN}" if colour else kind
    lines = [line for one in told for line in example(one["step"], part.score, one, "both")]
    return "\n".join([f"{title}, for example:", *lines])


BY_MENTION = ("tsv", "csv", "jsonl")
"""The formats with a line for each mention."""

MOST = 12
"""So many classes have a line of their own; the rest is together."""

SAYS = {
    "tp": "right",
    "wl": "linked, but wrongly",
    "fn": "not found",
    "fp": "found where there is nothing",
}
_SIDES = {"wl": "both", "fn": "key", "fp": "response"}


def render_outcomes(listing: Listing, form: str, examples: int, *, colour: bool) -> str:
    """The outcomes as rows of mentions; else of one system, or what the second does otherwise."""
    if form in BY_MENTION:
        return _rows(listing, form)
    if len(listing.fates) > 1:
        return render_transitions(listing, form, examples, colour=colour)
    (system,) = listing.fates
    parts = [Summary(listing, system, score) for score in listing.scores]
    if form == "json":
        scores = {part.score: part.to_dict(examples) for part in parts}
        return versioned_json({"system": system, "scores": scores})
    return _text(parts, examples, colour=colour)


def _rows(listing: Listing, form: str) -> str:
    """A line for each mention; an antecedent in a cell is `start-end words`."""
    if form == "jsonl":
        return "".join(to_json(row, None) for row in listing.rows())
    rows = list(listing.rows())
    cells = [[_cell(value) for value in row.values()] for row in rows]
    return write_rows([list(row) for row in rows[:1]] + cells, DELIMITED[form])


def _cell(value: object) -> str:
    if isinstance(value, dict):
        return f"{value['start']}-{value['end']} {value['text']}"
    return "" if value is None else str(value)


def _text(parts: Sequence[Summary], examples: int, *, colour: bool) -> str:
    """For each score a table of classes and outcomes, followed by examples of what is wrong."""
    texts = []
    for part in parts:
        texts.append(f"{part.score}, {visible(part.system)}\n\n{_table(part, colour)}")
        for outcome in NAMES[1:]:
            if lines := list(_examples(part, outcome, examples, colour)):
                texts.append("\n".join(lines))
    told = "; ".join(f"{name}: {text}" for name, text in SAYS.items())
    return "\n\n".join([*texts, told]) + "\n"


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
