"""A command: the largest entity of each document."""

import json

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import format_option, output_option
from corefkit.cli.output import write_output
from corefkit.core.entry_points import PluginCommand

LARGEST = PluginCommand(
    "Corpora", "Show the largest entity of each document.", "harbour.largest:command"
)


@click.command("largest", cls=CheckedCommand)
@click.argument("path", metavar="FILE")
@format_option(["text", "json", "csv"])
@output_option
def command(path: str, form: str, output: str | None) -> None:
    """Show how many mentions the largest entity of each document of FILE has."""
    from corefkit.core.entry_points import load
    from corefkit.render.table import render_file

    found = load("harbour.sizes:sizes")(path)
    if form == "json":
        write_output(lambda bold: json.dumps(found.to_dict()) + "\n", output)
    else:
        write_output(lambda bold: render_file(found.tables()[0], form, bold=bold), output)
