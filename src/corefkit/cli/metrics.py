"""corefkit metrics: what the numbers mean."""

from typing import TYPE_CHECKING

import click

from corefkit.cli.values import MetricNames
from corefkit.data.options import did_you_mean
from corefkit.metrics import NAMES, canonical

if TYPE_CHECKING:
    from corefkit.metrics.base import Metric, Score

_EXCHANGE = """
  Precision is the same with key and response exchanged; F1 is their harmonic mean; 0/0 = 0."""


@click.command("metrics")
@click.argument("names", nargs=-1, metavar="[METRIC]...", type=MetricNames())
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
    from corefkit.mentions.base import OutcomeMetric
    from corefkit.metrics import get
    from corefkit.metrics.base import RATIOS, MatchedMetric, OverlapMetric
    from corefkit.scoring.evaluator import Evaluator

    metric = get(name)
    if isinstance(metric, OutcomeMetric):
        from corefkit.scoring.run import score as score_corpora

        found = score_corpora(*metric.sample.corpora(), name)[name]
        return _explain_application(metric, found)
    if isinstance(metric, MatchedMetric):
        from corefkit.scoring.run import score as score_corpora

        return _explain_application(metric, score_corpora(*metric.sample(), name)[name])
    exchanged = isinstance(metric, OverlapMetric) and metric.columns == RATIOS and metric.symmetric
    score = Evaluator(name).update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()[name]
    return f"""\
{name}: {metric.help}

{_indent(metric.formula)}{_EXCHANGE if exchanged else ""}

Example: key {{abc}} {{defg}}, response {{ab}} {{cd}} {{fghi}}
{_indent(metric.example)}
  corefkit: {score}

{metric.citation}"""


def _explain_application(metric: "Metric", score: "Score") -> str:
    """Scores of single mentions depend on tags or nodes, so they have examples of their own."""
    return f"""\
{metric.name}: {metric.help}

{_indent(metric.formula)}

Example:
{_indent(metric.example)}
  corefkit: {score}

{metric.citation}"""


def _indent(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
