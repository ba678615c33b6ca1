"""corefkit task: what it tells organisers and teams, and that no name steers a terminal."""

import csv
import re
from pathlib import Path

import pytest

from tests import damages
from tests.plugins.task.support import KEY, MANIFEST, write_task
from tests.support import run

HOSTILE = "a\x1b[31m\rb"
SHOWN = "a\\x1b[31m\\rb"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / HOSTILE
    made.mkdir()
    return made


def harmless(text: str) -> bool:
    return SHOWN in text and all(line.isprintable() for line in text.split("\n"))


def test_init(folder: Path) -> None:
    (folder / "keys").mkdir()
    (folder / "keys" / "english.conll").write_text(KEY)
    (folder / "responses" / "one").mkdir(parents=True)
    (folder / "responses" / "one" / "english.conll").write_text(KEY)
    done = run("task", "init", folder)
    assert done.status == 0, done.err
    assert harmless(done.out)


def test_run(folder: Path) -> None:
    manifest = write_task(folder, MANIFEST)
    done = run("task", "run", manifest, "-o", folder / "out", "--no-plots")
    assert done.status == 0, done.err
    assert harmless(done.out)


def test_bundle(folder: Path) -> None:
    manifest = write_task(folder, MANIFEST)
    target = folder / "bundle.zip"
    done = run("task", "bundle", manifest, "-o", target)
    assert done.status == 0, done.err
    assert harmless(done.out)
    again = run("task", "bundle", manifest, "-o", target)
    assert again.status == 2
    assert harmless(again.err)
    assert "--force replaces it" in again.err


def test_no_text_from_outside_is_told_to_a_team(tmp_path: Path) -> None:
    """A manifest may name any file; nobody learns what is in it."""
    folder = tmp_path / "task"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("root:x:0:0\n")
    text = MANIFEST.replace('"one.conll"', '"../secret.txt"')
    manifest = write_task(folder, "outside = true\n" + text)
    told = run("task", "check", manifest, "--for", "one")
    assert (told.status, "root" in told.out + told.err) == (1, False)
    assert "[no-document]" in told.out


def test_what_a_team_is_told(tmp_path: Path) -> None:
    """Which document is missing, where a bracket stands, what to do; and a mark at the score."""
    names = ("one", "two", "three")
    text = MANIFEST.replace("english", "dev")
    more = (f'[systems.{name}.responses]\n"dev/closed/NB" = "{name}.conll"\n' for name in names[1:])
    manifest = write_task(tmp_path, text + "".join(more))
    (tmp_path / "key.conll").write_text(KEY + KEY.replace("a_0001", "a_0002"))
    (tmp_path / "two.conll").write_text(KEY.replace("(1)", "(1"))
    (tmp_path / "three.conll").write_text((tmp_path / "key.conll").read_text())
    done = run("task", "check", manifest)
    assert "the response lacks this document of the key [document-missing]" in done.out
    assert "document: (nw/a/00/a_0002); part 000" in done.out
    assert "two.conll:2:9: " in done.out
    assert done.out.count("hint: ") == 2
    assert done.out.endswith("3 responses of 3 systems: 1 broken, 0 missing, 1 with warnings\n")
    one = run("task", "check", manifest, "--for", "one")
    assert (one.status, "two" in one.out) == (0, False)
    assert "  document: (nw/a/00/a_0002); part 000" in one.out
    assert "  hint: " in one.out
    assert run("task", "check", manifest, "--for", "two").status == 1
    assert "three.conll: no problems" in run("task", "check", manifest, "--for", "three").out
    unknown = run("task", "check", manifest, "--for", "four").err
    assert "Error: --for: unknown value 'four'; choose from one, two, three" in unknown
    out = tmp_path / "out"
    ranked = run("task", "run", manifest, "-o", out, "--allow-broken", "--no-plots").out
    assert "66.67°" in ranked
    assert "°: documents are missing, and count as documents without mentions" in ranked
    assert "mean over the datasets" in ranked
    row = next(csv.DictReader((out / "tables" / "problems.csv").open()))
    assert (row["line"], row["column"], row["hint"] != "") == ("2", "9", True)


def test_how_many_responses_of_one_system(tmp_path: Path) -> None:
    done = run("task", "check", write_task(tmp_path))
    assert done.out == "1 response of 1 system: 0 broken, 0 missing\n"


def test_formats_of_a_check(tmp_path: Path) -> None:
    """Those of `corefkit check` need other options than those of `task check`, which has no -o."""
    manifest = write_task(tmp_path)
    for form in ("markdown", "latex", "csv", "json"):
        assert run("task", "check", manifest, "-f", form).status == 0
    for option in ("--help", "--help-all"):
        said = run("task", "check", option).out
        assert "[default: text]" in " ".join(said.split())
        assert {*re.findall(r"(?<![\w-])-o\b|--list|--places|--against", said)} == set()


def test_systems_with_the_same_response(tmp_path: Path) -> None:
    """One that was copied by accident is told to organisers, and to no team."""
    text = MANIFEST.replace('"one.conll"', '"r.conll"')
    manifest = write_task(
        tmp_path, f'{text}[systems.two.responses]\n"english/closed/NB" = "s.conll"\n'
    )
    (tmp_path / "key.conll").write_text(damages.conll(damages.key()))
    for name in ("r.conll", "s.conll"):
        (tmp_path / name).write_text(damages.conll(damages.response()))
    told = "the response of two is the same as that of one [same-file]"
    assert told in run("task", "check", manifest).out
    done = run("task", "run", manifest, "-o", tmp_path / "out", "--no-plots")
    assert f"s.conll: warning: {told}" in done.err
    assert "same-file" not in (tmp_path / "out" / "index.html").read_text()
    assert "no problems" in run("task", "check", manifest, "--for", "two").out
