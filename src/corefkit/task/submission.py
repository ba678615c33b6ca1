"""One submission to a platform that runs a task: its scores, and the page of its results."""

import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from corefkit.data.incidents import errors
from corefkit.data.texts import visible
from corefkit.task.manifest import read_manifest
from corefkit.task.report import render_alone
from corefkit.task.run import Outcome, score_task
from corefkit.task.shared_task import Task
from corefkit.task.tables import ranked
from corefkit.task.toml import quote, quote_key
from corefkit.task.writing import write_file

REFERENCE = "reference.toml"
"""The manifest in the reference data: all of it but the systems."""
SYSTEM = "submission"


def score_submission(reference: Path, submission: Path, output: Path) -> int:
    """Write scores.json and detailed_results.html below `output`; the exit status.

    It is 1, and nothing is written, where no file of the submission can be scored. What is
    missing or broken counts as 0.
    """
    with TemporaryDirectory() as folder:
        # A copy, so that the page names files as the participant does.
        place = Path(folder)
        shutil.copytree(reference, place, dirs_exist_ok=True)
        task = _with_responses(place, submission)
        if not task:
            return 1
        outcome = score_task(task, place / "parts", jobs=1)
        for result in outcome.results.values():
            for incident in errors(result.incidents):
                _say(f"{incident.file}: {incident.message} [{incident.id}]")
        if not any(result.scores for result in outcome.results.values()):
            return 1
        scores = leaderboard_scores(outcome)
        write_file(output / "scores.json", json.dumps(scores, indent=2))
        write_file(output / "detailed_results.html", render_alone(outcome))
    return 0


def _with_responses(place: Path, submission: Path) -> Task | None:
    """The task with the submission as its only system; None where no file is for it."""
    text = (place / REFERENCE).read_text(encoding="utf-8")
    sent = list(_files(submission))
    stub = f"\n[systems.{SYSTEM}.responses]\n"
    bare = read_manifest(place / "task.toml", text + stub)
    lines = []
    for name, language in bare.languages.items():
        expected = submission_name(language.key)
        found = [file for file in sent if file.name.removesuffix(".gz") == expected]
        if not found:
            _say(f"{expected}: not in the submission; counts as 0")
            continue
        target = Path("submission") / found[0].relative_to(submission)
        (place / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(found[0], place / target)
        slot = name if bare.of_datasets else f"{name}/{bare.tracks[0]}/{bare.official}"
        lines.append(f"{quote_key(slot)} = {quote(target.as_posix())}\n")
    if not lines:
        _say(f"none of the {len(sent)} files of the submission has such a name")
        return None
    return read_manifest(place / "task.toml", text + stub + "".join(lines))


def _say(text: str) -> None:
    sys.stderr.write(f"{visible(text)}\n")


def _files(folder: Path) -> Iterator[Path]:
    """The files of a submission; no links, which could lead to the key."""
    for file in sorted(folder.rglob("*")):
        inside = (file, *file.parents)[: len(file.relative_to(folder).parts)]
        if file.is_file() and not any(step.is_symlink() for step in inside):
            yield file


def submission_name(key: str) -> str:
    """What the response to a key is called in a submission: as the key, unpacked.

    >>> submission_name("keys/english.conll.gz")
    'english.conll'
    """
    return Path(key).name.removesuffix(".gz")


def leaderboard(task: Task) -> list[tuple[str, str]]:
    """The columns of the leaderboard, key and title: the official score, then what made it."""
    columns = [("official", "Official score")]
    columns += [(column_key(name), x.title) for name, x in task.languages.items()]
    columns += [(column_key(f"setting {s}"), s) for s in _other_settings(task)]
    return columns


def leaderboard_scores(outcome: Outcome) -> dict[str, float]:
    """The figures of a submission, in points, under the keys of `leaderboard`."""
    task = outcome.task
    settings = [task.settings[name] for name in (task.official, *_other_settings(task))]
    official, *others = (ranked(outcome, setting)[0] for setting in settings)
    figures = [official.official, *(figure or 0.0 for figure in official.figures.values())]
    figures += [other.official for other in others]
    return {key: 100 * f for (key, _), f in zip(leaderboard(task), figures, strict=True)}


def _other_settings(task: Task) -> Iterable[str]:
    """The other ways to score the same response; in a task of languages there are none."""
    return [s for s in task.settings if s != task.official] if task.of_datasets else []


def column_key(name: str) -> str:
    """A name with letters, digits and _ alone.

    >>> column_key("setting head-keep")
    'setting_head_keep'
    """
    return "".join(c if c.isalnum() else "_" for c in name)
