"""How the JSON of `score`, `compare` and `errors` is made again, by what made it."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from corefkit.core.names import Response
from corefkit.scoring.repetition import (
    Conditions,
    Repetition,
    not_a_result,
    response_files,
    result_file,
    scored_again,
)
from corefkit.stats import FailedPolicy


def of_scores(content: Mapping[str, Any]) -> Repetition:
    """How scores are made again."""
    by = content.get("by")
    losses = any("losses" in system for system in content["systems"])
    broken = {system["name"] for system in content["systems"] if system["scores"] is None}

    def repeat(given: Conditions) -> Mapping[str, Any]:
        from corefkit.stats.reports import with_losses

        report = scored_again(given, by, broken).divided(by)
        return (with_losses(report) if losses else report).to_dict()

    files = [result_file("the key", content["key"]), *response_files(content["systems"])]
    return Repetition(content["signature"], files, repeat)


def of_runs(content: Mapping[str, Any]) -> Repetition:
    """How the scores of several runs are made again."""
    systems = content["systems"]
    agreement = any(system["agreement"] for system in systems)
    runs_of_failing = [run for system in systems if system["failed"] for run in system["runs"]]
    zero = bool(runs_of_failing) and all(run["scored"] for run in runs_of_failing)

    def repeat(given: Conditions) -> Mapping[str, Any]:
        from corefkit.stats.run_scores import list_runs, report_runs

        failed: FailedPolicy = "zero" if zero else "skip"
        how: dict[str, Any] = {"readings": given.readings, "documents": given.documents}
        how["by"] = content.get("by")
        runs = list_runs(given.responses)
        report = report_runs(
            given.key, runs, given.options, failed=failed, agreement=agreement, **how
        )
        return report.to_dict()

    files = [result_file("the key", content["key"])]
    for system in systems:
        for run in system["runs"]:
            name = f"{system['name']}@{run['run']}" if run["run"] else system["name"]
            files.append(result_file(f"the response {name}", run, name))
    return Repetition(content["signature"], files, repeat)


def of_comparison(content: Mapping[str, Any]) -> Repetition:
    """How a comparison is made again."""
    plan = {name: content[name] for name in ("samples", "seed", "level", "interval")}
    if "key" not in content:
        raise not_a_result(
            "it names no key: it was made from files of counts, or by another version"
        )
    files = [result_file("the key", content["key"]), *response_files(content["responses"])]
    runs = any(figure and "runs" in figure for figure in content["systems"][0]["scores"].values())
    repeat = partial(_compare_again, plan=plan, failed=_failed(content) if runs else None)
    return Repetition(content["signature"], files, repeat)


def _failed(content: Mapping[str, Any]) -> FailedPolicy:
    """The policy for runs that could not be scored: "zero" if all given runs were counted."""
    counted = [next(iter(s["scores"].values()))["runs"] for s in content["systems"]]
    return "zero" if sum(counted) == len(content["responses"]) else "skip"


def _compare_again(
    given: Conditions, plan: Mapping[str, Any], failed: FailedPolicy | None
) -> Mapping[str, Any]:
    from corefkit.stats.compare import compare_scores
    from corefkit.stats.run_scores import list_runs, report_runs

    if failed is None:
        return compare_scores(scored_again(given, shared=True).scores, **plan).to_dict()
    how: dict[str, Any] = {"readings": given.readings, "documents": given.documents}
    responses = [Response(r.path, r.name.removesuffix("@")) for r in given.responses]
    report = report_runs(given.key, list_runs(responses), given.options, failed=failed, **how)
    scores = {system.name: list(system.runs.values()) for system in report.systems if system.runs}
    return compare_scores(scores, **plan).to_dict()


def of_errors(content: Mapping[str, Any]) -> Repetition:
    """How the errors of systems are found again."""
    shares = any("shares" in system for system in content["systems"])
    by = next((name for system in content["systems"] for name in system.get("by", {})), None)

    def repeat(given: Conditions) -> Mapping[str, Any]:
        from corefkit.scoring.errors import find_errors
        from corefkit.stats.reports import with_sampled_losses

        how: dict[str, Any] = {"readings": given.readings, "pronouns": content.get("pronouns")}
        report = find_errors(given.key, given.responses, given.options, **how)
        report = with_sampled_losses(replace(report, with_shares=shares, by=by))
        return {**report.to_dict(), "key": content["key"]}

    key, responses = content["files"]["key"], content["files"]["responses"]
    files = [result_file("the key", key), *response_files(responses)]
    return Repetition(content["signature"], files, repeat)
