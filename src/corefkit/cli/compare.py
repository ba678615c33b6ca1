"""corefkit compare: test the differences between responses."""

import sys
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from corefkit.cli.commands import CheckedCommand, ExplainedOption, listed_option, share_option
from corefkit.cli.exclusions import RUNS, refuse
from corefkit.cli.options import (
    CONLL_METRICS,
    FOR_PROGRAMS,
    TESTS,
    Readings,
    annotator_sides,
    chosen_options,
    complete_groupings,
    documents_option,
    groupings,
    has_runs,
    level_options,
    output_option,
    profile_option,
    reading_options,
    rounding_format_option,
    run_options,
    sampling_options,
    scoring_options,
    window_options,
)
from corefkit.cli.output import print_incidents, print_notes, write_output
from corefkit.core.names import ResponseFile, is_of_documents, path_of
from corefkit.core.options import Options
from corefkit.scorers import parse_metrics
from corefkit.stats import INTERVALS, FailedPolicy, Method

if TYPE_CHECKING:
    from corefkit.core.options import Options
    from corefkit.render.paper import PaperMarks
    from corefkit.scoring.report import Report
    from corefkit.scoring.scores import Scores


@click.command("compare", cls=CheckedCommand)
@click.argument("key")
@click.argument("responses", nargs=-1, metavar="RESPONSE...")
@scoring_options(CONLL_METRICS)
@profile_option
@click.option(
    "--by",
    multiple=True,
    callback=groupings,
    metavar="LABEL",
    shell_complete=complete_groupings,
    help="Also test strata: entity:size, entity:kind, length, class …",
)
@sampling_options
@share_option(
    "--level",
    0.95,
    "The level of the confidence intervals; differences with p ≤ 1 − level are significant.",
    TESTS,
)
@listed_option(
    TESTS,
    "--interval",
    type=click.Choice(list(INTERVALS)),
    help="How intervals are computed. "
    + "; ".join(f"{name}: {text}" for name, text in INTERVALS.items())
    + ".  [default: percentile; with several runs, jackknife]",
)
@window_options
@level_options
@run_options
@click.option(
    "--plot",
    metavar="FILE",
    help="Plot the differences to a .png, .svg, .pdf or .html.",
)
@click.option(
    "--paper",
    is_flag=True,
    cls=ExplainedOption,
    brief="Print one table for a paper, with intervals and significance.",
    help="Print one table for a paper: R, P and F1, with intervals and marks of significant "
    "differences for the average, or for every metric if there is no average.",
)
@listed_option(
    "Output",
    "--marks",
    type=click.Choice(["first", "best", "letters"]),
    help="With --paper: mark systems that differ from the first one or from the best, or mark "
    "groups by letters.  [default: first]",
)
@rounding_format_option
@output_option
@documents_option
@reading_options(sides=True)
def command(
    key: str,
    responses: tuple[ResponseFile, ...],
    by: tuple[str, ...],
    samples: int,
    seed: int,
    level: float,
    interval: Method | None,
    plot: str | None,
    paper: bool,
    marks: "PaperMarks | None",
    form: str,
    output: str | None,
    documents: str,
    readings: Readings,
    runs: tuple[str, ...],
    failed: FailedPolicy | None,
    **scoring: Any,
) -> None:
    """Score each RESPONSE against KEY and test the differences between them.

    Confidence intervals, paired bootstrap and approximate randomisation over documents for each
    pair of systems, Holm's correction over the pairs, documents won and lost, and the groups of
    systems that cannot be told apart.

    \b
    Examples:
      corefkit compare key.conll a.conll b.conll
      corefkit compare key.conll a.conll b.conll --paper -f latex -o table.tex
      corefkit compare key.conll a.conll b.conll --by entity:size
      corefkit compare key.conll --runs 'a=a/seed*.conll' --runs 'b=b/seed*.conll'
      corefkit compare counts-a.parquet counts-b.parquet   (of score --counts: no key)
    """
    metrics = scoring["metrics"] or _default_metrics(form, paper)
    options = chosen_options(scoring, metrics)
    if by:
        options = _with_strata(options, by, asked=bool(scoring["metrics"]))
    plan: dict[str, Any] = {"samples": samples, "seed": seed, "level": level, "interval": interval}
    several = has_runs(responses, runs)
    refuse(click.get_current_context(), {"", RUNS} if several else {""})
    responses = annotator_sides(responses, readings)
    reading: dict[str, Any] = {"readings": readings, "documents": documents}
    reading["hashed"] = form == "json"
    scored: _Scored
    if several:
        scored = _score_runs(key, (responses, runs), options, failed or "error", reading)
    elif counted := _from_counts((key, *map(path_of, responses)), metrics):
        scored = {**counted}, True, None
    else:
        scored = _score(key, responses, options, reading)
    scores, complete, report = scored
    incidents = report.incidents if report else []
    if scores:
        from corefkit.render.significance import render_comparison
        from corefkit.stats.compare import compare_scores

        comparison = compare_scores(scores, **plan)
        if plot:
            from corefkit.render import plot_comparison

            plot_comparison(comparison, plot)
        if form in FOR_PROGRAMS or paper:
            print_notes(comparison.notes)
        if paper:
            from corefkit.render.paper import render_paper

            write_output(
                render_paper(scores, comparison, form, marks or "first"),
                output,
            )
            sys.exit(0 if complete else 1)
        files = report.files() if report and form == "json" else None
        write_output(
            render_comparison(comparison, form, incidents=incidents, files=files),
            output,
        )
    sys.exit(0 if complete else 1)


def _default_metrics(form: str, paper: bool) -> tuple[str, ...]:
    """The metrics that are compared if none are named; () means the default ones of scoring."""
    if paper:
        return ("muc", "bcub", "ceafe", "conll")
    return () if form in FOR_PROGRAMS else ("conll",)


def _with_strata(options: Options, by: tuple[str, ...], *, asked: bool) -> Options:
    """The options with the strata to be tested; `asked` says whether the user named the metrics."""
    from corefkit.scoring.strata import with_strata

    if documents := [division for division in by if is_of_documents(division)]:
        raise click.UsageError(
            f"--by {documents[0]}: only strata of entities or mentions are tested; corefkit score "
            f"--by {documents[0]} splits the scores, --documents FILE tests some documents"
        )
    return with_strata(options, by, asked=asked)


_Scored: TypeAlias = "tuple[dict[str, Scores | list[Scores]], bool, Report | None]"
"""The scores of systems or of their runs; whether they are complete; the report on the files."""


def _score(
    key: str, responses: tuple[ResponseFile, ...], options: "Options", reading: dict[str, Any]
) -> _Scored:
    from corefkit.scoring.run import score_systems

    paths = [path_of(response) for response in responses]
    if len(set(paths)) < len(paths):
        raise click.UsageError("the same RESPONSE is given twice")
    report = score_systems(key, responses, options, **reading, shared=True, notes=True)
    print_incidents(report.incidents)
    print_notes(report.notes)
    complete = len(report.scores) == len(report.systems)
    return {**report.scores}, complete, report


def _score_runs(
    key: str,
    named: tuple[tuple[ResponseFile, ...], tuple[str, ...]],
    options: "Options",
    failed: FailedPolicy,
    reading: dict[str, Any],
) -> _Scored:
    """The scores of all runs; `named` are the responses and the patterns of --runs."""
    from corefkit.stats.run_scores import list_runs, report_runs

    report = report_runs(key, list_runs(*named), options, failed=failed, **reading)
    print_incidents(report.report.incidents)
    scores: dict[str, Scores | list[Scores]] = {
        system.name: list(system.runs.values()) for system in report.systems if system.runs
    }
    return scores, report.complete(failed), report.report


def _from_counts(paths: tuple[str, ...], metrics: tuple[str, ...]) -> "dict[str, Scores]":
    """The systems in files of counts (`corefkit score --counts`); empty for other files."""
    if not all(path.endswith(".parquet") for path in paths):
        return {}
    from corefkit.scoring.counts_file import is_counts_file, read_counts

    if not all(map(is_counts_file, paths)):
        return {}
    systems: dict[str, Scores] = {}
    for path in paths:
        counted = read_counts(path, parse_metrics(metrics))
        systems |= {f"{n} ({path})" if n in systems else n: s for n, s in counted.items()}
    return systems
