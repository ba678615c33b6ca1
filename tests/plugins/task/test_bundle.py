"""The competition bundle: its scoring program runs as the platform runs it."""

import gzip
import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from zipfile import ZipFile

import pytest

import corefkit
from corefkit.plugins.task import bundle
from tests.plugins.task.support import TASK, write_task
from tests.support import EXAMPLES, run

LANGUAGES = ("english", "chinese", "arabic")


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundle of the example, as the platform unpacks it."""
    folder = tmp_path_factory.mktemp("bundle")
    done = run("task", "bundle", TASK, "-o", folder / "b.zip", "--start", "2026-12-01")
    assert done.status == 0, done.err
    with ZipFile(folder / "b.zip") as archive:
        archive.extractall(folder / "b")
    return folder / "b"


def score(unpacked: Path, place: Path, sent: dict[str, bytes]) -> subprocess.CompletedProcess[str]:
    """Lay the files out as in the container, and run the command of metadata.yaml there."""
    shutil.copytree(unpacked / "scoring_program", place / "app/program")
    shutil.copytree(unpacked / "reference_data", place / "app/input/ref")
    (place / "app/input/res").mkdir()
    for name, data in sent.items():
        (place / "app/input/res" / name).parent.mkdir(exist_ok=True)
        (place / "app/input/res" / name).write_bytes(data)
    (place / "app/output").mkdir()
    told = (unpacked / "scoring_program/metadata.yaml").read_text().removeprefix("command: ")
    program, *arguments = told.split()
    assert program == "python3"
    command = [sys.executable, *(f"{place}{argument}" for argument in arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, cwd=place, env={"PATH": ""}
    )


def response(system: str, language: str) -> bytes:
    return (EXAMPLES / "task/responses" / system / f"{language}.closed.NB.conll").read_bytes()


def test_the_scoring_program(unpacked: Path, tmp_path: Path) -> None:
    sent = {f"mine/{x}.conll": response("ibis", x) for x in LANGUAGES}
    sent["mine/arabic.conll.gz"] = gzip.compress(sent.pop("mine/arabic.conll"))
    done = score(unpacked, tmp_path, sent)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "app/output/scores.json").read_text())
    expected = {
        x: 100
        * corefkit.score(
            EXAMPLES / f"task/keys/{x}.conll",
            EXAMPLES / f"task/responses/ibis/{x}.closed.NB.conll",
        ).conll
        for x in LANGUAGES
    }
    assert found == pytest.approx({"official": sum(expected.values()) / 3, **expected})
    page = (tmp_path / "app/output/detailed_results.html").read_text()
    assert page.startswith("<!doctype html>")
    assert ">57.69 <" in page
    assert not re.findall(r'href="(?!#|data:)', page)  # nothing stands beside it
    assert "这座大桥" not in page  # no participant sees the key


def test_what_is_missing_or_broken_counts_as_nothing(unpacked: Path, tmp_path: Path) -> None:
    sent = {"english.conll": response("wren", "english"), "chinese.conll": b"no response"}
    done = score(unpacked, tmp_path, sent)
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "app/output/scores.json").read_text())
    assert (found["chinese"], found["arabic"]) == (0, 0)
    assert found["official"] == pytest.approx(found["english"] / 3)
    assert "arabic.conll: not in the submission; counts as 0" in done.stderr
    assert "submission/chinese.conll" in done.stderr


def test_nothing_to_score(unpacked: Path, tmp_path: Path) -> None:
    done = score(unpacked, tmp_path, {"notes.txt": b"hello"})
    assert done.returncode == 1
    assert "none of the 1 files of the submission has such a name" in done.stderr
    assert not list((tmp_path / "app/output").iterdir())


def test_two_files_of_one_name_are_refused(
    unpacked: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which one would be scored, the next upload may decide otherwise."""
    from corefkit.plugins.task.bundle import score_submission

    key = next((unpacked / "reference_data/keys").iterdir())
    name = key.name.removesuffix(".gz")
    for folder in ("sent", "sent/again"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_bytes(key.read_bytes())
    status = score_submission(unpacked / "reference_data", tmp_path / "sent", tmp_path / "out")
    assert (status, (tmp_path / "out").exists()) == (1, False)
    said = f"{name}: several files of the submission have this name: again/{name}, {name}"
    assert said in capsys.readouterr().err


def test_links_are_no_responses(unpacked: Path, tmp_path: Path) -> None:
    """A link to the key would score 100."""
    inside = tmp_path / "inside"
    inside.mkdir()
    from corefkit.plugins.task.bundle import score_submission

    key = unpacked / "reference_data/keys/english.conll"
    (inside / "english.conll").symlink_to(key)
    assert score_submission(unpacked / "reference_data", inside, tmp_path / "out") == 1


def test_the_description(unpacked: Path) -> None:
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load((unpacked / "competition.yaml").read_text())
    assert found["version"] == 2
    assert found["enable_detailed_results"] is True
    for path in (found["image"], found["terms"], *(page["file"] for page in found["pages"])):
        assert (unpacked / path).stat().st_size > 0
    (task,) = found["tasks"]
    assert (unpacked / task["scoring_program"] / "metadata.yaml").is_file()
    assert (unpacked / task["reference_data"]).is_dir()
    (phase,) = found["phases"]
    assert (phase["tasks"], phase["start"]) == ([0], "2026-12-01 00:00:00")
    (board,) = found["leaderboards"]
    assert [column["key"] for column in board["columns"]] == ["official", *LANGUAGES]
    assert [column["index"] for column in board["columns"]] == [0, 1, 2, 3]


def test_datasets_have_all_settings(tmp_path: Path) -> None:
    name = "xx_drawer-corefud-dev.conllu"
    (tmp_path / "keys").mkdir()
    (tmp_path / "responses/one").mkdir(parents=True)
    shutil.copy(EXAMPLES / "drawer.conllu", tmp_path / "keys" / name)
    shutil.copy(EXAMPLES / "drawer-system.conllu", tmp_path / "responses/one" / name)
    assert run("task", "init", tmp_path, "--layout", "crac").status == 0
    assert run("task", "bundle", tmp_path / "task.toml", "-o", tmp_path / "b").status == 0
    sent = (EXAMPLES / "drawer-system.conllu").read_bytes()
    done = score(tmp_path / "b", tmp_path / "run", {name: sent})
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "run/app/output/scores.json").read_text())
    expected = corefkit.score(
        EXAMPLES / "drawer.conllu",
        EXAMPLES / "drawer-system.conllu",
        "conll",
        "corefud",
        singletons="keep",
    )
    assert found["setting_head_keep"] == pytest.approx(100 * expected.conll)
    assert found["official"] == found["xx_drawer"] == pytest.approx(49.68, abs=0.005)


def test_the_wheel_asks_for_what_the_project_does() -> None:
    project = tomllib.loads((EXAMPLES.parent / "pyproject.toml").read_text())["project"]
    assert list(bundle.NEEDED) == project["dependencies"]
    assert list(bundle.PAGES) == project["optional-dependencies"]["pages"]


def test_the_same_bytes_and_no_silent_replacing(tmp_path: Path) -> None:
    manifest = write_task(tmp_path)
    options = ("-o", tmp_path / "b.zip", "--start", "2026-12-01")
    assert run("task", "bundle", manifest, *options).status == 0
    before = (tmp_path / "b.zip").read_bytes()
    again = run("task", "bundle", manifest, *options)
    assert again.status == 2
    assert "--force replaces it" in again.err
    assert run("task", "bundle", manifest, *options, "--force").status == 0
    assert (tmp_path / "b.zip").read_bytes() == before
    wrong = run("task", "bundle", manifest, *options, "--force", "--end", "2026-11-01")
    assert wrong.status == 2
    assert "--end is not after --start" in wrong.err
