"""The options that say how files are read, shared by all commands that read a corpus."""

from functools import wraps
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import click

from corefkit.cli.values import Command, Decorator, option_group
from corefkit.data.options import UsageError
from corefkit.formats.ahead import load_ahead

if TYPE_CHECKING:
    from corefkit import formats

Readings: TypeAlias = "formats.Readings"
"""How the two sides are read, for the annotations of commands; formats load when one runs."""

NAMES = (
    *("format", "clusters", "ends", "layer", "relations", "mentions", "types", "lenient"),
    *("word_column", "annotator", "optional", "key_format", "response_format"),
)
"""The parameters of all these options."""

_OPTIONS = (
    click.option(
        "--format",
        metavar="NAME",
        help="The format of the files, one of `corefkit formats`.  [default: by the content]",
    ),
    click.option("--clusters", metavar="FIELD", help="JSON: the field that holds the clusters."),
    click.option(
        "--ends",
        type=click.Choice(["inclusive", "exclusive"]),
        help="JSON: whether the last token belongs to a span, where a file differs from its "
        "dialect.",
    ),
    click.option("--layer", metavar="NAME", help="WebAnno, CoNLL-UA: the annotation layer."),
    click.option("--relations", metavar="NAME,…", help="brat: the relations that are identity."),
    click.option("--mentions", metavar="TYPE,…", help="brat: the types that are mentions."),
    click.option("--types", metavar="TYPE,…", help="WebAnno, SGML: the links that are identity."),
    click.option(
        "--lenient", is_flag=True, help="Mark-up: drop what is broken, with a warning for each."
    ),
    click.option(
        "--word-column",
        type=click.IntRange(min=1),
        metavar="N",
        help="Columns: where the words stand, counted from 1.",
    ),
    click.option("--annotator", metavar="NAME", help="Label Studio: whose annotation is read."),
    click.option(
        "--optional",
        type=click.Choice(["keep", "drop"]),
        help="MUC: whether mentions with STATUS=OPT are read.  [default: keep]",
    ),
)
_BOTH = (
    click.option("--key-format", metavar="NAME", help="The same, for KEY alone."),
    click.option("--response-format", metavar="NAME", help="The same, for each RESPONSE."),
)


def reading_options(*, sides: bool) -> Decorator:
    """Options for a command, which gets them as one argument, `readings`.

    Without `sides` the command reads corpora that are neither key nor response: it takes
    `readings.key`.
    """
    options = option_group(_OPTIONS[0], *(_BOTH if sides else ()), *_OPTIONS[1:])

    def decorate(function: Command) -> Command:
        @wraps(function)
        def command(**arguments: Any) -> None:
            load_ahead(_first_files(arguments))
            given = {name: arguments.pop(name) for name in NAMES if name in arguments}
            function(**arguments, readings=_readings(given))

        return options(command)

    return decorate


def _first_files(arguments: dict[str, Any]) -> tuple[str, ...]:
    """The two files that will be parsed first."""
    named = (arguments.get(name) or () for name in ("key", "response", "responses", "files"))
    return tuple(chain.from_iterable((n,) if isinstance(n, str) else n for n in named))[:2]


def _readings(given: dict[str, Any]) -> Readings:
    """The readings; a usage error where there is no such format."""
    from corefkit.formats import split_readings

    try:
        return split_readings({name: value for name, value in given.items() if value})
    except UsageError as error:
        named = [v for n, v in given.items() if n.endswith("format") and v]
        hint = f" (the form of the output is -f {named[0]})" if named else ""
        raise click.UsageError(f"{error}{hint}") from None


documents_option = click.option(
    "--documents",
    metavar="all|common|FILE",
    default="all",
    show_default=True,
    help="Score all documents of KEY, those in RESPONSE too, or those that FILE lists.",
)
"""The option --documents of the commands that score."""
