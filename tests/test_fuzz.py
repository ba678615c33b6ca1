"""A short, seeded portion of the fuzzing; `make fuzz` goes on for as long as it is told."""

import pytest

from tests import fuzz


@pytest.mark.parametrize("seed", range(4))
def test_portion(seed: int) -> None:
    assert fuzz.run(seed, inputs=500, seconds=120) == 500
