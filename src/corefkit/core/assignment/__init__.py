"""The best one-to-one pairing: the one solver, with three rules for pairings of equal worth.

- any: `best_alignment` gives a heaviest pairing of a large sparse graph, always the same one. The
  total is what counts, as in CEAF.
- first: `first_best_pairing` and `best_pairs(…, ties="first")` compute in exact arithmetic; the
  first row takes the earliest column that a best pairing allows, then the second row, and so on.
- scipy: `scipy_pairing` and `best_pairs(…, ties="scipy")` choose what scipy's
  `linear_sum_assignment` returns for the dense table, as other scorers do.

`best_pairs` pairs the mentions of all documents at once. Nearly all candidates decide themselves;
what is left falls into small components. No table of a document is made, except where scipy's
choice among equal totals is wanted, which depends on the whole table.
"""

from math import lcm
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, FloatArray, IntArray
from corefkit.core.assignment.dense import scipy_pairing as scipy_pairing
from corefkit.core.assignment.first_best import first_best_pairing as first_best_pairing
from corefkit.core.assignment.sparse import best_alignment as best_alignment
from corefkit.core.assignment.sparse import edge_components, take_dominant
from corefkit.core.carriers import frozen

_MARGIN = 1e-9
"""Far above what floating-point sums of shares can be wrong, far below what matters."""


@frozen(eq=False)
class Candidates:
    """Pairs of mentions that may be matched, each once, with their positive scores.

    Attributes:
        key, response: int64 (pairs,), rows of mentions, or their places in the text order.
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


class Competitors(NamedTuple):
    """The mentions of a side, in text order: their documents, and which compete at a stage."""

    document: IntArray
    free: BoolArray


def best_pairs(
    candidates: Candidates, key: Competitors, response: Competitors, ties: str
) -> IntArray:
    """The numbers of the candidates in the best pairing of each document.

    `ties` is "first" for the documented rule, "scipy" for what `linear_sum_assignment` returns
    for the dense table of all mentions of the document that compete.
    """
    # What is taken is in every best pairing: it weighs more than what it could replace.
    taken, left = take_dominant(
        candidates.key, candidates.response, candidates.score, margin=_MARGIN
    )
    chosen = [taken]
    tied: set[int] = set()
    for edges in edge_components(candidates.key, candidates.response, left):
        found, unique = _solve(candidates, edges)
        chosen.append(found)
        if not unique:
            tied.add(int(key.document[candidates.key[edges[0]]]))
    pairs = np.concatenate(chosen)
    if ties != "scipy" or not tied:
        return pairs
    again = np.isin(key.document[candidates.key], list(tied))
    kept = pairs[~again[pairs]]
    solved = [_solve_dense(candidates, key, response, number) for number in sorted(tied)]
    return np.concatenate([kept, *solved])


def _solve(candidates: Candidates, edges: IntArray) -> tuple[IntArray, bool]:
    """The best pairing of one component by the documented rule, and whether it is the only one."""
    key, response = candidates.key[edges].tolist(), candidates.response[edges].tolist()
    row = {place: number for number, place in enumerate(sorted(set(key)))}
    column = {place: number for number, place in enumerate(sorted(set(response)))}
    weights: list[dict[int, int]] = [{} for _ in row]
    edge_of: dict[tuple[int, int], int] = {}
    scores = candidates.numerator[edges].tolist(), candidates.denominator[edges].tolist()
    scale = lcm(*scores[1])
    for edge, k, r, n, d in zip(edges.tolist(), key, response, *scores, strict=True):
        weights[row[k]][column[r]] = n * (scale // d)
        edge_of[row[k], column[r]] = edge
    partner, unique = first_best_pairing(weights, len(column))
    found = [edge_of[r, c] for r, c in enumerate(partner) if c >= 0]
    return np.array(found, dtype=np.int64), unique


def _solve_dense(
    candidates: Candidates, key: Competitors, response: Competitors, document: int
) -> IntArray:
    """What scipy chooses in one document, given the table of all that compete there."""
    rows, columns = (np.flatnonzero((s.document == document) & s.free) for s in (key, response))
    edges = np.flatnonzero(key.document[candidates.key] == document)
    r = np.searchsorted(rows, candidates.key[edges])
    c = np.searchsorted(columns, candidates.response[edges])
    scores = np.zeros((len(rows), len(columns)))
    scores[r, c] = candidates.score[edges]
    chosen: IntArray = edges[scipy_pairing(scores)[r] == c]
    return chosen
