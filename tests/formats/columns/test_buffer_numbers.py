"""Numbers in a buffer are those that a regular expression finds."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats.columns.buffer import DIGITS, read_numbers


@given(st.text("0129/:. x", max_size=30))
def test_numbers_at_all_places(text: str) -> None:
    """Up to nine digits from each place on, also where the buffer ends with one."""
    data = text.encode()
    number, stop = read_numbers(np.frombuffer(data, dtype=np.uint8), np.arange(len(data)))
    for place in range(len(data)):
        digits = re.match(rb"[0-9]{0,9}", data[place:])
        assert digits
        assert int(number[place]) == int(digits[0] or b"0")
        assert int(stop[place]) == place + len(digits[0])


@pytest.mark.parametrize("length", [DIGITS - 1, DIGITS, DIGITS + 1])
def test_long_numbers_end_early(length: int) -> None:
    data = b"7" * length
    number, stop = read_numbers(np.frombuffer(data, dtype=np.uint8), np.array([0]))
    assert (int(number[0]), int(stop[0])) == (int(data[:9]), min(length, 9))
