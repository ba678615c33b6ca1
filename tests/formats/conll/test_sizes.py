"""What is too large is refused; what is only long takes linear time."""

import time

import pytest

from corefkit import DataError
from corefkit.formats.conll.reader import parse

ROW = "a 0 0 {} NN {}\n"
TOP, END = "#begin document (a); part 000\n", "#end document\n"
MOST = 1 << 20


def file(word: str, last: str) -> bytes:
    return f"{TOP}{ROW.format(word, last)}{END}".encode()


@pytest.mark.parametrize(
    ("word", "last"), [("x" * (MOST + 1), "-"), ("x", f"({'7' * (MOST + 1)})")]
)
def test_a_word_or_an_id_above_one_mebibyte_is_refused(word: str, last: str) -> None:
    with pytest.raises(DataError, match=r"a.conll:2.*1,048,577 bytes, more than 1 MiB"):
        parse(file(word, last), "a.conll").checked()


def test_one_mebibyte_is_read() -> None:
    assert parse(file("x" * MOST, f"({'7' * MOST})"), "a.conll").checked().mentions == 1


@pytest.mark.parametrize(
    ("last", "mentions"),
    [
        ("|".join(f"({n})" for n in range(300_000)), 300_000),
        ("|".join(["(1"] * 150_000 + ["1)"] * 150_000), 150_000),
    ],
    ids=["apart", "nested"],
)
def test_a_cell_of_many_brackets(last: str, mentions: int) -> None:
    begun = time.process_time()
    assert parse(file("x", last), "a.conll").checked().mentions == mentions
    assert time.process_time() - begun < 20
