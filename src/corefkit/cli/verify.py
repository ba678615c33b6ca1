"""corefkit verify: does a result come out again?"""

import sys

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import format_option, output_option
from corefkit.cli.output import write_output
from corefkit.core.texts import to_json, visible_lines


@click.command("verify", cls=CheckedCommand)
@click.argument("result", metavar="RESULT.json")
@click.option("--key", metavar="FILE", help="Where the key is now.")
@click.option(
    "--response",
    "responses",
    multiple=True,
    metavar="NAME=FILE",
    help="Where the response of a system is now.",
)
@click.option(
    "--root",
    metavar="DIR",
    default=".",
    show_default=True,
    help="The folder that relative paths of the result start from.",
)
@click.option(
    "--unhashed", is_flag=True, help="Compare figures also where the result has no hashes."
)
@format_option(["text", "json"])
@output_option
def command(
    result: str,
    key: str | None,
    responses: tuple[str, ...],
    root: str,
    unhashed: bool,
    form: str,
    output: str | None,
) -> None:
    """Repeat the JSON result of score, compare or errors, and compare every number.

    First the files by their hashes, then everything is scored again by the signature. The exit
    status is 0 if all is the same, 3 if anything is not (the first thing that explains it is
    named: a file, a system, the version, a figure), 1 if a file is missing or it is not a result.

    \b
    Examples:
      corefkit score key.conll response.conll -f json -o scores.json
      corefkit verify scores.json
      corefkit verify scores.json --root elsewhere --response ours=mine/response.conll
    """
    from corefkit.render.receipts import verify

    places = dict(_place(text) for text in responses)
    outcome = verify(result, key=key, responses=places, root=root, unhashed=unhashed)
    text = to_json(outcome.to_dict()) if form == "json" else visible_lines(f"{outcome}\n")
    write_output(lambda _: text, output)
    sys.exit(outcome.exit)


def _place(text: str) -> tuple[str, str]:
    name, equals, path = text.partition("=")
    if not equals or not name or not path:
        raise click.UsageError(f"--response: {text!r} is not of the form NAME=FILE")
    return name, path
