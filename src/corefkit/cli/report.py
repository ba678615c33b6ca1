"""corefkit report: write a page that shows the errors."""

from typing import Any

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.errors import error_options, errors_of
from corefkit.cli.options import (
    Readings,
    digits_option,
    metrics_option,
    reading_options,
)
from corefkit.cli.output import (
    check_ending,
    ending_of,
    note_masked_words,
    print_message,
    write_output,
)
from corefkit.core.names import ResponseFile


@click.command("report", cls=CheckedCommand)
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="The page; - is standard output.  [default: report.html; text: standard output]",
)
@click.option(
    "-f",
    "--output-format",
    "form",
    type=click.Choice(["html", "text"]),
    help="html: the page. text: the marked text of documents, as `corefkit errors --marked`.  "
    "[default: by the name of -o, else html]",
)
@error_options(
    metrics_option("The metric whose lost points are divided among the types.  [default: conll]")
)
@click.option(
    "--shown",
    multiple=True,
    metavar="NAME",
    help="Show the texts of these documents.  [default: all, or in a large corpus the worst]",
)
@digits_option
@reading_options(sides=True)
def command(
    key: str,
    responses: tuple[ResponseFile, ...],
    output: str | None,
    form: str | None,
    shown: tuple[str, ...],
    readings: Readings,
    **scoring: Any,
) -> None:
    """Write a page that shows what each RESPONSE got wrong and what it cost.

    A single file that needs no server and no network: which types of error cost most,
    the documents, key and response side by side, the entities, and a link to every error.

    \b
    Examples:
      corefkit report key.conll response.conll -o report.html
      corefkit report key.conll a.conll b.conll -m lea
      corefkit report key.conll response.conll -f text --shown "(nw/a/00/a_0001); part 000"
    """
    form = form or ("text" if ending_of(output) == "txt" else "html")
    if form == "html":
        output = "report.html" if output is None else output
        if not output:
            raise click.UsageError("--output is empty: name a file, or - for standard output")
        check_ending(output, "html", "htm")
    report = errors_of(key, responses, scoring, readings)
    note_masked_words(report.key.corpus)
    if form == "text":
        from corefkit.render.marked_text import render_marked_text

        write_output(
            render_marked_text(report.systems, shown),
            output,
            "text",
        )
        return
    from corefkit.render.pages.report import render_error_page
    from corefkit.stats.error_pages import error_page

    page = render_error_page(error_page(report, shown or None)).encode("utf-8", "replace").decode()
    write_output(page, output)
    if output != "-":
        print_message(f"{output}: {len(page.encode()) / 2**20:.1f} MiB", aside=True)
