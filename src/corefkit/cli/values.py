"""Values of options that are more than a text: how they are checked and completed."""

from typing import TYPE_CHECKING, Any

import click

from corefkit.data.groups import BREAKDOWNS, GROUPINGS, PATTERN, pattern_grouping
from corefkit.data.options import UsageError, did_you_mean
from corefkit.metrics import NAMES

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class MetricNames(click.types.StringParamType):
    """Names of metrics with commas between them; the last one can be completed."""

    name = "metrics"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """The metrics that what was typed may become."""
        from click.shell_completion import CompletionItem

        before, comma, last = incomplete.rpartition(",")
        return [CompletionItem(f"{before}{comma}{name}") for name in NAMES if name.startswith(last)]


class Grouping(click.types.StringParamType):
    """What scores can be broken down by: the name of a grouping or feature, or a pattern."""

    name = "grouping"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The value, if there is such a grouping."""
        known = (*GROUPINGS, *BREAKDOWNS)
        if str(value).startswith(PATTERN):
            try:
                pattern_grouping(str(value))
            except UsageError as error:
                self.fail(str(error), param, ctx)
        elif value not in known:
            guess = did_you_mean(str(value), known)
            self.fail(f"{value!r} is not one of {', '.join(known)}{guess}", param, ctx)
        return str(value)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """The groupings and features whose names begin so."""
        from click.shell_completion import CompletionItem

        known = (*GROUPINGS, *BREAKDOWNS)
        return [CompletionItem(name) for name in known if name.startswith(incomplete)]


class FileName(click.types.StringParamType):
    """A text that names a file; the shell completes it."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """Files, by the shell itself."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]


FILES = frozenset(
    [
        "key",
        "response",
        "responses",
        "files",
        "annotators",
        "source",
        "sources",
        "target",
        "path",
        "first",
        "second",
        "manifest",
        "folder",
        "output",
        "plot",
        "adjudicated",
        "listing",
        "labels",
        "against",
        "pronouns",
        "documents",
        "counts",
        "repaired",
        "spill",
    ]
)
"""The parameters of commands that name files."""


def complete_files(command: click.Command) -> None:
    """Make the shell complete names of files where a command takes some."""
    for param in command.params:
        if param.name in FILES and isinstance(param.type, click.types.StringParamType):
            param.type = FileName()
