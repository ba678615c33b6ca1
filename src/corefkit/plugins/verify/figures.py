"""The figures of a result: what is compared when it is made again."""

from collections.abc import Mapping
from typing import Any

NAMED = frozenset(
    {
        "systems",
        "parts",
        "groups",
        "classes",
        "strata",
        "runs",
        "responses",
        "languages",
        "datasets",
    }
)
"""Fields whose entries have names given by users; all of these names must be reproduced."""

_WORDS = {
    "version",
    "result",
    "signature",
    "setting",
    "part",
    "name",
    "about",
    "day",
    "known",
    "incidents",
    "notes",
    "path",
    "file",
    "manifest",
    "sha256",
    "companions",
    "pronouns",
}
"""Fields that are not figures, unless they are numbers, or that other checks compare."""
_DESCRIBING = {"bytes", "files", "schema"}


def figures(content: Any, *, named: bool = False) -> Any:
    """A result without what may differ: paths, hashes, versions and texts.

    A list of items with names becomes a dict by name, so that their order does not matter. With
    `named`, the fields are names given by users (see `NAMED`), and all are kept.
    """
    if isinstance(content, Mapping):
        return {
            name: figures(value, named=name in NAMED)
            for name, value in content.items()
            if named or _is_figure(name, value)
        }
    if isinstance(content, list | tuple):
        names = [_name(item) for item in content]
        if content and all(names) and len({*names}) == len(names):
            return {name: figures(item) for name, item in zip(names, content, strict=True)}
        return [figures(item) for item in content]
    return content


def _is_figure(name: str, value: Any) -> bool:
    if name in _DESCRIBING:  # a file, compared by its hash (`errors` has `files`), or this JSON
        return isinstance(value, Mapping)
    return name not in _WORDS or isinstance(value, int | float)


def _name(item: Any) -> str:
    """The name of an item of a list, such as a system, a run or a response of a task; or ""."""
    if not isinstance(item, Mapping):
        return ""
    if isinstance(item.get("part"), Mapping):
        return " ".join(f"{by}:{label}" for by, label in item["part"].items())
    parts = [item.get(x) for x in ("name", "system", "language", "dataset", "track", "setting")]
    parts += [item.get("run", "")]
    return " ".join(str(part) for part in parts if isinstance(part, str) and part)
