"""What is drawn: the figures of the tables, words instead of abbreviations, numbers on axes."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Text

import corefkit
import corefkit.render
from corefkit.render import outcome_plots, outcomes, plots, stats
from corefkit.stats.compare import compare_scores
from tests.support import EXAMPLES, run

KEY = EXAMPLES / "key.conll"
SYSTEMS = ("careful", "hasty", "baseline")
FILES = [EXAMPLES / f"{name}.conll" for name in SYSTEMS]
BEGINS = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF", "html": b"<!doctype"}


@pytest.mark.parametrize("ending", BEGINS)
@pytest.mark.parametrize("command", ["score", "compare"])
def test_formats(tmp_path: Path, command: str, ending: str) -> None:
    path = tmp_path / f"figure.{ending}"
    few = ("-m", "muc", *(("--samples", "200") if command == "compare" else ()))
    assert run(command, KEY, *FILES, *few, "--plot", path).status == 0
    data = path.read_bytes()
    assert data.startswith(BEGINS[ending])
    if command == "score" or ending == "svg":
        again = tmp_path / f"again.{ending}"
        run(command, KEY, *FILES, *few, "--plot", again)
        assert again.read_bytes() == data


def test_names_of_figures_are_checked_first(tmp_path: Path) -> None:
    done = run("compare", KEY, *FILES, "--plot", tmp_path / "a.gif")
    assert done.status == 2
    assert "figures end in .png, .svg, .pdf, .html" in done.err
    assert done.out == ""


def test_scores_by_groups(tmp_path: Path) -> None:
    path = tmp_path / "genres.svg"
    assert run("score", KEY, *FILES, "--by", "genre", "--plot", path).status == 0
    classes = ("-m", "mentions", "--by", "class", "--plot", tmp_path / "classes.svg")
    assert run("score", KEY, *FILES, *classes).status == 0


def test_dots_stand_at_their_figures() -> None:
    scores = {n: corefkit.score(KEY, f) for n, f in zip(SYSTEMS, FILES, strict=True)}
    found = compare_scores(scores, samples=200)
    lines = {"CoNLL": {n: plots.Dot(s.conll) for n, s in scores.items()}}
    (ax,) = plots.draw_lines({"": lines}).axes
    drawn = [float(line.get_xdata()[0]) for line in ax.lines]  # type: ignore[index, arg-type]
    assert drawn == pytest.approx([100 * s.conll for s in scores.values()])
    marks = {(line.get_marker(), line.get_color()) for line in ax.lines}
    assert len({mark for mark, _ in marks}) == len({c for _, c in marks}) == 3  # readable in grey
    assert found.pairs


def test_the_forest_says_what_is_significant() -> None:
    scores = {n: corefkit.score(KEY, f) for n, f in zip(SYSTEMS, FILES, strict=True)}
    found = compare_scores(scores, samples=500)
    (ax,) = plots.draw_forest(found).axes
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert names == ["careful − hasty", "careful − baseline", "hasty − baseline"]
    points = [line for line in ax.lines if line.get_marker() in plots.MARKS]
    tests = [pair.metrics[metric] for pair in found.pairs for metric in found.groups]
    assert len(tests) > len(found.pairs)
    for tested, point in zip(tests, points, strict=True):
        at = float(point.get_xdata()[0])  # type: ignore[index, arg-type]
        assert at == pytest.approx(100 * tested.difference)
        assert tested.p_holm is not None
        full = point.get_markerfacecolor() != "white"
        assert full == (tested.p_holm <= 0.05)


def test_what_the_axis_of_one_pair_says_is_not_cut() -> None:
    scores = {f"response-{n}": corefkit.score(KEY, FILES[n], "conll") for n in range(2)}
    figure = plots.draw_forest(compare_scores(scores, samples=100))
    figure.canvas.draw()
    label = figure.axes[0].xaxis.label.get_window_extent()
    assert figure.bbox.x0 <= label.x0 and label.x1 <= figure.bbox.x1


def test_small_classes_are_folded() -> None:
    bars = {"one": {"a": [700, 0, 0, 0], "b": [290, 0, 0, 0], "c": [6, 0, 0, 0], "d": [0, 0, 4, 0]}}
    folded = outcome_plots._largest_labels(bars)
    assert folded == {"one": {"a": [700, 0, 0, 0], "b": [290, 0, 0, 0], "other": [6, 0, 4, 0]}}
    bars["one"].pop("d")
    assert "c" in outcome_plots._largest_labels(bars)["one"]  # nothing to fold it with


def test_outcomes_have_words() -> None:
    assert list(outcomes.WORDS) == ["tp", "wl", "fn", "fp"]
    assert len({look["hatch"] for look in outcome_plots._LOOKS}) == 4  # told apart without colour


def test_bins_are_numbers() -> None:
    edges, beyond = stats._bins([{1: 50, 2: 30, 4: 20}])
    assert (edges, beyond) == ([1, 2, 3, 4, 5], 0)
    edges, beyond = stats._bins([{1: 980, 5: 10, 1000: 10}])
    assert (edges[0], edges[-1], beyond) == (1, 12, 10)
    edges, _ = stats._bins([dict.fromkeys(range(200), 1)])
    assert len(edges) <= 42
    assert edges[-1] >= 195
    assert stats._bins([{}]) == ([0, 1], 0)


def test_strata_are_drawn_with_a_legend_and_their_sizes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    drawn: list[Figure] = []
    monkeypatch.setattr(plots, "save_figure", lambda figure, _: drawn.append(figure))
    assert (
        run("score", KEY, *FILES, "-m", "muc", "--by", "entity:size", "--plot", "a.svg").status == 0
    )
    (figure,) = drawn
    (ax,) = figure.axes
    assert _texts(ax.get_yticklabels())[:2] == ["size 1: 53 mentions", "size 2: 40 mentions"]
    assert _texts(figure.legends[0].get_texts()) == list(SYSTEMS)
    label = ax.xaxis.label.get_text()
    assert "95 % intervals over samples of documents" in label
    assert "–: nothing to divide by" in label  # MUC of singletons


def test_the_forest_draws_strata() -> None:
    how: dict[str, Any] = {"metrics": "lea", "by": "entity:size", "samples": 200}
    (ax,) = plots.draw_forest(corefkit.compare(KEY, *FILES, **how)).axes
    assert _texts(ax.get_yticklabels())[:3] == ["all", "size 1", "size 2"]
    (ax,) = plots.draw_forest(corefkit.compare(KEY, *FILES[:2], **how)).axes
    assert "careful − hasty" in ax.xaxis.label.get_text()


def test_no_axis_promises_intervals_that_are_not_drawn() -> None:
    lines = {"CoNLL": {"one": plots.Dot(0.5)}}
    (ax,) = plots.draw_lines({"": lines}, "F1", over=plots.SAMPLED).axes
    assert ax.xaxis.label.get_text() == "F1"


def test_legends_are_read_row_by_row() -> None:
    names = [f"system {n}" for n in range(6)]
    lines = {"CoNLL": {name: plots.Dot(0.1 * n) for n, name in enumerate(names)}}
    (legend,) = plots.draw_lines({"": lines}).legends
    assert _texts(legend.get_texts()) == [names[n] for n in (0, 4, 1, 5, 2, 3)]  # by column


def _texts(shown: Iterable[Text]) -> list[str]:
    return [text.get_text() for text in shown]
