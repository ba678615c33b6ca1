"""Repetition: how a result is made again from its JSON, for `corefkit verify`.

A type of results that can be repeated has a function from its JSON to a Repetition: the files that
it was made from, with their hashes, and what makes the JSON again.
"""

from collections.abc import Callable, Container, Iterable, Mapping
from typing import Any, NamedTuple

from corefkit.core.entry_points import load
from corefkit.core.incidents import DataError, data_error
from corefkit.core.names import Response
from corefkit.core.options import PLAIN_SIDES, Options, Readings
from corefkit.core.results import result_type
from corefkit.scoring.hashes import FileHash
from corefkit.scoring.report import Report


class ResultFile(NamedTuple):
    """A file that a result was made from.

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
    files: list[ResultFile]
    repeat: Callable[[Conditions], Mapping[str, Any]]
    by_manifest: bool = False


def not_a_result(reason: str, path: str | None = None) -> DataError:
    """The error for a file that is not a result, or that cannot be reproduced."""
    return data_error("result-unreadable", reason=reason, file=path)


def repetition_of(content: Mapping[str, Any]) -> Repetition:
    """How to make a result again; DataError where it is not a result, or cannot be made again."""
    try:
        where = result_type(content["result"]).repetition
        if not where:
            raise not_a_result(f"a result of the type {content['result']!r} cannot be made again")
        found: Repetition = load(where)(content)
    except KeyError as error:
        raise not_a_result(f"it lacks {error}") from None
    except (LookupError, TypeError, AttributeError) as error:
        raise not_a_result(str(error)) from None
    return found


def result_file(
    what: str, entry: Mapping[str, Any], name: str = "", path: str = "path"
) -> ResultFile:
    """The file of an entry of a result that has its path, under `path`, and its hash."""
    return ResultFile(what, name, entry[path], FileHash.from_dict(entry))


def response_files(entries: Iterable[Mapping[str, Any]]) -> list[ResultFile]:
    """The responses of entries that have a name, a path and a hash."""
    return [result_file(f"the response {entry['name']}", entry, entry["name"]) for entry in entries]


def scored_again(
    given: Conditions,
    by: str | None = None,
    broken: Container[str] = (),
    *,
    shared: bool = False,
) -> Report:
    """The scores of all systems; DataError where one has none and is not among the `broken`.

    With `shared` the "common" documents are those that all have, as for `compare`.
    """
    from corefkit.scoring.run import score_systems

    how: dict[str, Any] = {"readings": given.readings, "documents": given.documents}
    how |= {"by": by, "shared": shared}
    report = score_systems(given.key, given.responses, given.options, **how)
    if any(system.scores is None and system.name not in broken for system in report.systems):
        raise DataError(report.incidents)
    return report
