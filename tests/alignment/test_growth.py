"""Work grows with the size of the text and no faster, whatever was done to it."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from bench.growth import TIMES, steps

from corefkit.alignment import letters
from corefkit.alignment.words import align_words
from corefkit.core.options import PLAIN
from corefkit.formats import registry

LIMIT = 1.6 * TIMES
"""Quadratic growth would be TIMES² = 16; n log n is allowed."""


def _words(size: int) -> list[str]:
    random = np.random.default_rng(size)
    return [f"w{n:x}" for n in random.integers(0, 4000, size).tolist()]


def _changed(size: int) -> tuple[list[str], str]:
    words = _words(size)
    return words, " ".join(w for i, w in enumerate(words) if i % 29)


SHAPES: dict[str, Callable[[int], tuple[list[str], str]]] = {
    "words dropped": _changed,
    "another text": lambda n: (_words(n), " ".join(_words(n + 1))),
    "repeated": lambda n: (["ab"] * n, "x" + "ba" * n + "y"),
    "broken off": lambda n: (_words(n), " ".join(_words(n)[: n // 2])),
    "moved": lambda n: (_words(n), " ".join(_words(n)[n // 2 :] + _words(n)[: n // 2])),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_alignment(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters, "EXACT", 400)
    small, large = (steps(partial(align_words, *SHAPES[shape](n))) for n in (300, 300 * TIMES))
    assert large < LIMIT * small, f"{small:,} steps, then {large:,}"


@pytest.mark.parametrize(
    ("name", "piece"),
    [
        ("markdown", "["),
        ("markdown", "[a](#1)"),
        ("markdown", "](#"),
        ("tags", "<coref "),
        ("tags", '<coref id="1">'),
        ("seq2seq", "<speaker> "),
        ("seq2seq", "<m> | 1 "),
        ("text2text", "a|[e1 "),
        ("text2text", "a|[e1,e1] "),
        ("sacr", '{a:b="'),
        ("sacr", '{a:b="c" '),
        ("winobias", "[("),
    ],
)
def test_marks(name: str, piece: str) -> None:
    parse = registry.get_format(name).parse
    parse(piece.encode(), "a", PLAIN)  # what is imported is no part of it
    small, large = (
        steps(partial(parse, piece.encode() * n, "a", PLAIN)) for n in (500, 500 * TIMES)
    )
    assert large < LIMIT * small, f"{small:,} steps, then {large:,}"
