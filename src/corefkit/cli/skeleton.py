"""corefkit skeleton: corpora without their words, and back."""

import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corefkit.cli.output import (
    force_option,
    refuse_existing,
    standard_input_once,
    user_errors,
    write_data,
)
from corefkit.data.texts import count_of

if TYPE_CHECKING:
    from corefkit.ontonotes.batch import Job


@click.group("skeleton")
def command() -> None:
    """Mask the words of CoNLL files, or put them back; all other columns stay as they are."""


@command.command("mask")
@click.argument("path", metavar="FILE")
@click.option("-o", "--output", metavar="PATH", help="Where to write; a directory for a directory.")
@force_option
def mask_command(path: str, output: str | None, force: bool) -> None:
    """Replace every word of FILE by [WORD].

    FILE may be packed (.gz), `-`, or a directory; then every file that ends in `conll` becomes one
    that ends in `skel`, beside it or under PATH, and all are written or none.

    \b
    Examples:
      corefkit skeleton mask key.conll -o key.skel
      corefkit skeleton mask corpus/ -o skeletons/
    """
    from corefkit.ontonotes.skeleton import mask

    with user_errors():
        _run(path, output, ("conll", _to_skel), force, lambda data, job: mask(data, job.source))


@command.command("fill")
@click.argument("path", metavar="SKELETON")
@click.option(
    "--words",
    "source",
    required=True,
    metavar="SOURCE",
    help="A .parse file, a file with one token a line, a CoNLL file, or a directory of them.",
)
@click.option(
    "--drop-edited",
    is_flag=True,
    help="Leave out the disfluencies (EDITED) of the trees, as the CoNLL tasks did for English.",
)
@click.option("-o", "--output", metavar="PATH", help="Where to write; a directory for a directory.")
@force_option
def fill_command(
    path: str, source: str, drop_edited: bool, output: str | None, force: bool
) -> None:
    """Put the words of SOURCE back into SKELETON.

    Trees give their leaves in order, without empty elements such as traces. If SKELETON is a
    directory so is SOURCE; files belong together when their paths (below `annotations`, if there
    is such a folder) are the same but for the last extension, e.g. nw/wsj/00/wsj_0001.skel and
    nw/wsj/00/wsj_0001.parse. The folder before `annotations` is the language: files of two
    languages never belong together. Any mismatch is an error, and then nothing is written.

    \b
    Examples:
      corefkit skeleton fill key.skel --words key.parse -o key.conll
      corefkit skeleton fill skeletons/ --words ontonotes/ --drop-edited -o corpus/
    """
    from corefkit.ontonotes.skeleton import fill
    from corefkit.ontonotes.words import read_words

    standard_input_once(path, source)
    with user_errors():
        find = _finder(source, Path(path).is_dir())
        _run(
            path,
            output,
            ("skel", _to_conll),
            force,
            lambda data, job: fill(data, read_words(find(job), drop_edited), job.source),
        )


def _run(
    path: str,
    output: str | None,
    names: tuple[str, Callable[[str], str]],
    force: bool,
    work: "Callable[[bytes, Job], bytes]",
) -> None:
    from corefkit.formats.files import load
    from corefkit.ontonotes.batch import Job, Staged, TreePlace, plan, write_one

    if not Path(path).is_dir():
        rest = write_one(
            output, work(load(path), Job(path, output or "-", TreePlace("", None, "")))
        )
        if rest is not None:
            write_data(rest)
        return
    jobs = plan(path, output, *names)
    refuse_existing([j.target for j in jobs], (j.source for j in jobs), force=force)
    with Staged() as staged, progress(jobs) as steps:
        for job in steps:
            staged.write(job.target, work(load(job.source), job))
    click.echo(f"{count_of(len(jobs), 'file')} written", err=True)


def progress(jobs: "Sequence[Job]") -> "click._termui_impl.ProgressBar[Job]":
    """A bar on standard error, seen on a terminal only."""
    return click.progressbar(jobs, label=count_of(len(jobs), "file"), file=sys.stderr)


def _finder(source: str, tree: bool) -> "Callable[[Job], str]":
    """Where the words of a skeleton are."""
    from corefkit.ontonotes.words import WordFiles

    if not tree:
        return lambda job: source
    if not Path(source).is_dir():
        raise click.UsageError("--words: for a directory of skeletons name a directory")
    files = WordFiles(source)
    return lambda job: files.find(job.place, job.source)


def _to_skel(name: str) -> str:
    new = re.sub(r"conll((\.gz)?)$", r"skel\1", name)
    return new if new != name else f"{name}.skel"


def _to_conll(name: str) -> str:
    new = re.sub(r"skel((\.gz)?)$", r"conll\1", name)
    return new if new != name else f"{name}.conll"
