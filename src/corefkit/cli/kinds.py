"""The options that say what is a pronoun and what a name, shared by `errors` and `report`."""

from pathlib import Path

import click

from corefkit.cli.values import option_group
from corefkit.data.options import TAGSETS, UsageError

kind_options = option_group(
    click.option(
        "--tagset",
        type=click.Choice(list(TAGSETS)),
        default="auto",
        help="Whose pronouns and names the tags of the key are.  [default: auto]",
    ),
    click.option(
        "--pronouns",
        metavar="FILE",
        help="The words that are pronouns, one a line, instead of what the tags or our list say.",
    ),
)
"""The options --tagset and --pronouns of a command."""


def read_list(path: str | None) -> list[str] | None:
    """The words of the file of --pronouns; UsageError where it cannot be read."""
    if path is None:
        return None
    from corefkit.mentions.kinds import read_pronouns

    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"--pronouns {path}: cannot be read: {why}") from None
    return list(read_pronouns(text.splitlines()))
