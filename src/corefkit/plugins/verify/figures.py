"""The figures of a result: what is compared when it is made again, or with another one."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from corefkit.formats.kit.files import load
from corefkit.scoring.repetition import not_a_result

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
    "known",  # these two have a comparison of their own, `told_numbers`
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
_WITH_NUMBERS = {"known", "incidents", "companions", "file", "manifest"}
"""Those of them that have numbers inside, such as lines of files."""


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
    return name not in _WORDS or (name not in _WITH_NUMBERS and _has_number(value))


def _has_number(value: Any) -> bool:
    """Whether it is a number, or has one inside."""
    if isinstance(value, Mapping):
        return any(map(_has_number, value.values()))
    return isinstance(value, int | float) or (
        isinstance(value, list) and any(map(_has_number, value))
    )


def _name(item: Any) -> str:
    """The name of an item of a list, such as a system, a run or a response of a task; or ""."""
    if not isinstance(item, Mapping):
        return ""
    if isinstance(item.get("part"), Mapping):
        return " ".join(f"{by}:{label}" for by, label in item["part"].items())
    parts = [item.get(x) for x in ("name", "system", "language", "dataset", "track", "setting")]
    parts += [item.get("run", "")]
    return " ".join(str(part) for part in parts if isinstance(part, str) and part)


def told_numbers(content: Any) -> Any:
    """The numbers inside `known` and `incidents`, wherever they are in a result.

    They are those of this version of corefkit: another may recognise more and say it otherwise.
    Incidents about the name of a file are left out, because files may be elsewhere now.
    """
    if isinstance(content, Mapping):
        told = {}
        for name, value in content.items():
            if name == "incidents" and isinstance(value, list):
                told[name] = [_numbers_said(i) for i in value if not _is_of_names(i)]
            elif name == "known":
                told[name] = _numbers_said(value)
            elif inner := told_numbers(value):
                told[name] = inner
        return told
    if isinstance(content, list):
        inner = {str(number): told_numbers(value) for number, value in enumerate(content)}
        return {number: value for number, value in inner.items() if value}
    return {}


_UNSTABLE = {"file", "document", "hint"}
"""Fields of incidents whose digits are those of names and options."""


def _is_of_names(incident: Any) -> bool:
    return isinstance(incident, Mapping) and incident.get("id") in ("same-file", "sides-exchanged")


def _numbers_said(content: Any) -> Any:
    """A part of a result with nothing but numbers, those in its texts included."""
    if isinstance(content, Mapping):
        return {n: _numbers_said(value) for n, value in content.items() if n not in _UNSTABLE}
    if isinstance(content, list):
        return [_numbers_said(value) for value in content]
    return " ".join(re.findall(r"\d[\d,.]*", content)) if isinstance(content, str) else content


def numbers(content: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float]]:
    """All numbers in a result, however deep, each with its place."""
    if isinstance(content, Mapping):
        for name, inner in content.items():
            yield from numbers(inner, (*path, name))
    elif isinstance(content, list | tuple):
        for number, inner in enumerate(content):
            yield from numbers(inner, (*path, str(number)))
    elif isinstance(content, int | float):
        yield path, content


def differences(then: Any, now: Any, path: tuple[str, ...] = ()) -> Iterator[str]:
    """The differences of the figures of two results, as sentences.

    A field that only `then` has counts where it is named by users or holds a number.
    """
    shown = ".".join(path)
    if isinstance(now, Mapping) and isinstance(then, Mapping):
        complete = bool(path) and path[-1] in NAMED
        added = {name for name in then if complete or _holds_number(then[name])}
        for name in sorted({*now} | added):
            inner = (*path, name)
            if name in then and name in now:
                yield from differences(then[name], now[name], inner)
            elif name in now or complete:
                yield f"{'.'.join(inner)} {LACKS}"
            else:
                yield f"{'.'.join(inner)}: in the result, but scoring again gives no such number"
    elif isinstance(now, list) and isinstance(then, list):
        if len(now) != len(then):
            yield f"{shown} {LACKS}"
        else:
            for number, pair in enumerate(zip(then, now, strict=True)):
                yield from differences(*pair, (*path, str(number)))
    elif then != now or isinstance(then, bool) != isinstance(now, bool):
        yield f"{shown}: {then!r:.40} in the result, {now!r:.40} now"


def _holds_number(value: Any) -> bool:
    """Whether it is a number, be it written as a text, or has one inside."""
    if isinstance(value, Mapping | list):
        return any(map(_holds_number, value.values() if isinstance(value, Mapping) else value))
    if isinstance(value, str):
        return re.fullmatch(r"[-+]?\d*[.,]?\d+ ?%?", value.strip()) is not None
    return isinstance(value, int | float)


LACKS = "is in only one of them"
"""The end of a difference where one of the two lacks a field or an item."""


def load_result(path: str) -> Mapping[str, Any]:
    """The content of a result file; DataError where it is not the JSON of a result."""
    try:
        content = json.loads(load(path))
    except ValueError as error:
        raise not_a_result(f"it is not JSON: {error}", path) from None
    except RecursionError:
        raise not_a_result("it is not JSON: nested too deeply", path) from None
    if not isinstance(content, Mapping):
        raise not_a_result("it is not a JSON object", path)
    return content
