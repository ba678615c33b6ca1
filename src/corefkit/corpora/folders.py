"""Whole directory trees at once: which file becomes which, and which document it is about."""

import re
from collections.abc import Callable
from pathlib import Path

from corefkit.core.carriers import frozen
from corefkit.core.incidents import data_error
from corefkit.formats import walk

_ANNOTATIONS = "annotations"


@frozen
class FileJob:
    """A file to be read and the file to be written; `place` says which document it is."""

    source: str
    target: str
    place: "TreePlace"


@frozen
class TreePlace:
    """Where a file is in its tree; files of other layers are in the same place.

    Attributes:
        path: from the root of the tree, no extension.
        language: the folder before `annotations`, None where there is none in the tree.
        key: the document: the path below `annotations`, or all of it.
    """

    path: str
    language: str | None
    key: str


def plan(root: str, output: str | None, ending: str, rename: Callable[[str], str]) -> list[FileJob]:
    """The files of a tree whose names, without `.gz`, end in `ending`, or all of them.

    They are written to the same place under `output`, or beside the originals, under the name
    that `rename` makes. DataError if there is none, or if two would be written to one place.
    """
    base = Path(root)
    listed = [Path(file) for file in walk(root)]
    chosen = [f for f in listed if f.name.removesuffix(".gz").endswith(ending)] or listed
    if not chosen:
        raise data_error("no-files", file=root)
    out = Path(output) if output is not None else base
    jobs: dict[str, FileJob] = {}
    for file in chosen:
        inside = file.relative_to(base)
        target = str(out / inside.with_name(rename(inside.name)))
        if target in jobs:
            both = f"{jobs[target].source} and {file} both become {target}"
            expected = "one file for each document"
            raise data_error("target-twice", file=str(file), found=both, expected=expected)
        jobs[target] = FileJob(str(file), target, place_of(file, base))
    return list(jobs.values())


def place_of(file: Path, base: Path) -> TreePlace:
    """Which document of the tree a file is about.

    >>> place_of(Path("d/english/annotations/nw/wsj/00/wsj_0001.v4_gold_skel"), Path("d"))
    TreePlace(path='english/annotations/nw/wsj/00/wsj_0001', language='english', \
key='nw/wsj/00/wsj_0001')
    """
    *folders, name = file.relative_to(base).parts
    parts = [*folders, re.sub(r"\.[^.]*$", "", name.removesuffix(".gz"))]
    at = folders.index(_ANNOTATIONS) if _ANNOTATIONS in folders else -1
    language = parts[at - 1] if at > 0 else None
    return TreePlace("/".join(parts), language, "/".join(parts[at + 1 :]))
