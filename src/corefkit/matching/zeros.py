"""Zeros by what they depend on, as the scores of CRAC 2024 and later want it.

P are the parents of the zero's head, and D the same parents with their relations. F is F1 of two
sets, 2|A∩B| / (|A| + |B|). Two zeros of one sentence have the score 10·F(D, D′) + F(P, P′).
"""

from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import FloatArray, IntArray, distinct, join
from corefkit.core.assignment import Candidates
from corefkit.core.corpus import Corpus
from corefkit.core.links import Dependencies
from corefkit.core.nodes import number_rows


class _Arcs(NamedTuple):
    """The distinct arcs, or distinct parents, of the zeros of one side."""

    row: IntArray
    code: IntArray


def zero_candidates(key: Corpus, response: Corpus) -> Candidates:
    """The rows of zeros with a common parent, and their scores."""
    arcs, parents = _numbered(key, response, True), _numbered(key, response, False)
    width = max(response.mentions, 1)
    pair, _, common, _ = distinct(_meet(*parents, width))
    with_arc, _, number, _ = distinct(_meet(*arcs, width))
    both = np.zeros_like(common)
    both[np.searchsorted(pair, with_arc)] = number
    ours, theirs = pair // width, pair % width
    sizes = [
        (_sizes(a, key.mentions)[ours], _sizes(b, response.mentions)[theirs])
        for a, b in (arcs, parents)
    ]
    # F = 2c/(a+b), so the score is 20c/(a+b) + 2c′/(a′+b′).
    arc_sum, parent_sum = (a + b for a, b in sizes)
    numerator = 20 * both * parent_sum + 2 * common * arc_sum
    score = 10 * _f1(both, *sizes[0]) + _f1(common, *sizes[1])
    return Candidates(ours, theirs, numerator, arc_sum * parent_sum, score)


def _numbered(key: Corpus, response: Corpus, relations: bool) -> tuple[_Arcs, _Arcs]:
    """One number for each parent (with its relation) of a sentence, alike on both sides."""
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
    ours, theirs = (_distinct(row, code) for row, code in zip(rows, codes, strict=True))
    return ours, theirs


def _relations(dependencies: Dependencies, names: dict[str, int]) -> IntArray:
    code, values = dependencies.relation
    return np.array([names.setdefault(name, len(names)) for name in values], dtype=np.int64)[code]


def _distinct(row: IntArray, code: IntArray) -> _Arcs:
    first = distinct(number_rows([row, code])).first
    return _Arcs(row[first], code[first])


def _meet(ours: _Arcs, theirs: _Arcs, width: int) -> IntArray:
    """A number for each pair of zeros that share a code, as often as they share one."""
    left, right = join(ours.code, theirs.code)
    return ours.row[left] * width + theirs.row[right]


def _sizes(arcs: _Arcs, mentions: int) -> IntArray:
    return np.bincount(arcs.row, minlength=mentions)


def _f1(common: IntArray, ours: IntArray, theirs: IntArray) -> FloatArray:
    """The harmonic mean by the operations of the scorer: ties depend on the last digit."""
    recall, precision = common / ours, common / theirs
    total = recall + precision
    return np.divide(2 * recall * precision, total, out=np.zeros(len(common)), where=total > 0)
