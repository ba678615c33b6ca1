"""Shared tasks of CRAC: datasets instead of languages, ways to score instead of conditions."""

import json
import re
from html import unescape
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from corefkit.plugins.task.manifest import read_manifest
from tests.support import EXAMPLES, run

KEY, SYSTEM = EXAMPLES / "drawer.conllu", EXAMPLES / "drawer-system.conllu"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two datasets; `careful` sent both, as the key has them, `brief` one."""
    for dataset in ("xx_drawer", "yy_chest"):
        name = f"{dataset}-corefud-dev.conllu"
        for where in ("keys", "responses/careful"):
            (tmp_path / where).mkdir(parents=True, exist_ok=True)
            (tmp_path / where / name).write_bytes(KEY.read_bytes())
    (tmp_path / "responses/brief").mkdir()
    (tmp_path / "responses/brief/xx_drawer-corefud-dev.conllu").write_bytes(SYSTEM.read_bytes())
    (tmp_path / "responses/brief/notes.txt").write_text("no response\n")
    return tmp_path


def test_from_folders_to_official_scores(folder: Path) -> None:
    made = run("task", "init", folder, "--layout", "crac", "--name", "Drawers")
    assert made.status == 0, made.err
    assert "2 datasets, 2 systems, 3 responses, 4 settings" in made.out
    assert "notes.txt" in made.err
    done = run("task", "run", folder / "task.toml", "-o", folder / "out", "--no-plots")
    assert done.status == 0, done.err
    found = json.loads((folder / "out/task.json").read_text())
    assert list(found["datasets"]) == ["xx_drawer", "yy_chest"]
    ranking = {row["system"]: row["official"] for row in found["ranking"]}
    alone = corefkit.score(KEY, SYSTEM, "conll", "corefud").conll
    assert ranking == {"careful": 1.0, "brief": pytest.approx(alone / 2)}


def test_names_without_a_split(folder: Path) -> None:
    """What an organiser's files are called: keys/hu_korkor.conllu."""
    for file in sorted(folder.rglob("*.conllu")):
        file.rename(file.with_name(file.name.replace("-corefud-dev", "")))
    made = run("task", "init", folder, "--layout", "crac")
    assert made.status == 0, made.err
    assert "2 datasets, 2 systems, 3 responses, 4 settings" in made.out


def test_copies_of_a_key_and_of_a_response(folder: Path) -> None:
    """Also of a key with nine mentions, and each time that a run finds its parts."""
    name = "xx_drawer-corefud-dev.conllu"
    (folder / "responses/late").mkdir()
    (folder / "responses/late" / name).write_bytes(SYSTEM.read_bytes())
    run("task", "init", folder, "--layout", "crac")
    manifest = folder / "task.toml"
    told = (
        f"responses/careful/{name}: the response is the same as the key [same-file]",
        f"responses/late/{name}: the response of late is the same as that of brief [same-file]",
    )
    checked = run("task", "check", manifest)
    assert checked.status == 0
    assert [text for text in told if text not in " ".join(checked.out.split())] == []
    assert checked.out.endswith("0 broken, 2 missing, 3 with warnings\n")
    for _ in range(2):
        said = run("task", "run", manifest, "-o", folder / "out", "--no-plots").err
        assert [text for text in told if text.replace(": ", ": warning: ", 1) not in said] == []
        assert said.count("[same-file]") == 3


def test_every_column_is_what_score_gives(folder: Path) -> None:
    run("task", "init", folder, "--layout", "crac")
    run("task", "run", folder / "task.toml", "-o", folder / "out", "--no-plots")
    found = json.loads((folder / "out/task.json").read_text())
    rows = [row for row in found["responses"] if row["system"] == "brief"]
    assert [row["setting"] for row in rows] == [
        "head-drop",
        "partial-drop",
        "exact-drop",
        "head-keep",
    ]
    for row in rows:
        match, singletons = row["setting"].split("-")
        options = {"match": match, "singletons": singletons}
        expected = corefkit.score(KEY, SYSTEM, None, "corefud", **options)
        assert row["scores"] == expected.to_dict()
        assert row["dataset"] == "xx_drawer"


def test_the_page_speaks_of_datasets(folder: Path) -> None:
    run("task", "init", folder, "--layout", "crac")
    run("task", "run", folder / "task.toml", "-o", folder / "out")
    page = (folder / "out/index.html").read_text()
    body = page[page.index("<main") : page.index("<footer")]
    words = unescape(re.sub(r"<[^>]+>", " ", body))
    words = re.sub(r"\+g[0-9a-f]+", "", words)  # the commit in a version may begin with a b
    for word in ("NB", "GB", "GM", "closed", "open", "syntax", "language", "track", "genre"):
        assert not re.search(rf"\b{word}", words, re.IGNORECASE), word
    assert "2 datasets" in page
    assert "0 for a dataset that was not sent or is broken" in words
    manifest = (folder / "task.toml").read_text()
    assert not re.search("NB|quality|train|closed|language", manifest)


def test_what_is_wrong_is_told(folder: Path) -> None:
    run("task", "init", folder, "--layout", "crac")
    path = folder / "task.toml"
    text = path.read_text()
    for wrong, said in (
        (text.replace("[systems.brief.responses]\nxx_", "[systems.brief.responses]\nzz_"), "zz_"),
        (text.replace('match = "partial"', 'match = "nose"'), "nose"),
        (text.replace("[settings.exact-drop]", "[settings.exact-drop]\nquality = 1"), "quality"),
    ):
        assert wrong != text
        with pytest.raises(DataError) as error:
            read_manifest(path, wrong)
        assert said in str(error.value)
    nothing = folder / "nothing"
    nothing.mkdir()
    assert run("task", "init", nothing, "--layout", "crac").status == 1


def test_names_of_datasets_have_hyphens(folder: Path) -> None:
    """One was dropped, with exit 0 and a hint to give it the name that it had."""
    name = "de_garden-shed-corefud-dev.conllu"
    for where in ("keys", "responses/careful"):
        (folder / where / name).write_bytes(KEY.read_bytes())
    made = run("task", "init", folder, "--layout", "crac")
    assert made.status == 0
    assert "3 datasets, 2 systems, 4 responses, 4 settings" in made.out
    assert "garden" not in made.err
    task = read_manifest(folder / "task.toml")
    assert task.languages["de_garden-shed"].code == "de"
    assert run("task", "run", folder / "task.toml", "-o", folder / "out", "--no-plots").status == 0
    page = (folder / "out/index.html").read_text()
    assert "4 files sent, 3 datasets, 4 settings" in page


def test_tracks_where_there_are_several(folder: Path) -> None:
    run("task", "init", folder, "--layout", "crac")
    path = folder / "task.toml"
    text = path.read_text().replace('rank = "conll"', 'tracks = ["llm", "free"]\nrank = "conll"')
    task = read_manifest(path, text.replace("yy_chest =", '"yy_chest/free" ='))
    assert {(s.language, s.track) for s in task.slots(system="careful")} == {
        ("xx_drawer", "llm"),
        ("yy_chest", "free"),
    }
    assert task.conditions == ("dataset", "track", "setting")
