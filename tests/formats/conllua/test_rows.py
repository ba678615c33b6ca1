"""The rows of a file: which are zeros and tokens, and which cells of a column are filled."""

import time

from hypothesis import given
from hypothesis import strategies as st

from corefkit.core.incidents import Collector
from corefkit.formats.conllua import reader
from corefkit.formats.conllua.rows import Rows

ids = st.sampled_from(["1", "0", "0.1", "10", "2.10", "x.y", "1" * 30 + ".1", "_"])
cells = st.sampled_from(["_", "", "__", "_a", "(a", ".", "0.1", "a_"])
lines = st.lists(
    st.builds(lambda first, others: "\t".join([first, *others]), ids, st.lists(cells, max_size=13))
)


@given(lines)
def test_bytes_of_cells(texts: list[str]) -> None:
    data = "\n".join(["# newdoc id = a", *texts]).encode()
    rows = Rows(data, Collector())
    for place, name in ((10, "IDENTITY"), (11, "BRIDGING"), (2, "LEMMA")):
        filled = rows.filled(name)
        for node, byte, text in filled:
            assert data[byte:].startswith(text.encode())
            assert data[:byte].rpartition(b"\n")[2].count(b"\t") == place
            assert text == texts[rows.line[node] - 1].split("\t")[place]
        split = [text.rstrip().split("\t") for text in texts]
        listed = [own[place] for own in split if own[0] != "0" and len(own) > place]
        assert [text for *_, text in filled] == [cell for cell in listed if cell not in ("", "_")]


def test_cells_apart_by_blanks() -> None:
    data = "# newdoc id = a\n 1  é   _ _ _ _ _ _ _ _ (EntityID=1)\n".encode()
    rows = Rows(data, Collector())
    ((_, byte, text),) = rows.filled("IDENTITY")
    assert text == "(EntityID=1)"
    assert data[byte:].decode().startswith("(EntityID=1)")


def test_a_document_may_be_called_newdoc() -> None:
    row = "\t".join(["1", "newdoc", *["_"] * 8, "(EntityID=1)", "_", "_"])
    text = f"# newdoc id = newdoc\n# text = newdoc\n{row}\n"
    assert reader.parse(text.encode(), "tale", "identity").checked().names == ("newdoc",)


def test_long_runs_of_blanks() -> None:
    """A line of a million blanks is no line at all, and takes no million steps."""
    row = "\t".join(["1", "w", *["_"] * 8, "(EntityID=1)", "_", "_"])
    text = f"# newdoc id = a\n{' ' * 1_000_000}\n{' ' * 100_000}{row}{' ' * 100_000}\n"
    corpus = reader.parse(text.encode(), "tale", "identity").checked()
    assert (corpus.mentions, corpus.tokens.tolist()) == (1, [1])


def test_deeply_nested_markables_take_linear_time() -> None:
    """Closed in the order in which they were opened, by name."""
    depth = 50_000
    opened = "".join(f"(EntityID=e{n}|MarkableID=m{n}" for n in range(depth))
    closed = "".join(f"m{n})" for n in range(depth))
    rows = ["\t".join([str(n), "w", *["_"] * 8, c]) for n, c in enumerate((opened, closed), 1)]
    begun = time.process_time()
    corpus = reader.parse("\n".join(["# newdoc id = a", *rows]).encode(), "tale", "identity")
    assert corpus.checked().mentions == depth
    assert time.process_time() - begun < 20
