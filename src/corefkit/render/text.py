"""What a person reads in a terminal."""

from collections.abc import Mapping, Sequence
from unicodedata import combining, east_asian_width

from corefkit.data.groups import BREAKDOWNS
from corefkit.data.incidents import errors
from corefkit.profiles.signature import signature
from corefkit.render.table import VALUES, Row, best, flat, has_outcomes, percent, rows
from corefkit.scoring.run import Report
from corefkit.scoring.scores import Scores

_BOLD, _PLAIN = "\x1b[1m", "\x1b[0m"


def render_text(report: Report, by: str | None, bold: bool) -> str:
    """The key, one table (three where there are several rows), and the signature."""
    key = report.key.size
    table = rows(report, None if by in BREAKDOWNS else by)
    parts = [
        f"key: {report.key.path} ({count_of(key.documents, 'document')}, "
        f"{count_of(key.mentions, 'mention')}, {count_of(key.entities, 'entity', 'entities')})"
    ]
    if len(table) == 1:
        parts.append(f"system: {table[0].system}\n\n{scores_lines(table[0].scores)}")
    elif table:
        marked = best(table) if bold else set()
        one = len({row.system for row in table}) == 1
        parts += [f"system: {table[0].system}"] if one else []
        parts += [
            _block(table, None if by in BREAKDOWNS else by, value, title, marked)
            for value, title in VALUES.items()
            if any(getattr(score, value) is not None for score in table[0].flat.values())
        ]
    parts += outcome_tables(report, by, colour=bold)
    why = "the key is bad" if errors(report.key.incidents) else "its data is bad"
    parts += [f"{s.name}: not scored, {why}" for s in report.systems if not s.scores]
    parts.append(f"signature: {signature(report.options)}")
    return "\n\n".join(parts) + "\n"


def outcome_tables(report: Report, by: str | None, *, colour: bool) -> list[str]:
    """Application scores by class, or mentions by the feature that `by` names."""
    if not has_outcomes(report, by):
        return []
    from corefkit.render.outcomes import break_down_tables

    return break_down_tables(report.scores, by if by in BREAKDOWNS else None, colour=colour)


def scores_table(scores: Scores) -> str:
    """The scores of one system, with their signature."""
    number = len(scores.incidents)
    told = f"\n\n{number:,} warning{'s' * (number != 1)}: see .incidents" if number else ""
    return f"{scores_lines(scores)}{told}\n\nsignature: {scores.signature}"


def scores_lines(scores: Scores) -> str:
    """A line for each metric: recall, precision, F1."""
    table = [["", "Recall", "Precision", "F1"]]
    table += [
        [name, percent(score.recall), percent(score.precision), percent(score.f1)]
        for name, score in flat(scores).items()
    ]
    return align_columns(table, left=1)


def _block(
    table: list[Row], by: str | None, value: str, title: str, marked: set[tuple[str, str, str, str]]
) -> str:
    """One value of all metrics: a line for each system and group."""
    metrics = [m for m, score in table[0].flat.items() if getattr(score, value) is not None]
    several = len({row.system for row in table}) > 1
    labels = 1 if several or not by else 0
    labels += 1 if by else 0
    lines, strong = [[title, *([""] * (labels - 1)), *metrics]], [set[int]()]
    for row in table:
        names = [name for name, on in ((row.system, several or not by), (row.group, by)) if on]
        lines.append([*names, *(percent(row.value(m, value)) for m in metrics)])
        strong.append(
            {
                labels + i
                for i, m in enumerate(metrics)
                if (row.system, row.group, m, value) in marked
            }
        )
    return align_columns(lines, left=labels, strong=strong)


def align_columns(
    table: Sequence[Sequence[str]],
    left: int,
    strong: Sequence[set[int]] | None = None,
    colours: Mapping[int, str] | None = None,
) -> str:
    """Columns of equal width, the first `left` of them flush left, the others flush right.

    `strong` are the cells to print in bold, by line; `colours` the codes of coloured columns.
    """
    widths = [max(map(width, column)) for column in zip(*table, strict=True)]
    lines = []
    for number, row in enumerate(table):
        cells = []
        for place, (cell, wide) in enumerate(zip(row, widths, strict=True)):
            blanks = " " * (wide - width(cell))
            code = _BOLD if strong and place in strong[number] else (colours or {}).get(place)
            text = f"{code}{cell}{_PLAIN}" if code and cell.strip() else cell
            cells.append(text + blanks if place < left else blanks + text)
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def count_of(number: int, one: str, several: str | None = None) -> str:
    """A number with its noun.

    >>> count_of(1, "document"), count_of(2000, "entity", "entities")
    ('1 document', '2,000 entities')
    """
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def width(text: str) -> int:
    """How many columns of a terminal the text takes.

    >>> width("指代"), width("e\\u0301")
    (4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 1 + (east_asian_width(c) in "WF") for c in text)
