"""Where results go: files that are written whole or not at all, the terminal, standard error.

A file that is read is never overwritten, and one that is there already only with --force. Names and
ids of strangers must not move the cursor of a terminal; progress is shown there only.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

import click

from corefkit.core.texts import count_of, visible_lines, width

if TYPE_CHECKING:
    from corefkit.core.corpus import Corpus
    from corefkit.core.incidents import Incident
    from corefkit.corpora.folders import FileJob

_FOR_PROGRAMS = ("csv", "tsv", "jsonl", "conll", "corefud")
"""Formats that hold names as they are, unless a person reads them on a terminal."""

MOST = 10
"""So many errors of a kind are shown."""


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


def write_bytes(data: bytes, path: str | None) -> None:
    """Write to a file, packed if its name ends in `.gz`, or without a name to standard output.

    A terminal shows control characters as escapes.
    """
    if path is not None and path != "-":
        from corefkit.formats import packed, write_atomically

        write_atomically(path, packed(path, data))
        return
    _need_output()
    if sys.stdout.isatty():
        click.echo(visible_lines(data.decode("utf-8", "surrogateescape")), nl=False)
    else:
        sys.stdout.buffer.write(data)


def write_files(
    files: Mapping[str, bytes],
    sources: Iterable[str],
    *,
    force: bool,
    incidents: "Sequence[Incident]" = (),
    named: str = "",
    option: str = "--force",
) -> None:
    """Write all files or none, making their folders; see `refuse_existing`, `write_together`.

    The incidents are reported before: a disk that is full does not swallow them.
    """
    from corefkit.formats import write_together

    refuse_existing(list(files), sources, force=force, option=option)
    tell(incidents)
    write_together(files, named)


def write_each(
    path: str,
    output: str | None,
    ending: str,
    rename: Callable[[str], str],
    new: "Callable[[FileJob], bytes]",
    *,
    force: bool,
) -> None:
    """Write what `new` makes of a file, or of each file below a directory, all of them or none.

    `ending` and `rename` say which files, and what the new ones are called; see `plan`.
    """
    from corefkit.corpora.folders import FileJob, TreePlace, plan
    from corefkit.formats import packed, staged

    if not os.path.isdir(path):
        write_bytes(new(FileJob(path, output or "-", TreePlace("", None, ""))), output)
        return
    jobs = plan(path, output, ending, rename)
    refuse_existing([job.target for job in jobs], (job.source for job in jobs), force=force)
    number, hidden = count_of(len(jobs), "file"), not sys.stderr.isatty()
    with (
        staged(folders=True) as write,
        click.progressbar(jobs, label=number, file=sys.stderr, hidden=hidden) as steps,
    ):
        for job in steps:
            write(job.target, packed(job.target, new(job)))
    click.echo(f"{number} written", err=True)


def say(text: str) -> None:
    """A line on standard error; a name in it cannot control the terminal or a log."""
    click.echo(_with_colour(fitted(visible_lines(text), sys.stderr)), err=True)


WIDTH = 100
"""Messages on a terminal are not wider, however wide it is."""

_BEFORE_TEXT = re.compile(r"(?:\S.*?: )?(?:error|warning|note): |  \w+: +", re.IGNORECASE)
"""What stands before the text of a message: place and severity, or the name of a detail."""


def fitted(text: str, stream: TextIO) -> str:
    """Messages as they are for programs, which read one per line; on a terminal long lines are
    wrapped, and the text below a long place begins on a line of its own.
    """
    if not stream.isatty():
        return text
    from shutil import get_terminal_size

    columns = min(get_terminal_size().columns, WIDTH)
    return "\n".join(line for long in text.split("\n") for line in _wrapped(long, columns))


def _wrapped(line: str, columns: int) -> list[str]:
    """The lines of a message, none wider than that where its words allow it.

    >>> for line in _wrapped("some/long/folder/key.conll:7: error: entity 1 is not open", 40):
    ...     print(line)
    some/long/folder/key.conll:7: error:
      entity 1 is not open
    """
    if width(line) <= columns:
        return [line]
    from textwrap import wrap

    prefix = _BEFORE_TEXT.match(line)
    before, text = (prefix[0], line[prefix.end() :]) if prefix else ("", line)
    blanks = " " * len(before)
    lines = []
    if not before.startswith("  ") and len(before) > columns // 4:
        lines, before, blanks = [before.rstrip()], "  ", "  "
    return lines + wrap(
        text,
        columns,
        initial_indent=before,
        subsequent_indent=blanks,
        break_long_words=False,
        break_on_hyphens=False,
    )


_SEVERITY = re.compile(
    r"^((?:\S.*?: )?)(error|warning|note)(?=:(?: |$))", re.MULTILINE | re.IGNORECASE
)
_COLOUR = {"error": "31", "warning": "33", "note": "35"}


def _with_colour(text: str) -> str:
    """Messages with "error", "warning" and "note" in colour, on a terminal that can show it."""
    if not _can_colour(sys.stderr):
        return text
    return _SEVERITY.sub(
        lambda match: f"{match[1]}\x1b[1m\x1b[{_COLOUR[match[2].lower()]}m{match[2]}\x1b[0m", text
    )


def say_notes(notes: Iterable[str]) -> None:
    """Notes on standard error, one line each."""
    for note in notes:
        say(f"note: {note}")


def say_masked(shown: "Corpus | Iterable[str]") -> None:
    """A note where what will be shown, the text of a corpus or texts, has only masked words."""
    from corefkit.core.corpus import Corpus
    from corefkit.scoring.report import MASKED, are_masked, distinct_words

    texts = distinct_words(shown) if isinstance(shown, Corpus) else shown
    say_notes([MASKED] if are_masked(texts) else [])


def tell(incidents: "Iterable[Incident]") -> None:
    """What is wrong, for people: of each kind of error the first ten, of each kind of warning in
    a file the first, and how many more there are. Warnings of no file, such as what a new format
    cannot say, are sums already: each is shown.
    """
    kinds: dict[tuple[str | None, str], list[Incident]] = {}
    for incident in incidents:
        if incident.id == _BROKEN:
            click.get_current_context().meta[_BROKEN] = True
        file = incident.file or incident.message
        shared = None if incident.severity == "error" else file
        kinds.setdefault((shared, incident.id), []).append(incident)
    for same in kinds.values():
        most = MOST if same[0].severity == "error" else 1
        shown = [i for i in same if i.count == 1][:most] or same[:1]
        number = sum(i.count for i in same) - sum(i.count for i in shown)
        more = f"\n  … and {number:,} more of this kind{_where(same)}" if number else ""
        for incident in shown[:-1]:
            click.echo(_with_colour(fitted(str(incident), sys.stderr)), err=True)
        click.echo(_with_colour(fitted(str(shown[-1]), sys.stderr)) + more, err=True)


_BROKEN = "answer-broken"


def _where(incidents: "list[Incident]") -> str:
    """Which answers are broken besides the first: these must be asked for again, one by one."""
    if incidents[0].id != _BROKEN:
        return ""
    lines = (i.document or (i.line and f"line {i.line:,}") for i in incidents[1:])
    named = [name for name in dict.fromkeys(lines) if name]
    rest = f" and {len(named) - MOST:,} others" if len(named) > MOST else ""
    return f": {', '.join(named[:MOST])}{rest}" if named else ""


def told_of_broken() -> bool:
    """Whether the command has reported that answers were broken."""
    return _BROKEN in click.get_current_context().meta


def check_ending(output: str | None, *endings: str) -> None:
    """A usage error where the name of an output ends as what the command does not write.

    Names without an ending, pipes and devices say nothing about it.
    """
    ending = ending_of(output)
    if ending and not ending.endswith(endings):
        listed = ", ".join(f".{known}" for known in endings)
        raise click.UsageError(
            f"{output}: this command writes no format that ends in .{ending}; name a file that "
            f"ends in {listed}"
        )


def ending_of(output: str | None) -> str:
    """How the name of an output ends, without `.gz` and in lower case; "" where it has no ending.

    >>> ending_of("out/scores.CSV.gz"), ending_of("results.d/scores"), ending_of("-")
    ('csv', '', '')
    """
    if not output or output == "-" or _is_stream(output):
        return ""
    name = os.path.basename(output).lower().removesuffix(".gz").lstrip(".")
    return name.rpartition(".")[2] if "." in name else ""


def refuse_existing(
    targets: Sequence[str], sources: Iterable[str], *, force: bool, option: str = "--force"
) -> None:
    """A usage error where files are there already, unless they are to be replaced, which an option
    says; what is read is never replaced.
    """
    from corefkit.formats import refuse_overwriting

    refuse_overwriting(targets, sources)
    there = [target for target in targets if os.path.lexists(target) and not _is_stream(target)]
    if there and not force:
        more = (
            f" and {len(there) - 1:,} more already exist" if len(there) > 1 else " already exists"
        )
        raise click.UsageError(
            f"{there[0]}{more}; {option} replaces {'them' if there[1:] else 'it'}"
        )


def _is_stream(path: str) -> bool:
    """Whether it is a pipe or a device, which is written to and loses nothing."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


_OURS = r"(\x1b\[(?:0|1|2|31|32|33|35)m|\r|\x1b\[\?25[lh])"
"""What corefkit itself writes: bold, dim, its colours, and what progress bars need."""

closed = False
"""Whether the program was started without a standard output."""


class HarmlessStream:
    """A stream on which nothing but what corefkit itself writes controls the terminal.

    Tables and messages make names visible themselves; this catches what is printed as it stands,
    such as CSV.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text with control characters made visible."""
        parts = re.split(_OURS, text)
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
            setattr(sys, name, HarmlessStream(stream))


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


def _need_output() -> None:
    if closed:
        click.echo("error: standard output is closed; name a file with -o", err=True)
        sys.exit(1)


def _wants_bold() -> bool:
    return _can_colour(sys.stdout)


def _can_colour(stream: TextIO) -> bool:
    """On a terminal that can, unless the user does not want it (no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return stream.isatty() and not plain
