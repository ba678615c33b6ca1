"""Terminals: names and ids of strangers must not move the cursor; progress is shown there only."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

import click

from corefkit.data.texts import visible_lines

_OURS = re.compile(r"(\x1b\[(?:0|1|2|31|32|33|35)m|\r|\x1b\[\?25[lh])")
"""What corefkit itself writes: bold, dim, its colours, and what progress bars need."""


closed = False
"""Whether the program was started without a standard output."""


class Harmless:
    """A stream on which nothing but what corefkit itself writes controls the terminal.

    Tables and messages make names visible themselves; this catches what is printed as it stands,
    such as CSV.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text with control characters made visible."""
        parts = _OURS.split(text)
        parts[::2] = [visible_lines(part) for part in parts[::2]]
        self._stream.write("".join(parts))
        return len(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def protect() -> None:
    """Make the standard streams harmless where they are terminals.

    One that was closed when the program started is replaced by a stream that discards all.
    """
    global closed  # noqa: PLW0603
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            closed = closed or name == "stdout"
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115
        elif stream.isatty():
            setattr(sys, name, Harmless(stream))


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A function that shows how many of how many are done, on a terminal only."""
    shown = sys.stderr.isatty()

    def update(done: int, total: int) -> None:
        if shown and total:
            full = 30 * done // total
            bar = "█" * full + "░" * (30 - full)
            click.echo(f"\r{bar} {done:,} of {total:,} {what}", err=True, nl=False)

    try:
        yield update
    finally:
        if shown:
            click.echo("", err=True)
