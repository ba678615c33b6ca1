"""What is wrong with columns of tokens, told with file and line."""

from typing import TYPE_CHECKING

import numpy as np

from corefkit.data.incidents import Collector
from corefkit.data.texts import shorten
from corefkit.formats.conll.stars import Defects, Spans

if TYPE_CHECKING:
    from corefkit.ontonotes.tokens import Tokens

_WHAT = {"parse": "parse bits", "ne": "named entities", "arguments": "predicate arguments"}

_BRACKETS = {
    "brackets-malformed": "such as (NP*, * or *)",
    "brackets-unopened": "no more closing brackets than open ones, sentence by sentence",
    "brackets-unclosed": "a closing bracket before the sentence ends",
}
"""What can be wrong with brackets, and what is expected instead."""


def check_widths(tokens: "Tokens") -> None:
    """Raise DataError where the lines of one sentence differ in the number of columns."""
    width = tokens.widths
    expected = width[tokens.sentence_start[:-1]][tokens.sentence]
    found = Collector()
    for token in np.flatnonzero(width != expected).tolist():
        found.note(
            "columns-differ",
            **tokens.where(token),
            found=f"{int(width[token])} columns",
            expected=f"{int(expected[token])}, as in the first line of the sentence",
        )
    found.check()


def sound(
    tokens: "Tokens", name: str, spans: Spans, defects: Defects, place: int | None = None
) -> Spans:
    """The spans of a column, if there are no defects; else DataError says where they are.

    `place` is where the column stands, if it is one of several of that name.
    """
    found = Collector()
    for kind, expected in _BRACKETS.items():
        for token in getattr(defects, kind.removeprefix("brackets-")).tolist():
            text = f"column {(place or 0) + 1}"
            if place is None:
                column = tokens.column(name)
                text = shorten(column.values[int(column.code[token])])
            told = {"what": _WHAT[name], "found": text, "expected": expected}
            found.note(kind, **tokens.where(token), **told)
    found.check()
    return spans
