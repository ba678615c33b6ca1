"""A file that is converted, or the files of a directory: for `convert`, `layers`, `skeleton`."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corefkit.cli.output import refuse_existing, write_bytes
from corefkit.core.texts import count_of

if TYPE_CHECKING:
    from corefkit.corpora.files import FileJob

path_option = click.option(
    "-o", "--output", metavar="PATH", help="Where to write; a directory for a directory."
)
"""The option -o of commands that take a file or a directory."""


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
    from corefkit.corpora.files import FileJob, TreePlace, plan, staged_tree

    if not (path and Path(path).is_dir()):
        write_bytes(new(FileJob(path, output or "-", TreePlace("", None, ""))), output)
        return
    jobs = plan(path, output, ending, rename)
    refuse_existing([job.target for job in jobs], (job.source for job in jobs), force=force)
    number, hidden = count_of(len(jobs), "file"), not sys.stderr.isatty()
    with (
        staged_tree() as write,
        click.progressbar(jobs, label=number, file=sys.stderr, hidden=hidden) as steps,
    ):
        for job in steps:
            write(job.target, new(job))
    click.echo(f"{number} written", err=True)
