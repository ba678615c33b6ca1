"""Texts as pieces of a buffer."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corefkit.core.text_pieces import TextPieces

WORDS = st.text(alphabet="abß", max_size=20)


@given(st.lists(st.tuples(WORDS, WORDS | st.none()), max_size=8))
def test_differing_compares_whole_texts(pairs: list[tuple[str, str | None]]) -> None:
    """None stands for the same text; texts of several times eight bytes are among them."""
    one = [text for text, _ in pairs]
    other = [text if changed is None else changed for text, changed in pairs]
    found = TextPieces.of(one).differing(TextPieces.of(other))
    assert found.tolist() == [n for n, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]


def test_pieces_of_one_buffer_may_overlap_and_end_with_it() -> None:
    buffer = np.frombuffer(b"abcabcabcabc", np.uint8)
    one = TextPieces(buffer, np.array([0, 3, 2]), np.array([9, 12, 12]))
    other = TextPieces(buffer, np.array([3, 0, 1]), np.array([12, 9, 11]))
    assert one.differing(other).tolist() == [2]
