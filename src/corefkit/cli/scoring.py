"""The options that say how to score, shared by the commands that do."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from corefkit.cli.sections import ExplainedOption
from corefkit.cli.values import Decorator, choice_option, complete_metrics, option_group
from corefkit.data.groups import BREAKDOWNS, GROUPINGS, PATTERN, pattern_grouping
from corefkit.data.options import POLICIES, STANDARD, TAGSETS, Options, UsageError, did_you_mean
from corefkit.metrics import DEFAULT, VARIANTS
from corefkit.profiles import PROFILES, make_options

if TYPE_CHECKING:
    from corefkit.metrics.base import Metrics

profile_option = choice_option("--profile", PROFILES, help="Whose rules to follow.")
"""The option --profile of commands that always have one."""

policy_options = option_group(
    *(
        click.option(
            f"--{name}",
            type=click.Choice(list(values)),
            help="; ".join(f"{value}: {text}" for value, text in values.items())
            + f".  [default: {STANDARD[name]}, or what the profile says]",
        )
        for name, values in POLICIES.items()
        if name != "layer"  # how files are read: see cli.reading
    )
)
"""One option for each policy, its help made from what the values mean."""

_APPLICATIONS = (
    click.option(
        "--variant",
        multiple=True,
        metavar="[METRIC=]VARIANT",
        help="Variant of all metrics that have it, or of one. "
        + "; ".join(f"{metric}: {', '.join(known)}" for metric, known in VARIANTS.items())
        + ".",
    ),
    click.option(
        "--tagset",
        type=click.Choice(list(TAGSETS)),
        help="Whose nouns and pronouns the tags of the key are.  [default: auto]",
    ),
)
"""What can be chosen about the scores for applications."""


_METRICS = "Names of metrics, with commas or repeated.  [default: those of the profile]"
_DEFAULT = f"The profile standard has {', '.join(DEFAULT)}; `corefkit metrics` lists all."


def metrics_option(help: str = _METRICS) -> Decorator:
    """The option -m; commands that know application scores have more with it: `scoring_options`."""
    return click.option(
        "-m",
        "--metrics",
        multiple=True,
        shell_complete=complete_metrics,
        metavar="METRICS",
        cls=ExplainedOption,
        help=help,
        more=_DEFAULT if help == _METRICS else "",
    )


def scoring_options(metrics: str = _METRICS) -> Decorator:
    """What can be chosen about any score: -m, whose help is given, policies, variants, tagset."""
    return option_group(metrics_option(metrics), policy_options, *_APPLICATIONS)


def chosen_options(given: Mapping[str, Any], metrics: "Metrics" = ()) -> Options:
    """The options of a command line, by their names; `metrics` where it names none."""
    chosen = {name: value for name, value in given.items() if value}
    return make_options(**{"metrics": metrics} | chosen)


def one_grouping(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> str | None:
    """What --by names: a grouping, a feature of mentions, or a pattern; once, not several times."""
    if not given:
        return None
    by, known, wrong = given[0], (*GROUPINGS, *BREAKDOWNS), ""
    if len(given) > 1:
        wrong = "give it once, not several times"
    elif by.startswith(PATTERN):
        try:
            pattern_grouping(by)
        except UsageError as error:
            wrong = str(error)
    elif by not in known:
        wrong = f"{by!r} is not one of {', '.join(known)}{did_you_mean(by, known)}"
    if wrong:
        raise click.BadParameter(wrong, context, option)
    return by
