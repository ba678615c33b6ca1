"""Where the words are: in files of few columns, of some tokens only, as pieces of the file."""

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import corefkit
from corefkit import DataError
from corefkit.core.corpus import concat
from corefkit.core.tokens import read_columns_at
from corefkit.formats.conll.lines import Lines
from corefkit.formats.conll.reader import parse

HEADER = "#begin document (a); part 000\n"


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("0\tShe\t(1)\n1\tran\t-\n2\t7\t-\n", ["She", "ran", "7"]),  # GUM
        ("1 She (1)\n2 ran -\n\n1 It -\n", ["She", "ran", "It"]),
        ("She\t(1)\nran\t-\n", ["She", "ran"]),
        ("She\tX\t(1)\nran\tY\t-\n", ["She", "ran"]),
    ],
)
def test_found_by_content(tmp_path: Path, lines: str, words: list[str]) -> None:
    path = tmp_path / "a.conll"
    path.write_text(f"{HEADER}{lines}#end document\n")
    assert corefkit.read(path).column("word") == words


@pytest.mark.parametrize(
    "lines",
    ["a\t(1)\na\t-\na\t-\n", "a\t0\t(1)\na\t1\t-\n", "0\t(1)\n1\t-\n", "7\tx\t(1)\n3\ty\t-\n"],
)
def test_not_guessed(tmp_path: Path, lines: str) -> None:
    path = tmp_path / "a.conll"
    path.write_text(f"{HEADER}{lines}#end document\n")
    with pytest.raises(DataError, match="column-missing"):
        corefkit.read(path).column("word")


def test_columns_of_some_tokens_are_those_of_all() -> None:
    """Lines that are not asked for make no difference: blanks, tabs, comments, empty columns."""
    rng = random.Random(7)
    for _ in range(200):
        separator = rng.choice(["\t", " ", "   "])
        lines = []
        for number in range(rng.randrange(1, 12)):
            cells = ["a", "0", str(number), rng.choice(["She", "ran", "déjà"]), "NN", "(NP*)"]
            last = rng.choice(["(1)", "-", "" if separator == "\t" else "-"])
            lines.append(separator.join([*cells, last]) + rng.choice(["", "  ", "\r"]))
            lines += rng.choice([[], [], ["# a comment"], [""]])
        text = "\n".join([HEADER.strip(), *lines, "#end document", ""])
        both = f"{text}{text.replace('(a)', '(b)')}".encode()
        corpus = concat([parse(both, "one"), parse(text.encode().replace(b"(a)", b"(c)"), "two")])
        words = corpus.column("word")
        tokens = np.array(sorted(rng.sample(range(len(words)), rng.randrange(len(words) + 1))))
        word, tag = read_columns_at(corpus, tokens.astype(np.int64), "word", "pos")
        assert word.to_list() == [words[token] for token in tokens.tolist()]
        assert tag.to_list() == ["NN"] * len(tokens)


def test_a_column_that_some_line_lacks_is_reported_at_the_first() -> None:
    text = f"{HEADER}a\t0\t0\tShe\t(1)\na\t0\t1\t-\na\t0\t2\t-\n#end document\n"
    corpus = parse(text.encode(), "one")
    assert read_columns_at(corpus, np.array([0]), "word")[0].to_list() == ["She"]
    with pytest.raises(DataError) as raised:
        read_columns_at(corpus, np.array([2]), "word")
    assert raised.value.incidents[0].line == 3


CELL = st.integers(0, 80).map(lambda length: "aé"[length % 2] * length)


@given(
    st.lists(st.lists(CELL, min_size=1, max_size=7), min_size=1, max_size=6),
    st.integers(0, 5),
    st.sampled_from(["\t", " "]),
    st.integers(1, 90),
)
def test_one_cell_of_each_row(
    cells: list[list[str]], number: int, separator: str, gap: int
) -> None:
    """Whatever the width of a cell or of the gap before it; what follows a row is not of it."""
    tabbed = separator == "\t"
    joined = ("\t" if tabbed else " " * gap).join
    rows = [row for row in (joined(["x", *line]) for line in cells) if row.strip()]
    rows = [row.rstrip() + (separator if len(row) % 3 else "") for row in rows]
    split = [row.rstrip().split("\t") if "\t" in row.rstrip() else row.split() for row in rows]
    lines = Lines("\n".join([HEADER.strip(), *rows]).encode())
    lacking = {int(row) - 1 for row in lines.lacking}
    wanted = [[*row, ""] if at in lacking else row for at, row in enumerate(split)]
    found = lines.pieces(number)
    texts = [
        lines.data[a:b].decode() if b >= 0 else None
        for a, b in zip(found.start.tolist(), found.end.tolist(), strict=True)
    ]
    assert texts == [row[number] if len(row) > number + 1 else None for row in wanted]
