"""corefkit-scorer: the very arguments of scorer.pl, and its very text."""

import sys

import click

from corefkit.cli import run_and_leave
from corefkit.cli.output import tell

_METRICS = ("muc", "bcub", "ceafm", "ceafe", "blanc", "all")


@click.command("corefkit-scorer", context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("metric", type=click.Choice(_METRICS))
@click.argument("key")
@click.argument("response")
@click.argument("name", required=False, default="none")
def command(metric: str, key: str, response: str, name: str) -> None:
    """Score RESPONSE against KEY exactly as the CoNLL reference scorer v8.01 does.

    The arguments and the text are those of scorer.pl, so that a script which calls it needs to
    change one word. NAME limits the score to one document; without it, or with "none", the
    totals of all documents are printed.

    \b
    Example:
      corefkit-scorer all key.conll response.conll none
    """
    from corefkit.profiles import make_options
    from corefkit.render.conll import METRICS, REFUSAL, scorer_text
    from corefkit.scoring.run import score_systems

    metrics = METRICS if metric == "all" else (metric,)
    options = make_options(("mentions", *metrics), "conll-8.01")
    report = score_systems(key, [response], options, only=None if name == "none" else name)
    text, refused = scorer_text(report.systems[0], metrics, headings=metric == "all")
    known = {"mention-repeated", "mentions-repeated"}
    tell(i for i in report.incidents if i.id not in known)
    if refused:
        click.echo(text, nl=False)
        click.echo(REFUSAL, err=True)
    elif report.systems[0].scores is not None:
        click.echo(text, nl=False)
    sys.exit(1 if refused or report.systems[0].scores is None else 0)


def main() -> None:
    """Run the command, with the same care as `corefkit`."""
    run_and_leave(command)
