"""corefkit adjudicate: merge several annotations of a text into one."""

import sys
from typing import TYPE_CHECKING

import click

from corefkit.cli.commands import CheckedCommand, choice_option
from corefkit.cli.options import Readings, csv_safe_option, reading_options
from corefkit.cli.output import (
    check_ending,
    ending_of,
    print_incidents,
    print_message,
    refuse_existing,
    write_bytes,
    write_files,
    write_output,
)
from corefkit.core.names import ResponseFile, path_of
from corefkit.core.options import UsageError
from corefkit.core.texts import count_of
from corefkit.render.table import FORMATS

if TYPE_CHECKING:
    from corefkit.core.corpus import Corpus
    from corefkit.plugins.adjudication import Adjudication


@click.command("adjudicate", cls=CheckedCommand)
@click.argument("annotators", nargs=-1, metavar="A B...")
@click.option(
    "-o",
    "--output",
    metavar="GOLD",
    help="Write the result; - is standard output. Every item must be decided, unless --draft is "
    "given.",
)
@click.option(
    "--decisions",
    metavar="FILE",
    multiple=True,
    help="A curator's decisions: the file that the page saves. May be repeated.",
)
@choice_option(
    "--certain",
    ["majority", "all"],
    help="What needs no decision: what more than half of the annotators agree on, or what all do.",
)
@click.option(
    "--ask-mentions",
    type=click.IntRange(1),
    metavar="N",
    help="How many votes a mention needs to become an item.  [default: half of the annotators]",
)
@click.option("--page", metavar="FILE", help="Write a page on which a curator decides the items.")
@click.option(
    "--report",
    metavar="FILE",
    help="List all items in FILE (.tsv, .csv or .json), undecided ones first.",
)
@click.option("--overwrite", is_flag=True, help="Replace GOLD if it exists.")
@click.option("--draft", is_flag=True, help="Write GOLD with defaults for undecided items.")
@click.option(
    "--to",
    metavar="NAME",
    help="The format of GOLD, one of `corefkit formats`.  [default: that of the first annotator "
    "if corefkit writes it and the name of GOLD fits it; otherwise by the extension, or CoNLL]",
)
@click.option(
    "--force",
    is_flag=True,
    help="Apply decisions that were made for other annotators or settings, as far as they fit.",
)
@click.option(
    "-f",
    "--output-format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="The format of the summary; json contains every item.",
)
@csv_safe_option
@reading_options(sides=False)
def command(
    annotators: tuple[ResponseFile, ...],
    output: str | None,
    decisions: tuple[str, ...],
    certain: str,
    ask_mentions: int | None,
    page: str | None,
    report: str | None,
    overwrite: bool,
    draft: bool,
    to: str | None,
    force: bool,
    form: str,
    readings: Readings,
) -> None:
    """Merge the annotations of two or more annotators, A B…, each a file as in agree.

    What more than half of them agree on is certain: mentions with their boundaries, and the links
    between them. Everything else is an item: is this a mention, which is its span, are these two
    one entity? A curator decides the items on the page that --page writes; it saves a file of
    decisions, and --decisions replays it. The same inputs and decisions give the same result.

    A project export, a Label Studio file or a pattern with {annotator} stands for all of its
    annotators. Its curated version never votes; documents that an annotator has not finished take
    no part unless --read unfinished=keep is given.

    The summary says how many items there are, and how far annotators agree with each other and with
    the result. The exit status is 1 if GOLD cannot be written or decisions contradict each other.

    \b
    Examples:
      corefkit adjudicate anna.conll ben.conll --page decide.html
      corefkit adjudicate anna.conll ben.conll --decisions decisions.json -o gold.conll
      corefkit adjudicate project.zip --report items.tsv
      corefkit adjudicate a.conllu b.conllu c.conllu --draft -o draft.conllu
    """
    if not annotators:
        raise click.UsageError("name at least two annotators, or a file with several")
    check_ending(page, "html", "htm")
    check_ending(report, "tsv", "csv", "json")
    from pathlib import Path

    if output and output != "-" and not Path(output).is_dir():
        refuse_existing([output], (), force=overwrite, option="--overwrite")

    from corefkit.plugins.adjudication.decisions import read_decisions
    from corefkit.plugins.adjudication.result import run_adjudication
    from corefkit.plugins.adjudication.tables import render_adjudication, render_report
    from corefkit.plugins.adjudication.units import Certainty

    rule = Certainty("all" if certain == "all" else "majority", ask_mentions)
    reading = readings.key
    if reading.get("unfinished") is None:
        reading = reading.with_options(unfinished="drop")
    files = [read_decisions(name) for name in decisions]
    result = run_adjudication(annotators, files, rule, reading, force=force)
    print_incidents(result.incidents)
    for note in result.notes:
        print_message(f"note: {note}", aside=True)
    if report:
        text = render_report(result.report, ending_of(report) or "tsv")
        write_bytes(text.encode("utf-8", "surrogateescape"), report)
    if page:
        from corefkit.plugins.adjudication.draft import page_data
        from corefkit.plugins.adjudication.page import render_adjudication_page

        html = render_adjudication_page(page_data(result.draft))
        write_bytes(html.encode("utf-8", "replace"), page)
    written = not output or _write_gold(
        result, output, to, annotators, draft=draft, overwrite=overwrite
    )
    if output != "-":
        write_output(render_adjudication(result, form), None, form)
    sys.exit(0 if written and not result.conflicts else 1)


def _write_gold(
    result: "Adjudication",
    output: str,
    to: str | None,
    annotators: tuple[ResponseFile, ...],
    *,
    draft: bool,
    overwrite: bool,
) -> bool:
    """Write the result unless decisions are missing or contradictory; returns whether it did."""
    from corefkit.formats.kit.convert import Losses, write_as

    undecided = result.open_items(draft=draft)
    if result.conflicts or (undecided and not draft):
        print_incidents(undecided if not draft else ())
        return False
    corpus = result.corpus
    form, named = (to, True) if to else _format_of(corpus, output)
    converted = write_as(corpus, output, form, Losses())
    files = {name: data for name, data in converted.files.items() if name != "-"}
    incidents = [*undecided, *result.lost, *converted.incidents]
    sources = [path_of(annotator) for annotator in annotators]
    write_files(
        files, sources, force=overwrite, incidents=incidents, named=output, option="--overwrite"
    )
    if "-" in converted.files:
        write_bytes(converted.files["-"], "-")
    target = "standard output" if output == "-" else output
    content = f"{count_of(len(corpus.names), 'document')}, {count_of(corpus.mentions, 'mention')}"
    content += f", {count_of(corpus.entities, 'entity', 'entities')}"
    if len(files) > 1 or not named:
        folder = f"a folder with {count_of(len(files), 'file')}, " if [*files] != [output] else ""
        content += f" ({folder}format {form})"
    print_message(f"{target}: {content}", aside=True)
    return True


def _format_of(corpus: "Corpus", output: str) -> tuple[str, bool]:
    """The format of the first annotator if the name of GOLD fits it, or else that of the suffix.

    Also returns whether the name of GOLD fits the format.
    """
    from corefkit.formats.registry import format_of, format_of_output

    form = format_of(corpus.sources[0]) if corpus.sources else None
    try:
        return format_of_output(output, form), True
    except UsageError:
        return form.name if form and form.write else "conll", False
