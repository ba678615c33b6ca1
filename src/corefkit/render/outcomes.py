"""Application scores by class, for people: the layouts of Tables 3 and 4 of Tuggener (2014)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from corefkit.mentions.ratios import COLUMNS
from corefkit.metrics.base import Score
from corefkit.render.grid import Column, Table, render_grid
from corefkit.render.grid import label as cell
from corefkit.render.table import percent
from corefkit.render.text import align_columns
from corefkit.scoring.scores import Scores

COLOURS = {"tp": "\x1b[32m", "wl": "\x1b[33m", "fn": "\x1b[31m", "fp": "\x1b[35m"}
"""Green, yellow, red, magenta."""

TOTAL = "TOTAL"
_PARTS = {"detection": "ED", "mentions": "EM"}

Labelled = Mapping[str, Mapping[str, Score]]
"""For each label (class or group) the scores that have it, by the name of the metric."""


@dataclass(frozen=True)
class BreakDown:
    """A table for people: blocks of rows, each under its title if it has one.

    `above` are the heads over `heads`, each where its first column is; the first `labels` columns
    hold words, the others figures.
    """

    name: str
    title: str
    above: Sequence[str]
    heads: Sequence[str]
    blocks: Sequence[tuple[str, list[list[str]]]]
    labels: int


def break_down_tables(
    systems: Mapping[str, Scores], by: str | None, *, colour: bool = False
) -> list[str]:
    """Tables of all systems: by the metrics' own classes, or by the feature that `by` names."""
    return [_text(table, colour) for table in break_downs(systems, by)]


def render_break_down(systems: Mapping[str, Scores], by: str | None, form: str) -> list[str]:
    """The same tables in one of the other formats for people."""
    return [render_grid(_grid(table), form) for table in break_downs(systems, by)]


def break_downs(systems: Mapping[str, Scores], by: str | None) -> list[BreakDown]:
    """What the tables say, in whatever format."""
    labelled = {name: labelled_scores(scores, by) for name, scores in systems.items()}
    first: Scores | None = next(iter(systems.values()), None)
    if first is None:
        return []
    plain = [m for m in first if _is_plain(first[m], by, m)]
    tables = [_table_3(labelled, systems, plain, by)] if plain else []
    if "anchor" in first:
        tables.append(_table_4(labelled, systems, by))
    return tables


def _text(table: BreakDown, colour: bool) -> str:
    """For a terminal: the name of a system stands above its block."""
    lines = [*([list(table.above)] if any(table.above) else []), list(table.heads)]
    for title, rows in table.blocks:
        lines += [[title, *[""] * (len(table.heads) - 1)]] if title else []
        lines += rows
    return align_columns(lines, table.labels, colours=_colours(table.heads) if colour else None)


def _grid(table: BreakDown) -> Table:
    """For a page: the name of a system stands in a column."""
    titled = any(title for title, _ in table.blocks)
    above, group = [], ""
    for place, name in enumerate(table.above or [""] * len(table.heads)):
        group = name or group if place >= table.labels else ""
        above.append(group)
    columns = [Column("system", "system", number=False)] if titled else []
    columns += [
        Column(f"{group} {head}".strip(), head, group, number=place >= table.labels)
        for place, (group, head) in enumerate(zip(above, table.heads, strict=True))
    ]
    blocks = [
        tuple(tuple(map(cell, [title, *row] if titled else row)) for row in rows)
        for title, rows in table.blocks
    ]
    return Table(table.name, table.title, tuple(columns), tuple(blocks))


def _is_plain(score: Score, by: str | None, metric: str) -> bool:
    return score.classes is not None or (by is not None and metric == "mentions")


def labelled_scores(scores: Scores, by: str | None) -> Labelled:
    """The scores of each label, those with most to find first (other features have an order)."""
    found: dict[str, dict[str, Score]] = {}
    if by is not None:
        found = {label: dict(part) for label, part in scores.by(by).items()}
        return _by_frequency(found) if by in ("class", "ne") else found
    for metric, score in scores.items():
        for label, part in (score.classes or {}).items():
            found.setdefault(label, {})[metric] = part
        for name, inner in score.parts.items():
            for label, part in (inner.classes or {}).items():
                both = found.setdefault(label, {}).get(metric, Score(0.0))
                found[label][metric] = _with_part(both, name, part)
    return _by_frequency(found)


def _by_frequency(found: Labelled) -> Labelled:
    return dict(sorted(found.items(), key=lambda item: (-_weight(item[1]), item[0])))


def _with_part(anchor: Score, name: str, part: Score) -> Score:
    both = {**anchor.parts, name: part}
    values = [both[n].f1 if n in both else 0.0 for n in _PARTS]
    f1 = 2 * values[0] * values[1] / sum(values) if sum(values) else 0.0
    return Score(f1, detection=both.get("detection"), mentions=both.get("mentions"))


def _weight(scores: Mapping[str, Score]) -> int:
    """How many things the key has; those found in vain count little."""
    parts = [part for s in scores.values() for part in (s.parts.values() if s.parts else (s,))]
    return max((1000 * _in_key(part) + int(part.counts.get("fp", 0)) for part in parts), default=0)


def _in_key(score: Score) -> int:
    if "recall" in score.counts:
        return int(score.counts["recall"][1])
    return sum(int(score.counts[name]) for name in ("tp", "wl", "fn"))


def _table_3(
    labelled: Mapping[str, Labelled],
    systems: Mapping[str, Scores],
    metrics: Sequence[str],
    by: str | None,
) -> BreakDown:
    """Metrics side by side, a block of labels for each system."""
    heads, names = [by or "class"], [""]
    for metric in metrics:
        counts = COLUMNS if metric != "mentions" else ()
        heads += ["R", "P", "F1", *counts]
        names += [metric, *[""] * (2 + len(counts))]
    blocks = []
    for system, labels in labelled.items():
        rows = [
            [label, *(cell for m in metrics for cell in _cells(scores.get(m), m))]
            for label, scores in (*labels.items(), (TOTAL, systems[system]))
            if any(m in scores for m in metrics)
        ]
        blocks.append((system if len(labelled) > 1 else "", rows))
    title = f"{', '.join(metrics)} by {heads[0]}"
    return BreakDown("outcomes", title, names, heads, blocks, labels=1)


def _cells(score: Score | None, metric: str) -> Iterator[str]:
    values = (score.recall, score.precision, score.f1) if score else (None, None, None)
    yield from (percent(value) for value in values)
    if metric != "mentions":
        yield from (str(score.counts[name]) if score else "" for name in COLUMNS)


def _table_4(
    labelled: Mapping[str, Labelled], systems: Mapping[str, Scores], by: str | None
) -> BreakDown:
    """Entity detection (ED) and mentions (EM) of each label, a block with a row for each system."""
    heads = [by or "ne", "", "anchor", "R", "P", "F1", "Fφ", *COLUMNS]
    blocks = []
    everything = sum(_entities(scores["anchor"]) for scores in systems.values())
    labels = dict.fromkeys(label for groups in labelled.values() for label in groups)
    for label in (*labels, TOTAL):
        found = {
            system: systems[system] if label == TOTAL else labelled[system].get(label, {})
            for system in systems
        }
        anchors = {
            system: scores["anchor"] for system, scores in found.items() if "anchor" in scores
        }
        if any(any(p.counts.values()) for s in anchors.values() for p in s.parts.values()):
            share = sum(map(_entities, anchors.values())) / max(everything, 1)
            blocks.append(("", list(_block(f"{label} ({100 * share:.2f}%)", anchors))))
    return BreakDown("anchor", f"anchor by {heads[0]}", (), heads, blocks, labels=3)


def _entities(score: Score) -> int:
    return _in_key(score.detection) if score.detection else 0


def _block(label: str, anchors: Mapping[str, Score]) -> Iterator[list[str]]:
    for system, score in anchors.items():
        names = [label, system]
        fphi = percent(score.f1)
        for name, short in _PARTS.items():
            part = score.parts.get(name)
            if part is not None and (any(part.counts.values()) or name == "detection"):
                values = (percent(part.recall), percent(part.precision), percent(part.f1))
                yield [*names, short, *values, fphi, *(str(part.counts[c]) for c in COLUMNS)]
                names, fphi = ["", ""], ""
        label = ""


def _colours(heads: Sequence[str]) -> dict[int, str]:
    return {place: COLOURS[head] for place, head in enumerate(heads) if head in COLOURS}
