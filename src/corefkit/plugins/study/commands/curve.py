"""corefkit study curve: scores at every threshold, and the calibration of probabilities."""

from typing import Any

import click

from corefkit.cli.commands import CheckedCommand, listed_option, number_option
from corefkit.cli.options import (
    FOR_PROGRAMS,
    Readings,
    chosen_options,
    documents_option,
    output_option,
    profile_option,
    reading_options,
    rounding_format_option,
    sampling_options,
    scoring_options,
)
from corefkit.cli.output import print_incidents, write_output
from corefkit.core.names import ResponseFile

_SHOWN = ("muc", "bcub", "ceafe", "conll")
"""The metrics of text, markdown and latex if none are named."""


def _thresholds(_: click.Context, __: click.Parameter, text: str | None) -> tuple[float, ...]:
    """The value of --thresholds: numbers from 0 to 1, separated by commas."""
    try:
        thresholds = tuple(float(part) for part in (text or "").split(",") if part.strip())
    except ValueError:
        thresholds = (-1.0,)
    if not all(0 <= t <= 1 for t in thresholds):
        raise click.BadParameter(f"{text!r} is not a list of numbers from 0 to 1, e.g. 0.2,0.5")
    return thresholds


@click.command("curve", cls=CheckedCommand)
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@scoring_options(
    "Names of metrics, separated by commas.  [default: muc, bcub, ceafe and conll; json, tsv and "
    "csv: those of the profile]"
)
@profile_option
@number_option("--points", 100, "The maximum number of thresholds.", 1, 100_000)
@click.option(
    "--thresholds",
    metavar="P,…",
    callback=_thresholds,
    help="Use these thresholds instead of the probabilities of the links.",
)
@click.option(
    "--threshold-from",
    "others",
    nargs=2,
    multiple=True,
    metavar="KEY RESPONSE",
    help="Other data to choose the threshold on; once for each RESPONSE.",
)
@click.option(
    "--bin-size",
    type=click.IntRange(1),
    help="The least number of links in a bin.  [default: a twentieth of all, but at least 50]",
)
@sampling_options
@listed_option(
    "Output",
    "--plot",
    metavar="FILE",
    help="Plot precision against recall, and the calibration, to a .png, .svg, .pdf or .html.",
)
@rounding_format_option
@output_option
@documents_option
@reading_options(sides=True)
def command(
    key: str,
    responses: tuple[ResponseFile, ...],
    points: int,
    thresholds: tuple[float, ...],
    others: tuple[tuple[str, str], ...],
    bin_size: int | None,
    samples: int,
    seed: int,
    plot: str | None,
    form: str,
    output: str | None,
    documents: str,
    readings: Readings,
    **scoring: Any,
) -> None:
    """Score each RESPONSE against KEY at every threshold, and judge its probabilities.

    A RESPONSE gives links with probabilities: a link list (see `corefkit formats`), or JSON with
    link_scores beside its clusters. At a threshold, links that are at least as probable are kept,
    and entities are what they connect. The output shows the scores at all distinct probabilities,
    or at some of them; the best threshold for each metric; the highest precision at each recall;
    and how well the probabilities are calibrated.

    \b
    Examples:
      corefkit study curve key.conll links.tsv
      corefkit study curve key.conll links.tsv --points 20 -m muc,lea --plot curve.svg
      corefkit study curve test.conll test.tsv --threshold-from dev.conll dev.tsv
    """
    from corefkit.plugins.study.curve import CurvePlan, draw_curves
    from corefkit.plugins.study.curve_tables import plot_curve, render_curve

    options = chosen_options(scoring, () if form in FOR_PROGRAMS else _SHOWN)
    plan = CurvePlan(points, thresholds, bin_size, samples, seed)
    curve = draw_curves(
        key, responses, options, plan, readings=readings, documents=documents, others=others
    )
    print_incidents(curve.incidents)
    if plot:
        plot_curve(curve, plot)
    write_output(render_curve(curve, form), output)
