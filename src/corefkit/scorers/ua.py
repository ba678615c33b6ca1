"""How the Universal Anaphora scorer 2 counts.

A span may stay in several entities, and without split antecedents also twice in one: all copies
are counted. Looked up from the other side a span is in the later entity that lists it; φ counts it
in each. Singletons go before zeros, so what becomes a singleton by losing zeros is kept.
"""

from collections.abc import Iterable

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, distinct, join, sum_by
from corefkit.core.corpus import Corpus
from corefkit.core.counts import SPLIT
from corefkit.core.links import with_plurals
from corefkit.core.nodes import common_nodes, mention_codes, number_rows, sizes
from corefkit.core.options import Options
from corefkit.core.overlap import Pairs, overlap_of_sides
from corefkit.matching import Matched
from corefkit.matching import match as match_by_rule
from corefkit.metrics import blanc, nonreferring
from corefkit.metrics.base import Counted
from corefkit.metrics.bridging import count_bridges
from corefkit.metrics.split import SplitAntecedents
from corefkit.scorers.corefud import number_values
from corefkit.scorers.coval import BY_LIST, BY_SIDE
from corefkit.scorers.steps import Steps

_RULES = {"partial": "either"}
"""The rules that the scorer has in its own way."""


def prepare(corpus: Corpus, options: Options) -> Corpus:
    """The corpus as the scorer sees it: each step in its order."""
    if options.split != "drop":
        corpus = with_plurals(corpus)
    corpus = referring(corpus)
    if options.split != "drop":
        corpus = _once_in_entity(corpus)
    if options.singletons == "drop":
        corpus = corpus.drop_singletons()
    if options.zeros == "drop" and corpus.zero is not None:
        corpus = corpus.take(corpus.zero == 0)
    return corpus


def referring(corpus: Corpus) -> Corpus:
    """The corpus without non-referring expressions; `_Pseudo` is an entity like others."""
    return corpus.take(~_silent(corpus)) if corpus.referring is not None else corpus


def _silent(corpus: Corpus) -> BoolArray:
    """bool (mentions,): the non-referring expressions, by the ends of their ids."""
    pseudo: BoolArray = np.array([x.endswith("-Pseudo") for x in corpus.labels], dtype=bool)
    return pseudo[corpus.entity]


def _once_in_entity(corpus: Corpus) -> Corpus:
    """Of the copies of a span in one entity the first."""
    first = distinct(number_rows([corpus.entity, mention_codes(corpus)[0]])).first
    return corpus.take(np.sort(first))


def match(key: Corpus, response: Corpus, options: Options) -> Pairs:
    """Pairs of rows: of each span the copy in the last entity that lists it."""
    ours, theirs = (_last_copies(codes) for codes in mention_codes(key, response))
    rule = _RULES.get(options.match, options.match)
    found = match_by_rule(key.take(ours), response.take(theirs), rule, options.policies)
    return Pairs(ours[found.key], theirs[found.response])


def _last_copies(code: IntArray) -> IntArray:
    """The last row of each span, sorted. Rows stand by document; entities in order of opening."""
    found = {value: row for row, value in enumerate(code.tolist())}
    return np.array(sorted(found.values()), dtype=np.int64)


class Overlaps:
    """Who shares what, seen from either side, where a span may be in several entities.

    Attributes:
        recall: members of the key by the response entity in which they are looked up.
        precision: members of the response by the key entity; the key is in its usual place.
        listed: members of the key by all response entities that list them.
    """

    def __init__(self, matched: Matched) -> None:
        key, response = matched.key, matched.response
        (ours, theirs), values = number_values(*mention_codes(key, response))
        there = _lookup(ours, theirs, matched.pairs, values)
        here = _lookup(theirs, ours, Pairs(matched.pairs.response, matched.pairs.key), values)
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


def count(
    matched: Matched, names: Iterable[str], antecedents: type[SplitAntecedents] = SplitAntecedents
) -> dict[str, Counted]:
    """Counts of the metrics of these names; `antecedents` knows how plurals are compared."""
    tables: dict[str, Counted] = {}
    overlaps = Overlaps(matched)
    whole = matched.whole
    split = matched.key._plurals is not None or matched.response._plurals is not None
    for name in names:
        if name == "mor":
            tables[name] = _overlap_ratio(matched)
        elif name == "nonreferring":
            tables[name] = nonreferring.outcomes(*(first_pseudo(side) for side in whole))
        elif name == "bridging":
            tables[name] = count_bridges(*whole, entities=matched.key)
        elif name in BY_SIDE or name in BY_LIST or name == "blanc":
            if split:
                tables |= _count_split(matched, overlaps, name, antecedents)
            elif name in BY_SIDE:
                function = BY_SIDE[name]
                tables[name] = *function(overlaps.recall)[:2], *function(overlaps.precision)[2:]
            elif name in BY_LIST:
                tables[name] = BY_LIST[name](overlaps.listed)
            else:
                tables[name] = blanc.count(overlaps.recall)
    return tables


def _count_split(
    matched: Matched, overlaps: Overlaps, name: str, antecedents: type[SplitAntecedents]
) -> dict[str, Counted]:
    """A metric with split antecedents, and for these alone."""
    chosen = overlaps.listed if name in BY_LIST else overlaps.recall
    columns, alone = antecedents(matched, chosen).count(name)
    if name in BY_SIDE:
        back = antecedents(matched, overlaps.precision).count(name)[0]
        columns = *columns[:2], *back[2:]
    return {name: columns, name + SPLIT: alone}


def _overlap_ratio(matched: Matched) -> Counted:
    """mor: nodes that matched mentions share, of those of all mentions, each counted once."""
    key, response, pairs = matched.key, matched.response, matched.pairs
    documents = len(key.names)
    shared = common_nodes(key, response, pairs.key, pairs.response)
    common = sum_by(key.document[pairs.key], shared, documents)
    totals = []
    for side, code in zip((key, response), mention_codes(key, response), strict=True):
        once = _last_copies(code)
        totals.append(sum_by(side.document[once], sizes(side)[once], documents))
    return common, totals[0], common, totals[1]


def first_pseudo(corpus: Corpus) -> Corpus:
    """Of the markables of one -Pseudo entity the first."""
    if corpus.referring is None:
        return corpus.take(np.zeros(corpus.mentions, dtype=bool))
    rows = np.flatnonzero(_silent(corpus))
    first = np.unique(corpus.entity[rows], return_index=True)[1]
    return corpus.take(np.sort(rows[first]))


STEPS = Steps(rules=("exact", "partial", "craft"), prepare=prepare, match=match, counting=count)
