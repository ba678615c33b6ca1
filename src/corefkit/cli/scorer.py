"""corefkit-scorer: the arguments and the output of scorer.pl."""

import sys

import click

from corefkit._version import __version__
from corefkit.cli.commands import CheckedCommand
from corefkit.cli.output import print_incidents, write_bytes
from corefkit.core.incidents import errors
from corefkit.core.options import PLAIN_SIDES

_METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc", "all")


@click.command(
    "corefkit-scorer",
    cls=CheckedCommand,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", message="corefkit-scorer %(version)s")
@click.argument("metric", type=click.Choice(_METRICS))
@click.argument("key")
@click.argument("response")
@click.argument("name", required=False)
def command(metric: str, key: str, response: str, name: str | None) -> None:
    """Score RESPONSE against KEY exactly as the CoNLL reference scorer v8.01 does.

    The arguments and the output are those of scorer.pl, so that a script which calls it needs to
    change one word. If NAME is "none", only the totals of all documents are printed; without NAME,
    every document is listed before them, in the order of the key; any other NAME limits the score
    to one document.

    \b
    Example:
      corefkit-scorer all key.conll response.conll none
    """
    from corefkit.render.scorer_texts import (
        METRICS,
        REFUSAL,
        ScorerRun,
        make_blocks,
        make_run,
        scorer_text,
    )
    from corefkit.scorers import make_options, scorer_for
    from corefkit.scorers.counting import count_comparison
    from corefkit.scoring.report import Report
    from corefkit.scoring.run import read_sides, score_comparison

    metrics = METRICS["conll"] if metric == "all" else (metric,)
    options = make_options(("mentions", *metrics), "conll-8.01")
    document = name.strip() if name not in (None, "none") else None
    key_side, response_side = read_sides(key, [response], options, PLAIN_SIDES)
    if document is not None and not errors(key_side.incidents):
        key_side = key_side.only(document)
        if document in response_side.corpus.names:
            response_side = response_side.only(document)
    if errors(key_side.incidents):
        print_incidents(key_side.incidents)
        sys.exit(1)
    scorer = scorer_for(options)
    comparison = scorer.compare(key_side, response_side)
    report = Report(options, key_side, (score_comparison(scorer, comparison, response),))
    printed = {"mention-repeated", "mentions-repeated"}  # they are part of the output
    print_incidents(i for i in report.incidents if i.id not in printed)
    run = make_run(report)
    if run.counts is None and not run.repeats:
        sys.exit(1)
    if name != "none":
        # Counts are needed even if repeated mentions make the reference scorer stop later.
        counts = count_comparison(scorer, comparison) if run.counts is None else run.counts
        run = ScorerRun(counts, run.repeats, make_blocks(comparison), single=document is not None)
    text, refused = scorer_text(run, metrics, headings=metric == "all")
    write_bytes(text.encode("utf-8", "surrogateescape"), None)
    if refused:
        click.echo(REFUSAL, err=True)
        sys.exit(1)
