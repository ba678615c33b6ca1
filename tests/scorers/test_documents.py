"""Key and response in different formats: names, characters against tokens, chosen documents."""

import json
import re
from pathlib import Path

import pytest

import corefkit
from corefkit import Corpus, DataError, UsageError
from corefkit.core.options import Options
from corefkit.scoring.run import score_systems
from tests.support import run, run_scorer

KEY = """#begin document (nw/tale/00/tale_0001); part 000
tale 0 0 The (0
tale 0 1 crew 0)
tale 0 2 slept -
tale 0 3 . -

tale 0 0 They (0)
tale 0 1 did -
tale 0 2 n't -
#end document
"""
TEXT = "The crew slept. They didn't"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    path = tmp_path / "key.conll"
    path.write_text(KEY)
    return path


def write(folder: Path, *rows: dict[str, object], name: str = "response.jsonlines") -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


SENTENCES = [["The", "crew", "slept", "."], ["They", "did", "n't"]]
ROW: dict[str, object] = {
    "doc_key": "nw/tale/00/tale_0001_0",
    "sentences": SENTENCES,
    "clusters": [[[0, 1], [4, 4]]],
}


def test_names_are_rewritten_and_it_is_said(key: Path, tmp_path: Path) -> None:
    response = write(tmp_path, ROW)
    done = run("score", key, response, "-m", "conll")
    assert done.status == 0
    assert "100.00" in done.out
    assert "[names-rewritten]" in done.err
    exact = run("score", key, response, "-m", "conll", "--strict")
    assert "no-common-document" in exact.err


def test_a_name_of_no_document_is_paired_by_its_text_and_that_is_said(
    key: Path, tmp_path: Path
) -> None:
    response = write(tmp_path, {**ROW, "doc_key": "zebra"})
    told = corefkit.score(key, response).incidents
    (incident,) = (i for i in told if i.id == "names-rewritten")
    assert incident.found == "'zebra'"
    assert "another name, because its text is the same" in incident.message


def test_one_document_on_each_side_under_different_names(key: Path, tmp_path: Path) -> None:
    other = {**ROW, "sentences": [["Other", "words", "here", "."], ["They", "did", "n't"]]}
    with pytest.raises(DataError, match="Each side has one document") as error:
        corefkit.score(key, write(tmp_path, {**other, "doc_key": "zebra"}))
    assert "the same name on both sides" in str(error.value)
    del other["doc_key"]
    assert corefkit.score(key, write(tmp_path, other))["mentions"].f1 == 1
    two = write(tmp_path, {**other, "doc_key": "zebra"}, {**other, "doc_key": "gnu"})
    with pytest.raises(DataError) as error:
        corefkit.score(key, two)
    assert "Each side has one document" not in str(error.value)


def test_characters_on_the_tokens_of_the_key(key: Path, tmp_path: Path) -> None:
    response = write(tmp_path, {"text": TEXT, "clusters": [[[0, 8], [16, 20]]]})
    for ours, theirs in ((key, response), (response, key)):
        scores = corefkit.score(ours, theirs)
        assert scores.conll == 1
        assert {i.id for i in scores.incidents} <= {"sides-exchanged"}  # the response is called key


def test_a_mention_that_splits_a_token_is_widened(key: Path, tmp_path: Path) -> None:
    response = write(tmp_path, {"text": TEXT, "clusters": [[[0, 6], [16, 20]]]})
    scores = corefkit.score(key, response)
    assert scores.conll == 1
    (incident,) = scores.incidents
    assert (incident.id, incident.found) == ("mention-splits-token", "'The cr'")


def test_another_text(key: Path, tmp_path: Path) -> None:
    response = write(tmp_path, {"text": "The ship sank.", "clusters": [[[0, 8]]]})
    with pytest.raises(DataError) as error:
        corefkit.score(key, response)
    assert [i.id for i in error.value.incidents] == ["text-differs"]
    assert "'The ship sank.' for" in str(error.value.incidents[0].found)
    report = score_systems(key, [response], Options(refused=("texts",)))
    assert "crewslept" in str(report.incidents[0].expected)


def test_no_names(key: Path, tmp_path: Path) -> None:
    response = write(tmp_path, {**ROW, "doc_key": "nw"})
    assert corefkit.score(key, response).conll == 1
    two = write(tmp_path, {**ROW, "doc_key": "nw"}, {**ROW, "doc_key": "nw"})
    with pytest.raises(DataError) as error:
        corefkit.score(key, two)
    assert [i.id for i in error.value.incidents] == ["documents-unnamed"]


def test_one_file_with_both_sides(tmp_path: Path) -> None:
    path = write(tmp_path, {**ROW, "predicted_clusters": [[[0, 1]], [[4, 4]]]})
    scores = corefkit.score(path, path)
    assert scores["muc"].counts == {"recall": [0, 1], "precision": [0, 0]}
    assert corefkit.score(path, path, clusters="clusters")["muc"].f1 == 1
    assert corefkit.check(path, against=path) == []


MANIFEST = """name = "tiny"
[languages.english]
key = "{key}"
[systems.one.responses]
"english/closed/NB" = "{response}"
"""


FIELD = re.compile(r"note: the clusters were read from the field 'clusters' of .*\n")
NOTED = "score", "errors", "compare", "report"
"""The commands that say which field of a response was read."""


@pytest.mark.parametrize(
    "command",
    [
        "score KEY RESPONSE",
        "errors KEY RESPONSE",
        "outcomes KEY RESPONSE",
        "compare KEY RESPONSE KEY -f json",
        "explain KEY RESPONSE --profile standard --profile e2e",
        "report KEY RESPONSE -o page.html",
        "corefkit-scorer all KEY RESPONSE",
        "task run task.toml -o out --no-plots --reports",
    ],
)
def test_every_command_takes_the_predictions_of_a_response(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """The clusters of the key, which such a file often repeats, must not be scored."""
    predicted = [[[0, 1], [4, 4]], [[3, 3], [2, 2]]]
    key = write(tmp_path, ROW, name="key.jsonlines")
    answers: list[tuple[str, str, list[str]]] = []
    for row in ({**ROW, "predicted_clusters": predicted}, {**ROW, "clusters": predicted}, ROW):
        folder = tmp_path / f"answer{len(answers)}"
        folder.mkdir()
        monkeypatch.chdir(folder)
        response = write(folder, row)
        Path("task.toml").write_text(MANIFEST.format(key=key, response=response))
        names = {"KEY": str(key), "RESPONSE": response.name}
        first, *rest = (names.get(word, word) for word in command.split())
        done = run_scorer(*rest) if first == "corefkit-scorer" else run(first, *rest)
        assert done.status == 0
        pages = [page.read_text() for page in sorted(Path().rglob("*.html"))]
        printed = re.sub(r'"(sha256|bytes)": [^\n]*', "", done.out)  # the files are others
        warned = FIELD.sub("", done.err)
        notes = " ".join(FIELD.findall(done.err))
        noted = first in NOTED and "predicted_clusters" not in row
        assert ("of response" in notes) == noted
        answers.append((printed, warned, pages))
    assert answers[0] == answers[1]
    assert answers[0] != answers[2]


def test_the_predictions_of_a_response_are_checked(tmp_path: Path) -> None:
    key = write(tmp_path, ROW, name="key.jsonlines")
    response = write(tmp_path, {**ROW, "predicted_clusters": [[[0, 0], [99, 99]]]})
    manifest = tmp_path / "task.toml"
    manifest.write_text(MANIFEST.format(key=key, response=response))
    for done in (run("check", response, "--against", key), run("task", "check", manifest)):
        assert done.status == 1
        assert "span-outside" in done.out + done.err


def test_some_documents(tmp_path: Path) -> None:
    ours = write(tmp_path, ROW, {**ROW, "doc_key": "b"}, name="key.jsonlines")
    theirs = write(tmp_path, ROW)
    assert corefkit.score(ours, theirs)["muc"].counts["recall"] == [1, 2]
    for wanted in ("common", [str(ROW["doc_key"])]):
        scores = corefkit.score(ours, theirs, documents=wanted)
        assert scores["muc"].counts["recall"] == [1, 1]
        assert [i.id for i in scores.incidents] == ["documents-left-out"]
        assert scores.counts.documents == (ROW["doc_key"],)
    listed = tmp_path / "list.txt"
    listed.write_text("b\n")
    assert corefkit.score(ours, theirs, documents=listed)["muc"].counts["recall"] == [0, 1]
    done = run("score", ours, theirs, "--documents", tmp_path / "nothing.txt")
    assert done.status == 2
    with pytest.raises(UsageError, match="documents"):
        corefkit.score(ours, theirs, documents="some")
    with pytest.raises(UsageError, match="the key has none of the 1 that are listed"):
        corefkit.score(ours, theirs, documents=["c"])


def test_the_signature_says_which_documents(tmp_path: Path) -> None:
    ours = write(tmp_path, ROW, {**ROW, "doc_key": "b"}, name="key.jsonlines")
    theirs = write(tmp_path, ROW)
    assert "documents:" not in corefkit.score(ours, theirs).signature
    common = corefkit.score(ours, theirs, documents="common")
    assert "|documents:common|" in common.signature
    again = run("score", ours, theirs, "-f", "json", "--signature", common.signature)
    found = json.loads(again.out)
    assert found["signature"] == common.signature
    assert found["systems"][0]["scores"] == common.to_dict()
    listed = tmp_path / "list.txt"
    listed.write_text("b\n")
    some = corefkit.score(ours, theirs, documents=listed)
    assert "|documents:listed|" in some.signature
    refused = run("score", ours, theirs, "--signature", some.signature)
    assert refused.status == 2
    assert "list them, with documents= or --documents FILE" in refused.err
    given = ("--signature", some.signature, "--documents", listed)
    assert run("score", ours, theirs, *given).status == 0


def test_listed_names_that_the_key_lacks(tmp_path: Path) -> None:
    ours = write(tmp_path, ROW, name="key.jsonlines")
    listed = tmp_path / "list.txt"
    listed.write_text(f"{ROW['doc_key']}\nx\n")
    several = run("score", ours, ours, ours, ours, "-f", "json", "--documents", listed)
    found = json.loads(several.out)["incidents"]
    assert [i["id"] for i in found] == ["documents-unknown", *["same-file"] * 3]
    scores = corefkit.score(ours, ours, documents=[str(ROW["doc_key"]), "x", "y"])
    assert [(i.id, i.found) for i in scores.incidents][:1] == [("documents-unknown", "e.g. 'x'")]
    assert scores.incidents[0].message == "2 listed documents are not in the key"


def test_a_wrong_format_is_a_usage_error(key: Path) -> None:
    done = run("score", key, key, "--format", "json")
    assert done.status == 2
    assert "-f json" in done.err


def test_a_folder_of_documents_without_names(key: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    for name in ("a", "b"):
        write(folder, {**ROW, "doc_key": None}, name=f"{name}.jsonl")
    assert corefkit.read(folder).names == ("a", "b")
    (folder / "c.md").write_text("[The crew](#1) slept")
    with pytest.raises(DataError) as error:
        corefkit.read(folder)
    (incident,) = error.value.incidents
    assert incident.id == "format-mixed"
    assert "a.jsonl" in str(incident.found)
    assert "c.md" in str(incident.found)


def test_an_ambiguous_name(key: Path) -> None:
    response = Corpus.from_clusters({"nw/tale/00/tale_0001_0": [], "nw/tale/00/tale_0001": []})
    with pytest.raises(DataError) as error:
        corefkit.score(key, response)
    assert "document-ambiguous" in {i.id for i in error.value.incidents}
