"""Brackets paired all at once, against a stack for each group."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from corefkit.formats.columns.brackets import CLOSE, OPEN, SINGLE, TEXT, pair_brackets

bracket = st.tuples(st.sampled_from([SINGLE, OPEN, OPEN, CLOSE, CLOSE, TEXT]), st.integers(0, 2))


@given(st.lists(bracket, max_size=30))
def test_as_a_stack_pairs_them(brackets: list[tuple[int, int]]) -> None:
    mentions: set[tuple[int, int]] = set()
    unopened: list[int] = []
    stacks: dict[int, list[int]] = {0: [], 1: [], 2: []}
    for number, (kind, group) in enumerate(brackets):
        if kind == SINGLE:
            mentions.add((number, number))
        elif kind == OPEN:
            stacks[group].append(number)
        elif kind == CLOSE and stacks[group]:
            mentions.add((stacks[group].pop(), number))
        elif kind == CLOSE:
            unopened.append(number)
    kinds, groups = np.array(brackets, dtype=np.int64).reshape(-1, 2).T
    found = pair_brackets(kinds, groups)
    assert set(zip(found.first.tolist(), found.last.tolist(), strict=True)) == mentions
    assert found.unopened == unopened
    assert found.unclosed == sorted(number for stack in stacks.values() for number in stack)


def test_deep_nesting() -> None:
    """Levels are sorted as the narrowest numbers that hold them: 300 is more than a byte."""
    depth, groups = 300, np.repeat([1, 0], 600)
    found = pair_brackets(np.tile(np.repeat([OPEN, CLOSE], depth), 2), groups)
    pairs = dict(zip(found.first.tolist(), found.last.tolist(), strict=True))
    assert pairs == {b + i: b + 2 * depth - 1 - i for b in (0, 2 * depth) for i in range(depth)}
