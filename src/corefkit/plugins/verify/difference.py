"""The difference of two results: how they were made, and their scores."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from corefkit.core.options import UsageError
from corefkit.scorers.signature import parse_signature, signature
from corefkit.scoring.repetition import not_a_result


class ResultDifference(NamedTuple):
    """Where two results differ.

    Attributes:
        settings: the two values of each part in which the signatures differ; None where one
            lacks the part.
        scores: the two F1 of each system and metric in which they differ, if both have it.
    """

    settings: dict[str, list[str | None]]
    scores: dict[str, dict[str, list[float]]]

    @property
    def exit(self) -> int:
        """The exit status of `corefkit verify A B`: 0 if nothing differs, otherwise 3."""
        return 3 if self.settings or self.scores else 0


def difference(first: str, second: str) -> ResultDifference:
    """The difference of two results; each is a JSON file of `corefkit score`, or a signature.

    Raises UsageError for what is neither, DataError for a file that is not a result.
    """
    results = [_read(name) for name in (first, second)]
    figures = [
        _figures(result, name) for result, name in zip(results, (first, second), strict=True)
    ]
    return ResultDifference(_settings(results), _scores(figures))


def _read(name: str) -> dict[str, Any]:
    """The content of a result file; a signature counts as a result without scores."""
    if not os.path.isfile(name):  # noqa: PTH113 (a Path raises for what is too long a name)
        if ":" not in name:
            raise UsageError(f"{name!r} is neither a file nor a signature")
        return {"signature": name}
    try:
        result = json.loads(Path(name).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise not_a_result(str(error), name) from None
    except RecursionError:
        raise not_a_result("it is nested too deeply", name) from None
    if not isinstance(result, dict) or not isinstance(result.get("signature"), str):
        raise not_a_result("it has no signature", name)
    return result


def _settings(results: list[dict[str, Any]]) -> dict[str, list[str | None]]:
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


def _figures(result: Mapping[str, Any], name: str) -> dict[tuple[str, str], float]:
    """F1 by system and metric."""
    try:
        return {
            (system["name"], metric): float(score["f1"])
            for system in result.get("systems", ())
            for metric, score in (system["scores"] or {}).items()
        }
    except (AttributeError, KeyError, TypeError, ValueError):
        raise not_a_result("it is not the JSON of corefkit score", name) from None


def _scores(
    figures: list[dict[tuple[str, str], float]],
) -> dict[str, dict[str, list[float]]]:
    differing: dict[str, dict[str, list[float]]] = {}
    for (system, metric), first in figures[0].items():
        second = figures[1].get((system, metric), first)
        if first != second:
            differing.setdefault(system, {})[metric] = [first, second]
    return differing
