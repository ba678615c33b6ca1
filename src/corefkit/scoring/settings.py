"""Several settings in one run: the files are read once, each setting is scored on its own."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from corefkit.data.incidents import errors
from corefkit.data.options import POLICIES, Options, UsageError, choose
from corefkit.formats.choices import PLAIN_SIDES, Readings
from corefkit.scoring.report import Report
from corefkit.scoring.run import read_sides, score_sides
from corefkit.scoring.sides import Readable, prepare_again
from corefkit.scoring.wanted import Documents

SETTING = ("match", "singletons", "zeros")
"""The policies that a setting such as head/drop/dependent names, in order."""


def parse_setting(text: str, options: Options) -> Options:
    """The options with the policies of a setting; those at its end may be left out.

    >>> parse_setting("head/drop", Options()).match
    'head'
    """
    values = text.strip().split("/")
    if len(values) > len(SETTING):
        raise UsageError(f"setting: {text!r} is not of the form {'/'.join(SETTING)}")
    chosen: dict[str, Any] = dict(zip(SETTING, values, strict=False))
    for policy, value in chosen.items():
        choose(f"setting: {policy}", value, POLICIES[policy])
    return replace(options, **chosen)


def score_settings(  # noqa: PLR0913 (as many as there are things to say)
    key: Readable,
    responses: Sequence[Readable],
    settings: Sequence[str],
    options: Options,
    *,
    by: str | None = None,
    readings: Readings = PLAIN_SIDES,
    documents: Documents = "all",
) -> dict[str, Report]:
    """Score several responses against one key in several settings, e.g. "head/drop/dependent".

    The reports stand under the settings as they are written. Everything else is as the options
    say. All files are held in memory and read once.
    """
    chosen = {text: parse_setting(text, options) for text in settings}
    sides = list(read_sides(key, responses, next(iter(chosen.values())), readings))
    found: dict[str, Report] = {}
    for name, wanted in chosen.items():
        again = (s if errors(s.incidents) else prepare_again(s, wanted) for s in sides)
        theirs = again if found else iter(sides)
        found[name] = score_sides(theirs, responses, wanted, by=by, documents=documents)
    return found
