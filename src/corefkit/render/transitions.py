"""What B corrects, breaks and changes relative to A: tables and examples for people."""

from collections import Counter

from corefkit.data.table import Cell, Heading, Table, Value, make_table, plain_headings
from corefkit.data.texts import versioned_json, visible
from corefkit.mentions.listing import Listing
from corefkit.mentions.transitions import KINDS, TransitionKind, Transitions
from corefkit.render.context import example
from corefkit.render.text import PLAIN, render_text

MOST = 8
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
        table = render_text(_table(part), bold=colour).rstrip("\n")
        texts.append(f"{part.score}: from {visible(part.a)} to {visible(part.b)}\n\n{table}")
        texts += [text for kind in KINDS[:3] if (text := _examples(part, kind, examples, colour))]
    return "\n\n".join(texts) + "\n"


def _table(part: Transitions) -> Table:
    """Steps down, classes across."""
    size: Counter[str] = Counter()
    for (_, _, label), number in part.counts.items():
        size[label] += number
    shown = [label for label, _ in size.most_common(MOST)]
    other = [_OTHER] if len(size) > MOST else []
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


def _examples(part: Transitions, kind: TransitionKind, most: int, colour: bool) -> str:
    told = [part.describe(row) for row in part.examples(kind, most)]
    if not told:
        return ""
    title = f"{_COLOURS[kind]}{kind}{PLAIN}" if colour else kind
    lines = [line for one in told for line in example(one["step"], part.score, one, "both")]
    return "\n".join([f"{title}, for example:", *lines])
