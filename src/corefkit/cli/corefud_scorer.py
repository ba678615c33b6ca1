"""corefkit-corefud-scorer: the arguments and the output of corefud-scorer 1.2."""

import sys
from collections.abc import Sequence
from typing import Any

import click

from corefkit._version import __version__
from corefkit.cli.commands import CheckedCommand
from corefkit.cli.output import print_incidents, write_bytes

_METRICS = ("all", "lea", "muc", "bcub", "ceafe", "ceafm", "blanc", "mor", "zero")


class ListingCommand(CheckedCommand):
    """A command whose option -m takes all words up to the next option, as in argparse."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Repeat the option before each of its words, as click requires."""
        return super().parse_args(ctx, repeat_option(args, ("-m", "--metrics")))


def repeat_option(arguments: Sequence[str], names: tuple[str, ...]) -> list[str]:
    """The arguments with an option repeated before each of the words that follow it.

    >>> repeat_option(["-m", "muc", "lea", "--", "key", "sys"], ("-m",))
    ['-m', 'muc', '-m', 'lea', '--', 'key', 'sys']
    """
    repeated: list[str] = []
    inside = False
    for index, word in enumerate(arguments):
        if word == "--":
            return [*repeated, *arguments[index:]]
        if word in names:
            inside = True
            following = arguments[index + 1 : index + 2]
            if not following or following[0].startswith("-"):
                repeated.append(word)  # no value follows: click reports that
        elif inside and not word.startswith("-"):
            repeated += [names[0], word]
        else:
            inside = False
            repeated.append(word)
    return repeated


@click.command(
    "corefkit-corefud-scorer",
    cls=ListingCommand,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, "-V", "--version", message="corefkit-corefud-scorer %(version)s")
@click.argument("key")
@click.argument("response")
@click.option(
    "-m",
    "--metrics",
    type=click.Choice(_METRICS),
    multiple=True,
    default=("all",),
    help="The metrics, all words up to the next option.  [default: all]",
)
@click.option("-s", "--keep-singletons", is_flag=True, help="Evaluate singletons, too.")
@click.option(
    "-a",
    "--match",
    type=click.Choice(("exact", "partial", "head")),
    default="head",
    show_default=True,
    help="How mentions are matched.",
)
@click.option("-x", "--exact-match", is_flag=True, help="Match exactly, regardless of --match.")
@click.option(
    "-z",
    "--zero-match-method",
    type=click.Choice(("linear", "dependent")),
    default="dependent",
    show_default=True,
    help="How zeros are matched.",
)
def command(
    key: str,
    response: str,
    metrics: tuple[str, ...],
    keep_singletons: bool,
    match: str,
    exact_match: bool,
    zero_match_method: str,
) -> None:
    """Score RESPONSE against KEY exactly as corefud-scorer 1.2, the scorer of CRAC 2024 to 2026.

    The arguments and the output are those of corefud-scorer.py, so that a script which calls it
    needs to change one word. Files may also be compressed (.gz).

    \b
    Example:
      corefkit-corefud-scorer key.conllu response.conllu -m muc bcub ceafe
    """
    from corefkit.render.scorer_texts import METRICS

    chosen = METRICS["corefud"] if "all" in metrics else metrics
    policies = {
        "match": "exact" if exact_match else match,
        "singletons": "keep" if keep_singletons else "drop",
        "zeros": zero_match_method,
    }
    print_text(key, response, list(dict.fromkeys(chosen)), "corefud", policies, "corefud")


def print_text(
    key: str,
    response: str,
    metrics: Sequence[str],
    profile: str,
    policies: dict[str, Any],
    form: str,
) -> None:
    """Score one response and print the output `form` of an older scorer; status 1 for bad data."""
    from corefkit.render.scorer_texts import render_scorer_text
    from corefkit.scorers import make_options
    from corefkit.scoring.run import score_systems

    options = make_options(metrics, profile, **policies)
    report = score_systems(key, [response], options)
    print_incidents(report.incidents)
    if not report.scores:
        sys.exit(1)
    write_bytes(render_scorer_text(report, form).encode(), None)
