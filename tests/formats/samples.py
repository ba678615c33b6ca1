"""The samples with which the modules of formats begin, as files."""

import io
import re
import zipfile
from functools import cache
from importlib import import_module
from pathlib import Path

from corefkit import Corpus
from corefkit.formats import registry
from corefkit.formats.kit.convert import write_as
from corefkit.formats.table import MODULES

_HEADING = re.compile(r"(?:([\w-]+), )?(X\S+):")
"""A line before a sample: the path of the file, after its format if a module has several."""
_ROW = {"doc_key": "x", "sentences": [["Ada", "slept"], ["."]], "clusters": [[[0, 1], [2, 2]]]}


@cache
def files(name: str) -> dict[str, bytes]:
    """The sample of a format, and then what stands beside it; binary files are written."""
    samples = samples_in(MODULES[name])
    if found := samples.get(name) or samples.get(""):
        if any(".zip/" in path for path in found):
            return {"X.zip": _archive(found)}
        return found
    endings = tuple(registry.get_format(name).suffixes)
    for path, data in (item for found in samples.values() for item in found.items()):
        if ".zip/" in path and path.endswith(endings):
            return {"X" + endings[0]: data}
    return write_as(Corpus.from_records([_ROW]), "X", name).files


def samples_in(module: str) -> dict[str, dict[str, bytes]]:
    """Format → path → content in the docstring of a module; "" is its only format."""
    found: dict[str, dict[str, list[str]]] = {}
    name, lines = "", list[str]()
    for line in (import_module(f"corefkit.formats.{module}").__doc__ or "").split("\n"):
        if heading := _HEADING.fullmatch(line):
            name, lines = heading[1] or name, []
            found.setdefault(name, {})[heading[2]] = lines
        elif line.startswith("    ") or not line:
            lines.append(line[4:])
        else:
            lines = []
    return {
        name: {path: ("\n".join(text).rstrip("\n") + "\n").encode() for path, text in paths.items()}
        for name, paths in found.items()
    }


def _archive(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, data in members.items():
            archive.writestr(zipfile.ZipInfo(path.removeprefix("X.zip/")), data)
    return packed.getvalue()


def sample(name: str) -> bytes:
    """A sound file of the format."""
    return next(iter(files(name).values()))


def put(name: str, folder: Path) -> Path:
    """Write the sample of a format, called `a`, and what stands beside it; the path of the file."""
    for path, data in files(name).items():
        (folder / path.replace("X", "a", 1)).write_bytes(data)
    return folder / next(iter(files(name))).replace("X", "a", 1)
