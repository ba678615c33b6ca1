"""corefkit score: the main job."""

import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from corefkit._version import __version__
from corefkit.cli.output import standard_input_once, tell, write_output
from corefkit.groups import GROUPINGS
from corefkit.metrics import DEFAULT
from corefkit.options import POLICIES, PROFILES, STANDARD, Options, UsageError, make_options
from corefkit.render import FORMATS, render

if TYPE_CHECKING:
    from corefkit.scoring import Report


def policy_options(function: Callable[..., None]) -> Callable[..., None]:
    """One option for each policy, its help made from what the values mean."""
    for name, values in reversed(POLICIES.items()):
        default = STANDARD[name]
        meaning = "; ".join(f"{value}: {text}" for value, text in values.items())
        option = click.option(
            f"--{name}",
            type=click.Choice(list(values)),
            help=f"{meaning}.  [default: {default}, or what the profile says]",
        )
        function = option(function)
    return function


@click.command("score")
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@click.option(
    "-m",
    "--metrics",
    multiple=True,
    metavar="METRICS",
    help=f"Names of metrics, with commas or repeated.  [default: {','.join(DEFAULT)}]",
)
@click.option(
    "--profile",
    type=click.Choice(list(PROFILES)),
    help="Whose rules to follow. "
    + "; ".join(f"{name}: {profile.help}" for name, profile in PROFILES.items())
    + ".  [default: standard]",
)
@policy_options
@click.option("--compare-words", "words", flag_value="compare", help="The same as --words compare.")
@click.option(
    "--signature", "text", metavar="SIGNATURE", help="Take all of the above from a signature."
)
@click.option(
    "--by", type=click.Choice(list(GROUPINGS)), help="Also score each document or genre apart."
)
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(FORMATS),
    default="text",
    show_default=True,
    help="text, markdown and latex round; json, tsv and csv never do; conll is the text of the "
    "reference scorer.",
)
@click.option("-o", "--output", metavar="FILE", help="Write to FILE, not to standard output.")
def command(
    key: str,
    responses: tuple[str, ...],
    metrics: tuple[str, ...],
    profile: str | None,
    text: str | None,
    by: str | None,
    form: str,
    output: str | None,
    **policies: str | None,
) -> None:
    """Score each RESPONSE against KEY.

    Both are CoNLL files, also packed (.gz), `-` for standard input, directories or quoted globs,
    whose files are pooled. Each RESPONSE is one system; the key is read once.

    The exit status is 0 if all was scored, 1 if data is bad or cannot be read (the other
    responses are still scored), 2 if the command line is wrong.

    \b
    Examples:
      corefkit score key.conll response.conll
      corefkit score key.conll a.conll b.conll.gz -m conll,lea --by genre
      corefkit score key.conll response.conll -f json -o scores.json
    """
    try:
        options = _options(metrics, profile, text, policies)
    except UsageError as error:
        raise click.UsageError(str(error)) from None
    if form == "conll":
        options = _for_conll(options, responses, by, asked=bool(metrics))
    standard_input_once(key, *responses)
    from corefkit.scoring import score_systems  # noqa: PLC0415 (numpy, only now)

    report = score_systems(key, responses, options)
    tell(report.incidents)
    write_output(lambda bold: render(report, form, by, bold=bold), output)
    scored = all(system.scores for system in report.systems)
    sys.exit(0 if scored and not (form == "conll" and _refused(report)) else 1)


def _refused(report: "Report") -> bool:
    """Whether the reference scorer stops in the middle; said as the original says it."""
    from corefkit.render.conll import REFUSAL, refused  # noqa: PLC0415

    if refused(report):
        click.echo(REFUSAL, err=True)
        return True
    return False


def _options(
    metrics: tuple[str, ...],
    profile: str | None,
    text: str | None,
    policies: dict[str, str | None],
) -> Options:
    """The options as given one by one, or all at once by a signature."""
    if text is None:
        return make_options(metrics, profile or "standard", **policies)
    if metrics or profile or any(policies.values()):
        raise UsageError("--signature already says the metrics, the profile and the policies")
    from corefkit.signature import parse_signature  # noqa: PLC0415

    options, version = parse_signature(text)
    if version not in ("", __version__):
        click.echo(
            f"warning: the signature is of corefkit {version}, this is {__version__}", err=True
        )
    return options


def _for_conll(
    options: Options, responses: tuple[str, ...], by: str | None, *, asked: bool
) -> Options:
    """The text of the reference scorer has one response, its own metrics, and always mentions."""
    from corefkit.render.conll import METRICS  # noqa: PLC0415 (numpy)

    if len(responses) > 1:
        raise click.UsageError("-f conll takes one RESPONSE")
    if by:
        raise click.UsageError("-f conll has no groups: leave out --by")
    known = (*METRICS, "mentions", "conll")
    if asked and (unknown := [name for name in options.metrics if name not in known]):
        raise click.UsageError(f"-f conll prints only {', '.join(METRICS)}, not {unknown[0]}")
    metrics = tuple(name for name in options.metrics if name in METRICS)
    if not metrics:
        raise click.UsageError(f"-f conll prints only {', '.join(METRICS)}")
    return replace(options, metrics=("mentions", *metrics))
