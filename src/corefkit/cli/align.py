"""corefkit align: how well the text of a file fits that of a key."""

from typing import TYPE_CHECKING

import click

from corefkit.cli.commands import CheckedCommand, number_option
from corefkit.cli.options import Readings, format_option, output_option, reading_options
from corefkit.cli.output import print_incidents, write_output
from corefkit.core.texts import count_of, quote, shorten, versioned_json, visible

if TYPE_CHECKING:
    from corefkit.scoring.align import Fit, TextDifference, TextFit


@click.command("align", cls=CheckedCommand)
@click.argument("key")
@click.argument("file")
@number_option(
    "--places", 10, help="How many places and mentions to show per document in text; json has all."
)
@format_option(["text", "json"])
@output_option
@reading_options(sides=True)
def command(
    key: str, file: str, places: int, form: str, output: str | None, readings: Readings
) -> None:
    """Align the text of FILE with the words of KEY, and show how well it fits.

    FILE is text that a language model has marked up, or any other file with words or text. The
    output shows the coverage (the share of the key's characters that were found), the words
    replaced, added and dropped and where, and the mentions that cannot be placed in the key.
    `corefkit score` aligns such a file in the same way.

    \b
    Examples:
      corefkit align key.conll answer.md
      corefkit align key.conll answer.txt --lenient -f json
    """
    from corefkit.scoring.align import align_files

    fit = align_files(key, file, readings)
    print_incidents(fit.incidents)
    write_output(lambda bold: _render(fit, form, places), output)


def _render(fit: "TextFit", form: str, places: int) -> str:
    """The fit of all documents; as text, at most `places` places and mentions of each."""
    if form == "json":
        return versioned_json(fit.to_dict())
    parts = ["\n".join(_document(document, places)) for document in fit.documents]
    if len(fit.documents) != 1:
        parts.append(
            f"coverage of {count_of(len(fit.documents), 'document')}: {_share(fit.coverage)}"
        )
    return "\n\n".join(parts) + "\n"


def _document(fit: "Fit", places: int) -> list[str]:
    lost = len(fit.lost)
    lines = [
        f"document: {visible(fit.document)} ({count_of(fit.words, 'word')})",
        f"coverage: {_share(fit.coverage)}" + (", the text ends early" if fit.truncated else ""),
        f"words:    {fit.replaced:,} replaced, {fit.added:,} added, {fit.dropped:,} dropped",
        f"mentions: {fit.mentions:,}, {lost:,} of them without a place in the key",
    ]
    lines += [f"  {_change(place)}" for place in fit.places[:places]]
    if len(fit.places) > places:
        lines.append(f"  … and {count_of(len(fit.places) - places, 'more place')}")
    for mention in fit.lost[:places]:
        line = "" if mention.line is None else f"line {mention.line:,}: "
        lines.append(
            f"  {line}{quote(mention.text)} of entity {shorten(mention.entity)} has no place"
        )
    if lost > places:
        lines.append(f"  … and {count_of(lost - places, 'more mention')} without a place")
    return lines


def _change(place: "TextDifference") -> str:
    token = f"token {place.token:,}: "
    if not place.text:
        return f"{token}{quote(place.key)} is missing"
    if not place.key:
        return f"{token}{quote(place.text)} was added"
    return f"{token}{quote(place.text)} for {quote(place.key)}"


def _share(share: float) -> str:
    """A share in percent, truncated, so that only complete coverage is 100 %."""
    return f"{int(1000 * share) / 10:.1f} %"
