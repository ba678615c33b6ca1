"""One Table in every format."""

import csv
import json
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from io import StringIO
from pathlib import Path
from types import ModuleType

import pytest

from corefkit.core.style import styled
from corefkit.core.texts import to_json, visible, visible_lines
from corefkit.render.markup import escape_latex
from corefkit.render.table import (
    FORMATS,
    Around,
    Heading,
    Table,
    long_table,
    make_table,
    mark_best,
    render_table,
    render_tables,
)

HEADINGS = (
    Heading("system", "System"),
    Heading("muc.f1", "F", "MUC", "score"),
    Heading("n", "n", kind="number"),
)
SCORES = mark_best([0.5, 2 / 3, 0.1], top=2)
TABLE = make_table(
    "t",
    "Two | blocks",
    HEADINGS,
    [[("a_b", SCORES[0], 1), ("指代", SCORES[1], 2000)], [("c", None, 3)]],
    note="A note.",
)
HOSTILE = "a\x1b[31m\r\nb\x9b\u202e|&\\"


def test_text() -> None:
    assert render_table(TABLE, "text") == (
        "Two | blocks\n\n"
        "           MUC\n"
        "System       F      n\n"
        "---------------------\n"
        "a_b     50.00+      1\n"
        "指代    66.67*  2,000\n"
        "---------------------\n"
        "c                   3\n\n"
        "A note.\n"
        "* the best, + among the best four\n"
    )
    with styled(bold=True):
        assert "\x1b[1m66.67\x1b[0m" in render_table(TABLE, "text")


def test_values_are_exact_for_programs() -> None:
    rows = list(csv.DictReader(StringIO(render_table(TABLE, "csv"))))
    assert [row["muc.f1"] for row in rows] == ["0.5", repr(2 / 3), ""]
    data = json.loads(render_table(TABLE, "json"))
    assert data["rows"][1] == {"block": 0, "system": "指代", "muc.f1": 2 / 3, "n": 2000}
    assert data["rows"][2]["block"] == 1


def test_marks_and_escapes() -> None:
    markdown = render_table(TABLE, "markdown")
    assert "| 指代 | **<u>66.67</u>** | 2,000 |" in markdown
    assert "a\\_b" in markdown
    latex = render_table(TABLE, "latex")
    assert "\\textbf{\\underline{66.67}}" in latex
    assert "a\\_b" in latex
    assert latex.count("\\midrule") == 2
    assert "\\multicolumn{1}{c}{MUC}" in latex
    assert "<b><u>66.67</u></b>" in render_table(TABLE, "html")


def test_titles_of_blocks_stand_above_them_or_in_a_column() -> None:
    from corefkit.render.table import make_block

    blocks = [make_block([("x", 0.25, 1)], "first"), make_block([("x", 0.5, 2)], "second")]
    table = make_table("t", "", HEADINGS, blocks)
    assert render_table(table, "text").splitlines()[2:4] == ["first", "x       25.00  1"]
    assert render_table(table, "csv").splitlines()[:2] == [
        "system,system,muc.f1,n",
        "first,x,0.25,1",
    ]
    assert "| first | x | 25.00 | 1 |" in render_table(table, "markdown")
    assert table.to_dict()["rows"][1]["block"] == 1


def test_every_format_takes_an_empty_table() -> None:
    empty = Table("e", "Empty", HEADINGS, ())
    for form in FORMATS:
        assert ("System" in render_table(empty, form)) == (form not in ("csv", "tsv", "json"))


def test_what_is_best() -> None:
    assert [cell.best for cell in mark_best([0.5, 0.50001, 0.4])] == [True, True, False]
    assert [cell.best for cell in mark_best([0.5])] == [False]
    assert [cell.best for cell in mark_best([0.0, 0.0])] == [False, False]
    assert [cell.best for cell in mark_best([0.5, None])] == [False, False]
    assert [cell.top for cell in mark_best([0.5, 0.4, 0.3], top=2)] == [True, True, False]


def test_a_column_can_go() -> None:
    assert [len(line) for line in TABLE.without("n").lines] == [2, 2, 2]
    assert [h.name for h in TABLE.without("muc.f1").headings] == ["system", "n"]


def test_several_tables_as_one_for_programs() -> None:
    table = long_table([TABLE, TABLE])
    lines = [tuple(cell.value for cell in line) for line in table.lines]
    assert lines[:2] == [("Two | blocks", "a_b", "muc.f1", 0.5), ("Two | blocks", "a_b", "n", 1)]
    assert len(lines) == 12


@pytest.mark.parametrize("form", [f for f in FORMATS if f not in ("csv", "tsv")])
def test_names_cannot_move_the_cursor_nor_break_rows(form: str) -> None:
    names = (Heading("system", HOSTILE), Heading("f1", "F", HOSTILE, "score"))
    table = make_table("t", HOSTILE, names, [[(HOSTILE, 0.5)]], note=HOSTILE)
    plain = make_table(
        "t",
        "x",
        (Heading("system", "x"), Heading("f1", "F", "x", "score")),
        [[("x", 0.5)]],
        note="x",
    )
    text, expected = render_table(table, form), render_table(plain, form)
    assert visible_lines(text) == text
    assert "\r" not in text
    assert text.count("\n") <= expected.count("\n") + 1  # a note has lines of its own


def test_visible() -> None:
    assert visible("naïve 指代 می\u200cخواهم") == "naïve 指代 می\u200cخواهم"
    assert visible("a\tb\n") == "a\\tb\\n"
    assert visible(visible(HOSTILE)) == visible(HOSTILE)
    assert visible(b"\xff".decode("utf-8", "surrogateescape")) == "\\xff"


def test_json_keeps_everything_and_is_utf8() -> None:
    value = {"name": HOSTILE, "path": b"\xffx".decode("utf-8", "surrogateescape")}
    text = to_json(value)
    assert json.loads(text.encode("utf-8")) == value
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text)


def test_cells_that_a_spreadsheet_would_run() -> None:
    names = (Heading("a", "a"), Heading("b", "b", kind="number"))
    table = make_table("t", "", names, [[("=1+1", -0.5), ("@x", 1), ("+1", 2), ("x", -3)]])
    with styled(safe=True):
        safe = render_table(table, "csv")
    assert safe.splitlines()[1:] == ["'=1+1,-0.5", "'@x,1", "'+1,2", "x,-3"]
    assert render_table(table, "csv").splitlines()[1] == "=1+1,-0.5"


SYMBOLS = "− ≥ α φ … – — → ■ † ³ ₁ é ü ñ ç ß ł ø 指代 ى \"quoted\" 'x' `y` [z] * a--b <c> ^ ~"
SYMBOLS += " \\ {} # $ % & _ |"


def test_latex_is_ascii() -> None:
    assert escape_latex(SYMBOLS).isascii()
    assert escape_latex("a − b ≥ α") == "a $-$ b $\\geq$ $\\alpha$"
    assert escape_latex("B³ é ł") == "B\\textsuperscript{3} \\'{e} \\l{}"
    assert escape_latex("指") == "\\corefkitletter{6307}"
    table = make_table(
        "t", SYMBOLS, (Heading("x", SYMBOLS, SYMBOLS),), [[(SYMBOLS,)]], note=SYMBOLS
    )
    text = render_tables([table], "latex", Around(signature=SYMBOLS))
    assert text.isascii()
    assert "\\providecommand{\\corefkitletter}" in text


@pytest.mark.look
@pytest.mark.skipif(not shutil.which("pdflatex"), reason="pdflatex is not installed")
def test_latex_compiles(tmp_path: Path) -> None:
    names = (Heading("x", SYMBOLS, SYMBOLS), Heading("y", "F1", "MUC", "score"))
    table = make_table("t", SYMBOLS, names, [[("[x]", 0.5), (SYMBOLS, SCORES[1])]], note=SYMBOLS)
    body = render_tables([table, TABLE], "latex", Around(signature=SYMBOLS))
    page = "\\documentclass{article}\\usepackage[T1]{fontenc}\\usepackage{booktabs}\n"
    page += f"\\begin{{document}}\n{body}\\end{{document}}\n"
    (tmp_path / "t.tex").write_text(page, encoding="ascii")
    done = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "t.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "t.pdf").exists()


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.policy = ""
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag != "script"
        given = dict(attrs)
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""

    def handle_data(self, data: str) -> None:
        self.text += data


def test_a_page_runs_nothing() -> None:
    evil = "<script>alert(1)</script>"
    table = make_table("t", evil, HEADINGS, [[(evil, 0.5, 1)]], note=evil)
    page = _Page()
    page.feed(render_tables([table], "html", Around([evil], signature=evil, title=evil)))
    assert page.policy.startswith("default-src 'none'")
    assert page.text.count(evil) == 6


class Outline(ModuleType):
    """A format of tables that is not one of ours."""

    @staticmethod
    def render_outline(table: Table) -> str:
        return f"* {table.title}"

    @staticmethod
    def join_outline(shown: list[str], around: Around) -> str:
        return "\n".join([*shown, *around.below])


def test_a_renderer_is_a_module_and_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever adds one touches no other renderer, and no function that knows them by name."""
    monkeypatch.setitem(sys.modules, "corefkit.render.outline", Outline("outline"))
    shown = render_tables([TABLE, TABLE], "outline", Around(below=["end"]))
    assert shown == "* Two | blocks\n* Two | blocks\nend"
