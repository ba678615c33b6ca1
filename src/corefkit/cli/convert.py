"""corefkit convert: convert between formats, and between the flavours of CoNLL."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import click

from corefkit.cli.commands import CheckedCommand, choice_option
from corefkit.cli.options import Readings, force_option, reading_options
from corefkit.cli.output import (
    print_incidents,
    print_message,
    refuse_existing,
    write_bytes,
    write_each,
    write_files,
)
from corefkit.core.names import Response, file_form
from corefkit.core.texts import count_of

if TYPE_CHECKING:
    from corefkit.formats.kit.convert import Losses


@click.command("convert", cls=CheckedCommand)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT")
@choice_option(
    "--shape",
    ["keep", "full", "minimal"],
    help="full: 12 or more columns, as in 2011 and 2012; minimal: document, part, number, word, "
    "coreference.",
)
@choice_option(
    "--separator",
    ["keep", "tab", "blank"],
    help="Separate columns by tabs, or align them with blanks.",
)
@click.option(
    "--to",
    metavar="NAME",
    help="The format of OUT, one of `corefkit formats`.  [default: by its extension]",
)
@choice_option(
    "--discontinuous",
    ["span", "first", "error"],
    help="How to write mentions of several parts if OUT cannot express them.",
)
@choice_option(
    "--zeros",
    ["drop", "token", "error"],
    help="How to write mentions of empty nodes if OUT cannot express them; token: as a word _.",
)
@choice_option(
    "--cross",
    ["split", "pool"],
    help="Entities that span documents (ECB+, TAC): write each document by itself, or each "
    "topic as one.",
)
@force_option
@reading_options(sides=False)
def command(
    source: str,
    target: str,
    shape: str,
    separator: str,
    to: str | None,
    discontinuous: Literal["span", "first", "error"],
    zeros: Literal["drop", "token", "error"],
    cross: Literal["split", "pool"],
    readings: Readings,
    force: bool,
) -> None:
    """Convert IN to OUT (.gz, or - for standard input and output).

    IN is in any format that corefkit reads, or a directory. The format of OUT is given by --to or
    by its extension, e.g. .conllu, .jsonl or .parquet; what it cannot express is reported and
    counted. IN is never overwritten, other files only with --force. If IN has several annotators,
    OUT with {annotator} is one file for each of them.

    From CoNLL to CoNLL, and with --shape or --separator for any OUT, comments, document names,
    sentences and coreference are kept, and columns are dropped only with --shape minimal. A
    directory becomes a directory with the same files. What a blank-separated file cannot express,
    e.g. a word that contains a blank, is an error; so are, with --shape full or minimal, lines
    whose number of columns differs from that of their sentence.

    \b
    Examples:
      corefkit convert output.jsonlines output.conll
      corefkit convert key.conllu key.jsonl --to wl-coref
      corefkit convert key.conll key.tsv --separator tab
      corefkit convert response.conll.gz - --shape minimal
      corefkit convert project.zip '{annotator}.conll'
      corefkit convert corpus/ minimal/ --shape minimal --separator blank
    """
    from corefkit.formats.kit.convert import Losses

    output = _Output(shape, separator, to, Losses(discontinuous, zeros, cross), force)
    if not target:
        raise click.UsageError("OUT is empty: name a file, or - for standard output")
    if to is None and _is_folder(target) and Path(source).is_file():
        raise click.UsageError(f"{target} is a directory: name a file, or a format with --to")
    if "{document}" in target:
        raise click.UsageError("OUT may have {annotator} in its name, but not {document}")
    if "{annotator}" not in target:
        _convert(source, target, output, readings)
        return
    for place, side in _places(target, _named_sides(source, readings)).items():
        _convert(side.path, place, output, readings)


class _Output(NamedTuple):
    """The options about OUT; "keep" means that CoNLL columns or separators are not changed."""

    shape: str
    separator: str
    to: str | None
    losses: "Losses"
    force: bool

    @property
    def has_flavour(self) -> bool:
        """Whether columns or separators are to be changed."""
        return (self.shape, self.separator) != ("keep", "keep")

    def rewrite_file(self, path: str) -> bytes:
        """The file with the chosen columns; UsageError if it has no CoNLL columns."""
        from corefkit.formats.kit.files import load

        data = load(path)
        if not _looks_like_columns(data, None):
            raise _other_format(path, data)
        return self.rewrite(path, data)

    def rewrite(self, path: str, data: bytes) -> bytes:
        """The bytes of a file with CoNLL columns, with the chosen columns and separator."""
        from corefkit.formats.conll.writer import rewrite_columns

        separator = None if self.separator == "keep" else self.separator
        return rewrite_columns(
            data, path, columns=self.shape, separator=separator, tell=print_incidents
        )


def _named_sides(source: str, readings: Readings) -> list[Response]:
    """The annotators of a file, whose names become part of that of OUT; UsageError if none."""
    from corefkit.formats.kit.annotators import EVERYONE, split_annotator, with_annotators

    name = split_annotator(source)[1] or readings.key.get("annotator")
    if name not in (None, EVERYONE):
        return [Response(source, name)]
    sides = with_annotators([source], readings.key, curation=name is None)
    named = [side for side in sides if isinstance(side, Response)]
    if not named:
        raise click.UsageError(f"{source} has no annotators: OUT cannot have {{annotator}}")
    return named


def _places(target: str, sides: Sequence[Response]) -> dict[str, Response]:
    """The file of each annotator; UsageError where two would have the same one."""
    places: dict[str, Response] = {}
    for side in sides:
        place = target.replace("{annotator}", file_form(side.name) or "_")
        if place in places:
            both = f"{places[place].name} and {side.name}"
            raise click.UsageError(f"{both} would both become {place}: convert them one by one")
        places[place] = side
    return places


def _convert(source: str, target: str, output: _Output, readings: Readings) -> None:
    """Convert one file, or one annotator of it."""
    from corefkit.core.options import PLAIN
    from corefkit.formats.kit.convert import convert
    from corefkit.formats.kit.files import load
    from corefkit.formats.kit.writing import is_stream
    from corefkit.formats.registry import format_by_ending, get_format

    to, losses, force = output.to, output.losses, output.force
    is_there = source == "-" or Path(source).exists()
    if output.has_flavour and to is not None and not get_format(to).columns:
        raise click.UsageError("--shape and --separator need --to conll")
    if _is_folder(source) and (output.has_flavour or (to is None and _is_folder_name(target))):
        new = output.rewrite_file
        write_each(source, target, "conll", str, lambda job: new(job.source), force=force)
        return
    loaded: dict[str, bytes] | None = None
    if output.has_flavour or to is None:
        stream = is_stream(target)
        unnamed = output.has_flavour or stream
        form = get_format("conll") if unnamed else format_by_ending(target, "--to")
        to = form.name
        if form.columns and target != "-" and is_there:
            refuse_existing([target], [source], force=force)
        if form.columns and (source == "-" or Path(source).is_file()):
            loaded = {source: load(source)}
            if _looks_like_columns(loaded[source], readings.key.format):
                columns_data = output.rewrite(source, loaded[source])
                write_bytes(columns_data, target)
                corpus = form.parse(columns_data, target, PLAIN)  # which may have any defects
                _print_written(len(corpus.names), corpus.mentions, target)
                return
            if stream and not output.has_flavour:
                raise _other_format(source, loaded[source])
    if output.has_flavour:
        made = convert(source, "-", to, readings.key, losses, loaded=loaded)
        print_incidents(made.incidents)
        write_bytes(output.rewrite(source, made.files["-"]), target)
        _print_written(made.documents, made.mentions, target)
        return
    made = convert(source, target, to, readings.key, losses, loaded=loaded)
    files = {name: data for name, data in made.files.items() if name != "-"}
    write_files(files, [source], force=force, incidents=made.incidents, named=target)
    if "-" in made.files:
        write_bytes(made.files["-"], "-")
    _print_written(made.documents, made.mentions, target, len(files))


def _print_written(documents: int, mentions: int, target: str, files: int = 1) -> None:
    """Print on standard error what was written."""
    content = f"{count_of(documents, 'document')}, {count_of(mentions, 'mention')}"
    several = f", {count_of(files, 'file')}" if files > 1 else ""
    print_message(
        f"{'standard output' if target == '-' else target}: {content}{several}", aside=True
    )


def _is_folder(path: str) -> bool:
    return bool(path) and Path(path).is_dir()  # Path("") is the current folder


def _is_folder_name(path: str) -> bool:
    return path.endswith("/") or not Path(path).suffix or _is_folder(path)


def _looks_like_columns(data: bytes, format: str | None) -> bool:
    """Whether a file has CoNLL columns: by its format if the user named it, else by its content."""
    from corefkit.formats.kit.detection import recognise
    from corefkit.formats.registry import has_columns

    if format is None and b"begin document" in data:
        return True
    return has_columns(format or recognise(data) or "")


def _other_format(path: str, data: bytes) -> click.UsageError:
    """The error for a file that should have CoNLL columns but looks like another format."""
    from corefkit.formats.kit.detection import detect
    from corefkit.formats.registry import get_format, is_known

    kind = detect(data)
    title = get_format(kind).title if is_known(kind) else kind
    return click.UsageError(f"{path} is {title}: name the format of OUT with --to, e.g. --to conll")
