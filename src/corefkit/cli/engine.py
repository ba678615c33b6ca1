"""The options of commands that can count on an engine."""

from functools import wraps
from typing import Any

import click

from corefkit.cli.values import Command, option_group
from corefkit.data.options import UsageError

ENGINES = ("auto", "memory", "duckdb", "spark")
NAMES = ("engine", "columns", "memory", "threads", "spill", "counts")
_OPTIONS = option_group(
    click.option(
        "--engine",
        type=click.Choice(ENGINES),
        default="auto",
        help="Where to count: Parquet files of 64 MiB and more go to duckdb.",
    ),
    click.option(
        "--columns",
        metavar="NAME=COLUMN,…",
        help="Engine: columns of the Parquet files, e.g. mention=token_id,entity=cluster.",
    ),
    click.option("--memory", metavar="SIZE", help="Engine: the most memory, e.g. 4GB."),
    click.option("--threads", type=click.IntRange(1), help="Engine: how many threads."),
    click.option("--spill", metavar="DIR", help="Engine: where to put what overflows memory."),
    click.option("--counts", metavar="FILE", help="Engine: write counts by document, Parquet."),
)


def engine_options(function: Command) -> Command:
    """Add --engine and what belongs to it; the command gets them as one dict, `setup`."""

    @wraps(function)
    def with_setup(*arguments: Any, **options: Any) -> None:
        setup = {name: options.pop(name) for name in NAMES}
        function(*arguments, **options, setup=setup)

    return _OPTIONS(with_setup)


def make_setup(setup: dict[str, Any]) -> Any:
    """The Setup that the options stand for."""
    from corefkit.engines.run import Setup

    return Setup(**{**setup, "columns": _columns(setup["columns"])})


def _columns(text: str | None) -> dict[str, str]:
    parts = [part.partition("=") for part in (text or "").split(",") if part.strip()]
    if wrong := [name for name, equals, column in parts if not equals or not column.strip()]:
        raise UsageError(f"columns: {wrong[0]!r} is not of the form name=column")
    return {name.strip(): column.strip() for name, _, column in parts}
