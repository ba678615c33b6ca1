"""A reader that fails on a file is an incident of that file, never the end of the run."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

import corefkit
from corefkit import Corpus, DataError
from corefkit.core.source import Source
from corefkit.formats import registry
from corefkit.scorers.scorer import Scorer
from tests.plugins.task.support import TASK
from tests.support import EXAMPLES, run

KEY = EXAMPLES / "key.conll"
GOOD = EXAMPLES / "hasty.conll"


@pytest.fixture(autouse=True)
def as_users_run_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COREFKIT_DEBUG")


@pytest.fixture
def bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A response that makes its reader fail."""
    parse = registry._parse_as

    def fail(form: Any, data: bytes, *rest: Any) -> Corpus:
        if b"boom" in data:
            raise ZeroDivisionError("a mistake\nof ours")
        return parse(form, data, *rest)

    monkeypatch.setattr(registry, "_parse_as", fail)
    file = tmp_path / "bad.conll"
    file.write_bytes(GOOD.read_bytes() + b"# boom\n")
    return file


def test_the_others_are_scored(bad: Path) -> None:
    both = run("score", KEY, bad, GOOD, "-f", "json")
    alone = run("score", KEY, GOOD, "-f", "json")
    assert both.status == 1
    first, second = json.loads(both.out)["systems"]
    assert first["scores"] is None
    assert second["scores"] == json.loads(alone.out)["systems"][0]["scores"]
    assert f"{bad}: error: internal error, please report it: ZeroDivisionError" in both.err
    assert "COREFKIT_DEBUG=1" in both.err


def test_python_and_check(bad: Path) -> None:
    with pytest.raises(DataError) as error:
        corefkit.read(bad)
    (incident,) = error.value.incidents
    assert (incident.id, incident.file) == ("internal-error", str(bad))
    assert isinstance(error.value.__cause__, ZeroDivisionError)
    assert [i.id for i in corefkit.check(bad, GOOD)] == ["internal-error"]


def test_debugging_shows_where(bad: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COREFKIT_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        corefkit.read(bad)


def test_one_file_of_a_folder_is_named(bad: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Corpus:
        raise IndexError

    monkeypatch.setattr(registry, "parse", fail)
    (bad.parent / "good.conll").write_bytes(GOOD.read_bytes())
    with pytest.raises(DataError) as error:
        corefkit.read(bad.parent)
    assert {(i.id, i.file) for i in error.value.incidents} == {("internal-error", str(bad))}


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_campaign_goes_on(bad: Path, tmp_path: Path, jobs: str) -> None:
    folder = tmp_path / "task"
    shutil.copytree(TASK.parent, folder)
    response = folder / "responses" / "heron" / "english.closed.NB.conll"
    response.write_bytes(response.read_bytes() + b"# boom\n")
    arguments = ("--no-plots", "--allow-broken", "--jobs", jobs)
    ended = run("task", "run", folder / TASK.name, "-o", tmp_path / "out", *arguments)
    assert ended.status == 0
    place = "responses/heron/english.closed.NB.conll: error: internal error"
    assert place in ended.err
    ranking = json.loads((tmp_path / "out" / "task.json").read_text())["ranking"]
    assert {row["system"] for row in ranking} >= {"heron", "ibis"}
    checked = run("task", "check", folder / TASK.name)
    assert checked.status == 1
    assert "internal error, please report it: ZeroDivisionError" in checked.out


@pytest.mark.parametrize("name", ["choose_mentions", "unify", "lookups"])
def test_later_steps(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    step = getattr(Scorer, name)

    def fail(scorer: Scorer, *sides: Any) -> Any:
        if str(GOOD) in {source.path for side in sides for source in _sources(side)}:
            raise IndexError("out of range")
        return step(scorer, *sides)

    monkeypatch.setattr(Scorer, name, fail)
    ended = run("score", KEY, GOOD, KEY, "-f", "json")
    first, second = json.loads(ended.out)["systems"]
    assert first["scores"] is None
    assert second["scores"] is not None
    assert f"{GOOD}: error: internal error, please report it: IndexError" in ended.err


def _sources(side: Any) -> tuple[Source, ...]:
    side = getattr(side, "response_side", side)
    sources: tuple[Source, ...] = getattr(getattr(side, "corpus", side), "sources", ())
    return sources


def test_columns_that_are_read_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise KeyError("word")

    corpus = corefkit.read(KEY)
    monkeypatch.setattr(type(corpus.sources[0]), "find_columns", fail)
    with pytest.raises(DataError) as error:
        corpus.sources[0].columns("word")
    assert error.value.incidents[0].file == str(KEY)
    with pytest.raises(DataError):
        Source("a", b"", 0, 0).once("x", lambda: 1 // 0)
