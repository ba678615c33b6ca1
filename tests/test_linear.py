"""Work grows with the size of the input and no faster, whatever is wrong with it.

Counted in lines of Python that run; the time is measured by `make bench`.
"""

from pathlib import Path

import pytest
from bench.growth import SHAPES, TIMES, steps, write

SMALL = 250
LIMIT = 1.5 * TIMES
"""Quadratic growth would be TIMES² = 16; n log n and a constant part are allowed."""


@pytest.mark.parametrize("shape", SHAPES)
def test_growth(shape: str, tmp_path: Path) -> None:
    write(shape, 10, tmp_path)()  # what is imported is no part of it
    small, large = (steps(write(shape, n, tmp_path)) for n in (SMALL, SMALL * TIMES))
    assert large < LIMIT * small, f"{small:,} steps, then {large:,}"
