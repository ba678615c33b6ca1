"""The options of engines, and counting there as they say."""

import os
from typing import TYPE_CHECKING, Any

import click

from corefkit.cli.values import option_group
from corefkit.data.options import Options, UsageError

if TYPE_CHECKING:
    from corefkit.scoring.report import Report

ENGINES = ("auto", "memory", "duckdb", "spark")
NAMES = ("engine", "columns", "memory", "threads", "spill", "counts")
"""The parameters of all these options."""

engine_options = option_group(
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
"""--engine and what belongs to it; see `report_of_engine`."""


def report_of_engine(
    sources: tuple[str, ...], options: Options, setup: dict[str, Any], documents: str
) -> "Report | None":
    """The report of an engine, where one is asked for or Parquet files are large.

    `setup` has the values of all these options; UsageError for those that need an engine.
    """
    given = [name for name, value in setup.items() if name != "engine" and value is not None]
    parquet = [p for p in sources if ".parquet" in p or ".pq" in p or os.path.isdir(p)]
    if setup["engine"] not in ("auto", "memory") or parquet:
        from corefkit.engines.run import Setup, opened
        from corefkit.scoring.engines import score_on_engine, wanted

        made = Setup(**{**setup, "columns": _columns(setup["columns"])})
        if wanted(made, sources, options.documents if documents == "all" else documents):
            # Open until the command ends: --by and --plot fetch counts by document.
            engine = click.get_current_context().with_resource(opened(made))
            return score_on_engine(engine, sources[0], sources[1:], options, made)
    if given:
        raise UsageError(f"--{given[0]} is for an engine: add --engine duckdb or spark")
    return None


def _columns(text: str | None) -> dict[str, str]:
    parts = [part.partition("=") for part in (text or "").split(",") if part.strip()]
    if wrong := [name for name, equals, column in parts if not equals or not column.strip()]:
        raise UsageError(f"columns: {wrong[0]!r} is not of the form name=column")
    return {name.strip(): column.strip() for name, _, column in parts}
