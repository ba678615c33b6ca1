"""corefkit formats: the formats that are read and written, and what each can express."""

from typing import TYPE_CHECKING

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import format_option, output_option
from corefkit.cli.output import WIDTH, write_output
from corefkit.core.texts import versioned_json

if TYPE_CHECKING:
    from corefkit.formats import Format


@click.command("formats", cls=CheckedCommand)
@format_option(["text", "json"])
@output_option
def command(form: str, output: str | None) -> None:
    """List the formats that are read and written, and what each can express beyond entities.

    Formats are recognised by their content; the names are for --format and `convert --to`.

    \b
    Examples:
      corefkit formats
      corefkit formats -f json
    """

    from corefkit.formats import format_names, get_format

    listed = [get_format(name) for name in format_names()]
    write_output(lambda bold: (_json if form == "json" else _text)(listed), output)


def _text(formats: "list[Format]") -> str:
    from textwrap import wrap

    from corefkit.formats import UNREAD

    width = max(len(form.name) for form in formats)
    lines: list[str] = []

    def add(name: str, text: str) -> None:
        blanks = " " * (width + 2)
        lines.extend(
            wrap(text, WIDTH, initial_indent=f"{name:<{width}}  ", subsequent_indent=blanks)
        )

    for form in formats:
        written = "read, written" if form.write else "read"
        holds = ", ".join(sorted(form.holds)) or "spans and entities only"
        add(form.name, f"{form.title} ({written}; {form.unit})")
        add("", holds)
    lines += ["", "Recognised, but not read:"]
    for name, (title, advice) in UNREAD.items():
        add(name, f"{title}: {advice}")
    return "\n".join(lines) + "\n"


def _json(formats: "list[Format]") -> str:
    from corefkit.formats import UNREAD

    listed = [
        {
            "name": form.name,
            "title": form.title,
            "read": True,
            "written": form.write is not None,
            "unit": form.unit,
            "holds": sorted(form.holds),
            "suffixes": list(form.suffixes),
        }
        for form in formats
    ]
    unread = [{"name": n, "title": title, "do": advice} for n, (title, advice) in UNREAD.items()]
    return versioned_json({"formats": listed, "unread": unread})
