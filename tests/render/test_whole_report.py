"""Renderers for people: what each must escape, mark and leave out."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

import corefkit
from corefkit import Corpus, Evaluator
from corefkit.core.style import styled
from corefkit.render import FORMATS, render
from corefkit.render.markup import escape_latex
from corefkit.scorers import make_options
from corefkit.scoring.report import Report
from corefkit.scoring.run import score_systems
from tests.support import EXAMPLES

KEY = EXAMPLES / "key.conll"


@pytest.fixture
def odd_names(tmp_path: Path) -> Report:
    """Two systems whose names mean something to Markdown and LaTeX."""
    names = ["a_b|c*", "50%_&_$x"]
    for name, source in zip(names, ("careful", "hasty"), strict=True):
        (tmp_path / f"{name}.conll").write_bytes((EXAMPLES / f"{source}.conll").read_bytes())
    paths = [tmp_path / f"{name}.conll" for name in names]
    return score_systems(KEY, paths, make_options("muc,conll")).divided()


def test_markdown_escapes_names(odd_names: Report) -> None:
    lines = render(odd_names, "markdown").splitlines()
    assert lines[2].startswith(r"| a\_b\|c\* | **")
    unescaped = [re.sub(r"\\.", "", line).count("|") for line in lines[:4]]
    assert len(set(unescaped)) == 1


def test_latex_escapes_names(odd_names: Report) -> None:
    text = render(odd_names, "latex")
    assert r"50\%\_\&\_\$x & " in text
    assert escape_latex("\\^~") == r"\textbackslash{}\textasciicircum{}\textasciitilde{}"
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len({re.sub(r"\\.", "", row[:-2]).count("&") for row in rows[1:]}) == 1


def test_only_the_best_of_several_is_bold(odd_names: Report) -> None:
    with styled(bold=True):
        bold = render(odd_names, "text")
    plain = render(odd_names, "text")
    assert "\x1b" not in plain
    assert re.sub(r"\x1b\[\dm", "", bold) == plain
    best = re.findall(r"\x1b\[1m([\d.]+)\x1b\[0m", bold)
    careful = corefkit.score(KEY, EXAMPLES / "careful.conll", metrics="muc,conll")
    assert best[0] == f"{100 * careful['muc'].f1:.2f}"


def test_zero_is_never_the_best() -> None:
    key = Corpus.from_clusters({"a": [[(0, 0), (1, 1)]]})
    nothing = Corpus.from_clusters({"a": [[(2, 2), (3, 3)]]})
    report = score_systems(key, [nothing, nothing], make_options("muc")).divided()
    assert "textbf" not in render(report, "latex")
    assert "**" not in render(report, "markdown")


def test_one_system_has_nothing_to_be_better_than() -> None:
    report = score_systems(KEY, [EXAMPLES / "careful.conll"], make_options("muc"))
    with styled(bold=True):
        assert "\x1b" not in render(report.divided("genre"), "text")
    assert "**" not in render(report.divided("genre"), "markdown")


@pytest.mark.parametrize(
    "form", [f for f in FORMATS if f not in ("conll", "corefud", "model-index")]
)
@pytest.mark.parametrize("by", [None, "genre", "document"])
def test_every_format_renders_every_grouping(form: str, by: str | None) -> None:
    report = score_systems(KEY, [EXAMPLES / "hasty.conll"], make_options())
    text = render(report.divided(by), form)
    assert text.endswith("\n")
    assert ("nw" in text) == (by is not None)


class _Cells(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_notebook() -> None:
    scores = Evaluator("muc,conll").update(["abc", "defg"], ["ab", "cd", "fghi"]).scores()
    page = _Cells()
    page.feed(scores._repr_html_())
    assert page.open == []
    words = [text for text in page.text if text.strip()]
    assert words[:2] == ["muc", "40.00"]  # the chart
    assert words[7:12] == ["MUC", "40.00", "40.00", "40.00", "CoNLL"]
    chart = re.search(r"<svg [^>]*height='(\d+)'", scores._repr_html_())
    assert chart
    assert int(chart[1]) == 2 * 18 + 2
    assert scores.signature in page.text


def test_scores_print_well_and_mention_warnings() -> None:
    scores = Evaluator("muc").update(["aab"], ["ab"]).scores()
    assert str(scores).splitlines()[1].split() == ["MUC", "100.00", "100.00", "100.00"]
    assert "1 warning: see .incidents" in str(scores)
    assert repr(scores) == "Scores(muc 100.00)"
    assert "warning" not in str(Evaluator("muc").update(["ab"], ["ab"]).scores())


def test_names_in_wide_letters_are_aligned(tmp_path: Path) -> None:
    key = Corpus.from_clusters({"(新闻/a)": [[(0, 0), (1, 1)]], "(wb/b)": [[(0, 0), (1, 1)]]})
    report = score_systems(key, [key], make_options("muc"))
    lines = [
        line for line in render(report.divided("genre"), "text").splitlines() if "100.00" in line
    ]
    assert lines[1].startswith("wb              2  100.00")
    assert lines[2].startswith("新闻            2  100.00")
