"""Annotators as sides: names with #, patterns, projects in the commands."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from corefkit.core.options import PLAIN
from corefkit.formats import read_annotators
from corefkit.formats._kit.annotators import annotations_of, annotator_sides, split_annotator
from corefkit.formats.project import Project
from tests.formats.samples import sample
from tests.support import run

XMI = sample("xmi")
NOTHING = XMI.replace(b'<x:CoreferenceChain xmi:id="4" first="2"/>\n', b"")
STATES = {"annotation_documents": [{"name": "d", "user": "ben", "state": "IN_PROGRESS"}]}


@pytest.fixture
def project(tmp_path: Path) -> str:
    """Two documents; ben has not finished the first, and nobody else has the second."""
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("exportedproject1.json", json.dumps(STATES))
        archive.writestr("annotation/d/anna.xmi", XMI)
        archive.writestr("annotation/d/ben.xmi", NOTHING)
        archive.writestr("annotation/e/anna.xmi", XMI)
        archive.writestr("curation/d/CURATION_USER.xmi", XMI)
    return str(path)


def test_sides(project: str, tmp_path: Path) -> None:
    assert annotator_sides(project) == [f"{project}#anna", f"{project}#ben"]
    assert annotator_sides(f"{project}#*") == [f"{project}#anna", f"{project}#ben"]
    assert annotator_sides(f"{project}#curation") == [f"{project}#curation"]
    odd = tmp_path / "x#anna"
    odd.write_text("")
    assert split_annotator(str(odd)) == (str(odd), None)


def test_who_marked_nothing_has_an_empty_document(project: str) -> None:
    corpora = read_annotators(project)
    assert list(corpora) == ["anna", "ben", "curation"]
    assert (corpora["ben"].names, corpora["ben"].mentions) == (("d",), 0)
    assert corefkit.read(project).names == ("d",)  # the curation
    assert corefkit.read(f"{project}#ben", unfinished="drop").names == ()
    with pytest.raises(DataError):
        corefkit.read(f"{project}#ben", unfinished="error")


def test_only_what_is_asked_for_is_unpacked(project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    read = zipfile.ZipFile.open

    def spy(self: zipfile.ZipFile, name: zipfile.ZipInfo, *rest: object) -> object:
        opened.append(name.filename)
        return read(self, name)

    monkeypatch.setattr(zipfile.ZipFile, "open", spy)
    corefkit.read(f"{project}#anna")
    assert not [name for name in opened if "ben" in name or "CURATION" in name]
    assert len(opened) == len({*opened})


def test_commands(project: str, tmp_path: Path) -> None:
    found = json.loads(run("agree", project, "-f", "json", "-m", "muc").out)
    assert (found["annotators"], found["adjudicated"]) == (["anna", "ben"], "curation")
    first, second = found["documents"]
    assert first["annotators"]["ben"] == {
        "mentions": 0,
        "entities": 0,
        "state": "IN_PROGRESS",
    }
    assert list(second["annotators"]) == ["anna"]
    shown = run("agree", project, "-m", "muc").out
    assert "0 (in progress)" in shown
    scored = run("score", project, project, "-m", "mentions")
    assert scored.status == 0
    assert "anna" in scored.out
    out = tmp_path / "{annotator}.jsonl"
    assert run("convert", project, out).status == 0
    assert (tmp_path / "curation.jsonl").exists()
    assert run("convert", f"{project}#xx", tmp_path / "a.jsonl").status == 1


def test_patterns(tmp_path: Path) -> None:
    for name in ("one-anna", "one-ben", "two-anna"):
        (tmp_path / f"{name}.xmi").write_bytes(XMI)
    pattern = f"{tmp_path}/{{document}}-{{annotator}}.xmi"
    listed = annotations_of(pattern)
    assert [(one.document, one.annotator) for one in listed] == [
        ("one", "anna"),
        ("one", "ben"),
        ("two", "anna"),
    ]
    assert corefkit.read(f"{pattern}#anna").names == ("one", "two")
    with pytest.raises(DataError, match="annotator-missing"):
        corefkit.read(pattern)
    with pytest.raises(DataError, match="annotator-missing"):
        corefkit.read(f"{tmp_path}/one-anna.xmi#anna")


def test_wrapping_folders_are_found_once() -> None:
    """Opening an export takes time in proportion to its files, not to their square."""
    files = [f"export/annotation/d{n}/anna.xmi" for n in range(2000)]
    names = _CountedNames(files)
    project = Project("p", _Listed(names), PLAIN)
    assert len(project.annotations) == len(files)
    assert names.passes < 10


class _CountedNames(list[str]):
    """Names that count how often they are gone through."""

    passes = 0

    def __iter__(self) -> Iterator[str]:
        self.passes += 1
        return super().__iter__()


class _Listed:
    """Members that are names only."""

    def __init__(self, names: list[str]) -> None:
        self.names = names

    def head(self, name: str) -> bytes:
        return name.encode()

    def read(self, name: str, most: int) -> bytes:
        return name.encode()[:most]
