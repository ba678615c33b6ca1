"""What `check` says of the first columns: the document, and the number of the token."""

from pathlib import Path

import pytest

import corefkit

HEADER, END = "#begin document (a); part 000\n", "#end document\n"


def found(text: str, path: Path) -> list[tuple[str, str, int | None]]:
    (path / "x.conll").write_text(text)
    return [(i.id, i.severity, i.line) for i in corefkit.check(path / "x.conll")]


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        (["a 0 0 Ada (1)", "a 0 1 slept -", "", "a 0 0 She (1)"], []),
        (["a 0 1 Ada (1)", "a 0 2 slept -", "", "a 0 3 She (1)"], []),
        (["a 0 0 Ada (1)", "a 0 2 slept -"], [("token-number", "warning", 3)]),
        (["a 0 0 Ada (1)", "a 0 0 slept -"], [("token-number", "warning", 3)]),
        (["a 0 0 Ada (1)", "", "a 0 5 She -"], [("token-number", "warning", 4)]),
        (["a 0 0 Ada (1)", "b 0 1 slept -"], [("document-column", "warning", 3)]),
        (["b 0 0 Ada (1)", "b 0 1 slept -"], [("document-column", "warning", 2)]),
        (["x Ada (1)", "x slept -"], []),
    ],
)
def test_columns(rows: list[str], wrong: list[tuple[str, str, int]], tmp_path: Path) -> None:
    assert found("\n".join([HEADER.strip(), *rows, "", END]), tmp_path) == wrong


def test_a_chunk_ends_within_a_sentence(tmp_path: Path) -> None:
    rows = [f"a 0 {n} w {'(1)' if n == 0 else '-'}\n" for n in range(70_000)]
    assert found(HEADER + "".join(rows) + "\n" + END, tmp_path) == []


def test_the_last_end_of_each_file_of_a_folder(tmp_path: Path) -> None:
    one = "#begin document ({0}); part 000\n{0} 0 0 Ada (1)\n\n"
    (tmp_path / "1.conll").write_text(one.format("a") + END + one.format("b"))
    (tmp_path / "2.conll").write_text(one.format("c") + END)
    (tmp_path / "3.conll").write_text(one.format("d"))
    incidents = corefkit.check(tmp_path)
    files = [str(tmp_path / name) for name in ("1.conll", "3.conll")]
    assert [(i.id, i.file) for i in incidents] == [("end-missing", file) for file in files]
    assert corefkit.read(tmp_path / "3.conll").incidents == ()


@pytest.mark.parametrize("ends", [0, 1, 2])
def test_documents_that_are_never_ended_were_meant_so(tmp_path: Path, ends: int) -> None:
    one = "#begin document ({0}); part 000\n{0} 0 0 Ada (1)\n\n"
    text = one.format("a") + END * (ends > 0) + one.format("b") + END * (ends > 1)
    (tmp_path / "x.conll").write_text(text)
    ids = [incident.id for incident in corefkit.check(tmp_path / "x.conll")]
    assert ids == ["end-missing"] * (ends == 1)


def test_semeval_files_get_these_checks_too(tmp_path: Path) -> None:
    rows = ["1\tAda" + "\t_" * 14 + "\t(1)", "2\tshe" + "\t_" * 14 + "\t(1)", ""]
    parts = ["#begin document a; part 0", *rows, "#end document a", "#begin document a; part 000"]
    (tmp_path / "x.txt").write_text("\n".join([*parts, *rows]))
    incidents = corefkit.check(tmp_path / "x.txt", format="semeval2010")
    assert {incident.id for incident in incidents} >= {"end-missing"}
    assert corefkit.read(tmp_path / "x.txt", format="semeval2010").incidents == ()


def test_scores_do_not_depend_on_them(tmp_path: Path) -> None:
    (tmp_path / "x.conll").write_text(f"{HEADER}b 0 7 Ada (1)\nb 0 3 she (1)\n\n{END}")
    incidents = corefkit.score(tmp_path / "x.conll", tmp_path / "x.conll").incidents
    assert [incident.id for incident in incidents] == ["same-file"]
