"""corefkit check on the command line."""

import json
from pathlib import Path

import pytest

from tests.support import EXAMPLES, ROOT, run

FIXTURES = ROOT / "tests" / "fixtures"
BROKEN = FIXTURES / "incidents" / "bracket-unclosed.conll"
ODD = FIXTURES / "incidents" / "span-twice.conll"


def test_sound_files() -> None:
    result = run("check", *sorted(EXAMPLES.glob("*.conll")))
    assert (result.status, result.out) == (0, "no errors, no warnings\n")


def test_errors_and_warnings() -> None:
    result = run("check", BROKEN, ODD)
    assert result.status == 1
    assert f"{BROKEN}:2:11: error: entity 1 is opened here but never closed" in result.out
    assert result.out.endswith("\n1 error, 1 warning\n")
    assert run("check", ODD).status == 0
    assert run("check", ODD, "--strict").status == 1


def test_json() -> None:
    report = json.loads(run("check", BROKEN, "-f", "json").out)
    assert report.keys() == {"version", "result", "schema", "incidents"}
    (incident,) = report["incidents"]
    assert incident["id"] == "bracket-unclosed"
    assert (incident["line"], incident["column"]) == (2, 11)


def test_github_annotations() -> None:
    result = run("check", BROKEN, "-f", "github")
    assert result.out.startswith(
        f"::error file={BROKEN},line=2,col=11,title=bracket-unclosed::entity 1 is opened here"
    )
    assert result.out.count("\n") == 1
    assert "%0Afound: (1%0Aexpected:" in result.out


def test_against() -> None:
    result = run("check", EXAMPLES / "hasty.conll", "--against", EXAMPLES / "key.conll")
    assert result.status == 0
    assert "[document-missing]" in result.out


def test_output_file(tmp_path: Path) -> None:
    run("check", ODD, "-f", "json", "-o", tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_text())["incidents"][0]["id"] == "span-twice"


def test_standard_input() -> None:
    result = run("check", "-", stdin=BROKEN.read_bytes())
    assert "-:2:11: error" in result.out


@pytest.mark.parametrize("arguments", [(), ("x", "-f", "xml"), ("--wrong",)])
def test_wrong_command_lines(arguments: tuple[str, ...]) -> None:
    assert run("check", *arguments).status == 2


def test_thousands_of_defects_are_grouped(tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("#begin document a\n" + "a dog\n" * 5000)
    result = run("check", tmp_path / "bad")
    assert "… and 4,900 more of this kind in the same file" in result.out


def test_a_missing_file_is_a_few_lines_of_text_and_all_of_the_json(tmp_path: Path) -> None:
    """As where a dataset is missing from an upload."""
    keys, document = tmp_path / "keys", "#begin document {}{}\nx\t(1)\n#end document\n"
    keys.mkdir()
    for name in "ab":
        (keys / f"{name}.conll").write_text("".join(document.format(name, n) for n in range(15)))
    response = keys / "a.conll"
    text = run("check", response, "--against", keys).out
    assert text.count("[document-missing]") == 10
    assert text.count("no document of b.conll") == 10
    assert "\n  … and 5 more of this kind; -f json lists them\n" in text
    listed = json.loads(run("check", response, "--against", keys, "-f", "json").out)["incidents"]
    assert [i["document"] for i in listed] == [f"b{n}" for n in range(15)]
    some = tmp_path / "some.conll"
    some.write_text(response.read_text() + document.format("b", 3))
    assert "no document of" not in run("check", some, "--against", keys).out


def test_a_defect_of_many_files_is_told_once(tmp_path: Path) -> None:
    for number in range(300):
        text = f"#begin document (a{number}); part 000\nb{number} 0 0 x (1)\n#end document\n"
        (tmp_path / f"{number:03}.conll").write_text(text)
    (tmp_path / "150.conll").write_text("#begin document x\nx 0 0 x (1\n#end document\n")
    result = run("check", tmp_path)
    assert "span-twice" not in result.out
    assert result.out.count("[document-column]") == 3
    assert "document-column: 299 warnings in 299 files; -f json lists them" in result.out
    assert f"{tmp_path / '150.conll'}:2:9: error: entity 1 is opened" in result.out
    assert result.out.endswith("\n1 error, 299 warnings\n")
    assert len(json.loads(run("check", tmp_path, "-f", "json").out)["incidents"]) == 300


def test_a_folder_is_checked_to_its_end(tmp_path: Path) -> None:
    """A file that cannot be read, or is in another format, does not hide what follows it."""
    (tmp_path / "a.gz").write_bytes(b"\x1f\x8b\x08damaged")
    (tmp_path / "b").write_bytes((EXAMPLES / "drawer.conllu").read_bytes())
    (tmp_path / "c").write_bytes(BROKEN.read_bytes())
    result = run("check", tmp_path)
    assert result.status == 1
    assert "a.gz: error: the file cannot be read" in result.out
    assert f"{tmp_path / 'c'}:2:11: error: entity 1 is opened here" in result.out
    (tmp_path / "a.gz").unlink()
    mixed = run("check", tmp_path)
    assert "[format-mixed]" in mixed.out
    assert f"{tmp_path / 'c'}:2:11: error: entity 1 is opened here" in mixed.out


def test_score_refuses_other_words_only_on_request() -> None:
    paths = FIXTURES / "key.conll", FIXTURES / "incidents" / "words-differ.conll"
    assert "[words-differ]" not in run("score", *paths).err
    result = run("score", *paths, "--strict", "-f", "json")
    assert [i["id"] for i in json.loads(result.out)["incidents"]] == ["words-differ"]
    assert result.status == 1


def test_pre_commit_hook_names_a_command_that_exists() -> None:
    hook = (ROOT / ".pre-commit-hooks.yaml").read_text()
    assert "entry: corefkit check\n" in hook
