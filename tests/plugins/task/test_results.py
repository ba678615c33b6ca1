"""Comparisons that a run keeps: read where nothing changed, made again where anything did."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest

from corefkit.plugins.task import Task, TaskRun, read_manifest, results, score_task
from corefkit.stats.compare import Significance
from tests.plugins.task.support import TASK, tree


def _task(*changes: tuple[str, str]) -> Task:
    """The example, with fewer samples and these changes."""
    text = TASK.read_text(encoding="utf-8")
    for old, new in (("samples = 2000", "samples = 200"), *changes):
        assert old in text
        text = text.replace(old, new)
    return read_manifest(TASK, text)


def _compared(run: TaskRun) -> list[Significance]:
    """All comparisons of a run, the official one last."""
    assert run.official_comparison
    return [*run.comparisons.values(), run.official_comparison]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The parts of a run that made its comparisons."""
    folder = tmp_path_factory.mktemp("comparisons") / "parts"
    _compared(score_task(_task(), folder, jobs=1))
    return folder


@pytest.fixture
def parts(first: Path, tmp_path: Path) -> Path:
    """A copy of them."""
    return Path(copytree(first, tmp_path / "parts"))


@pytest.fixture
def made(first: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions that made a comparison, one per call."""
    calls: list[str] = []

    def counted(name: str) -> Callable[..., Significance]:
        real = getattr(results, name)

        def call(*arguments: object, **options: object) -> Significance:
            calls.append(name)
            compared: Significance = real(*arguments, **options)
            return compared

        return call

    for name in ("compare_scores", "compare_means"):
        monkeypatch.setattr(results, name, counted(name))
    return calls


def test_kept_comparisons_are_those_that_would_be_made(parts: Path, made: list[str]) -> None:
    files = tree(parts)
    run = score_task(_task(), parts, jobs=1)
    kept = _compared(run)
    assert made == []
    assert tree(parts) == files
    anew = _compared(replace(run, kept=None))
    assert len(made) == len(anew)
    assert kept == anew
    # Not only equal: also lists and tuples are the same.
    assert [repr(one.to_dict()) for one in kept] == [repr(one.to_dict()) for one in anew]


@pytest.mark.parametrize("damage", ["figure", "half", "gone"])
def test_damaged_comparison_is_made_again(parts: Path, made: list[str], damage: str) -> None:
    path = parts / "significance-english-closed.json"
    whole = path.read_text(encoding="utf-8")
    if damage == "figure":
        path.write_text(whole.replace('"wins": ', '"wins": 1'), encoding="utf-8")
    elif damage == "half":
        path.write_text(whole[: len(whole) // 2], encoding="utf-8")
    else:
        path.unlink()
    _compared(score_task(_task(), parts, jobs=1))
    assert made == ["compare_scores"]
    assert path.read_text(encoding="utf-8") == whole


@pytest.mark.parametrize(
    "change",
    [
        ("samples = 200", "samples = 201"),
        ("seed = 2012", "seed = 7"),
        ("seed = 2012", "seed = 2012\nlevel = 0.9"),
    ],
)
def test_other_tests_are_made(parts: Path, made: list[str], change: tuple[str, str]) -> None:
    run = score_task(_task(change), parts, jobs=1)
    assert len(_compared(run)) == len(made)


def test_other_version(parts: Path, made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("corefkit.plugins.task.parts.__version__", "0")
    assert len(_compared(score_task(_task(), parts, jobs=1))) == len(made)


def test_other_counts(parts: Path, made: list[str]) -> None:
    run = score_task(_task(), parts, jobs=1)
    slot, other = (
        next(s for s in run.task.slots(system=system, language="english", setting="NB"))
        for system in ("ibis", "heron")
    )
    changed = {**run.results, slot: run.results[slot]._replace(scores=run.scores(other))}
    _compared(replace(run, results=changed))
    assert sorted(made) == ["compare_means", "compare_scores"]


def test_nothing_is_written_where_the_folder_is_gone(parts: Path) -> None:
    run = score_task(_task(("seed = 2012", "seed = 1")), parts, jobs=1)
    parts.rename(parts.with_name("elsewhere"))
    assert run.comparisons
    assert not parts.exists()


def test_folder_of_that_name(parts: Path) -> None:
    """Where a comparison cannot be kept, it is made each time."""
    path = parts / "significance-english-closed.json"
    path.unlink()
    path.mkdir()
    run = score_task(_task(), parts, jobs=1)
    assert _compared(run) == _compared(replace(run, kept=None))
    assert path.is_dir()
