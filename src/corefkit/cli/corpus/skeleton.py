"""corefkit corpus skeleton: mask the words of corpora, and put them back."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from corefkit.cli.commands import CheckedGroup
from corefkit.cli.options import force_option, path_option
from corefkit.cli.output import check_ending, write_each
from corefkit.formats.kit.files import load

if TYPE_CHECKING:
    from corefkit.corpora.folders import FileJob


@click.group("skeleton", cls=CheckedGroup)
def command() -> None:
    """Mask the words of CoNLL files, or put them back; all other columns stay as they are."""


@command.command("mask")
@click.argument("path", metavar="FILE")
@path_option
@force_option
def mask_command(path: str, output: str | None, force: bool) -> None:
    """Replace every word of FILE by [WORD].

    FILE may be compressed (.gz), `-`, or a directory; then every file that ends in `conll` becomes
    one that ends in `skel`, beside it or under PATH, and either all are written or none.

    \b
    Examples:
      corefkit corpus skeleton mask key.conll -o key.skel
      corefkit corpus skeleton mask corpus/ -o skeletons/
    """
    from corefkit.corpora.skeleton import mask

    if not Path(path).is_dir():
        check_ending(output, "skel", "conll", "txt")

    def masked(job: "FileJob") -> bytes:
        return mask(load(job.source), job.source)

    write_each(path, output, "conll", _renamer("conll", "skel"), masked, force=force)


@command.command("fill")
@click.argument("path", metavar="SKELETON")
@click.option(
    "--words",
    "source",
    required=True,
    metavar="SOURCE",
    help="A .parse file, a file with one token per line, a CoNLL file, or a directory of them.",
)
@click.option(
    "--drop-edited",
    is_flag=True,
    help="Leave out the disfluencies (EDITED) of the trees, as the CoNLL tasks did for English.",
)
@path_option
@force_option
def fill_command(
    path: str, source: str, drop_edited: bool, output: str | None, force: bool
) -> None:
    """Put the words of SOURCE back into SKELETON.

    Trees give their leaves in order, without empty elements such as traces. If SKELETON is a
    directory, so is SOURCE; files belong together if their paths (below `annotations`, if there is
    such a folder) are the same except for the last extension, e.g. nw/wsj/00/wsj_0001.skel and
    nw/wsj/00/wsj_0001.parse. The folder before `annotations` is the language: files of two
    languages never belong together. Any mismatch is an error, and then nothing is written.

    \b
    Examples:
      corefkit corpus skeleton fill key.skel --words key.parse -o key.conll
      corefkit corpus skeleton fill skeletons/ --words ontonotes/ --drop-edited -o corpus/
    """
    from corefkit.corpora.skeleton import WordFiles, fill, read_words

    is_folder = bool(path) and Path(path).is_dir()
    if not is_folder:
        check_ending(output, "conll", "txt")
    if is_folder and not (source and Path(source).is_dir()):
        raise click.UsageError("--words: a directory of skeletons needs a directory of words")
    files = WordFiles(source) if is_folder else None

    def filled(job: "FileJob") -> bytes:
        words = source if files is None else files.find(job.place, job.source)
        return fill(load(job.source), read_words(words, drop_edited), job.source)

    write_each(path, output, "skel", _renamer("skel", "conll"), filled, force=force)


def _renamer(old: str, new: str) -> Callable[[str], str]:
    """A function that replaces the suffix `old` of a name by `new`, or appends `new`."""

    def rename(name: str) -> str:
        renamed = re.sub(rf"{old}((\.gz)?)$", rf"{new}\1", name)
        return renamed if renamed != name else f"{name}.{new}"

    return rename
