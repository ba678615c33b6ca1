"""corefud-scorer 1.0 and 1.1, bug for bug.

Mentions are not paired off: every one chooses its partner without regard to the others, so a
partner may be chosen twice. The choice is by least |K △ R| / |K ∪ R|; a tie goes to the mention
that starts earlier, or else ends earlier. Recall looks from the key, precision from the response.
Both sides must have the same empty nodes: there is no way to pair others.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from corefkit.core.arrays import EMPTY, BoolArray, IntArray, distinct, join, ranks_of
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, Incident
from corefkit.core.nodes import common_nodes, ends_of, is_zero, mention_codes, sizes, text_order
from corefkit.core.options import UsageError
from corefkit.core.overlap import Pairs
from corefkit.formats import FormNode, format_of
from corefkit.matching.head import same_head
from corefkit.matching.partial import within
from corefkit.metrics.base import Counted
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.corefud import CorefUD, EntityLists, Lookups, first_of_entity, number_values


class CorefUD11(CorefUD):
    """corefud-scorer 1.1, of CRAC 2023 and, with `--match partial`, of CRAC 2022.

    It pairs nothing off: every mention looks alone for the best one of the other side. By other
    rules than `exact`, key mentions with the same nodes and different heads are two; in the
    response only by `head`.
    """

    others = ()
    policies: ClassVar[Mapping[str, str]] = {
        "match": "head",
        "singletons": "drop",
        "blanc": "either",
        "words": "error",
        "zeros": "linear",
    }
    counting = "as corefud, but each mention looks alone for the best one of the other side"
    heads_matter = ("head", "partial")

    def check(
        self, key: Side, response: Side, documents: set[str] | None = None
    ) -> Iterator[Incident]:
        """What is different about the two sides; empty nodes must be the same."""
        yield from super().check(key, response, documents)
        yield from compare_empty_nodes(key.corpus, response.corpus)

    def adjust_response(self, comparison: Comparison) -> Comparison:
        """By `partial`: response mentions with the same nodes are copies, whatever their heads."""
        if self.options.match != "partial":
            return comparison
        response = comparison.response
        kept = response.take(first_of_entity(response, mention_codes(response)[0]))
        if self.options.singletons == "drop":
            kept = kept.drop_singletons()
        return replace(comparison, response=kept)

    def match(self, key: Corpus, response: Corpus) -> Pairs:
        """No pairs."""
        return Pairs(EMPTY, EMPTY)

    def check_pairing(self, option: str) -> None:
        """Nothing is paired off, so that a mention could not go with its partner."""
        if self.options.match != "exact":
            raise UsageError(f"{option}: the profile corefud-1.1 pairs no mentions; use corefud")

    def count_own(self, comparison: Comparison, names: list[str]) -> dict[str, Counted]:
        """All metrics, by looking mentions up."""
        return _look_up(comparison).count(names)


FormNodes = list[FormNode]
"""The nodes of a document."""


def compare_empty_nodes(key: Corpus, response: Corpus) -> list[Incident]:
    """One incident for each document of both that has other empty nodes in the response.

    corefud-scorer 1.1 does not look at ids. It compares the forms of words and empty nodes side
    by side, in each sentence as far as the shorter one reaches, and refuses files in which two
    differ: an error. Files whose forms do not show it (in its own tests on zeros every form is
    `_`) are scored: a warning.
    """
    ours = dict(_nodes(key))
    collector = Collector()
    for name, theirs in _nodes(response):
        expected, given = (_places(nodes) for nodes in (ours.get(name, theirs), theirs))
        if given == expected:
            continue
        more, fewer = len(given - expected), len(expected - given)
        collector.note(
            "empty-nodes-differ",
            severity=None if _forms_differ(ours[name], theirs) else "warning",
            at=response.document_place(response.names.index(name)),
            found=f"{more:,} that the key lacks, {fewer:,} of the key not",
            expected="the empty nodes of the key",
        )
    return list(collector)


def _places(nodes: FormNodes) -> set[tuple[int, int, int]]:
    """The empty nodes: sentence, how many words stand before, and the number."""
    words, places = 0, set()
    for sentence, _, zero in nodes:
        words += not zero
        if zero:
            places.add((sentence, words, zero))
    return places


def _forms_differ(key: FormNodes, response: FormNodes) -> bool:
    ours, theirs = _sentences(key), _sentences(response)
    return any(
        one != other
        for sentence, forms in ours.items()
        for one, other in zip(forms, theirs.get(sentence, ()), strict=False)
    )


def _sentences(nodes: FormNodes) -> dict[int, list[bytes]]:
    forms: dict[int, list[bytes]] = {}
    for sentence, form, _ in nodes:
        forms.setdefault(sentence, []).append(form)
    return forms


def _nodes(corpus: Corpus) -> Iterator[tuple[str, FormNodes]]:
    """The nodes of each document that was read from a CorefUD file."""
    for source in corpus.sources:
        if list_nodes := format_of(source).nodes:
            first = source.first_document
            names = corpus.names[first : first + source.documents]
            yield from zip(names, list_nodes(source), strict=True)


def _look_up(comparison: Comparison) -> Lookups:
    """Where each mention finds its best on the other side."""
    key, response, rule = comparison.key, comparison.response, comparison.rule
    heads, their_heads = rule != "exact", rule == "head"
    ours, theirs = _listed(key, heads), _listed(response, their_heads)
    pairs = _fitting(key, response, rule)
    to_response = _best(key, response, pairs)
    to_key = _best(response, key, Pairs(pairs.response, pairs.key))
    in_response = _last_copy(to_response, theirs)
    in_key = _last_copy(to_key, ours)
    return Lookups(
        ours,
        theirs,
        in_response,
        in_key,
        listed=_once(response, pairs),
        partner=in_response,
        zeros=(_zeros(key, heads), _zeros(response, their_heads)),
    )


def _listed(corpus: Corpus, heads: bool) -> EntityLists:
    (values,), number = number_values(*mention_codes(corpus, heads=heads))
    return EntityLists(corpus, values, number)


def _fitting(key: Corpus, response: Corpus, rule: str) -> Pairs:
    """The rows of mentions that fit, copies included."""
    everybody = np.arange(key.mentions), np.arange(response.mentions)
    if rule == "head":
        return same_head(key, response, *everybody)
    if rule == "partial":
        return within(key, response, *everybody)
    return Pairs(*join(*mention_codes(key, response)))


def _best(one: Corpus, other: Corpus, pairs: Pairs) -> IntArray:
    """For each mention of one side the row of the best that fits it on the other, −1 for none."""
    common = common_nodes(one, other, *pairs)
    union = sizes(one)[pairs.key] + sizes(other)[pairs.response] - common
    place = ranks_of(text_order(other))
    # Distance |K △ R| / |K ∪ R|: quotients of small integers are equal where the fractions are.
    order = np.lexsort((place[pairs.response], (union - common) / union, pairs.key))
    best = np.full(one.mentions, -1, dtype=np.int64)
    best[pairs.key[order][::-1]] = pairs.response[order][::-1]
    return best


def _last_copy(row: IntArray, side: EntityLists) -> IntArray:
    """For each row of a side that of the same value in the last entity; −1 stays."""
    copy = np.full(len(row), -1, dtype=np.int64)
    some = row >= 0
    copy[some] = side.copies(last=True)[side.value[row[some]]]
    return copy


def _once(response: Corpus, pairs: Pairs) -> tuple[IntArray, IntArray]:
    """For φ₃: each key mention once for each response entity of which it fits any mention."""
    cell = pairs.key * max(response.entities, 1) + response.entity[pairs.response]
    first = distinct(cell).first
    return pairs.key[first], pairs.response[first]


def _zeros(corpus: Corpus, heads: bool) -> BoolArray:
    """Zeros by the head where the value has one, else by the first node."""
    return is_zero(corpus) if heads else ends_of(corpus)[1] > 0
