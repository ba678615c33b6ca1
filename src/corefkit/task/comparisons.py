"""What a run keeps of its tests: the comparisons of systems, each in a file beside the parts.

A comparison is good for one set of counts, one way to test and one version of corefkit and of
numpy, which draws the samples. All of them are in its fingerprint, so that a run in which nothing
changed reads its tests, and any other one makes them again.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from corefkit._version import __version__
from corefkit.scoring.scores import Scores
from corefkit.stats.resampling import Difference, Interval
from corefkit.stats.significance import Significance, SystemPair
from corefkit.task.parts import load_part, write_part

OFFICIAL = "official"
"""The name of the comparison of official scores."""


class KeptComparisons:
    """The comparisons that are kept in a folder, by name."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, name: str) -> Path:
        """The file of a comparison; systems have folders there."""
        return self._folder / f"significance-{name}.json"

    def get(
        self,
        name: str,
        systems: Mapping[str, Sequence[Scores | None]],
        how: Mapping[str, Any],
        compare: Callable[[], Significance],
    ) -> Significance:
        """The comparison of these systems; made, and kept, where none is there or it is damaged.

        `how` says how it is made: all that decides its figures besides the scores.
        """
        fingerprint = _fingerprint(systems, how)
        with suppress(OSError, ValueError, KeyError, TypeError, RecursionError):
            return _decode(load_part(self.path(name), fingerprint))
        made = compare()
        # A task has neither windows nor strata here. What cannot be kept is made each time.
        if not made.windows and not made.strata and self._folder.is_dir():
            with suppress(OSError):
                write_part(self.path(name), fingerprint, made.to_dict())
        return made


def _fingerprint(systems: Mapping[str, Sequence[Scores | None]], how: Mapping[str, Any]) -> str:
    """Tells whether anything that decides a comparison has changed: counts, options, versions."""
    whole = sha256()
    for text in (__version__, np.__version__, json.dumps(how)):
        whole.update(_framed(text.encode()))
    for name, scores in systems.items():
        whole.update(_framed(name.encode("utf-8", "surrogatepass")))
        for one in scores:
            content = b"" if one is None else b"".join(map(_framed, _content(one)))
            whole.update(_framed(content))
    return whole.hexdigest()


def _content(scores: Scores) -> Iterator[bytes]:
    yield scores.signature.encode("utf-8", "surrogatepass")
    yield "\n".join(scores.counts.documents).encode("utf-8", "surrogatepass")
    for name, table in scores.counts.tables.items():
        yield name.encode()
        for column in table:
            yield column.dtype.str.encode()
            yield column.tobytes()


def _framed(data: bytes) -> bytes:
    """The bytes after their number, so that no two lists of them are the same bytes."""
    return b"%d:%b" % (len(data), data)


def _decode(data: dict[str, Any]) -> Significance:
    """The comparison of which this is the dict; pairs of numbers are tuples again."""
    systems = {
        name: {
            metric: Interval(own["f1"], _ends(own["interval"])) for metric, own in figures.items()
        }
        for name, figures in data["systems"].items()
    }
    pairs = tuple(
        SystemPair(
            pair["a"],
            pair["b"],
            {
                metric: Difference(**{**own, "interval": _ends(own["interval"])})
                for metric, own in pair["metrics"].items()
            },
            keys=tuple(pair.get("keys", ())),
        )
        for pair in data["pairs"]
    )
    rest = {
        "notes": tuple(data["notes"]),
        "not_comparable": tuple((a, b) for a, b in data.get("not_comparable", ())),
    }
    return Significance(**{**data, "systems": systems, "pairs": pairs, **rest})


def _ends(ends: list[float] | None) -> tuple[float, float] | None:
    return (ends[0], ends[1]) if ends else None
