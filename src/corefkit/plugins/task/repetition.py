"""How the JSON of `corefkit task run` is made again: by its manifest."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from corefkit.scoring.repetition import (
    Conditions,
    Repetition,
    ResultFile,
    not_a_result,
    result_file,
)


def of_task(content: Mapping[str, Any]) -> Repetition:
    """How the results of a task are made again."""
    if "manifest" not in content:
        raise not_a_result("it does not name its manifest: run the task again")
    files = [result_file("the manifest", content["manifest"]), *_files(content)]
    return Repetition(content["signature"], files, _repeat, by_manifest=True)


def _files(content: Mapping[str, Any]) -> Iterator[ResultFile]:
    """The keys and responses of a task, each once, without responses that were unreadable."""
    kind = "languages" if "languages" in content else "datasets"
    for name, entry in content[kind].items():
        yield result_file(f"the key of {name}", entry, path="key")
    seen = set()
    for entry in content["responses"]:
        unreadable = entry["scores"] is None and entry["sha256"] is None
        if entry["file"] not in seen and not unreadable:
            seen.add(entry["file"])
            yield result_file(f"the response {_name(entry)}", entry, path="file")


def _name(entry: Mapping[str, Any]) -> str:
    """The name of a response: its system, and what it is a response to."""
    parts = (entry.get(part) for part in ("system", "language", "dataset", "track", "setting"))
    return " ".join(part for part in parts if isinstance(part, str) and part)


def _repeat(given: Conditions) -> Mapping[str, Any]:
    from corefkit.plugins.task.manifest import read_manifest
    from corefkit.plugins.task.output import task_dict
    from corefkit.plugins.task.run import score_task

    task = read_manifest(given.key)
    with TemporaryDirectory() as folder:
        return task_dict(score_task(task, Path(folder)))
