"""Annotators as sides: names with #, patterns, projects in the commands."""

import gzip
import json
import warnings
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import corefkit
from corefkit import DataError
from corefkit.core.options import PLAIN
from corefkit.formats import read_annotators
from corefkit.formats.kit.annotators import annotations_of, annotator_sides, split_annotator
from corefkit.formats.kit.archives import Members
from corefkit.formats.project import Project
from tests.formats.samples import sample
from tests.support import run

XMI = sample("xmi")
NOTHING = XMI.replace(b'<x:CoreferenceChain xmi:id="2" first="3"/>\n', b"")
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
    project = Project(_Listed(names), PLAIN)
    assert len(project.annotations) == len(files)
    assert names.passes < 10


class _CountedNames(list[str]):
    """Names that count how often they are gone through."""

    passes = 0

    def __iter__(self) -> Iterator[str]:
        self.passes += 1
        return super().__iter__()


class _Listed(Members):
    """Members that are names only."""

    def __init__(self, names: list[str]) -> None:
        super().__init__("p", 1 << 20)
        self.names = names

    def _size(self, name: str) -> int:
        return 1

    def _read(self, name: str, most: int) -> bytes:
        return name.encode()[:most]


@pytest.mark.parametrize(
    "members",
    [
        [(f"annotation/d{n}/anna.xmi", XMI) for n in range(60)],
        [(f"{n}.xmi", XMI) for n in range(60)],
    ],
    ids=["project", "documents"],
)
def test_the_size_of_an_archive_is_known_before_it_is_unpacked(
    members: list[tuple[str, bytes]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, read = _zip(tmp_path / "a.zip", members), zipfile.ZipExtFile.read
    sizes = []

    def spy(self: zipfile.ZipExtFile, n: int | None = -1) -> bytes:
        data = read(self, n)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(zipfile.ZipExtFile, "read", spy)
    (told,) = corefkit.check(path, max_size=60 * len(XMI) - 1)
    assert "unpacks to more than" in told.message
    assert sum(sizes) < len(XMI)


def _zip(path: Path, members: list[tuple[str, bytes]]) -> str:
    with zipfile.ZipFile(path, "w") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that several members have
        for name, data in members:
            archive.writestr(name, data)
    return str(path)


def _ids(path: str) -> list[str]:
    return [incident.id for incident in corefkit.check(path)]


def test_two_members_of_one_name_are_the_same_document_twice(tmp_path: Path) -> None:
    member = "annotation/d/anna.xmi", XMI
    assert _ids(_zip(tmp_path / "a.zip", [member, member])) == ["document-twice"]
    slash = "/annotation/d/anna.xmi", XMI
    assert _ids(_zip(tmp_path / "b.zip", [member, slash])) == ["document-twice"]


def test_a_damaged_archive_in_a_folder(tmp_path: Path) -> None:
    for user in ("anna", "ben"):
        folder = tmp_path / "p/annotation/d"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{user}.xmi").write_bytes(XMI)
    (folder / "carla.zip").write_bytes(b"PK\x03\x04 broken")
    project = str(tmp_path / "p")
    assert _ids(project) == ["file-unreadable"]
    assert corefkit.read(f"{project}#ben").mentions  # not opened for anyone else
    for command in ("check", "agree", "adjudicate", "stats"):
        done = run(command, project)
        assert done.status == 1
        assert "carla.zip" in done.out + done.err
    (folder / "carla.zip").rename(folder / "webanno1export.zip")
    assert "file-unreadable" in _ids(project)


def test_bad_members_are_told_once(tmp_path: Path) -> None:
    whole = Path(_zip(tmp_path / "p.zip", [("annotation/d/anna.xmi", XMI)])).read_bytes()
    both = _zip(tmp_path / "o.zip", [("a.xmi", XMI), ("b.xmi", XMI)])
    inner = ("x.zip", Path(both).read_bytes()), ("y.zip", Path(both).read_bytes())
    assert _ids(_zip(tmp_path / "q.zip", [*inner])) == ["project-member"] * 2
    # One inner archive is enough for a project; what is in it is no project again.
    outer = _zip(tmp_path / "r.zip", [("annotation/d/anna.zip", whole)])
    assert list(read_annotators(outer)) == ["anna"]
    third = _zip(tmp_path / "s.zip", [("annotation/d/anna.zip", Path(outer).read_bytes())])
    assert _ids(third) == ["project-member"]
    old = [("annotation/d/anna.tsv", b"#FORMAT=WebAnno TSV 2\n"), ("annotation/d/ben.xmi", XMI)]
    assert _ids(_zip(tmp_path / "t.zip", old)) == ["format-unread"]


def test_a_mixture_of_formats_names_a_file_of_each(tmp_path: Path) -> None:
    names = ("annotation/d/anna.xmi", XMI), ("annotation/e/anna.tsv", sample("webanno"))
    (mixed,) = corefkit.check(_zip(tmp_path / "p.zip", [*names]))
    assert mixed.id == "format-mixed"
    assert mixed.found == "characters: annotation/d/anna.xmi; tokens: annotation/e/anna.tsv"


def test_names_with_marks(tmp_path: Path) -> None:
    members = [(f"annotation/d/{user}.xmi", XMI) for user in ("an#na", "a b", "*")]
    path = _zip(tmp_path / "p.zip", members)
    assert split_annotator(f"{path}#an#na") == (path, "an#na")
    assert run("score", f"{path}#a b", f"{path}#*", "-m", "muc").status == 0
    assert run("convert", path, tmp_path / "{annotator}.jsonl").status == 0
    assert (tmp_path / "_.jsonl").exists()
    alike = _zip(tmp_path / "q.zip", [*members, ("annotation/d/a_b.xmi", XMI)])
    refused = run("convert", alike, tmp_path / "out/{annotator}.jsonl")
    assert (refused.status, "a b and a_b" in refused.err) == (2, True)
    assert not (tmp_path / "out").exists()


def test_one_annotator_gives_the_name_of_a_file(project: str, tmp_path: Path) -> None:
    run("convert", f"{project}#anna", tmp_path / "{annotator}.jsonl")
    run("convert", project, tmp_path / "{annotator}.jsonl", "--read", "annotator=curation")
    run("convert", f"{project}#*", tmp_path / "all-{annotator}.jsonl")
    assert run("convert", project, tmp_path / "{annotator}-{document}.jsonl").status == 2
    assert {path.name for path in tmp_path.glob("*.jsonl")} == {
        "anna.jsonl",
        "curation.jsonl",
        "all-anna.jsonl",
        "all-ben.jsonl",
    }


def test_sides_in_python(project: str) -> None:
    assert [i.id for i in corefkit.check(project)] == ["annotation-unfinished"]
    for responses in (project, f"{project}#*"):
        compared = corefkit.compare(f"{project}#curation", responses, metrics="muc", samples=9)
        assert [*compared.systems] == ["anna", "ben"]
    with pytest.raises(DataError, match="annotator-missing"):
        corefkit.score(project, project)  # not the curation against itself
    assert corefkit.score(project, f"{project}#anna")["muc"].f1 == 1


def test_unfinished_refused_is_not_said_to_count(project: str) -> None:
    (refused,) = corefkit.check(f"{project}#ben", unfinished="error")
    assert (refused.id, refused.severity) == ("annotation-unfinished", "error")
    assert "counts as if" not in (refused.hint or "")


@pytest.mark.parametrize("packed", [False, True])
def test_label_studio_is_known_behind_a_long_text_and_packed(packed: bool, tmp_path: Path) -> None:
    marks = [
        {"id": f"m{at}", "type": "labels", "value": {"start": at, "end": at + 1, "labels": ["M"]}}
        for at in (0, 2)
    ]
    link = {"type": "relation", "from_id": "m0", "to_id": "m2", "labels": ["coref"]}
    annotations = [{"completed_by": user, "result": [*marks, link]} for user in (1, 2)]
    task = {"id": 1, "data": {"text": "a b " * 20_000}, "annotations": annotations}
    path = tmp_path / "tasks.json"
    data = json.dumps([task]).encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    assert annotator_sides(str(path)) == [f"{path}#1", f"{path}#2"]


@pytest.mark.parametrize("command", ["check", "stats", "agree", "adjudicate"])
def test_nobody_marked_anything(command: str, tmp_path: Path) -> None:
    members = [(f"annotation/d/{user}.xmi", NOTHING) for user in ("anna", "ben")]
    done = run(command, _zip(tmp_path / "p.zip", members))
    assert done.status == 1
    assert "[no-coreference]" in done.out + done.err


def test_annotators_of_the_same_documents_are_not_added_up(tmp_path: Path) -> None:
    members = [(f"annotation/d/{user}.xmi", XMI) for user in ("anna", "ben")]
    project = _zip(tmp_path / "p.zip", members)
    (tmp_path / "one.xmi").write_bytes(XMI)
    (tmp_path / "two.xmi").write_bytes(XMI)
    files = [tmp_path / "one.xmi", tmp_path / "two.xmi"]
    for sides, documents in (
        ([project], ["1", "1"]),
        ([f"{project}#anna", f"{project}#ben"], ["1", "1"]),
        (files, ["1", "1", "2"]),
    ):
        shown = run("stats", *sides).out
        (row,) = [line.split() for line in shown.split("\n") if line.startswith("documents  ")]
        assert row == ["documents", *documents]


def test_inputs_are_not_overwritten_by_whatever_name(tmp_path: Path) -> None:
    for user in ("anna", "ben"):
        (tmp_path / f"{user}.xmi").write_bytes(XMI)
    pattern = f"{tmp_path}/{{annotator}}.xmi"
    options = ("--draft", "--overwrite", "--to", "corefannotator")
    done = run("adjudicate", pattern, "-o", tmp_path / "anna.xmi", *options)
    assert (done.status, "would be overwritten" in done.err) == (2, True)
    done = run("convert", f"{pattern}#anna", tmp_path / "anna.xmi", "--to", "e2e", "--force")
    assert done.status == 2
    assert (tmp_path / "anna.xmi").read_bytes() == XMI
    assert "option-unused" not in run("adjudicate", pattern).err  # nobody gave --unfinished


def test_characters_that_no_tokens_are_known_for(project: str, tmp_path: Path) -> None:
    run("convert", f"{project}#curation", tmp_path / "c.conll")  # d, not e
    for command in ("agree", "adjudicate"):
        done = run(command, f"{project}#anna", tmp_path / "c.conll")
        assert (done.status, "[document-unfit]" in done.err) == (1, True)
        assert run(command, f"{project}#curation", tmp_path / "c.conll").status == (
            2 if command == "adjudicate" else 0
        )
