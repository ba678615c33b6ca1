"""corefkit audit: what a scorer computes, and whether its scores are comparable."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from corefkit.cli.commands import CheckedCommand, choice_option, number_option
from corefkit.cli.options import force_option, format_option, metrics_option, output_option
from corefkit.cli.output import fitted, print_message, write_files, write_output
from corefkit.core.options import UsageError
from corefkit.plugins.audit.battery import BATTERY, FORMS, file_names, probe_files, writable
from corefkit.plugins.audit.styles import STYLES
from corefkit.scorers import PROFILES, parse_metrics

if TYPE_CHECKING:
    from corefkit.plugins.audit.runners import Runner

_STYLES = [name for name in STYLES if name != "pairs-each"]


_PLAN = ("random", "seed", "once", "expect", "shrink", "budget", "all_departures", "about")
"""The parameters that a plan takes as they are."""
_CALL = ("style", "path", "order", "documents", "read", "input", "timeout", "stderr", "any_status")
"""The parameters that say how a scorer is called."""


@click.command("audit", cls=CheckedCommand)
@click.argument("scorer", required=False)
@click.option(
    "--command",
    "line",
    metavar="LINE",
    help="A command line with {key} and {response}; {metric} runs it once per metric, {folder} "
    "in a new folder. No shell is involved.",
)
@click.option("--python", "target", metavar="MODULE:NAME", help="A Python class or function.")
@click.option("--answers", metavar="FILE", help="A table of figures, filled in by hand.")
@click.option("--write", "folder", metavar="DIR", help="Write the probes and a table to fill in.")
@choice_option("--style", _STYLES, "How the Python object is called.")
@click.option("--path", metavar="DIR", help="Python: where the module is.")
@choice_option(
    "--documents", ["all", "each"], "--style pairs: all documents at once, or one per call."
)
@choice_option(
    "--order",
    ["rpf", "prf", "fpr", "pfr", "frp", "rfp"],
    "Python: the order of the values in a returned triple.",
)
@metrics_option("Only these metrics.")
@click.option(
    "--read",
    metavar="PRESET|PATTERN",
    multiple=True,
    help="How to read the output: scorer.pl, coval, json, corefkit, a pattern with groups named "
    "metric, recall, precision, f1, or metric=PATTERN for each.  [default: the preset that fits]",
)
@choice_option("--input", FORMS, "The format of the probe files.")
@click.option("--stderr", is_flag=True, help="Also read standard error.")
@click.option(
    "--any-status", is_flag=True, help="Do not treat an exit status other than 0 as a failure."
)
@click.option(
    "--expect",
    type=click.Choice(list(PROFILES)),
    metavar="PROFILE",
    help="The profile that it should match, as in score --profile.",
)
@click.option("--shrink", is_flag=True, help="Find the smallest example of every departure.")
@click.option(
    "--files",
    nargs=2,
    metavar="KEY RESPONSE",
    help="Find the smallest part of these files on which it differs from --expect, or from the "
    "standard; -o PREFIX writes it as PREFIX.key.conll and PREFIX.response.conll.",
)
@click.option(
    "--least",
    type=click.FloatRange(0, 100, min_open=True),
    default=0.1,
    show_default=True,
    help="--files: the least difference, in points of F1.",
)
@number_option("--random", 12, "The number of random probes.", most=1000)
@number_option("--seed", 0, "The seed of the random probes.")
@click.option("--once", is_flag=True, help="Do not repeat every probe to check for stability.")
@click.option(
    "--timeout",
    type=click.FloatRange(0.01),
    default=30.0,
    show_default=True,
    help="The time limit of one run, in seconds.",
)
@click.option(
    "--budget",
    type=click.IntRange(1),
    help="The maximum number of runs to shrink an example or files.  [default: 500; Python 20,000]",
)
@click.option(
    "--all-departures",
    is_flag=True,
    help="Also count departures that concern repeated mentions, 0/0 or epsilons.",
)
@click.option(
    "--about",
    default="",
    metavar="TEXT",
    help="The version or commit of the scorer, for the report.",
)
@output_option
@format_option(["text", "json", "markdown"])
@force_option
def command(**given: Any) -> None:
    """Find out what a scorer computes, and whether its scores are comparable.

    SCORER is a command line with {key} and {response}, MODULE:NAME, or a table of figures. It is
    run on 35 small probes and some random ones. Only what you name is run, with your permissions
    and with limits on time, output and memory.

    Exit status: 0 if it agrees with the standard on clean input (or with --expect), 3 if every
    departure is a known one, 4 if something is unknown, 1 if it cannot be run, 2 if the command
    line is wrong.

    \b
    Examples:
      corefkit audit --python metrics:CorefEvaluator --style e2e
      corefkit audit --command 'perl scorer.pl all {key} {response} none' --read scorer.pl
      corefkit audit --write probes
    """
    if given["folder"] is not None:
        if any(given[name] for name in ("line", "target", "answers", "scorer")):
            raise click.UsageError("--write takes no scorer")
        _write(given["folder"], given["input"], force=given["force"])
        return
    from corefkit.plugins.audit.audit_result import AuditPlan
    from corefkit.plugins.audit.run import run_audit
    from corefkit.plugins.audit.runners import RUNNERS, ScorerCall
    from corefkit.plugins.audit.tables import render_audit

    metrics = parse_metrics(given["metrics"])
    plan = AuditPlan(metrics=metrics, **{name: given[name] for name in _PLAN})
    kind, scorer = _named(given)
    call = ScorerCall(metrics=metrics, **{name: given[name] for name in _CALL})
    runner = RUNNERS[kind](scorer, call)
    with _ended_by_sigterm():
        if given["files"]:
            _shrink(runner, metrics, given)
            return
        audit = run_audit(runner, plan, _progress(runner.kind))
    form, output = given["form"], given["output"]
    shown = render_audit(audit, form, _invocation())
    if form == "text" and output is None:
        shown = fitted(shown, sys.stdout)
    write_output(shown, output)
    sys.exit(audit.exit)


@contextmanager
def _ended_by_sigterm() -> Iterator[None]:
    """Let SIGTERM end the block as an exception, so that the scorer ends and its folder goes."""
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _shrink(runner: "Runner", metrics: tuple[str, ...], given: dict[str, Any]) -> None:
    """Show the smallest part of the files on which the scorer differs from a profile."""
    from corefkit.formats import read
    from corefkit.plugins.audit.run import shrink_difference
    from corefkit.render.explain import render_shrunk

    form, prefix, profile = given["form"], given["output"], given["expect"] or "standard"
    if form not in ("text", "json"):
        raise click.UsageError("--files: choose -f text or json")
    key, response = map(read, given["files"])
    budget = given["budget"] or runner.budget
    how = {"least": given["least"], "budget": budget}
    shrunk = shrink_difference(runner, profile, (key, response), metrics, **how)
    if prefix is not None:
        write_files(shrunk.files(prefix), given["files"], force=given["force"])
    write_output(render_shrunk(shrunk, (profile, runner.named), form), None)


def _named(given: dict[str, Any]) -> tuple[str, str]:
    """The kind of the scorer (command, python or answers), and its command, name or file."""
    scorers = {"command": given["line"], "python": given["target"], "answers": given["answers"]}
    if scorer := given["scorer"]:
        kind = "command" if "{" in scorer else "python" if ":" in scorer else "answers"
        if scorer.endswith(".py"):
            raise click.UsageError(f"name the class or function, too: {scorer}:NAME")
        if scorers[kind] is not None:
            raise click.UsageError(_ONE)
        scorers[kind] = scorer
    chosen = [(kind, name) for kind, name in scorers.items() if name is not None]
    if len(chosen) != 1:
        raise click.UsageError(_ONE)
    return chosen[0]


_ONE = "give one scorer: --command, --python or --answers"


def _progress(kind: str) -> Any:
    """A function that estimates, after the first run, how long all runs take, if that is long.

    The first run of Python code also imports it, so the estimate is made after the second.
    """
    first = 1 if kind == "command" else 2

    def estimate(done: int, total: int, seconds: float) -> None:
        if done == first and seconds * total > 5:
            print_message(
                f"{total} runs of about {seconds:.1f} s: about {seconds * total:.0f} s", aside=True
            )

    return estimate


def _invocation() -> str:
    import shlex

    from corefkit.plugins.audit.runners import presentable

    return presentable(shlex.join(["corefkit", *sys.argv[1:]]))


_HOW_TO = """\
Probes for a scorer that cannot be run from here
================================================

Each probe is a pair of files, NUMBER-NAME.key{ending} and NUMBER-NAME.response{ending}. Score each
pair, and write what comes out into answers.tsv: recall, precision and F1, as percentages or as
fractions, with all printed digits. Leave a cell empty if the scorer gives no value; an empty cell
means no answer, never 0. Then:

    corefkit audit --answers answers.tsv
"""


def _write(folder: str, form: str, *, force: bool) -> None:
    """Write the files of all probes, a table to fill in, and a README."""
    endings = [name.partition(".")[2] for name in file_names(form)]
    files: dict[str, bytes] = {}
    rows = ["probe\tmetric\trecall\tprecision\tf1"]
    for number, probe in enumerate(BATTERY, 1):
        if not writable(probe, form):
            continue
        for side, data in zip(("key", "response"), probe_files(probe.documents, form), strict=True):
            files[f"{folder}/{number:02}-{probe.id}.{side}.{endings[0]}"] = data
        rows += [f"{probe.id}\t{metric}\t\t\t" for metric in ("muc", "bcub", "ceafe")]
    files[f"{folder}/answers.tsv"] = ("\n".join(rows) + "\n").encode()
    files[f"{folder}/README.txt"] = _HOW_TO.format(ending=f".{endings[0]}").encode()
    try:
        write_files(files, (), force=force, named=folder)
    except UsageError as error:
        raise click.UsageError(str(error)) from None
    print_message(
        f"{len(files) - 2} files and a table are in {folder}: score the files and fill in "
        "answers.tsv"
    )
