"""What all commands share: results to a file or the screen, incidents to standard error."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

import click

from corefkit.data.incidents import DataError, Incident
from corefkit.data.options import UsageError

_Command = Callable[..., None]
_Decorator = Callable[[_Command], _Command]


def format_option(forms: Sequence[str], help: str | None = None) -> _Decorator:
    """The option -f of a command: one of these formats, text if nothing is said."""
    choice = click.Choice(list(forms))
    return click.option(
        "-f", "--output-format", "form", type=choice, default="text", show_default=True, help=help
    )


output_option: _Decorator = click.option(
    "-o", "--output", metavar="FILE", help="Write to FILE, not to standard output."
)
"""The option -o of a command."""


def write_output(make: Callable[[bool], str], path: str | None) -> None:
    """Write what `make(bold)` returns; a file is complete or not there at all."""
    if path is None or path == "-":
        click.echo(make(_wants_bold()), nl=False, color=True)
        return
    from corefkit.formats.files import write_atomically

    try:
        write_atomically(path, make(False).encode("utf-8", "surrogateescape"))
    except OSError as error:
        click.echo(f"{path}: error: cannot be written: {error.strerror or error}", err=True)
        sys.exit(1)


@contextmanager
def user_errors() -> Iterator[None]:
    """Bad data ends the command with status 1 and the incidents, a wrong option with status 2."""
    try:
        yield
    except DataError as error:
        tell(error.incidents)
        sys.exit(1)
    except UsageError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        click.echo(f"{where}error: cannot be written: {error.strerror or error}", err=True)
        sys.exit(1)


def standard_input_once(*names: str | None) -> None:
    """A usage error where standard input is named twice: it can be read only once."""
    if names.count("-") > 1:
        raise click.UsageError("standard input (-) can be read only once")


def tell(incidents: Iterable[Incident]) -> None:
    """Errors one by one; of each kind of warning in a file the first, and how many there are."""
    warnings: dict[tuple[str | None, str], list[Incident]] = {}
    for incident in incidents:
        if incident.severity == "error":
            click.echo(str(incident), err=True)
        else:
            warnings.setdefault((incident.file, incident.id), []).append(incident)
    for same in warnings.values():
        number = sum(incident.count for incident in same) - 1
        more = f"\n  … and {number:,} more of this kind" if number else ""
        click.echo(f"{same[0]}{more}", err=True)


def _wants_bold() -> bool:
    """On a terminal that can, unless the user does not want it (no-color.org)."""
    return (
        sys.stdout is not None
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM", "dumb") != "dumb"
    )
