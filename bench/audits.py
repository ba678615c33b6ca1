"""The battery of `audit` through a callable and through a command, and properties of metrics."""

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import corefkit
from bench.measure import Task, corefkit_scorer, fastest
from bench.table import Row, seconds
from corefkit.audits.properties import find_properties

_METRICS = ("mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll")


def rows(scratch: Path) -> Iterator[Row]:
    """Each with a limit in seconds."""
    calls = fastest({"call": lambda: corefkit.audit(_score, style="corpus")}, 3)
    yield _limited("audit of an Evaluator, 100 runs in this process", calls["call"], 3)
    command = f"{shlex.join(corefkit_scorer())} all {{key}} {{response}} none"
    run: Task = lambda: corefkit.audit(command, read="scorer.pl")  # noqa: E731
    yield _limited("audit of corefkit-scorer, 100 runs", _once(run), 60)
    yield _limited(
        "properties of eight metrics, 6 mentions", _once(lambda: find_properties(_METRICS)), 20
    )


def _score(keys: Sequence[Any], responses: Sequence[Any]) -> dict[str, Any]:
    evaluator = corefkit.Evaluator()
    for key, response in zip(keys, responses, strict=True):
        evaluator.update(key, response)
    return evaluator.scores().to_dict()


def _once(task: Task) -> float:
    begin = perf_counter()
    task()
    return perf_counter() - begin


def _limited(what: str, measured: float, limit: float) -> Row:
    return Row(what, seconds(measured), f"< {limit:g} s", measured < limit)
