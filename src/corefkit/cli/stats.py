"""corefkit stats: count what is in a corpus."""

from dataclasses import replace

import click

from corefkit.cli.commands import CheckedCommand, listed_option
from corefkit.cli.options import (
    Readings,
    annotator_sides,
    format_option,
    output_option,
    reading_options,
)
from corefkit.cli.output import print_incidents, print_notes, write_output
from corefkit.core.names import ResponseFile, path_name, system_names


@click.command("stats", cls=CheckedCommand)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@format_option(
    help="text, markdown and latex shorten long histograms; csv and json have them in full."
)
@output_option
@listed_option(
    "Output",
    "--plot",
    metavar="FILE",
    help="Plot the histograms to FILE (.png, .svg, .pdf or .html).",
)
@click.option(
    "--minimum",
    is_flag=True,
    help="List the minimum span of each mention, from the trees of the file (see --match mina).",
)
@reading_options(sides=False)
def command(
    files: tuple[ResponseFile, ...],
    form: str,
    output: str | None,
    plot: str | None,
    minimum: bool,
    readings: Readings,
) -> None:
    """Count what is in each FILE: any format, .gz, `-`, a directory or a quoted glob.

    Documents, parts, sentences, tokens, entities, mentions, links and singletons, in all, by
    genre and by source; mentions by syntactic category; sizes, lengths, nesting, distances and
    speakers. Everything in the file is counted, before any policy. Several files, e.g. the parts
    of a split, are shown side by side.

    \b
    Examples:
      corefkit stats key.conll
      corefkit stats train development test -f latex
      corefkit stats key.conll -f json -o stats.json --plot stats.svg
      corefkit stats key.conll --minimum
    """
    from corefkit.corpora.stats import statistics
    from corefkit.formats.kit.annotators import nothing_marked, split_annotator
    from corefkit.formats.kit.reading import read_all
    from corefkit.render.stats import plot_stats, render_stats
    from corefkit.scoring.fingerprints import recognise

    given = files
    files = annotator_sides(files, readings, curation=True)
    corpora, read = [], []
    for path, name in zip(files, system_names(files), strict=True):
        corpus = read_all(path, readings.key).checked()
        counted = statistics(corpus, name)
        counted = replace(counted, incidents=(*corpus.incidents, *counted.incidents))
        if minimum:
            from corefkit.corpora.stats import list_minima

            counted = replace(counted, minima=list_minima(corpus))
        corpora.append(counted)
        read.append(corpus)
    if files != given and not any(counted.counts["mentions"] for counted in corpora):
        raise nothing_marked(str(given[0]))
    print_notes(
        f"{name}: {known}"
        for name, corpus in zip(system_names(files), read, strict=True)
        if (known := recognise(corpus))
    )
    print_incidents([incident for counted in corpora for incident in counted.incidents])
    if plot:
        plot_stats(corpora, plot)
    annotated = [split_annotator(path_name(file))[0] for file in files]
    total = len({*annotated}) == len(files)  # annotators of the same documents have no sum
    write_output(render_stats(corpora, form, total=total), output)
