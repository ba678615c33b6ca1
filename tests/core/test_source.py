"""Texts as pieces of a buffer, against lists of bytes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corefkit.core.columns import Column
from corefkit.core.options import PLAIN
from corefkit.core.text_pieces import TextPieces
from corefkit.core.tokens import Tokens
from corefkit.formats.registry import parse

TEXT = st.one_of(st.binary(max_size=20), st.sampled_from([b"abcdefgh", b"abcdefghi", b"a\0", b"a"]))
PAIRS = st.lists(st.one_of(st.tuples(TEXT, TEXT), TEXT.map(lambda text: (text, text))), max_size=8)


def pieces(texts: list[bytes], gap: bytes) -> TextPieces:
    """The texts in a buffer, with something between them."""
    end = np.cumsum([len(text) + len(gap) for text in texts], dtype=np.int64) - len(gap)
    start = end - np.array([len(text) for text in texts], dtype=np.int64)
    return TextPieces(np.frombuffer(gap.join(texts), dtype=np.uint8), start, end)


@given(PAIRS, st.sampled_from([b"", b"\t", b"         "]))
def test_texts_that_differ(pairs: list[tuple[bytes, bytes]], gap: bytes) -> None:
    ours, theirs = ([pair[side] for pair in pairs] for side in (0, 1))
    found = pieces(ours, gap).differing(pieces(theirs, b" "))
    assert found.tolist() == [n for n, (one, other) in enumerate(pairs) if one != other]


@given(st.lists(st.lists(TEXT, max_size=4), min_size=1, max_size=4))
def test_texts_of_several_buffers(parts: list[list[bytes]]) -> None:
    joined = TextPieces.join([pieces(texts, b"-") for texts in parts])
    texts = [text.decode("utf-8", "replace") for part in parts for text in part]
    assert joined.texts_of(np.arange(len(texts))) == texts


@given(st.lists(st.text(max_size=2)))
def test_columns_of_texts(texts: list[str]) -> None:
    column = Column.of(texts)
    assert column.values == tuple(dict.fromkeys(texts))
    assert column.to_list() == texts


def test_columns_before_a_missing_one_are_read_together() -> None:
    lines = "".join(f"d 0 {n} w{n} NN -\n" for n in range(3))
    text = f"#begin document (d); part 000\n{lines}\n#end document\n"
    corpus = parse(text.encode(), "tale", PLAIN)
    (source,) = corpus.sources
    Tokens(corpus).prefetch("word", "pos", "parse")
    kept = source.cache["columns"]
    assert {name for name, _ in kept} == {"word", "pos"}
    assert Tokens(corpus).column("word") is kept["word", "replace"]
