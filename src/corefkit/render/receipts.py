"""Receipts: a result that says which files it is of can be repeated, by anybody, to the last digit.

`verify` reads the JSON of `score`, `compare` or `errors`, compares the hashes of the files, scores
again by the signature and compares every number. `render_model_index` writes a result for a model
card.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from corefkit._version import __version__
from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError, data_error
from corefkit.core.names import Response
from corefkit.core.options import Options, UsageError
from corefkit.core.texts import count_of
from corefkit.scorers.signature import parse_signature
from corefkit.scoring.hashes import FileHash, hash_files
from corefkit.scoring.report import Report

SHOWN = 5
"""So many figures that moved are listed."""


@frozen
class Verification:
    """Whether a result can be repeated.

    Attributes:
        same: whether all files and all numbers are the same.
        reason: the first thing that explains why not, one of file, system, version and figure;
            empty where all is the same.
        lines: what was compared, and what is different, as sentences.
        figures: how many numbers were compared.
    """

    same: bool
    reason: str
    lines: tuple[str, ...]
    figures: int

    @property
    def exit(self) -> int:
        """The exit status of `corefkit verify`: 0 for the same, 3 for other."""
        return 0 if self.same else 3

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists: the JSON of `corefkit verify`."""
        verdict = "same" if self.same else "other"
        return {
            "version": __version__,
            "verdict": verdict,
            "reason": self.reason or None,
            "figures": self.figures,
            "lines": list(self.lines),
        }

    def __str__(self) -> str:
        return "\n".join(self.lines)


class _ReceiptFile(NamedTuple):
    """A file of a result: what it is, its name there, where it is now, and its hash then."""

    what: str
    name: str
    path: str
    then: FileHash


class _RepeatableResult(NamedTuple):
    """One result: its signature, its files, its numbers, and how to make them again."""

    signature: str
    key: _ReceiptFile
    responses: list[_ReceiptFile]
    numbers: dict[str, Any]
    repeat: Callable[[Options, str, list[Response]], dict[str, Any]]


def verify(
    result: "str | os.PathLike[str] | Mapping[str, Any]",
    *,
    key: str | None = None,
    responses: Mapping[str, str] | None = None,
    root: str = ".",
    unhashed: bool = False,
) -> Verification:
    """Repeat a result, the path of a JSON file or what is in it, and compare every number.

    Paths are as the result has them, relative to `root`; `key` and `responses` (by the names of
    the systems) say where files are now. Raises DataError where it is not a result, a file cannot
    be read, or a result does not say which files it is of, unless `unhashed` allows that.
    """
    content = result if isinstance(result, Mapping) else _load(os.fspath(result))
    found = [_parse(one, key, responses or {}, root) for one in _parts(content)]
    lines: list[str] = []
    figures = 0
    for one in found:
        outcome = _verify(one, unhashed)
        lines += outcome.lines
        figures += outcome.figures
        if not outcome.same:
            return replace(outcome, lines=tuple(lines), figures=figures)
    lines.append(f"same: {count_of(figures, 'number')} repeated to the last digit")
    return Verification(True, "", tuple(lines), figures)


def _load(path: str) -> Mapping[str, Any]:
    from corefkit.formats import load

    try:
        content = json.loads(load(path))
    except ValueError as error:
        raise _not_a_result(f"it is not JSON: {error}", path) from None
    if not isinstance(content, Mapping):
        raise _not_a_result("it is not a JSON object", path)
    return content


def _not_a_result(reason: str, path: str | None = None) -> DataError:
    return data_error("result-unreadable", reason=reason, file=path)


def _parts(content: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The results in a file: several where they were made in several settings."""
    settings = content.get("settings")
    return list(settings) if isinstance(settings, list) else [content]


def _parse(
    content: Mapping[str, Any], key: str | None, responses: Mapping[str, str], root: str
) -> _RepeatableResult:
    """What a result says; DataError where it is none."""
    try:
        if isinstance(content.get("pairs"), list):
            files, repeat = content, _repeat_compare(content)
            numbers = {name: content[name] for name in ("systems", "pairs", "groups")}
        elif "metric" in content:
            files, repeat = content["files"], _repeat_errors(content)
            numbers = {"systems": {one["name"]: one for one in content["systems"]}}
        else:
            files = {"key": content["key"], "responses": content["systems"]}
            repeat = _repeat_scores(content.get("by"))
            numbers = {"systems": {one["name"]: one for one in content["systems"]}}
            numbers["key"] = content["key"]
        if unknown := responses.keys() - {one["name"] for one in files["responses"]}:
            raise UsageError(f"response: the result has no system {sorted(unknown)[0]!r}")
        return _RepeatableResult(
            content["signature"],
            _file("the key", files["key"], key, root),
            [_file("", one, responses.get(one["name"]), root) for one in files["responses"]],
            numbers,
            repeat,
        )
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        if isinstance(error, UsageError):
            raise
        raise _not_a_result(f"it lacks {error}: not the JSON of score, compare or errors") from None


def _file(what: str, entry: Mapping[str, Any], now: str | None, root: str) -> _ReceiptFile:
    path = now if now is not None else entry["path"]
    if now is None and path != "-":
        path = str(Path(root, path))
    then = FileHash(entry.get("sha256"), entry.get("bytes"), entry.get("files"))
    return _ReceiptFile(what or f"the response {entry['name']}", entry.get("name", ""), path, then)


def _verify(result: _RepeatableResult, unhashed: bool) -> Verification:
    lines: list[str] = []
    for file in (result.key, *result.responses):
        changed = _check_file(file, unhashed)
        if changed:
            return Verification(False, "file", (*lines, f"other: {changed}"), 0)
    options, version = _options(result.signature)
    responses = [Response(file.path, file.name) for file in result.responses]
    again = result.repeat(options, result.key.path, responses)
    differences = list(_differences(result.numbers, again))
    figures = sum(1 for _ in _numbers(again))
    if not differences:
        if version != __version__:
            lines.append(
                f"version: made by corefkit {version}, this is {__version__}; no figure moved"
            )
        return Verification(True, "", tuple(lines), figures)
    shown = [f"  {line}" for line in differences[:SHOWN]]
    if len(differences) > SHOWN:
        shown.append(f"  … and {len(differences) - SHOWN:,} more")
    missing = [line for line in differences if line.endswith(_LACKS)]
    if missing:
        return Verification(False, "system", (*lines, f"other: {missing[0]}"), figures)
    if version != __version__:
        why = (
            f"other: made by corefkit {version}, this is {__version__}, and {len(differences):,} "
            f"of {figures:,} figures moved; CHANGELOG.md says why under “Scores change”"
        )
        return Verification(False, "version", (*lines, why, *shown), figures)
    why = (
        "other: the files and the version are the same and figures are not: the result was edited, "
        "or was not made by this signature"
    )
    return Verification(False, "figure", (*lines, why, *shown), figures)


def _check_file(file: _ReceiptFile, unhashed: bool) -> str:
    """What is different about a file; DataError where it cannot be had or has no hash."""
    if file.path == "-":
        option = f"--response {file.name}=FILE" if file.name else "--key FILE"
        raise data_error(
            "result-unreadable", reason=f"{file.what} was standard input: name it with {option}"
        )
    now = hash_files(file.path)
    if now.sha256 is None:
        raise data_error("file-unreadable", "no-file", file=file.path)
    if file.then.sha256 is None:
        if unhashed:
            return ""
        raise data_error(
            "result-unreadable",
            reason=f"it has no hash of {file.what} ({file.path}), so that only figures could be "
            "compared: --unhashed does that",
        )
    if now.sha256 == file.then.sha256:
        return ""
    then, size = file.then, f"{now.bytes:,} bytes"
    before = f"{then.bytes:,} bytes, " if isinstance(then.bytes, int) else ""
    return (
        f"{file.what} is another file: {file.path} has {size}, sha256 {now.sha256}; the result was "
        f"made of {before}sha256 {then.sha256}"
    )


def _options(signature: str) -> tuple[Options, str]:
    """The options of a result; DataError where this version does not know all of it."""
    plain = re.sub(r"\|(samples|seed|level|interval|entities|repair|by):[^|]*", "", signature)
    try:
        options, version = parse_signature(plain)
    except UsageError as error:
        raise _not_a_result(str(error)) from None
    if options.documents == "listed":
        raise _not_a_result("it is of documents that a list named, and the list is not in it")
    return options, version


def _repeat_scores(by: str | None) -> Callable[..., dict[str, Any]]:
    def repeat(options: Options, key: str, responses: list[Response]) -> dict[str, Any]:
        from corefkit.render.scores import system_dict
        from corefkit.scoring.run import score_systems

        report = score_systems(key, responses, options, by=by, documents=options.documents)
        _must_be_scored(report)
        systems = {one.name: system_dict(one, by) for one in report.systems}
        return {"key": report.key.size._asdict(), "systems": json.loads(json.dumps(systems))}

    return repeat


def _repeat_compare(content: Mapping[str, Any]) -> Callable[..., dict[str, Any]]:
    plan = {name: content[name] for name in ("samples", "seed", "level", "interval")}

    def repeat(options: Options, key: str, responses: list[Response]) -> dict[str, Any]:
        from corefkit.scoring.run import score_systems
        from corefkit.stats.significance import compare_scores

        report = score_systems(key, responses, options, documents=options.documents)
        _must_be_scored(report)
        again = json.loads(json.dumps(compare_scores(report.scores, **plan).to_dict()))
        return {name: again[name] for name in ("systems", "pairs", "groups")}

    return repeat


def _repeat_errors(content: Mapping[str, Any]) -> Callable[..., dict[str, Any]]:
    shares = any("shares" in one for one in content["systems"])
    by = next((name for one in content["systems"] for name in one.get("by", {})), None)

    def repeat(options: Options, key: str, responses: list[Response]) -> dict[str, Any]:
        from corefkit.scoring.errors import find_errors

        systems = {}
        for errors in find_errors(key, responses, options).systems:
            systems[errors.name] = errors.to_dict(shares=shares)
            if by:
                systems[errors.name]["by"] = {by: errors.by(by)}
        return {"systems": json.loads(json.dumps(systems))}

    return repeat


def _must_be_scored(report: Report) -> None:
    if len(report.scores) < len(report.systems):
        raise DataError(report.incidents)


_LACKS = "is in one of them only"


def _differences(then: Any, now: Any, place: str = "") -> Iterator[str]:
    """Where two results differ, in sentences; fields that only the older one has do not count."""
    if isinstance(now, Mapping) and isinstance(then, Mapping):
        known = {*then} if place.endswith(("systems", "groups", "classes")) else {*now}
        for name in sorted({*now} | (known & {*then})):
            inner = f"{place}.{name}" if place else str(name)
            if name in then and name in now:
                yield from _differences(then[name], now[name], inner)
            else:
                yield f"{inner} {_LACKS}"
    elif isinstance(now, list | tuple) and isinstance(then, list | tuple):
        if len(now) != len(then):
            yield f"{place} {_LACKS}"
        else:
            for number, pair in enumerate(zip(then, now, strict=True)):
                yield from _differences(*pair, f"{place}.{number}")
    elif then != now or isinstance(then, bool) != isinstance(now, bool):
        yield f"{place}: {then!r:.40} in the result, {now!r:.40} now"


def _numbers(content: Any) -> Iterator[float]:
    if isinstance(content, Mapping):
        content = content.values()
    if isinstance(content, int | float):
        yield content
    elif not isinstance(content, str) and content is not None:
        for inner in content:
            yield from _numbers(inner)


def render_model_index(report: Report) -> str:
    """The scores for a model card: YAML whose values are JSON, one model per system.

    Percentages with two digits, of the metrics that were asked for. The data set is the known
    corpus that the key is, else its file.
    """
    from corefkit.corpora.fingerprints import recognise
    from corefkit.render.scores import title_of

    known = recognise(report.key.corpus)
    dataset = {
        "type": known.id if known else "other",
        "name": known.name if known else report.key.path,
        **({"split": known.split} if known and known.split else {}),
    }
    arguments = {"signature": report.signature, "sha256": report.key_hash.sha256}
    models = []
    for name, scores in report.scores.items():
        values = [
            {
                "type": metric,
                "name": f"{title_of(metric)} F1",
                "value": round(100 * score.f1, 2),
                "args": arguments,
            }
            for metric, score in scores.items()
        ]
        task = {"type": "coreference-resolution"}
        results = [{"task": task, "dataset": dataset, "metrics": values}]
        models.append({"name": name, "results": results})
    return "model-index:\n" + "".join(_yaml_item(model, 0) for model in models)


def _yaml_item(content: Mapping[str, Any], depth: int) -> str:
    """A dict as an item of a YAML list; its values are dicts, lists of dicts, or JSON."""
    lines = _yaml(content, depth + 1)
    indent = "  " * (depth + 1)
    return "  " * depth + "- " + lines.removeprefix(indent)


def _yaml(content: Mapping[str, Any], depth: int) -> str:
    parts, indent = [], "  " * depth
    for name, value in content.items():
        if isinstance(value, Mapping):
            parts.append(f"{indent}{name}:\n{_yaml(value, depth + 1)}")
        elif isinstance(value, list):
            items = "".join(_yaml_item(item, depth) for item in value)
            parts.append(f"{indent}{name}:\n{items}")
        else:
            parts.append(f"{indent}{name}: {json.dumps(value, ensure_ascii=False)}\n")
    return "".join(parts)
