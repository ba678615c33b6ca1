"""Number-first columns, brackets joined by a low line, and words in another column."""

from pathlib import Path

import pytest

import corefkit
from corefkit.formats.kit.reading import read_all

HEAD = "#begin document a\n"


def row(number: str, word: str, cell: str) -> str:
    return "\t".join([number, word, *["_"] * 9, cell]) + "\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.txt"


def test_rows_that_are_no_tokens(path: Path) -> None:
    rows = [
        row("1", "al", "(0"),
        row("2-3", "del", "_"),
        row("2", "de", "0)"),
        row("2.1", "x", "_"),
    ]
    path.write_text(HEAD + "".join(rows) + row("3", "el", "(0)"))
    corpus = corefkit.read(path)
    assert corpus.clusters() == {"a": [[(0, 1), (2, 2)]]}
    assert corpus.column("word") == ["al", "de", "el"]
    assert corefkit.read(path, word_column=1).column("word") == ["1", "2", "3"]


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ([row("1", "a", "_"), row("1-2", "ab", "(0)")], ("token-number", 3)),
        ([row("1", "a", "_"), row("3", "b", "_")], ("token-number", 3)),
        ([row("1", "a", "_"), "2\tb\t_\n"], ("columns-differ", 3)),
    ],
)
def test_defects(path: Path, rows: list[str], wanted: tuple[str, int]) -> None:
    path.write_text(HEAD + "".join(rows))
    found = [i for i in read_all(path).incidents if i.severity == "error"]
    assert [(i.id, i.line) for i in found] == [wanted]


def test_brackets_joined_by_a_low_line(path: Path) -> None:
    cells = ["(0_(1)", "(x_2)_(3", "0)_3)"]
    path.write_text(HEAD + "".join(f"{n}\tw\t{cell}\n" for n, cell in enumerate(cells)))
    corpus = corefkit.read(path)
    assert set(corpus.labels) == {"0", "1", "x_2", "3"}
    assert corpus.mentions == 4


def test_the_column_of_the_words_can_be_said(path: Path) -> None:
    path.write_text(HEAD + "0\tShe\t(1)\n")
    assert corefkit.read(path, word_column=2).column("word") == ["She"]
