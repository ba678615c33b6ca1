"""The difference of two results: how they were made, and the figures that both have."""

import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from corefkit.core.options import UsageError
from corefkit.plugins.verify.figures import figures, load_result, numbers
from corefkit.scorers.signature import parse_signature, signature
from corefkit.scoring.repetition import not_a_result


class ResultDifference(NamedTuple):
    """Where two results differ.

    Attributes:
        settings: the two values of each part in which the signatures differ; None where one
            lacks the part.
        scores: the two F1 of each system and metric in which they differ.
        figures: the two values of other figures in which they differ, by their place.
    """

    settings: dict[str, list[str | None]]
    scores: dict[str, dict[str, list[float]]]
    figures: dict[str, list[float]]

    @property
    def exit(self) -> int:
        """The exit status of `corefkit verify A B`: 0 if nothing differs, otherwise 3."""
        return 3 if any(self) else 0


def difference(first: str, second: str) -> ResultDifference:
    """The difference of two results; each is a JSON file, or a signature.

    Figures that only one of them has do not count. Raises UsageError for what is neither a file nor
    a signature, DataError for a file that is not a result.
    """
    results = [_read(name) for name in (first, second)]
    values, others = (dict(numbers(figures(result))) for result in results)
    both = {path: [value, others[path]] for path, value in values.items() if path in others}
    differing = {path: pair for path, pair in both.items() if pair[0] != pair[1]}
    found = ResultDifference(_settings(results), {}, {})
    for path, pair in differing.items():
        match path:
            case ("systems", system, "scores", metric, "f1"):
                found.scores.setdefault(system, {})[metric] = pair
            case ("systems", _, "scores", _, *_) if (*path[:4], "f1") in differing:
                pass  # recall, precision and counts of an F1 that differs
            case _:
                found.figures[".".join(path)] = pair
    return found


def _read(name: str) -> Mapping[str, Any]:
    """The content of a result file; a signature counts as a result without scores."""
    if not os.path.isfile(name):  # noqa: PTH113 (a Path raises for what is too long a name)
        if ":" not in name:
            raise UsageError(f"{name!r} is neither a file nor a signature")
        return {"signature": name}
    result = load_result(name)
    if not isinstance(result.get("signature"), str):
        raise not_a_result("it has no signature", name)
    return result


def _settings(results: list[Mapping[str, Any]]) -> dict[str, list[str | None]]:
    parts = [_parts(result["signature"]) for result in results]
    values = {name: [part.get(name) for part in parts] for name in parts[0] | parts[1]}
    return {name: both for name, both in values.items() if both[0] != both[1]}


def _parts(text: str) -> dict[str, str]:
    """The parts of a signature by name, with the defaults that it leaves out."""
    named = dict(part.strip().partition(":")[::2] for part in text.split("|"))
    try:
        full = signature(parse_signature(text)[0])
    except UsageError:
        return named
    return dict(part.partition(":")[::2] for part in full.split("|")) | named
