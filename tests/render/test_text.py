"""Tables on a terminal: nothing in them steers it, and bars are as long as their shares."""

from fractions import Fraction

import pytest

from corefkit.core.style import styled
from corefkit.core.texts import visible_lines
from corefkit.render.table import (
    Around,
    Heading,
    make_block,
    make_table,
    render_table,
    render_tables,
)
from corefkit.render.text import bars, paint, render_text

HOSTILE = "a\x1b[31m\r\x9b\u202eb"
HEADINGS = (Heading("name", "Name"), Heading("n", "n", kind="number"))


def test_titles_of_blocks_are_harmless() -> None:
    table = make_table("t", "", HEADINGS, [make_block([("x", 1)], HOSTILE)])
    text = render_table(table, "text")
    assert visible_lines(text) == text
    assert "a\\x1b[31m\\r\\x9b\\u202eb" in text


@pytest.mark.parametrize("place", ["above", "below"])
def test_lines_around_tables_are_harmless(place: str) -> None:
    table = make_table("t", "", HEADINGS, [[("x", 1)]])
    around = Around(**{place: [HOSTILE, "fine"]})  # type: ignore[arg-type]
    text = render_tables([table], "text", around)
    assert visible_lines(text) == text
    assert "a\\x1b[31m\\r\\x9b\\u202eb" in text and "fine" in text


def test_long_notes_are_wrapped() -> None:
    note = "short\n\n" + "a note of many words " * 10
    table = make_table("t", "", HEADINGS, [[("x", 1)]], note=note.rstrip())
    text = render_table(table, "text")
    assert max(map(len, text.splitlines())) <= 100
    assert "short\n\na note" in text
    assert " ".join(note.split()) in " ".join(text.split())


def test_lines_below_may_be_several() -> None:
    table = make_table("t", "", HEADINGS, [[("x", 1)]])
    assert "one\n  two" in render_tables([table], "text", Around(below=["one\n  two"]))
    assert "one\\n  two" in render_tables([table], "text", Around(above=["one\n  two"]))


def test_empty_cells_are_not_painted() -> None:
    headings = (Heading("name", "Name"), Heading("x", "x", colour="red"), Heading("y", "y"))
    table = make_table("t", "", headings, [[("a", "b", "c"), ("d", "", "e")]])
    with styled(bold=True):
        text = render_table(table, "text")
        assert text.splitlines()[1:] == [f"a     {paint('b', 'red')}  c", "d        e"]


@pytest.mark.parametrize("counts", [(3, 2, 1), (7, 5), (1, 0), (40, 39, 1), (9, 4)])
def test_bars_are_rounded_to_the_nearest_length(counts: tuple[int, ...]) -> None:
    lines = bars({str(place): n for place, n in enumerate(counts)}, wide=10).split("\n")
    for line, n in zip(lines, counts, strict=True):
        exact = Fraction(10 * n, max(counts))
        assert abs(line.count("█") - exact) <= Fraction(1, 2)


def test_texts_of_the_last_column_are_folded_where_a_table_is_too_wide() -> None:
    headings = [
        Heading("name", "name"),
        Heading("n", "n", kind="number"),
        Heading("title", "title"),
    ]
    long = " ".join(f"word{number}" for number in range(30))
    blocks = [[("a", 1, long)], [("b", 2, "short")]]
    lines = render_text(make_table("t", "Title", headings, blocks)).splitlines()
    assert max(map(len, lines)) <= 100
    assert " ".join(line[9:].strip() for line in lines[4:-2]) == long
    assert lines[-2] == lines[3]
    assert lines[-1] == "b     2  short"
    narrow = [[("a", 1, "short")], [("b", 2, "short")]]
    assert len(render_text(make_table("t", "Title", headings, narrow)).splitlines()) == 7
