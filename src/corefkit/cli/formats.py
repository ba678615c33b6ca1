"""corefkit formats: the formats that are read and written, and what each can express."""

from typing import TYPE_CHECKING

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import format_option, output_option
from corefkit.cli.output import WIDTH, write_output
from corefkit.core.results import result_json

if TYPE_CHECKING:
    from corefkit.formats import Format


@click.command("formats", cls=CheckedCommand)
@click.argument("name", required=False)
@format_option(["text", "json"])
@output_option
def command(name: str | None, form: str, output: str | None) -> None:
    """List the formats that are read and written, or explain NAME and its options of reading.

    Formats are recognised by their content; the names are for --format and `convert --to`.

    \b
    Examples:
      corefkit formats
      corefkit formats links
      corefkit formats -f json
    """

    from corefkit.core.options import choose
    from corefkit.formats.registry import format_names, get_format, is_known

    if name is not None and not is_known(name):
        choose("format", name, format_names(), "corefkit formats")
    listed = [get_format(known) for known in ([name] if name else format_names())]
    text = _explained if name else _text
    write_output(_json(listed) if form == "json" else text(listed), output)


def _explained(formats: "list[Format]") -> str:
    """What a format is and holds, and its options of reading, each with an example."""
    from textwrap import fill

    (form,) = formats
    written = "read and written" if form.write else "read"
    lines = [
        f"{form.name}: {form.title}",
        f"  {written}; spans of {form.unit}s; {' '.join(form.suffixes) or 'any ending'}",
        fill(
            f"holds {', '.join(sorted(form.holds)) or 'spans and entities only'}",
            WIDTH,
            initial_indent="  ",
            subsequent_indent="  ",
        ),
    ]
    if form.untried:
        lines += ["  never tried on a file of a corpus: please report what is read wrongly"]
    if form.options:
        lines += ["", "Options of reading:"]
    for option in form.options:
        lines.append(f"  --read {option.name.replace('_', '-')}={option.example}")
        values = f"  [{' | '.join(option.values)}]" if option.values else ""
        text = f"{option.help[:1].upper()}{option.help[1:]}{values}"
        lines.append(fill(text, WIDTH, initial_indent=" " * 6, subsequent_indent=" " * 6))
    return "\n".join(lines) + "\n"


def _text(formats: "list[Format]") -> str:
    from textwrap import wrap

    from corefkit.formats.registry import unread_formats

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
    for known in unread_formats():
        add(known.name, f"{known.title}: {known.advice}")
    return "\n".join(lines) + "\n"


def _json(formats: "list[Format]") -> str:
    from corefkit.formats.registry import unread_formats

    listed = [
        {
            "name": form.name,
            "title": form.title,
            "read": True,
            "written": form.write is not None,
            "unit": form.unit,
            "holds": sorted(form.holds),
            "suffixes": list(form.suffixes),
            "options": [option.name for option in form.options],
            "untried": form.untried,
        }
        for form in formats
    ]
    unread = [{"name": f.name, "title": f.title, "do": f.advice} for f in unread_formats()]
    return result_json("formats", {"formats": listed, "unread": unread})
