"""The figure and the LaTeX table of what errors cost have the figures of the JSON."""

import re
from pathlib import Path

import pytest

import corefkit
from corefkit import UsageError
from corefkit.render.error_costs import draw_costs, plot_errors
from tests.support import EXAMPLES, run

KEY, CAREFUL, HASTY = (EXAMPLES / f"{name}.conll" for name in ("key", "careful", "hasty"))


def test_bars_are_shares() -> None:
    pytest.importorskip("matplotlib")
    systems = [corefkit.errors(KEY, path) for path in (CAREFUL, HASTY)]
    types, losses = draw_costs(systems).axes
    rows = [label.get_text() for label in types.get_yticklabels()]
    for errors, bars in zip(systems, types.containers, strict=True):
        widths = [patch.get_width() for patch in bars]
        assert widths == pytest.approx([100 * errors.shares()[row] for row in rows])
    assert [label.get_text() for label in losses.get_yticklabels()] == ["detection", "linking"]
    for errors, bars in zip(systems, losses.containers, strict=True):
        widths = [patch.get_width() for patch in bars]
        assert sum(widths) == pytest.approx(100 * (1 - errors.f1()))


def test_files(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    for ending, begins in (("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")):
        path = tmp_path / f"costs.{ending}"
        assert run("errors", KEY, CAREFUL, HASTY, "--plot", path).status == 0
        assert path.read_bytes().startswith(begins)
    assert run("errors", KEY, CAREFUL, "--plot", tmp_path / "costs.xls").status == 2
    with pytest.raises(UsageError, match="too many"):
        plot_errors([corefkit.errors(KEY, CAREFUL)] * 7, str(tmp_path / "many.png"))


def test_latex_of_one_and_of_several() -> None:
    one = run("errors", KEY, CAREFUL, "-f", "latex").out
    assert one.count("\\begin{tabular}") == 2
    assert "missing-entity & 14 & 15 & 1 & 1 & 13 & 92.62 & \\textbf{3.51}" in one
    several = run("errors", KEY, CAREFUL, HASTY, "-f", "latex").out
    (columns,) = re.findall(r"\\begin{tabular}{(\w+)}", several)
    assert len(columns) == 11
    errors = corefkit.errors(KEY, CAREFUL)
    (line,) = (line for line in several.splitlines() if line.startswith("careful"))
    figures = re.findall(r"\d+\.\d+", line)
    losses = errors.corners["conll"]
    expected = [errors.f1(), *errors.shares().values(), losses.detection, losses.linking]
    assert figures == [f"{100 * value:.2f}" for value in expected]
    by_genre = run("errors", KEY, CAREFUL, "-f", "latex", "--by", "genre").out
    assert "\\begin{tabular}" in by_genre
