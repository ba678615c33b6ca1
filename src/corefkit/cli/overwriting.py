"""Files that must not be overwritten: those that are read, and without --force those there."""

import os
import stat
from collections.abc import Iterable, Mapping, Sequence

import click

from corefkit.cli.values import Decorator
from corefkit.data.incidents import DataError, Incident
from corefkit.formats.files import expand
from corefkit.formats.writing import write_atomically


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
    from corefkit.formats.companions import companion_test

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
    from corefkit.cli.output import tell

    refuse_existing(list(files), sources, force=force)
    tell(incidents)
    for name, data in files.items():
        os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
        write_atomically(name, data)


def _is_stream(path: str) -> bool:
    """Whether it is a pipe or a device, which is written to and loses nothing."""
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
