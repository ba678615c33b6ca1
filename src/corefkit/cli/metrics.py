"""corefkit metrics: list the metrics, explain one, test their properties."""

from textwrap import indent

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import complete_metrics, format_option, output_option
from corefkit.core.entry_points import PluginCommand, find, load
from corefkit.core.options import did_you_mean
from corefkit.metrics import DEFAULT, NAMES, canonical

_EXCHANGE = """
  Precision is the same with key and response exchanged; F1 is their harmonic mean; 0/0 = 0."""


@click.command("metrics", cls=CheckedCommand)
@click.argument("names", nargs=-1, metavar="[METRIC]...", shell_complete=complete_metrics)
@click.option("--properties", is_flag=True, help="Show which axioms each METRIC satisfies.")
@click.option("--cite", is_flag=True, help="Print BibTeX of corefkit and of each METRIC's paper.")
@click.option(
    "--mentions",
    type=click.IntRange(1, 7),
    help="--properties: test all overlaps of up to N mentions.  [default: 6]",
)
@output_option
@format_option(["text", "json", "markdown"], "--properties only.")
def command(
    names: tuple[str, ...],
    properties: bool,
    cite: bool,
    mentions: int | None,
    output: str | None,
    form: str,
) -> None:
    """List the metrics, or explain each METRIC: formula, worked example, citation.

    With --properties: which axioms each satisfies on all small overlaps of key and response,
    with the smallest counterexamples. Metrics from other packages work too.

    \b
    Examples:
      corefkit metrics
      corefkit metrics ceafe
      corefkit metrics muc bcub ceafe --cite
      corefkit metrics ceafe lea --properties --mentions 4
    """
    from corefkit.metrics import all_names, exists, get

    names = tuple(map(canonical, names))
    for name in names:
        if not exists(name):
            near = did_you_mean(name, NAMES) or "."
            raise click.UsageError(
                f"unknown metric {name!r}{near} `corefkit metrics` lists all of them"
            )
    if properties:
        if not names:
            raise click.UsageError("--properties: name the metrics")
        context = click.get_current_context()
        added: PluginCommand = find("commands", f"{context.info_name} properties")
        given = {"names": names, "mentions": mentions or 6, "output": output, "form": form}
        context.invoke(load(added.where), **given)
        return
    if cite:
        from corefkit.metrics.bibliography import bibtex

        click.echo(bibtex(names or DEFAULT), nl=False)
        return
    if not names:
        known = all_names()
        width = max(map(len, known))
        click.echo("\n".join(f"{name:<{width}}  {get(name).help}" for name in known))
        click.echo("\n`corefkit metrics METRIC` shows the formula, an example and the citation.")
    for place, name in enumerate(names):
        click.echo("\n" * (place > 0) + _explain(name))


def _explain(name: str) -> str:
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
