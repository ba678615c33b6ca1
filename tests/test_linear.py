"""Time grows with the size of the input and no faster, whatever is wrong with it."""

import time
from collections.abc import Callable

import pytest

from corefkit.profiles import make_options
from corefkit.scoring.checking import check_files
from corefkit.scoring.run import score_systems
from tests.fuzz import served

SMALL, TIMES = 2_000, 4
LIMIT = 3 * TIMES
"""Quadratic growth would be TIMES² = 16; the constant part makes linear growth look slower."""


def document(lines: list[str], name: str = "x") -> str:
    return f"#begin document {name}\n" + "".join(f"d 0 0 w {line}\n" for line in lines)


SHAPES: dict[str, Callable[[int], tuple[str, str]]] = {
    "unclosed": lambda n: (document(["(1"] * n), document(["-"] * n)),
    "bare ids": lambda n: (document(["(1", "|".join(["1"] * n), "1)"]), document(["-"] * 3)),
    "one span, many entities": lambda n: (
        document(["".join(f"({i})" for i in range(n))]),
        document(["(1)"]),
    ),
    "chains that share spans": lambda n: (
        document([f"({i})|({i + 1})" for i in range(n)]),
        document(["(1)"] * n),
    ),
    "documents of other lengths": lambda n: (
        "".join(document(["-"], str(i)) for i in range(n)),
        "".join(document(["-", "-"], str(i)) for i in range(n)),
    ),
    "documents with other words": lambda n: (
        "".join(document(["-"], str(i)) for i in range(n)),
        "".join(document(["-"], str(i)).replace(" w ", " v ") for i in range(n)),
    ),
    "no document in common": lambda n: (
        "".join(document(["-"], f"a{i}") for i in range(n)),
        "".join(document(["-"], f"b{i}") for i in range(n)),
    ),
}


def seconds(texts: tuple[str, str], profile: str) -> float:
    """The processor time of check and score, the better of two."""
    contents = {name: text.encode() for name, text in zip(("key", "response"), texts, strict=True)}
    best = float("inf")
    for _ in range(2):
        began = time.process_time()
        with served(contents):
            check_files("response", against="key")
            score_systems("key", ["response"], make_options(None, profile))
        best = min(best, time.process_time() - began)
    return best


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("profile", ["standard", "coval"])
def test_growth(shape: str, profile: str) -> None:
    small = seconds(SHAPES[shape](SMALL), profile)
    large = seconds(SHAPES[shape](SMALL * TIMES), profile)
    assert large < LIMIT * max(small, 0.02), f"{small:.2f} s, then {large:.2f} s"
