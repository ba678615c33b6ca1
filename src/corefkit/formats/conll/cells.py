"""Cells of spans, as they are written: `(PERSON)`, `(ORG*` … `*)`, and `(12|(3)` … `12)`."""

import re
from collections.abc import Iterable, Sequence

from corefkit.core.columns import NOTHING

_PIECE = re.compile(r"\([^()|*]*\*?\)|\([^()|*]*|[^()|*]*\)")

LabelledRange = tuple[int, int, str]
"""First and last token, both included, and the label."""


def star_cells(spans: Sequence[LabelledRange]) -> dict[int, str]:
    """Token → its cell in a column such as named entities, if a span begins or ends there.

    Spans are in text order, outer ones first.

    >>> star_cells([(0, 1, "ORG"), (3, 3, "GPE")])
    {0: '(ORG*', 1: '*)', 3: '(GPE)'}
    """
    opens: dict[int, str] = {}
    closes: dict[int, str] = {}
    for start, end, label in spans:
        opens[start] = opens.get(start, "") + f"({label}"
        closes[end] = closes.get(end, "") + ")"
    cells = {}
    for token in sorted(opens.keys() | closes.keys()):
        opened, closed = opens.get(token, ""), closes.get(token, "")
        alone = opened.count("(") == 1 and closed == ")"
        cells[token] = f"{opened}{'' if alone else '*'}{closed}"
    return cells


def coreference_cells(spans: Sequence[LabelledRange]) -> dict[int, str]:
    """Token → its cell in the coreference column: openings, one-token mentions, closings.

    >>> coreference_cells([(0, 2, "7"), (2, 2, "8")])
    {0: '(7', 2: '(8)|7)'}
    """
    long = [span for span in spans if span[0] < span[1]]
    brackets = [(start, f"({label}") for start, _, label in long]
    brackets += [(start, f"({label})") for start, end, label in spans if start == end]
    brackets += [(end, f"{label})") for _, end, label in reversed(long)]
    return join_brackets(brackets)


def join_brackets(brackets: Iterable[tuple[int, str]]) -> dict[int, str]:
    """Token → its brackets, in the given order, joined by |."""
    cells: dict[int, list[str]] = {}
    for token, bracket in brackets:
        cells.setdefault(token, []).append(bracket)
    return {token: "|".join(cells[token]) for token in sorted(cells)}


def same_cells(one: str, other: str) -> bool:
    """Whether two cells mean the same, whatever the order and the spelling of their brackets.

    >>> same_cells("(ORG)", "(ORG*)"), same_cells("(4)(6", "(6|(4)"), same_cells("-", "*")
    (True, True, True)
    """
    return _pieces(one) == _pieces(other)


def _pieces(cell: str) -> list[str]:
    if cell in NOTHING:
        return []
    return sorted(piece.replace("*", "") for piece in _PIECE.findall(cell))
