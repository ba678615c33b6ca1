"""How the JSON of a command is made again: its files, and the function that scores them.

A result of `score`, `compare`, `errors` or `task run` is recognised by its fields. The whole JSON
is made again, by the functions that the commands call; `figures` extracts what is compared.

"""

from collections.abc import Callable, Container, Iterator, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from corefkit.core.incidents import DataError, data_error
from corefkit.core.names import Response
from corefkit.core.options import PLAIN_SIDES, Options, Readings
from corefkit.scoring.hashes import FileHash
from corefkit.scoring.report import Report
from corefkit.stats import FailedPolicy


class ReceiptFile(NamedTuple):
    """A file of a result.

    Attributes:
        what: what it is, in words, for example "the key".
        name: the name of its system; empty for a key, and for the files of a task.

        path: its path in the result.
        then: its hash in the result.
    """

    what: str
    name: str
    path: str
    then: FileHash


class Conditions(NamedTuple):
    """The conditions of a repetition.

    Attributes:
        options: the options of the signature.
        files: the present paths of the files, the key or the manifest first.
        readings: how both sides are read.
        documents: which documents are scored.
    """

    options: Options
    files: list[Response]
    readings: Readings = PLAIN_SIDES
    documents: str = "all"

    @property
    def key(self) -> str:
        """The path of the first file: the key, or the manifest of a task."""
        return self.files[0].path

    @property
    def responses(self) -> list[Response]:
        """The other files."""
        return self.files[1:]


class Repetition(NamedTuple):
    """How to make a result again.

    Attributes:
        signature: its signature.
        files: its files.
        repeat: makes the JSON again.
        by_manifest: whether the first file is a manifest, which names the others.
    """

    signature: str
    files: list[ReceiptFile]
    repeat: Callable[[Conditions], Mapping[str, Any]]
    by_manifest: bool = False


def repetition_of(content: Mapping[str, Any]) -> Repetition:
    """How to make a result again; DataError where it is not a result."""
    try:
        if "ranking" in content:
            return _of_task(content)
        if isinstance(content.get("pairs"), list):
            return _of_compare(content)
        if "metric" in content:
            return _of_errors(content)
        if any("runs" in system for system in content["systems"]):
            return _of_runs(content)
        return _of_score(content)
    except (KeyError, TypeError, AttributeError) as error:
        reason = f"it lacks {error}: not the JSON of score, compare, errors or task run"
        raise not_a_result(reason) from None


def not_a_result(reason: str, path: str | None = None) -> DataError:
    """The error for a file that is not a result, or that cannot be reproduced."""
    return data_error("result-unreadable", reason=reason, file=path)


NAMED = frozenset(
    {"systems", "groups", "classes", "strata", "runs", "responses", "languages", "datasets"}
)
"""Fields whose entries have names given by users; all of these names must be reproduced."""

_WORDS = {
    "version",
    "signature",
    "setting",
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
_SIZES = {"bytes", "files"}


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
    if name in _SIZES:  # of a file, compared with its hash; `errors` lists its files in `files`
        return isinstance(value, Mapping)
    return name not in _WORDS or isinstance(value, int | float)


def _name(item: Any) -> str:
    """The name of an item of a list, such as a system, a run or a response of a task; or ""."""
    if not isinstance(item, Mapping):
        return ""
    parts = [item.get(x) for x in ("name", "system", "language", "dataset", "track", "setting")]
    parts += [item.get("run", "")]
    return " ".join(str(part) for part in parts if isinstance(part, str) and part)


def _file(what: str, entry: Mapping[str, Any], name: str = "", path: str = "path") -> ReceiptFile:
    return ReceiptFile(what, name, entry[path], FileHash.from_dict(entry))


def _responses(entries: list[Mapping[str, Any]]) -> list[ReceiptFile]:
    return [_file(f"the response {entry['name']}", entry, entry["name"]) for entry in entries]


def _of_score(content: Mapping[str, Any]) -> Repetition:
    by = content.get("by")
    losses = any("losses" in system for system in content["systems"])

    broken = {system["name"] for system in content["systems"] if system["scores"] is None}

    def repeat(given: Conditions) -> Mapping[str, Any]:
        from corefkit.render.scores import report_dict

        return report_dict(_scored(given, by, broken), by, losses=losses)

    files = [_file("the key", content["key"]), *_responses(content["systems"])]
    return Repetition(content["signature"], files, repeat)


def _scored(given: Conditions, by: str | None = None, broken: Container[str] = ()) -> Report:
    """The scores of all systems; DataError where one has none and is not among the `broken`."""
    from corefkit.scoring.run import score_systems

    how: dict[str, Any] = {"readings": given.readings, "documents": given.documents}
    report = score_systems(given.key, given.responses, given.options, by=by, **how)
    if any(system.scores is None and system.name not in broken for system in report.systems):
        raise DataError(report.incidents)
    return report


def _of_runs(content: Mapping[str, Any]) -> Repetition:
    systems = content["systems"]
    agreement = any(system["agreement"] for system in systems)
    runs_of_failing = [run for system in systems if system["failed"] for run in system["runs"]]
    zero = bool(runs_of_failing) and all(run["scores"] for run in runs_of_failing)

    def repeat(given: Conditions) -> Mapping[str, Any]:
        from corefkit.render.runs import runs_dict
        from corefkit.stats.run_scores import list_runs, report_runs

        failed: FailedPolicy = "zero" if zero else "skip"
        how: dict[str, Any] = {"readings": given.readings, "documents": given.documents}
        how["by"] = content.get("by")
        runs = list_runs(given.responses)
        report = report_runs(
            given.key, runs, given.options, failed=failed, agreement=agreement, **how
        )
        return runs_dict(report)

    files = [_file("the key", content["key"])]
    for system in systems:
        for run in system["runs"]:
            name = f"{system['name']}@{run['run']}" if run["run"] else system["name"]
            files.append(_file(f"the response {name}", run, name))
    return Repetition(content["signature"], files, repeat)


def _of_compare(content: Mapping[str, Any]) -> Repetition:
    plan = {name: content[name] for name in ("samples", "seed", "level", "interval")}
    if "key" not in content:
        raise not_a_result(
            "it names no key: it was made from files of counts, or by another version"
        )
    files = [_file("the key", content["key"]), *_responses(content["responses"])]
    metrics = next(iter(content["systems"].values()))
    runs = any(isinstance(figure, Mapping) and "runs" in figure for figure in metrics.values())
    repeat = partial(_repeat_compare, plan=plan, failed=_failed(content) if runs else None)
    return Repetition(content["signature"], files, repeat)


def _failed(content: Mapping[str, Any]) -> FailedPolicy:
    """The policy for runs that could not be scored: "zero" if all given runs were counted."""
    counted = [next(iter(system.values()))["runs"] for system in content["systems"].values()]
    return "zero" if sum(counted) == len(content["responses"]) else "skip"


def _repeat_compare(
    given: Conditions, plan: Mapping[str, Any], failed: FailedPolicy | None
) -> Mapping[str, Any]:
    from corefkit.stats.compare import compare_scores
    from corefkit.stats.run_scores import list_runs, report_runs

    if failed is None:
        return compare_scores(_scored(given).scores, **plan).to_dict()
    how: dict[str, Any] = {"readings": given.readings, "documents": given.documents}
    responses = [Response(r.path, r.name.removesuffix("@")) for r in given.responses]
    report = report_runs(given.key, list_runs(responses), given.options, failed=failed, **how)
    scores = {system.name: list(system.runs.values()) for system in report.systems if system.runs}
    return compare_scores(scores, **plan).to_dict()


def _of_errors(content: Mapping[str, Any]) -> Repetition:
    shares = any("shares" in system for system in content["systems"])
    by = next((name for system in content["systems"] for name in system.get("by", {})), None)

    def repeat(given: Conditions) -> Mapping[str, Any]:
        from corefkit.render.errors import errors_dict
        from corefkit.scoring.errors import find_errors

        how: dict[str, Any] = {"readings": given.readings, "pronouns": content.get("pronouns")}
        report = find_errors(given.key, given.responses, given.options, **how)
        return {**errors_dict(report, shares=shares, by=by), "key": content["key"]}

    files = [_file("the key", content["files"]["key"]), *_responses(content["files"]["responses"])]
    return Repetition(content["signature"], files, repeat)


def _of_task(content: Mapping[str, Any]) -> Repetition:
    if "manifest" not in content:
        raise not_a_result("it does not name its manifest: run the task again")
    files = [_file("the manifest", content["manifest"]), *_task_files(content)]
    return Repetition(content["signature"], files, _repeat_task, by_manifest=True)


def _task_files(content: Mapping[str, Any]) -> Iterator[ReceiptFile]:
    """The keys and responses of a task, each once, without responses that were unreadable."""
    kind = "languages" if "languages" in content else "datasets"
    for name, entry in content[kind].items():
        yield _file(f"the key of {name}", entry, path="key")
    seen = set()
    for entry in content["responses"]:
        unreadable = entry["scores"] is None and entry["sha256"] is None
        if entry["file"] not in seen and not unreadable:
            seen.add(entry["file"])
            yield _file(f"the response {_name(entry)}", entry, path="file")


def _repeat_task(given: Conditions) -> Mapping[str, Any]:
    from corefkit.plugins.task.manifest import read_manifest
    from corefkit.plugins.task.output import task_dict
    from corefkit.plugins.task.run import score_task

    task = read_manifest(given.key)
    with TemporaryDirectory() as folder:
        return task_dict(score_task(task, Path(folder)))
