"""The command line: its commands, which are loaded when they are called, and its errors."""

import atexit
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

import click

from corefkit._version import __version__
from corefkit.cli import INTERRUPTED
from corefkit.core.entry_points import PluginCommand, find, load, ours

COMMANDS: dict[str, dict[str, str]] = {
    "Score and check": {
        "score": "Score responses against a key.",
        "check": "Check files for errors.",
        "compare": "Test the differences between responses.",
        "agree": "Measure agreement between annotators.",
    },
    "See what went wrong": {
        "errors": "Show what went wrong, what it costs, and where.",
        "report": "Write a page that shows the errors.",
        "outcomes": "List the outcome of each mention, or compare two systems.",
        "explain": "Show why two scorers differ, or what a signature says.",
    },
    "Corpora": {
        "convert": "Convert between formats, and between the flavours of CoNLL.",
        "formats": "List the formats that are read and written.",
        "stats": "Count what is in a corpus.",
        "corpus": "Split corpora, mask words, set heads, extract layers.",
    },
    "About the scores": {
        "metrics": "List the metrics, or explain one.",
        "help": "Show a page of the documentation.",
        "demo": "Score, compare and explain an example corpus.",
    },
}
"""The commands of the core by section of `corefkit --help`; plug-ins add theirs.

To add one, write its module and a line here.
"""

ELSEWHERE = {
    "align": "see corefkit check --against",
    "signature": "see corefkit explain",
    "plot": "give --plot FILE to corefkit score, compare or agree --labels",
    "significance": "see corefkit compare, which tests differences and gives intervals",
    "bootstrap": "see corefkit compare, which tests differences and gives intervals",
    "validate": "see corefkit check",
    "evaluate": "see corefkit score",
    "eval": "see corefkit score",
    "kappa": "see corefkit agree",
    "agreement": "see corefkit agree",
    "cite": "see corefkit --cite",
}
"""Names that people try, and the command to use instead."""


class CommandGroup(click.Group):
    """A group of commands that are loaded when they are called; `--help` loads none of them.

    They are modules of a package, if one is given, and what plug-ins add to the group.

    Attributes:
        package: the package of the modules.
        sections: the help of each command, in the sections of `--help`.
    """

    def __init__(
        self,
        *args: Any,
        package: str = "",
        sections: Mapping[str, Mapping[str, str]] = {},
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.package, self.sections = package, sections

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; if there are none, show the help on standard output."""
        return super().parse_args(ctx, args or ["--help"])

    @property
    def place(self) -> str:
        """The word before the names of its commands, where plug-ins add some."""
        return self.name or ""

    def list_sections(self) -> dict[str, dict[str, str]]:
        """The help of all commands by section: those of the group, then those of plug-ins."""
        sections = {title: dict(commands) for title, commands in self.sections.items()}
        for name, command in self.commands.items():
            sections.setdefault("Commands", {})[name] = command.get_short_help_str(90)
        for words in ours("commands"):
            place, _, name = words.rpartition(" ")
            if place == self.place:
                added: PluginCommand = find("commands", words)
                sections.setdefault(added.section, {})[name] = added.help
        return sections

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands, in the order of `--help`."""
        return [name for section in self.list_sections().values() for name in section]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the command of a name; None if there is none."""
        if cmd_name in self.commands:
            return self.commands[cmd_name]
        if any(cmd_name in section for section in self.sections.values()):
            where = f"{self.package}.{cmd_name}:command"
        elif added := find("commands", f"{self.place} {cmd_name}".strip()):
            where = added.where
        else:
            return None
        command: click.Command = load(where)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The named command, or what a plug-in runs for an option of it.

        There is a suggestion for an unknown command.
        """
        name = args[0]
        if not name.startswith("-") and self.get_command(ctx, name) is None:
            from corefkit.core.options import did_you_mean

            near = did_you_mean(name, self.list_commands(ctx))
            sought = ELSEWHERE | {
                other: f"see corefkit {words}"
                for words in ours("commands")
                for other in find("commands", words).sought
            }
            advice = f"; {sought[name]}" if name in sought else self._of_files(args) or near
            ctx.fail(f"No such command {name!r}{advice}")
        named, command, others = super().resolve_command(ctx, args)
        if command is None or isinstance(command, click.Group):
            return named, command, others
        known = {name for parameter in command.get_params(ctx) for name in parameter.opts}
        for option in others:
            if option.startswith("--"):
                words = f"{self.place} {named} {option}".strip()
                unknown = option.partition("=")[0] not in known
                if words in ours("commands") or (unknown and find("commands", words)):
                    other = load(find("commands", words).where)
                    return words, other, [text for text in others if text != option]
        return named, command, others

    def _of_files(self, args: list[str]) -> str:
        """What to write where a file stands in the place of the command; empty if none does."""
        if self.place or not os.path.lexists(args[0]):
            return ""
        command = "score" if len(args) > 1 else "check"
        return f". Did you mean `corefkit {command} {shlex.join(args)}`?"

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the commands by section."""
        sections = self.list_sections()
        widest = max(len(name) for commands in sections.values() for name in commands)
        for title, commands in sections.items():
            with formatter.section(title):
                formatter.write_dl([(f"{n:<{widest}}", text) for n, text in commands.items()])


_FIRST = """\
Usage: corefkit COMMAND ...

  Score who-refers-to-whom annotations: exact, reproducible, explained.

  corefkit score KEY RESPONSE...    the scores: MUC, B³, CEAF, BLANC, LEA, CoNLL
  corefkit report KEY RESPONSE...   a page: what went wrong, what it cost, where
  corefkit compare KEY A B...       is A better than B? --paper makes a table
  corefkit check FILE...            what is wrong with a file

  KEY and RESPONSE are files, .gz, folders, quoted globs or -. Their format is
  recognised. No data at hand? corefkit demo scores an example.
"""
"""What `--help` begins with: the commands that nearly everybody needs."""
_NEEDED = ("score", "report", "compare", "check")


class _TopLevel(CommandGroup):
    """The top-level group; control characters in its error messages are made visible."""

    place = ""

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what most people need, then the names of the other commands by section."""
        formatter.write(_FIRST)
        with formatter.section("More commands; corefkit COMMAND --help explains one"):
            formatter.write_dl(
                (title, " ".join(name for name in commands if name not in _NEEDED))
                for title, commands in self.list_sections().items()
            )
        click.Command.format_options(self, ctx, formatter)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        with _visible_errors():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        with _visible_errors():
            try:
                return super().invoke(ctx)
            except BrokenPipeError:  # click would end with status 1
                _leave_reader()


@contextmanager
def _visible_errors() -> Iterator[None]:
    """Make control characters visible in click's messages, which quote the command line.

    Also handle Ctrl-C, after which click would exit with status 1.
    """
    try:
        yield
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except click.ClickException as error:
        from corefkit.cli.output import fitted
        from corefkit.core.texts import visible_lines

        error.message = visible_lines(error.message)  # type: ignore[misc]
        shown = fitted(f"Error: {error.format_message()}", sys.stderr).removeprefix("Error: ")
        error.format_message = lambda: shown  # type: ignore[method-assign]
        raise


def _cite(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from corefkit.metrics import DEFAULT
        from corefkit.metrics.bibliography import bibtex

        click.echo(bibtex(DEFAULT), nl=False)
        ctx.exit()


@click.group(
    cls=_TopLevel,
    package="corefkit.cli",
    sections=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, "-V", "--version", message="corefkit %(version)s")
@click.option(
    "--cite",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_cite,
    help="Print BibTeX of corefkit and its metrics, and exit.",
)
@click.option(
    "--max-size",
    metavar="SIZE",
    help="What a compressed file may unpack to; also COREFKIT_MAX_SIZE.  [default: 2G]",
)
def corefkit(max_size: str | None) -> None:
    """Score who-refers-to-whom annotations: exact, reproducible, explained."""
    if max_size is not None:
        from corefkit.core.options import UsageError
        from corefkit.formats.kit.files import MAX_SIZE_VARIABLE, parse_size

        try:
            parse_size(max_size)
        except UsageError as error:
            raise click.UsageError(f"--max-size: {error}") from None
        os.environ[MAX_SIZE_VARIABLE] = max_size  # for worker processes too


def run_and_leave(command: Callable[[], object]) -> NoReturn:
    """Run a command and end the process at once, without tearing down all modules.

    That would take an eighth of the time of a typical `score` (docs/speed.md). Functions registered
    with `atexit` are called.
    """
    status: str | int | None = 0
    try:
        _guarded(command)
    except SystemExit as end:
        status = end.code
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:  # the reader has closed the pipe, which is fine
            continue
        except (OSError, ValueError):  # the disk is full, or the stream was closed before
            status = status or int(stream is sys.stdout)
    os._exit(status if isinstance(status, int) else int(status is not None))


def _leave_reader() -> NoReturn:
    """Exit with status 0 after the reader of standard output, e.g. `head`, has closed the pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    sys.exit(0)


def _guarded(command: Callable[[], object]) -> None:
    """Run a command; whatever happens, the user sees a message rather than a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # not None, as it is if the caller closed it
            stream.reconfigure(errors="backslashreplace")
    from corefkit.cli.output import protect

    protect()
    try:
        command()
    except BrokenPipeError:
        _leave_reader()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except OSError as error:
        click.echo(f"corefkit: error: {error.strerror or error}", err=True)
        sys.exit(1)
    except Exception as error:
        if os.environ.get("COREFKIT_DEBUG"):
            raise
        click.echo(
            f"corefkit: internal error, please report it: {type(error).__name__}: {error}\n"
            "(set COREFKIT_DEBUG=1 to see where)",
            err=True,
        )
        sys.exit(1)
