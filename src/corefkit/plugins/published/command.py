"""corefkit task published: results printed in papers."""

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import format_option, output_option
from corefkit.cli.output import write_output


@click.command("published", cls=CheckedCommand)
@click.argument("name", required=False)
@format_option()
@output_option
def command(name: str | None, form: str, output: str | None) -> None:
    """List the published results, or print those of NAME.

    NAME is a table of a paper (conll-2012/table-17) or the standings of a task and language
    (conll-2012/english), with the figures of scorer v8 unless it ends in @v4; for CRAC, the
    standings of a task (crac-2024, means over its datasets) or of a dataset (crac-2024/cs_pdt).

    \b
    Examples:
      corefkit task published
      corefkit task published acl-2014/table-1
      corefkit task published conll-2012/english@v4 -f markdown
    """
    from corefkit.plugins.published import list_standings, list_tables, load, standings
    from corefkit.plugins.published.tables import render_published, render_published_list

    if name is None:
        listed = {n: load(n) for n in list_tables()} | {n: standings(n) for n in list_standings()}
        write_output(lambda bold: render_published_list(listed, form), output)
        return
    try:
        table = load(name) if name in list_tables() else standings(name)
    except LookupError:
        known = ", ".join([*list_tables(), *list_standings()])
        raise click.UsageError(f"no published results {name!r}; there are: {known}") from None
    write_output(lambda bold: render_published(table, form, bold=bold), output)
