"""corefkit score: score responses against a key."""

import os
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import click

from corefkit import render as figures
from corefkit._version import __version__
from corefkit.cli.commands import CheckedCommand, ExplainedOption, listed_option, option_group
from corefkit.cli.exclusions import (
    ENGINE,
    ENTITIES,
    LEVELS,
    NO_TABLE,
    RUNS,
    STRATA,
    WINDOWS_FOR_PROGRAMS,
    refuse,
)
from corefkit.cli.options import (
    ENTITY,
    FOR_PROGRAMS,
    OTHER_SCORERS,
    Readings,
    annotator_sides,
    chosen_options,
    complete_groupings,
    documents_option,
    format_option,
    groupings,
    has_runs,
    level_options,
    output_option,
    profile_names,
    reading_options,
    run_options,
    scoring_options,
    window_options,
)
from corefkit.cli.output import (
    check_ending,
    ending_of,
    print_incidents,
    print_message,
    print_notes,
    write_output,
)
from corefkit.core.entry_points import ours
from corefkit.core.names import GROUPINGS, ResponseFile, is_of_documents, path_of
from corefkit.core.options import Options, UsageError
from corefkit.formats.options import reading_texts, with_texts
from corefkit.metrics import BREAKDOWNS
from corefkit.render import FORMATS, TEXTS, render
from corefkit.scorers import PROFILES, scorer_class
from corefkit.stats import FailedPolicy

if TYPE_CHECKING:
    from corefkit.scoring.engines import Setup
    from corefkit.scoring.report import Bound, Report
    from corefkit.scoring.scores import Scores


def _complete_engine(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    return [name for name in ("auto", "memory", *ours("engines")) if name.startswith(incomplete)]


_engine_options = option_group(
    listed_option(
        "Engines",
        "--engine",
        metavar="NAME[:LIMITS]",
        default="auto",
        shell_complete=_complete_engine,
        help=f"Where to count: auto, memory, {', '.join(ours('engines'))}; with limits, "
        "NAME:memory=4GB,threads=4,spill=FOLDER. auto: Parquet files of at least 64 MiB are not "
        "read into memory.",
    ),
    listed_option(
        "Engines",
        "--counts",
        metavar="FILE",
        help="Engine: write counts by document to a Parquet file.",
    ),
)
"""The option --engine, and --counts, which needs an engine."""


@click.command("score", cls=CheckedCommand)
@click.argument("key")
@click.argument("responses", nargs=-1, metavar="RESPONSE...")
@scoring_options()
@click.option(
    "--profile",
    cls=ExplainedOption,
    type=click.Choice(list(PROFILES)),
    metavar="NAME",
    help=f"Whose rules to follow: {profile_names}.  [default: standard]",
    brief=OTHER_SCORERS,
    rows={f"  {name}": profile.help for name, profile in PROFILES.items()},
)
@click.option("--signature", metavar="TEXT", help="Take the options above from a signature.")
@click.option(
    "--by",
    "divisions",
    cls=ExplainedOption,
    multiple=True,
    callback=groupings,
    metavar="GROUPING",
    shell_complete=complete_groupings,
    brief="also by genre, document, class, entity:size, window:500, across:topic …",
    help=f"Also score groups: {', '.join(GROUPINGS)}, 're:^GUM_([a-z]+)' for document names, "
    "class, length etc. for mentions, entity:size etc. for entities, window:500 and across:topic, "
    "which are --window and --across, run.",
    more="May be repeated. For entities: entity:size, spread, sentences (bands by their lower "
    "bounds: entity:size=1,2,10), kind, first, type, major=5, major=top:3; see `corefkit help "
    "strata`. For mentions, with the metrics mentions, muc, bcub, ceafm, lea and application "
    "scores: " + "; ".join(f"{by}: {text}" for by, text in BREAKDOWNS.items()) + ".",
)
@listed_option(
    "Output",
    "--only-f1",
    is_flag=True,
    help="Show F1 only, without recall and precision; json, tsv and csv always have all.",
)
@listed_option(
    "Output",
    "--losses",
    is_flag=True,
    help="Also show what detection and linking cost, and what each could reach.",
)
@listed_option(
    "Output",
    "--entities",
    metavar="FILE",
    help="Write all entities of both sides, with what each contributes, to a .tsv, .csv or .jsonl.",
)
@window_options
@level_options
@run_options
@listed_option(
    "Output",
    "--agreement",
    is_flag=True,
    help="Also compare the runs of each system with each other.",
)
@click.option(
    "--plot",
    metavar="FILE",
    cls=ExplainedOption,
    help="Plot the scores to a .png, .svg, .pdf or .html.",
    more="The plot shows F1 with intervals, the outcomes of application scores by class or "
    "--by, or with --window the curve over lengths.",
)
@format_option(
    FORMATS,
    help="json, tsv and csv do not round; conll and corefud imitate the output of those scorers.",
)
@listed_option(
    "Output",
    "--at-least",
    multiple=True,
    metavar="METRIC=PERCENT",
    help="Exit with status 3 if a system scores less, e.g. conll=70 or lea.recall=60.",
)
@_engine_options
@output_option
@documents_option
@reading_options(sides=True)
def command(
    key: str,
    responses: tuple[ResponseFile, ...],
    signature: str | None,
    divisions: tuple[str, ...],
    losses: bool,
    entities: str | None,
    plot: str | None,
    form: str,
    at_least: tuple[str, ...],
    output: str | None,
    documents: str,
    readings: Readings,
    runs: tuple[str, ...],
    failed: FailedPolicy | None,
    agreement: bool,
    **scoring: Any,
) -> None:
    """Score each RESPONSE against KEY; NAME=RESPONSE gives the system a name.

    Both are files (also .gz), folders, quoted globs or `-`, in this order or after --key and
    --response; the format is recognised. Exit status: 1 for bad data, 2 for a wrong command line, 3
    for a score below --at-least.

    \b
    Examples:
      corefkit score key.conll response.conll
      corefkit score key.conll a.conll b.conll.gz -m conll,lea --by genre
      corefkit score key.conll response.conll -m ceafe --by entity:size --by entity:kind
      corefkit score key.conll mine@1=seed1.conll mine@2=seed2.conll other=other.conll
    """
    from corefkit.scoring.engines import FORMATS

    setup = _setup(scoring.pop("engine"), scoring.pop("counts"))
    check_ending(entities, "tsv", "csv", "jsonl")
    if form == "corefud" and not signature:
        scoring["profile"] = scoring["profile"] or "corefud"
    several = has_runs(responses, runs)
    made = {
        RUNS: several,
        ENGINE: setup.engine not in ("auto", "memory"),
        NO_TABLE: any(reading.format not in (None, *FORMATS) for reading in readings),
        STRATA: not all(is_of_documents(division) for division in divisions),
        ENTITIES: any(division.startswith(ENTITY) for division in divisions),
        LEVELS: len(",".join(scoring["across"]).split(",")) > 1,
        WINDOWS_FOR_PROGRAMS: bool(scoring["window"]) and form in ("csv", "tsv"),
    }
    _refuse(made)
    options = _options(signature, scoring)
    readings = with_texts(readings, options.read)  # from the signature
    options = replace(options, read=reading_texts(readings))
    setup = replace(setup, columns=_columns(readings), readings=readings)
    by, options = _divided(options, divisions, asked=bool(scoring["metrics"]))
    features = bool(options.by) or by in BREAKDOWNS
    if signature:
        made |= {STRATA: features, "--by": features, LEVELS: len(options.across) > 1}
        made |= {"--window": bool(options.window), "--across": bool(options.across)}
        _refuse(made)
    bounds = _bounds(at_least, options)
    if several:
        _need_engine(setup)
    elif features or entities or losses:
        _check_split(options, losses=losses)
    if form in (*TEXTS, "model-index"):
        options = _for_text(form, options, asked=bool(scoring["metrics"]))
    # Everything is checked that does not depend on the files.
    responses = annotator_sides(responses, readings)
    run: dict[str, Any] = {"readings": readings, "documents": documents, "hashed": form == "json"}
    if several:
        run |= {"agreement": agreement, "by": None if by in BREAKDOWNS else by}
        _score_runs(key, (responses, runs), options, failed or "error", run, bounds, plot, output)
    if form in TEXTS and len(responses) > 1:
        raise click.UsageError(f"-f {form} takes one RESPONSE")
    from corefkit.scoring.report import note_groups
    from corefkit.scoring.run import score_systems

    report = _engine_report((key, *responses), options, setup, documents)
    report = report or score_systems(key, responses, options, **run, by=by, notes=True)
    print_incidents(report.incidents)
    print_notes(report.notes)
    print_notes(note_groups(by, report.key.corpus.names))
    report = _completed(report, by, losses=losses)
    if plot and report.scores:
        _draw(report, plot)
    if entities and report.scores:
        _write_entities(report, entities)
    write_output(render(report, form), output)
    refused = form == "conll" and _refused(report)
    complete = not refused and all(system.scores for system in report.systems)
    _leave(bounds, {name: [scores] for name, scores in report.scores.items()}, complete=complete)


def _setup(engine: str, counts: str | None) -> "Setup":
    """The engine, and the file for its counts."""
    from corefkit.scoring.engines import parse_engine

    check_ending(counts, "parquet", "pq")
    return replace(parse_engine(engine), counts=counts)


def _refuse(made: dict[str, bool]) -> None:
    """Raise a usage error for choices that exclude each other; see `exclusions`."""
    refuse(click.get_current_context(), {"", *(choice for choice in made if made[choice])})


def _bounds(at_least: tuple[str, ...], options: Options) -> "list[Bound]":
    """The bounds of --at-least; wrong ones are usage errors before anything is scored."""
    if not at_least:
        return []
    from corefkit.scoring.report import parse_bounds

    return parse_bounds(at_least, options.metrics)


def _leave(
    bounds: "list[Bound]", systems: "dict[str, list[Scores]]", *, complete: bool
) -> NoReturn:
    """Exit with status 1 if a system was not scored, with 3 if a bound was not reached, else 0.

    `systems` are the scores of each system, of all its runs if it has several.
    """
    if not complete:
        sys.exit(1)
    if not bounds:
        sys.exit(0)
    from corefkit.scoring.report import bound_failures

    lines = bound_failures(bounds, systems)
    for line in lines:
        print_message(line)
    sys.exit(3 if lines else 0)


def _divided(
    options: Options, divisions: tuple[str, ...], *, asked: bool
) -> tuple[str | None, Options]:
    """The grouping of documents, or else the feature that scores are broken down by; the options
    with strata.

    `asked` says whether the user named the metrics. A feature makes no strata if all metrics that
    it applies to are application scores.
    """
    if divisions and not scorer_class(options.profile).grouped:
        raise click.UsageError(f"--profile {options.profile} has no groups: leave out --by")
    group = next((division for division in divisions if is_of_documents(division)), None)
    features = [division for division in divisions if division in BREAKDOWNS]
    chosen = [division for division in (*options.by, *divisions) if not is_of_documents(division)]
    if features and options.applications:
        from corefkit.scoring.scores import can_break_down
        from corefkit.scoring.strata import is_sum_over_mentions

        can_break_down(options, features[0])
        if len(features) > 1:
            raise click.UsageError("application scores are broken down by one feature: --by")
        if not any(map(is_sum_over_mentions, options.metrics)):
            chosen.remove(features[0])
    if chosen:
        from corefkit.scoring.strata import with_strata

        options = with_strata(options, chosen, asked=asked)
    return group or next(iter(features), None), options


def _check_split(options: Options, *, losses: bool) -> None:
    """Raise a usage error for options that exclude strata, --entities or --losses."""
    if losses:
        from corefkit.scoring.errors import check_losses

        check_losses(options)
    elif not options.applications:
        from corefkit.scoring.strata import check_strata

        check_strata(options)


def _write_entities(report: "Report", path: str) -> None:
    """Write the list of --entities."""
    from corefkit.render.scores import render_entities

    form = ending_of(path) or "tsv"
    write_output(render_entities(report, form), path)


def _score_runs(
    key: str,
    named: tuple[tuple[ResponseFile, ...], tuple[str, ...]],
    options: Options,
    failed: FailedPolicy,
    how: dict[str, Any],
    bounds: "list[Bound]",
    plot: str | None,
    output: str | None,
) -> NoReturn:
    """Score systems with several runs, write their means and exit; the means must reach the bounds.

    `named` are the responses and the patterns of --runs.
    """
    from corefkit.render.runs import plot_runs, render_runs
    from corefkit.scoring.report import note_groups
    from corefkit.stats.run_scores import list_runs, report_runs

    form = click.get_current_context().params["form"]
    report = report_runs(key, list_runs(*named), options, failed=failed, **how)
    print_incidents(report.report.incidents)
    print_notes(note_groups(report.by, report.report.key.corpus.names))
    if plot:
        plot_runs(report, plot)
    if form in FOR_PROGRAMS:
        print_notes(report.notes)
    write_output(render_runs(report, form), output)
    runs = {system.name: [*system.runs.values()] for system in report.systems}
    _leave(bounds, runs, complete=report.complete(failed))


def _for_text(form: str, options: Options, *, asked: bool) -> Options:
    """The options for -f conll, -f corefud and -f model-index, which have no groups.

    The output of an older scorer has only its metrics: it is a usage error if the user named
    (`asked`) others. That of the reference scorer always has mentions.
    """
    from corefkit.render.scorer_texts import METRICS

    if form == "model-index":
        return options
    printed = METRICS[form]
    known = (*printed, *(("mentions",) if form == "conll" else ()), "conll")
    only = f"-f {form} prints only {', '.join(printed)}"
    if asked and (unknown := [name for name in options.metrics if name not in known]):
        raise click.UsageError(f"{only}, not {unknown[0]}")
    if form != "conll":
        return options
    metrics = tuple(name for name in options.metrics if name in printed)
    if not metrics:
        raise click.UsageError(only)
    return replace(options, metrics=("mentions", *metrics))


def _refused(report: "Report") -> bool:
    """Whether the reference scorer stops; if so, prints the message of the original."""
    from corefkit.render.scorer_texts import REFUSAL, refused

    stops = refused(report)
    if stops:
        click.echo(REFUSAL, err=True)
    return stops


def _completed(report: "Report", by: str | None, *, losses: bool) -> "Report":
    """The report with all parts of the scores, and with --losses what is lost."""
    report = report.divided(by)
    if not losses:
        return report
    from corefkit.stats.reports import with_losses

    return with_losses(report)


def _draw(report: "Report", path: str) -> None:
    """Draw the plot of --plot, and print the notes on it."""
    options, parts = report.options, {s.name: s.parts for s in report.systems if s.scores}
    if options.window and not options.by:
        figures.plot_windows(parts, path)
    elif options.applications:
        figures.plot_outcomes(parts, path, report.by)
    else:
        from corefkit.stats.reports import drawn_parts

        drawn, notes = drawn_parts(report)
        (figures.plot_strata if options.by else figures.plot_scores)(drawn, path)
        print_notes(notes)


def _options(signature: str | None, given: dict[str, Any]) -> Options:
    """The options of a signature, or those given one by one.

    A signature that names no metrics, as a short one, may be given with some.
    """
    if signature is None:
        return chosen_options(given)
    from corefkit.scorers.signature import is_of_release, names_metrics, parse_signature

    metrics = given["metrics"] if not names_metrics(signature) else None
    if given["metrics"] and not metrics:
        raise UsageError("--signature cannot be combined with --metrics: it names them already")
    if metrics:
        signature += f"|metrics:{'+'.join(metrics)}"
    options, version = parse_signature(signature)
    if version and not is_of_release(version):
        print_message(
            f"warning: the signature is of corefkit {version}, this is {__version__}", aside=True
        )
    return options


def _columns(readings: Readings) -> dict[str, str]:
    """The names of the columns of tables of both sides."""
    from corefkit.core.table_columns import renamed_columns

    columns = [renamed_columns(reading.listed("columns")) for reading in readings]
    names = dict.fromkeys(name for renamed in columns for name in renamed)
    return {n: "/".join(dict.fromkeys(c[n] for c in columns if n in c)) for n in names}


def _engine_report(
    sources: tuple[ResponseFile, ...], options: Options, setup: "Setup", documents: str
) -> "Report | None":
    """The report of an engine, if one is requested or Parquet files are large; otherwise None.

    UsageError for what needs an engine.
    """
    paths = map(path_of, sources)
    parquet = [p for p in paths if ".parquet" in p or ".pq" in p or os.path.isdir(p)]
    if setup.engine not in ("auto", "memory") or parquet:
        from corefkit.scoring.engines import engine_for

        if engine := engine_for(setup, sources, options, documents):
            with engine.open(setup, sources) as opened:
                return engine.score(opened, sources[0], sources[1:], options, setup)
    _need_engine(setup)
    return None


def _need_engine(setup: "Setup") -> None:
    """Raise UsageError for what needs an engine, where there is none."""
    engines = " or ".join(ours("engines"))
    if setup.limits:
        raise UsageError(f"{setup.limits[0]} needs an engine: --engine {engines}")
    if setup.counts is not None:
        raise UsageError(f"--counts needs an engine: add --engine {engines}")
