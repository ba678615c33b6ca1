"""What plug-ins add: commands, metrics, formats, engines and results, all by entry points.

The entry points of this package are in two files: `core/entry_points.txt` has the types of results,
and the functions that turn a corpus into something else; `plugins/entry_points.txt` has those of
the plug-ins, with what became of their former options, and goes with them. Those of other packages
are in their metadata, which takes 25 ms to read: they are asked only for a name that is unknown,
and for lists of everything.

>>> ours("results")["scores"]
'corefkit.render.results:SCORES'
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

from corefkit.core.package import text_of_package

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

KINDS = ("commands", "metrics", "formats", "engines", "results")
"""What plug-ins add; each is the end of the name of a group of entry points, "corefkit.KIND"."""


class PluginCommand(NamedTuple):
    """What an entry point of a command leads to; its name is that of the command.

    A name of two words, such as "task published", is that of a command in a group. A name that ends
    with an option, such as "metrics --properties", is run instead of the command where the option
    is given, with the other arguments.

    Attributes:
        section: the section of the help that lists it.
        help: its line there.
        where: the module and name of the click command, "package.module:command".
        sought: other names that people try.
    """

    section: str
    help: str
    where: str
    sought: Sequence[str] = ()


class ResultType(NamedTuple):
    """What an entry point of a type of results leads to; its name is that of the type.

    The class of such results is a subclass of `core.results.Result`; their JSON has the name of the
    type in its field `result`. Each function is given as "package.module:function".

    Attributes:
        tables: result → its tables for people, a list of `render.table.Table`.
        text: result → what `str` gives; by default its tables.
        html: result → what a notebook shows; by default its tables.
        repetition: its JSON → how it is made again, a `scoring.repetition.Repetition`; empty where
            it cannot be.
    """

    tables: str = ""
    text: str = ""
    html: str = ""
    repetition: str = ""


def load(where: str) -> Any:
    """The object that "package.module:name" stands for."""
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)


def ours(kind: str) -> Mapping[str, str]:
    """The entry points of a kind that this package brings: name → "package.module:object"."""
    return _ours().get(f"corefkit.{kind}", {})


@cache
def _ours() -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    points: dict[str, str] = {}
    for folder in ("core", "plugins"):
        for line in text_of_package(f"{folder}/entry_points.txt").splitlines():
            name, equals, where = line.partition(" = ")
            if equals:
                points[name] = where
            elif line:
                points = found.setdefault(line.strip("[]"), {})
    return found


@cache
def installed(kind: str) -> "Mapping[str, EntryPoint]":
    """The entry points of a kind that other packages bring, by name."""
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=f"corefkit.{kind}")}


def find(kind: str, name: str) -> Any:
    """What a name stands for: ours, else that of another package; None if there is none."""
    if where := ours(kind).get(name):
        return load(where)
    point = installed(kind).get(name)
    return point.load() if point else None
