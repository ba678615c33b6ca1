"""Options: groups of them, choices, and values that are checked and completed."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from corefkit.core.names import GROUPINGS
from corefkit.metrics import BREAKDOWNS, NAMES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = Callable[..., None]
Decorator = Callable[[Command], Command]


def option_group(*options: Decorator) -> Decorator:
    """Options as one, for commands that share them; `--help` shows them in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def choice_option(name: str, values: Iterable[str], help: str) -> Decorator:
    """An option that takes one of the values; the first is the default."""
    known = list(values)
    return click.option(
        name, type=click.Choice(known), default=known[0], show_default=True, help=help
    )


def number_option(
    name: str, default: int, help: str, least: int = 0, most: int | None = None
) -> Decorator:
    """An option that takes a whole number within bounds."""
    bounds = click.IntRange(least, most)
    return click.option(name, type=bounds, default=default, show_default=True, help=help)


def complete_metrics(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """The names of metrics with commas between them that what was typed may become."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in NAMES if name.startswith(last)]


def complete_groupings(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """The groupings of documents and features of mentions whose names begin so."""
    return [name for name in (*GROUPINGS, *BREAKDOWNS) if name.startswith(incomplete)]


class FileName(click.types.StringParamType):
    """A text that names a file, which the shell completes."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """Files, by the shell itself."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


INPUTS = (
    *("key", "response", "responses", "file", "files", "annotators", "adjudicated", "against"),
    *("source", "sources", "path", "first", "second", "manifest", "labels", "pronouns"),
    *("documents", "text"),
)
"""The parameters of commands that name a file to be read."""
OUTPUTS = ("output", "target", "plot", "listing", "counts")
"""Those that name a file to be written."""
FOLDERS = ("folder", "repaired", "spill")
"""Those that name a directory."""


def complete_files(command: click.Command) -> None:
    """Make the shell complete names of files where a command takes some."""
    for param in command.params:
        if param.name in (*INPUTS, *OUTPUTS, *FOLDERS) and isinstance(
            param.type, click.types.StringParamType
        ):
            param.type = FileName()
