"""What excludes what, and what needs what, on command lines: one table, which --help-all prints.

It is asked before anything is read, and has what follows from the command line alone. What depends
on a metric or a profile is decided where these are known (`scorers`, `scoring.strata`), what
depends on a file where it is read.
"""

from collections.abc import Collection
from typing import NamedTuple

import click

from corefkit.core.options import POLICIES


class Exclusion(NamedTuple):
    """A choice, the choices that it cannot be combined with, and why, with the way out."""

    choice: str
    others: tuple[str, ...]
    because: str


class Need(NamedTuple):
    """A choice that has a meaning only beside one of others."""

    choice: str
    others: tuple[str, ...]


RUNS = "several runs (--runs)"
LEVELS = "several levels of --across"
ENGINE = "an engine (--engine)"
NO_TABLE = "a --format that is no table"
STRATA = "--by of mentions or entities"
ENTITIES = "--by entity:…"
BY_RUN = "--by run"
WINDOWS_FOR_PROGRAMS = "--window in csv or tsv"
LINKS_IN_TEXT = "--links in text"
"""Choices that an option alone does not make; the command says whether they are made."""

_PARTS = ("--by", "--window", "--across", "--losses", "--entities")
_OF_SIGNATURES = (
    *("--match", "--singletons", "--profile", "--window", "--window-singletons"),
    *("--across", "--topic", "--zeros", "--split", "--heads", "--duplicates", "--align"),
    *("--unaligned", "--average", "--strict", "--lax", "--labels", "--leave-out", "--variant"),
    *("--tagset", "--language"),
)
_WHOLE = ("--split only", "--match semeval", "--match min")
_NOT_WHOLE = (
    "strata and errors are of whole mentions that match one to one; choose --match exact, for "
    "example"
)
_NO_MEANS = "means over documents cannot be divided; leave out --average"
_APPLICATIONS = "application scores are of whole documents; score them by themselves"
_ONE_SCORE = "that output is one score: choose another format"

_DEFECTS = Exclusion("--strict", ("--lax",), "leave one of the two out")
_CUT_OR_JOINED = Exclusion(
    "--window", ("--across",), "documents are cut or joined; leave one of them out"
)
_PARTS_NEED = (
    Need("--window-singletons", ("--window",)),
    Need("--topic", ("--across",)),
    Need("--failed", (RUNS,)),
    Need(BY_RUN, (RUNS,)),
)
_NO_TEXT = tuple(
    f"-f {form}" for form in ("json", "jsonl", "tsv", "csv", "markdown", "latex", "html")
)
_OF_LISTS = ("--type", "--kind", "--word", "--sample", "--sort", "--most")

TABLE: dict[str, tuple[Exclusion | Need, ...]] = {
    "score": (
        Exclusion("-f conll", (*_PARTS, RUNS, "--average documents", "--variant"), _ONE_SCORE),
        Exclusion("-f corefud", (*_PARTS, RUNS, "--average documents", "--variant"), _ONE_SCORE),
        Exclusion(
            "-f corefud",
            ("--duplicates", "--match mina", "--match semeval", "--match min", ENGINE),
            "its profile matches in its own way; leave the other out",
        ),
        Exclusion("-f model-index", (*_PARTS, RUNS), _ONE_SCORE),
        Exclusion("--signature", _OF_SIGNATURES, "it says all of them; leave one of the two out"),
        _DEFECTS,
        _CUT_OR_JOINED,
        Exclusion("--across", ("--losses", "--entities"), "these are of single documents"),
        Exclusion(LEVELS, ("--plot", RUNS), "name one level"),
        Exclusion(STRATA, ("--across",), "strata are of single documents; leave out --across"),
        Exclusion(STRATA, _WHOLE, _NOT_WHOLE),
        Exclusion("--entities", _WHOLE, _NOT_WHOLE),
        Exclusion("--losses", _WHOLE[1:], _NOT_WHOLE),
        Exclusion("--average documents", (STRATA, "--losses", "--entities"), _NO_MEANS),
        Exclusion(
            "--variant",
            ("--window", "--across", "--losses", "--average documents", ENTITIES, ENGINE),
            _APPLICATIONS,
        ),
        Exclusion("--losses", (WINDOWS_FOR_PROGRAMS,), "they are of whole documents; see -f json"),
        Exclusion(RUNS, ("--entities", "--losses", ENGINE), "name one response for each system"),
        Exclusion(
            ENGINE,
            (
                *(STRATA, "--window", "--entities", "--losses", "--documents", "--labels"),
                *("--leave-out", "--split only", "--duplicates listed", "--average documents"),
                NO_TABLE,
                *(f"--match {value}" for value in POLICIES["match"] if value != "exact"),
            ),
            "an engine counts whole documents of tables of mentions; leave out --engine",
        ),
        *_PARTS_NEED,
        Need("--agreement", (RUNS,)),
    ),
    "compare": (
        _DEFECTS,
        Exclusion("--paper", ("--by",), "that table has no strata; leave out --by"),
        Exclusion("--by", _WHOLE, _NOT_WHOLE),
        Exclusion("--by", ("--across",), "strata are of single documents; leave out --across"),
        Exclusion("--by", ("--average documents",), _NO_MEANS),
        Exclusion(
            "--variant", ("--by", "--window", "--across", "--average documents"), _APPLICATIONS
        ),
        _CUT_OR_JOINED,
        Exclusion(RUNS, ("--interval bca",), "with several runs: jackknife or percentile"),
        Need("--paper", ("-f text", "-f markdown", "-f latex")),
        Need("--marks", ("--paper",)),
        *_PARTS_NEED,
    ),
    "errors": (
        _DEFECTS,
        Exclusion(
            "--marked",
            (*_NO_TEXT, "--list", "--links", "--by"),
            "it prints running text; leave the other out, or name a .txt",
        ),
        Exclusion(
            "--links",
            ("--by", "--document", *_OF_LISTS),
            "links are not divided into types; leave the other out",
        ),
        Exclusion("--list", (LINKS_IN_TEXT,), "choose -f jsonl, tsv, csv, json or markdown"),
        Exclusion("--list", ("--by",), "a list has no table of groups; leave one of the two out"),
        Need("--document", ("--list", "--marked", "-f jsonl")),
        *(Need(option, ("--list", "-f jsonl")) for option in _OF_LISTS),
        Need("--seed", ("--sample",)),
        Need("--antecedent", ("--links",)),
        Need("--force", ("--write-repaired",)),
    ),
    "report": (_DEFECTS,),
    "outcomes": (_DEFECTS,),
    "agree": (
        Exclusion(
            "--labels", ("--adjudicated", "--disagreements"), "it reads a labelled list, no corpora"
        ),
        Need("--plot", ("--labels",)),
    ),
    "check": (Need("-f markdown", ("--list",)), Need("--places", ("--against",))),
    "explain": (Need("--least", ("--shrink",)), Need("--budget", ("--shrink",))),
}
"""The exclusions and needs of each command; an option stands for all of its values."""


def _rows(context: click.Context) -> tuple[Exclusion | Need, ...]:
    """The rows of a command; one in a group may have the name of another, as `task check` has."""
    in_group = context.parent is not None and context.parent.parent is not None
    return () if in_group else TABLE.get(context.command.name or "", ())


def refuse(context: click.Context, more: Collection[str] = ()) -> None:
    """Raise a usage error for the first two choices that exclude each other, or need another.

    `more` are the choices that an option alone does not make; needs are asked once these are known.
    """
    typed = choices(context)
    chosen = {*typed, *more}
    for row in _rows(context):
        if row.choice not in chosen:
            continue
        # What a signature says is among `more`; only what is typed beside it excludes it.
        among = typed if row.choice == "--signature" else chosen
        found = next((other for other in row.others if other in among), None)
        if isinstance(row, Exclusion) and found:
            raise click.UsageError(
                f"{row.choice} cannot be combined with {found}: {row.because}", context
            )
        if isinstance(row, Need) and not found and not _later(row, more):
            raise click.UsageError(f"{row.choice} needs {' or '.join(row.others)}", context)


def excluded(context: click.Context) -> set[str]:
    """The choices that what is on the command line excludes."""
    typed = choices(context)
    rows = (row for row in _rows(context) if isinstance(row, Exclusion))
    pairs = [(row.choice, other) for row in rows for other in row.others]
    return {b for a, b in pairs if a in typed} | {a for a, b in pairs if b in typed}


def _later(need: Need, more: Collection[str]) -> bool:
    """Whether only the command can say whether a need is met."""
    return not more and RUNS in need.others


def choices(context: click.Context) -> set[str]:
    """The options on the command line, alone and with their values; the format of the output."""
    made = {f"-f {context.params.get('form')}"}
    made |= {BY_RUN} if context.meta.get(BY_RUN) else set()
    for parameter in context.command.params:
        name, value = parameter.name or "", context.params.get(parameter.name or "")
        source = context.get_parameter_source(name)
        if isinstance(parameter, click.Option) and source is click.core.ParameterSource.COMMANDLINE:
            values = value if isinstance(value, tuple) else (value,)
            if name == "across" and {*values} == {"none"}:
                continue  # nothing is joined
            made |= {parameter.opts[-1], *(f"{parameter.opts[-1]} {one}" for one in values)}
    return made


def explained(context: click.Context) -> list[tuple[str, str]]:
    """The rows of --help-all for a command."""
    return [
        (row.choice, f"needs {' or '.join(row.others)}")
        if isinstance(row, Need)
        else (row.choice, f"not with {', '.join(row.others)}: {row.because}")
        for row in _rows(context)
    ]
