"""How corefud-scorer 1.0 and 1.1 count, bug for bug.

Mentions are not paired off: every one chooses its partner without regard to the others, so a
partner may be chosen twice. The choice is by least |K △ R| / |K ∪ R|; a tie goes to the mention
that starts earlier, or else ends earlier. Recall looks from the key, precision from the response.
"""

from collections.abc import Iterable

import numpy as np

from corefkit.data.arrays import EMPTY, BoolArray, IntArray, distinct, join, ranks_of
from corefkit.data.corpus import Corpus
from corefkit.data.matched import Matched
from corefkit.data.matching.exact import mention_codes
from corefkit.data.matching.head import same_head
from corefkit.data.matching.nodes import common_nodes, ends_of, is_zero, sizes, text_order
from corefkit.data.matching.pairs import Pairs
from corefkit.data.matching.partial import within
from corefkit.data.options import Options
from corefkit.metrics.base import Counted
from corefkit.profiles.corefud import Lookups
from corefkit.profiles.corefud_values import (
    RULES,
    Listed,
    first_copies_by_entity,
    first_of_entity,
    number_values,
)
from corefkit.profiles.empty_nodes import compare_empty_nodes
from corefkit.profiles.steps import Settled, Steps


def match(key: Corpus, response: Corpus, options: Options) -> Pairs:
    """No pairs."""
    del key, response, options
    return Pairs(EMPTY, EMPTY)


def count(matched: Matched, names: Iterable[str]) -> dict[str, Counted]:
    """Counts of the metrics of these names.

    By other rules than `exact`, key mentions with the same nodes and different heads are two; in
    the response only by `head`.
    """
    key, response = matched.key, matched.response
    heads, their_heads = matched.rule != "exact", matched.rule == "head"
    ours, theirs = _listed(key, heads), _listed(response, their_heads)
    pairs = _fitting(key, response, matched.rule)
    to_response = _best(key, response, pairs)
    to_key = _best(response, key, Pairs(pairs.response, pairs.key))
    in_response = _last_copy(to_response, theirs)
    in_key = _last_copy(to_key, ours)
    lookups = Lookups(
        ours,
        theirs,
        in_response,
        in_key,
        listed=_once(response, pairs),
        partner=in_response,
        zeros=(_zeros(key, heads), _zeros(response, their_heads)),
    )
    return lookups.count(names)


def settle(key: Corpus, response: Corpus, path: str, options: Options) -> Settled:
    """The response of `partial`, in which heads make no difference, unlike in the key."""
    del key, path
    if options.match != "partial":
        return Settled(response)
    kept = response.take(first_of_entity(response, mention_codes(response)[0]))
    return Settled(kept.drop_singletons() if options.singletons == "drop" else kept)


def _listed(corpus: Corpus, heads: bool) -> Listed:
    (values,), number = number_values(*mention_codes(corpus, heads=heads))
    return Listed(corpus, values, number)


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


def _last_copy(row: IntArray, side: Listed) -> IntArray:
    """For each row of a side that of the same value in the last entity; −1 stays."""
    found = np.full(len(row), -1, dtype=np.int64)
    some = row >= 0
    found[some] = side.copies(last=True)[side.value[row[some]]]
    return found


def _once(response: Corpus, pairs: Pairs) -> tuple[IntArray, IntArray]:
    """For φ₃: each key mention once for each response entity of which it fits any mention."""
    cell = pairs.key * max(response.entities, 1) + response.entity[pairs.response]
    first = distinct(cell).first
    return pairs.key[first], pairs.response[first]


def _zeros(corpus: Corpus, heads: bool) -> BoolArray:
    """Zeros by the head where the value has one, else by the first node."""
    return is_zero(corpus) if heads else ends_of(corpus)[1] > 0


STEPS = Steps(
    rules=RULES,
    copies=first_copies_by_entity(heads=("head", "partial")),
    compare=compare_empty_nodes,
    settle=settle,
    match=match,
    counting=count,
)
