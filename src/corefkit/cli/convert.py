"""corefkit convert: the same annotation in another flavour."""

import sys
from pathlib import Path

import click

from corefkit.cli.output import tell, user_errors
from corefkit.data.texts import count_of


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
def command(source: str, target: str, columns: str, separator: str) -> None:
    """Convert IN to OUT, both CoNLL files (.gz, or - for standard input and output).

    A directory becomes a directory with the same files. Comments, document names, sentences and
    coreference stay; columns go only with --columns minimal. What blanks cannot say, e.g. a word
    with a blank in it, is an error and not a guess; so are, with --columns full or minimal, lines
    with another number of columns than their sentence.

    \b
    Examples:
      corefkit convert key.conll key.tsv --separator tab
      corefkit convert response.conll.gz - --columns minimal
      corefkit convert corpus/ minimal/ --columns minimal --separator blank
    """
    from corefkit.formats.conll.flavours import convert
    from corefkit.formats.files import load
    from corefkit.ontonotes.batch import Staged, plan, write_one

    wanted = None if separator == "keep" else separator

    def new(path: str) -> bytes:
        return convert(load(path), path, columns=columns, separator=wanted, tell=tell)

    with user_errors():
        if Path(source).is_dir():
            jobs = plan(source, target, "conll", lambda name: name)
            with Staged() as staged:
                for job in jobs:
                    staged.write(job.target, new(job.source))
            click.echo(f"{count_of(len(jobs), 'file')} written", err=True)
            return
        rest = write_one(target, new(source))
        if rest is not None:
            sys.stdout.buffer.write(rest)
