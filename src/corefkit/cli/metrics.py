"""corefkit metrics: list the metrics, or explain one."""

from textwrap import indent

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import complete_metrics
from corefkit.core.options import did_you_mean
from corefkit.metrics import DEFAULT, NAMES, canonical

_EXCHANGE = """
  Precision is the same with key and response exchanged; F1 is their harmonic mean; 0/0 = 0."""


@click.command("metrics", cls=CheckedCommand)
@click.argument("names", nargs=-1, metavar="[METRIC]...", shell_complete=complete_metrics)
@click.option("--cite", is_flag=True, help="Print BibTeX of corefkit and of each METRIC's paper.")
def command(names: tuple[str, ...], cite: bool) -> None:
    """List the metrics, or explain each METRIC: formula, worked example, citation.

    \b
    Examples:
      corefkit metrics
      corefkit metrics ceafe
      corefkit metrics muc bcub ceafe --cite
    """
    from corefkit.metrics import all_names, get

    names = known_metrics(names)
    if cite:
        from corefkit.metrics.bibliography import bibtex

        click.echo(bibtex(names or DEFAULT), nl=False)
        return
    if not names:
        known = all_names()
        width = max(map(len, known))
        click.echo("\n".join(f"{name:<{width}}  {get(name).help}" for name in known))
        click.echo("\n`corefkit metrics METRIC` shows the formula, an example and the citation.")
    for number, name in enumerate(names):
        click.echo("\n" * (number > 0) + explain_metric(name))


def known_metrics(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of metrics as they are usually written; UsageError for an unknown one."""
    from corefkit.metrics import exists

    for name in map(canonical, names):
        if not exists(name):
            near = did_you_mean(name, NAMES) or "."
            raise click.UsageError(
                f"unknown metric {name!r}{near} `corefkit metrics` lists all of them"
            )
    return tuple(map(canonical, names))


def explain_metric(name: str) -> str:
    """The help, formula, example and citation of a metric.

    Metrics that look at single mentions have their own examples, with tags or nodes.
    """
    from corefkit.metrics import get
    from corefkit.metrics.base import RATIOS, MatchedMetric, PartitionMetric
    from corefkit.metrics.outcomes import OutcomeMetric

    metric = get(name)
    exchange, example = "", "Example:"
    if isinstance(metric, OutcomeMetric | MatchedMetric):
        from corefkit.scoring.run import score

        sample = metric.sample.corpora if isinstance(metric, OutcomeMetric) else metric.sample
        scores = score(*sample(), name)
    else:
        from corefkit.scoring.evaluator import Evaluator

        scores = Evaluator(name).update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
        example = "Example: key {abc} {defg}, response {ab} {cd} {fghi}"
        if isinstance(metric, PartitionMetric) and metric.columns == RATIOS and metric.symmetric:
            exchange = _EXCHANGE
    return f"""\
{name}: {metric.help}

{indent(metric.formula, "  ")}{exchange}

{example}
{indent(metric.example, "  ")}
  corefkit: {scores[name]}

{metric.citation}"""
