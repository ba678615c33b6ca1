"""corefkit outcomes: the outcome of each mention, and the differences between two systems."""

from typing import Any

import click

from corefkit.cli.commands import CheckedCommand, number_option
from corefkit.cli.options import (
    Readings,
    chosen_options,
    common_option,
    csv_safe_option,
    form_of,
    output_option,
    reading_options,
    scoring_options,
)
from corefkit.cli.output import note_masked_words, print_incidents, write_output
from corefkit.core.names import ResponseFile
from corefkit.core.options import UsageError
from corefkit.metrics import VARIANTS

_BY_MENTION = ("tsv", "csv", "jsonl")
_IN_SHORT = ("text", "json")


@click.command("outcomes", cls=CheckedCommand)
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE [RESPONSE]")
@scoring_options(f"Names of application scores.  [default: {','.join(VARIANTS)}]")
@click.option(
    "-f",
    "--output-format",
    "form",
    type=click.Choice([*_BY_MENTION, *_IN_SHORT]),
    help="tsv, csv and jsonl have one row per mention; text and json show counts, or what the "
    "second RESPONSE corrects, breaks and changes.  [default: by the name of -o; else text, or "
    "tsv with --list]",
)
@click.option("--list", "listed", is_flag=True, help="Print one row per mention.")
@number_option("--examples", 3, help="How many examples of each kind to show in text and json.")
@csv_safe_option
@common_option
@output_option
@reading_options(sides=True)
def command(
    key: str,
    responses: tuple[ResponseFile, ...],
    form: str | None,
    listed: bool,
    examples: int,
    output: str | None,
    readings: Readings,
    **scoring: Any,
) -> None:
    """List the outcome of each mention of KEY, and of each one that only a RESPONSE has.

    The outcomes are tp (right), wl (wrongly linked), fn (not found) and fp (spurious)
    under immediate, inferred and anchor; their sums are the counts of `corefkit score`. Spans and
    sentences count from 0. With one response: how often each occurs, by class, and examples. With
    two: what the second corrects, breaks and changes relative to the first.

    \b
    Examples:
      corefkit outcomes key.conll response.conll
      corefkit outcomes key.conll response.conll --list -o outcomes.tsv
      corefkit outcomes key.conll old.conll new.conll
      corefkit outcomes key.conll old.conll new.conll -m inferred --variant clean -o both.jsonl
    """
    if form is None:
        form = form_of(output, (*_BY_MENTION, *_IN_SHORT))
        form = "tsv" if listed and form == "text" else form
    if listed and form in _IN_SHORT:
        raise click.UsageError(f"-f {form} has no rows of mentions; use {', '.join(_BY_MENTION)}")
    options = chosen_options(scoring, tuple(VARIANTS))
    if unfit := [m for m in options.metrics if m not in VARIANTS]:
        raise UsageError(f"{unfit[0]} has no outcomes; choose from {', '.join(VARIANTS)}")
    if len(responses) > 2:
        raise UsageError("give one RESPONSE, or two to compare")
    from corefkit.render.outcomes import render_outcomes
    from corefkit.scoring.outcomes import list_outcomes

    listing, incidents = list_outcomes(key, responses, options, readings)
    print_incidents(incidents)
    note_masked_words(listing.texts)
    write_output(render_outcomes(listing, form, examples), output, form)
