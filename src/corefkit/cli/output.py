"""What all commands share: results to a file or the screen, incidents to standard error.

Files that must not be overwritten: those that are read, and without --force those there.

Terminals: names and ids of strangers must not move the cursor; progress is shown there only.
"""

import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import click

from corefkit.cli.parameters import INPUTS, OUTPUTS, Decorator, complete_files, option_group
from corefkit.core.incidents import DataError, Incident
from corefkit.core.names import Response, ResponseFile
from corefkit.core.options import UsageError
from corefkit.core.texts import visible_lines
from corefkit.formats import expand, packed, write_atomically
from corefkit.render.table import FORMATS

_OURS = re.compile(r"(\x1b\[(?:0|1|2|31|32|33|35)m|\r|\x1b\[\?25[lh])")
"""What corefkit itself writes: bold, dim, its colours, and what progress bars need."""


closed = False
"""Whether the program was started without a standard output."""


class Harmless:
    """A stream on which nothing but what corefkit itself writes controls the terminal.

    Tables and messages make names visible themselves; this catches what is printed as it stands,
    such as CSV.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text with control characters made visible."""
        parts = _OURS.split(text)
        parts[::2] = [visible_lines(part) for part in parts[::2]]
        self._stream.write("".join(parts))
        return len(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def protect() -> None:
    """Make the standard streams harmless where they are terminals.

    One that was closed when the program started is replaced by a stream that discards all.
    """
    global closed  # noqa: PLW0603
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            closed = closed or name == "stdout"
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif stream.isatty():
            setattr(sys, name, Harmless(stream))


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A function that shows how many of how many are done, on a terminal only."""
    shown = sys.stderr.isatty()

    def update(done: int, total: int) -> None:
        if shown and total:
            full = 30 * done // total
            bar = "█" * full + "░" * (30 - full)
            click.echo(f"\r{bar} {done:,} of {total:,} {what}", err=True, nl=False)

    try:
        yield update
    finally:
        if shown:
            click.echo("", err=True)


def refuse_overwriting(
    outputs: Sequence[str], inputs: Iterable[str], literal: Iterable[str] = ()
) -> None:
    """A usage error where a file to be written is one that is read, by whatever name.

    `inputs` may be directories and patterns; `literal` are texts that may be names of files.
    """
    places = [_identity(output) for output in outputs]
    for number, place in enumerate(places):
        if outputs[number] in outputs[:number] or (place and place in places[:number]):
            raise click.UsageError(f"{outputs[number]} would be written twice")
    if not any(places):
        return
    from corefkit.formats import companion_test

    files = [*_files(inputs), *literal]
    read = set(map(_identity, files))
    read_along = companion_test(map(os.path.realpath, files))
    for output, place in zip(outputs, places, strict=True):
        if place and (place in read or read_along(os.path.realpath(output))):
            raise click.UsageError(
                f"{output} is read and would be overwritten; name another file to write"
            )


def _files(names: Iterable[str]) -> list[str]:
    """The files that names stand for, directories and patterns too."""
    found = []
    for name in names:
        try:
            found += expand(name)
        except DataError:  # no such file, or unreadable: said when it is read
            continue
    return found


def _identity(name: str) -> tuple[int, int] | None:
    """Which file it is; None where there is none, and for pipes and terminals."""
    try:
        found = os.stat(name)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


force_option: Decorator = click.option(
    "--force", is_flag=True, help="Replace files that are there already."
)
"""The option --force of commands that write into directories."""


def refuse_existing(targets: Sequence[str], sources: Iterable[str], *, force: bool) -> None:
    """A usage error where files are there already, unless they are to be replaced; what is read
    is never replaced.
    """
    refuse_overwriting(targets, sources)
    there = [target for target in targets if os.path.lexists(target) and not _is_stream(target)]
    if there and not force:
        more = f" and {len(there) - 1:,} more are" if len(there) > 1 else " is"
        raise click.UsageError(f"{there[0]}{more} there already; --force replaces what is there")


def write_files(
    files: Mapping[str, bytes],
    sources: Iterable[str],
    *,
    force: bool,
    incidents: Sequence[Incident] = (),
) -> None:
    """Write files by their names, making their folders; see `refuse_existing`.

    The incidents are told before: a disk that is full does not swallow them.
    """

    refuse_existing(list(files), sources, force=force)
    tell(incidents)
    for name, data in files.items():
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        write_atomically(name, data)


def _is_stream(path: str) -> bool:
    """Whether it is a pipe or a device, which is written to and loses nothing."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


SUFFIXES = {name: name for name in ("json", "jsonl", "csv", "tsv", "html")}
SUFFIXES |= {"txt": "text", "md": "markdown", "tex": "latex"}
"""The format that the name of an output asks for where -f does not."""

SYSTEMS = ("responses", "annotators", "files")
"""The parameters that name systems, each perhaps as NAME=FILE."""

_FOR_PROGRAMS = ("csv", "tsv", "jsonl", "conll", "corefud")
"""Formats that hold names as they are, unless a person reads them on a terminal."""


csv_safe_option: Decorator = click.option(
    "--csv-safe",
    is_flag=True,
    help="csv, tsv: an apostrophe before texts that a spreadsheet would run as formulas.",
)
"""For people who open results of strangers in a spreadsheet."""


def format_option(forms: Sequence[str] = FORMATS, help: str = "") -> Decorator:
    """The option -f of a command, and --csv-safe where one of the formats is CSV."""
    option = click.option(
        "-f",
        "--output-format",
        "form",
        type=click.Choice(list(forms)),
        callback=form_by_output,
        help=f"{help}  [default: by the name of -o, else text]".strip(),
    )
    return option_group(option, csv_safe_option) if "csv" in forms else option


class CheckedCommand(click.Command):
    """A command that checks its parameters before it runs, and fails with a message."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        complete_files(self)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command.

        Bad data ends it with status 1 and the incidents, a wrong option with status 2. A file that
        cannot be written ends it with status 1; it is the output if the error names none.
        """
        try:
            ctx.invoke(_prepare, ctx)
            return super().invoke(ctx)
        except DataError as error:
            tell(error.incidents)
            sys.exit(1)
        except UsageError as error:
            raise click.UsageError(str(error), ctx) from None
        except BrokenPipeError:  # the reader has seen enough
            raise
        except OSError as error:
            file = error.filename or ctx.params.get("output")
            place = f"{file}: " if file else ""
            say(f"{place}error: cannot be written: {error.strerror or error}")
            sys.exit(1)


class CheckedGroup(click.Group):
    """A group of such commands."""

    command_class = CheckedCommand


def _prepare(ctx: click.Context) -> None:
    """Give systems their names, put --csv-safe into effect, and check files that are named.

    A usage error where an output is an input, which would be destroyed, where standard input is
    named twice, or where a figure has the name of no figure.
    """
    params = ctx.params
    for name in SYSTEMS:
        if isinstance(value := params.get(name), tuple):
            params[name] = tuple(map(named, value))
    inputs = _texts(tuple(params.get(name) for name in INPUTS))
    if inputs.count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once")
    if isinstance(plot := params.get("plot"), str):
        from corefkit.render.plots import check_name

        check_name(plot)
    if params.pop("csv_safe", False):
        from corefkit.render.delimited import SAFE

        token = SAFE.set(True)
        ctx.call_on_close(lambda: SAFE.reset(token))
    outputs = [str(v) for n in OUTPUTS if (v := params.get(n)) and str(v) != "-"]
    if outputs:
        chosen = {p.name for p in ctx.command.params if isinstance(p.type, click.Choice)}
        others = (v for n, v in params.items() if n not in (*INPUTS, *OUTPUTS, *chosen))
        refuse_overwriting(outputs, inputs, _texts(tuple(others)))


def named(text: str) -> ResponseFile:
    """The response of NAME=FILE, else the file itself; a file whose name has a = in it wins.

    >>> named("our system=runs/7.conll")
    Response(path='runs/7.conll', name='our system')
    """
    name, equals, path = text.partition("=")
    if not (equals and name and path) or "/" in name or os.path.lexists(text):
        return text
    return Response(path, name)


def form_by_output(context: click.Context, option: click.Parameter, form: str | None) -> str:
    """The format that -f names, else that of the output, which is known by then if it is given."""
    assert isinstance(option.type, click.Choice)
    return form or form_of(context.params.get("output"), option.type.choices)


def form_of(output: str | None, known: Sequence[str]) -> str:
    """The format that the name of an output asks for; a usage error if it is not a known one."""
    ending = (output or "").lower().removesuffix(".gz").rpartition(".")[2]
    form = SUFFIXES.get(ending, "text")
    if form not in known:
        raise click.UsageError(
            f"{output}: this command does not write {form}; name another file, or choose a format "
            f"with -f: {', '.join(known)}"
        )
    return form


def _texts(value: object) -> list[str]:
    """The texts among the values of a parameter; each may be the name of a file."""
    if isinstance(value, (str, os.PathLike)):
        return [os.fspath(value)]
    return [text for v in value for text in _texts(v)] if isinstance(value, tuple) else []


output_option: Decorator = click.option(
    "-o", "--output", metavar="FILE", help="Write to FILE, not to standard output."
)
"""The option -o of a command."""


def say(text: str) -> None:
    """A line on standard error; a name in it cannot control the terminal or a log."""
    click.echo(visible_lines(text), err=True)


def write_output(make: Callable[[bool], str], path: str | None, form: str | None = None) -> None:
    """Write what `make(bold)` returns; a file is complete or not there at all.

    `form` is the format where the option -f does not tell it.
    """
    shown = path is None or path == "-"
    if shown:
        _need_output()
    text = make(shown and _wants_bold())
    form = form or click.get_current_context().params.get("form")
    if shown and form not in _FOR_PROGRAMS:
        click.echo(text, nl=False, color=True)
    else:
        write_bytes(text.encode("utf-8", "surrogateescape"), path)


def _need_output() -> None:
    if closed:
        click.echo("error: standard output is closed; name a file with -o", err=True)
        sys.exit(1)


def write_bytes(data: bytes, path: str | None) -> None:
    """Write to a file, packed if its name ends in `.gz`, or without a name to standard output.

    A terminal shows control characters as escapes.
    """
    if path is not None and path != "-":
        write_atomically(path, packed(path, data))
        return
    _need_output()
    if sys.stdout.isatty():
        click.echo(visible_lines(data.decode("utf-8", "surrogateescape")), nl=False)
    else:
        sys.stdout.buffer.write(data)


MOST = 10
"""So many errors of a kind are shown."""


def tell(incidents: Iterable[Incident]) -> None:
    """What is wrong, for people: of each kind of error the first ten, of each kind of warning in
    a file the first, and how many more there are. Warnings of no file, such as what a new format
    cannot say, are sums already: each is shown.
    """
    kinds: dict[tuple[str | None, str], list[Incident]] = {}
    for incident in incidents:
        file = incident.file or incident.message
        shared = None if incident.severity == "error" else file
        kinds.setdefault((shared, incident.id), []).append(incident)
    for same in kinds.values():
        most = MOST if same[0].severity == "error" else 1
        shown = [i for i in same if i.count == 1][:most] or same[:1]
        number = sum(i.count for i in same) - sum(i.count for i in shown)
        more = f"\n  … and {number:,} more of this kind" if number else ""
        click.echo("\n".join(map(str, shown)) + more, err=True)


def _wants_bold() -> bool:
    """On a terminal that can, unless the user does not want it (no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return sys.stdout.isatty() and not plain
