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
    signature = GONE.sub("", content["signature"])
    return with_parts({"result": kind, **content, "signature": signature})


def with_parts(content: Any) -> Any:
    """The same with `parts` where the old state had groups, strata, windows, levels and links."""
    if not isinstance(content, dict):
        return content
    content = {name: _nested(value) for name, value in content.items()}
    kind, by = kind_of(content), content.get("by", "genre")
    bounds: dict[str, Any] = {}
    if kind in ("scores", "runs", "task"):
        for system in content["responses" if kind == "task" else "systems"]:
            for one in (system, *system.get("runs", [])):
                bounds |= _to_parts(one, by)
    return content | ({"bounds": bounds} if bounds else {})


def _nested(value: Any) -> Any:
    return [with_parts(one) for one in value] if isinstance(value, list) else value


def _to_parts(system: dict[str, Any], by: str) -> dict[str, list[int]]:
    """Replace what the old state had; returns the bounds of strata."""
    if "scores" not in system or not {"groups", "strata", "windows"} & {*system}:
        return {}
    parts: list[dict[str, Any]] = []
    bounds: dict[str, list[int]] = {}
    *windows, whole = system.pop("windows", [{}])
    for window in windows:
        sizes = {name: window[name] for name in ("windows", "key", "response", "scores")}
        at = {"window": window["window"]}
        parts += [{"part": at, **sizes}, *_inner(window, by, at, {})]
    system |= {name: whole[name] for name in ("windows", "key", "response") if name in whole}
    parts += _inner(system, by, {}, bounds)
    for level in system.pop("levels", []):
        parts.append({"part": {"across": level.pop("across")}, **level})
    for link in system.pop("links", []):
        counts = {
            "recall": [link["common"], link["key"]],
            "precision": [link["common"], link["response"]],
        }
        rates = {name: link[name] for name in ("recall", "precision", "f1")}
        score = {**rates, "counts": counts}
        parts.append({"part": {"reach": link["reach"]}, "scores": {"pairs": score}})
    system["parts"] = parts
    return bounds


def _inner(
    content: dict[str, Any], by: str, at: dict[str, str], bounds: dict[str, list[int]]
) -> list[dict[str, Any]]:
    """The parts of groups and strata, in a window if `at` names one."""
    groups = {label: group["scores"] for label, group in content.pop("groups", {}).items()}
    strata = []
    for division in content.pop("strata", []):
        name = division["by"]
        bounds |= {name: division["bounds"]} if "bounds" in division else {}
        for stratum in division["strata"]:
            label = stratum.pop("label")
            also = groups.pop(label, {}) if name == by else {}
            scores = {**also, **stratum.pop("scores")}
            strata.append({"part": {**at, name: label}, **stratum, "scores": scores})
    return [{"part": {**at, by: g}, "scores": scores} for g, scores in groups.items()] + strata


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
