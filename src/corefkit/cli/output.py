"""The output of commands: files, which are written completely or not at all, and the terminal.

A file that is read is never overwritten, another existing one only with --force. Names and ids from
files must not control the terminal; progress is shown only on a terminal.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, TextIO

import click

from corefkit.core.progress import Stage, current, told
from corefkit.core.texts import count_of, shorten, visible, visible_lines, width

if TYPE_CHECKING:
    from corefkit.core.corpus import Corpus
    from corefkit.core.incidents import Incident
    from corefkit.corpora.folders import FileJob

_FOR_PROGRAMS = ("csv", "tsv", "jsonl", "conll", "corefud")
"""Formats in which control characters are made visible only on a terminal."""

MOST = 10
"""How many incidents of a kind are shown."""


def write_output(text: str, path: str | None, form: str | None = None) -> None:
    """Write a text to a file, completely or not at all, or to standard output.

    `form` is the format, by default that of the option -f.
    """
    form = form or click.get_current_context().params.get("form")
    if (path is None or path == "-") and form not in _FOR_PROGRAMS:
        _need_output()
        click.echo(text, nl=False, color=True)
    else:
        write_bytes(text.encode("utf-8", "surrogateescape"), path)


def write_bytes(data: bytes, path: str | None) -> None:
    """Write to a file, compressed if its name ends in `.gz`, or to standard output.

    On a terminal, control characters are made visible.
    """
    if path is not None and path != "-":
        from corefkit.formats.kit.files import packed
        from corefkit.formats.kit.writing import write_atomically

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
    """Write all files or none, and create their folders; see `refuse_existing`, `write_together`.

    The incidents are printed first, so that they are not lost if the disk is full.
    """
    from corefkit.formats.kit.writing import write_together

    refuse_existing(list(files), sources, force=force, option=option)
    print_incidents(incidents)
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
    """Write the result of `new` for a file, or for each file below a directory, all or none.

    `ending` selects the files, and `rename` gives the names of the new ones; see `plan`.
    """
    from corefkit.corpora.folders import FileJob, TreePlace, plan
    from corefkit.formats.kit.files import packed
    from corefkit.formats.kit.writing import staged

    if not os.path.isdir(path):
        write_bytes(new(FileJob(path, output or "-", TreePlace("", None, ""))), output)
        return
    jobs = plan(path, output, ending, rename)
    refuse_existing([job.target for job in jobs], (job.source for job in jobs), force=force)
    with staged(folders=True) as write:
        for job in told(jobs, "files"):
            write(job.target, packed(job.target, new(job)))
    print_message(f"{count_of(len(jobs), 'file')} written", aside=True)


QUIET = "quiet"
"""Where a context keeps whether --quiet was given."""


def is_quiet() -> bool:
    """Whether only results and errors are wanted."""
    context = click.get_current_context(silent=True)
    return bool(context and context.meta.get(QUIET))


def print_message(text: str, *, aside: bool = False) -> None:
    """Print a message on standard error, with control characters made visible.

    An `aside`, such as the size of what was written, is not printed with --quiet.
    """
    if aside and is_quiet():
        return
    click.echo(coloured(fitted(visible_lines(text), sys.stderr), sys.stderr), err=True)


WIDTH = 100
"""The maximum width of messages on a terminal."""

_PREFIX = re.compile(r"(?:\S.*?: )?(?:error|warning|note): |  \w+: +", re.IGNORECASE)
"""What precedes the text of a message: place and severity, or the name of a detail."""


def fitted(text: str, stream: TextIO) -> str:
    """Messages with long lines wrapped on a terminal; programs read one message per line."""
    if not stream.isatty():
        return text
    from shutil import get_terminal_size

    columns = min(get_terminal_size().columns, WIDTH)
    return "\n".join(piece for line in text.split("\n") for piece in _wrapped(line, columns))


def _wrapped(line: str, columns: int) -> list[str]:
    """The line wrapped to a number of columns; text after a long place begins on a new line.

    >>> for line in _wrapped("some/long/folder/key.conll:7: error: entity 1 is not open", 40):
    ...     print(line)
    some/long/folder/key.conll:7: error:
      entity 1 is not open
    """
    if width(line) <= columns:
        return [line]
    from textwrap import wrap

    match = _PREFIX.match(line)
    prefix, text = (match[0], line[match.end() :]) if match else ("", line)
    indent = " " * len(prefix)
    lines = []
    if not prefix.startswith("  ") and len(prefix) > columns // 4:
        lines, prefix, indent = [prefix.rstrip()], "  ", "  "
    return lines + wrap(
        text,
        columns,
        initial_indent=prefix,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


_SEVERITY = re.compile(
    r"^((?:\S.*?: )?)(error|warning|note)(?=:(?: |$))", re.MULTILINE | re.IGNORECASE
)
_COLOUR = {"error": "31", "warning": "33", "note": "35"}


def coloured(text: str, stream: TextIO) -> str:
    """Messages with "error", "warning" and "note" in colour, if the stream can show it."""
    if not can_colour(stream):
        return text
    return _SEVERITY.sub(
        lambda match: f"{match[1]}\x1b[1m\x1b[{_COLOUR[match[2].lower()]}m{match[2]}\x1b[0m", text
    )


def print_notes(notes: Iterable[str]) -> None:
    """Print notes on standard error, one line each."""
    for note in notes:
        print_message(f"note: {note}", aside=True)


def note_masked_words(shown: "Corpus | Iterable[str]") -> None:
    """Print a note if all words of a corpus, or of texts that will be shown, are masked."""
    from corefkit.core.corpus import Corpus
    from corefkit.scoring.report import MASKED, are_masked, distinct_words

    texts = distinct_words(shown) if isinstance(shown, Corpus) else shown
    print_notes([MASKED] if are_masked(texts) else [])


def print_incidents(incidents: "Iterable[Incident]") -> None:
    """Print incidents on standard error; with --quiet, only the errors.

    The first ten errors of each kind are shown, and the first warning of each kind in a file, with
    the number of further ones. Warnings without a file, such as losses of a conversion, are sums
    already: all are shown.
    """
    kinds: dict[tuple[str | None, str], list[Incident]] = {}
    quiet = is_quiet()
    for incident in incidents:
        if incident.id == _BROKEN:
            click.get_current_context().meta[_BROKEN] = True
        if quiet and incident.severity != "error":
            continue
        file = None if incident.severity == "error" else incident.file or incident.message
        kinds.setdefault((file, incident.id), []).append(incident)
    for of_kind in kinds.values():
        most = MOST if of_kind[0].severity == "error" else 1
        shown = [i for i in of_kind if i.count == 1][:most] or of_kind[:1]
        number = sum(i.count for i in of_kind) - sum(i.count for i in shown)
        more = f"\n  … and {number:,} more of this kind{_where(of_kind)}" if number else ""
        for incident in shown[:-1]:
            click.echo(coloured(fitted(str(incident), sys.stderr), sys.stderr), err=True)
        last = coloured(fitted(str(shown[-1]), sys.stderr), sys.stderr)
        click.echo(last + more, err=True)


_BROKEN = "answer-broken"


def _where(incidents: "list[Incident]") -> str:
    """The places of broken answers after the first; users have to request each of them again."""
    if incidents[0].id != _BROKEN:
        return ""
    lines = (i.document or (i.line and f"line {i.line:,}") for i in incidents[1:])
    named = [name for name in dict.fromkeys(lines) if name]
    others = f" and {len(named) - MOST:,} others" if len(named) > MOST else ""
    return f": {', '.join(named[:MOST])}{others}" if named else ""


def has_printed_broken() -> bool:
    """Whether the command has printed an incident about broken answers."""
    return _BROKEN in click.get_current_context().meta


def check_ending(output: str | None, *endings: str) -> None:
    """Raise a usage error if an output has a suffix that the command does not write.

    Names without a suffix, pipes and devices are accepted.
    """
    ending = ending_of(output)
    if ending and not ending.endswith(endings):
        listed = ", ".join(f".{known}" for known in endings)
        raise click.UsageError(
            f"{output}: this command writes no format that ends in .{ending}; name a file that "
            f"ends in {listed}"
        )


def ending_of(output: str | None) -> str:
    """The suffix of an output in lower case, without `.gz`; empty if it has none.

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
    """Raise a usage error if files exist, unless `force`; files that are read are never replaced.

    `option` is the one that would replace them.
    """
    from corefkit.formats.kit.writing import refuse_overwriting

    refuse_overwriting(targets, sources)
    existing = [target for target in targets if os.path.lexists(target) and not _is_stream(target)]
    if existing and not force:
        exist, pronoun = " already exists", "it"
        if len(existing) > 1:
            exist, pronoun = f" and {len(existing) - 1:,} more already exist", "them"
        raise click.UsageError(f"{existing[0]}{exist}; {option} replaces {pronoun}")


def _is_stream(path: str) -> bool:
    """Whether a path is a pipe or a device, which has no content to lose."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


_OURS = r"(\x1b\[(?:0|1|2|31|32|33|35)m)"
"""The control sequences that corefkit itself writes: bold, dim, colours."""

closed = False
"""Whether the program was started without a standard output."""


class HarmlessStream:
    """A stream on which only the control sequences of corefkit itself reach the terminal.

    Tables and messages are safe already; this catches what is printed literally, such as CSV.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write the text with control characters made visible, where the bar of `moving` was."""
        if _Bar.shown is not None:
            _Bar.shown.clear()
        parts = re.split(_OURS, text)
        parts[::2] = [visible_lines(part) for part in parts[::2]]
        self._stream.write("".join(parts))
        return len(text)

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def protect() -> None:
    """Make the standard streams harmless if they are terminals.

    A stream that was closed when the program started is replaced by one that discards everything.
    """
    global closed  # noqa: PLW0603
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            closed = closed or name == "stdout"
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        elif stream.isatty():
            setattr(sys, name, HarmlessStream(stream))


SOON = 2.0
"""Seconds after which long work shows that it moves."""


class _Bar(Thread):
    """Draws what is being done, again and again, once a command has taken a while."""

    shown: "_Bar | None" = None

    def __init__(self, stream: TextIO) -> None:
        super().__init__(daemon=True)
        self._stream, self._ended, self._drawn = stream, Event(), False
        self._lock = Lock()

    def run(self) -> None:
        """Wait, then draw until the work has ended."""
        wait = SOON
        while not self._ended.wait(wait):
            wait = 0.2
            if stage := current():
                with self._lock:
                    self._stream.write(f"\r\x1b[2K{_drawn(stage)}")
                    self._stream.flush()
                    self._drawn = True

    def clear(self) -> None:
        """Remove what was drawn: something else is written."""
        with self._lock:
            if self._drawn:
                self._stream.write("\r\x1b[2K")
                self._stream.flush()
                self._drawn = False

    def end(self) -> None:
        """Draw no more."""
        self._ended.set()
        self.join()
        self.clear()


def _drawn(stage: Stage) -> str:
    what = shorten(visible(stage.what), 60)
    if not stage.total:
        return f"{what} …"
    full = 30 * stage.done // stage.total
    return f"{'█' * full}{'░' * (30 - full)} {stage.done:,} of {stage.total:,} {what}"


@contextmanager
def moving() -> Iterator[None]:
    """While the block runs, a terminal shows what it is at, after some seconds; see progress."""
    stream = sys.stderr
    if not stream.isatty() or is_quiet() or _Bar.shown is not None:
        yield
        return
    _Bar.shown = _Bar(getattr(stream, "_stream", stream))
    _Bar.shown.start()
    try:
        yield
    finally:
        _Bar.shown.end()
        _Bar.shown = None


def _need_output() -> None:
    if closed:
        click.echo("error: standard output is closed; name a file with -o", err=True)
        sys.exit(1)


def can_colour(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colours, and NO_COLOR is not set (no-color.org)."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM", "dumb") == "dumb"
    return stream.isatty() and not plain
