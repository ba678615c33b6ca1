"""What long work is at: told from wherever it is done, shown by whoever watches.

A command on a terminal watches (`cli.output.moving`); in Python nobody does, and nothing is shown.
"""

from collections.abc import Iterable, Iterator, Sized
from typing import NamedTuple, TypeVar

Thing = TypeVar("Thing")


class Stage(NamedTuple):
    """What is being done, and how many of how many things are done; `total` 0 is unknown."""

    what: str
    done: int = 0
    total: int = 0


class _Now:
    stage: Stage | None = None


def at(what: str, done: int = 0, total: int = 0) -> None:
    """Say what is being done now.

    >>> at("documents", 2, 8)
    >>> current()
    Stage(what='documents', done=2, total=8)
    """
    _Now.stage = Stage(what, done, total)


def current() -> Stage | None:
    """What is being done now, as far as anybody has said."""
    return _Now.stage


def told(items: Iterable[Thing], what: str, total: int | None = None) -> Iterator[Thing]:
    """The items, one by one; before each of them, say how many are done.

    >>> [(item, current().done) for item in told("ab", "letters")]
    [('a', 0), ('b', 1)]
    """
    if total is None:
        total = len(items) if isinstance(items, Sized) else 0
    for done, item in enumerate(items):
        at(what, done, total)
        yield item
