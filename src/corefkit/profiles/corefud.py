"""How corefud-scorer 1.2 counts, bug for bug.

Pairs of mentions whose values differ go into a single table T, which serves both directions: all
entries from key to response are written first, and those from response to key may then *overwrite*
them. To look up a key mention, its value is translated by T, if T has it. The key mention is found
if some response mention has the resulting value; of several entities with that value, the last is
taken. Response mentions are looked up in the key by the same steps. Where a key zero sits at
the very place at which the response has another key zero's partner, the second writing destroys
the first. In the zero score, T is asked for a mention's partner only if no mention of the other
side has the same value.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray, join
from corefkit.data.corpus import Corpus
from corefkit.data.matched import Matched
from corefkit.data.matching import match as match_by_rule
from corefkit.data.matching.exact import mention_codes
from corefkit.data.matching.nodes import is_zero, text_order
from corefkit.data.matching.pairs import Pairs
from corefkit.data.options import Options
from corefkit.data.overlap import Overlap, overlap_of_sides
from corefkit.metrics import blanc, mor
from corefkit.metrics.base import Counted
from corefkit.metrics.zero import count_zeros, in_order
from corefkit.profiles.corefud_values import RULES, Listed, first_copies_by_entity, number_values
from corefkit.profiles.one_sided import BY_LIST, BY_SIDE, count_by_side
from corefkit.profiles.steps import Steps


def match(key: Corpus, response: Corpus, options: Options) -> Pairs:
    """Pairs of rows: of each value the copy in the first entity that lists it."""
    rows = [side.copies(last=False) for side in _sides(key, response, options.match)]
    ours, theirs = (np.sort(chosen[chosen >= 0]) for chosen in rows)
    found = match_by_rule(key.take(ours), response.take(theirs), options.match, options.policies)
    return Pairs(ours[found.key], theirs[found.response])


def count(matched: Matched, names: Iterable[str]) -> dict[str, Counted]:
    """Counts of the metrics of these names."""
    sides = _sides(matched.key, matched.response, matched.rule)
    return Lookups.through_table(*sides, matched.pairs).count(names)


def _sides(key: Corpus, response: Corpus, rule: str) -> tuple[Listed, Listed]:
    (ours, theirs), number = number_values(*mention_codes(key, response, heads=rule == "head"))
    return Listed(key, ours, number), Listed(response, theirs, number)


@dataclass(frozen=True, eq=False)
class Lookups:
    """Where the mentions of each side are looked up on the other.

    Attributes:
        key, response: the values that entities list.
        in_response: int64 (key mentions,), a row of the response whose entity is the answer; −1
            for none.
        in_key: int64 (response mentions,), likewise a row of the key.
        listed: key rows and response rows: which key mention is found in which entity for φ₃.
        partner: int64 (key mentions,), a row of the response, for the zero score.
        zeros: bool (mentions,) of key and response, the zeros.
        pairs: how many mentions are paired; None where that means nothing.
    """

    key: Listed
    response: Listed
    in_response: IntArray
    in_key: IntArray
    listed: tuple[IntArray, IntArray]
    partner: IntArray
    zeros: tuple[BoolArray, BoolArray]
    pairs: Pairs | None = None

    @classmethod
    def through_table(cls, key: Listed, response: Listed, pairs: Pairs) -> "Lookups":
        """The look-ups through the one table for both directions."""
        ours, theirs = key.value[pairs.key], response.value[pairs.response]
        table = np.arange(key.values)
        other = ours != theirs
        table[ours[other]] = theirs[other]
        table[theirs[other]] = ours[other]
        here, there = key.copies(last=True), response.copies(last=True)
        looked_up = table[key.value]
        same = there[key.value]
        return cls(
            key,
            response,
            in_response=there[looked_up],
            in_key=here[table[response.value]],
            listed=join(looked_up, response.value),
            partner=np.where(same >= 0, same, there[looked_up]),
            zeros=(_zeros(key), _zeros(response)),
            pairs=pairs,
        )

    def count(self, names: Iterable[str]) -> dict[str, Counted]:
        """Counts of the metrics of these names that are known here."""
        tables: dict[str, Counted] = {}
        for name in names:
            if name in BY_SIDE:
                tables[name] = count_by_side(name, self._recall, self._precision)
            elif name in BY_LIST:
                tables[name] = BY_LIST[name](self._shared)
            elif name == "blanc":
                tables[name] = blanc.count(self._recall)
            elif name == "mor":
                tables[name] = mor.count_nodes(self.key.corpus, self.response.corpus)
            elif name == "zero":
                tables[name] = self._count_zeros()
            elif name == "mentions" and self.pairs is not None:
                tables[name] = self._count_mentions(self.pairs)
        return tables

    @cached_property
    def _recall(self) -> Overlap:
        """How many mentions of each key entity are looked up in which response entity."""
        return _overlap(self.key.corpus, self.response.corpus, self.in_response)

    @cached_property
    def _precision(self) -> Overlap:
        """The same from the response; it stands in the place of the key."""
        return _overlap(self.response.corpus, self.key.corpus, self.in_key)

    @cached_property
    def _shared(self) -> Overlap:
        """φ₃: how many mentions of each key entity each response entity lists."""
        return _overlap_of_rows(self.key.corpus, self.response.corpus, *self.listed)

    def _count_zeros(self) -> Counted:
        key, response = self.key.corpus, self.response.corpus
        ours, theirs = (in_order(side, text_order(side)) for side in (key, response))
        ours = ours._replace(zero=self.zeros[0][ours.row])
        theirs = theirs._replace(zero=self.zeros[1][theirs.row])
        return count_zeros(ours, theirs, self.partner, len(key.names))

    def _count_mentions(self, pairs: Pairs) -> Counted:
        key, response = self.key.corpus, self.response.corpus
        documents = len(key.names)
        of_pairs, of_key, of_response = (
            np.bincount(document, minlength=documents)
            for document in (key.document[pairs.key], key.document, response.document)
        )
        return of_pairs, of_key, of_pairs, of_response


def _zeros(side: Listed) -> BoolArray:
    """Whether the copy of its value in the first entity is a zero."""
    return is_zero(side.corpus)[side.copies(last=False)[side.value]]


def _overlap(one: Corpus, other: Corpus, row: IntArray) -> Overlap:
    found = np.flatnonzero(row >= 0)
    return _overlap_of_rows(one, other, found, row[found])


def _overlap_of_rows(one: Corpus, other: Corpus, ours: IntArray, theirs: IntArray) -> Overlap:
    return overlap_of_sides(one, one.entity[ours], other, other.entity[theirs])


STEPS = Steps(
    rules=RULES, copies=first_copies_by_entity(heads=("head",)), match=match, counting=count
)
