"""corefkit study: what else can be learnt from metrics and corpora."""

import click

from corefkit.cli.app import CommandGroup


@click.group("study", cls=CommandGroup)
def command() -> None:
    """Score links at every threshold, estimate the power of tests, make keys with known errors.

    `corefkit study COMMAND --help` explains a command.
    """
