"""A competition bundle for Codabench: `corefkit task bundle` writes it, the platform runs it.

The reference data are the keys and the manifest without its systems. The scoring program is
corefkit itself; on the platform, scoring_program.py calls `score_submission`. The detailed results
of a submission are the page of a task.
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
from corefkit.formats.kit.files import expand
from corefkit.plugins.task.manifest import read_manifest
from corefkit.plugins.task.output import render_alone
from corefkit.plugins.task.parts import write_file
from corefkit.plugins.task.results import TaskRun
from corefkit.plugins.task.run import score_task
from corefkit.plugins.task.shared_task import Task
from corefkit.plugins.task.toml import to_toml, to_toml_key, to_toml_value

REFERENCE = "reference.toml"
"""The manifest in the reference data, without its systems."""
SYSTEM = "submission"
"""The name of the only system of a submission."""

IMAGE = "python:3.12-slim"
"""The container in which submissions are scored; pip installs what it lacks."""

COMMAND = "python3 /app/program/score.py /app/input /app/output"
"""How the platform runs the scoring program."""

NEEDED = ("numpy>=2.0", "scipy>=1.13", "click>=8.2")
"""The requirements of the wheel: those of pyproject.toml."""
PAGES = ("jinja2>=3.1",)
"""The requirements of its extra `pages`."""


def make_bundle(
    task: Task,
    manifest: Path,
    *,
    image: str = IMAGE,
    start: date | None = None,
    end: date | None = None,
) -> dict[str, bytes]:
    """The content of each file of the bundle, by name.

    A task of languages is bundled with its official track and setting only, a task of datasets
    with all settings. UsageError if a key is not a single file, or two keys share a file name.
    """
    keys = {name: _key_path(task, name) for name in task.languages}
    expected = {submission_name(path.name) for path in keys.values()}
    if len(expected) < len(keys) or len({*map(column_key, keys)}) < len(keys):
        raise UsageError(f"bundle: two {task.kind}s would have files of the same name")
    package = files("corefkit.plugins.task")
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
    content = {name: text.encode() for name, text in texts.items()}
    content |= {f"reference_data/keys/{path.name}": path.read_bytes() for path in keys.values()}
    content[f"scoring_program/corefkit-{__version__}-py3-none-any.whl"] = make_wheel()
    content["logo.png"] = package.joinpath("logo.png").read_bytes()
    return content


def zipped(content: Mapping[str, bytes]) -> bytes:
    """The files as a zip archive; the same files always give the same bytes."""
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name, data in content.items():
            entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type, entry.external_attr = ZIP_DEFLATED, 0o644 << 16
            archive.writestr(entry, data)
    return out.getvalue()


def make_wheel() -> bytes:
    """The running package as a wheel."""
    content = dict(_package(files("corefkit"), "corefkit"))
    folder = f"corefkit-{__version__}.dist-info"
    requires = [f"Requires-Dist: {name}" for name in NEEDED]
    requires += [f'Requires-Dist: {name}; extra == "pages"' for name in PAGES]
    metadata = ["Metadata-Version: 2.1", "Name: corefkit", f"Version: {__version__}"]
    metadata += ["Requires-Python: >=3.11", *requires, "Provides-Extra: pages", ""]
    wheel = ["Wheel-Version: 1.0", "Generator: corefkit", "Root-Is-Purelib: true"]
    wheel += ["Tag: py3-none-any", ""]
    content[f"{folder}/METADATA"] = "\n".join(metadata).encode()
    content[f"{folder}/WHEEL"] = "\n".join(wheel).encode()
    record = [f"{name},{_digest(data)},{len(data)}" for name, data in content.items()]
    content[f"{folder}/RECORD"] = "\n".join([*record, f"{folder}/RECORD,,", ""]).encode()
    return zipped(content)


def _digest(data: bytes) -> str:
    return f"sha256={urlsafe_b64encode(sha256(data).digest()).decode().rstrip('=')}"


def _package(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file below a folder, which is called `path` in the wheel."""
    for entry in sorted(folder.iterdir(), key=lambda e: e.name):
        name = f"{path}/{entry.name}"
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _package(entry, name)
        elif entry.is_file():
            yield name, entry.read_bytes()


def _key_path(task: Task, language: str) -> Path:
    name = task.path(task.languages[language].key)
    paths = expand(name)
    if len(paths) != 1 or not Path(paths[0]).is_file():
        raise UsageError(f"bundle: the key of {language} must be one file; {name} is not")
    return Path(paths[0])


def _reference(task: Task, manifest: Path, keys: Mapping[str, Path]) -> str:
    """The manifest without systems, with the bundle's paths of keys and subsets as lists."""
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
    """The description of the competition as YAML; every JSON string is a YAML string."""
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
        f"Ranked by the mean F1 of {task.rank} over all {task.word}s, "
        f"0 for a {task.word} that is missing or broken."
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
    names = "\n".join(f"- `{submission_name(path.name)}`" for path in keys)
    return (
        "# How to submit\n\nUpload one zip file with these files, in folders or not, each packed "
        f"with gzip (`.gz`) or not:\n\n{names}\n\nCheck them first: "
        "`corefkit check FILE`. The detailed results of a submission name everything that was "
        "missing or broken.\n"
    )


def _terms(task: Task) -> str:
    licence = f" The licence of the data is {task.about.licence}." if task.about.licence else ""
    return f"# Terms\n\nBy taking part you agree that your results are published.{licence}\n"


def submission_name(key: str) -> str:
    """The file name of the response to a key in a submission: that of the unpacked key.

    >>> submission_name("keys/english.conll.gz")
    'english.conll'
    """
    return Path(key).name.removesuffix(".gz")


def leaderboard(task: Task) -> list[tuple[str, str]]:
    """Key and title of each leaderboard column: official score, languages, other settings."""
    columns = [("official", "Official score")]
    columns += [(column_key(name), language.title) for name, language in task.languages.items()]
    columns += [(column_key(f"setting {name}"), name) for name in _other_settings(task)]
    return columns


def leaderboard_scores(run: TaskRun) -> dict[str, float]:
    """The scores of a submission in percent, under the keys of `leaderboard`."""
    task = run.task
    settings = [task.settings[name] for name in (task.official, *_other_settings(task))]
    official, *others = (run.standings(setting)[0] for setting in settings)
    figures = [official.official, *(figure or 0.0 for figure in official.figures.values())]
    figures += [other.official for other in others]
    return {key: 100 * f for (key, _), f in zip(leaderboard(task), figures, strict=True)}


def _other_settings(task: Task) -> Iterable[str]:
    """The other settings, which score the same responses; a task of languages has none."""
    return [s for s in task.settings if s != task.official] if task.of_datasets else []


def column_key(name: str) -> str:
    """The name with `_` for every character that is neither a letter nor a digit.

    >>> column_key("setting head-keep")
    'setting_head_keep'
    """
    return "".join(c if c.isalnum() else "_" for c in name)


def score_submission(reference: Path, submission: Path, output: Path) -> int:
    """Write scores.json and detailed_results.html below `output`; returns the exit status.

    If no file of the submission can be scored, or one is there twice, nothing is written and the
    status is 1. A missing
    or broken file counts as 0.
    """
    with TemporaryDirectory() as name:
        # Everything is scored in a copy, so that the page has the participant's file names.
        folder = Path(name)
        shutil.copytree(reference, folder, dirs_exist_ok=True)
        task = _with_responses(folder, submission)
        if not task:
            return 1
        run = score_task(task, folder / "parts", jobs=1)
        for result in run.results.values():
            for incident in errors(result.incidents):
                _report(f"{incident.file}: {incident.message} [{incident.id}]")
        if not any(result.scores for result in run.results.values()):
            return 1
        scores = leaderboard_scores(run)
        write_file(output / "scores.json", json.dumps(scores, indent=2))
        write_file(output / "detailed_results.html", render_alone(run))
    return 0


def _with_responses(folder: Path, submission: Path) -> Task | None:
    """The task in a folder with the submission, copied there, as its only system.

    None if no file of the submission has an expected name, or several have the same.
    """
    text = (folder / REFERENCE).read_text(encoding="utf-8")
    sent = list(_files(submission))
    stub = f"\n[systems.{SYSTEM}.responses]\n"
    bare = read_manifest(folder / "task.toml", text + stub)
    lines = []
    for name, language in bare.languages.items():
        expected = submission_name(language.key)
        matches = [file for file in sent if file.name.removesuffix(".gz") == expected]
        if not matches:
            _report(f"{expected}: not in the submission; counts as 0")
            continue
        if len(matches) > 1:
            files = ", ".join(file.relative_to(submission).as_posix() for file in matches)
            _report(f"{expected}: several files of the submission have this name: {files}")
            return None
        target = Path("submission") / matches[0].relative_to(submission)
        (folder / target).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(matches[0], folder / target)
        slot = name if bare.of_datasets else f"{name}/{bare.tracks[0]}/{bare.official}"
        lines.append(f"{to_toml_key(slot)} = {to_toml_value(target.as_posix())}\n")
    if not lines:
        _report(f"none of the {len(sent)} files of the submission has such a name")
        return None
    return read_manifest(folder / "task.toml", text + stub + "".join(lines))


def _report(text: str) -> None:
    sys.stderr.write(f"{visible(text)}\n")


def _files(folder: Path) -> Iterator[Path]:
    """The files of a submission, without those reached through links, which could be keys."""
    for file in sorted(folder.rglob("*")):
        steps = (file, *file.parents)[: len(file.relative_to(folder).parts)]
        if file.is_file() and not any(step.is_symlink() for step in steps):
            yield file
