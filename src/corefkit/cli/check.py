"""corefkit check: the defects of files, before they are scored."""

import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import click

from corefkit.cli.commands import CheckedCommand
from corefkit.cli.options import (
    Readings,
    format_option,
    output_option,
    reading_options,
)
from corefkit.cli.output import MOST, coloured, fitted, write_output
from corefkit.core.incidents import Incident, IncidentKind, all_kinds
from corefkit.core.names import ResponseFile
from corefkit.core.texts import count_of, versioned_json, visible, visible_lines

FEW = 3
"""How many warnings of a kind are shown if they are in several files."""


@click.command("check", cls=CheckedCommand)
@click.argument("files", nargs=-1, metavar="FILE...")
@click.option("--against", metavar="KEY", help="Also compare documents, tokens and words with KEY.")
@click.option("--strict", is_flag=True, help="Defects that score --strict refuses are errors.")
@click.option("--list", "listing", is_flag=True, help="Explain every kind of incident.")
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
    form: str,
    output: str | None,
    readings: Readings,
) -> None:
    """Check each FILE for every defect that corefkit knows, all in one go.

    Files may be compressed (.gz), `-`, directories or quoted globs. Long rows of one
    kind of warning are shown in part, with their number; -f json has them all. The exit status is 0
    if there are no errors, 1 if there are, 2 if the command line is wrong.

    \b
    Examples:
      corefkit check response.conll
      corefkit check response.conll --against key.conll
      corefkit check --list
    """
    if listing:
        write_output(lambda bold: _list(form), output)
        return
    if form == "markdown":
        raise click.UsageError("-f markdown needs --list")
    if not files:
        raise click.UsageError("name at least one FILE, or --list")
    from corefkit.corpora.fingerprints import recognise
    from corefkit.scoring.check import check_files, summary

    incidents, sides = check_files(files, against, readings, strict=strict)
    known = {side.path: corpus for side in sides if (corpus := recognise(side.corpus))}
    end = "".join(f"{visible(path)}: {corpus}\n" for path, corpus in known.items())
    end += summary(incidents)
    corpora = {path: corpus.to_dict() for path, corpus in known.items()}
    text = _render(incidents, end, form, corpora)
    if form == "text" and output in (None, "-"):
        text = coloured(fitted(text, sys.stdout), sys.stdout)
    write_output(lambda bold: text, output)
    bad = any(incident.severity == "error" for incident in incidents)
    sys.exit(1 if bad else 0)


def _render(
    incidents: list[Incident], end: str, form: str, known: Mapping[str, Mapping[str, Any]]
) -> str:
    if form == "json":
        corpora = [{"path": path, "known": corpus} for path, corpus in known.items()]
        listed = [incident.to_dict() for incident in incidents]
        return versioned_json({"incidents": listed, **({"files": corpora} if corpora else {})})
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
        return versioned_json({"kinds": kinds})
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
    place = {"file": incident.file, "line": incident.line, "col": incident.column}
    place |= {"title": incident.id}
    properties = ",".join(f"{n}={_property(str(v))}" for n, v in place.items() if v is not None)
    parts = [incident.message]
    parts += [f"{n}: {v}" for n in ("found", "expected", "hint") if (v := getattr(incident, n))]
    text = visible_lines("\n".join(parts))
    return f"::{incident.severity} {properties}::{_escape(text)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _escape(visible(text)).replace(":", "%3A").replace(",", "%2C")
