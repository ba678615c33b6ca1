"""A plain table of texts and numbers, in every format: text, markdown, LaTeX, CSV."""

import csv
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO

from corefkit.render.latex import escape as latex_escape
from corefkit.render.text import align_columns

Cell = str | int | float | None


@dataclass(frozen=True)
class Sheet:
    """A table: the first `labels` columns say what a row is, the others hold numbers."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    labels: int = 1


def sheets_text(sheets: Iterable[Sheet]) -> str:
    """Tables for a terminal, one below the other, each under its title."""
    return "\n\n".join(f"{sheet.title}\n{_text(sheet)}" for sheet in sheets) + "\n"


def sheets_markdown(sheets: Iterable[Sheet]) -> str:
    """Tables for a README or an issue."""
    return "\n\n".join(f"**{sheet.title}**\n\n{_markdown(sheet)}" for sheet in sheets) + "\n"


def sheets_latex(sheets: Iterable[Sheet]) -> str:
    """Tables with booktabs rules, ready for a paper."""
    head = "% needs \\usepackage{booktabs}\n"
    return head + "\n\n".join(f"% {sheet.title}\n{_latex(sheet)}" for sheet in sheets) + "\n"


def sheets_csv(sheets: Iterable[Sheet], delimiter: str = ",") -> str:
    """One number a line, nothing rounded: table, row, column, value."""
    out = StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n")
    writer.writerow(["table", "row", "column", "value"])
    for sheet in sheets:
        for row in sheet.rows:
            name = " / ".join(str(label) for label in row[: sheet.labels] if label)
            for column, value in zip(
                sheet.header[sheet.labels :], row[sheet.labels :], strict=True
            ):
                writer.writerow([sheet.title, name, column, "" if value is None else value])
    return out.getvalue()


SHEET_FORMATS = {
    "text": sheets_text,
    "markdown": sheets_markdown,
    "latex": sheets_latex,
    "csv": sheets_csv,
}


def bars(counts: dict[str, int], width: int = 40) -> str:
    """Counts as bars, for a terminal.

    >>> print(bars({"one": 3, "two": 1}, width=6))
    one  3  75.00%  ██████
    two  1  25.00%  ██
    """
    total, most = sum(counts.values()), max(counts.values(), default=0)
    table = [
        [name, f"{count:,}", f"{100 * count / total:.2f}%" if total else ""]
        for name, count in counts.items()
    ]
    if not table:
        return ""
    lines = align_columns(table, left=1).split("\n")
    drawn = ["█" * round(width * count / most) if most else "" for count in counts.values()]
    return "\n".join(f"{line}  {bar}".rstrip() for line, bar in zip(lines, drawn, strict=True))


def show(value: Cell) -> str:
    """A cell for people: thousands apart, fractions with two digits, nothing for None.

    >>> show(19156), show(2 / 3), show(None)
    ('19,156', '0.67', '')
    """
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return f"{value:,}" if isinstance(value, int) else f"{value:.2f}"


def _cells(sheet: Sheet) -> list[list[str]]:
    return [[show(cell) for cell in row] for row in (sheet.header, *sheet.rows)]


def _text(sheet: Sheet) -> str:
    return align_columns(_cells(sheet), left=sheet.labels)


def _markdown(sheet: Sheet) -> str:
    head, *body = (
        [cell.replace("\\", "\\\\").replace("|", "\\|") for cell in row] for row in _cells(sheet)
    )
    rule = ["---" if place < sheet.labels else "---:" for place in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *body))


def _latex(sheet: Sheet) -> str:
    head, *body = (" & ".join(map(latex_escape, row)) + " \\\\" for row in _cells(sheet))
    columns = "l" * sheet.labels + "r" * (len(sheet.header) - sheet.labels)
    top = [f"\\begin{{tabular}}{{{columns}}}", "\\toprule", head, "\\midrule"]
    return "\n".join([*top, *body, "\\bottomrule", "\\end{tabular}"])
