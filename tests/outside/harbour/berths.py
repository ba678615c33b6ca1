"""A result: how many berths are free.

Shown by `print(Berths(3))` and in a notebook as a table.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from corefkit.core.carriers import frozen
from corefkit.core.entry_points import ResultType
from corefkit.core.results import Result
from corefkit.render.table import Table, make_table, plain_headings
from corefkit.scoring.repetition import Repetition, result_file


@frozen
class Berths(Result):
    """The number of free berths."""

    kind: ClassVar[str] = "berths"

    free: int


def tables(result: Berths) -> list[Table]:
    """One number."""
    return [
        make_table("berths", "Berths", plain_headings("free", kind="number"), [[[result.free]]])
    ]


def berths_again(content: Mapping[str, Any]) -> Repetition:
    """Count them again: there are always three."""
    files = [result_file("the list", content["list"])]
    return Repetition(content["signature"], files, lambda given: {"free": 3})


RESULT = ResultType(tables=f"{__name__}:tables", repetition=f"{__name__}:berths_again")
