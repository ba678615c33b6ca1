"""A mention in context, as errors and outcomes show it."""

from corefkit.data.texts import shorten
from corefkit.mentions.context import InContext, joined

WIDTH = 60
"""So many characters of each side of a mention, and of the mention, are shown."""

PLAIN = "\x1b[0m"
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
