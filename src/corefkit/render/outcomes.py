"""Application scores: outcomes of mentions, differences between two systems, scores by class.

A listing of outcomes has one row per mention for programs. For people it shows counts by class and
examples of one system, or what the second of two systems corrects, breaks and changes. Scores by
class are laid out like Tables 3 and 4 of Tuggener (2014).
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from corefkit.core.results import result_json
from corefkit.core.texts import to_json, visible
from corefkit.metrics.base import RATIOS, Score
from corefkit.metrics.outcomes import NAMES
from corefkit.render.errors import example
from corefkit.render.table import (
    DELIMITED,
    Cell,
    CellValue,
    Colour,
    Heading,
    Table,
    TableBlock,
    make_block,
    make_table,
    percent,
    plain_headings,
)
from corefkit.render.text import paint, render_text
from corefkit.render.views import RATES, SHORT, FigureRow, View, columns, pivot
from corefkit.scoring.outcomes import KINDS, Listing, Summary, TransitionKind, Transitions
from corefkit.scoring.scores import Scores, score_rows

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
        for outcome in NAMES[1:]:
            if lines := list(_examples(part, outcome, examples)):
                texts.append("\n".join(lines))
    legend = "; ".join(f"{name}: {text}" for name, text in WORDS.items())
    return "\n\n".join([*texts, legend]) + "\n"


def _table(part: Summary) -> str:
    """Classes as rows, outcomes as columns; the last rows sum up small classes, and all."""
    rows = [(label or "(none)", [row[o] for o in NAMES]) for label, row in part.counts.items()]
    shown = rows if len(rows) <= MOST_CLASSES + 1 else rows[:MOST_CLASSES]
    small = [numbers for _, numbers in rows[len(shown) :]]
    sums = [("other", [sum(column) for column in zip(*small, strict=True)])] if small else []
    total = [sum(numbers[i] for _, numbers in rows) for i in range(len(NAMES))]
    lines = [(label, *n, sum(n)) for label, n in (*shown, *sums, ("all", total))]
    headings = [
        *plain_headings("class"),
        *outcome_headings(),
        *plain_headings("all", kind="number"),
    ]
    table = make_table("outcomes", "", headings, [lines])
    return render_text(table).rstrip("\n")


def outcome_headings() -> list[Heading]:
    """The headings of counts of outcomes, in the colours of the outcomes."""
    return [Heading(name, name, "", "number", colour=_COLOURS[name]) for name in NAMES]


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
    headings = [Heading("step", ""), *plain_headings(*shown, *other, "total", kind="number")]
    lines: list[list[CellValue | Cell]] = []
    for kind in KINDS:
        steps: dict[str, Counter[str]] = {}
        for (step_kind, step, label), number in part.counts.items():
            if step_kind == kind:
                steps.setdefault(step, Counter())[label if label in shown else "other"] += number
        total = sum(steps.values(), Counter[str]())
        rows = sorted(steps.items(), key=lambda item: (-item[1].total(), item[0]))
        for name, counter in ((kind, total), *((f"  {step}", c) for step, c in rows)):
            numbers = [counter[label] for label in (*shown, *other)]
            lines.append([Cell(name, best=name == kind), *numbers, counter.total()])
    return make_table(part.score, "", headings, [lines])


def _transition_examples(part: Transitions, kind: TransitionKind, most: int) -> str:
    mentions = [part.describe(row) for row in part.examples(kind, most)]
    if not mentions:
        return ""
    title = paint(kind, _KIND_COLOURS[kind])
    lines = [line for m in mentions for line in example(m["step"], part.score, m, "both")]
    return "\n".join([f"{title}, for example:", *lines])


TOTAL = "TOTAL"
_PARTS = {"detection": "ED", "mentions": "EM"}

LabelledScores = Mapping[str, Mapping[str, Score]]
"""For each label (class or group) its scores by metric."""


def break_downs(systems: Mapping[str, Scores], by: str | None) -> list[Table]:
    """The tables of all systems by the classes of the metrics, or by the feature `by`."""
    labelled = {name: labelled_scores(scores, by) for name, scores in systems.items()}
    first: Scores | None = next(iter(systems.values()), None)
    if first is None:
        return []
    # Other metrics have classes without outcomes: the classes of gap are genders.
    with_classes = [m for m in first.options.applications if first[m].classes is not None]
    shown = [m for m in first if m in with_classes or (by and m == "mentions")]
    tables = [_classes_table(labelled, systems, shown, by)] if shown else []
    if "anchor" in first:
        tables.append(_anchor_table(labelled, systems, by))
    return tables


def labelled_scores(scores: Scores, by: str | None) -> LabelledScores:
    """The scores of each label: classes by frequency in the key, other features in their order."""
    by_label: dict[str, dict[str, Score]] = {}
    if by is not None:
        by_label = {label: dict(part) for label, part in scores.break_down(by).items()}
        return _by_frequency(by_label) if by in ("class", "ne") else by_label
    for metric, score in ((m, scores[m]) for m in scores.options.applications):
        for label, part in (score.classes or {}).items():
            by_label.setdefault(label, {})[metric] = part
        for name, inner in score.parts.items():
            for label, part in (inner.classes or {}).items():
                anchor = by_label.setdefault(label, {}).get(metric, Score(0.0))
                by_label[label][metric] = _with_part(anchor, name, part)
    return _by_frequency(by_label)


def _by_frequency(by_label: LabelledScores) -> LabelledScores:
    """The labels by frequency in the key, then by false positives, then by name."""

    def order(item: tuple[str, Mapping[str, Score]]) -> tuple[int, int, str]:
        in_key, spurious = _frequency(item[1])
        return -in_key, -spurious, item[0]

    return dict(sorted(by_label.items(), key=order))


def _with_part(anchor: Score, name: str, part: Score) -> Score:
    """The anchor score with one more of its parts; its F1 is their harmonic mean."""
    parts = {**anchor.parts, name: part}
    values = [parts[n].f1 if n in parts else 0.0 for n in _PARTS]
    f1 = 2 * values[0] * values[1] / sum(values) if sum(values) else 0.0
    return Score(f1, detection=parts.get("detection"), mentions=parts.get("mentions"))


def _frequency(scores: Mapping[str, Score]) -> tuple[int, int]:
    """How many mentions of a label the key has, and how many false positives there are."""
    parts = [part for s in scores.values() for part in (s.parts.values() if s.parts else (s,))]
    return max(((_in_key(part), int(part.counts.get("fp", 0))) for part in parts), default=(0, 0))


def _in_key(score: Score) -> int:
    """The number of mentions in the key."""
    if "recall" in score.counts:
        return int(score.counts["recall"][1])
    return sum(int(score.counts[name]) for name in ("tp", "wl", "fn"))


def _classes_table(
    labelled: Mapping[str, LabelledScores],
    systems: Mapping[str, Scores],
    shown: Sequence[str],
    by: str | None,
) -> Table:
    """Table 3: metrics side by side, with one block of labels per system.

    The scores are followed by the outcomes, or by the number of mentions in the key.
    """
    rows = [
        {"system": system, "by": label == TOTAL, "label": label, **_row(metric, scores[metric])}
        for system, labels in labelled.items()
        for label, scores in (*labels.items(), (TOTAL, systems[system]))
        for metric in shown
        if metric in scores
    ]
    numbers = (*columns("key_mentions", key_mentions="in key", group=""), *outcome_headings())
    lines = columns("label", label=by or "class")
    view = View("outcomes", "", lines, RATES + numbers, block="system")
    return pivot(rows, view)


def _row(metric: str, score: Score) -> FigureRow:
    """The row of a score; mentions have their number in the key, and no rate that divides by 0."""
    row = next(score_rows(metric, score))
    if metric != "mentions":
        return {name: value for name, value in row.items() if name not in RATIOS}
    empty = {name for name in SHORT if row.get(f"{name}_denominator") == 0}
    empty |= {"f1"} if empty else set()
    return {**row, "key_mentions": _in_key(score), **dict.fromkeys(empty)}


def _anchor_table(
    labelled: Mapping[str, LabelledScores], systems: Mapping[str, Scores], by: str | None
) -> Table:
    """Table 4: entity detection (ED) and mentions (EM), with one block per label."""
    headings = [Heading("label", by or "ne"), Heading("system", ""), Heading("part", "anchor")]
    headings += [Heading(value, title, kind="score") for value, title in SHORT.items()]
    headings.append(Heading("fphi", "Fφ", kind="score"))
    headings += outcome_headings()
    blocks = []
    total = sum(_entities(scores["anchor"]) for scores in systems.values())
    labels = dict.fromkeys(label for groups in labelled.values() for label in groups)
    for label in (*labels, TOTAL):
        scores = systems if label == TOTAL else {s: labelled[s].get(label, {}) for s in systems}
        anchors = {system: s["anchor"] for system, s in scores.items() if "anchor" in s}
        if any(any(p.counts.values()) for s in anchors.values() for p in s.parts.values()):
            share = sum(map(_entities, anchors.values())) / max(total, 1)
            blocks.append(_anchor_lines(label, f"{label} ({percent(share)}%)", anchors))
    return make_table("anchor", "", headings, blocks)


def _entities(score: Score) -> int:
    return _in_key(score.detection) if score.detection else 0


def _anchor_lines(label: str, shown: str, anchors: Mapping[str, Score]) -> TableBlock:
    """The lines of one label; label, system and Fφ are shown only on their first line."""
    lines: list[list[CellValue | Cell]] = []
    for system, score in anchors.items():
        first = True
        for name, short in _PARTS.items():
            part = score.parts.get(name)
            if part is None or not (any(part.counts.values()) or name == "detection"):
                continue
            label_cell = Cell(label, text=shown if not lines else "")
            system_cell, phi = (Cell(v, text=None if first else "") for v in (system, score.f1))
            figures = [getattr(part, value) for value in SHORT]
            counts = [part.counts[column] for column in NAMES]
            lines.append([label_cell, system_cell, short, *figures, phi, *counts])
            first = False
    return make_block(lines)
