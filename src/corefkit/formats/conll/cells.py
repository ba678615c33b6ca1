"""Spans as the cells of a column: `(PERSON)`, `(ORG*` … `*)`, and `(12|(3)` … `12)`."""

import re
from collections.abc import Sequence
from itertools import chain

_PIECE = re.compile(r"\([^()|*]*\*?\)|\([^()|*]*|[^()|*]*\)")
_NOTHING = frozenset({"", "-", "_", "*"})

Labelled = tuple[int, int, str]
"""First and last token, both included, and the label."""


def star_cells(spans: Sequence[Labelled]) -> dict[int, str]:
    """Cells of named entities and the like, for the tokens where something opens or closes.

    Spans stand in text order, outer ones first.

    >>> star_cells([(0, 1, "ORG"), (3, 3, "GPE")])
    {0: '(ORG*', 1: '*)', 3: '(GPE)'}
    """
    opens: dict[int, str] = {}
    closes: dict[int, str] = {}
    for start, end, label in spans:
        opens[start] = opens.get(start, "") + f"({label}"
        closes[end] = closes.get(end, "") + ")"
    cells = {}
    for place in sorted(opens.keys() | closes.keys()):
        opened, closed = opens.get(place, ""), closes.get(place, "")
        alone = opened.count("(") == 1 and closed == ")"
        cells[place] = f"{opened}{'' if alone else '*'}{closed}"
    return cells


def coreference_cells(spans: Sequence[Labelled]) -> dict[int, str]:
    """Cells of the coreference column: openings, one-token mentions, closings.

    >>> coreference_cells([(0, 2, "7"), (2, 2, "8")])
    {0: '(7', 2: '(8)|7)'}
    """
    parts: dict[int, tuple[list[str], list[str], list[str]]] = {}
    for start, end, label in spans:
        if start == end:
            parts.setdefault(start, ([], [], []))[1].append(f"({label})")
        else:
            parts.setdefault(start, ([], [], []))[0].append(f"({label}")
            parts.setdefault(end, ([], [], []))[2].insert(0, f"{label})")
    return {place: "|".join(chain(*three)) for place, three in sorted(parts.items())}


def same_cells(one: str, other: str) -> bool:
    """Whether two cells say the same: the order of brackets and ways of writing do not matter.

    >>> same_cells("(ORG)", "(ORG*)"), same_cells("(4)(6", "(6|(4)"), same_cells("-", "*")
    (True, True, True)
    """
    return _pieces(one) == _pieces(other)


def _pieces(cell: str) -> list[str]:
    if cell in _NOTHING:
        return []
    return sorted(piece.replace("*", "") for piece in _PIECE.findall(cell))
