"""A few campaigns that are killed; `python -m tests.kill` goes on for as long as it is told."""

import pytest

from tests import kill
from tests.strategies import TIMES


@pytest.mark.long
@pytest.mark.more
def test_portion() -> None:
    assert kill.run_campaigns(seed=23, campaigns=2 * TIMES) > 0
