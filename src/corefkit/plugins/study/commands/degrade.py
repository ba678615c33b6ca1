"""corefkit study degrade: write a key with known errors."""

from typing import TYPE_CHECKING

import click

from corefkit.cli.commands import CheckedCommand, Decorator, number_option, option_group
from corefkit.cli.options import (
    Readings,
    force_option,
    reading_options,
)
from corefkit.cli.output import (
    check_ending,
    ending_of,
    print_message,
    write_bytes,
    write_files,
)
from corefkit.core.texts import count_of, to_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from corefkit.core.corpus import Corpus
    from corefkit.plugins.study.known_errors import KnownError

_RATES = {
    "split": "Split this share of the entities in two.",
    "merge": "Merge this share of the entities into earlier ones.",
    "drop": "Remove this share of the mentions.",
    "span": "Move one end of this share of the mentions by one token.",
    "invent": "Add mentions of one token, as many as this share of the mentions of KEY.",
}
"""The help of the options that take a rate."""


def _rate_option(name: str) -> Decorator:
    return click.option(f"--{name}", metavar="RATE", default="0", help=_RATES[name])


@click.command("degrade", cls=CheckedCommand)
@click.argument("key")
@click.option("-o", "--output", metavar="FILE", help="Where to write; `-` is standard output.")
@option_group(*map(_rate_option, _RATES))
@number_option("--seed", 1, "The seed of the random choices.")
@click.option("--log", metavar="FILE", help="List the errors in FILE (.tsv, .csv or .jsonl).")
@click.option(
    "--to",
    metavar="NAME",
    help="The format of FILE, one of `corefkit formats`.  "
    "[default: that of KEY, or by the extension]",
)
@force_option
@reading_options(sides=False)
def command(
    key: str,
    output: str | None,
    seed: int,
    log: str | None,
    to: str | None,
    force: bool,
    readings: Readings,
    **operations: str,
) -> None:
    """Write KEY with known errors: a response to try out scorers, tests and metrics on.

    Entities are split and merged, then mentions dropped, moved and invented. A RATE is a number
    from 0 to 1 or a percentage such as 5%. Random choices are hashes of the seed, the document and
    the mention: the result is the same on every machine, and the errors at a low rate are among
    those at a higher one.

    \b
    Examples:
      corefkit study degrade key.conll -o worse.conll --drop 10%
      corefkit study degrade key.conll -o worse.conll --split 0.05 --merge 5% --log errors.tsv
    """
    from corefkit.formats.kit.convert import Losses, write_as
    from corefkit.formats.kit.reading import read_all
    from corefkit.plugins.study.degrade import degrade

    if not output:
        raise click.UsageError("name a file with -o, or - for standard output")
    if log:
        check_ending(log, "tsv", "csv", "jsonl")
    corpus = read_all(key, readings.key).checked()
    degraded = degrade(corpus, seed=seed, **operations)
    made = write_as(degraded.corpus, output, to or _format_of(corpus, output), Losses())
    files = {name: data for name, data in made.files.items() if name != "-"}
    if log:
        listing = _listing(degraded.errors, ending_of(log) or "tsv")
        files[log] = listing.encode("utf-8", "surrogateescape")
    incidents = [*corpus.incidents, *made.incidents]
    write_files(files, [key], force=force, incidents=incidents, named=output)
    if "-" in made.files:
        write_bytes(made.files["-"], "-")
    target = "standard output" if output == "-" else output
    print_message(f"{target}: {count_of(len(degraded.errors), 'error')}", aside=True)


def _format_of(corpus: "Corpus", output: str) -> str:
    """The format of the output, which is that of the key if all of its files have the same."""
    from corefkit.formats.registry import format_of, format_of_output

    formats = {format_of(source).name: format_of(source) for source in corpus.sources}
    return format_of_output(output, next(iter(formats.values())) if len(formats) == 1 else None)


def _listing(errors: "Sequence[KnownError]", form: str) -> str:
    """The errors, one per line, as tsv, csv or jsonl."""
    from corefkit.plugins.study.known_errors import KnownError
    from corefkit.render.markup import write_rows
    from corefkit.render.table import DELIMITED

    if form == "jsonl":
        return "".join(to_json(error._asdict(), None) for error in errors)
    return write_rows([KnownError._fields, *errors], DELIMITED[form])
