"""A competition bundle for Codabench: what `corefkit task bundle` writes, and what runs there.

The reference data are the keys and the manifest without its systems, the scoring program is
corefkit itself, and the detailed results of a submission are the page of a task. On the platform,
scoring_program.py calls `score_submission`.
"""

import json
import shutil
import sys
import tomllib
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from corefkit._version import __version__
from corefkit.core.incidents import errors
from corefkit.core.options import UsageError
from corefkit.core.texts import visible
from corefkit.formats import expand
from corefkit.task.manifest import read_manifest
from corefkit.task.output import render_alone
from corefkit.task.parts import write_file
from corefkit.task.results import TaskRun
from corefkit.task.run import score_task
from corefkit.task.shared_task import Task
from corefkit.task.toml import to_toml, to_toml_key, to_toml_value

REFERENCE = "reference.toml"
"""The manifest in the reference data: all of it but the systems."""
SYSTEM = "submission"

IMAGE = "python:3.12-slim"
"""The container that submissions are scored in; pip installs numpy, scipy and click there."""

COMMAND = "python3 /app/program/score.py /app/input /app/output"
"""How the platform runs the scoring program."""

NEEDED = ("numpy>=1.26", "scipy>=1.11", "click>=8.2")
PAGES = ("jinja2>=3.1",)
"""What the wheel asks for, as pyproject.toml does."""


def make_bundle(
    task: Task,
    manifest: Path,
    *,
    image: str = IMAGE,
    start: date | None = None,
    end: date | None = None,
) -> dict[str, bytes]:
    """The files of the bundle, by name.

    It has the official track and setting of a task of languages, and all settings of one of
    datasets. UsageError where a key is not one file, or two would have one name.
    """
    keys = {name: _key(task, name) for name in task.languages}
    sent = {submission_name(path.name) for path in keys.values()}
    if len(sent) < len(keys) or len({*map(column_key, keys)}) < len(keys):
        raise UsageError(f"bundle: two {task.kind}s would have files of the same name")
    package = files("corefkit.task")
    program = package.joinpath("scoring_program.py").read_text(encoding="utf-8")
    texts = {
        "competition.yaml": _competition(task, image, start or date.today(), end),
        "pages/overview.md": _overview(task),
        "pages/submission.md": _how_to_submit(keys.values()),
        "pages/terms.md": _terms(task),
        f"reference_data/{REFERENCE}": _reference(task, manifest, keys),
        "scoring_program/metadata.yaml": f"command: {COMMAND}\n",
        "scoring_program/score.py": program,
    }
    made = {name: text.encode() for name, text in texts.items()}
    made |= {f"reference_data/keys/{path.name}": path.read_bytes() for path in keys.values()}
    made[f"scoring_program/corefkit-{__version__}-py3-none-any.whl"] = make_wheel()
    made["logo.png"] = package.joinpath("logo.png").read_bytes()
    return made


def zipped(content: Mapping[str, bytes]) -> bytes:
    """The files as one archive, the same bytes every time."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, data in content.items():
            entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)
    return out.getvalue()


def make_wheel() -> bytes:
    """The package that is running, as a wheel."""
    content = dict(_package(files("corefkit"), "corefkit"))
    folder = f"corefkit-{__version__}.dist-info"
    requires = [f"Requires-Dist: {name}" for name in NEEDED]
    requires += [f'Requires-Dist: {name}; extra == "pages"' for name in PAGES]
    about = ["Metadata-Version: 2.1", "Name: corefkit", f"Version: {__version__}"]
    about += ["Requires-Python: >=3.11", *requires, "Provides-Extra: pages", ""]
    kind = ["Wheel-Version: 1.0", "Generator: corefkit", "Root-Is-Purelib: true"]
    kind += ["Tag: py3-none-any", ""]
    content[f"{folder}/METADATA"] = "\n".join(about).encode()
    content[f"{folder}/WHEEL"] = "\n".join(kind).encode()
    listed = [f"{name},{_digest(data)},{len(data)}" for name, data in content.items()]
    content[f"{folder}/RECORD"] = "\n".join([*listed, f"{folder}/RECORD,,", ""]).encode()
    return zipped(content)


def _digest(data: bytes) -> str:
    return f"sha256={urlsafe_b64encode(sha256(data).digest()).decode().rstrip('=')}"


def _package(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        name = f"{path}/{entry.name}"
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _package(entry, name)
        elif entry.is_file():
            yield name, entry.read_bytes()


def _key(task: Task, language: str) -> Path:
    name = task.path(task.languages[language].key)
    paths = expand(name)
    if len(paths) != 1 or not Path(paths[0]).is_file():
        raise UsageError(f"bundle: the key of {language} must be one file; {name} is not")
    return Path(paths[0])


def _reference(task: Task, manifest: Path, keys: Mapping[str, Path]) -> str:
    """The manifest without systems; keys where the bundle has them, lists instead of files."""
    data = tomllib.loads(manifest.read_text(encoding="utf-8-sig"))
    data.pop("systems", None)
    for name, path in keys.items():
        data[f"{task.kind}s"][name]["key"] = f"keys/{path.name}"
    for name, subset in task.subsets.items():
        data["subsets"][name]["documents"] = sorted(subset.documents)
    data["tracks"] = [task.tracks[0]]
    if not task.of_datasets and "settings" in data:
        data["settings"] = {task.official: data["settings"][task.official]}
    return "".join(to_toml(data))


def _competition(task: Task, image: str, start: date, end: date | None) -> str:
    """The description of the competition; JSON strings are YAML strings."""
    about, text = task.about, json.dumps
    lines = [
        "version: 2",
        f"title: {text(task.name)}",
        f"description: {text(about.description or task.name)}",
        "image: logo.png",
        "terms: pages/terms.md",
        f"docker_image: {text(image)}",
        "registration_auto_approve: true",
        "enable_detailed_results: true",
        "pages:",
    ]
    for title in ("Overview", "Submission"):
        lines += [f"  - title: {title}", f"    file: pages/{title.lower()}.md"]
    lines += ["tasks:", "  - index: 0", f"    name: {text(task.name)}"]
    lines += ["    scoring_program: scoring_program", "    reference_data: reference_data"]
    lines += ["phases:", "  - index: 0", "    name: Evaluation"]
    lines += [f"    description: {text(_ranked_by(task))}"]
    lines += [f"    start: {text(f'{start} 00:00:00')}"]
    lines += [f"    end: {text(f'{end} 00:00:00')}"] if end else []
    lines += ["    accepts_only_result_submissions: true", "    tasks:", "      - 0"]
    lines += ["leaderboards:", "  - title: Results", "    key: main"]
    lines += ["    submission_rule: Force_Last", "    columns:"]
    for index, (key, title) in enumerate(leaderboard(task)):
        lines += [f"      - title: {text(title)}", f"        key: {text(key)}"]
        lines += [f"        index: {index}", "        sorting: desc", "        precision: 2"]
    return "\n".join([*lines, ""])


def _ranked_by(task: Task) -> str:
    return (
        f"Ranked by the mean F1 of {task.rank} over all {task.kind}s, "
        f"0 for a {task.kind} that is missing or broken."
    )


def _overview(task: Task) -> str:
    about = task.about
    paragraphs = [
        f"# {task.name}",
        about.description,
        _ranked_by(task),
        about.organisers and f"Organisers: {about.organisers}",
        about.licence and f"Licence: {about.licence}",
        about.url and f"<{about.url}>",
    ]
    return "\n\n".join(filter(None, paragraphs)) + "\n"


def _how_to_submit(keys: Iterable[Path]) -> str:
    listed = "\n".join(f"- `{submission_name(path.name)}`" for path in keys)
    return (
        "# How to submit\n\nUpload one zip file with these files, in folders or not, each packed "
        f"with gzip (`.gz`) or not:\n\n{listed}\n\nCheck them first: "
        "`corefkit check FILE`. The detailed results of a submission name everything that was "
        "missing or broken.\n"
    )


def _terms(task: Task) -> str:
    licence = f" The licence of the data is {task.about.licence}." if task.about.licence else ""
    return f"# Terms\n\nBy taking part you agree that your results are published.{licence}\n"


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


def leaderboard_scores(run: TaskRun) -> dict[str, float]:
    """The figures of a submission, in points, under the keys of `leaderboard`."""
    task = run.task
    settings = [task.settings[name] for name in (task.official, *_other_settings(task))]
    official, *others = (run.standings(setting)[0] for setting in settings)
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
        run = score_task(task, place / "parts", jobs=1)
        for result in run.results.values():
            for incident in errors(result.incidents):
                _say(f"{incident.file}: {incident.message} [{incident.id}]")
        if not any(result.scores for result in run.results.values()):
            return 1
        scores = leaderboard_scores(run)
        write_file(output / "scores.json", json.dumps(scores, indent=2))
        write_file(output / "detailed_results.html", render_alone(run))
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
        matches = [file for file in sent if file.name.removesuffix(".gz") == expected]
        if not matches:
            _say(f"{expected}: not in the submission; counts as 0")
            continue
        target = Path("submission") / matches[0].relative_to(submission)
        (place / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(matches[0], place / target)
        slot = name if bare.of_datasets else f"{name}/{bare.tracks[0]}/{bare.official}"
        lines.append(f"{to_toml_key(slot)} = {to_toml_value(target.as_posix())}\n")
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
