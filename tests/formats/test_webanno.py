"""Cells of WebAnno TSV: the short ways through values and labels agree with the grammar."""

from hypothesis import example, given
from hypothesis import strategies as st

from corefkit.formats import webanno

CELLS = st.text(alphabet="ab_*[]\\|->123\u0663", max_size=24)


@given(CELLS)
def test_items_are_what_stands_between_bars_that_are_not_escaped(cell: str) -> None:
    expected = [item for item in webanno._ITEM.findall(cell) if item != "_"]
    assert webanno._items(cell) == ([] if cell == "_" else expected)


@given(CELLS)
@example("a[b][3]")
@example("a->1-2[3]")
@example("a->1-2")
@example("a[" + "1" * 18 + "]")
@example("a[" + "1" * 19 + "]")
@example("a\\[1]")
@example("a[\u0663]")
@example("[7]")
def test_a_label_is_a_value_without_its_number_and_its_escapes(item: str) -> None:
    assert webanno._label(item) == webanno._ESCAPED.sub(r"\1", webanno._value(item)[0])
