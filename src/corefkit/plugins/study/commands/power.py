"""corefkit study power: estimate how many documents it takes to tell two systems apart."""

import sys
from typing import TYPE_CHECKING, Any

import click

from corefkit.cli.commands import CheckedCommand, number_option, share_option
from corefkit.cli.options import (
    CONLL_METRICS,
    FOR_PROGRAMS,
    Readings,
    chosen_options,
    output_option,
    profile_option,
    reading_options,
    rounding_format_option,
    scoring_options,
)
from corefkit.cli.output import print_incidents, write_output
from corefkit.core.names import ResponseFile
from corefkit.core.options import UsageError

if TYPE_CHECKING:
    from corefkit.core.corpus import Corpus


def _sizes(_: click.Context, __: click.Parameter, text: str | None) -> list[int]:
    """The value of --size: positive whole numbers, separated by commas."""
    numbers = [part.strip() for part in (text or "").split(",") if part.strip()]
    if wrong := [n for n in numbers if not (n.isascii() and n.isdecimal() and int(n))]:
        raise click.BadParameter(f"{wrong[0]!r} is not a positive whole number")
    return [*map(int, numbers)]


@click.command("power", cls=CheckedCommand)
@click.argument("key")
@click.argument("responses", nargs=-1, metavar="[A B]")
@scoring_options(CONLL_METRICS)
@profile_option
@click.option(
    "--size",
    metavar="N,…",
    callback=_sizes,
    help="The sizes of possible test sets, in documents.  [default: that of KEY]",
)
@share_option("--power", 0.8, "The desired power.")
@share_option("--level", 0.95, "The confidence level of the test.")
@number_option("--simulate", 0, "Check with N test sets, drawn with replacement.", 0, 100_000)
@number_option("--seed", 2012, "The seed of --simulate.")
@click.option(
    "--degrade",
    nargs=2,
    metavar="ERRORS ERRORS",
    help="Instead of A and B: KEY with errors, e.g. 'drop 10%' 'drop 12% span 5%'.",
)
@rounding_format_option
@output_option
@reading_options(sides=True)
def command(
    key: str,
    responses: tuple[ResponseFile, ...],
    size: list[int],
    power: float,
    level: float,
    simulate: int,
    seed: int,
    degrade: tuple[str, str] | None,
    form: str,
    output: str | None,
    readings: Readings,
    **scoring: Any,
) -> None:
    """Estimate how likely a test is to find the difference between A and B, by number of documents.

    The error of the difference comes from the jackknife over the documents of KEY; power is the
    normal approximation of Card et al. (2020). Also: the smallest difference that this many
    documents can detect, and how many it takes to find the observed one.

    \b
    Examples:
      corefkit study power key.conll a.conll b.conll
      corefkit study power key.conll a.conll b.conll --size 50,100,400 -m conll,lea
      corefkit study power key.conll --degrade 'drop 10%' 'drop 12%' --simulate 300
    """
    if len(responses) != (0 if degrade else 2):
        raise click.UsageError("name two responses, A and B, or --degrade ERRORS ERRORS")
    from corefkit.plugins.study.power import power_of_scores
    from corefkit.plugins.study.power_table import render_power
    from corefkit.scoring.run import score_systems

    options = chosen_options(scoring, () if form in FOR_PROGRAMS else "conll")
    sides: tuple[Any, Any] = (key, responses)
    if degrade:
        sides = _degraded(key, degrade, readings)
    report = score_systems(*sides, options, readings=readings)
    print_incidents(report.incidents)
    if len(report.scores) < 2:
        sys.exit(1)
    names = dict(zip(degrade or report.scores, report.scores.values(), strict=True))
    estimates = power_of_scores(names, size, power=power, level=level, simulate=simulate, seed=seed)
    write_output(render_power(estimates, form, incidents=report.incidents), output)


def _degraded(
    key: str, errors: tuple[str, str], readings: Readings
) -> "tuple[Corpus, list[Corpus]]":
    """The key and two copies with errors, whose seeds differ so that the errors are independent."""
    from corefkit.formats.kit.reading import read_all
    from corefkit.plugins.study.degrade import degrade, parse_errors

    corpus = read_all(key, readings.key).checked()
    if errors[0].split() == errors[1].split():
        raise UsageError("--degrade: both are the same; name different errors")
    rates = [parse_errors(text) for text in errors]
    return corpus, [degrade(corpus, seed=s, **r).corpus for s, r in enumerate(rates, 1)]
