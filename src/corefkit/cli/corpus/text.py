"""corefkit corpus text: write CorefUD files as texts for language models, and read such texts."""

from typing import Literal

import click

from corefkit.cli.commands import CheckedCommand, choice_option
from corefkit.cli.options import output_option
from corefkit.cli.output import MOST, check_ending, print_incidents, write_bytes, write_output
from corefkit.core.incidents import Incident
from corefkit.core.texts import count_of, to_json, visible


@click.command("text", cls=CheckedCommand)
@click.argument("file")
@click.option(
    "--json", "as_json", is_flag=True, help="Write tokens and clusters as JSON, as in 2026."
)
@click.option(
    "--read",
    "text",
    metavar="TEXT",
    help="Read the mentions of TEXT, plain or JSON, into FILE and write the result.",
)
@choice_option(
    "--empty-nodes",
    ["file", "new"],
    help="With --read: `##` is an empty node of FILE if it has one there; or those of FILE are "
    "removed, and each `##` is a new one.",
)
@output_option
def command(
    file: str,
    as_json: bool,
    text: str | None,
    empty_nodes: Literal["file", "new"],
    output: str | None,
) -> None:
    """Write a CorefUD FILE as a text for language models, as in the CRAC shared tasks; read such
    texts.

    One document per line (2025): `[e1` after a word opens a mention, `e1]` closes one, `##` is an
    empty node, placed after the word it depends on. With --json (2026), it is a list of tokens and
    clusters. For a discontinuous mention the part with the head is kept; heads, types and relations
    are lost.

    With --read, the answer of a model becomes mentions of the FILE it was made from. Documents are
    paired in order, words by the fewest insertions, deletions and replacements. Every repair is a
    warning with its location: words that differ, marks that are lost with them, mentions that are
    open at the end of a sentence or closed without being open, empty nodes that are created. Heads
    come from the trees of FILE; the annotation of FILE is lost.

    \b
    Examples:
      corefkit corpus text key.conllu -o key.txt
      corefkit corpus text key.conllu --json -o key.json
      corefkit corpus text blind.conllu --read answer.txt -o response.conllu
    """
    check_ending(output, *(("conllu",) if text is not None else ("json", "jsonl", "txt")))
    if text is not None:
        if as_json:
            raise click.UsageError("--read detects JSON by itself: leave out --json")
        _read(file, text, empty_nodes, output)
        return
    from corefkit.formats import read, to_objects, to_text

    corpus = read(file)
    print_incidents(corpus.incidents)
    written = to_json(to_objects(corpus)) + "\n" if as_json else to_text(corpus)
    write_output(written, output)


def _read(file: str, text: str, empty_nodes: Literal["file", "new"], output: str | None) -> None:
    from corefkit.formats import read_back
    from corefkit.formats.kit.files import load

    answer = read_back(
        load(text).decode("utf-8", "replace"),
        load(file),
        empty_nodes=empty_nodes,
        path=text,
        file_path=file,
    )
    kinds: dict[str, list[Incident]] = {}
    for incident in answer.incidents:
        kinds.setdefault(incident.id, []).append(incident)
    for of_kind in kinds.values():
        for incident in of_kind[:MOST]:
            where = f" ({incident.found})" if incident.found else ""
            click.echo(str(incident).partition("\n")[0] + visible(where), err=True)
        if more := sum(incident.count for incident in of_kind[MOST:]):
            click.echo(f"  … and {more:,} more of this kind", err=True)
    write_bytes(answer.data, output)
    listed = ", ".join(f"{number:,} {kind}" for kind, number in answer.repairs.items())
    number = sum(answer.repairs.values())
    click.echo(f"{count_of(number, 'repair')}{': ' + listed if listed else ''}", err=True)
