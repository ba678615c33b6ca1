"""The Universal Anaphora scorer 2.

A span may stay in several entities, and without split antecedents also twice in one: all copies
are counted, and so are those in the elements of a plural. Looked up from the other side a span is
in the later entity that lists it; φ counts it in each. Singletons go before zeros, so what becomes
a singleton by losing zeros is kept.
"""

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, distinct, join, sum_by
from corefkit.core.corpus import Corpus
from corefkit.core.counts import SPLIT
from corefkit.core.incidents import Incident
from corefkit.core.links import with_plurals
from corefkit.core.nodes import common_nodes, mention_codes, number_rows, sizes
from corefkit.core.overlap import Pairs, overlap_of_sides
from corefkit.matching import MatchingRule, find_rule
from corefkit.metrics import base as outcomes
from corefkit.metrics import blanc
from corefkit.metrics.base import Counted
from corefkit.metrics.bridging import count_bridges
from corefkit.metrics.split_antecedents import PluralCounter
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.corefud import number_values
from corefkit.scorers.coval import BY_LIST, BY_SIDE
from corefkit.scorers.scorer import Scorer


class UA(Scorer):
    """The Universal Anaphora scorer 2.0 as a library.

    Run as a command, it leaves out singletons and split antecedents by default. A span stays in
    every entity that lists it, because markables are objects, and is looked up in the last one,
    because a dictionary has one place for it.
    """

    metrics: ClassVar[tuple[str, ...]] = (
        "muc",
        "bcub",
        "ceafe",
        "ceafm",
        "blanc",
        "lea",
        "mor",
        "conll",
    )
    others = ("mentions", "nonreferring", "bridging")
    policies: ClassVar[Mapping[str, str]] = {
        "zeros": "drop",
        "ties": "scipy",
        "blanc": "either",
        "missing": "error",
        "extra": "error",
        "words": "error",
    }
    rules: ClassVar[tuple[str, ...] | None] = ("exact", "partial", "craft")
    divisible = False
    counting = "a span stays in every entity, and is looked up in the last one that lists it"
    needs_files = True

    def choose_mentions(self, corpus: Corpus) -> tuple[Corpus, list[Incident]]:
        """Each step in the order of the original: singletons go before zeros."""
        if self.options.split != "drop":
            corpus = with_plurals(corpus, copies=True)
        corpus = self.drop_nonreferring(corpus)
        if self.options.split != "drop":
            corpus = _once_in_entity(corpus)
        if self.options.singletons == "drop":
            corpus = corpus.drop_singletons()
        if self.options.zeros == "drop" and corpus.zero is not None:
            corpus = corpus.take(corpus.zero == 0)
        return corpus, []

    def drop_nonreferring(self, corpus: Corpus) -> Corpus:
        """The corpus without entities that are called -Pseudo; `_Pseudo` is one like others."""
        return corpus if corpus.referring is None else corpus.take(~_silent(corpus))

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """Pairs of rows: of each span the copy in the last entity that lists it."""
        return match_last(key, response, _rule(self.options.match), self.options.policies)

    def antecedents(self) -> type[PluralCounter]:
        """What knows how plurals are compared."""
        return PluralCounter

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """The metrics of entities, by looking spans up, and those of markables."""
        tables: dict[str, Counted] = {}
        overlaps = Overlaps(comparison)
        whole = comparison.whole
        split = comparison.key._plurals is not None or comparison.response._plurals is not None
        for name in names:
            if name == "mor":
                tables[name] = _overlap_ratio(comparison)
            elif name == "nonreferring":
                ours, theirs = (first_pseudo(side) for side in whole)
                equal = Pairs(*join(*mention_codes(ours, theirs)))
                tables[name] = outcomes.count(ours, theirs, equal)
            elif name == "bridging":
                tables[name] = count_bridges(*whole, entities=comparison.key)
            elif name in BY_SIDE or name in BY_LIST or name == "blanc":
                if split:
                    tables |= _count_split(comparison, overlaps, name, self.antecedents())
                elif name in BY_SIDE:
                    function = BY_SIDE[name]
                    recall, precision = function(overlaps.recall), function(overlaps.precision)
                    tables[name] = *recall[:2], *precision[2:]
                elif name in BY_LIST:
                    tables[name] = BY_LIST[name](overlaps.listed)
                else:
                    tables[name] = blanc.count(overlaps.recall)
        return tables


def _rule(name: str) -> MatchingRule:
    """A matching rule; the partial one of this scorer looks at the minima of both sides."""
    if name != "partial":
        return find_rule(name)
    from corefkit.matching.partial import match_either

    return match_either


def _silent(corpus: Corpus) -> BoolArray:
    """bool (mentions,): the non-referring expressions, by the ends of their ids."""
    pseudo: BoolArray = np.array([x.endswith("-Pseudo") for x in corpus.labels], dtype=bool)
    return pseudo[corpus.entity]


def _once_in_entity(corpus: Corpus) -> Corpus:
    """The first of the copies of a span in each entity."""
    first = distinct(number_rows([corpus.entity, mention_codes(corpus)[0]])).first
    return corpus.take(np.sort(first))


def match_last(
    key: Corpus, response: Corpus, rule: MatchingRule, policies: Mapping[str, str]
) -> Pairs:
    """Pairs of rows by a rule: of each span the copy in the last entity that lists it."""
    ours, theirs = (_last_copies(codes) for codes in mention_codes(key, response))
    pairs = rule(key.take(ours), response.take(theirs), policies)
    return Pairs(ours[pairs.key], theirs[pairs.response])


def _last_copies(code: IntArray) -> IntArray:
    """The last row of each span, sorted. Rows stand by document; entities in order of opening."""
    row_of = {value: row for row, value in enumerate(code.tolist())}
    return np.array(sorted(row_of.values()), dtype=np.int64)


class Overlaps:
    """Who shares what, seen from either side, where a span may be in several entities.

    Attributes:
        recall: members of the key by the response entity in which they are looked up.
        precision: members of the response by the key entity; the key is in its usual place.
        listed: members of the key by all response entities that list them.
    """

    def __init__(self, comparison: Comparison) -> None:
        key, response = comparison.key, comparison.response
        (ours, theirs), values = number_values(*mention_codes(key, response))
        there = _lookup(ours, theirs, comparison.pairs, values)
        here = _lookup(theirs, ours, Pairs(comparison.pairs.response, comparison.pairs.key), values)
        rows, entities = _in_last(there, response, theirs, values)
        self.recall = overlap_of_sides(key, key.entity[rows], response, entities)
        rows, entities = _in_last(here, key, ours, values)
        self.precision = overlap_of_sides(key, entities, response, response.entity[rows])
        rows, others = join(there, theirs)
        once = distinct(number_rows([rows, response.entity[others]])).first
        rows, entities = rows[once], response.entity[others[once]]
        self.listed = overlap_of_sides(key, key.entity[rows], response, entities)


def _lookup(ours: IntArray, theirs: IntArray, pairs: Pairs, values: int) -> IntArray:
    """int64 (mentions,): the value under which each mention is looked up; −1 for none."""
    table = np.full(values, -1, dtype=np.int64)
    table[ours[pairs.key]] = theirs[pairs.response]
    return table[ours]


def _in_last(
    looked_up: IntArray, other: Corpus, codes: IntArray, values: int
) -> tuple[IntArray, IntArray]:
    """The rows that are found, and the last entity of the other side that lists each."""
    owner = np.full(values, -1, dtype=np.int64)
    np.maximum.at(owner, codes, other.entity)
    rows = np.flatnonzero(looked_up >= 0)
    return rows, owner[looked_up[rows]]


def _count_split(
    comparison: Comparison, overlaps: Overlaps, name: str, antecedents: type[PluralCounter]
) -> dict[str, Counted]:
    """A metric with split antecedents, and for these alone."""
    chosen = overlaps.listed if name in BY_LIST else overlaps.recall
    columns, alone = antecedents(comparison, chosen).count(name)
    if name in BY_SIDE:
        back = antecedents(comparison, overlaps.precision).count(name)[0]
        columns = *columns[:2], *back[2:]
    return {name: columns, name + SPLIT: alone}


def _overlap_ratio(comparison: Comparison) -> Counted:
    """mor: nodes that matched mentions share, of those of all mentions, each counted once."""
    key, response, pairs = comparison.key, comparison.response, comparison.pairs
    documents = len(key.names)
    shared = common_nodes(key, response, pairs.key, pairs.response)
    common = sum_by(key.document[pairs.key], shared, documents)
    totals = []
    for side, code in zip((key, response), mention_codes(key, response), strict=True):
        once = _last_copies(code)
        totals.append(sum_by(side.document[once], sizes(side)[once], documents))
    return common, totals[0], common, totals[1]


def first_pseudo(corpus: Corpus) -> Corpus:
    """The first of the markables of each -Pseudo entity."""
    if corpus.referring is None:
        return corpus.take(np.zeros(corpus.mentions, dtype=bool))
    rows = np.flatnonzero(_silent(corpus))
    first = np.unique(corpus.entity[rows], return_index=True)[1]
    return corpus.take(np.sort(rows[first]))
