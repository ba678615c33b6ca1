"""Dependencies of zeros follow their rows."""

import numpy as np

from corefkit.core.links import ROOT, Dependencies

ARCS = {1: [((3, 0), "nsubj")], 2: [], 5: [((3, 0), "obj"), (ROOT, "root")]}


def some() -> Dependencies:
    made = Dependencies.of([(row, row // 2, arcs) for row, arcs in ARCS.items()])
    assert made
    return made


def test_take_renumbers_rows_and_keeps_their_arcs() -> None:
    taken = some().take(np.array([5, 0, 2]), 6)
    assert taken
    assert taken.parents.row.tolist() == [0, 2]
    assert taken.sentence.tolist() == [2, 1]
    assert [taken.arcs(row) for row in range(3)] == [ARCS[5], [], []]
    assert some().take(np.array([0, 3]), 6) is None


def test_concat_counts_rows_on_and_joins_relations() -> None:
    other = Dependencies.of([(0, 0, [((1, 2), "obj"), ((0, 0), "obl")])])
    both = Dependencies.concat([(some(), 0), (None, 6), (other, 9)])
    assert both
    assert both.parents.row.tolist() == [1, 2, 5, 9]
    assert [both.arcs(row) for row in (1, 2, 5)] == list(ARCS.values())
    assert both.arcs(9) == [((1, 2), "obj"), ((0, 0), "obl")]
    assert Dependencies.of([]) is None
