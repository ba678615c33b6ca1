"""corefkit help: show the documentation, which is part of the package."""

from pathlib import Path

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.core.options import did_you_mean


@click.command("help", cls=CheckedCommand)
@click.argument("topic", required=False)
@click.pass_context
def command(ctx: click.Context, topic: str | None) -> None:
    """Show a page of the documentation, or the help of a command; without TOPIC, list the pages.

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
    commands = ctx.parent.command if ctx.parent else None
    assert isinstance(commands, click.Group)
    if name in pages:
        click.echo_via_pager(pages[name].read_text(encoding="utf-8"))
        return
    shown = commands.get_command(ctx, name)
    if shown is None:
        near = did_you_mean(name, (*pages, *commands.list_commands(ctx)))
        near = near or "; `corefkit help` lists the pages, `corefkit --help` the commands"
        raise click.UsageError(f"there is no page or command {topic!r}{near}")
    with click.Context(shown, info_name=name, parent=ctx.parent) as context:
        click.echo(shown.get_help(context))


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
