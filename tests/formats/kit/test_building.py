"""What formats share when they build a corpus: numbers that are texts."""

import pytest

from corefkit.formats.kit.building import same_text, whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("007", 7),
        ("9" * 18, 10**18 - 1),  # the most digits of which all numbers fit into 64 bits
        ("9" * 19, None),
        ("0" * 19, None),
        ("", None),
        (None, None),
        ("-1", None),
        ("+1", None),
        (" 1", None),
        ("1.0", None),
        ("1_000", None),
        ("²", None),  # a digit, but not a decimal one
        ("\uff11", None),  # a decimal digit, but not an ASCII one
    ],
)
def test_whole_numbers(text: str | None, number: int | None) -> None:
    assert whole_number(text) == number


def test_blanks_make_no_difference() -> None:
    assert same_text("The crew", " The\n crew\t")
    assert same_text("", " ")
    assert not same_text("The crew", "the crew")
    assert not same_text("The crew", "The cre")
