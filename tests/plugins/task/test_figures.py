"""The pictures: the same every time, told apart without colour, left out where empty."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from corefkit.plugins.task import TaskRun, figures, read_manifest, score_task
from tests.plugins.task.support import TASK, write_task
from tests.support import run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> TaskRun:
    return score_task(read_manifest(TASK), tmp_path_factory.mktemp("parts"))


def drawn(results: TaskRun, name: str) -> "Figure | None":
    """The figure of the chart of this name; None if there is no such chart."""
    named = {chart.name: chart for chart in figures.charts(results)}
    return figures.figure_of(named[name], "conll") if name in named else None


def dots_of(ax: "Axes") -> list[tuple[str, float]]:
    """The mark and the value of each dot of a panel."""
    return [
        (str(line.get_marker()), float(line.get_xdata()[0]))  # type: ignore[index, arg-type]
        for line in ax.lines
        if line.get_marker() != "None"
    ]


def test_systems_by_quality(results: TaskRun) -> None:
    figure = drawn(results, "systems-by-mention-quality")
    assert figure is not None
    titles = [ax.get_title(loc="left") for ax in figure.axes]
    assert titles == ["heron", "ibis", "kestrel", "wren", "dunlin"]
    points = dots_of(figure.axes[2])
    assert [mark for mark, _ in points] == ["o", "s", "^"] * 2  # kestrel has no Arabic
    assert points[0][1] == pytest.approx(58.91, abs=0.005)
    assert len({ax.get_xlim() for ax in figure.axes}) == 1
    shown = [(x, ax) for ax in figure.axes for _, x in dots_of(ax)]
    assert max(x for x, _ in shown) == 100
    assert not any(line.get_clip_on() for ax in figure.axes for line in ax.lines)


def test_few_systems_are_dots(results: TaskRun) -> None:
    figure = drawn(results, "dots")
    assert figure is not None
    (ax,) = figure.axes
    scored = [s for s in results.results if results.figure(s) is not None]
    shown = {"NB", "GB", "GM"}
    columns = figures.columns_of_figures(results)
    points = sum(s.track == "closed" and s.setting in shown for s in scored)
    assert len(dots_of(ax)) == points + len(columns)  # and their means
    assert len({mark for mark, _ in dots_of(ax)}) == 6


def test_boxes(results: TaskRun, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(figures, "FEW", 2)
    assert "spread" in figures.draw_all(results)
    (ax,) = figures.boxes(results).axes
    labels = [text.get_text() for text in ax.get_xticklabels()]
    assert labels[:4] == ["English\nNB", "English\nGB", "English\nGM", "Chinese\nNB"]
    hatches = [patch.get_hatch() for patch in ax.patches]
    assert len(set(hatches)) == 3  # readable without colour


def test_settings(results: TaskRun) -> None:
    test, training = drawn(results, "test-syntax"), drawn(results, "training-syntax")
    assert test is not None
    assert training is not None
    assert [ax.get_title(loc="left") for ax in test.axes] == ["heron", "ibis"]
    assert [ax.get_title(loc="left") for ax in training.axes] == ["heron"]
    (ax,) = training.axes
    assert len({mark for mark, _ in dots_of(ax)}) == 3
    assert "NB-trained-gold" in [text.get_text() for text in ax.get_yticklabels()]


def test_nothing_to_show(tmp_path: Path) -> None:
    tiny = score_task(read_manifest(write_task(tmp_path)), tmp_path / "parts")
    assert drawn(tiny, "systems-by-mention-quality") is None
    assert drawn(tiny, "test-syntax") is None


def test_without_matplotlib(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise ImportError

    monkeypatch.setattr(figures, "draw_all", missing)
    done = run("task", "run", write_task(tmp_path), "-o", tmp_path / "out")
    assert done.status == 0
    assert "corefkit[plots]" in done.err
    assert (tmp_path / "out" / "index.html").is_file()
