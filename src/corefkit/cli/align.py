"""corefkit align: how well the text of a file fits that of a key."""

import click

from corefkit.cli.commands import CheckedCommand, number_option
from corefkit.cli.options import Readings, format_option, output_option, reading_options
from corefkit.cli.output import tell, write_output


@click.command("align", cls=CheckedCommand)
@click.argument("key")
@click.argument("file")
@number_option(
    "--places", 10, help="How many places and mentions text shows of each document; json has all."
)
@format_option(["text", "json"])
@output_option
@reading_options(sides=True)
def command(
    key: str, file: str, places: int, form: str, output: str | None, readings: Readings
) -> None:
    """Align the text of FILE with the words of KEY, and show how well it fits.

    FILE is text that a language model has marked up, or any other file with words or text. The
    output has the coverage, which is the share of the key's characters that were found,
    the words replaced, added and dropped, their places, and the mentions that cannot be placed in
    the key. `corefkit score` aligns such a file in the same way.

    \b
    Examples:
      corefkit align key.conll answer.md
      corefkit align key.conll answer.txt --lenient -f json
    """
    from corefkit.render.align import render_fit
    from corefkit.scoring.align import align_files

    fit = align_files(key, file, readings)
    tell(fit.incidents)
    write_output(lambda bold: render_fit(fit, form, places), output)
