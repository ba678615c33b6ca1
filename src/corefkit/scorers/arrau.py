"""CoVal's scorer for the ARRAU files of CRAC 2018.

Exact matching is CoVal's. With `--match min` two mentions *agree* when the shorter one of the
response keeps the minimum of the key's; nothing is one to one. To
place a mention, the other side is searched entity by entity, mentions in the order given, and the
first that agrees decides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, join, ranks_of, stretches
from corefkit.core.corpus import Corpus
from corefkit.core.counts import PerDocument
from corefkit.core.nodes import mention_codes
from corefkit.core.overlap import Overlap, Pairs, overlap_of_sides
from corefkit.metrics import base as outcomes
from corefkit.metrics import ceaf
from corefkit.metrics.base import Counted
from corefkit.scorers import coval
from corefkit.scorers.comparison import Comparison
from corefkit.scorers.coval import BY_SIDE, Coval, count_by_side


class Arrau(Coval):
    """CoVal on ARRAU files.

    There it knows MIN attributes instead of minimum spans, and non-referring expressions: a set
    refers or does not as its first markable does, because it looks at no other.
    """

    metrics = ("muc", "bcub", "ceafe", "lea", "conll", "nonreferring")
    policies: ClassVar[Mapping[str, str]] = {"missing": "skip"}
    rules = ("exact", "min")
    needs_files = True
    counting = "as coval; a set whose first mention does not refer is left out"

    def drop_nonreferring(self, corpus: Corpus) -> Corpus:
        """The corpus without sets whose first markable does not refer."""
        return super().drop_nonreferring(whole_sets(corpus))

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """The metrics that see copies or minima."""
        return count(comparison, names)


def count(comparison: Comparison, names: Iterable[str]) -> dict[str, tuple[PerDocument, ...]]:
    """Counts of the metrics of these names, as far as they differ from the standard."""
    listed = list(names)
    tables: dict[str, tuple[PerDocument, ...]] = {}
    if "nonreferring" in listed:
        tables["nonreferring"] = _nonreferring(*comparison.whole, comparison.rule)
    if comparison.rule != "min":
        return tables | coval.count(comparison, listed)
    key, response = comparison.key, comparison.response
    pairs = agreeing(key, response)
    recall = _belonging(key, response, pairs.key, pairs.response)
    precision = _belonging(response, key, pairs.response, pairs.key)
    tables |= coval.count(comparison, ["mentions"])
    for name in listed:
        if name == "ceafe":
            tables[name] = ceaf.count_entities(shared(key, response, pairs))
        elif name in BY_SIDE:
            tables[name] = count_by_side(name, recall, precision)
    return tables


def whole_sets(corpus: Corpus) -> Corpus:
    """The corpus with sets that refer, or do not, as their first markable does."""
    if corpus.referring is None:
        return corpus
    first = np.unique(corpus.entity, return_index=True)[1]
    return replace(corpus, referring=corpus.referring[first][corpus.entity])


def agreeing(key: Corpus, response: Corpus) -> Pairs:
    """All pairs of mentions that agree: rows of key and response, each as often as it agrees.

    The response's mention lies within the key's and contains its minimum; where the key's has
    none, the two are equal. A minimum outside its mention agrees with nothing.
    """
    first, last = _minimum(key)
    width = int(max(key.end.max(initial=0), response.end.max(initial=0), first.max(initial=0))) + 2
    order = np.lexsort((response.start, response.document))
    codes = (response.document * width + response.start)[order]
    low = np.searchsorted(codes, key.document * width + key.start)
    high = np.searchsorted(codes, key.document * width + first, side="right")
    number = np.maximum(high - low, 0)
    ours = np.repeat(np.arange(key.mentions), number)
    theirs = order[stretches(low, number)]
    end = response.end[theirs]
    fits = (last[ours] <= end) & (end <= key.end[ours])
    return Pairs(ours[fits], theirs[fits])


def _minimum(key: Corpus) -> tuple[IntArray, IntArray]:
    """First and last token of what must be there: the minimum, else the whole mention.

    Without a minimum the response's mention begins where the key's does and ends where it ends.
    """
    if key.minimum is None:
        return key.start, key.end
    first, last = key.minimum[:, 0], key.minimum[:, 1]
    none = first < 0
    return np.where(none, key.start, first), np.where(none, key.end, last)


def _belonging(one: Corpus, other: Corpus, rows: IntArray, partners: IntArray) -> Overlap:
    """How many mentions of each entity belong to which entity of the other side."""
    rank = ranks_of(np.argsort(other.entity, kind="stable"))
    order = np.lexsort((rank[partners], rows))
    mentions, first = np.unique(rows[order], return_index=True)
    return overlap_of_sides(one, one.entity[mentions], other, other.entity[partners[order][first]])


def shared(key: Corpus, response: Corpus, pairs: Pairs) -> Overlap:
    """How many mentions of each key entity agree with some mention of each response entity."""
    width = max(response.entities, 1)
    both = np.unique(pairs.key * width + response.entity[pairs.response])
    return overlap_of_sides(key, key.entity[both // width], response, both % width)


def _nonreferring(key: Corpus, response: Corpus, rule: str) -> tuple[PerDocument, ...]:
    """tp, fn and fp of non-referring expressions, of each set the first."""
    key, response = (side.take(_first_silent(side)) for side in (key, response))
    equal = Pairs(*join(*mention_codes(key, response)))
    pairs = agreeing(key, response) if rule == "min" else equal
    return outcomes.count(key, response, pairs)


def _first_silent(corpus: Corpus) -> BoolArray:
    """bool (mentions,): the non-referring expressions that are the first of their set."""
    silent = np.zeros(corpus.mentions, dtype=bool)
    if corpus.referring is not None:
        first = np.unique(corpus.entity, return_index=True)[1]
        silent[first] = ~corpus.referring[first]
    return silent
