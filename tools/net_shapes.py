"""The JSON of the old state as the new one writes it: for `same_numbers.py` and its receipts."""

import re
from typing import Any

GONE = re.compile(r"\|(cross):[^|]*")
"""Parts of signatures that the new state does not have."""


def new_shape(content: Any) -> Any:
    """The JSON of a command of the old state, with the names and places of the new one."""
    kind = kind_of(content) if isinstance(content, dict) else ""
    if not kind:
        return content
    return {"result": kind, **content, "signature": GONE.sub("", content["signature"])}


def kind_of(content: dict[str, Any]) -> str:
    """The type of a result, by its fields; empty where the new state has no type for it."""
    systems = content.get("systems")
    if "ranking" in content:
        return "task"
    if isinstance(content.get("pairs"), list) and isinstance(systems, dict):
        return "comparison"
    if "metric" in content and systems:
        return "errors"
    if not isinstance(systems, list) or "key" not in content:
        return ""
    return "runs" if any("runs" in system for system in systems) else "scores"
