"""The JSON of the old state as the new one writes it: for `same_numbers.py` and its receipts."""

import re
from collections.abc import Iterator
from typing import Any

GONE = re.compile(r"\|(cross):[^|]*")
"""Parts of signatures that the new state does not have."""


def new_shape(content: Any) -> Any:
    """The JSON of a command of the old state, with the names and places of the new one."""
    kind = kind_of(content) if isinstance(content, dict) else ""
    if kind in ("", "agreement"):
        return content
    signature = GONE.sub("", content["signature"])
    return with_parts({"result": kind, **content, "signature": signature})


def bare_list(content: Any) -> Any:
    """A list without the object that says of which result it is, as the old state wrote lists."""
    is_list = isinstance(content, dict) and content.get("result") == "list"
    return content["listed"] if is_list else content


def with_parts(content: Any) -> Any:
    """The same with `parts` where the old state had groups, strata, windows, levels and links."""
    if isinstance(content, list):
        return [with_parts(one) for one in content]
    if not isinstance(content, dict):
        return content
    kind, by = kind_of(content), content.get("by", "genre")
    content = {name: with_parts(value) for name, value in content.items()}
    bounds: dict[str, Any] = {}
    if kind in ("scores", "task"):
        for system in content["responses" if kind == "task" else "systems"]:
            system["parts"] = list(_inner(system, by, {}, bounds))
    elif kind == "runs":
        for system in content["systems"]:
            _of_runs(system, by, bounds)
    elif kind == "comparison":
        content |= _of_comparison(content)
    elif kind == "agreement":
        for pair in content["pairs"]:
            pair["parts"] = list(_inner(pair, "genre", {}, bounds))
        groups = content.pop("groups").items()
        content["parts"] = [{"part": {"genre": name}, **group} for name, group in groups]
    return content | ({"bounds": bounds} if bounds else {})


def _of_runs(system: dict[str, Any], by: str, bounds: dict[str, Any]) -> None:
    """The scores of a system are its means; each run is one of its parts."""
    system["scores"] = system.pop("mean")
    parts = list(_inner(system, by, {}, bounds))
    for run in system["runs"]:
        run["scored"] = run["scores"] is not None
        at = {"run": run["run"] or ""}
        parts += _inner(run, by, at, bounds)
        names = [name for name in ("windows", "key", "response", "scores") if name in run]
        whole = {name: run.pop(name) for name in names}
        parts += [{"part": at, **whole}] if run["scored"] else []
    system["parts"] = parts


def _of_comparison(content: dict[str, Any]) -> dict[str, Any]:
    """Systems and pairs as lists of scores and parts; those of windows are among these."""
    bodies: dict[str, list[dict[str, Any]]] = {"systems": [], "pairs": []}
    for name, scores in content["systems"].items():
        parts = [_stratum(one, {}) for one in scores.pop("strata", [])]
        bodies["systems"].append({"name": name, "scores": scores, "parts": parts})
    for pair in content["pairs"]:
        parts = [_stratum(one, {}) for one in pair.pop("strata", [])]
        bodies["pairs"].append({"scores": pair.pop("metrics"), **pair, "parts": parts})
    windows = {}
    for window in content.get("windows", []):
        inside = {"window": window["window"]}
        windows[window["window"]] = {name: window[name] for name in ("groups", "smallest_p")}
        for kind, wholes in bodies.items():
            for whole, cut in zip(wholes, window[kind], strict=True):
                parts = [{**part, "part": {**inside, **part["part"]}} for part in cut["parts"]]
                whole["parts"] += [{"part": inside, "scores": cut["scores"]}, *parts]
    return {**bodies, **({"windows": windows} if windows else {})}


def _stratum(stratum: dict[str, Any], at: dict[str, str]) -> dict[str, Any]:
    rest = {name: stratum[name] for name in ("documents", "smallest_p") if stratum.get(name)}
    place = {**at, stratum["by"]: stratum["label"]}
    return {"part": place, **rest, "scores": stratum["metrics"]}


def _inner(
    content: dict[str, Any], by: str, at: dict[str, str], bounds: dict[str, Any]
) -> Iterator[dict[str, Any]]:
    """The parts of a system, of a run or of a window; what they come from is taken away."""
    rows = content.pop("windows") if isinstance(content.get("windows"), list) else [{}]
    *windows, whole = rows
    if whole and whole["window"] != "whole":
        windows, whole = [*windows, whole], {}
    for window in windows:
        inside = {**at, "window": window["window"]}
        yield from _inner(window, by, inside, bounds)
        del window["window"]
        window["scores"] = window.pop("mean", None) or window["scores"]
        yield {"part": inside, **window}
    content |= {name: whole[name] for name in ("windows", "key", "response") if name in whole}
    groups = {
        label: group.get("mean") or group["scores"]
        for label, group in content.pop("groups", {}).items()
    }
    for division in content.pop("strata", []):
        if "metrics" in division:  # a mean over runs
            yield _stratum(division, at)
            continue
        name = division["by"]
        bounds |= {name: division["bounds"]} if "bounds" in division else {}
        for stratum in division["strata"]:
            label = stratum.pop("label")
            also = groups.pop(label, {}) if name == by else {}
            yield {"part": {**at, name: label}, **stratum, "scores": {**also, **stratum["scores"]}}
    for label, scores in groups.items():
        yield {"part": {**at, by: label}, "scores": scores}
    for level in content.pop("levels", []):
        yield {"part": {**at, "across": level.pop("across")}, **level}
    for link in content.pop("links", []) if "reach" in str(content.get("links"))[:12] else ():
        rates = {name: link[name] for name in ("recall", "precision", "f1")}
        recall, precision = ([link["common"], link[side]] for side in ("key", "response"))
        score = {**rates, "counts": {"recall": recall, "precision": precision}}
        yield {"part": {**at, "reach": link["reach"]}, "scores": {"pairs": score}}


def kind_of(content: dict[str, Any]) -> str:
    """The type of a result, by its fields; empty where the new state has no type for it."""
    systems = content.get("systems")
    if "ranking" in content:
        return "task"
    if isinstance(content.get("pairs"), list) and isinstance(systems, dict):
        return "comparison"
    if "annotators" in content and "pairs" in content:
        return "agreement"
    if "metric" in content and systems:
        return "errors"
    if not isinstance(systems, list) or "key" not in content:
        return ""
    return "runs" if any("runs" in system for system in systems) else "scores"
