"""corefkit score, as people and programs call it."""

import csv
import json
import re
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest

import corefkit
from corefkit import metrics
from tests.support import EXAMPLES, run

pytestmark = pytest.mark.usefixtures("own_options")

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))
SYSTEMS = ("careful", "hasty", "baseline")
RESPONSES = [EXAMPLES / f"{name}.conll" for name in SYSTEMS]
DEFAULT = ["mentions", "muc", "bcub", "ceafm", "ceafe", "blanc", "lea", "conll"]


def test_one_system() -> None:
    result = run("score", KEY, RESPONSES[0])
    assert result.status == 0
    lines = result.out.splitlines()
    assert lines[0].startswith(f"key: {KEY} (8 documents, 265 mentions, 108 entities)")
    titles = [metrics.get(name).title for name in DEFAULT]
    assert [line.split()[0] for line in lines if re.search(r"\d\.\d\d$", line)] == titles
    assert lines[-1].startswith("signature: profile:standard|version:")
    assert "\x1b" not in result.out


def test_several_systems_are_rows() -> None:
    result = run("score", KEY, *RESPONSES, "-m", "muc,conll")
    blocks = result.out.split("\n\n")
    assert [b.split()[0] for b in blocks[1:4]] == ["F1", "Recall", "Precision"]
    assert [line.split()[0] for line in blocks[1].splitlines()[1:]] == list(SYSTEMS)
    assert blocks[1].splitlines()[0].split() == ["F1", "MUC", "CoNLL"]
    assert blocks[2].splitlines()[0].split() == ["Recall", "MUC"]


def test_three_systems_of_long_paths_fit_a_terminal(tmp_path: Path) -> None:
    paths = [tmp_path / "output" / name / "wiki-grounded-output.conll" for name in SYSTEMS]
    for path, response in zip(paths, RESPONSES, strict=True):
        path.parent.mkdir(parents=True)
        path.write_bytes(response.read_bytes())
    blocks = run("score", KEY, *paths).out.split("\n\n")
    assert [line.split()[0] for line in blocks[1].splitlines()[1:]] == list(SYSTEMS)
    assert max(len(line) for block in blocks[1:-1] for line in block.splitlines()) <= 100


def test_what_newcomers_need_is_in_the_short_help() -> None:
    listed = run("score", "--help").out
    assert all(f"  {name} " in listed for name in ("--singletons", "--match", "--plot"))


@pytest.mark.parametrize("systems", [RESPONSES, [KEY, *RESPONSES]], ids=["usual", "perfect"])
def test_blocks_of_several_systems_line_up(systems: list[Path]) -> None:
    """The column of a metric ends at one place, also where only one block has 100.00."""
    for by in ([], ["--by", "genre"]):
        result = run("score", KEY, *systems, "-m", "mentions,muc,conll", *by)
        blocks = [block.splitlines() for block in result.out.split("\n\n")[1:4]]
        ends = [
            {m[0]: m.end() for m in re.finditer(r"mentions$|mentions(?= )|MUC", b[0])}
            for b in blocks
        ]
        assert ends[0] == ends[1] == ends[2]
        assert all(line[: ends[0]["MUC"]][-1].isdigit() for b in blocks for line in b[1:] if line)


def test_json_is_what_the_specification_says() -> None:
    result = run("score", KEY, *RESPONSES, "-f", "json", "--by", "genre")
    report = json.loads(result.out)
    assert report["version"] == corefkit.__version__
    key = {"path": str(KEY), "documents": 8, "mentions": 265, "entities": 108}
    digest = sha256(KEY.read_bytes()).hexdigest()
    assert report["key"] == {**key, "sha256": digest, "bytes": KEY.stat().st_size}
    assert report["by"] == "genre"
    assert [s["name"] for s in report["systems"]] == list(SYSTEMS)
    assert [s["documents"] for s in report["systems"]] == [8, 7, 8]
    careful = report["systems"][0]
    assert careful["scores"] == corefkit.score(KEY, RESPONSES[0]).to_dict()
    assert list(careful["scores"]) == DEFAULT
    assert careful["scores"]["conll"].keys() == {"f1"}
    assert careful["scores"]["blanc"]["counts"].keys() == {"coreference", "noncoreference"}
    groups = {part["part"]["genre"]: part for part in careful["parts"]}
    assert list(groups) == ["bc", "lt", "nw", "wb"]
    recall = [g["scores"]["muc"]["counts"]["recall"] for g in groups.values()]
    total = careful["scores"]["muc"]["counts"]["recall"]
    assert [sum(column) for column in zip(*recall, strict=True)] == total
    (incident,) = report["incidents"]
    assert (incident["id"], incident["severity"]) == ("document-missing", "warning")
    assert incident.keys() == {
        "id",
        "severity",
        "file",
        "line",
        "column",
        "document",
        "message",
        "found",
        "expected",
        "hint",
    }
    assert "[document-missing]" in result.err


@pytest.mark.parametrize(("form", "delimiter"), [("tsv", "\t"), ("csv", ",")])
def test_delimited_values_are_exact(form: str, delimiter: str) -> None:
    result = run("score", KEY, *RESPONSES, "-f", form, "--by", "document")
    rows = list(csv.DictReader(StringIO(result.out), delimiter=delimiter))
    assert list(rows[0])[:6] == ["system", "group", "metric", "recall", "precision", "f1"]
    scores = corefkit.score(KEY, RESPONSES[2])
    found = {r["metric"]: r for r in rows if (r["system"], r["group"]) == ("baseline", "all")}
    assert float(found["bcub"]["recall"]) == scores["bcub"].recall
    assert float(found["bcub"]["recall_numerator"]) == scores["bcub"].counts["recall"][0]
    assert found["muc"]["precision_denominator"] == str(scores["muc"].counts["precision"][1])
    assert found["conll"]["recall"] == ""
    links = scores["blanc"].counts["coreference"]["recall"]
    assert found["blanc.coreference"]["recall_numerator"] == str(links[0])
    documents = {r["group"] for r in rows if r["system"] == "careful"}
    assert len(documents) == 9


def test_latex_of_f1_alone_has_one_row_of_headings() -> None:
    latex = run("score", KEY, *RESPONSES, "-f", "latex", "--only-f1", "-m", "muc,lea").out
    assert "system & MUC & LEA" in latex
    assert "F1 in percent over 8 documents" in latex
    assert "multicolumn" not in latex


def test_markdown_and_latex() -> None:
    markdown = run("score", KEY, *RESPONSES, "-f", "markdown", "-m", "muc", "-m", "conll").out
    assert markdown.splitlines()[0] == "| system | MUC R | MUC P | MUC F1 | CoNLL F1 |"
    assert markdown.splitlines()[2] == "| careful | **88.54** | **93.92** | **91.15** | **88.98** |"
    latex = run("score", KEY, *RESPONSES, "-f", "latex", "--by", "genre").out
    assert latex.count(r"\\") == 2 + 3 * 5
    assert r"\textbf{88.98}" in latex
    columns = [line.count("&") for line in latex.splitlines() if line.endswith(r"\\")]
    assert set(columns[1:]) == {3 + 7 * 3 + 1 - 1}


def test_conll_has_one_response_and_its_own_metrics() -> None:
    for wrong in (("-m", "muc,lea"), ("--by", "genre"), (RESPONSES[1],)):
        assert run("score", KEY, RESPONSES[0], "-f", "conll", *wrong).status == 2
    assert run("score", KEY, RESPONSES[0], "-f", "conll", "-m", "muc").out.count("METRIC") == 1
    missing = run("score", KEY, "nowhere.conll", "-f", "conll")
    assert (missing.status, missing.out) == (1, "")


def test_output_to_what_is_no_file(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    run("score", KEY, RESPONSES[0], "-o", link)
    assert link.is_symlink()
    assert target.read_text().startswith("key: ")
    assert run("score", KEY, RESPONSES[0], "-o", "/dev/null").status == 0
    assert Path("/dev/null").is_char_device()
    assert run("score", KEY, RESPONSES[0], "-o", tmp_path).status == 2


def test_output_file(tmp_path: Path) -> None:
    out = tmp_path / "scores.json"
    result = run("score", KEY, RESPONSES[0], "-f", "json", "-o", out)
    assert (result.status, result.out) == (0, "")
    assert json.loads(out.read_text())["systems"][0]["name"] == "careful"
    (tmp_path / "other").touch()
    assert out.stat().st_mode == (tmp_path / "other").stat().st_mode
    result = run("score", KEY, RESPONSES[0], "-o", tmp_path / "no" / "scores.txt")
    assert result.status == 1
    assert "cannot be written: No such file or directory" in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        (),
        (KEY,),
        (KEY, KEY, "-m", "mucc"),
        (KEY, KEY, "--singletons", "maybe"),
        (KEY, KEY, "--profile", "mine"),
        (KEY, KEY, "-f", "pdf"),
        (KEY, KEY, "--wrong"),
        (KEY, KEY, "-m", ","),
        ("-", "-"),
    ],
)
def test_wrong_command_lines(arguments: tuple[str | Path, ...]) -> None:
    result = run("score", *arguments)
    assert result.status == 2
    assert "Error: " in result.err
    assert result.out == ""


def test_one_bad_response_among_several(tmp_path: Path) -> None:
    bad = tmp_path / "bad.conll"
    bad.write_text("#begin document d\nx (1\n")
    result = run("score", KEY, bad, RESPONSES[0], tmp_path / "none.conll", "-f", "json")
    assert result.status == 1
    systems = json.loads(result.out)["systems"]
    assert [s["name"] for s in systems] == ["bad", "careful", "none"]
    assert [s["scores"] is None for s in systems] == [True, False, True]
    assert f"{bad}:2:3: error: entity 1 is opened here but never closed" in result.err
    assert "the file cannot be read: No such file or directory" in result.err
    text = run("score", KEY, bad, RESPONSES[0]).out
    assert "bad: not scored" in text


@pytest.mark.parametrize("form", ["text", "json", "tsv", "csv", "markdown", "latex"])
def test_bad_key(tmp_path: Path, form: str) -> None:
    result = run("score", tmp_path / "nothing", RESPONSES[0], "-f", form)
    assert result.status == 1
    assert "[file-unreadable]" in result.err
    if form == "json":
        report = json.loads(result.out)
        assert report["systems"][0]["scores"] is None
        assert report["incidents"][0]["id"] == "file-unreadable"


def test_singletons_and_policies_stand_in_the_signature() -> None:
    result = run("score", KEY, RESPONSES[1], "--singletons", "drop", "--strict", "-f", "json")
    report = json.loads(result.out)
    assert "|singletons:drop|" in report["signature"]
    assert "|defects:strict|" in report["signature"]
    assert report["key"]["entities"] == 108 - 53
    assert run("score", KEY, RESPONSES[1], "--strict").status == 1


def test_systems_of_the_same_name(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "response.conll").write_text(RESPONSES[0].read_text())
    paths = [str(tmp_path / name / "response.conll") for name in ("a", "b")]
    systems = json.loads(run("score", KEY, *paths, "-f", "json").out)["systems"]
    assert [s["name"] for s in systems] == ["a", "b"]


def test_ids_and_names_that_are_not_utf8_reach_every_output(tmp_path: Path) -> None:
    lines = (b"x (\xfe)", b"", b"x (\xfe)|(\xff)", b"x (\xff)", b"", b"#end document", b"")
    text = b"\n".join((b"#begin document (nw/a/00/a\xff_1)", *lines))
    one, other = tmp_path / "one.conll", tmp_path / "other.conll"
    one.write_bytes(text)
    other.write_bytes(text.replace(b"(\xff)", b"(\xfe)"))
    for profile in ("standard", "coval"):
        done = run("score", one, other, "-f", "json", "--by", "document", "--profile", profile)
        assert done.status == 0
        assert json.loads(done.out)["systems"][0]["documents"] == 1
    assert run("corpus", "split", one, "-o", tmp_path / "parts").status == 0
    listed = tmp_path / "list.tsv"
    assert run("agree", one, other, "--disagreements", listed).status == 0
    assert b"\xff" in listed.read_bytes()


def test_the_key_is_as_large_as_what_is_scored(tmp_path: Path) -> None:
    key, response = (corefkit.read(EXAMPLES / f"{name}.conll") for name in ("key", "hasty"))
    common = [name in response.names for name in key.names]
    mentions = sum(common[document] for document in key.document.tolist())
    files = (EXAMPLES / "key.conll", EXAMPLES / "hasty.conll")
    line = run("score", *files, "--documents", "common").out.splitlines()[0]
    assert f"({sum(common)} of 8 documents, {mentions} mentions, " in line
    listed = tmp_path / "list.txt"
    listed.write_text(f"{key.names[0]}\n", encoding="utf-8")
    line = run("score", *files, "--documents", listed).out.splitlines()[0]
    number = int((key.document == 0).sum())
    entities = len(set(key.entity[key.document == 0].tolist()))
    assert line.endswith(f"(1 of 8 documents, {number} mentions, {entities} entities)")
    assert "(8 documents, 265 mentions" in run("score", *files).out


def test_a_key_that_cannot_be_read_has_no_size() -> None:
    done = run("score", "nowhere.conll", EXAMPLES / "hasty.conll")
    assert done.status == 1
    assert "key: " not in done.out and "not scored" in done.out


def test_the_order_of_key_and_response_may_be_said() -> None:
    plain = run("score", KEY, RESPONSES[0], "-m", "muc").out
    said = ("--response", RESPONSES[0], "-m", "muc")
    assert run("score", *said, "--key", KEY).out == plain
    assert run("score", f"--key={KEY}", *said).out == plain
    assert run("score", KEY, *said).out == plain
    assert "--key is given twice" in run("score", "--key", KEY, "--key", KEY, *said).err
    assert "--key needs a file" in run("score", *said, "--key").err
    compared = run("compare", "--response", RESPONSES[0], "--response", RESPONSES[1], "--key", KEY)
    assert compared.out == run("compare", KEY, *RESPONSES[:2]).out


@pytest.mark.parametrize("by", ["window:20", "window:sentences:5", "across:corpus"])
def test_cuts_are_groupings(by: str) -> None:
    """`--by window:20` is `--window 20`, and so with `across`."""
    option, _, value = by.partition(":")
    expected = run("score", KEY, CAREFUL, "-m", "muc", f"--{option}", value).out
    assert run("score", KEY, CAREFUL, "-m", "muc", "--by", by).out == expected
    assert run("score", KEY, CAREFUL, "-m", "muc", f"--by={by}").out == expected


def test_by_run_needs_runs() -> None:
    runs: list[str | Path] = [KEY, f"a@1={CAREFUL}", f"a@2={HASTY}", "-m", "muc"]
    assert run("score", *runs, "--by", "run").out == run("score", *runs).out
    done = run("score", KEY, CAREFUL, "--by", "run")
    assert done.status == 2
    assert "--by run needs several runs" in done.err
