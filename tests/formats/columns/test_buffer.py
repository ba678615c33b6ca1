"""Texts in a buffer, without what stands around them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats.columns import buffer as buffers
from corefkit.formats.columns.buffer import find_and_tally, find_byte, strip

pieces = st.lists(
    st.tuples(st.sampled_from([0, 1, 3, 70]), st.sampled_from([b"", b"a", b"a b"])), min_size=1
)


@pytest.mark.parametrize("left", [True, False])
@given(pieces, st.sampled_from([0, 2, 90]))
def test_strip_is_that_of_bytes(left: bool, some: list[tuple[int, bytes]], behind: int) -> None:
    """Short runs of blanks are walked over together, long ones one by one."""
    texts = [b" " * blanks + word + b"\t" * behind for blanks, word in some]
    end = np.cumsum([len(text) for text in texts]) + 1
    begin = end - [len(text) for text in texts]
    buffer = np.frombuffer(b"x" + b"".join(texts) + b"x", dtype=np.uint8)
    first, last = strip(buffer, begin, end, b" \t", left=left)
    found = [buffer[a:b].tobytes() for a, b in zip(first, last, strict=True)]
    assert found == [text.strip(b" \t") if left else text.rstrip(b" \t") for text in texts]


@given(st.text("ab|", max_size=300))
def test_bytes_are_found_piece_by_piece(text: str) -> None:
    """The places and the tally are those of the text, however many pieces it is read in."""
    data = text.encode()
    buffer = np.frombuffer(data, dtype=np.uint8)
    wanted = [at for at, letter in enumerate(text) if letter == "|"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(buffers, "_SMALL_CHUNK", 64)
        patch.setattr(buffers, "_CHUNK", 64)
        places, tally = find_and_tally(buffer, lambda piece: piece == ord("|"))
        assert find_byte(buffer, ord("|")).tolist() == places.tolist() == wanted
    counts = [text[:at].count("|") for at in range(len(text) + 1)]
    assert tally.before(np.arange(len(text) + 1)).tolist() == counts
