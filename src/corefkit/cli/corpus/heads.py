"""corefkit corpus heads: set the heads of mentions from the trees of a CorefUD file."""

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.output import check_ending, print_incidents, write_bytes
from corefkit.core.texts import count_of


@click.command("heads", cls=CheckedCommand)
@click.argument("file")
@click.option(
    "-o",
    "--output",
    default="-",
    metavar="OUT",
    help="Where to write the file (compressed if it ends in .gz).  [default: standard output]",
)
def command(file: str, output: str) -> None:
    """Set the head of each mention of a CorefUD FILE from its dependency trees.

    For systems that predict spans only: `--match head` compares heads, and the head of a mention
    without one is its first node. The head is the node of the mention that depends on none of the
    others, by HEAD and DEPS; `corefkit help corefud` explains what happens if there are several.
    Everything else stays the same, byte for byte. A file that declares no heads gets them.

    \b
    Examples:
      corefkit corpus heads response.conllu -o with-heads.conllu
      corefkit corpus heads response.conllu.gz | corefkit score key.conllu - --match head
    """
    from corefkit.formats import read, tree_heads
    from corefkit.formats.conllu.dependency_trees import (
        count_moved_heads,
        count_several_nodes,
        write_heads,
    )

    check_ending(output, "conllu")
    corpus = read(file)
    with_heads = tree_heads(corpus)
    print_incidents(corpus.incidents)
    write_bytes(write_heads(with_heads), output)
    click.echo(
        f"{count_of(count_several_nodes(corpus), 'mention')} of several nodes, "
        f"{count_moved_heads(corpus, with_heads):,} with a new head",
        err=True,
    )
