"""The table: rows of what was measured, and their verdicts."""

from collections.abc import Sequence
from dataclasses import dataclass

HEAD = ("what", "measured", "limit", "")


@dataclass(frozen=True)
class Row:
    """One line of the table; `ok` is None where there is no limit or nothing was measured."""

    what: str
    measured: str
    limit: str = ""
    ok: bool | None = None

    @property
    def missing(self) -> bool:
        """Whether the row could not be measured."""
        return self.measured.startswith("not measured")

    @property
    def cells(self) -> tuple[str, str, str, str]:
        """What is printed."""
        verdict = {True: "ok", False: "NOT OK", None: ""}[self.ok]
        return self.what, self.measured, self.limit, verdict


def at_most(what: str, value: float, limit: float, *, detail: str = "") -> Row:
    """A ratio that must not be above the limit."""
    return Row(what, _ratio(value, detail), f"≤ {limit:g} ×", value <= limit)


def below(what: str, value: float, limit: float, *, detail: str = "") -> Row:
    """A ratio that must be below the limit."""
    return Row(what, _ratio(value, detail), f"< {limit:g} ×", value < limit)


def not_measured(what: str, why: str) -> Row:
    """A row for which something is missing."""
    return Row(what, f"not measured: {why}")


def seconds(value: float) -> str:
    """A time for people.

    >>> seconds(0.01234), seconds(3.21)
    ('12.3 ms', '3.21 s')
    """
    return f"{value:.3g} s" if value >= 1 else f"{1000 * value:.3g} ms"


def _ratio(value: float, detail: str) -> str:
    return f"{value:.2f} ×" + (f" ({detail})" if detail else "")


def as_text(rows: Sequence[Row]) -> str:
    """The table with aligned columns."""
    lines = [HEAD, *(row.cells for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    lines.insert(1, ("-" * widths[0], "-" * widths[1], "-" * widths[2], "-" * widths[3]))
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def as_markdown(rows: Sequence[Row]) -> str:
    """The table for docs/speed.md."""
    lines = [HEAD, ("---",) * len(HEAD), *(row.cells for row in rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
