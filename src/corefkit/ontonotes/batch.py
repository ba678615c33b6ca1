"""Whole directory trees at once: which file becomes which, and all of them written or none."""

import gzip
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import TracebackType

from corefkit.data.incidents import DataError, Incident, make_incident
from corefkit.formats.files import walk

_ANNOTATIONS = "annotations"


@dataclass(frozen=True)
class Job:
    """A file to be read and the file to be written; `place` says which document it is."""

    source: str
    target: str
    place: "TreePlace"


@dataclass(frozen=True)
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


def plan(root: str, output: str | None, ending: str, rename: Callable[[str], str]) -> list[Job]:
    """The files of a tree whose names, without `.gz`, end in `ending`, or all of them.

    They are written to the same place under `output`, or beside the originals, under the name
    that `rename` makes. DataError if there is none, or if two would be written to one place.
    """
    base = Path(root)
    listed = [Path(file) for file in walk(root)]
    wanted = [f for f in listed if f.name.removesuffix(".gz").endswith(ending)] or listed
    if not wanted:
        raise DataError([make_incident("no-files", file=root)])
    out = Path(output) if output is not None else base
    jobs: dict[str, Job] = {}
    for file in wanted:
        inside = file.relative_to(base)
        target = str(out / inside.with_name(rename(inside.name)))
        if target in jobs:
            raise DataError([_twice(target, jobs[target].source, str(file))])
        jobs[target] = Job(str(file), target, place_of(file, base))
    return list(jobs.values())


def _twice(target: str, one: str, other: str) -> Incident:
    return make_incident(
        "target-twice",
        file=other,
        found=f"{one} and {other} both become {target}",
        expected="one file for each document",
    )


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


class Staged:
    """Files that appear together when the block ends, or not at all if it fails.

    They are written beside their places first, so that the end is only a change of names.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[Path, Path]] = []
        self._made: list[Path] = []

    def write(self, target: str, data: bytes) -> None:
        """Have the file ready; it is packed if its name ends in `.gz`."""
        place = Path(target)
        self._make_folder(place.parent)
        with NamedTemporaryFile(dir=place.parent, prefix=f".{place.name}.", delete=False) as file:
            self._waiting.append((Path(file.name), place))
            file.write(gzip.compress(data, mtime=0) if target.endswith(".gz") else data)

    def _make_folder(self, folder: Path) -> None:
        missing = [p for p in (folder, *folder.parents) if not p.exists()]
        for path in reversed(missing):
            path.mkdir(exist_ok=True)
            self._made.append(path)

    def __enter__(self) -> "Staged":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            mask = os.umask(0)
            os.umask(mask)
            for ready, place in self._waiting:
                ready.chmod(0o666 & ~mask)
                ready.replace(place)
            return
        for ready, _ in self._waiting:
            ready.unlink(missing_ok=True)
        for path in reversed(self._made):
            path.rmdir()
