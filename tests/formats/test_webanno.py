"""Cells of WebAnno TSV: the short way through values agrees with the grammar."""

from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats import webanno

CELLS = st.text(alphabet="ab_*[]\\|->123\u0663", max_size=24)


@given(CELLS)
def test_items_are_what_stands_between_bars_that_are_not_escaped(cell: str) -> None:
    expected = [item for item in webanno._ITEM.findall(cell) if item != "_"]
    assert webanno._items(cell) == ([] if cell == "_" else expected)
