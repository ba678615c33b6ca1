"""The pictures: the same every time, told apart without colour, left out where empty."""

from pathlib import Path

import pytest

from corefkit.plugins.task import TaskRun, figures, read_manifest, score_task
from tests.plugins.task.support import TASK, write_task
from tests.support import run


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> TaskRun:
    return score_task(read_manifest(TASK), tmp_path_factory.mktemp("parts"))


def test_systems_by_quality(results: TaskRun) -> None:
    figure = figures.systems_by_quality(results)
    assert figure is not None
    shown = [ax for ax in figure.axes if ax.get_visible()]
    assert [ax.get_title() for ax in shown] == ["heron", "ibis", "kestrel", "wren", "dunlin"]
    points = [
        (line.get_marker(), float(line.get_ydata()[0]))  # type: ignore[index, arg-type]
        for line in shown[2].lines
        if line.get_marker() != "None"
    ]
    assert [mark for mark, _ in points] == ["o", "s", "^"] * 2  # kestrel has no Arabic
    assert points[0][1] == pytest.approx(58.91, abs=0.005)


def test_few_systems_are_dots(results: TaskRun) -> None:
    assert figures.boxes(results) is None
    figure = figures.dots(results)
    assert figure is not None
    (ax,) = figure.axes
    points = [line for line in ax.lines if line.get_marker() != "None"]
    scored = [s for s in results.results if results.figure(s) is not None]
    shown = {"NB", "GB", "GM"}
    assert len(points) == sum(s.track == "closed" and s.setting in shown for s in scored)
    assert {line.get_marker() for line in points} == {"o", "s", "^"}


def test_boxes(results: TaskRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "FEW", 2)
    assert figures.dots(results) is None
    figure = figures.boxes(results)
    assert figure is not None
    (ax,) = figure.axes
    labels = [text.get_text() for text in ax.get_xticklabels()]
    assert labels[:4] == ["English\nNB", "English\nGB", "English\nGM", "Chinese\nNB"]
    hatches = [patch.get_hatch() for patch in ax.patches]
    assert len(set(hatches)) == 3  # readable without colour


def test_settings(results: TaskRun) -> None:
    test, training = figures.syntax_in_test(results), figures.syntax_in_training(results)
    assert test is not None
    assert training is not None
    assert [ax.get_title() for ax in test.axes if ax.get_title()] == ["heron", "ibis"]
    assert [ax.get_title() for ax in training.axes if ax.get_title()] == ["heron"]
    lines = next(ax for ax in training.axes if ax.get_title()).lines
    assert len({line.get_linestyle() for line in lines}) == 3
    assert len({line.get_marker() for line in lines}) == 3


def test_nothing_to_show(tmp_path: Path) -> None:
    tiny = score_task(read_manifest(write_task(tmp_path)), tmp_path / "parts")
    assert figures.systems_by_quality(tiny) is None
    assert figures.syntax_in_test(tiny) is None
    assert figures.dots(tiny) is not None


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise ImportError

    monkeypatch.setattr(figures, "draw_all", missing)
    done = run("task", "run", write_task(tmp_path), "-o", tmp_path / "out")
    assert done.status == 0
    assert "corefkit[plots]" in done.err
    assert (tmp_path / "out" / "index.html").is_file()
