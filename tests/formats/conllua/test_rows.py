"""The rows of a file: which are zeros and tokens, and which cells of a column are filled."""

from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats.conllua.rows import find_rows

ids = st.sampled_from(["1", "0", "0.1", "10", "2.10", "x.y", "1" * 30 + ".1", "_"])
cells = st.sampled_from(["_", "", "__", "_a", "(a", ".", "0.1", "a_"])
lines = st.lists(
    st.builds(lambda first, others: "\t".join([first, *others]), ids, st.lists(cells, max_size=13))
)


@given(lines)
def test_rows_are_those_found_line_by_line(texts: list[str]) -> None:
    rows = find_rows("\n".join(texts).encode())
    split = [text.strip().split("\t") for text in texts]
    zero = ["." in row[0][:24] for row in split]
    token = [not is_zero and row[0] != "0" for is_zero, row in zip(zero, split, strict=True)]
    assert (rows.zero.tolist(), rows.token.tolist()) == (zero, token)
    for place, name in ((10, "IDENTITY"), (11, "BRIDGING"), (2, "LEMMA")):
        wanted = [
            (number, row[place])
            for number, row in enumerate(split)
            if len(row) > place and row[place] not in ("", "_") and (zero[number] or token[number])
        ]
        found = zip(*(column.tolist() for column in rows.filled(name)), strict=True)
        assert [(row, rows.data[a:b].decode()) for row, a, b in found] == wanted
