"""A command: the largest entity of each document."""

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
@format_option()
@output_option
def command(path: str, form: str, output: str | None) -> None:
    """Show how many mentions the largest entity of each document of FILE has."""
    from corefkit import read
    from corefkit.render.table import Heading, make_table, plain_headings, render_file

    headings = [*plain_headings("document"), Heading("mentions", "mentions", kind="number")]
    clusters = read(path).clusters()
    lines = [(document, max(map(len, found), default=0)) for document, found in clusters.items()]
    table = make_table("largest", "Largest entities", headings, [lines])
    write_output(render_file(table, form), output)
