"""corefkit task published: results printed in papers."""

import json
from typing import Any

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import format_option, output_option
from corefkit.cli.output import print_message, write_output
from corefkit.core.options import UsageError


@click.command("published", cls=CheckedCommand)
@click.argument("name", required=False)
@click.argument("results", nargs=-1, metavar="[RESULT]...")
@format_option()
@output_option
def command(name: str | None, results: tuple[str, ...], form: str, output: str | None) -> None:
    """List the published results, or print those of NAME; with RESULT, rank your systems in them.

    NAME is a table of a paper (conll-2012/table-17) or the standings of a task and language
    (conll-2012/english), with the figures of scorer v8 unless it ends in @v4; for CRAC, the
    standings of a task (crac-2024, means over its datasets) or of a dataset (crac-2024/cs_pdt).
    RESULT is the JSON that `corefkit score -f json` writes.

    \b
    Examples:
      corefkit task published
      corefkit task published acl-2014/table-1
      corefkit task published conll-2012/english@v4 -f markdown
      corefkit task published conll-2012/english result.json
    """
    from corefkit.plugins.published import list_standings, list_tables, load, standings
    from corefkit.plugins.published.tables import (
        render_published,
        render_published_list,
        render_standing,
    )

    if name is None:
        listed = {n: load(n) for n in list_tables()} | {n: standings(n) for n in list_standings()}
        write_output(render_published_list(listed, form), output)
        return
    try:
        table = load(name) if name in list_tables() and not results else standings(name)
    except LookupError as error:
        if results:
            raise click.UsageError(str(error.args[0])) from None
        known = ", ".join([*list_tables(), *list_standings()])
        raise click.UsageError(f"no published results {name!r}; there are: {known}") from None
    if not results:
        write_output(render_published(table, form), output)
        return
    from corefkit.plugins.published.standing import find_standing

    standing = find_standing(table, [_result(path) for path in results])
    for warning in standing.warnings:
        print_message(f"warning: {warning}", aside=True)
    write_output(render_standing(standing, form), output)


def _result(path: str) -> Any:
    from corefkit.formats.kit.files import load

    try:
        return json.loads(load(path))
    except ValueError:
        raise UsageError(f"{path}: not JSON; name a file of `corefkit score -f json`") from None
