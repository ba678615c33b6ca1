"""corefkit explain: why two scorers differ on the same files."""

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import (
    Readings,
    force_option,
    format_option,
    metrics_option,
    output_option,
    reading_options,
)
from corefkit.cli.output import write_files, write_output
from corefkit.scorers import PROFILES, parse_metrics


@click.command("explain", cls=CheckedCommand)
@click.argument("key")
@click.argument("response")
@click.option(
    "--profile",
    "profiles",
    type=click.Choice(list(PROFILES)),
    metavar="NAME",
    multiple=True,
    help="Give it twice: the two profiles to compare, as in score --profile.",
)
@metrics_option("Only these metrics.")
@click.option(
    "--shrink",
    is_flag=True,
    help="Find the smallest part of the files on which they differ; -o PREFIX writes it as "
    "PREFIX.key.conll and PREFIX.response.conll.",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 100, min_open=True),
    help="--shrink: the least difference, in points of F1.  [default: 0.1]",
)
@click.option("--budget", type=click.IntRange(1), help="--shrink: the maximum number of trials.")
@format_option(["text", "json"])
@output_option
@force_option
@reading_options(sides=True)
def command(
    key: str,
    response: str,
    profiles: tuple[str, ...],
    metrics: tuple[str, ...],
    shrink: bool,
    least: float | None,
    budget: int | None,
    form: str,
    output: str | None,
    force: bool,
    readings: Readings,
) -> None:
    """Show how the scores of two profiles differ, and how much is due to each rule.

    Each rule is shown with its share of the difference, averaged over all orders in which the rules
    could be exchanged (so the shares add up), and with the documents and mentions that it affects.

    \b
    Examples:
      corefkit explain key.conll response.conll --profile standard --profile e2e
      corefkit explain key.conll response.conll --profile standard --profile e2e --shrink -m bcub
    """
    wanted = parse_metrics(metrics)
    if len(profiles) != 2:
        raise click.UsageError("give --profile twice")
    if not shrink:
        if least is not None or budget is not None:
            raise click.UsageError("--least and --budget need --shrink")
        from corefkit.render.explain import render_explanation
        from corefkit.scoring.explain import explain_difference

        explanation = explain_difference((key, response), profiles, wanted, readings)
        write_output(lambda bold: render_explanation(explanation, form), output)
        return
    from corefkit.formats import read_all
    from corefkit.render.explain import render_shrunk
    from corefkit.scoring.shrink import BUDGET, shrink_profiles

    sides = [read_all(s, r).checked() for s, r in zip((key, response), readings, strict=True)]
    shrunk = shrink_profiles(
        sides[0], sides[1], profiles, wanted, least=least or 0.1, budget=budget or BUDGET
    )
    if output is not None:
        write_files(shrunk.files(output), (key, response), force=force)
    write_output(lambda bold: render_shrunk(shrunk, profiles, form), None)
