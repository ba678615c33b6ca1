"""Manifests are written as TOML: tables of plain values."""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any


def to_toml(data: Mapping[str, Any], path: str = "") -> Iterator[str]:
    """The lines of a table and, behind it, of the tables in it.

    >>> print(*to_toml({"name": "Zwölf", "keys": {"a.b": {"tracks": ["open"]}}}), sep="", end="")
    name = "Zwölf"
    <BLANKLINE>
    [keys."a.b"]
    tracks = ["open"]
    """
    for name, value in data.items():
        if not isinstance(value, dict):
            yield f"{quote_key(name)} = {quote(value)}\n"
    for name, value in data.items():
        if isinstance(value, dict):
            inner = f"{path}.{quote_key(name)}".lstrip(".")
            if not value or not all(isinstance(one, dict) for one in value.values()):
                yield f"\n[{inner}]\n"
            yield from to_toml(value, inner)


def quote_key(name: str) -> str:
    """A name as a TOML key."""
    return name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else quote(name)


def quote(value: Any) -> str:
    """A value as TOML, which has the strings, numbers and lists of JSON."""
    return value.isoformat() if isinstance(value, date) else json.dumps(value, ensure_ascii=False)
