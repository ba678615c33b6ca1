"""What `errors` and `report` share: their options, and finding errors as these say."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from corefkit.cli.options import Readings, chosen_options, policy_options, profile_option
from corefkit.cli.output import tell
from corefkit.cli.parameters import Decorator, option_group
from corefkit.core.names import ResponseFile
from corefkit.core.options import TAGSETS, UsageError

if TYPE_CHECKING:
    from corefkit.scoring.errors import ErrorReport


def error_options(metrics: Decorator) -> Decorator:
    """How to score, and what is a pronoun and what a name; `metrics` is the option -m."""
    return option_group(
        metrics,
        profile_option,
        policy_options,
        click.option(
            "--tagset",
            type=click.Choice(list(TAGSETS)),
            default="auto",
            help="Whose pronouns and names the tags of the key are.  [default: auto]",
        ),
        click.option(
            "--pronouns",
            metavar="FILE",
            help="The words that are pronouns, one a line, instead of what the tags or our list "
            "say.",
        ),
    )


def found_errors(
    key: str, responses: tuple[ResponseFile, ...], scoring: Mapping[str, Any], readings: Readings
) -> "ErrorReport":
    """The errors of the responses, as the options say; what was noticed on the way is told."""
    from corefkit.scoring.errors import find_errors

    how = dict(scoring)
    words = _read_list(how.pop("pronouns"))
    options = chosen_options(how, "conll")
    report = find_errors(key, responses, options, pronouns=words, readings=readings)
    tell(report.incidents)
    return report


def _read_list(path: str | None) -> list[str] | None:
    """The words of the file of --pronouns; UsageError where it cannot be read."""
    if path is None:
        return None
    from corefkit.applications.features import read_pronouns

    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise UsageError(f"--pronouns {path}: cannot be read: {why}") from None
    return list(read_pronouns(text.splitlines()))
