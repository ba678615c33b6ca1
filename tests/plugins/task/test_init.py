"""corefkit task init and check."""

import json
import shutil
from pathlib import Path

import pytest

from corefkit.plugins.task.init import find
from corefkit.plugins.task.manifest import read_manifest
from tests.plugins.task.support import KEY, TASK, write_task
from tests.support import run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(TASK.parent, tmp_path / "birds")
    (tmp_path / "birds" / "task.toml").unlink()
    return tmp_path / "birds"


def test_init_finds_what_the_example_says(folder: Path) -> None:
    done = run("task", "init", folder)
    assert done.status == 0
    assert "3 languages, 6 systems, 55 responses, 6 settings" in done.out
    ours, theirs = read_manifest(folder / "task.toml"), read_manifest(TASK)
    assert ours.name == "birds"
    assert ours.responses == theirs.responses
    assert ours.settings == theirs.settings
    assert ours.subsets == theirs.subsets
    assert run("task", "init", folder).status == 2
    assert run("task", "init", folder, "--force", "--name", "Größe").status == 0
    assert read_manifest(folder / "task.toml").name == "Größe"


def test_names_in_other_orders(tmp_path: Path) -> None:
    for name in (
        "keys/english.v4_gold_conll.gz",
        "keys/arabic.conll",
        "responses/a/open/GM/english.conll.gz",
        "responses/a/GB.closed.ENGLISH.conll",
        "responses/b/arabic.conll",
        "responses/c.arabic.NB.conll",
        "responses/d/klingon.conll",
        "responses/d/arabic.strange.conll",
        "responses/b/arabic.closed.NB.conll",
        ".hidden/keys/x.conll",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(KEY)
    found = find(tmp_path)
    assert set(found.keys) == {"english", "arabic"}
    assert found.responses["a"] == {
        "english/closed/GB": "responses/a/GB.closed.ENGLISH.conll",
        "english/open/GM": "responses/a/open/GM/english.conll.gz",
    }
    assert list(found.responses["b"]) == ["arabic/closed/NB"]
    assert list(found.responses["c"]) == ["arabic/closed/NB"]
    assert sorted(i.file or "" for i in found.unplaced) == [
        "responses/b/arabic.conll",
        "responses/d/arabic.strange.conll",
        "responses/d/klingon.conll",
    ]


def test_no_key(tmp_path: Path) -> None:
    done = run("task", "init", tmp_path)
    assert done.status == 1
    assert "keys/english.conll" in done.err
    assert run("task", "init", tmp_path / "nowhere").status == 1


def test_keys_with_names_of_another_layout(tmp_path: Path) -> None:
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys" / "latin.conllu").touch()
    done = run("task", "init", tmp_path)
    assert done.status == 1
    assert "found:    keys/latin.conllu\n" in done.err
    assert "--layout crac takes DATASET-corefud-SPLIT.conllu" in done.err
    assert "--layout" not in run("task", "init", tmp_path, "--layout", "crac").err


def test_check_lists_what_is_missing_or_broken() -> None:
    done = run("task", "check", TASK)
    assert done.status == 1
    assert "55 responses of 6 systems: 1 broken, 11 missing" in done.out
    rows = json.loads(run("task", "check", TASK, "-f", "json").out)["rows"]
    assert [row["status"] for row in rows] == ["broken"] + ["missing"] * 11 + ["warnings"]
    assert rows[0]["file"] == "responses/wren/chinese.closed.NB.conll"
    assert "never closed" in rows[0]["what"]


def test_check_names_broken_uploads_in_100_columns(tmp_path: Path) -> None:
    manifest = write_task(tmp_path)
    response = tmp_path / "one.conll"
    whole = response.read_text(encoding="utf-8")
    for text, what in (
        ("", "an empty file"),
        ("<!DOCTYPE html>\n<html><body>Not found</body></html>\n", "a web page"),
        (whole[: len(whole) // 2].rstrip("\n"), "the file ends in mid-line: incomplete upload?"),
    ):
        response.write_text(text, encoding="utf-8")
        done = run("task", "check", manifest)
        assert done.status == 1
        assert f"one.conll: {what} [upload-broken]" in done.out
        ran = run("task", "run", manifest, "-o", tmp_path / "out", "--no-plots")
        assert f"one.conll: error: {what} [upload-broken]" in ran.err
        assert max(map(len, done.out.splitlines())) <= 100
    assert max(map(len, run("task", "check", TASK).out.splitlines())) <= 100


def test_a_broken_upload_is_the_only_cause_named(tmp_path: Path) -> None:
    """What follows from it is left out; what is wrong before the cut is not."""
    manifest = write_task(tmp_path)
    response = tmp_path / "one.conll"
    cut = KEY + KEY.replace("0001", "0002")[:-22]  # in mid-line, in another document
    assert not cut.endswith("\n")
    page = "<!DOCTYPE html><html><body>Not found</body></html>"
    for text, errors in (
        ("", 1),
        (page, 1),
        (page + "\n", 1),
        (cut, 1),
        (cut.replace("(1)", "(1", 1), 2),  # the first document is broken, too
        (KEY.replace("(1)", "(1", 1).rstrip("\n"), 1),  # complete: a line end is not missed
    ):
        response.write_text(text, encoding="utf-8")
        done = run("task", "check", manifest, "--for", "one")
        assert (done.status, done.out.count("error: ")) == (1, errors), done.out
        assert "browser" not in done.out
        assert ("upload-broken" in done.out) is not text.endswith("#end document")
    response.write_text(KEY, encoding="utf-8")
    (tmp_path / "key.conll").write_text(cut, encoding="utf-8")
    broken = run("task", "check", manifest)
    assert (broken.status, broken.err.count("error: ")) == (1, 1)
    assert "key.conll: error: the file ends in mid-line" in broken.err
    between = KEY[: KEY.rindex("-") + 1]  # no error: the line may be complete
    (tmp_path / "key.conll").write_text(between, encoding="utf-8")
    assert "key.conll: warning: the file ends in mid-line" in run("task", "check", manifest).err
    ran = run("task", "run", manifest, "-o", tmp_path / "out", "--no-plots")
    assert "key.conll: warning: the file ends in mid-line" in ran.err


def test_init_warns_of_broken_uploads_and_names_the_task(tmp_path: Path) -> None:
    put(tmp_path, "keys/english.conll", "responses/a/english.conll", "responses/b/english.conll")
    (tmp_path / "responses" / "b" / "english.conll").write_text("<html></html>\n")
    done = run("task", "init", tmp_path)
    assert done.status == 0
    assert "responses/b/english.conll: warning: a web page [upload-broken]" in done.err
    assert done.err.count("warning") == 1
    assert f"the task is named '{tmp_path.name}', as its folder is" in done.err
    assert "named" not in run("task", "init", tmp_path, "--force", "--name", "x").err


def test_check_without_anything_wrong(tmp_path: Path) -> None:
    done = run("task", "check", write_task(tmp_path))
    assert (done.status, done.out) == (0, "1 response of 1 system: 0 broken, 0 missing\n")


def put(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("nw/a/00/a_0001\n" if name.endswith(".txt") else KEY)


def test_what_init_writes_can_be_checked(tmp_path: Path) -> None:
    strange = (
        "keys/english.v2.conll",
        "keys/readme.md",
        "responses/_sys/english.conll",
        "responses/my sys/english.conll",
        "responses/one/english.NB-odd.conll",
        "subsets/nowhere.txt",
        "subsets/s.german.txt",
        "subsets/_s.english.txt",
    )
    put(
        tmp_path,
        "keys/English.conll",
        "keys/estonian_conll",
        "responses/one/English.nb.conll",
        "responses/two/english.NB.conll",
        "responses/two/nb/estonian.Gm_Gold.conll",
        "responses/three/NB/english.nb.conll",
        "subsets/s.english.txt",
        *strange,
    )
    done = run("task", "init", tmp_path)
    assert done.status == 0
    assert [name for name in strange if name not in done.err] == []
    assert "responses/two/nb/estonian.Gm_Gold.conll" in done.err  # NB or GM-gold?
    task = read_manifest(tmp_path / "task.toml")
    assert list(task.languages) == ["english", "estonian"]
    assert [language.letter for language in task.languages.values()] == ["e", "es"]
    assert list(task.settings) == ["NB"]
    assert sorted(task.systems) == ["one", "three", "two"]
    assert list(task.subsets) == ["s"]
    assert run("task", "check", tmp_path / "task.toml").status == 0


def test_init_writes_nothing_that_check_refuses(tmp_path: Path) -> None:
    put(tmp_path, "keys/english.conll", "responses/_sys/english.conll")
    done = run("task", "init", tmp_path)
    assert done.status == 1
    assert "'_sys' cannot be the name of a system" in done.err
    assert "Rename its folder: letters, digits and + - _ . only" in done.err
    assert "there are no systems" in done.err
    assert not (tmp_path / "task.toml").exists()
