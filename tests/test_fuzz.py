"""A short, seeded portion of the fuzzing; `make fuzz` goes on for as long as it is told."""

import pytest

from tests import fuzz
from tests.strategies import TIMES


@pytest.mark.long
@pytest.mark.more
@pytest.mark.parametrize("seed", range(2 * TIMES))
def test_portion(seed: int) -> None:
    assert fuzz.run(seed, inputs=500, seconds=120) == 500
