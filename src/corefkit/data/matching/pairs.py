"""Pairs: what every matching rule returns."""

from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import IntArray


class Pairs(NamedTuple):
    """Matched mentions: row numbers of key and response, int64 (pairs,), each row at most once."""

    key: IntArray
    response: IntArray

    def and_also(self, key: IntArray, response: IntArray) -> "Pairs":
        """These pairs, and others behind them."""
        return Pairs(np.concatenate((self.key, key)), np.concatenate((self.response, response)))
