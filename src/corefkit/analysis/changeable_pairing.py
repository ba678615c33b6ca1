"""The weight of a best pairing after a few columns are replaced, for many such changes.

This is how the gain of a single repair in a whole book stays fast: prices say at once where a
pairing is no longer the best one, so a column that is inserted or removed takes one search.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from corefkit.core.pairing import PricedPairing, node_of

ColumnWeights = Mapping[int, float]
"""The positive weights of the edges of a column, by row."""


class ChangeablePairing(PricedPairing):
    """A best pairing of rows and columns, in which columns can be replaced by others.

    >>> pairing = ChangeablePairing({0: {0: 3.0, 1: 2.0}, 1: {0: 2.0, 1: 0.5}})
    >>> pairing.gain([1], [{0: 9.0}]), pairing.gain([], [{0: 9.0}])
    (7.0, 7.0)
    >>> pairing.gain([0, 1], [{0: 1.0}, {0: 2.5}])
    -1.5
    """

    def __init__(self, columns: Mapping[int, ColumnWeights]) -> None:
        """`columns` maps the number of each column to its weights."""
        super().__init__()
        self._before: dict[int, tuple[float | None, int | None]] = {}
        for number, weights in columns.items():
            self.insert(number, weights)
        self._last = min((node_of(number) for number in columns), default=-1)

    def gain(self, without: Iterable[int], new: Iterable[ColumnWeights]) -> float:
        """The change in the weight of a best pairing without some columns and with new ones.

        The pairing itself does not change.
        """
        self._before = {}
        gain, removed, added = 0.0, [], []
        for number in without:
            if (edges := self._edges.get(node_of(number))) is not None:
                gain -= self._take_out(node_of(number))
                removed.append((node_of(number), edges))
        for number_of_new, weights in enumerate(new, 1):
            added.append(self._last - number_of_new)
            gain += self.insert(node_of(self._last - number_of_new), weights)
        for column in added:
            self._unlink(column)
        for column, edges in removed:
            self._link(column, edges)
        self._restore()
        return gain

    def _before_change(self, *nodes: int) -> None:
        """Save the price and the partner of nodes that are about to change."""
        for node in nodes:
            if node not in self._before:
                self._before[node] = self._price.get(node), self._partner.get(node)

    def _restore(self) -> None:
        """Restore the saved prices and partners."""
        for node, (price, partner) in self._before.items():
            _reset(self._price, node, price)
            _reset(self._partner, node, partner)

    def _unlink(self, column: int) -> None:
        for row in self._edges.pop(column):
            del self._edges[row][column]

    def _take_out(self, column: int) -> float:
        """Remove a column; return the decrease in weight of the pairing."""
        price = self._price[column]
        self._before_change(column)
        row = self._partner.pop(column, None)
        self._unlink(column)
        if row is None:
            return price
        self._before_change(row)
        del self._partner[row]
        return price + (self._find_partner(row) if self._price[row] > 0 else 0.0)


_Saved = TypeVar("_Saved", int, float)


def _reset(values: dict[int, _Saved], node: int, value: _Saved | None) -> None:
    """Set the value of a node; None removes it."""
    if value is None:
        values.pop(node, None)
    else:
        values[node] = value
