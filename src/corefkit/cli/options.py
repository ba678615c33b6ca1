"""Help in two lengths: `--help` on two screens, `--help-all` with every option explained.

The options that say how files are read, shared by all commands that read a corpus.

The options that say how to score, shared by the commands that do.

The options of engines, and counting there as they say.
"""

import os
from collections.abc import Mapping
from functools import wraps
from itertools import chain
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Any, TypeAlias
from warnings import catch_warnings, simplefilter

import click

from corefkit.cli.output import CheckedCommand
from corefkit.cli.parameters import (
    Command,
    Decorator,
    choice_option,
    complete_metrics,
    option_group,
)
from corefkit.core.names import GROUPINGS, PATTERN, ResponseFile, path_of, pattern_grouping
from corefkit.core.options import (
    DEFAULT,
    POLICIES,
    READING_OPTIONS,
    STANDARD,
    TAGSETS,
    Options,
    ReadingOption,
    UsageError,
    did_you_mean,
)
from corefkit.formats import Prefetch
from corefkit.metrics import BREAKDOWNS, VARIANTS
from corefkit.scorers import FORMER_DUPLICATES, PROFILES, make_options

if TYPE_CHECKING:
    from corefkit import formats
    from corefkit.metrics.base import Metrics
    from corefkit.scoring.report import Report

ENGINES = ("auto", "memory", "duckdb", "spark")
ENGINE_NAMES = ("engine", "columns", "memory", "threads", "spill", "counts")
"""The parameters of all these options."""

engine_options = option_group(
    click.option(
        "--engine",
        type=click.Choice(ENGINES),
        default="auto",
        help="Where to count: Parquet files of 64 MiB and more go to duckdb.",
    ),
    click.option(
        "--columns",
        metavar="NAME=COLUMN,…",
        help="Engine: columns of the Parquet files, e.g. mention=token_id,entity=cluster.",
    ),
    click.option("--memory", metavar="SIZE", help="Engine: the most memory, e.g. 4GB."),
    click.option("--threads", type=click.IntRange(1), help="Engine: how many threads."),
    click.option("--spill", metavar="DIR", help="Engine: where to put what overflows memory."),
    click.option("--counts", metavar="FILE", help="Engine: write counts by document, Parquet."),
)
"""--engine and what belongs to it; see `report_of_engine`."""


def report_of_engine(
    sources: tuple[ResponseFile, ...], options: Options, setup: dict[str, Any], documents: str
) -> "Report | None":
    """The report of an engine, where one is asked for or Parquet files are large.

    `setup` has the values of all these options; UsageError for those that need an engine.
    """
    given = [name for name, value in setup.items() if name != "engine" and value is not None]
    paths = map(path_of, sources)
    parquet = [p for p in paths if ".parquet" in p or ".pq" in p or os.path.isdir(p)]
    if setup["engine"] not in ("auto", "memory") or parquet:
        from corefkit.engines.run import Setup, opened
        from corefkit.scoring.engines import score_on_engine, wanted

        made = Setup(**{**setup, "columns": _columns(setup["columns"])})
        if wanted(made, sources, options.documents if documents == "all" else documents):
            # Open until the command ends: --by and --plot fetch counts by document.
            engine = click.get_current_context().with_resource(opened(made))
            return score_on_engine(engine, sources[0], sources[1:], options, made)
    if given:
        raise UsageError(f"--{given[0]} is for an engine: add --engine duckdb or spark")
    return None


def _columns(text: str | None) -> dict[str, str]:
    parts = [part.partition("=") for part in (text or "").split(",") if part.strip()]
    if wrong := [name for name, equals, column in parts if not equals or not column.strip()]:
        raise UsageError(f"columns: {wrong[0]!r} is not of the form name=column")
    return {name.strip(): column.strip() for name, _, column in parts}


Readings: TypeAlias = "formats.Readings"
"""How the two sides are read, for the annotations of commands; formats load when one runs."""

_ON_COMMAND_LINES = {name: option for name, option in READING_OPTIONS.items() if option.help}
READING_NAMES = (*_ON_COMMAND_LINES, "key_format", "response_format")
"""The parameters of all these options."""


def _reading_option(name: str, option: ReadingOption) -> Decorator:
    number = click.IntRange(min=1) if option.kind == "number" else None
    return click.option(
        f"--{name.replace('_', '-')}",
        type=click.Choice(option.values) if option.values else number,
        is_flag=option.kind == "flag",
        metavar=option.metavar,
        help=option.text,
    )


_OPTIONS = tuple(_reading_option(name, option) for name, option in _ON_COMMAND_LINES.items())
_BOTH = (
    click.option("--key-format", metavar="NAME", help="The same, for KEY alone."),
    click.option("--response-format", metavar="NAME", help="The same, for each RESPONSE."),
)


def reading_options(*, sides: bool) -> Decorator:
    """Options for a command, which gets them as one argument, `readings`.

    Without `sides` the command reads corpora that are neither key nor response: it takes
    `readings.key`.
    """
    options = option_group(_OPTIONS[0], *(_BOTH if sides else ()), *_OPTIONS[1:])

    def decorate(function: Command) -> Command:
        @wraps(function)
        def command(**arguments: Any) -> None:
            with Prefetch(_first_files(arguments)):
                given = {name: arguments.pop(name) for name in READING_NAMES if name in arguments}
                function(**arguments, readings=_readings(given))

        return options(command)

    return decorate


def _first_files(arguments: dict[str, Any]) -> tuple[str, ...]:
    """The two files that will be parsed first."""
    named = (arguments.get(name) or () for name in ("key", "response", "responses", "files"))
    files = chain.from_iterable((n,) if isinstance(n, str) else n for n in named)
    return tuple(path_of(file) for file in files)[:2]


def _readings(given: dict[str, Any]) -> Readings:
    """The readings; a usage error where there is no such format."""
    from corefkit.formats import split_readings

    try:
        return split_readings({name: value for name, value in given.items() if value})
    except UsageError as error:
        named = [v for n, v in given.items() if n.endswith("format") and v]
        hint = f" (the form of the output is -f {named[0]})" if named else ""
        raise click.UsageError(f"{error}{hint}") from None


documents_option = click.option(
    "--documents",
    metavar="all|common|FILE",
    default="all",
    show_default=True,
    help="Score all documents of KEY, those in RESPONSE too, or those that FILE lists.",
)
"""The option --documents of the commands that score."""


SECTIONS: dict[str, tuple[str, ...]] = {
    "Policies": (*POLICIES, "settings"),
    "Application scores": ("variant", "tagset"),
    "What is shown": ("plot", "among", "csv_safe"),
    "How files are read": READING_NAMES,
    "Where it is counted": ENGINE_NAMES,
}
"""Options that `--help` only lists, by what they are about."""


class ExplainedOption(click.Option):
    """An option whose help is longer with --help-all: `more` is added then."""

    def __init__(self, *args: Any, more: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.more = more


class LongCommand(CheckedCommand):
    """A command with so many options that `--help` only lists those which few people need."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_all,
                help="Explain every option and exit.",
            )
        )

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those of SECTIONS in full only if all help was asked for."""
        whole = bool(ctx.meta.get("help_all"))
        shown = [p for p in self.get_params(ctx) if isinstance(p, click.Option)]
        sections = {t: [p for p in shown if p.name in inner] for t, inner in SECTIONS.items()}
        others = [p for p in shown if not any(p in options for options in sections.values())]
        for title, options in {"Options": others, **(sections if whole else {})}.items():
            if options:
                with formatter.section(title):
                    formatter.write_dl([r for p in options if (r := _record(p, ctx, whole))])
        if not whole:
            with formatter.section("More options, which --help-all explains"):
                for title, options in sections.items():
                    if options:
                        names = " ".join(p.opts[-1] for p in options)
                        wrapped = TextWrapper(formatter.width, f"  {title:<20} ", " " * 23)
                        wrapped.break_on_hyphens = False
                        formatter.write(wrapped.fill(names) + "\n")


def _record(option: click.Parameter, ctx: click.Context, whole: bool) -> tuple[str, str] | None:
    record = option.get_help_record(ctx)
    if record and whole and isinstance(option, ExplainedOption):
        return record[0], f"{record[1]} {option.more}".rstrip()
    return record


def _show_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta["help_all"] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


profile_option = choice_option("--profile", PROFILES, help="Whose rules to follow.")
"""The option --profile of commands that always have one."""


class PolicyChoice(click.Choice[str]):
    """The values of `duplicates`; also those that stood for a scorer, with a warning later."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The value that was chosen."""
        return value if value in FORMER_DUPLICATES else super().convert(value, param, ctx)


policy_options = option_group(
    *(
        click.option(
            f"--{name}",
            type=(PolicyChoice if name == "duplicates" else click.Choice)(list(values)),
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
    with catch_warnings(record=True) as warned:
        simplefilter("always", DeprecationWarning)
        options = make_options(**{"metrics": metrics} | chosen)
    for warning in warned:
        click.echo(f"warning: {warning.message}", err=True)
    return options


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
