"""Receipts: a result comes out again, and one changed byte, option, figure or version is named."""

import gzip
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import DataError, UsageError
from corefkit.plugins.verify.figures import differences, told_numbers
from tests.support import EXAMPLES, run

NAMES = ("key", "careful", "hasty")
FIXTURES = Path(__file__).parents[2] / "fixtures"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in NAMES:
        shutil.copy(EXAMPLES / f"{name}.conll", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def result(*arguments: str) -> dict[str, Any]:
    done = run(*arguments, "-f", "json")
    assert done.status == 0, done.err
    content: dict[str, Any] = json.loads(done.out)
    return content


PLAIN = ("score", "key.conll", "careful.conll", "hasty.conll")
RUNS = ("a@1=careful.conll", "a@2=hasty.conll", "b=hasty.conll")


@pytest.mark.parametrize(
    "arguments",
    [
        PLAIN,
        (*PLAIN, "--by", "genre"),
        (*PLAIN, "--by", "document", "--average", "documents"),
        (*PLAIN, "-m", "conll,immediate", "--by", "class"),
        (*PLAIN, "-m", "muc", "--profile", "e2e", "--documents", "common"),
        ("compare", "key.conll", "careful.conll", "hasty.conll", "--samples", "200", "--seed", "7"),
        ("errors", "key.conll", "careful.conll", "hasty.conll"),
        ("errors", "key.conll", "careful.conll", "--no-shares", "--by", "genre", "-m", "lea"),
        (*PLAIN, "--window", "100", "--by", "genre", "-m", "conll"),
        (*PLAIN, "--by", "entity:size", "--by", "class", "--by", "genre", "-m", "muc,bcub"),
        (*PLAIN, "--losses", "-m", "conll"),
        ("score", "key.conll", *RUNS, "--agreement", "-m", "muc"),
        ("compare", "key.conll", *RUNS, "--samples", "50", "-m", "conll"),
        ("compare", *PLAIN[1:], "--window", "100", "--samples", "50", "-m", "conll"),
        ("compare", *PLAIN[1:], "--by", "entity:size", "--samples", "50", "-m", "muc"),
    ],
    ids=" ".join,
)
def test_results_come_out_again(folder: Path, arguments: tuple[str, ...]) -> None:
    content = result(*arguments)
    (folder / "result.json").write_text(json.dumps(content))
    done = run("verify", "result.json")
    assert (done.status, done.err) == (0, "")
    assert done.out.startswith("same: ") and "to the last digit" in done.out
    assert corefkit.verify(content).figures > 20


def test_packed_folders_globs_and_elsewhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = (folder / "key.conll").read_text().split("#end document\n")[:-1]
    (folder / "many" / "deep").mkdir(parents=True)
    for number, part in enumerate(parts):
        place = folder / "many" / ("deep" if number % 2 else ".") / f"{number}.conll"
        place.write_text(f"{part}#end document\n")
    (folder / "careful.conll.gz").write_bytes(
        gzip.compress((folder / "careful.conll").read_bytes())
    )
    by_folder = result("score", "many", "careful.conll.gz", "-m", "conll")
    by_glob = result("score", "many/**/*.conll", "careful.conll", "-m", "conll")
    for field in ("sha256", "bytes", "files"):
        assert by_folder["key"][field] == by_glob["key"][field]
    assert by_folder["key"]["files"] == len(parts)
    assert by_folder["systems"][0]["sha256"] == by_glob["systems"][0]["sha256"]
    monkeypatch.chdir(folder.parent)
    assert not corefkit.verify(by_folder, root=str(folder)).lines[0].startswith("other")
    with pytest.raises(DataError, match="cannot be read"):
        corefkit.verify(by_folder)
    (folder / "many" / "deep" / "1.conll").rename(folder / "many" / "1.conll")
    outcome = corefkit.verify(by_folder, root=str(folder))
    assert (outcome.same, outcome.reason) == (False, "file")


def test_standard_input(folder: Path) -> None:
    text = (folder / "careful.conll").read_text()
    content = json.loads(run("score", "key.conll", "-", "-m", "muc", "-f", "json", stdin=text).out)
    plain = result("score", "key.conll", "careful.conll", "-m", "muc")
    assert content["systems"][0]["sha256"] == plain["systems"][0]["sha256"]
    with pytest.raises(DataError, match="was standard input: name it with --response"):
        corefkit.verify(content)
    name = content["systems"][0]["name"]
    assert corefkit.verify(content, responses={name: "careful.conll"}).same


def test_made_in_python(folder: Path) -> None:
    from corefkit.scoring.hashes import hash_files

    corpus = corefkit.Corpus.from_clusters({"d": [[(0, 0), (1, 1)]]})
    assert hash_files(repr(corpus)).to_dict() == {"sha256": None}
    assert "sha256" not in run("score", "key.conll", "careful.conll").out


def edited(change: Callable[[dict[str, Any]], object]) -> corefkit.Verification:
    content = result(*PLAIN, "-m", "muc,conll", "--by", "genre")
    change(content)
    return corefkit.verify(content)


def put(content: Any, value: Any, *path: Any) -> None:
    for step in path[:-1]:
        content = content[step]
    content[path[-1]] = value


MUC = ("systems", 0, "scores", "muc")


@pytest.mark.parametrize(
    ("change", "reason", "words"),
    [
        (lambda c: put(c, 140, *MUC, "counts", "recall", 0), "figure", "counts.recall.0: 140 in"),
        (lambda c: put(c, 0.9114754098360657, *MUC, "f1"), "figure", "muc.f1: 0.9114754098360657"),
        (
            lambda c: put(c, 7, "key", "mentions"),
            "figure",
            "key.mentions: 7 in the result, 265 now",
        ),
        (lambda c: put(c, 7, "systems", 1, "entities"), "figure", "systems.hasty.entities: 7"),
        (
            lambda c: c["systems"][0]["parts"].pop(2),
            "system",
            "careful.parts.genre:nw is in only one",
        ),
        (
            lambda c: c["systems"][0]["parts"].append({"part": {"genre": "xx"}, "scores": {}}),
            "system",
            "careful.parts.genre:xx is in only one",
        ),
        (lambda c: c["systems"][0]["scores"].pop("conll"), "system", "scores.conll is in only one"),
        (
            lambda c: put(
                c, c["signature"].replace("singletons:keep", "singletons:drop"), "signature"
            ),
            "figure",
            "was edited, or was not made with this signature",
        ),
        (lambda c: put(c, "0" * 64, "key", "sha256"), "file", "the key has changed"),
        (
            lambda c: put(c, "f" * 64, "systems", 1, "sha256"),
            "file",
            "the response hasty has changed",
        ),
    ],
)
def test_what_was_edited_is_named(
    folder: Path, change: Callable[[dict[str, Any]], object], reason: str, words: str
) -> None:
    outcome = edited(change)
    assert (outcome.same, outcome.reason, outcome.exit) == (False, reason, 3)
    assert words in str(outcome)


@pytest.mark.parametrize("field", ["column", "message", "found"])
def test_numbers_of_incidents_are_compared(folder: Path, field: str) -> None:
    """Those of another version of corefkit may be others."""
    for name in ("key", "incidents/mention-repeated"):
        shutil.copy(FIXTURES / f"{name}.conll", folder)
    content = result("score", "key.conll", "mention-repeated.conll", "-m", "muc")
    assert corefkit.verify(content).same
    incident = next(i for i in content["incidents"] if i["line"])
    incident[field] = "99 of 100" if field != "column" else 99
    outcome = corefkit.verify(content)
    assert (outcome.reason, outcome.exit) == ("figure", 3)
    assert "incidents" in str(outcome)
    content["signature"] = content["signature"].rpartition("|version:")[0] + "|version:0.0.1"
    assert corefkit.verify(content).same


def test_numbers_of_known_corpora_are_compared() -> None:
    then = {"key": {"known": {"name": "X-2", "documents": [3, 4], "differ": 0, "note": None}}}
    now = {"key": {"known": {"name": "X-2", "documents": [3, 4], "differ": 1, "note": None}}}
    assert list(differences(told_numbers(then), told_numbers(then))) == []
    (said,) = differences(told_numbers(then), told_numbers(now))
    assert said.startswith("key.known.differ: 0 in")


def test_one_byte(folder: Path) -> None:
    content = result(*PLAIN, "-m", "muc")
    data = (folder / "hasty.conll").read_bytes()
    (folder / "hasty.conll").write_bytes(data[:-1] + b" ")
    (folder / "result.json").write_text(json.dumps(content))
    done = run("verify", "result.json", "-f", "json")
    outcome = json.loads(done.out)
    assert (done.status, outcome["verdict"], outcome["reason"]) == (3, "other", "file")
    assert content["systems"][1]["sha256"] in outcome["lines"][0]
    assert f"{len(data):,} bytes" in outcome["lines"][0]


def test_versions(folder: Path) -> None:
    def older(content: dict[str, Any]) -> None:
        content["signature"] = content["signature"].rpartition("|version:")[0] + "|version:0.0.1"

    def older_figure(content: dict[str, Any]) -> None:
        older(content)
        put(content, 0.5, *MUC, "f1")

    outcome = edited(older)
    assert outcome.same
    assert f"made by corefkit 0.0.1, this is {corefkit.__version__}; no figure" in str(outcome)
    outcome = edited(older_figure)
    assert (outcome.reason, outcome.exit) == ("version", 3)
    assert "1 of " in str(outcome) and "no change of scores is recorded" in str(outcome)
    assert outcome.to_dict()["changes"] == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda c: c.pop("signature"), "it lacks 'signature'"),
        (lambda c: c.pop("systems"), "it lacks 'systems'"),
        (lambda c: c["key"].pop("sha256"), "it has no hash of the key .key.conll."),
        (lambda c: put(c, None, "systems", 0, "sha256"), "no hash of the response careful"),
        (lambda c: put(c, c["signature"] + "|colour:red", "signature"), "unknown name 'colour'"),
        (lambda c: put(c, "nowhere.conll", "key", "path"), "cannot be read"),
        (
            lambda c: put(c, "metrics:muc|profile:standard|documents:listed", "signature"),
            "give it with --documents FILE",
        ),
    ],
)
def test_what_cannot_be_repeated(
    folder: Path, change: Callable[[dict[str, Any]], object], message: str
) -> None:
    with pytest.raises(DataError, match=message):
        edited(change)


def test_unknown_fields_and_missing_hashes(folder: Path) -> None:
    content = result(*PLAIN, "-m", "muc")
    content |= {"colour": "red"}
    content["systems"][0] |= {"colour": "red"}
    assert corefkit.verify(content).same
    del content["key"]["sha256"]
    assert corefkit.verify(content, unhashed=True).same


@pytest.mark.parametrize(
    ("text", "arguments", "status", "message"),
    [
        ("[]", (), 1, "not a JSON object"),
        ("{", (), 1, "not JSON"),
        ("{}", (), 1, "it lacks"),
        (None, (), 1, "cannot be read"),
        ("{}", ("--response", "x"), 2, "not of the form NAME=FILE"),
    ],
)
def test_bad_results(
    folder: Path, text: str | None, arguments: tuple[str, ...], status: int, message: str
) -> None:
    if text is not None:
        (folder / "result.json").write_text(text)
    done = run("verify", "result.json", *arguments)
    assert (done.status, done.out) == (status, "")
    assert message in done.err and "Traceback" not in done.err
    assert status == 2 or text is None or "[result-unreadable]" in done.err


def test_a_system_that_is_not_there(folder: Path) -> None:
    with pytest.raises(UsageError, match="the result has no system 'ours'"):
        corefkit.verify(result(*PLAIN, "-m", "muc"), responses={"ours": "careful.conll"})


def deep(content: Any) -> Iterator[list[Any]]:
    """The paths to all numbers."""
    items = content.items() if isinstance(content, dict) else enumerate(content)
    for name, value in items:
        if isinstance(value, dict | list):
            yield from ([name, *rest] for rest in deep(value))
        elif isinstance(value, int | float):
            yield [name]


@pytest.mark.parametrize(
    "arguments",
    [
        (*PLAIN, "--losses", "-m", "muc"),
        (*PLAIN, "--by", "entity:size", "-m", "muc"),
        (*PLAIN, "--window", "100", "-m", "muc"),
        ("score", "key.conll", *RUNS, "--agreement", "-m", "muc"),
        ("compare", "key.conll", *RUNS, "--samples", "20", "-m", "muc"),
        ("errors", "key.conll", "careful.conll", "hasty.conll", "-m", "muc"),
    ],
    ids=" ".join,
)
def test_every_number_counts(folder: Path, arguments: tuple[str, ...]) -> None:
    """Whichever number of a result is another one, it is noticed."""
    from corefkit.plugins.verify.figures import differences, figures

    content = result(*arguments)
    numbers = [path for path in deep(content) if path[-1] not in ("bytes", "line", "column")]
    assert len(numbers) > 30
    for path in numbers[:: len(numbers) // 30]:
        changed = json.loads(json.dumps(content))
        at = changed
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] += 1
        named = [*differences(figures(changed), figures(content))]
        assert len(named) == 1 or path[0] in ("schema", "samples", "seed", "level", "incidents"), (
            path
        )


def test_listed_documents(folder: Path) -> None:
    names = ["nw/harbour/00/harbour_0001", "bc/lantern/00/lantern_0001"]
    (folder / "list.txt").write_text("\n".join(names) + "\n")
    content = result(*PLAIN, "-m", "muc", "--documents", "list.txt")
    (folder / "result.json").write_text(json.dumps(content))
    done = run("verify", "result.json")
    assert done.status == 1 and "give it with --documents FILE" in done.err
    assert run("verify", "result.json", "--documents", "list.txt").status == 0
    (folder / "list.txt").write_text(names[0] + "\n")
    outcome = corefkit.verify("result.json", documents="list.txt")
    assert (outcome.same, outcome.reason) == (False, "figure")


def test_how_files_are_read(folder: Path) -> None:
    """By the signature, which says which of two lists of clusters is the response."""
    line = {"doc_key": "d", "sentences": [["a"] * 9], "clusters": [[[0, 0], [1, 1], [2, 2]]]}
    (folder / "key.jsonl").write_text(json.dumps(line))
    line["predicted_clusters"] = [[[0, 0], [1, 1]]]
    line["other_clusters"] = [[[0, 0], [2, 2]], [[1, 1], [4, 4]]]
    (folder / "response.jsonl").write_text(json.dumps(line))
    options = ("--response-format", "e2e", "--read", "clusters=other_clusters")
    content = result("score", "response.jsonl", "key=response.jsonl", *options, "-m", "muc")
    (folder / "result.json").write_text(json.dumps(content))
    assert run("verify", "result.json", *options).status == 0
    assert run("verify", "result.json").status == 0
    other = ("--read", "clusters=predicted_clusters")
    assert run("verify", "result.json", *other).status == 3, "what is given goes before"
    assert corefkit.verify(content, clusters="other_clusters").same
    with pytest.raises(UsageError, match="unknown keyword"):
        corefkit.verify(content, colour="red")  # type: ignore[call-arg]


def test_files_that_are_read_along(folder: Path) -> None:
    """Concepts and texts beside chains: one changed byte of them is found."""
    text = "the patient saw his doctor\n"
    chain = 'c="the patient" 1:0 1:1||c="his" 1:3 1:3||t="coref person"\n'
    for side in ("key", "response"):
        (folder / side).mkdir()
        (folder / side / "1.txt.chains").write_text(chain)
        (folder / side / "1.txt").write_text(text)
        (folder / side / "1.txt.con").write_text('c="his doctor" 1:3 1:4||t="person"\n')
    content = result("score", "key", "ours=response", "-m", "mentions")
    assert content["key"]["files"] == 1 and content["key"]["companions"]["files"] == 2
    assert corefkit.verify(content).same
    (folder / "response" / "1.txt.con").write_text("")
    outcome = corefkit.verify(content)
    assert (outcome.reason, outcome.exit) == ("file", 3)
    assert "the files that are read along with the response ours have changed" in str(outcome)
    (folder / "response" / "1.txt.con").unlink()
    assert "1 file of 27 bytes" in str(corefkit.verify(content))


def test_a_response_that_could_not_be_scored(folder: Path) -> None:
    (folder / "hasty.conll").write_text(
        "#begin document (d); part 000\nd 0 0 x (1\n#end document\n"
    )
    content = json.loads(run(*PLAIN, "-m", "muc", "-f", "json").out)
    assert content["systems"][1]["scores"] is None
    assert corefkit.verify(content).same
    put(content, content["systems"][0]["scores"], "systems", 1, "scores")
    with pytest.raises(DataError, match="never closed"):
        corefkit.verify(content)


@pytest.fixture
def task(tmp_path: Path) -> Path:
    shutil.copytree(EXAMPLES / "task", tmp_path / "task")
    done = run(
        "task", "run", str(tmp_path / "task" / "task.toml"), "-o", str(tmp_path), "--no-plots"
    )
    assert done.status == 1  # one of its files is broken
    return tmp_path / "task"


def test_tasks(task: Path) -> None:
    written = task.parent / "task.json"
    content = json.loads(written.read_text())
    done = run("verify", str(written), "--root", str(task))
    assert (done.status, done.err) == (0, "")
    elsewhere = run("verify", str(written))
    assert (elsewhere.status, "start with --root" in elsewhere.err) == (1, True)
    outcome = corefkit.verify(content, root=str(task))
    assert outcome.same and outcome.figures > 10_000
    with pytest.raises(UsageError, match="says where its files are"):
        corefkit.verify(content, root=str(task), key="key.conll")
    with pytest.raises(DataError, match="cannot be read"):
        corefkit.verify(content, root=str(task.parent))

    changed = json.loads(written.read_text())
    put(changed, 0.5, "ranking", 0, "official")
    assert "official: 0.5 in the result" in str(corefkit.verify(changed, root=str(task)))
    del changed["responses"][3]
    assert corefkit.verify(changed, root=str(task)).reason == "system"

    for name, what in (
        ("task.toml", "the manifest"),
        ("keys/english.conll", "the key of english"),
        ("responses/heron/arabic.closed.GM.conll", "the response heron arabic closed GM"),
    ):
        data = (task / name).read_bytes()
        (task / name).write_bytes(data + b"\n")
        outcome = corefkit.verify(content, root=str(task))
        assert (outcome.reason, outcome.exit) == ("file", 3)
        assert f"{what} has changed" in str(outcome)
        (task / name).write_bytes(data)
    del content["manifest"]
    with pytest.raises(DataError, match="does not name its manifest"):
        corefkit.verify(content, root=str(task))


@pytest.mark.parametrize(
    "path",
    [
        ("systems", 0, "scores", "bleu"),
        ("systems", 0, "scores", "conll", "recall"),
        ("systems", 0, "f1"),
        ("conll",),
        ("notes",),
    ],
)
@pytest.mark.parametrize("number", [0.99, 0, "76.85", "99 %"])
@pytest.mark.usefixtures("folder")
def test_a_number_that_was_added_is_named(path: tuple[Any, ...], number: float | str) -> None:
    """Also where it is written as a text."""
    if path == ("notes",) and isinstance(number, str):
        return  # they are texts
    value = {"f1": number} if path[-1] == "bleu" else number
    outcome = edited(lambda content: put(content, value, *path))
    assert (outcome.reason, outcome.exit) == ("figure", 3)
    assert f"{path[-1]}: in the result, but scoring again gives no such number" in str(outcome)


@pytest.mark.usefixtures("folder")
def test_every_number_of_a_result_is_verified() -> None:
    """In whatever part of it: one more, or one of them changed."""
    content = result("errors", "key.conll", "careful.conll")
    for path in [("files",), ("files", "key"), ("systems", 0)]:
        added = json.loads(json.dumps(content))
        put(added, 0.5, *path, "bleu")
        assert corefkit.verify(added).reason == "figure", path
    put(content, 7, "files", "key", "bytes")
    assert corefkit.verify(content).reason == "file"
