"""Pairs: what every matching rule returns."""

from typing import NamedTuple

from corefkit.data.arrays import IntArray


class Pairs(NamedTuple):
    """Matched mentions: row numbers of key and response, int64 (pairs,), each row at most once."""

    key: IntArray
    response: IntArray
