"""A mention in context, as errors and outcomes show it."""

from collections.abc import Iterator, Mapping
from typing import Any

from corefkit.data.texts import shorten, visible
from corefkit.mentions.context import InContext, joined
from corefkit.render.text import PLAIN

WIDTH = 60
"""So many characters of each side of a mention, and of the mention, are shown."""

COLOURS = {"key": "\x1b[31m", "response": "\x1b[35m", "both": "\x1b[33m"}
"""Only in the key: red; only in the response: magenta; in both, but wrong: yellow."""


def in_context(context: InContext, side: str, *, colour: bool = False) -> str:
    """A mention in brackets with the words around it; on a terminal in the colour of its side.

    >>> in_context(InContext("They told", "him", "so ."), "both")
    'They told [him] so .'
    """
    short = context.shortened(WIDTH)
    before, behind = (shorten(text, 2 * WIDTH) for text in (short.before, short.behind))
    inside = f"[{shorten(short.text, WIDTH)}]"
    return joined([before, f"{COLOURS[side]}{inside}{PLAIN}" if colour else inside, behind])


def example(
    label: str, score: str, told: Mapping[str, Any], side: str, *, colour: bool = False
) -> Iterator[str]:
    """The lines of a mention in a list of examples: where it stands, its context, its antecedents.

    `told` is what is told of it; its `found` has an antecedent for each of the names shown.
    """
    context = InContext(told["before"], told["text"], told["behind"])
    yield f"  {visible(label)}  {visible(told['document'])}, sentence {told['sentence']}:"
    yield "    " + in_context(context, side, colour=colour)
    if told["expected"] or any(told["found"].values()):
        what = "anchor" if score.startswith("anchor") else "antecedent"
        named = {f"{what} expected": told["expected"], **told["found"]}
        yield "    " + "; ".join(f"{visible(n)}: {shorten(t or 'none')}" for n, t in named.items())
