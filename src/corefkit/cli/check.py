"""corefkit check: the defects of files, before they are scored."""

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from corefkit.cli.commands import CheckedCommand, listed_option
from corefkit.cli.options import (
    Readings,
    format_option,
    output_option,
    reading_options,
)
from corefkit.cli.output import MOST, coloured, fitted, write_output
from corefkit.core.incidents import Incident, IncidentKind, all_kinds
from corefkit.core.names import ResponseFile
from corefkit.core.results import result_json
from corefkit.core.texts import (
    count_of,
    quote,
    shorten,
    visible,
    visible_lines,
)

if TYPE_CHECKING:
    from corefkit.scoring.align import Fit, TextFit

FEW = 3
"""How many warnings of a kind are shown if they are in several files."""


@click.command("check", cls=CheckedCommand)
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--against", metavar="KEY", help="Also compare documents, tokens and words with KEY.")
@click.option("--strict", is_flag=True, help="Defects that score --strict refuses are errors.")
@click.option("--list", "listing", is_flag=True, help="Explain every kind of incident.")
@listed_option(
    "Output",
    "--places",
    type=click.IntRange(0),
    default=10,
    show_default=True,
    help="--against: how many places and mentions to show of a document with another text; json "
    "has all.",
)
@format_option(
    ["text", "json", "github", "markdown"],
    help="github writes annotations for a workflow; markdown needs --list.",
)
@output_option
@reading_options(sides=True)
def command(
    files: tuple[ResponseFile, ...],
    against: str | None,
    strict: bool,
    listing: bool,
    places: int,
    form: str,
    output: str | None,
    readings: Readings,
) -> None:
    """Check each FILE for every defect that corefkit knows, all in one go.

    Files may be compressed (.gz), `-`, directories or quoted globs. Long rows of one
    kind of warning are shown in part, with their number; -f json has them all. The exit status is 0
    if there are no errors, 1 if there are, 2 if the command line is wrong.

    Where a text is not that of KEY, such as an answer of a language model, --against shows how well
    it fits: the share of the key's characters that were found, the words that were replaced, added
    and dropped and where, and the mentions without a place in the key. `score` aligns it in the
    same way.

    \b
    Examples:
      corefkit check response.conll
      corefkit check response.conll --against key.conll
      corefkit check --list
    """
    if listing:
        write_output(_list(form), output)
        return
    if not files:
        raise click.UsageError("name at least one FILE, or --list")
    from corefkit.scoring.check import check_files, summary
    from corefkit.scoring.fingerprints import recognise

    incidents, sides, fits = check_files(files, against, readings, strict=strict)
    known = {side.path: corpus for side in sides if (corpus := recognise(side.corpus))}
    end = "".join(_fit_text(path, fit, places) for path, fit in fits.items())
    end += "".join(f"{visible(path)}: {corpus}\n" for path, corpus in known.items())
    end += summary(incidents)
    told = {path: {"known": corpus.to_dict()} for path, corpus in known.items()}
    for path, fit in fits.items():
        told.setdefault(path, {})["text"] = fit.to_dict()
    text = _render(incidents, end, form, told)
    if form == "text" and output in (None, "-"):
        text = coloured(fitted(text, sys.stdout), sys.stdout)
    write_output(text, output)
    bad = any(incident.severity == "error" for incident in incidents)
    sys.exit(1 if bad else 0)


def _render(
    incidents: list[Incident], end: str, form: str, told: Mapping[str, Mapping[str, Any]]
) -> str:
    """The incidents, and what else is `told` of files, by path; in text that is the `end`."""
    if form == "json":
        corpora = [{"path": path, **about} for path, about in told.items()]
        listed = [incident.to_dict() for incident in incidents]
        return result_json(
            "incidents", {"incidents": listed, **({"files": corpora} if corpora else {})}
        )
    if form == "github":
        return "".join(f"{_annotation(incident)}\n" for incident in incidents)
    return "".join(f"{line}\n" for line in _folded(incidents)) + f"{end}\n"


def _folded(incidents: list[Incident]) -> Iterator[str]:
    """The incidents in their order, long rows of one kind folded; -f json lists all.

    A kind in several files is told in one place, with the numbers and the first few; of a kind in
    one file, all errors and the first ten warnings are shown.
    """
    kinds: dict[str, list[Incident]] = defaultdict(list)
    for incident in incidents:
        kinds[incident.id].append(incident)
    for name, of_kind in kinds.items():
        files = len({incident.file for incident in of_kind})
        most = MOST if files == 1 or of_kind[0].severity == "error" else FEW
        number = sum(incident.count for incident in of_kind)
        if number <= most or (files == 1 and of_kind[0].severity == "error"):
            yield from map(str, of_kind)
        elif files == 1:
            yield from map(str, of_kind[:most])
            yield f"  … and {number - most:,} more of this kind; -f json lists them"
        else:
            firsts = {incident.file: incident for incident in reversed(of_kind)}
            what = f"{count_of(number, of_kind[0].severity)} in {count_of(files, 'file')}"
            yield f"{name}: {what}; -f json lists them; the first files:"
            yield from map(str, [*firsts.values()][: -most - 1 : -1])


def _list(form: str) -> str:
    kinds_by_name = all_kinds()
    if form == "markdown":
        return incidents_in_markdown(kinds_by_name)
    if form == "json":
        kinds = [
            {"id": n, "severity": k.severity, "what": k.what, "says": k.messages, "do": k.do}
            for n, k in kinds_by_name.items()
        ]
        return result_json("kinds", {"kinds": kinds})
    parts = []
    for name, kind in kinds_by_name.items():
        says = "".join(f"  message: {message}\n" for message in kind.messages)
        parts.append(f"{name} ({kind.severity})\n  {kind.what}\n{says}  hint: {kind.do}\n")
    return "\n".join(parts)


def incidents_in_markdown(kinds: Mapping[str, IncidentKind]) -> str:
    """All kinds, errors first, as on the documentation site."""
    from textwrap import fill

    parts = []
    for severity, title in (("error", "Errors"), ("warning", "Warnings")):
        parts.append(f"## {title}")
        for name, kind in kinds.items():
            if kind.severity == severity:
                do = f"*What to do:* {kind.do}"
                what, do = (fill(t, 98, break_on_hyphens=False) for t in (kind.what, do))
                messages = "\n".join(f"- `{message}`" for message in kind.messages)
                parts += [f"### {name}", what, *filter(None, [messages]), do]
    return "\n\n".join(parts) + "\n"


def _annotation(incident: Incident) -> str:
    """The incident as a workflow command of GitHub, in which line ends must be escaped."""
    location = {"file": incident.file, "line": incident.line, "col": incident.column}
    location |= {"title": incident.id}
    properties = ",".join(f"{n}={_property(str(v))}" for n, v in location.items() if v is not None)
    parts = [incident.message]
    parts += [f"{n}: {v}" for n in ("found", "expected", "hint") if (v := getattr(incident, n))]
    text = visible_lines("\n".join(parts))
    return f"::{incident.severity} {properties}::{_escape(text)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escape(visible(text)).replace(":", "%3A").replace(",", "%2C")


def _fit_text(path: str, fit: "TextFit", places: int) -> str:
    """How a text fits the key: its documents with differences, at most `places` of each."""
    from corefkit.alignment.placement import share_text

    differing = [d for d in fit.documents if d.places or d.lost or d.truncated]
    if not differing:
        return ""
    parts = ["\n".join(_document_fit(document, places)) for document in differing]
    number = len(fit.documents)
    if number != 1:
        parts.append(f"coverage of {count_of(number, 'document')}: {share_text(fit.coverage)}")
    return f"\nthe text of {visible(path)}:\n" + "\n\n".join(parts) + "\n\n"


def _document_fit(fit: "Fit", places: int) -> list[str]:
    from corefkit.alignment.placement import change_text, share_text

    lost = len(fit.lost)
    lines = [
        f"document: {visible(fit.document)} ({count_of(fit.words, 'word')})",
        f"coverage: {share_text(fit.coverage)}"
        + (", the text ends early" if fit.truncated else ""),
        f"words:    {fit.replaced:,} replaced, {fit.added:,} added, {fit.dropped:,} dropped",
        f"mentions: {fit.mentions:,}, {lost:,} of them without a place in the key",
    ]
    lines += [
        f"  {change_text(change.token, change.text, change.key)}" for change in fit.places[:places]
    ]
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
