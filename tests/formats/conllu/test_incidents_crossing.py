"""Crossing mentions, against a comparison of all pairs of sets."""

from hypothesis import given
from hypothesis import strategies as st

from corefkit.core.mention_columns import runs_of
from corefkit.formats.conllu.mentions import crossing

MENTIONS = st.lists(st.sets(st.integers(0, 7), min_size=1).map(sorted), min_size=2, max_size=6)


@given(MENTIONS)
def test_as_by_all_pairs(listed: list[list[int]]) -> None:
    sets = [set(nodes) for nodes in listed]
    crossed = {
        row
        for row, own in enumerate(sets)
        if any(own & other and not own <= other and not other <= own for other in sets[:row])
    }
    found = crossing({row: runs_of(nodes) for row, nodes in enumerate(listed)})
    assert set(found) <= crossed
    assert bool(found) == bool(crossed)
    assert found == sorted(found)
