"""corefkit convert: the same annotation in another flavour."""

from pathlib import Path
from typing import Literal

import click

from corefkit.cli.files import write_each
from corefkit.cli.options import Readings, reading_options
from corefkit.cli.output import (
    CheckedCommand,
    force_option,
    refuse_existing,
    tell,
    write_bytes,
    write_files,
)
from corefkit.cli.parameters import choice_option


@click.command("convert", cls=CheckedCommand)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@choice_option(
    "--columns",
    ["keep", "full", "minimal"],
    help="full: 12 columns and more, as in 2011 and 2012; minimal: document, part, number, word, "
    "coreference.",
)
@choice_option(
    "--separator", ["keep", "tab", "blank"], help="Columns split by tabs, or aligned by blanks."
)
@click.option("--to", metavar="NAME", help="The format of OUT, one of `corefkit formats`.")
@choice_option(
    "--discontinuous",
    ["span", "first", "error"],
    help="What becomes of mentions of several parts where OUT cannot say them.",
)
@choice_option(
    "--zeros",
    ["drop", "token", "error"],
    help="What becomes of mentions of empty nodes where OUT cannot say them; token: a word _.",
)
@choice_option(
    "--cross",
    ["split", "pool"],
    help="Entities over documents (ECB+): each document by itself, or each topic as one.",
)
@force_option
@reading_options(sides=False)
def command(
    source: str,
    target: str,
    columns: str,
    separator: str,
    to: str | None,
    discontinuous: Literal["span", "first", "error"],
    zeros: Literal["drop", "token", "error"],
    cross: Literal["split", "pool"],
    readings: Readings,
    force: bool,
) -> None:
    """Convert IN to OUT (.gz, or - for standard input and output).

    With --to, IN is in any format that is read, a directory too, and OUT gets the format NAME;
    what it cannot say is told and counted. IN is never overwritten, another file only with --force.

    Without --to both are CoNLL columns. A directory becomes a directory with the same files.
    Comments, document names, sentences and coreference stay; columns go only with --columns
    minimal. What blanks cannot say, e.g. a word with a blank in it, is an error and not a guess;
    so are, with --columns full or minimal, lines with another number of columns than their
    sentence.

    \b
    Examples:
      corefkit convert output.jsonlines output.conll --to conll
      corefkit convert key.conll key.tsv --separator tab
      corefkit convert response.conll.gz - --columns minimal
      corefkit convert corpus/ minimal/ --columns minimal --separator blank
    """
    from corefkit.formats import load
    from corefkit.formats.conll.writer import convert

    if to is not None:
        from corefkit.formats._kit import convert as converting
        from corefkit.formats._kit.convert import Choices

        if columns != "keep" or separator != "keep":
            raise click.UsageError("--columns and --separator go without --to")
        choices = Choices(discontinuous, zeros, cross)
        written, incidents = converting.convert(source, target, to, readings.key, choices)
        files = {name: data for name, data in written.items() if name != "-"}
        write_files(files, [source], force=force, incidents=incidents)
        if "-" in written:
            write_bytes(written["-"], "-")
        return
    wanted = None if separator == "keep" else separator

    def new(path: str) -> bytes:
        data = load(path)
        _refuse_others(path, data)
        return convert(data, path, columns=columns, separator=wanted, tell=tell)

    if target != "-" and not (source and Path(source).is_dir()):  # "" would be the folder here
        refuse_existing([target], [source], force=force)
    write_each(source, target, "conll", str, lambda job: new(job.source), force=force)


def _refuse_others(path: str, data: bytes) -> None:
    """Refuse files that look like another format than CoNLL columns, and say what is missing."""
    from corefkit.core.options import UsageError
    from corefkit.formats import detect, registry

    if b"begin document" not in data and (kind := detect(data)) != "conll":
        title = registry.get_format(kind).title if registry.is_known(kind) else kind
        raise UsageError(f"{path} is {title}: name the format of OUT with --to, e.g. --to conll")
