"""Tables of any layout in every format."""

import csv
import json
from io import StringIO

from corefkit.render.grid import GRID_FORMATS, Cell, Column, Table, label, mark, render_grid

TABLE = Table(
    "t",
    "Two | blocks",
    (Column("system", "System", number=False), Column("muc.f1", "F", "MUC"), Column("n", "n")),
    (
        tuple(
            (label(name), cell, Cell(n, str(n)))
            for name, cell, n in zip(
                ("a_b", "指代"), mark([0.5, 2 / 3], top=2), (1, 2), strict=True
            )
        ),
        ((label("c"), Cell(None, ""), Cell(3, "3")),),
    ),
    note="A note.",
)


def test_text() -> None:
    assert render_grid(TABLE, "text") == (
        "Two | blocks\n\n"
        "           MUC\n"
        "System       F  n\n"
        "-----------------\n"
        "a_b     50.00+  1\n"
        "指代    66.67*  2\n"
        "-----------------\n"
        "c               3\n\n"
        "A note.\n"
        "* the best, + among the best four\n"
    )
    assert "\x1b[1m66.67\x1b[0m" in render_grid(TABLE, "text", bold=True)


def test_values_are_exact_for_programs() -> None:
    rows = list(csv.DictReader(StringIO(render_grid(TABLE, "csv"))))
    assert [row["muc.f1"] for row in rows] == ["0.5", repr(2 / 3), ""]
    data = json.loads(render_grid(TABLE, "json"))
    assert data["rows"][1] == {"block": 0, "system": "指代", "muc.f1": 2 / 3, "n": 2}
    assert data["rows"][2]["block"] == 1


def test_marks_and_escapes() -> None:
    markdown = render_grid(TABLE, "markdown")
    assert "| 指代 | **<u>66.67</u>** | 2 |" in markdown
    assert "a\\_b" in markdown
    latex = render_grid(TABLE, "latex")
    assert "\\textbf{\\underline{66.67}}" in latex
    assert "a\\_b" in latex
    assert latex.count("\\midrule") == 2
    assert "\\multicolumn{1}{c}{MUC}" in latex


def test_every_format_takes_an_empty_table() -> None:
    empty = Table("e", "Empty", TABLE.columns, ())
    assert all("System" in render_grid(empty, f) for f in GRID_FORMATS if f in ("text", "latex"))
    assert all(isinstance(render_grid(empty, f), str) for f in GRID_FORMATS)


def test_equal_figures_are_all_best() -> None:
    assert [cell.bold for cell in mark([0.5, 0.50001, 0.4])] == [True, True, False]
    assert [cell.bold for cell in mark([0.5])] == [False]
