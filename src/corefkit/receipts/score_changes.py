"""What the changelog says about scores that changed between two versions.

Under the heading "Scores change" of each version stands what moved a figure and why. The package
has the changelog with it; in a checkout it stands at the top.
"""

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

CHANGELOG = "CHANGELOG.md"
HEADING = "Scores change"
UNRELEASED = "Unreleased"

_VERSION = re.compile(r"(\d+(?:\.\d+)*)(?:\.?dev(\d+))?")
_SECTION = re.compile(r"^## \[(.+?)\].*$", re.MULTILINE)
_PART = re.compile(r"^### (.+?)\s*$", re.MULTILINE)
_ENTRY = re.compile(r"^- ", re.MULTILINE)


class ScoreChanges(NamedTuple):
    """What stands under "Scores change" of one version, one text per entry."""

    version: str
    entries: tuple[str, ...]


def changes_between(old: str, new: str, text: str | None = None) -> list[ScoreChanges]:
    """What changed scores between a version and ours, the newest first.

    `text` is a changelog, else our own. What is not released yet counts where ours is a
    development version.

    >>> text = "## [Unreleased]\\n### Scores change\\n- muc: a\\n  reason\\n## [0.2.0]\\n## [0.1.0]"
    >>> changes_between("0.1.0", "0.3.0.dev4", text)
    [ScoreChanges(version='Unreleased', entries=('muc: a reason',))]
    """
    ours = _order(new)
    first, last = sorted((_order(old), ours))
    found = []
    for version, section in _sections(_own_text() if text is None else text):
        released = version != UNRELEASED
        reached = first < _order(version) <= last if released else _is_development(ours)
        if reached and (entries := _entries(section)):
            found.append(ScoreChanges(version, entries))
    return found


_Order = tuple[tuple[int, ...], float]


def _order(version: str) -> _Order:
    """Versions in their order; a development version comes before its release.

    >>> _order("0.1.0.dev3+g1234") < _order("0.1") < _order("0.2.0")
    True
    """
    match = _VERSION.match(version)
    if not match:
        return (), 0.0
    numbers = [int(part) for part in match[1].split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers), float(match[2] or "inf")


def _is_development(order: _Order) -> bool:
    return order[1] != float("inf")


def _sections(text: str) -> list[tuple[str, str]]:
    """The versions of a changelog, each with what stands under it."""
    parts = _SECTION.split(text)[1:]
    return list(zip(parts[::2], parts[1::2], strict=True))


def _entries(section: str) -> tuple[str, ...]:
    """The entries under the heading, each on one line."""
    parts = _PART.split(section)[1:]
    for heading, body in zip(parts[::2], parts[1::2], strict=True):
        if heading == HEADING:
            return tuple(" ".join(entry.split()) for entry in _ENTRY.split(body)[1:])
    return ()


@cache
def _own_text() -> str:
    """Our changelog; nothing where a package was made without it."""
    package = Path(__file__).parents[1]
    for place in (package / CHANGELOG, package.parents[1] / CHANGELOG):
        if place.is_file():
            return place.read_text(encoding="utf-8")
    return ""
