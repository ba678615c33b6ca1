"""corefkit metrics: what the numbers mean."""

from textwrap import indent

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import complete_metrics
from corefkit.core.options import did_you_mean
from corefkit.metrics import NAMES, canonical

_EXCHANGE = """
  Precision is the same with key and response exchanged; F1 is their harmonic mean; 0/0 = 0."""


@click.command("metrics", cls=CheckedCommand)
@click.argument("names", nargs=-1, metavar="[METRIC]...", shell_complete=complete_metrics)
def command(names: tuple[str, ...]) -> None:
    """List the metrics, or explain each METRIC: formula, worked example, citation.

    \b
    Examples:
      corefkit metrics
      corefkit metrics ceafe
    """
    from corefkit.metrics import get

    names = tuple(map(canonical, names))
    for name in names:
        if name not in NAMES:
            known = f"choose from {', '.join(NAMES)}{did_you_mean(name, NAMES)}"
            raise click.UsageError(f"unknown metric {name!r}; {known}")
    if not names:
        width = max(map(len, NAMES))
        click.echo("\n".join(f"{name:<{width}}  {get(name).help}" for name in NAMES))
        click.echo("\n`corefkit metrics METRIC` shows the formula, an example and the citation.")
    for place, name in enumerate(names):
        click.echo("\n" * (place > 0) + _explain(name))


def _explain(name: str) -> str:
    """Scores of single mentions depend on tags or nodes, so they have examples of their own."""
    from corefkit.metrics import get
    from corefkit.metrics.base import RATIOS, MatchedMetric, OverlapMetric
    from corefkit.metrics.outcomes import OutcomeMetric

    metric = get(name)
    rest, example = "", "Example:"
    if isinstance(metric, OutcomeMetric | MatchedMetric):
        from corefkit.scoring.run import score

        sample = metric.sample.corpora if isinstance(metric, OutcomeMetric) else metric.sample
        scores = score(*sample(), name)
    else:
        from corefkit.scoring.evaluator import Evaluator

        scores = Evaluator(name).update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
        example = "Example: key {abc} {defg}, response {ab} {cd} {fghi}"
        if isinstance(metric, OverlapMetric) and metric.columns == RATIOS and metric.symmetric:
            rest = _EXCHANGE
    return f"""\
{name}: {metric.help}

{indent(metric.formula, "  ")}{rest}

{example}
{indent(metric.example, "  ")}
  corefkit: {scores[name]}

{metric.citation}"""
