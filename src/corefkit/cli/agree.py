"""corefkit agree: agreement between annotators."""

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from corefkit.cli.commands import CheckedCommand, choice_option
from corefkit.cli.options import (
    Readings,
    format_option,
    metrics_option,
    output_option,
    reading_options,
)
from corefkit.cli.output import check_ending, print_incidents, print_notes, write_output
from corefkit.core.names import ResponseFile
from corefkit.formats.kit.writing import write_atomically
from corefkit.scorers import make_options

if TYPE_CHECKING:
    from corefkit.core.options import LengthsPolicy
    from corefkit.stats.agreement import Agreement


@click.command("agree", cls=CheckedCommand)
@click.argument("annotators", nargs=-1, metavar="A B...")
@click.option("--adjudicated", metavar="ADJ", help="The adjudicated version.")
@metrics_option("As in corefkit score, except application scores.")
@choice_option("--singletons", ["keep", "drop"], help="drop: leave out entities of one mention.")
@choice_option(
    "--lengths",
    ["error", "ignore"],
    help="Documents with different numbers of tokens. error: leave them out, with a message; "
    "ignore: compare their spans anyway.",
)
@click.option(
    "--disagreements",
    "listing",
    metavar="FILE",
    help="List all disagreements in FILE, tab-separated, with a column for labels to be filled "
    "in by hand.",
)
@click.option(
    "--labels",
    metavar="FILE",
    help="Count the labels in such a list, as in Figure 2 of the CoNLL-2012 paper.",
)
@click.option(
    "--plot", metavar="FILE", help="With --labels: plot them to FILE (.png, .svg, .pdf or .html)."
)
@format_option(help="text, markdown and latex round; csv and json never do.")
@output_option
@reading_options(sides=False)
def command(
    annotators: tuple[ResponseFile, ...],
    adjudicated: str | None,
    metrics: tuple[str, ...],
    singletons: str,
    lengths: "LengthsPolicy",
    listing: str | None,
    labels: str | None,
    plot: str | None,
    form: str,
    output: str | None,
    readings: Readings,
) -> None:
    """Compare two or more annotators of the same text, A B…, each a file as in corefkit score.

    A project export, a Label Studio file or a pattern with {annotator} stands for all of its
    annotators; if it has a curated version, that is the default of --adjudicated.

    The output shows how many mentions they agree on; every metric for each pair of them (and for
    each with ADJ), by genre as in Table 1 of the CoNLL-2012 paper; Krippendorff's α for chains over
    all annotators; and bootstrap intervals, which for metrics need at least two documents.

    The exit status is 1 if a pair could not be compared; the others still are.

    \b
    Examples:
      corefkit agree anna.conll ben.conll --adjudicated gold.conll
      corefkit agree anna.conll ben.conll --disagreements todo.tsv
      corefkit agree project.zip
      corefkit agree 'plays/{document}-{annotator}.xmi.gz'
      corefkit agree --labels todo.tsv --plot types.svg
    """
    if labels:
        if annotators:
            raise click.UsageError("--labels reads a labelled list and takes no annotators")
        _write_labels(labels, plot, form, output)
        return
    if not annotators:
        raise click.UsageError("name at least two annotators, or a file with several")
    check_ending(listing, "tsv", "txt")
    options = replace(make_options(metrics, singletons=singletons), lengths=lengths)
    from corefkit.render.agreement import render_agreement
    from corefkit.stats.agreement import compare_annotators

    reading = replace(readings.key, one_of_two=False)  # no file holds two sides
    agreement = compare_annotators(annotators, adjudicated, options, reading)
    print_incidents(agreement.incidents)
    print_notes(agreement.notes)
    if listing:
        _write_disagreements(agreement, listing)
    write_output(render_agreement(agreement, form), output)
    compared = [pair for pair in agreement.pairs if pair.scores]
    failed = any(pair.shared and not pair.scores for pair in agreement.pairs)
    sys.exit(0 if compared and not failed else 1)


def _write_disagreements(agreement: "Agreement", path: str) -> None:
    from corefkit.corpora.disagreements import disagreements, to_tsv

    by_name = {annotator.name: annotator for annotator in agreement.annotators}
    pairs = []
    for pair in agreement.pairs:
        if pair.scores and pair.a in by_name and pair.b in by_name:
            first, second = (replace(by_name[n], present=pair.compared) for n in (pair.a, pair.b))
            pairs.append((first, second))
    write_atomically(path, to_tsv(disagreements(pairs)).encode("utf-8", "surrogateescape"))


def _write_labels(path: str, plot: str | None, form: str, output: str | None) -> None:
    from corefkit.corpora.disagreements import read_labels
    from corefkit.render.agreement import plot_labels, render_labels

    counts, missing = read_labels(path)
    if plot:
        plot_labels(counts, plot)
    write_output(render_labels(counts, missing, form), output)
