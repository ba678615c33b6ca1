"""Application scores: outcomes of mentions, differences between two systems, scores by class.

A listing of outcomes has one row per mention for programs. For people it shows counts by class and
examples of one system, or what the second of two systems corrects, breaks and changes. Scores by
class are laid out like Tables 3 and 4 of Tuggener (2014).
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from corefkit.core.results import result_json
from corefkit.core.texts import to_json, visible
from corefkit.metrics import OUTCOMES
from corefkit.metrics.base import RATIOS
from corefkit.render.errors import example
from corefkit.render.table import (
    DELIMITED,
    Colour,
    Heading,
    Table,
    percent,
)
from corefkit.render.text import paint, render_text
from corefkit.render.views import RATES, SHORT, FigureRow, View, columns, listing, pivot
from corefkit.scoring.outcomes import KINDS, Listing, Summary, TransitionKind, Transitions
from corefkit.scoring.parts import rows_of
from corefkit.scoring.report import System

WORDS = {"tp": "right", "wl": "wrongly linked", "fn": "not found", "fp": "spurious"}
"""The outcomes in words."""

BY_MENTION = ("tsv", "csv", "jsonl")
"""The formats with one line per mention."""

MOST_CLASSES = 12
"""How many classes have their own row; the others are summed up."""
MOST_TRANSITION_CLASSES = 8
"""How many classes have their own column in a table of transitions."""

_COLOURS: dict[str, Colour] = {"tp": "green", "wl": "yellow", "fn": "red", "fp": "magenta"}
_KIND_COLOURS: dict[str, Colour] = {"corrects": "green", "breaks": "red", "changes": "yellow"}
_SIDES = {"wl": "both", "fn": "key", "fp": "response"}
"""The sides that have a mention with this outcome."""


def render_outcomes(listing: Listing, form: str, examples: int) -> str:
    """Rows of mentions, a summary of one system, or the transitions between two, by format."""
    if form in BY_MENTION:
        return _rows(listing, form)
    if form == "json":
        return result_json(listing.kind, listing.to_dict(examples))
    if len(listing.outcomes) > 1:
        return _transitions(listing, examples)
    (system,) = listing.outcomes
    parts = [Summary(listing, system, score) for score in listing.scores]
    return _text(parts, examples)


def text_of_outcomes(listing: Listing) -> str:
    """What `print(listing)` shows."""
    return render_outcomes(listing, "text", 3).removesuffix("\n")


def _rows(listing: Listing, form: str) -> str:
    """One line per mention; an antecedent in a cell is `start-end words`."""
    from corefkit.render.markup import write_rows

    if form == "jsonl":
        return "".join(to_json(row, None) for row in listing.rows())
    rows = listing.rows()
    cells = [[_cell(value) for value in row.values()] for row in rows]
    return write_rows([list(row) for row in rows[:1]] + cells, DELIMITED[form])


def _cell(value: object) -> str:
    if isinstance(value, dict):
        return f"{value['start']}-{value['end']} {value['text']}"
    return "" if value is None else str(value)


def _text(parts: Sequence[Summary], examples: int) -> str:
    """For each score a table of classes and outcomes, followed by examples of wrong mentions."""
    texts = []
    for part in parts:
        texts.append(f"{part.score}, {visible(part.system)}\n\n{_table(part)}")
        for outcome in OUTCOMES[1:]:
            if lines := list(_examples(part, outcome, examples)):
                texts.append("\n".join(lines))
    legend = "; ".join(f"{name}: {text}" for name, text in WORDS.items())
    return "\n\n".join([*texts, legend]) + "\n"


def _table(part: Summary) -> str:
    """Classes as rows, outcomes as columns; the last rows sum up small classes, and all."""
    rows = [{"class": label or "(none)", **counts} for label, counts in part.counts.items()]
    shown = rows if len(rows) <= MOST_CLASSES + 1 else rows[:MOST_CLASSES]
    if small := rows[len(shown) :]:
        shown.append(_sum("other", small))
    lines = [
        {**row, "all": sum(row[name] for name in OUTCOMES)} for row in (*shown, _sum("all", rows))
    ]
    headings = (*columns("class"), *outcome_headings(), *columns("all", kind="number"))
    return render_text(listing("outcomes", "", lines, *headings)).rstrip("\n")


def _sum(label: str, rows: Iterable[FigureRow]) -> dict[str, Any]:
    """The sum of the outcomes of classes."""
    listed = list(rows)
    return {"class": label, **{name: sum(row[name] for row in listed) for name in OUTCOMES}}


def outcome_headings() -> list[Heading]:
    """The headings of counts of outcomes, in the colours of the outcomes."""
    return [Heading(name, name, "", "number", colour=_COLOURS[name]) for name in OUTCOMES]


def _examples(part: Summary, outcome: str, most: int) -> Iterator[str]:
    for number, (row, label) in enumerate(part.examples(outcome, most)):
        if not number:
            title = paint(outcome, _COLOURS[outcome])
            yield f"{title} ({WORDS[outcome]}), for example:"
        mention = part.describe(row)
        mention["found"] = {"found": mention["found"]}
        yield from example(label, part.score, mention, _SIDES[outcome])


def _transitions(listing: Listing, examples: int) -> str:
    """The transitions between two systems: a table and examples for each score."""
    a, b = listing.outcomes
    parts = [Transitions(listing, score, a, b) for score in listing.scores]
    texts = []
    for part in parts:
        table = render_text(_transition_table(part)).rstrip("\n")
        texts.append(f"{part.score}: from {visible(part.a)} to {visible(part.b)}\n\n{table}")
        texts += [
            text for kind in KINDS[:3] if (text := _transition_examples(part, kind, examples))
        ]
    return "\n\n".join(texts) + "\n"


def _transition_table(part: Transitions) -> Table:
    """Steps as rows, under the kinds of transition; classes as columns."""
    size: Counter[str] = Counter()
    for (_, _, label), number in part.counts.items():
        size[label] += number
    shown = [label for label, _ in size.most_common(MOST_TRANSITION_CLASSES)]
    other = ["other"] if len(size) > MOST_TRANSITION_CLASSES else []
    rows: list[FigureRow] = []
    for kind in KINDS:
        steps: dict[str, Counter[str]] = {}
        for (step_kind, step, label), number in part.counts.items():
            if step_kind == kind:
                steps.setdefault(step, Counter())[label if label in shown else "other"] += number
        total = sum(steps.values(), Counter[str]())
        listed = sorted(steps.items(), key=lambda item: (-item[1].total(), item[0]))
        for name, counter in ((kind, total), *((f"  {step}", c) for step, c in listed)):
            numbers = {f"of {label}": counter[label] for label in (*shown, *other)}
            rows.append({"kind": kind, "step": name, "total": counter.total(), **numbers})
    classes = (Heading(f"of {label}", label, kind="number") for label in (*shown, *other))
    headings = (Heading("step", ""), *classes, *columns("total", kind="number"))
    marks = {"step": lambda row: row["step"] == row["kind"]}
    return listing(part.score, "", rows, *headings, marks=marks)


def _transition_examples(part: Transitions, kind: TransitionKind, most: int) -> str:
    mentions = [part.describe(row) for row in part.examples(kind, most)]
    if not mentions:
        return ""
    title = paint(kind, _KIND_COLOURS[kind])
    lines = [line for m in mentions for line in example(m["step"], part.score, m, "both")]
    return "\n".join([f"{title}, for example:", *lines])


TOTAL = "TOTAL"
_PARTS = {"anchor.detection": "ED", "anchor.mentions": "EM"}


def break_downs(systems: Sequence[System], by: str | None) -> list[Table]:
    """The tables of divided systems by the classes of the metrics, or by the feature `by`."""
    scored = [system for system in systems if system.scores]
    if not scored:
        return []
    rows = [row for system in scored for row in _labelled(system, by)]
    first = scored[0].scores
    assert first is not None
    # Other metrics have classes without outcomes: the classes of gap are genders.
    with_classes = [m for m in first.options.applications if first[m].classes is not None]
    shown = [m for m in first if m in with_classes or (by and m == "mentions")]
    tables = [_classes_table([row for row in rows if row["metric"] in shown], by)] if shown else []
    if "anchor" in first:
        tables.append(_anchor_table(rows, by))
    return tables


def _labelled(system: System, by: str | None) -> list[FigureRow]:
    """The rows of the parts of each label, then those of the whole.

    Classes are by frequency in the key, then by false positives, then by name; other features in
    their order.
    """
    parts = system.classes if by is None else [p for p in system.parts if p.by == by and not p.sum]
    labels = [list(rows_of([part], system=system.name)) for part in parts]
    if by in (None, "class", "ne"):
        labels.sort(key=lambda rows: rows[0]["label"])
        labels.sort(key=_frequency, reverse=True)
    whole = rows_of((p for p in system.parts if not p.at), system=system.name)
    return [*(row for rows in labels for row in rows), *({**row, "label": TOTAL} for row in whole)]


def _frequency(rows: Iterable[FigureRow]) -> tuple[int, int]:
    """How many mentions of a label the key has, and how many false positives there are."""
    counted = [row for row in rows if "recall_denominator" in row]
    return max(((int(_in_key(row)), int(row.get("fp", 0))) for row in counted), default=(0, 0))


def _in_key(row: FigureRow) -> int:
    """The number of mentions in the key."""
    return int(row["recall_denominator"])


def _classes_table(rows: Sequence[FigureRow], by: str | None) -> Table:
    """Table 3: metrics side by side, with one block of labels per system.

    The scores are followed by the outcomes, or by the number of mentions in the key.
    """
    numbers = (*columns("key_mentions", key_mentions="in key", group=""), *outcome_headings())
    lines = columns("label", label=by or "class")
    view = View("outcomes", "", lines, RATES + numbers, block="system")
    return pivot(map(_class_row, rows), view)


def _class_row(row: FigureRow) -> FigureRow:
    """The row of a label; mentions have their number in the key, and no rate that divides by 0."""
    if row["metric"] != "mentions":
        hidden = {*RATIOS, *(f"{side}_mentions" for side in ("key", "response"))}
        return {name: value for name, value in row.items() if name not in hidden}
    empty = {name for name in SHORT if row.get(f"{name}_denominator") == 0}
    empty |= {"f1"} if empty else set()
    return {**row, "key_mentions": _in_key(row), **dict.fromkeys(empty)}


def _anchor_table(rows: Sequence[FigureRow], by: str | None) -> Table:
    """Table 4: entity detection (ED) and mentions (EM), with one block per label.

    Label, system and Fφ are shown only on their first line.
    """
    f_phi = {(r["system"], r["by"], r["label"]): r["f1"] for r in rows if r["metric"] == "anchor"}
    rows = [row for row in rows if row["metric"] in _PARTS]
    detected = Counter[tuple[str, str]]()
    for row in rows:
        if row["metric"] == "anchor.detection":
            detected[row["by"], row["label"]] += _in_key(row)
    whole = max(detected["", TOTAL], 1)
    counted = {(row["by"], row["label"]) for row in rows if any(row[name] for name in OUTCOMES)}
    shown: list[FigureRow] = []
    for row in sorted(rows, key=lambda row: not row["by"]):
        label, of = (row["by"], row["label"]), (row["system"], row["by"], row["label"])
        is_detection = row["metric"] == "anchor.detection"
        if label in counted and (is_detection or any(row[name] for name in OUTCOMES)):
            share = percent(detected[label] / whole)
            texts = {"label": f"{row['label']} ({share}%)"}
            more = {"anchor": _PARTS[row["metric"]], "fphi": f_phi[of], "shown": texts}
            shown.append({**row, **more})
    lines = columns("label system anchor", label=by or "ne", system="")
    values = (*RATES, Heading("fphi", "Fφ", kind="score"), *outcome_headings())
    view = View(
        "anchor", "", lines, values, across="", block="label", once=("label", "system", "fphi")
    )
    return pivot(shown, view)
