"""Help in two lengths: `--help` on two screens, `--help-all` with every option explained."""

from textwrap import TextWrapper
from typing import Any

import click

from corefkit.cli.engine import NAMES as ENGINE
from corefkit.cli.output import CheckedCommand
from corefkit.cli.reading import NAMES as READING
from corefkit.data.options import POLICIES

SECTIONS: dict[str, tuple[str, ...]] = {
    "Policies": (*POLICIES, "settings"),
    "Application scores": ("variant", "tagset"),
    "What is shown": ("plot", "among", "csv_safe"),
    "How files are read": READING,
    "Where it is counted": ENGINE,
}
"""Options that `--help` only lists, by what they are about."""


class ExplainedOption(click.Option):
    """An option whose help is longer with --help-all: `more` is added then."""

    def __init__(self, *args: Any, more: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.more = more


class LongCommand(CheckedCommand):
    """A command with so many options that `--help` only lists those which few people need."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params.append(
            click.Option(
                ["--help-all"],
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_all,
                help="Explain every option and exit.",
            )
        )

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, those of SECTIONS in full only if all help was asked for."""
        whole = bool(ctx.meta.get("help_all"))
        shown = [p for p in self.get_params(ctx) if isinstance(p, click.Option)]
        sections = {t: [p for p in shown if p.name in inner] for t, inner in SECTIONS.items()}
        others = [p for p in shown if not any(p in options for options in sections.values())]
        for title, options in {"Options": others, **(sections if whole else {})}.items():
            if options:
                with formatter.section(title):
                    formatter.write_dl([r for p in options if (r := _record(p, ctx, whole))])
        if not whole:
            with formatter.section("More options, which --help-all explains"):
                for title, options in sections.items():
                    if options:
                        names = " ".join(p.opts[-1] for p in options)
                        wrapped = TextWrapper(formatter.width, f"  {title:<20} ", " " * 23)
                        wrapped.break_on_hyphens = False
                        formatter.write(wrapped.fill(names) + "\n")


def _record(option: click.Parameter, ctx: click.Context, whole: bool) -> tuple[str, str] | None:
    record = option.get_help_record(ctx)
    if record and whole and isinstance(option, ExplainedOption):
        return record[0], f"{record[1]} {option.more}".rstrip()
    return record


def _show_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta["help_all"] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()
