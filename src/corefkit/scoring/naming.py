"""The names of systems that were given none."""

import re
from collections.abc import Sequence
from os import PathLike

from corefkit.data.corpus import Corpus
from corefkit.formats.files import NamedPath, path_name

_ENDING = re.compile(r"\.(conll(ua?)?|jsonl(ines)?|json|parquet)$")


def system_names(paths: Sequence[str]) -> list[str]:
    """Systems are named by their files, without `.gz` and the ending of their format.

    Where two collide they are named by their paths.

    >>> system_names(["runs/good.conll.gz", "runs/bad.conll"])
    ['good', 'bad']
    >>> system_names(["a/response.conll", "b/response.conll"])
    ['a/response.conll', 'b/response.conll']
    >>> system_names(["same.conll", "same.conll"])
    ['same.conll', 'same.conll (2)']

    A NamedPath brings its name along.
    """
    files = [path.rstrip("/").rpartition("/")[2].removesuffix(".gz") for path in paths]
    short = [
        path.name if isinstance(path, NamedPath) else _ENDING.sub("", file) or path
        for file, path in zip(files, paths, strict=True)
    ]
    long = [n if short.count(n) == 1 else p for n, p in zip(short, paths, strict=True)]
    earlier = [long[:place].count(name) for place, name in enumerate(long)]
    return [f"{n} ({e + 1})" if e else n for n, e in zip(long, earlier, strict=True)]


def path_of(source: str | PathLike[str] | Corpus) -> str:
    """The name of a file as it was given; for a Corpus what it holds."""
    return repr(source) if isinstance(source, Corpus) else path_name(source)
