"""Shapes: small documents of the same shape are counted once.

What repairs do to a document, and what metrics count in it, depends only on its shape: the entity
of each mention on both sides, whether it is a pronoun or has a wrong span, and whether it leads one
of its entities. Names, words and places do not matter. So even many small documents have only few
shapes.
"""

from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from corefkit.analysis.joint import Joint
from corefkit.analysis.types import ErrorTable, find_errors
from corefkit.core.arrays import BoolArray, IntArray, distinct, mask_of, ranks_of
from corefkit.core.carriers import frozen
from corefkit.core.counts import Number, PerDocument
from corefkit.core.nodes import number_rows

_BITS = 4
_MOST = (1 << _BITS) - 1
"""Documents with more mentions hardly ever have the same shape, and are not compared."""

_DIGIT = 31
_UNIT = 1 << 35 * _DIGIT
"""The number of units in 1; every float is a whole number of units, the smallest being 2⁻¹⁰⁷⁴."""


@frozen(eq=False)
class Shapes:
    """Which documents have the same shape; the first document of a shape represents the others.

    Attributes:
        table: the errors of all documents.
        document: int64 (documents,), the document that represents each one.
        key, response: int64 (entities,), the entity of that document that represents each one.
    """

    table: ErrorTable
    document: IntArray
    key: IntArray
    response: IntArray

    @cached_property
    def times(self) -> IntArray:
        """int64 (documents,): how many documents each represents; 0 where another represents it."""
        return np.bincount(self.document, minlength=len(self.document))

    @cached_property
    def joint(self) -> Joint:
        """The mentions of the representing documents; all other documents are empty."""
        joint, chosen = self.table.joint, self.times > 0
        if chosen.all():
            return joint
        in_key, in_response, in_joint = (
            chosen[side.document] for side in (joint.key, joint.response, joint)
        )
        row = np.append(np.cumsum(in_response) - 1, -1)
        key_number, response_number = self._numbers
        return replace(
            joint,
            key=joint.key.take(in_key),
            response=joint.response.take(in_response),
            corpus=joint.corpus.take(in_joint),
            kind=joint.kind[in_joint],
            key_entity=key_number[joint.key_entity[in_joint]],
            response_entity=response_number[joint.response_entity[in_joint]],
            response_row=row[joint.response_row[in_joint]],
            wrong_span=joint.wrong_span[in_joint],
            response_kind=joint.response_kind[in_response],
        )

    @cached_property
    def _numbers(self) -> tuple[IntArray, IntArray]:
        """For each entity of key and response, the number in `joint` of the one that represents it;
        −1 for −1.
        """
        key, response = (
            np.append((np.cumsum(mask_of(entity, len(entity))) - 1)[entity], -1)
            for entity in (self.key, self.response)
        )
        return key, response

    @cached_property
    def errors(self) -> ErrorTable:
        """The errors of the representing documents."""
        return self.table if self.joint is self.table.joint else find_errors(self.joint)

    @cached_property
    def error(self) -> IntArray:
        """int64 (errors of all documents,): the error of `errors` that represents each one.

        Errors of the same type that concern the same two entities have the same gain.
        """
        if self.errors is self.table:
            return np.arange(len(self.table))
        joint, first = self.table.joint, self.table.first_mention
        key_number, response_number = self._numbers
        codes = self._codes(
            self.table.type,
            key_number[joint.key_entity[first]],
            response_number[joint.response_entity[first]],
        )
        joint, first = self.joint, self.errors.first_mention
        known = distinct(
            self._codes(self.errors.type, joint.key_entity[first], joint.response_entity[first])
        )
        return known.first[np.searchsorted(known.values, codes)]

    def _codes(self, kind: IntArray, key: IntArray, response: IntArray) -> IntArray:
        keys, responses = self.joint.key.entities + 1, self.joint.response.entities + 1
        return (kind * keys + key + 1) * responses + response + 1

    def total(self, column: PerDocument) -> Number:
        """The sum over all documents of a column that has the counts of those of `joint`."""
        (total,) = exact_sums(column, self.times, np.zeros(1, dtype=np.int64))
        return rounded(total)


def find_shapes(table: ErrorTable) -> Shapes:
    """Find the documents of the same shape."""
    joint = table.joint
    order = ranks_of(joint.rank)
    document = joint.document[order]
    size = np.bincount(document, minlength=len(joint.key.names))
    first = np.cumsum(size) - size
    sides = [
        _Appearances.of(side.entity[order], side.entities, first)
        for side in (table.key, table.response)
    ]
    code = np.zeros(len(order), dtype=np.int64)
    for side in sides:
        code = code << _BITS | np.where(
            side.entity < 0, 0, np.append(side.place, 0)[side.entity] - side.before[document] + 1
        )
    for mask in (joint.wrong_span, table.key.pronoun, *_deciding(table)):
        code = code << 1 | mask[order]
    like = _alike(document, code, size)
    key, response = (
        side.counterparts(corpus.entity_document, like)
        for side, corpus in zip(sides, (joint.key, joint.response), strict=True)
    )
    return Shapes(table, like, key, response)


def _deciding(table: ErrorTable) -> list[BoolArray]:
    """The mentions that lead an entity of the key, of the response, or the matched part of a key
    entity; each bool (mentions,).
    """
    mentions = table.joint.mentions
    first = table.key.leader, table.response.leader, table.key.first_matched
    return [mask_of(rows[rows >= 0], mentions) for rows in first]


class _Appearances(NamedTuple):
    """The entities of a side in the order of their first mentions in the text.

    Attributes:
        entity: int64 (mentions,), the entity of each mention in text order, −1 for none.
        place: int64 (entities,), the place of each entity in that order.
        before: int64 (documents,), how many entities come before those of each document.
    """

    entity: IntArray
    place: IntArray
    before: IntArray

    @classmethod
    def of(cls, entity: IntArray, entities: int, first: IntArray) -> "_Appearances":
        """`entity` has the mentions in text order; those of a document begin at its `first`."""
        row = np.arange(len(entity))
        at = np.zeros(entities + 1, dtype=np.int64)
        at[entity[::-1]] = row[::-1]
        is_new = (entity >= 0) & (at[entity] == row)
        number = np.append(0, np.cumsum(is_new))
        return cls(entity, number[at[:-1]], number[first])

    def counterparts(self, document: IntArray, like: IntArray) -> IntArray:
        """The entity that represents each one; `document` is that of each entity."""
        at: IntArray = self.place + self.before[like[document]] - self.before[document]
        return ranks_of(self.place)[at]


def _alike(document: IntArray, code: IntArray, size: IntArray) -> IntArray:
    """For each document the first one whose mentions have the same codes, in any order.

    `document` and `code` are those of the mentions, `size` is how many each document has.
    """
    like = np.arange(len(size))
    small = np.flatnonzero(size <= _MOST)
    in_small = (size <= _MOST)[document]
    width = int(code[in_small].max(initial=0)) + 1
    ordered = np.sort(document[in_small] * width + code[in_small])
    row, length = ordered // width, size[small]
    first = np.cumsum(length) - length
    cells = np.zeros((int(length.max(initial=0)), len(small)), dtype=np.int64)
    place = np.arange(len(row)) - np.repeat(first, length)
    cells[place, np.repeat(np.arange(len(small)), length)] = ordered % width + 1
    shape = distinct(number_rows([length, *cells]))
    like[small] = small[shape.first[shape.inverse]]
    return like


def exact_sums(column: PerDocument, times: IntArray, first: IntArray) -> list[int]:
    """The sums of stretches of a column, which begin at `first`, each number taken `times` times.

    They are exact, in units of which _UNIT make 1.

    >>> sums = exact_sums(np.array([0.1, 0.5, 5]), np.array([10, 1, 2]), np.array([0, 2]))
    >>> [rounded(total) for total in sums]
    [1.5, 10]
    """
    if column.dtype == np.int64 and len(column):
        return [total * _UNIT for total in np.add.reduceat(column * times, first).tolist()]
    sums, bits = [0] * len(first), 0
    remainder = column
    while remainder.any():
        digit = np.trunc(remainder)
        added = np.add.reduceat(digit.astype(np.int64) * times, first).tolist()
        unit = _UNIT >> bits
        sums = [total + number * unit for total, number in zip(sums, added, strict=True)]
        remainder = np.ldexp(remainder - digit, _DIGIT)
        bits += _DIGIT
    return sums


def rounded(total: int) -> Number:
    """The number nearest to a total in units; an integer where it is one."""
    whole, remainder = divmod(total, _UNIT)
    return total / _UNIT if remainder else whole
