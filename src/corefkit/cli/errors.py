"""corefkit errors: what went wrong, how often, and what it costs.

`corefkit report` uses its options (`error_options`) and finds errors in the same way (`errors_of`).
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corefkit.cli.commands import (
    CheckedCommand,
    Decorator,
    ExplainedOption,
    choice_option,
    listed_option,
    option_group,
)
from corefkit.cli.exclusions import LINKS_IN_TEXT, refuse
from corefkit.cli.options import (
    Readings,
    annotator_sides,
    chosen_options,
    common_option,
    force_option,
    format_option,
    language_option,
    metrics_option,
    output_option,
    policy_options,
    profile_option,
    reading_options,
)
from corefkit.cli.output import (
    note_masked_words,
    print_incidents,
    print_message,
    print_notes,
    write_files,
    write_output,
)
from corefkit.core.names import ResponseFile, path_of
from corefkit.core.options import TAGSETS, UsageError
from corefkit.core.texts import count_of
from corefkit.render.table import FORMATS

if TYPE_CHECKING:
    from corefkit.analysis.link_errors import Strategy
    from corefkit.render.marked_text import TextLayout
    from corefkit.scoring.errors import ErrorReport

_TYPES = (
    "span",
    "extra-entity",
    "extra-mention",
    "conflated",
    "missing-entity",
    "missing-mention",
    "divided",
)
_NUMBER = click.IntRange(min=1)
_LISTED = "Which errors are listed"
_of_list = partial(listed_option, _LISTED)
_KINDS = ("pronoun", "name", "nominal")


def error_options(metrics: Decorator) -> Decorator:
    """The options of scoring, and of telling pronouns and names; `metrics` is the option -m."""
    return option_group(
        metrics,
        profile_option,
        policy_options,
        common_option,
        listed_option(
            "Application scores",
            "--tagset",
            type=click.Choice(list(TAGSETS)),
            default="auto",
            help="The tagset of the key.  [default: auto]",
        ),
        language_option,
        listed_option(
            "Application scores",
            "--pronouns",
            metavar="FILE",
            help="A list of pronouns, one per line, instead of the tags or the built-in list.",
        ),
    )


def errors_of(
    key: str, responses: tuple[ResponseFile, ...], scoring: Mapping[str, Any], readings: Readings
) -> "ErrorReport":
    """Find the errors of the responses, and print the incidents of their files."""
    from corefkit.scoring.errors import find_errors

    given = dict(scoring)
    words = _read_list(given.pop("pronouns"))
    options = chosen_options(given, "conll")
    responses = annotator_sides(responses, readings)
    report = find_errors(key, responses, options, pronouns=words, readings=readings)
    print_incidents(report.incidents)
    print_notes(report.notes)
    return report


def _read_list(path: str | None) -> list[str] | None:
    """The words in the file of --pronouns; UsageError if it cannot be read."""
    if path is None:
        return None
    from corefkit.features.features import read_pronouns

    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"--pronouns {path}: cannot be read: {reason}") from None
    return list(read_pronouns(text.splitlines()))


class _ErrorGrouping(click.Choice[str]):
    """The groupings of errors, which are fewer than those of scores."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The choice; the message on an unknown one mentions `score`, which has more."""
        if value not in self.choices:
            listed = ", ".join(self.choices)
            self.fail(
                f"{value!r} is not one of {listed}; corefkit score --by splits scores by more, "
                "e.g. class or entity:size",
                param,
                ctx,
            )
        return super().convert(value, param, ctx)


@click.command("errors", cls=CheckedCommand)
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@error_options(
    metrics_option("Metrics whose lost points are divided among the types.  [default: conll]")
)
@click.option(
    "--by",
    type=_ErrorGrouping(["genre", "document", "kind"]),
    help="Also show the numbers by genre, document or kind of mention.",
)
@listed_option(
    "Output",
    "--no-shares",
    is_flag=True,
    help="Leave out the shares, which take the longest.",
)
@click.option("--links", is_flag=True, help="Show link errors by the kinds of their two ends.")
@choice_option(
    "--antecedent",
    ["accessibility", "closest"],
    help="The antecedent of a link: the closest name or nominal, or the closest mention.",
    section="Output",
)
@click.option("--list", "listed", is_flag=True, help="Print the errors themselves, in context.")
@click.option(
    "--marked",
    "layout",
    type=click.Choice(["interleaved", "side"]),
    is_flag=False,
    flag_value="interleaved",
    cls=ExplainedOption,
    brief="Print the marked text of the document that loses most.",
    help="Print the marked text of the documents named by --document, or of the one that loses "
    "most; interleaved by sentence, or side by side.",
)
@_of_list("--type", "only", type=click.Choice(_TYPES), multiple=True, help="Only this type.")
@_of_list("--document", "named", multiple=True, metavar="NAME", help="Only this document.")
@_of_list("--kind", "kinds", type=click.Choice(_KINDS), multiple=True, help="Only this kind.")
@_of_list("--word", "reads", multiple=True, help="Only mentions with this text, or this head.")
@choice_option(
    "--sort",
    ["text", "gain"],
    "The order of the list: as in the text, or by the gain if repaired alone.",
    _LISTED,
)
@_of_list("--most", type=_NUMBER, metavar="N", help="List only the first N errors per response.")
@_of_list(
    "--sample", type=_NUMBER, metavar="N", help="Show a random sample of N errors per response."
)
@_of_list("--seed", type=int, default=0, show_default=True, help="The seed of --sample.")
@click.option(
    "--plot",
    metavar="FILE",
    help="Plot what each type, detection and linking cost to a .png, .svg, .pdf or .html.",
)
@listed_option(
    "Output",
    "--write-repaired",
    "repaired",
    metavar="DIR",
    help="Write to DIR a copy of each response for each type, with that type repaired.",
)
@force_option
@format_option(
    [*FORMATS, "jsonl"],
    help="jsonl lists the errors, one per line; other formats list them only with --list.",
)
@output_option
@reading_options(sides=True)
def command(
    key: str,
    responses: tuple[ResponseFile, ...],
    by: str | None,
    no_shares: bool,
    links: bool,
    antecedent: "Strategy",
    listed: bool,
    layout: "TextLayout | None",
    only: tuple[str, ...],
    named: tuple[str, ...],
    kinds: tuple[str, ...],
    reads: tuple[str, ...],
    sort: str,
    most: int | None,
    sample: int | None,
    seed: int,
    plot: str | None,
    repaired: str | None,
    force: bool,
    form: str,
    output: str | None,
    readings: Readings,
    **scoring: Any,
) -> None:
    """Show what each RESPONSE got wrong, what it costs, and where it happens.

    There are seven types of errors; repairing all of them turns the response into the key. For each
    type: how many there are, how many mentions they concern, F1 if this type alone were repaired,
    and its share of the lost points. The shares add up.

    \b
    Examples:
      corefkit errors key.conll response.conll
      corefkit errors key.conll response.conll --list --type divided --kind pronoun --sample 10
      corefkit errors key.conll response.conll --marked --document "(nw/a/00/a_0001); part 000"
      corefkit errors key.conll a.conll b.conll --plot costs.pdf -f latex -o costs.tex
    """
    if links and form == "text":
        refuse(click.get_current_context(), {LINKS_IN_TEXT})
    from corefkit.analysis.errors import ErrorChoice
    from corefkit.render.errors import render_error_list, render_errors, render_links

    if plot:
        from corefkit.render.error_costs import check_number

        check_number(len(responses))
    choice = ErrorChoice(only, named, kinds, reads, sample, seed, sort, most)
    report = errors_of(key, responses, scoring, readings)
    if repaired:
        from corefkit.scoring.errors import repaired_files

        folder = Path(repaired)
        written, incidents = repaired_files(report, folder)
        write_files(written, (key, *map(path_of, responses)), force=force, incidents=incidents)
        print_message(f"{folder}: {count_of(len(written), 'file')} written", aside=True)
    if plot:
        from corefkit.render.error_costs import plot_errors

        plot_errors(report.systems, plot)
    if layout:
        from corefkit.render.marked_text import render_marked_text

        write_output(
            render_marked_text(report.systems, named, layout),
            output,
        )
    elif links:
        write_output(render_links(report, antecedent, form), output)
    elif listed or form == "jsonl":
        note_masked_words(report.key.corpus)
        write_output(render_error_list(report, choice, form), output)
    else:
        from corefkit.scoring.report import note_groups

        print_notes(note_groups(by, report.key.corpus.names))
        report = replace(report, with_shares=not no_shares, by=by)
        if form == "json":
            from corefkit.stats.reports import with_sampled_losses

            report = with_sampled_losses(report)
        write_output(render_errors(report, form), output)
