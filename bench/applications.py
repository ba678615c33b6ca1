"""The scores for applications with their break-downs, against the default metrics."""

from collections.abc import Iterator
from pathlib import Path

from bench import data
from bench.measure import corefkit, environment, fastest, process
from bench.table import Row, at_most, not_measured, seconds

_ROUNDS = 7
_WHAT = "immediate, inferred, anchor by class / default metrics, OntoNotes dev"


def rows(scratch: Path) -> Iterator[Row]:
    """Whole processes: token columns are read once, and only for the scores that need them."""
    files = data.packed(scratch)
    if files is None:
        yield not_measured(_WHAT, data.MISSING)
        return
    applications = ("-m", "immediate,inferred,anchor", "--by", "class")
    commands = {
        "default": corefkit("score", files.key, files.response),
        "applications": corefkit("score", files.key, files.response, *applications),
    }
    env = environment(scratch)
    times = fastest({name: process(command, env) for name, command in commands.items()}, _ROUNDS)
    one, other = times["applications"], times["default"]
    yield at_most(_WHAT, one / other, 3, detail=f"{seconds(one)} / {seconds(other)}")
