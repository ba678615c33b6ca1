"""Verification: can a result be reproduced? Its files are compared by hash, then every number.

`verify` reads a result as JSON, makes it again as the type of the result says, by the signature,
and names the first thing that explains a difference: a file, a system, the version, a figure.
What moved a figure between two releases, and why, is in score_changes.toml beside this module.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from corefkit._version import __version__
from corefkit.core.carriers import frozen
from corefkit.core.incidents import data_error
from corefkit.core.names import Response
from corefkit.core.options import Options, ReadChoices, Readings, UsageError
from corefkit.core.texts import count_of
from corefkit.formats.options import readings_of
from corefkit.plugins.verify.figures import (
    LACKS,
    differences,
    figures,
    load_result,
    numbers,
    told_numbers,
)
from corefkit.scorers.signature import parse_signature
from corefkit.scoring.hashes import FileHash, hash_files
from corefkit.scoring.repetition import (
    Conditions,
    Repetition,
    ResultFile,
    not_a_result,
    repetition_of,
)

SHOWN = 5
"""The most changed figures that are listed."""


class ScoreChange(NamedTuple):
    """What moved figures, and why, and the release that brought it."""

    version: str
    text: str


@frozen
class Verification:
    """Whether a result can be reproduced.

    Attributes:
        same: whether all files and all numbers are the same.
        reason: the first explanation of a difference: "file", "system", "version" or "figure";
            empty where all is the same.
        lines: what was compared and what differs, as sentences.
        figures: the number of numbers compared.
        changes: where the version is the reason, what moved figures between the two versions.
    """

    same: bool
    reason: str
    lines: tuple[str, ...]
    figures: int
    changes: tuple[ScoreChange, ...] = ()

    @property
    def exit(self) -> int:
        """The exit status of `corefkit verify`: 0 if all is the same, otherwise 3."""
        return 0 if self.same else 3

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `corefkit verify`."""
        verdict = "same" if self.same else "other"
        return {
            "verdict": verdict,
            "reason": self.reason or None,
            "figures": self.figures,
            "lines": list(self.lines),
            "changes": [change._asdict() for change in self.changes],
        }

    def __str__(self) -> str:
        return "\n".join(self.lines)


def verify(  # noqa: PLR0913 (as many as there are options)
    result: "str | os.PathLike[str] | Mapping[str, Any]",
    *,
    key: str | None = None,
    responses: Mapping[str, str] | None = None,
    root: str = ".",
    documents: str | None = None,
    unhashed: bool = False,
    **reading: Unpack[ReadChoices],
) -> Verification:
    """Repeat a result, given as the path of a JSON file or as its content, and compare all numbers.

    Paths are those in the result, relative to `root`; `key` and `responses` (by the names of the
    systems, "name@run" for a run) say where files are now. `documents` is the list of documents, if
    only listed ones were scored. A signature does not say how files are read: options such as
    format="e2e" must be given again, as in `corefkit.read`.

    Raises DataError where it is not a result, where a file cannot be read, or where the result has
    no hash of a file, unless `unhashed` allows that.
    """
    how: dict[str, Any] = {"root": root, "documents": documents, "unhashed": unhashed}
    return verify_read(result, readings_of(reading), key=key, responses=responses, **how)


def verify_read(  # noqa: PLR0913 (as many as there are options)
    result: "str | os.PathLike[str] | Mapping[str, Any]",
    readings: Readings,
    *,
    key: str | None = None,
    responses: Mapping[str, str] | None = None,
    root: str = ".",
    documents: str | None = None,
    unhashed: bool = False,
) -> Verification:
    """Like `verify`, with the reading options of both sides."""
    content = result if isinstance(result, Mapping) else load_result(os.fspath(result))
    repetition = repetition_of(content)
    options, version = _options(repetition.signature)
    listed = documents or options.documents
    if listed == "listed":
        raise not_a_result(
            "only listed documents were scored, and the list is not part of the result: give it "
            "with --documents FILE"
        )
    files = _located(repetition, key, responses or {}, root)
    for file in files:
        if changed := _check_file(file, unhashed):
            return Verification(False, "file", (f"other: {changed}",), 0)
    found = [Response(file.path, file.name) for file in files]
    repeated = repetition.repeat(Conditions(options, found, readings, listed))
    again = json.loads(json.dumps(repeated))  # as in a file
    then, now = figures(content), figures(again)
    differing, number = list(differences(then, now)), sum(1 for _ in numbers(now))
    if version == __version__ and not differing:
        differing += differences(told_numbers(content), told_numbers(again))
    if differing:
        return _explain(differing, version, number)
    lines = [f"same: {count_of(number, 'number')} reproduced to the last digit"]
    if version != __version__:
        lines.insert(0, _other_version(version, "; no figure changed"))
    return Verification(True, "", tuple(lines), number)


def _located(
    result: Repetition, key: str | None, responses: Mapping[str, str], root: str
) -> list[ResultFile]:
    """The files of a result with their present paths; UsageError for one that it does not have."""
    if result.by_manifest and (key or responses):
        raise UsageError("the manifest of a task says where its files are: give its folder as root")
    first, *others = result.files
    if unknown := responses.keys() - {file.name for file in others}:
        raise UsageError(f"response: the result has no system {sorted(unknown)[0]!r}")
    found = [key, *(responses.get(file.name) for file in others)]
    located = []
    for file, location in zip((first, *others), found, strict=True):
        default = file.path if file.path == "-" else str(Path(root, file.path))
        located.append(file._replace(path=default if location is None else location))
    return located


def _explain(differing: list[str], version: str, number: int) -> Verification:
    """The verification of a result with the same files but different figures."""
    if missing := [line for line in differing if line.endswith(LACKS)]:
        return Verification(False, "system", (f"other: {missing[0]}",), number)
    shown = [f"  {line}" for line in differing[:SHOWN]]
    if len(differing) > SHOWN:
        shown.append(f"  … and {len(differing) - SHOWN:,} more")
    if version != __version__:
        moved = f", and {len(differing):,} of {number:,} figures changed"
        changes = changes_between(version, __version__)
        lines = (f"other: {_other_version(version, moved)}", *shown, *_change_lines(changes))
        return Verification(False, "version", lines, number, tuple(changes))
    why = (
        "other: the files and the version are the same, but the figures are not: the result was "
        "edited, or was not made with this signature"
    )
    return Verification(False, "figure", (why, *shown), number)


def _other_version(version: str, end: str) -> str:
    return f"version: made by corefkit {version}, this is {__version__}{end}"


def _change_lines(changes: list[ScoreChange]) -> Iterator[str]:
    if not changes:
        yield "no change of scores is recorded between the two versions"
    for change in changes:
        yield f"changed in {change.version}: {change.text}"


def _check_file(file: ResultFile, unhashed: bool) -> str:
    """How a file differs, or ""; DataError where it cannot be read or the result has no hash."""
    if file.path == "-":
        option = f"--response {file.name}=FILE" if file.name else "--key FILE"
        raise not_a_result(f"{file.what} was standard input: name it with {option}")
    now, then = hash_files(file.path), file.then
    if now.sha256 is None:
        raise data_error("file-unreadable", "root", file=file.path)
    if then.sha256 is None:
        if unhashed:
            return ""
        raise not_a_result(
            f"it has no hash of {file.what} ({file.path}), so only figures can be compared: add "
            "--unhashed"
        )
    if now.sha256 != then.sha256 or now.bytes != (then.bytes or now.bytes):
        return f"{file.what} has changed: {file.path} has {_both(now, then)}"
    beside, before = now.companions or FileHash(), then.companions or FileHash()
    if beside.sha256 != before.sha256:
        return (
            f"the files that are read along with {file.what} have changed: beside {file.path} "
            f"{'is' if beside.files == 1 else 'are'} {_both(beside, before)}"
        )
    return ""


def _both(now: FileHash, then: FileHash) -> str:
    return f"{_described(now)}; the result was made from {_described(then)}"


def _described(file: FileHash) -> str:
    if file.sha256 is None:
        return "nothing"
    files = f"{count_of(file.files, 'file')} of " if isinstance(file.files, int) else ""
    size = f"{files}{file.bytes:,} bytes, " if isinstance(file.bytes, int) else ""
    return f"{size}sha256 {file.sha256}"


def _options(signature: str) -> tuple[Options, str]:
    """The options in a signature, and its version; DataError where an option is unknown."""
    try:
        return parse_signature(signature)
    except UsageError as error:
        raise not_a_result(str(error)) from None


_VERSION = re.compile(r"(\d+(?:\.\d+)*)(?:\.?dev(\d+))?")


def changes_between(
    old: str, new: str, recorded: Iterable[ScoreChange] | None = None
) -> list[ScoreChange]:
    """The changes of scores between two versions, the newest first; by default, those on record.

    >>> changes = [ScoreChange("0.2.0", "muc: a reason"), ScoreChange("0.3.0", "lea: another")]
    >>> changes_between("0.1.0", "0.3.0.dev4", changes)
    [ScoreChange(version='0.2.0', text='muc: a reason')]
    """
    first, last = sorted((_order(old), _order(new)))
    changes = _recorded() if recorded is None else recorded
    between = [change for change in changes if first < _order(change.version) <= last]
    return sorted(between, key=lambda change: _order(change.version), reverse=True)


def _order(version: str) -> tuple[tuple[int, ...], float]:
    """The sort key of a version; a development version comes before its release.

    >>> _order("0.1.0.dev3+g1234") < _order("0.1") < _order("0.2.0")
    True
    """
    match = _VERSION.match(version)
    if not match:
        return (), 0.0
    numbers = [int(part) for part in match[1].split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers), float(match[2] or "inf")


def _recorded() -> list[ScoreChange]:
    """The changes in score_changes.toml."""
    import tomllib

    text = Path(__file__).with_name("score_changes.toml").read_text(encoding="utf-8")
    return [ScoreChange(**change) for change in tomllib.loads(text).get("change", ())]
