"""corefkit verify: reproduce a result and compare every number, or compare two results."""

import sys
from typing import TYPE_CHECKING, NoReturn

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import Readings, format_option, output_option, reading_options
from corefkit.cli.output import print_incidents, write_output
from corefkit.core.results import result_json
from corefkit.core.texts import count_of, visible_lines

if TYPE_CHECKING:
    from corefkit.plugins.verify.difference import ResultDifference


@click.command("verify", cls=CheckedCommand)
@click.argument("result", metavar="RESULT.json")
@click.argument("other", metavar="[OTHER.json]", required=False)
@click.option("--key", "key_file", metavar="FILE", help="Where the key is now.")
@click.option(
    "--response",
    "places",
    multiple=True,
    metavar="NAME=FILE",
    help="Where the response of a system is now; NAME@RUN=FILE for a run.",
)
@click.option(
    "--root",
    metavar="DIR",
    default=".",
    show_default=True,
    help="The folder that relative paths of the result start from; for a task, that of its "
    "manifest.",
)
@click.option(
    "--documents",
    metavar="FILE",
    help="The list of documents that were scored, if score had --documents FILE.",
)
@click.option("--unhashed", is_flag=True, help="Compare figures even if the result has no hashes.")
@click.option(
    "--expect",
    "expected",
    multiple=True,
    metavar="[METRIC=]SCORE",
    help="A figure of a paper, e.g. 66.19 or muc.recall=61.3: score RESPONSE against KEY by "
    "--signature, and compare. Repeatable: all are compared.",
)
@click.option("--signature", metavar="SIGNATURE", help="How the figure was computed.")
@format_option(["text", "json"])
@output_option
@reading_options(sides=True)
def command(
    result: str,
    other: str | None,
    key_file: str | None,
    places: tuple[str, ...],
    root: str,
    documents: str | None,
    unhashed: bool,
    expected: tuple[str, ...],
    signature: str | None,
    form: str,
    output: str | None,
    readings: Readings,
) -> None:
    """Reproduce the JSON result of score, compare, errors or task run, and compare every number.

    With two results, or signatures, nothing is scored again: every part of the signatures that
    differs is shown, and the figures that differ, those of systems first.

    First the files are compared by their hashes, then everything is scored again by the signature.
    The exit status is 0 if everything is the same, 3 if anything differs (the first cause is named:
    a file, a system, the version, a figure), 1 if a file is missing or the input is not a result.

    A signature has what was chosen with --read, except for folders. These, and formats, must be
    given to verify as they were to score: --format NAME, --read concepts=FOLDER.

    \b
    Examples:
      corefkit score key.conll response.conll -f json -o scores.json
      corefkit verify scores.json
      corefkit verify scores.json --root elsewhere --response ours=mine/response.conll
      corefkit verify results/task.json --root my-task
      corefkit verify old.json new.json
      corefkit verify --expect 66.19 --signature SIGNATURE key.conll response.conll
    """
    if expected or signature is not None:
        _expect(expected, signature, result, other, readings)
    if other is not None:
        _compare(result, other, form, output)
    from corefkit.plugins.verify.verification import verify_read

    located = dict(_place(text) for text in places)
    outcome = verify_read(
        result,
        readings,
        key=key_file,
        responses=located,
        root=root,
        documents=documents,
        unhashed=unhashed,
    )
    text = (
        result_json("verification", outcome.to_dict())
        if form == "json"
        else visible_lines(f"{outcome}\n")
    )
    write_output(text, output)
    sys.exit(outcome.exit)


def _expect(
    expected: tuple[str, ...],
    signature: str | None,
    key: str,
    response: str | None,
    readings: Readings,
) -> NoReturn:
    if not expected or signature is None or response is None:
        raise click.UsageError(
            "--expect SCORE, --signature SIGNATURE, KEY and RESPONSE go together"
        )
    from corefkit.plugins.verify.expectation import expect

    outcomes, incidents = expect(expected, signature, key, response, readings)
    print_incidents(incidents)
    for outcome in outcomes:
        click.echo(str(outcome))
    sys.exit(0 if all(outcome.same for outcome in outcomes) else 3)


def _compare(first: str, second: str, form: str, output: str | None) -> NoReturn:
    from corefkit.plugins.verify.difference import difference

    found = difference(first, second)
    text = result_json("difference", found._asdict()) if form == "json" else _difference_text(found)
    write_output(text, output)
    sys.exit(found.exit)


def _difference_text(found: "ResultDifference") -> str:
    from corefkit.render.table import make_table, plain_headings
    from corefkit.render.text import render_text

    values = plain_headings("first", "second", kind="score")
    values += plain_headings("difference", kind="change")
    parts = []
    if found.settings:
        headings = plain_headings("setting", "first", "second")
        lines: list[list[str | float]] = [
            [name, *("(not given)" if value is None else value for value in both)]
            for name, both in found.settings.items()
        ]
        parts.append(render_text(make_table("settings", "", headings, [lines])))
    else:
        parts.append("The two were made in the same way.\n")
    if found.scores:
        rows: list[list[str | float]] = [
            [system, metric, first, second, second - first]
            for system, metrics in found.scores.items()
            for metric, (first, second) in metrics.items()
        ]
        headings = [*plain_headings("system", "metric"), *values]
        parts.append(render_text(make_table("scores", "", headings, [rows])))
    if found.figures:
        listed = [f"{name}: {a!r} and {b!r}\n" for name, (a, b) in found.figures.items()]
        also = f"{count_of(len(listed), 'other figure')} differ{'s' * (len(listed) == 1)}"
        more = f"… and {len(listed) - _SHOWN:,} more: -f json\n" if len(listed) > _SHOWN else ""
        parts.append("".join((f"{also}:\n", *listed[:_SHOWN], more)))
    return "\n".join(parts)


_SHOWN = 5
"""The most figures, beside F1 of systems, that are listed."""


def _place(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not equals or not name or not path:
        raise click.UsageError(f"--response: {text!r} is not of the form NAME=FILE")
    return name, path
