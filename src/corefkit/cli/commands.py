"""How commands are made: kinds of options, help in two lengths, and checks before they run."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from corefkit.cli import INTERRUPTED
from corefkit.cli.exclusions import excluded, explained, refuse
from corefkit.cli.output import QUIET, can_colour, moving, print_incidents, print_message
from corefkit.core.entry_points import PluginCommand, find, load, ours
from corefkit.core.incidents import DataError, UnwrittenError, options_in_hints
from corefkit.core.names import Response, ResponseFile
from corefkit.core.options import GONE, UsageError
from corefkit.core.style import styled

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = Callable[..., None]
Decorator = Callable[[Command], Command]


INPUTS = (
    "key",
    "response",
    "responses",
    "file",
    "files",
    "annotators",
    "adjudicated",
    "against",
    "source",
    "sources",
    "path",
    "first",
    "second",
    "manifest",
    "labels",
    "pronouns",
    "documents",
    "text",
    "decisions",
)
"""The parameters of commands that name a file to be read."""
OUTPUTS = ("output", "target", "plot", "listing", "log", "counts", "page", "report")
"""The parameters that name a file to be written."""
FOLDERS = ("folder", "repaired")
"""The parameters that name a directory."""
SYSTEMS = ("responses", "annotators", "files")
"""The parameters that name systems, by files or as NAME=FILE."""


OPTIONS_ELSEWHERE = {
    ("score", "--paper"): "see corefkit compare --paper, which takes one system, too",
    **{
        ("score", option): "intervals are in corefkit compare KEY RESPONSE, with one response, too"
        for option in ("--samples", "--interval", "--bootstrap", "--ci")
    },
}
"""Options that people try with a command, and the command that has them."""


class CheckedCommand(click.Command):
    """A command that checks its parameters before it runs, and turns errors into messages.

    The options that plug-ins add to it are flags, of which it only knows the help: the group that
    the command is in runs what they lead to.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        complete_files(self)
        quiet = ExplainedOption(
            ["--quiet"],
            is_flag=True,
            expose_value=False,
            callback=_be_quiet,
            section="Output",
            help="Print results and errors only: no notes, warnings or progress.",
        )
        everything = click.Option(
            ["--help-all"],
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            help="Explain every option and exit.",
        )
        self.params += [quiet, everything]
        for option, added in self._added():
            self.params.append(
                click.Option([option], is_flag=True, expose_value=False, help=added.help)
            )

    def _added(self) -> Iterator[tuple[str, PluginCommand]]:
        """The options that plug-ins add."""
        for words in ours("commands"):
            command, _, option = words.partition(" ")
            if command == self.name and option.startswith("--"):
                yield option, find("commands", words)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments; for an option of another command the message names that command."""
        try:
            return super().parse_args(ctx, self._in_order(self._cut(args)))
        except click.NoSuchOption as error:
            name = error.option_name
            for option, added in self._added():
                if any(name in parameter.opts for parameter in load(added.where).params):
                    ctx.fail(f"{name} needs {option}")
            elsewhere = OPTIONS_ELSEWHERE.get((self.name or "", name)) or _gone(self.name, name)
            if advice := elsewhere or self._as_format(name):
                ctx.fail(f"No such option {name!r}; {advice}")
            if error.possibilities:  # click also takes far ones, as --kind for --window
                near = [other for other in error.possibilities if _resembles(name, other)]
                error.possibilities[:] = near
            raise

    def _as_format(self, option: str) -> str:
        """What to write if an option is called like a format of the output; empty if it is not."""
        for parameter in self.params:
            if "--output-format" in parameter.opts and isinstance(parameter.type, click.Choice):
                form = option.lstrip("-")
                return f"write -f {form}" if form in parameter.type.choices else ""
        return ""

    def _cut(self, args: list[str]) -> list[str]:
        """The arguments, with `--by window:500` as `--window 500`, and so with `across:topic`."""
        known = {name for parameter in self.params for name in parameter.opts}
        cut = list[str]()
        for text in args:
            value = text.removeprefix("--by=")
            kind, colon, rest = value.partition(":")
            if not (colon and kind in ("window", "across") and f"--{kind}" in known):
                cut.append(text)
            elif text is not value:
                cut.append(f"--{kind}={rest}")
            elif cut[-1:] == ["--by"]:
                cut[-1:] = [f"--{kind}", rest]
            else:
                cut.append(text)
        return cut

    def _in_order(self, args: list[str]) -> list[str]:
        """The arguments, with the files of --key and --response where KEY and RESPONSE stand."""
        arguments = [p.name for p in self.params if isinstance(p, click.Argument)]
        if arguments not in (["key", "response"], ["key", "responses"]):
            return args
        key, others, responses = list[str](), list[str](), list[str]()
        given = iter(args)
        for text in given:
            name, equals, value = text.partition("=")
            side = {"--key": key, "--response": responses}.get(name)
            if side is None:
                others.append(text)
            elif equals or (value := next(given, "")):
                side.append(value)
            else:
                raise click.UsageError(f"{name} needs a file")
        if len(key) > 1:
            raise click.UsageError("--key is given twice")
        return [*key, *others, *responses]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command.

        Bad data ends it with the incidents and status 1, a wrong option with status 2. A file that
        cannot be written ends it with status 1.
        """
        try:
            possible = {*_options_of(ctx)} - excluded(ctx)
            with options_in_hints(possible, _given_in(ctx)), moving():
                ctx.invoke(_prepare, ctx)
                return super().invoke(ctx)
        except DataError as error:
            print_incidents(error.incidents)
            sys.exit(1)
        except UsageError as error:
            raise click.UsageError(str(error), ctx) from None
        except BrokenPipeError:  # handled by `app`
            raise
        except KeyboardInterrupt:  # click would exit with status 1
            sys.exit(INTERRUPTED)
        except OSError as error:
            file = error.filename or ctx.params.get("output")
            prefix = f"{file}: " if file else ""
            what = "cannot be written: " if isinstance(error, UnwrittenError) else ""
            print_message(f"{prefix}error: {what}{error.strerror or error}")
            sys.exit(1)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help of the options; those of SECTIONS are explained only by --help-all."""
        explain_all = bool(ctx.meta.get("help_all"))
        sections: dict[str, list[click.Option]] = {t: [] for t in ("Options", *SECTIONS)}
        for option in self.get_params(ctx):
            if isinstance(option, click.Option) and not option.hidden:
                section = option.section if isinstance(option, ExplainedOption) else ""
                sections[section or "Options"].append(option)
        for title, options in sections.items():
            if options and (explain_all or title == "Options"):
                with formatter.section(title):
                    formatter.write_dl([r for o in options for r in _records(o, ctx, explain_all)])
        if explain_all and (rows := explained(ctx)):
            with formatter.section("What excludes what"):
                formatter.write_dl(rows)
        more = {title: len(options) for title, options in sections.items() if title != "Options"}
        if not explain_all and (number := sum(more.values())):
            listed = ", ".join(title.lower() for title in more if more[title])
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(f"--help-all explains {number} more options: {listed}.")


def _resembles(option: str, other: str) -> bool:
    """Whether the name of an option may be meant where another is written.

    >>> _resembles("--metric", "--metrics"), _resembles("--window", "--kind")
    (True, False)
    """
    from difflib import SequenceMatcher

    first, second = option.lstrip("-"), other.lstrip("-")
    return second.startswith(first) or SequenceMatcher(None, first, second).ratio() > _NEAR


_NEAR = 0.7
"""How alike a misspelt name and the one meant are at least, from 0 to 1."""


def _gone(command: str | None, option: str) -> str:
    """What has taken the place of an option that is gone; empty if there never was one."""
    name = option.lstrip("-").replace("-", "_")
    if successor := GONE.get(f"{command} {option}") or GONE.get(name):
        return f"it {successor}"
    from corefkit.formats.options import find_option

    if known := find_option(name):
        return f"write --read {option.lstrip('-')}={known.example}"
    commands = (words for words in ours("commands") if option in find("commands", words).sought)
    return next((f"see corefkit {words}" for words in commands), "")


def _options_of(ctx: click.Context) -> list[str]:
    """The options of a command and of the groups that it is in."""
    options = [name for parameter in ctx.command.params for name in parameter.opts]
    return options + (_options_of(ctx.parent) if ctx.parent else [])


def _given_in(ctx: click.Context) -> list[str]:
    """The flags and values given on the command line, as hints write them."""
    given = []
    for parameter in ctx.command.params:
        value, name = ctx.params.get(parameter.name or ""), parameter.opts[-1]
        if name.startswith("--") and value is True:
            given.append(name)
        elif name == "--read" and isinstance(value, tuple):
            given += [f"--read {text}" for text in value]
        elif name.startswith("--") and isinstance(value, str):
            source = ctx.get_parameter_source(parameter.name or "")
            given += [f"{name} {value}"] if source is click.core.ParameterSource.COMMANDLINE else []
    return given


class CheckedGroup(click.Group):
    """A group of CheckedCommands."""

    command_class = CheckedCommand


SECTIONS = (
    "Parts of scores",
    "Policies",
    "Application scores",
    "Intervals and tests",
    "Which errors are listed",
    "Output",
    "How files are read",
    "Engines",
)
"""The sections of the options that only --help-all explains."""


class ExplainedOption(click.Option):
    """An option that few people need, or whose help is longer with --help-all.

    Attributes:
        more: what --help-all adds to the help.
        rows: values and their help, which --help-all adds below the option.
        section: the one of SECTIONS that it belongs to; if empty, `--help` explains it.
        brief: what `--help` says of it, if that is less than its help.
    """

    def __init__(
        self,
        *args: Any,
        more: str = "",
        rows: Mapping[str, str] = {},
        section: str = "",
        brief: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.more, self.rows, self.section, self.brief = more, rows, section, brief

    def explain(self, ctx: click.Context) -> list[tuple[str, str]]:
        """The rows of --help-all for this option."""
        record = self.get_help_record(ctx)
        if record is None:
            return []
        return [(record[0], f"{record[1]} {self.more}".rstrip()), *self.rows.items()]


def _records(option: click.Option, ctx: click.Context, explain_all: bool) -> list[tuple[str, str]]:
    if explain_all and isinstance(option, ExplainedOption):
        return option.explain(ctx)
    record = option.get_help_record(ctx)
    if record and isinstance(option, ExplainedOption) and option.brief:
        record = record[0], option.brief
    return [record] if record else []


def _be_quiet(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value:
        ctx.meta[QUIET] = True


def _show_all(ctx: click.Context, _: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta["help_all"] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def option_group(*options: Decorator) -> Decorator:
    """Several options as one decorator, for commands that share them, in the order of `--help`."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def listed_option(section: str, *names: str, **attributes: Any) -> Decorator:
    """An option of one of SECTIONS, which only --help-all explains; of none if it is empty."""
    return click.option(*names, cls=ExplainedOption, section=section, **attributes)


def choice_option(name: str, values: Iterable[str], help: str, section: str = "") -> Decorator:
    """An option that takes one of the values; the first is the default."""
    known = list(values)
    kind = click.Choice(known)
    return listed_option(section, name, type=kind, default=known[0], show_default=True, help=help)


def number_option(
    name: str, default: int, help: str, least: int = 0, most: int | None = None, section: str = ""
) -> Decorator:
    """An option that takes a whole number within bounds."""
    bounds = click.IntRange(least, most)
    return listed_option(section, name, type=bounds, default=default, show_default=True, help=help)


def share_option(name: str, default: float, help: str, section: str = "") -> Decorator:
    """An option that takes a number between 0 and 1."""

    def check(_: click.Context, __: click.Parameter, value: float) -> float:
        """Refuse NaN, which click's ranges accept."""
        if value != value:  # noqa: PLR0124
            raise click.BadParameter("nan is not a number")
        return value

    bounds = click.FloatRange(0, 1, min_open=True, max_open=True)
    return listed_option(
        section, name, type=bounds, default=default, callback=check, show_default=True, help=help
    )


def _prepare(ctx: click.Context) -> None:
    """Give systems their names, set the style, and check the named files.

    It is a usage error if an output is also an input, if standard input is named twice, if a file
    to be written is a directory, or if the name of a figure has an unknown suffix.
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
    refuse(ctx)
    ctx.with_resource(styled(**_looks(params)))
    outputs = [str(v) for n in OUTPUTS if (v := params.get(n)) and str(v) != "-"]
    if outputs:
        _refuse_folders(ctx)
        from corefkit.formats.kit.writing import refuse_overwriting

        chosen = {p.name for p in ctx.command.params if isinstance(p.type, click.Choice)}
        possible = (v for n, v in params.items() if n not in (*INPUTS, *OUTPUTS, *chosen))
        refuse_overwriting(outputs, inputs, _texts(tuple(possible)))


def _looks(params: dict[str, Any]) -> dict[str, Any]:
    """The style that the parameters and the terminal ask for; its options are taken out."""
    from shutil import get_terminal_size

    columns = get_terminal_size().columns if sys.stdout.isatty() else None
    given = {
        "digits": params.pop("digits", None),
        "safe": params.pop("csv_safe", None),
        "only_f1": params.pop("only_f1", None),
        "width": columns,
        "bold": params.get("output") in (None, "-") and can_colour(sys.stdout),
    }
    return {name: value for name, value in given.items() if value is not None}


def _refuse_folders(ctx: click.Context) -> None:
    """Raise a usage error if a file to be written is a directory, before any work is done."""
    from pathlib import Path

    for parameter in ctx.command.params:
        value = ctx.params.get(parameter.name or "")
        file = value if parameter.name in OUTPUTS and parameter.metavar == "FILE" else None
        if isinstance(file, str) and Path(file).is_dir():
            option = parameter.opts[-1] if parameter.opts[-1].startswith("-") else "FILE"
            raise click.UsageError(f"{option}: {file} is a directory; name a file in it")


def named(text: str) -> ResponseFile:
    """The response that NAME=FILE names; the text itself if it is an existing file or has no =.

    >>> named("our system=runs/7.conll")
    Response(path='runs/7.conll', name='our system')
    """
    name, equals, path = text.partition("=")
    if not (equals and name and path) or "/" in name or os.path.lexists(text):
        return text
    return Response(path, name)


def _texts(value: object) -> list[str]:
    """The texts in the value of a parameter, which may be nested tuples; they may name files."""
    if isinstance(value, (str, os.PathLike)):
        return [os.fspath(value)]
    return [text for v in value for text in _texts(v)] if isinstance(value, tuple) else []


def complete_files(command: click.Command) -> None:
    """Make the shell complete the names of files that a command takes."""
    for param in command.params:
        if param.name in (*INPUTS, *OUTPUTS, *FOLDERS) and isinstance(
            param.type, click.types.StringParamType
        ):
            param.type = FileName()


class FileName(click.types.StringParamType):
    """The type of a text that names a file, which the shell completes."""

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> "list[CompletionItem]":
        """Leave the completion of file names to the shell."""
        from click.shell_completion import CompletionItem

        return [CompletionItem(incomplete, type="file")]
