"""The options that say how to score, shared by the commands that do."""

from collections.abc import Callable

import click

from corefkit.cli.sections import ExplainedOption
from corefkit.cli.values import MetricNames
from corefkit.data.options import POLICIES, STANDARD, TAGSETS
from corefkit.metrics import DEFAULT, VARIANTS


def policy_options(function: Callable[..., None]) -> Callable[..., None]:
    """One option for each policy, its help made from what the values mean."""
    for name, values in reversed(POLICIES.items()):
        if name == "layer":  # how files are read: see cli.reading
            continue
        default = STANDARD[name]
        meaning = "; ".join(f"{value}: {text}" for value, text in values.items())
        option = click.option(
            f"--{name}",
            type=click.Choice(list(values)),
            help=f"{meaning}.  [default: {default}, or what the profile says]",
        )
        function = option(function)
    return function


def application_options(function: Callable[..., None]) -> Callable[..., None]:
    """What can be chosen about the scores for applications."""
    having = "; ".join(f"{metric}: {', '.join(known)}" for metric, known in VARIANTS.items())
    for option in (
        click.option(
            "--tagset",
            type=click.Choice(list(TAGSETS)),
            help="Whose nouns and pronouns the tags of the key are.  [default: auto]",
        ),
        click.option(
            "--variant",
            multiple=True,
            metavar="[METRIC=]VARIANT",
            help=f"Variant of all metrics that have it, or of one. {having}.",
        ),
    ):
        function = option(function)
    return function


metrics_option = click.option(
    "-m",
    "--metrics",
    multiple=True,
    type=MetricNames(),
    metavar="METRICS",
    cls=ExplainedOption,
    help="Names of metrics, with commas or repeated.  [default: those of the profile]",
    more=f"The profile standard has {', '.join(DEFAULT)}; `corefkit metrics` lists all.",
)
"""The option -m of the commands that score."""


def only_one(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> str | None:
    """The value of an option that can be given once; several would silently be one."""
    if len(values) > 1:
        raise click.BadParameter("give it once, not several times", context, parameter)
    return values[0] if values else None
