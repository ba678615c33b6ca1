"""corefkit help: show the documentation, which is part of the package."""

from pathlib import Path

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.core.entry_points import KINDS, installed, ours
from corefkit.core.options import did_you_mean


@click.command("help", cls=CheckedCommand)
@click.argument("topic", required=False)
@click.pass_context
def command(ctx: click.Context, topic: str | None) -> None:
    """Show a page of the documentation, or the help of a command; without TOPIC, list the pages.

    `corefkit help plugins` lists what plug-ins add, also those of other packages.

    \b
    Examples:
      corefkit help
      corefkit help strata
      corefkit help score
    """
    pages = _pages()
    if topic is None:
        _list(pages)
        return
    name = topic.removeprefix("docs/").removesuffix(".md")
    above = ctx.parent
    assert above is not None
    commands = above.command
    assert isinstance(commands, click.Group)
    if name == "plugins":
        click.echo(_plugins())
        return
    if name in pages:
        click.echo_via_pager(pages[name].read_text(encoding="utf-8"))
        return
    shown = commands.get_command(above, name)
    if shown is None:
        near = did_you_mean(name, (*pages, *commands.list_commands(above)))
        near = near or "; `corefkit help` lists the pages, `corefkit --help` the commands"
        raise click.UsageError(f"there is no page or command {topic!r}{near}")
    with click.Context(shown, info_name=name, parent=above) as context:
        click.echo(shown.get_help(context))


def _plugins() -> str:
    """What plug-ins add, ours and those of other packages."""
    from corefkit.render.table import make_table, plain_headings, render_table

    lines = []
    for kind in KINDS:
        lines += [(kind, name, "corefkit") for name in ours(kind)]
        points = installed(kind).items()
        lines += [(kind, name, point.dist.name if point.dist else "") for name, point in points]
    headings = plain_headings("adds", "name", "package")
    return render_table(make_table("plugins", "", headings, [lines]), "text").rstrip("\n")


def _pages() -> dict[str, Path]:
    """The pages by name: from the installed package, or from the checkout that it is in."""
    package = Path(__file__).parents[1]
    for folder in (package / "docs", package.parents[1] / "docs"):
        pages = {path.stem: path for path in sorted(folder.glob("*.md")) if path.stem != "README"}
        if pages:
            return pages
    return {}


def _list(pages: dict[str, Path]) -> None:
    widest = max(map(len, pages), default=0)
    for name, path in pages.items():
        with path.open(encoding="utf-8") as lines:
            title = next((line.lstrip("# ").rstrip() for line in lines if line.strip()), "")
        click.echo(f"{name:<{widest}}  {title}")
    click.echo("\n`corefkit help NAME` shows a page, `corefkit COMMAND --help` the options.")
