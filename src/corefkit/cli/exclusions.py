"""What excludes what in `corefkit score`: one table, which is asked before anything is read.

It has what follows from the command line alone. What depends on a metric or a profile is decided
where these are known (`scorers`, `scoring.strata`), what depends on a file where it is read.
"""

from collections.abc import Collection
from typing import NamedTuple

import click


class Exclusion(NamedTuple):
    """A choice, the choices that it cannot be combined with, and why."""

    choice: str
    others: tuple[str, ...]
    because: str


_PARTS = ("--by", "--window", "--across", "--losses", "--entities")

EXCLUSIONS = (
    Exclusion("-f conll", _PARTS, "the output of that scorer has no parts"),
    Exclusion("-f corefud", _PARTS, "the output of that scorer has no parts"),
    Exclusion("-f model-index", _PARTS, "a model card has no parts"),
    Exclusion("-f conll", ("several runs",), "that scorer prints one score"),
    Exclusion("-f corefud", ("several runs",), "that scorer prints one score"),
    Exclusion("-f model-index", ("several runs",), "a model card has one score"),
    Exclusion(
        "several runs",
        ("--entities", "--losses", "an engine"),
        "name one response for each system",
    ),
    Exclusion("several runs", ("several levels",), "runs are shown at one level; name one level"),
    Exclusion("several levels", ("--plot",), "differences are tested at one level; name one level"),
    Exclusion("--across", ("--losses", "--entities"), "these are of single documents"),
    Exclusion(
        "--losses",
        ("--window in a table for programs",),
        "the losses are those of whole documents; -f json has both",
    ),
    Exclusion(
        "an engine", ("--by a feature", "--entities", "--losses"), "it counts whole documents"
    ),
)


def refuse(chosen: Collection[str]) -> None:
    """Raise a usage error for the first two choices that exclude each other."""
    for choice, others, because in EXCLUSIONS:
        for other in others:
            if choice in chosen and other in chosen:
                raise click.UsageError(f"{choice} cannot be combined with {other}: {because}")
