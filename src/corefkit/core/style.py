"""How results look: one value, which a command sets and every table, sentence and plot follows.

>>> with styled(digits=1):
...     points(0.88984)
'89.0'
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

from corefkit.core.carriers import frozen

DIGITS = 2
"""The decimals of percentages, unless others are asked for."""
MOST_DIGITS = 12
"""A float has no more that mean anything."""


WIDTH = 100
"""The columns of running text, unless a terminal has another number."""


@frozen
class Style:
    """How results look.

    Attributes:
        digits: the decimals of scores and of their differences, which are shown in percent; data
            for programs (JSON, CSV) is never rounded.
        bold: whether bold text and colours are allowed, as on a terminal.
        width: how many columns running text may have.
        safe: whether cells that a spreadsheet would run as formulas get an apostrophe.
        only_f1: whether tables of scores for people have no recall and precision.
    """

    digits: int = DIGITS
    bold: bool = False
    width: int = WIDTH
    safe: bool = False
    only_f1: bool = False


_STYLE: ContextVar[Style] = ContextVar("style", default=Style())  # noqa: B039 (it is frozen)


def style() -> Style:
    """The style that is in force."""
    return _STYLE.get()


@contextmanager
def styled(**changes: Any) -> Iterator[Style]:
    """Change the style for a while; yields the new one."""
    token = _STYLE.set(replace(_STYLE.get(), **changes))
    try:
        yield _STYLE.get()
    finally:
        _STYLE.reset(token)


def points(share: float, *, signed: bool = False) -> str:
    """A score between 0 and 1, or a difference of two, in percent with the digits of the style."""
    return f"{100 * share:{'+' if signed else ''}.{style().digits}f}"
