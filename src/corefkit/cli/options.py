"""The options that commands share: where results go, how to score, how files are read.

Policies and options of reading are declared in `corefkit.core.options`; the options of the command
line are made from these declarations.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from corefkit.cli.commands import (
    Command,
    Decorator,
    ExplainedOption,
    listed_option,
    number_option,
    option_group,
)
from corefkit.cli.exclusions import BY_RUN
from corefkit.cli.output import ending_of, has_printed_broken
from corefkit.core.languages import LANGUAGES
from corefkit.core.names import (
    GROUPINGS,
    PATTERN,
    Response,
    ResponseFile,
    is_of_documents,
    pattern_grouping,
    split_run,
)
from corefkit.core.options import (
    DEFAULT,
    LEVELS,
    PIECES,
    POLICIES,
    STANDARD,
    TAGSETS,
    Options,
    UsageError,
    did_you_mean,
)
from corefkit.core.style import MOST_DIGITS
from corefkit.formats.options import COLUMNS, LAYER, get_option, option_names
from corefkit.formats.table import OPTIONS
from corefkit.metrics import BREAKDOWNS, NAMES, VARIANTS
from corefkit.render.table import FORMATS
from corefkit.scorers import PROFILES, make_options
from corefkit.stats import FAILED, MOST_SAMPLES

if TYPE_CHECKING:
    from corefkit.core import options
    from corefkit.metrics.base import Metrics

Readings: TypeAlias = "options.Readings"
"""How the two sides are read: the type for annotations, without importing formats."""

output_option: Decorator = click.option(
    "-o", "--output", metavar="FILE", help="Write to FILE instead of standard output."
)
"""The option -o of a command."""


path_option = click.option(
    "-o", "--output", metavar="PATH", help="Where to write; a directory if the input is one."
)
"""The option -o of commands that take a file or a directory."""


force_option: Decorator = listed_option(
    "Output", "--force", is_flag=True, help="Replace existing files."
)
"""The option --force of commands that write into directories."""

csv_safe_option: Decorator = listed_option(
    "Output",
    "--csv-safe",
    is_flag=True,
    help="csv, tsv: put an apostrophe before text that a spreadsheet would run as a formula.",
)
"""The option --csv-safe, for people who open files with names given by strangers."""


digits_option: Decorator = listed_option(
    "Output",
    "--digits",
    type=click.IntRange(0, MOST_DIGITS),
    metavar="N",
    help="Show scores with N decimals; json, jsonl, tsv and csv never round.  [default: 2]",
)
"""The option --digits of commands that show scores."""


FORM_OF_SUFFIX = {name: name for name in ("json", "jsonl", "csv", "tsv", "html")}
FORM_OF_SUFFIX |= {"txt": "text", "log": "text", "out": "text", "md": "markdown", "tex": "latex"}
"""The format of an output by the suffix of its name, if -f is not given."""


def format_option(
    forms: Sequence[str] = FORMATS, help: str = "", *, by_name: bool = True
) -> Decorator:
    """The option -f of a command, and --csv-safe if one of the formats is CSV.

    The default follows the name of -o (`by_name`), or is text in a command without -o.
    """
    listed, more = ", ".join(forms), " …" if len(forms) > len(FORMATS) else ""
    default, rest = ("by the name of -o", ", else text") if by_name else ("text", "")
    option = click.option(
        "-f",
        "--output-format",
        "form",
        cls=ExplainedOption,
        type=click.Choice(list(forms)),
        metavar="FORM",
        callback=form_by_output,
        help=f"{listed}. {help}".rstrip() + f"  [default: {default}{rest}]",
        brief=f"{', '.join(forms[: len(FORMATS)])}{more}  [default: {default}]",
    )
    safe = (csv_safe_option,) if "csv" in forms else ()
    return option_group(option, digits_option, *safe)


def form_by_output(context: click.Context, option: click.Parameter, form: str | None) -> str:
    """The format that -f names, or else that of -o, which click has parsed by then, if given."""
    assert isinstance(option.type, click.Choice)
    return form or form_of(context.params.get("output"), option.type.choices)


def form_of(output: str | None, known: Sequence[str]) -> str:
    """The format by the name of an output; a usage error if it is not one of `known`.

    Pipes, devices and names without a suffix get text.
    """
    ending = ending_of(output)
    form = FORM_OF_SUFFIX.get(ending, "") if ending else "text"
    if form not in known:
        reason = f"does not write {form}" if form else f"writes no format that ends in .{ending}"
        raise click.UsageError(
            f"{output}: this command {reason}; name another file, or choose a format "
            f"with -f: {', '.join(known)}"
        )
    return form


profile_names = ", ".join(PROFILES)
OTHER_SCORERS = "the rules of another scorer: conll-8.01, coval, e2e, corefud, ua …"
"""What `--help` says of --profile."""

profile_option = click.option(
    "--profile",
    cls=ExplainedOption,
    brief=OTHER_SCORERS,
    type=click.Choice(list(PROFILES)),
    metavar="NAME",
    default="standard",
    show_default=True,
    help=f"Whose rules to follow: {profile_names}.",
)
"""The option --profile of commands whose default is standard."""


def policy_options(function: Command) -> Command:
    """An option for each policy, and --strict and --lax for defective input."""
    return option_group(*map(_policy_option, _SINGLE), _STRICT, _LAX)(function)


_STRICT = listed_option(
    "Policies",
    "--strict",
    is_flag=True,
    help="Refuse defective input: a missing or an extra document, names of documents or words that "
    "differ, an altered text, a span that occurs twice.",
)
_LAX = listed_option(
    "Policies",
    "--lax",
    is_flag=True,
    help="Treat defective input as the profile standard does, though the chosen one is stricter: "
    "ua refuses missing and extra documents and other words, corefud other words.",
)
_SINGLE = tuple(name for name in POLICIES if name != "layer")
"""The policies but --layer, which is one of the options of reading."""


_SHORT = {
    "match": "When a response mention matches a key mention.",
    "singletons": "How to treat entities of one mention.",
}
"""The policies that most people need, with the short help of `--help`."""


def _policy_option(name: str) -> Decorator:
    values = click.Choice(list(POLICIES[name]))
    if name in _SHORT:
        return click.option(
            f"--{name}",
            type=values,
            metavar="RULE",
            cls=ExplainedOption,
            help=f"{_SHORT[name]}  [default: {STANDARD[name]}, or as in the profile]",
            brief=f"{', '.join(POLICIES[name])}  [default: {STANDARD[name]}]",
            rows={f"  {value}": text for value, text in POLICIES[name].items()},
        )
    return listed_option("Policies", f"--{name}", type=values, help=_explain_policy(name))


def _explain_policy(name: str) -> str:
    meanings = "; ".join(f"{value}: {text}" for value, text in POLICIES[name].items())
    return f"{meanings}.  [default: {STANDARD[name]}, or as in the profile]"


language_option = listed_option(
    "Application scores",
    "--language",
    type=click.Choice(["auto", *LANGUAGES]),
    metavar="CODE",
    help="The language of the key, whose word list finds pronouns if there are no tags: "
    f"{', '.join(LANGUAGES)}.  [default: auto, by file names and common words]",
)
"""The option --language of the commands that distinguish kinds of mentions."""
_APPLICATIONS = (
    listed_option(
        "Application scores",
        "--variant",
        multiple=True,
        metavar="[METRIC=]VARIANT",
        help="The variant of all metrics that have it, or of one metric. "
        + "; ".join(f"{metric}: {', '.join(known)}" for metric, known in VARIANTS.items())
        + ".",
    ),
    listed_option(
        "Application scores",
        "--tagset",
        type=click.Choice(list(TAGSETS)),
        help="The tagset of the key.  [default: auto]",
    ),
    language_option,
)
"""The options of application scores."""


_METRICS = "Names of metrics, separated by commas.  [default: those of the profile]"
CONLL_METRICS = "Names, with commas.  [default: conll; json, tsv and csv: those of the profile]"
"""The help of -m for commands whose texts show only the CoNLL average by default."""
_DEFAULT = f"The profile standard has {', '.join(DEFAULT)}; `corefkit metrics` lists all."


def metrics_option(help: str = _METRICS) -> Decorator:
    """The option -m of commands that have no other options of scoring (see `scoring_options`)."""
    return click.option(
        "-m",
        "--metrics",
        multiple=True,
        shell_complete=complete_metrics,
        metavar="METRICS",
        cls=ExplainedOption,
        help=help,
        brief="Names, with commas; `corefkit metrics` lists them." if help == _METRICS else "",
        more=_DEFAULT if help == _METRICS else "",
    )


def scoring_options(metrics: str = _METRICS) -> Decorator:
    """All options of scoring: -m with the given help, policies, variants, tagset, language."""
    return option_group(
        metrics_option(metrics), policy_options, _LABELS, _LEAVE_OUT, *_APPLICATIONS
    )


_LEAVE_OUT = listed_option(
    "Policies",
    "--leave-out",
    metavar="KIND,…",
    help="Leave out mentions of both sides, using the trees of a CorefUD key: appositive, "
    "predicate (or copula), relative, reflexive, reciprocal, compound, verb, nested, singleton.",
)
_LABELS = listed_option(
    "Policies",
    "--labels",
    metavar="NAME,…",
    help="Match only mentions with the same labels, e.g. type, kb, realis, etype; none for no "
    "labels.",
)


window_options = option_group(
    listed_option(
        "Parts of scores",
        "--window",
        multiple=True,
        metavar="W,…",
        help="Also score windows of W tokens, e.g. 500,1500.",
        more="Or sentences:20, paragraphs, re:PATTERN. A mention belongs to the window that "
        "contains its first token; re: cuts at each sentence of the key that matches.",
    ),
    listed_option(
        "Policies",
        "--window-singletons",
        type=click.Choice(list(PIECES)),
        help="; ".join(f"{name}: {text}" for name, text in PIECES.items()) + ".  [default: follow]",
    ),
)
"""The options --window and --window-singletons of the commands that cut documents into windows."""


level_options = option_group(
    listed_option(
        "Parts of scores",
        "--across",
        multiple=True,
        metavar="LEVEL,…",
        help="Score entities across documents: topic, corpus, none, all, or several of them.",
        more="; ".join(f"{name}: {text}" for name, text in LEVELS.items())
        + ". Equal ids are one entity; scores are those of the widest level. See `corefkit help "
        "cross-document`.",
    ),
    listed_option(
        "Policies",
        "--topic",
        metavar="REGEX",
        help="With --across: a pattern that finds the topic in a document's name, e.g. "
        "'^([0-9]+)_'.  "
        "[default: as in the format; in ECB+, what precedes the first _]",
    ),
)
"""The options --across and --topic of the commands that score entities across documents."""


run_options = option_group(
    listed_option(
        "How files are read",
        "--runs",
        multiple=True,
        metavar="NAME=GLOB",
        help="Several runs of one system, one per file, e.g. 'mine=out/seed*.conll'.",
        more="A single run can be given as a RESPONSE: mine@1=seed1.conll. Scores are means "
        "over runs.",
    ),
    listed_option(
        "Policies",
        "--failed",
        type=click.Choice(list(FAILED)),
        help="What to do with a run that cannot be scored. "
        + "; ".join(f"{name}: {text}" for name, text in FAILED.items())
        + ".  [default: error]",
    ),
)
"""The options --runs and --failed of the commands that accept several runs of a system."""


TESTS = "Intervals and tests"
"""The section of --help-all with the options of resampling."""

sampling_options = option_group(
    number_option(
        "--samples", 10_000, "How many samples of documents are drawn.", 1, MOST_SAMPLES, TESTS
    ),
    number_option(
        "--seed", 2012, "The seed of the random numbers; part of the signature.", section=TESTS
    ),
)
"""The options --samples and --seed of the commands that resample documents."""

FOR_PROGRAMS = ("json", "tsv", "csv")
"""Those of FORMATS that do not round, and that have all default metrics if none are named."""

rounding_format_option = format_option(
    help="text, markdown and latex round; json, tsv and csv never do."
)
"""The option -f of commands with intervals and tests."""


def has_runs(responses: tuple[ResponseFile, ...], patterns: tuple[str, ...]) -> bool:
    """Whether there are runs: by --runs, or by a response given as NAME@RUN=FILE.

    A usage error if there is neither a response nor --runs.
    """
    if not responses and not patterns:
        raise click.UsageError("Missing argument 'RESPONSE...'.")
    return bool(patterns) or any(isinstance(r, Response) and split_run(r.name) for r in responses)


def chosen_options(given: Mapping[str, Any], metrics: "Metrics" = ()) -> Options:
    """The Options for the parameters of a command; `metrics` is the default of -m."""
    chosen = {name: value for name, value in given.items() if value}
    window, pieces = chosen.pop("window", ()), chosen.pop("window_singletons", None)
    options = make_options(**{"metrics": metrics} | chosen)
    if window:
        from corefkit.scorers.windows import with_windows

        return with_windows(options, window, pieces or "follow")
    return options


def complete_metrics(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """The completions of an incomplete list of metrics, separated by commas."""
    before, comma, last = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in NAMES if name.startswith(last)]


documents_option = click.option(
    "--documents",
    cls=ExplainedOption,
    metavar="WHICH",
    brief="all, common, union or a file  [default: all]",
    default="all",
    show_default=True,
    help="all|common|union|FILE: score all documents of KEY, only those that RESPONSE also has "
    "(common), also those that only RESPONSE has (union), or those listed in FILE.",
)
"""The option --documents of the commands that score."""

common_option = listed_option(
    "Policies",
    "--documents",
    type=click.Choice(["all", "common"]),
    help="All documents of KEY, or only those that every RESPONSE also has.  "
    "[default: all, or as in the profile]",
)
"""The option --documents of the commands that show errors and outcomes."""


def groupings(
    context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    """Check the values of --by: groupings of documents, features, labels, distances.

    Runs are parts of their systems in any case: only whether they are asked for is kept. Labels
    and distances are left to `check_groupings`: they need numpy, which a command loads while its
    files are being loaded.
    """
    context.meta[BY_RUN] = "run" in given
    given = tuple(by for by in given if by != "run")
    known = (*GROUPINGS, *BREAKDOWNS)
    try:
        for by in given:
            if by.startswith(PATTERN):
                pattern_grouping(by)
            elif not by.startswith((ENTITY, LINK)) and by not in known:
                listed = ", ".join((*known, *_CUTS, ENTITY + "…", LINK + "…"))
                raise UsageError(f"{by!r} is not one of {listed}{did_you_mean(by, known)}")
    except UsageError as error:
        raise click.BadParameter(str(error), context, option) from None
    if len([by for by in given if is_of_documents(by)]) > 1:
        raise click.BadParameter("give one grouping of documents, not several", context, option)
    return tuple(dict.fromkeys(given))


_CUTS = ("window:…", "across:…", "run")
"""Values of --by that stand for other options, see `CheckedCommand`, or for several runs."""

LINK = "link:"
"""The prefix of distances of links."""
_LINK_UNITS = ("tokens", "sentences", "mentions")

ENTITY = "entity:"
"""The prefix of labels of entities."""

_ENTITY_LABELS = ("size", "spread", "sentences", "kind", "first", "type", "major=")


def complete_groupings(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """The completions of an incomplete value of --by."""
    known = (*GROUPINGS, *BREAKDOWNS, *(ENTITY + name for name in _ENTITY_LABELS))
    known += ("window:", *(f"across:{level}" for level in LEVELS), "run")
    known += tuple(LINK + unit for unit in _LINK_UNITS)
    return [name for name in known if name.startswith(incomplete)]


def annotator_sides(
    responses: tuple[ResponseFile, ...], readings: Readings, *, curation: bool = False
) -> tuple[ResponseFile, ...]:
    """The responses, in which a file with several annotators becomes one response for each."""
    from corefkit.formats.kit.annotators import with_annotators

    return with_annotators(responses, readings.response, curation=curation)


READING_NAMES = ("read", "format", "columns", "layer", "key_format", "response_format")
"""The parameters of the options of reading."""


def complete_reading(_: click.Context, __: click.Parameter, incomplete: str) -> list[str]:
    """The completions of an incomplete value of --read."""
    options = [*map(get_option, option_names())]
    names = [f"{option.name.replace('_', '-')}=" for option in options]
    values = [
        f"{option.name.replace('_', '-')}={value}"
        for option in options
        for value in (("yes", "no") if option.kind == "flag" else option.values)
    ]
    known = [*names, *values] if "=" in incomplete else names
    return [
        text
        for side in ("", "key:", "response:")
        for text in (side + n for n in known)
        if text.startswith(incomplete)
    ]


_FORMAT = listed_option(
    "How files are read",
    "--format",
    metavar="NAME",
    help="The format of the files, one of `corefkit formats`.  [default: by the content]",
)
_BOTH = (
    listed_option(
        "How files are read", "--key-format", metavar="NAME", help="The format of KEY alone."
    ),
    listed_option(
        "How files are read",
        "--response-format",
        metavar="NAME",
        help="The format of each RESPONSE.",
    ),
)
_READ = (
    listed_option(
        "How files are read",
        "--read",
        multiple=True,
        metavar="NAME=VALUE",
        shell_complete=complete_reading,
        help="What only some formats understand, e.g. clusters=predicted_clusters or lenient=yes; "
        "key:NAME=VALUE and response:NAME=VALUE are for one side. Can be repeated. `corefkit "
        "formats FORMAT` explains the names: "
        f"{', '.join(name.replace('_', '-') for name in OPTIONS)}.",
    ),
    listed_option(
        "How files are read",
        "--layer",
        metavar=LAYER.metavar,
        help=f"{LAYER.formats}: {LAYER.help}",
        more=f"CoNLL-UA: {_explain_policy('layer')}",
    ),
    listed_option(
        "How files are read",
        "--columns",
        metavar=COLUMNS.metavar,
        help="The columns of tables, e.g. mention=token_id,entity=cluster; for sides with "
        "different names, entity=person/cluster.",
    ),
)
_BROKEN = listed_option(
    "How files are read",
    "--allow-broken",
    is_flag=True,
    help="Mark-up: exit with status 0 even if some of several answers are broken and count as "
    "empty.",
)


def reading_options(*, sides: bool) -> Decorator:
    """The options of reading, which the command gets as one argument, `readings`.

    Without `sides` the command reads corpora that are neither key nor response, and uses
    `readings.key`.
    """
    both, broken = (_BOTH, (_BROKEN,)) if sides else ((), ())
    options = option_group(_FORMAT, *both, *_READ, *broken)

    def decorate(function: Command) -> Command:
        @wraps(function)
        def command(**arguments: Any) -> None:
            given = {name: arguments.pop(name) for name in READING_NAMES if name in arguments}
            with _status_of_answers(allowed=arguments.pop("allow_broken", True)):
                function(**arguments, readings=_readings(given))

        return options(command)

    return decorate


@contextmanager
def _status_of_answers(*, allowed: bool) -> Iterator[None]:
    """Exit with status 1 instead of 0 if some answers were broken, unless that is allowed."""
    try:
        yield
    except SystemExit as end:
        if end.code or allowed or not has_printed_broken():
            raise
    if not allowed and has_printed_broken():
        sys.exit(1)


def _readings(given: dict[str, Any]) -> Readings:
    """The readings; a usage error if there is no such format."""
    from corefkit.core.table_columns import renamed_columns
    from corefkit.formats.options import split_readings

    try:
        readings = split_readings({n: v for n, v in given.items() if v})
        for reading in readings:
            renamed_columns(reading.listed("columns"))
        return readings
    except UsageError as error:
        named = [v for n, v in given.items() if n.endswith("format") and v]
        hint = f" (the form of the output is -f {named[0]})" if named else ""
        raise click.UsageError(f"{error}{hint}") from None
