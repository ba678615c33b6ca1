"""Packed data: unpacked as gzip would, up to a limit."""

import gzip
import zlib
from random import Random

import pytest

from corefkit.formats.kit import files


def packed(text: bytes, members: int = 1) -> bytes:
    return b"".join(gzip.compress(text, mtime=0) for _ in range(members))


@pytest.mark.parametrize("members", [1, 3])
def test_the_unpacked_size_is_bounded(members: int) -> None:
    text = b"x" * 1000
    assert files.unpack(packed(text, members), 1000 * members) == text * members
    with pytest.raises(files.TooLargeError):
        files.unpack(packed(text, members), 1000 * members - 1)


def test_a_size_that_lies_does_not_help() -> None:
    data = packed(Random(0).randbytes(200_000))
    with pytest.raises(files.TooLargeError):
        files.unpack(data[:-4] + (10).to_bytes(4, "little"), 60_000)


def test_padding_and_rubbish_behind_packed_data() -> None:
    assert files.unpack(packed(b"abc") + b"\0" * 9) == b"abc"
    with pytest.raises(zlib.error):
        files.unpack(packed(b"abc") + b"rubbish")
