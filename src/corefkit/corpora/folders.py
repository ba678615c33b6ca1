"""Directory trees: the target of each file, and the document that it belongs to."""

import re
from collections.abc import Callable
from pathlib import Path

from corefkit.core.carriers import frozen
from corefkit.core.incidents import data_error
from corefkit.formats.kit.files import walk

_ANNOTATIONS = "annotations"


@frozen
class FileJob:
    """A file to read, the file to write, and its place, which identifies the document."""

    source: str
    target: str
    place: "TreePlace"


@frozen
class TreePlace:
    """The place of a document in a tree, the same for the files of all its layers.

    Attributes:
        path: the path from the root of the tree, without extension.
        language: the folder above `annotations`; None where the tree has none.
        key: the id of the document: the path below `annotations`, or the whole path.
    """

    path: str
    language: str | None
    key: str


def plan(root: str, output: str | None, ending: str, rename: Callable[[str], str]) -> list[FileJob]:
    """The files of a tree whose names, without `.gz`, end in `ending`; if there are none, all.

    The targets are at the same place under `output`, or beside the originals, with the names that
    `rename` gives. Raises DataError if the tree has no files, or if two have the same target.
    """
    base = Path(root)
    files = [Path(file) for file in walk(root)]
    chosen = [f for f in files if f.name.removesuffix(".gz").endswith(ending)] or files
    if not chosen:
        raise data_error("no-files", file=root)
    target_root = Path(output) if output is not None else base
    jobs: dict[str, FileJob] = {}
    for file in chosen:
        inside = file.relative_to(base)
        target = str(target_root / inside.with_name(rename(inside.name)))
        if target in jobs:
            clash = f"{jobs[target].source} and {file} both become {target}"
            expected = "one file for each document"
            raise data_error("target-twice", file=str(file), found=clash, expected=expected)
        jobs[target] = FileJob(str(file), target, place_of(file, base))
    return list(jobs.values())


def place_of(file: Path, base: Path) -> TreePlace:
    """The place of a file in the tree below `base`.

    >>> place_of(Path("d/english/annotations/nw/wsj/00/wsj_0001.v4_gold_skel"), Path("d"))
    TreePlace(path='english/annotations/nw/wsj/00/wsj_0001', language='english', \
key='nw/wsj/00/wsj_0001')
    """
    *folders, name = file.relative_to(base).parts
    parts = [*folders, re.sub(r"\.[^.]*$", "", name.removesuffix(".gz"))]
    at = folders.index(_ANNOTATIONS) if _ANNOTATIONS in folders else -1
    language = parts[at - 1] if at > 0 else None
    return TreePlace("/".join(parts), language, "/".join(parts[at + 1 :]))
