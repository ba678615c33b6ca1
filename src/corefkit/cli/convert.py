"""corefkit convert: the same annotation in another flavour."""

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from corefkit.cli.output import force_option, refuse_existing, tell, user_errors, write_data
from corefkit.cli.reading import reading_options
from corefkit.data.texts import count_of

if TYPE_CHECKING:
    from corefkit.formats import Readings
    from corefkit.formats.losses import Choices


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@click.option(
    "--columns",
    type=click.Choice(["keep", "full", "minimal"]),
    default="keep",
    show_default=True,
    help="full: 12 columns and more, as in 2011 and 2012; minimal: document, part, number, word, "
    "coreference.",
)
@click.option(
    "--separator",
    type=click.Choice(["keep", "tab", "blank"]),
    default="keep",
    show_default=True,
    help="Columns split by tabs, or aligned by blanks.",
)
@click.option("--to", metavar="NAME", help="The format of OUT, one of `corefkit formats`.")
@click.option(
    "--discontinuous",
    type=click.Choice(["span", "first", "error"]),
    default="span",
    show_default=True,
    help="What becomes of mentions of several parts where OUT cannot say them.",
)
@click.option(
    "--zeros",
    type=click.Choice(["drop", "token", "error"]),
    default="drop",
    show_default=True,
    help="What becomes of mentions of empty nodes where OUT cannot say them; token: a word _.",
)
@click.option(
    "--cross",
    type=click.Choice(["split", "pool"]),
    default="split",
    show_default=True,
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
    readings: "Readings",
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
    from corefkit.formats.conll.flavours import convert
    from corefkit.formats.files import load
    from corefkit.ontonotes.batch import Staged, plan, write_one

    if to is not None:
        from corefkit.formats.losses import Choices

        if columns != "keep" or separator != "keep":
            raise click.UsageError("--columns and --separator go without --to")
        with user_errors():
            _convert_to(source, target, to, readings, Choices(discontinuous, zeros, cross), force)
        return
    wanted = None if separator == "keep" else separator

    def new(path: str) -> bytes:
        data = load(path)
        _refuse_others(path, data)
        return convert(data, path, columns=columns, separator=wanted, tell=tell)

    with user_errors():
        if Path(source).is_dir():
            jobs = plan(source, target, "conll", lambda name: name)
            refuse_existing([j.target for j in jobs], (j.source for j in jobs), force=force)
            with Staged() as staged:
                for job in jobs:
                    staged.write(job.target, new(job.source))
            click.echo(f"{count_of(len(jobs), 'file')} written", err=True)
            return
        if target != "-":
            refuse_existing([target], [source], force=force)
        rest = write_one(target, new(source))
        if rest is not None:
            write_data(rest)


def _refuse_others(path: str, data: bytes) -> None:
    """Refuse files that look like another format than CoNLL columns, and say what is missing."""
    from corefkit.data.options import UsageError
    from corefkit.formats import registry
    from corefkit.formats.detection import detect

    if b"begin document" not in data and (kind := detect(data)) != "conll":
        title = registry.get(kind).title if registry.is_known(kind) else kind
        raise UsageError(f"{path} is {title}: name the format of OUT with --to, e.g. --to conll")


def _convert_to(
    source: str, target: str, to: str, readings: "Readings", choices: "Choices", force: bool
) -> None:
    """Read, write, and say what was lost. Files that are there are replaced with --force only."""
    from corefkit.formats.converting import convert
    from corefkit.formats.files import write_atomically

    written, incidents = convert(source, target, to, readings.key, choices)
    refuse_existing([name for name in written if name != "-"], [source], force=force)
    tell(incidents)
    for name, data in written.items():
        if name == "-":
            write_data(data)
        else:
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(name, data)
