"""Matching in three stages; a mention has at most one partner, and later stages keep earlier pairs.

1. With the policy `zeros` "dependent": zeros are matched with zeros of the same sentence by their
   dependencies, regardless of position and span, as the scores of CRAC 2024 and later require. P is
   the set of parents of a zero's head, D the same parents with their relations; two zeros have the
   score 10·F(D, D′) + F(P, P′), where F is the F1 of two sets, 2|A∩B| / (|A| + |B|).
2. Equal mentions.
3. For rules that allow unequal mentions: the mentions that fit, by their share |K ∩ R| / |K|.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    among,
    distinct,
    join,
    ranks_of,
)
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.directed import Pairs
from corefkit.core.links import Dependencies
from corefkit.core.nodes import common_nodes, is_zero, node_order, number_rows, sizes
from corefkit.core.pairing import MARGIN, first_alignment, scipy_pairing, take_dominant

Equal = Callable[[Corpus, Corpus], Pairs]
"""Both sides → the pairs of equal mentions."""

Fits = Callable[[Corpus, Corpus, IntArray, IntArray], Pairs]
"""Both sides and the free rows of each → the pairs of rows that fit, each once."""


def match_in_stages(  # noqa: PLR0913 (one argument per choice)
    key: Corpus,
    response: Corpus,
    policies: Mapping[str, str],
    equal: Equal,
    fits: Fits | None,
    *,
    longer: bool = False,
) -> Pairs:
    """The pairs of all stages; without `fits` there is no third stage.

    With `longer`, the share is relative to the longer of the two mentions.
    """
    stages = _Stages(key, response, policies.get("ties", "first"))
    dependent = policies.get("zeros", "dependent") == "dependent"
    if dependent and key.dependencies is not None and response.dependencies is not None:
        stages.assign(zero_candidates(key, response), (is_zero(key), is_zero(response)))
    key_rows, response_rows = equal(key, response)
    both_free = stages.free[0][key_rows] & stages.free[1][response_rows]
    stages.take(key_rows[both_free], response_rows[both_free])
    if fits is not None:
        key_rows, response_rows = fits(key, response, *map(np.flatnonzero, stages.free))
        common = common_nodes(key, response, key_rows, response_rows)
        size = sizes(key)[key_rows]
        if longer:
            size = np.maximum(size, sizes(response)[response_rows])
        chosen = common > 0
        top, bottom = common[chosen], size[chosen]
        candidates = Candidates(key_rows[chosen], response_rows[chosen], top, bottom, top / bottom)
        stages.assign(candidates, stages.free)
    return stages.pairs


@frozen(eq=False)
class Candidates:
    """Pairs of mentions that may be matched, each once, with their positive scores.

    Attributes:
        key, response: int64 (pairs,), rows of mentions.
        numerator, denominator: int64 (pairs,), the score as a fraction.
        score: float64 (pairs,), the score as the scorer computes it.
    """

    key: IntArray
    response: IntArray
    numerator: IntArray
    denominator: IntArray
    score: FloatArray

    def __len__(self) -> int:
        return len(self.key)


class _Stages:
    """The pairs so far; `free`, bool (mentions,) of each side, has the unpaired mentions."""

    def __init__(self, key: Corpus, response: Corpus, ties: str) -> None:
        self._sides, self._ties = (key, response), ties
        self._partner = np.full(key.mentions, -1, dtype=np.int64)
        self.free = tuple(np.ones(side.mentions, dtype=bool) for side in self._sides)

    @property
    def pairs(self) -> Pairs:
        """All pairs so far, in the order of the key's rows."""
        rows = np.flatnonzero(self._partner >= 0)
        return Pairs(rows, self._partner[rows])

    def assign(self, pairs: Candidates, competing: Sequence[BoolArray]) -> None:
        """Pair the best candidates; `competing` are the mentions in the tables given to scipy.

        Among equally good pairings, the first key mention takes the earliest response mention that
        one of them allows, then the second, and so on; or scipy chooses.
        """
        if not len(pairs):
            return
        if self._ties == "scipy":
            chosen = self._choice_of_scipy(pairs, competing)
        else:
            key, response = self._in_text_order(pairs)
            rank = ranks_of(np.lexsort((response, key)))
            chosen = first_alignment(key, response, pairs.numerator, pairs.denominator, rank)
        self.take(pairs.key[chosen], pairs.response[chosen])

    def _in_text_order(self, pairs: Candidates) -> tuple[IntArray, IntArray]:
        """The ranks in text order of the mentions of each pair."""
        key, response = (ranks_of(node_order(side)) for side in self._sides)
        return key[pairs.key], response[pairs.response]

    def _choice_of_scipy(self, pairs: Candidates, competing: Sequence[BoolArray]) -> IntArray:
        """What scipy returns for the table of all competing mentions of each document.

        A table is only made if dominance does not decide everything in a document.
        """
        taken, left = take_dominant(pairs.key, pairs.response, pairs.score, margin=MARGIN)
        document = self._sides[0].document[pairs.key]
        undecided = distinct(document[left]).values
        chosen = [taken[~among(document[taken], undecided)]]
        if len(undecided):
            rows, columns = map(_competing, self._sides, competing)
            for number in undecided.tolist():
                here = np.flatnonzero(document == number)
                row, column = rows.rank[pairs.key[here]], columns.rank[pairs.response[here]]
                scores = np.zeros((rows.number[number], columns.number[number]))
                scores[row, column] = pairs.score[here]
                chosen.append(here[scipy_pairing(scores)[row] == column])
        return np.concatenate(chosen)

    def take(self, key_rows: IntArray, response_rows: IntArray) -> None:
        """Pair these rows."""
        self._partner[key_rows] = response_rows
        self.free[0][key_rows] = self.free[1][response_rows] = False


class _Competing(NamedTuple):
    """The ranks of mentions among those of their document, in text order; how many there are."""

    rank: IntArray
    number: IntArray


def _competing(side: Corpus, chosen: BoolArray) -> _Competing:
    """The ranks of the chosen mentions; those of others mean nothing."""
    order = node_order(side)
    order = order[chosen[order]]
    document = side.document[order]
    number = np.bincount(document, minlength=len(side.names))
    rank = np.zeros(side.mentions, dtype=np.int64)
    rank[order] = np.arange(len(order)) - (np.cumsum(number) - number)[document]
    return _Competing(rank, number)


class _Arcs(NamedTuple):
    """The distinct arcs, or distinct parents, of the zeros of a side, int64 (arcs,).

    `row` is the mention, `code` the number of the arc or parent.
    """

    row: IntArray
    code: IntArray


def zero_candidates(key: Corpus, response: Corpus) -> Candidates:
    """The pairs of zeros with a common parent, and their scores."""
    arcs, parents = _numbered(key, response, True), _numbered(key, response, False)
    width = max(response.mentions, 1)
    pair, _, common_parents, _ = distinct(_sharing_pairs(*parents, width))
    with_arc, _, number, _ = distinct(_sharing_pairs(*arcs, width))
    common_arcs = np.zeros_like(common_parents)
    common_arcs[np.searchsorted(pair, with_arc)] = number
    key_row, response_row = pair // width, pair % width
    sizes = [
        (_sizes(a, key.mentions)[key_row], _sizes(b, response.mentions)[response_row])
        for a, b in (arcs, parents)
    ]
    # F = 2c/(a+b), so the score is 20c/(a+b) + 2c′/(a′+b′).
    arc_sum, parent_sum = (a + b for a, b in sizes)
    numerator = 20 * common_arcs * parent_sum + 2 * common_parents * arc_sum
    score = 10 * _f1(common_arcs, *sizes[0]) + _f1(common_parents, *sizes[1])
    return Candidates(key_row, response_row, numerator, arc_sum * parent_sum, score)


def _numbered(key: Corpus, response: Corpus, relations: bool) -> tuple[_Arcs, _Arcs]:
    """The parents of zeros, with `relations` the arcs, numbered in the same way on both sides."""
    columns: list[list[IntArray]] = []
    rows = []
    names: dict[str, int] = {}
    for corpus in (key, response):
        dependencies = corpus.dependencies
        assert dependencies is not None
        parents = dependencies.parents
        at = np.repeat(np.arange(len(parents.row)), np.diff(parents.first))
        row = parents.row[at]
        rows.append(row)
        parts = [corpus.document[row], dependencies.sentence[at], parents.token, parents.zero]
        columns.append([*parts, _relations(dependencies, names)] if relations else parts)
    joined = [np.concatenate(pair) for pair in zip(*columns, strict=True)]
    codes = np.split(number_rows(joined), [len(rows[0])])
    return _distinct(rows[0], codes[0]), _distinct(rows[1], codes[1])


def _relations(dependencies: Dependencies, names: dict[str, int]) -> IntArray:
    """int64 (arcs,): the number of each relation in `names`, which grows."""
    code, values = dependencies.relation
    return np.array([names.setdefault(name, len(names)) for name in values], dtype=np.int64)[code]


def _distinct(row: IntArray, code: IntArray) -> _Arcs:
    first = distinct(number_rows([row, code])).first
    return _Arcs(row[first], code[first])


def _sharing_pairs(key: _Arcs, response: _Arcs, width: int) -> IntArray:
    """A number for each pair of zeros that share a code, once for each code that they share."""
    left, right = join(key.code, response.code)
    return key.row[left] * width + response.row[right]


def _sizes(arcs: _Arcs, mentions: int) -> IntArray:
    return np.bincount(arcs.row, minlength=mentions)


def _f1(common: IntArray, of_key: IntArray, of_response: IntArray) -> FloatArray:
    """F1, by the same operations as in corefud-scorer: ties depend on the last digit."""
    recall, precision = common / of_key, common / of_response
    total = recall + precision
    return np.divide(2 * recall * precision, total, out=np.zeros(len(common)), where=total > 0)
