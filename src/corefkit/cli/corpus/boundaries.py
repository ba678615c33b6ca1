"""corefkit corpus boundaries: write gold boundaries or gold mentions."""

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.output import check_ending, print_incidents, write_bytes


@click.command("boundaries", cls=CheckedCommand)
@click.argument("key")
@click.option(
    "--kind",
    type=click.Choice(["gb", "gm"]),
    required=True,
    help="gm: the key's mentions without their chains; gb: all noun phrases and pronouns of the "
    "gold parse, and the mentions that match no constituent.",
)
@click.option(
    "-o",
    "--output",
    default="-",
    metavar="FILE",
    help="Write to FILE (compressed if it ends in .gz).",
)
def command(key: str, kind: str, output: str) -> None:
    """Write the inputs of the supplementary settings of CoNLL-2012, made from KEY.

    The result is a CoNLL file with all columns of KEY in which every mention is a singleton, so
    that any tool can read it. Comments and separators of a file are kept; the files
    of a directory become one, separated by tabs.

    \b
    Examples:
      corefkit corpus boundaries key.conll --kind gm -o gold-mentions.conll
      corefkit corpus boundaries key.conll --kind gb -o gold-boundaries.conll
    """
    from corefkit.corpora.syntax import gold_boundaries, gold_mentions
    from corefkit.formats import read
    from corefkit.formats.conll.writer import to_bytes, with_mentions

    check_ending(output, "conll", "txt")
    corpus = read(key, format="conll")
    print_incidents(corpus.incidents)
    chosen = gold_mentions(corpus) if kind == "gm" else gold_boundaries(corpus)
    is_single_file = len(corpus.sources) == 1
    write_bytes(with_mentions(chosen) if is_single_file else to_bytes(chosen), output)
