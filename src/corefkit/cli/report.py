"""corefkit report: a page that shows the errors."""

from typing import Any

import click

from corefkit.cli.output import say, tell, user_errors
from corefkit.cli.score import metrics_option, policy_options
from corefkit.profiles import PROFILES


@click.command("report")
@click.argument("key")
@click.argument("responses", nargs=-1, required=True, metavar="RESPONSE...")
@click.option(
    "-o", "--output", default="report.html", show_default=True, metavar="FILE", help="The page."
)
@metrics_option
@click.option(
    "--profile", type=click.Choice(list(PROFILES)), default="standard", help="As in score."
)
@policy_options
@click.option(
    "--documents",
    multiple=True,
    metavar="NAME",
    help="Show the texts of these documents; otherwise all, or in a large corpus the worst.",
)
def command(
    key: str,
    responses: tuple[str, ...],
    output: str,
    metrics: tuple[str, ...],
    profile: str,
    documents: tuple[str, ...],
    **policies: Any,
) -> None:
    """Write a page that shows what each RESPONSE got wrong and what it cost.

    One file, no server, nothing fetched: which types of error cost most, the documents, key and
    response side by side, the entities, and every error with an address of its own.

    \b
    Examples:
      corefkit report key.conll response.conll -o report.html
      corefkit report key.conll a.conll b.conll -m lea
    """
    from corefkit.formats.files import write_atomically
    from corefkit.profiles import make_options
    from corefkit.render.pages.report import render_report
    from corefkit.scoring.errors import find_errors

    with user_errors():
        options = make_options(metrics or "conll", profile, **policies)
        found = find_errors(key, responses, options)
        tell(list(found.incidents))
        page = render_report(found, key, responses, documents or None)
        write_atomically(output, page.encode("utf-8", "replace"))
    say(f"{output}: {len(page.encode('utf-8', 'replace')) / 2**20:.1f} MiB")
