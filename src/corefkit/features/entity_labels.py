"""Labels of entities: by size, by extent in the text, by kind and by type.

A label gives each entity of a side one text, by which scores are broken down. `find_label` finds
those of `--by entity:NAME`; in Python, pass your own: `scores.by(EntityLabel("even", is_even))`.

Token columns, trees, heads and types are taken from the key, by position, also for mentions that
only the response has, so that a system cannot influence its strata.
"""

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import partial

import numpy as np

from corefkit.core.arrays import IntArray, distinct, ranks_of, starts_of_runs
from corefkit.core.carriers import frozen
from corefkit.core.columns import NOTHING, Column
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, data_error
from corefkit.core.nodes import head_columns, is_irregular, reading_order, zero_numbers
from corefkit.core.options import UsageError
from corefkit.features.chains import Chains, KeyTokens, sentence_of_mentions
from corefkit.features.features import (
    KINDS,
    NAME,
    NOMINAL,
    PRONOUN,
    UNKNOWN_KIND,
    as_column,
    banded,
    kind_sources,
    mention_kinds,
    parse_bounds,
)
from corefkit.features.heads import UNKNOWN, with_heads
from corefkit.matching.exact import equal_mentions

PREFIX = "entity:"
"""The prefix of labels of entities on the command line."""

NONE = "none"
"""The label of an entity about which nothing is known: no mention has a class, or its only mention
is the virtual one of a split antecedent."""

BOUNDS = {
    "size": (1, 2, 3, 5, 10, 20),
    "spread": (0, 1, 50, 200, 500, 2000),
    "sentences": (0, 1, 2, 5, 20, 100),
}
"""Numeric label → the lowest number of each band."""

LABELS = {
    "size": "the number of mentions",
    "spread": "tokens from the start of the first mention to the start of the last",
    "sentences": "the same in sentences",
    "kind": "named if a mention is a name, else nominal if one is, else pronominal",
    "first": "the kind of the first mention: name, nominal, pronoun",
    "type": "the class of named entity (CorefUD: etype) that most mentions carry",
    "major": "major from N mentions on (major=5), or among the K largest of the document "
    "(major=top:3); the others are minor",
}
"""The labels of `--by entity:NAME`, with their meanings."""

_KINDS = ("named", "nominal", "pronominal", NONE)
_FIRST = ("name", "nominal", "pronoun", NONE)
_MAJOR = ("major", "minor")


@frozen
class EntityLabel:
    """A label by which entities are divided.

    Attributes:
        name: its name.
        function: takes the chains of one side and returns one label per entity, in the order of
            `chains.first`: a sequence of texts, or a Column, whose values give their order.
        tokens: the token columns of the key that it reads, so that they are read together.
        bounds: the lowest numbers of its bands, if it is a number.
        by_frequency: whether labels are ordered by their key mentions, most first.
    """

    name: str
    function: Callable[[Chains], Column | Sequence[object]]
    tokens: tuple[str, ...] = ()
    bounds: tuple[int, ...] | None = field(default=None, kw_only=True)
    by_frequency: bool = field(default=False, kw_only=True)

    @property
    def signature(self) -> str:
        """Its form in a signature, always with bounds."""
        return f"{self.name}={','.join(map(str, self.bounds))}" if self.bounds else self.name

    def of_size(self, number: int) -> str | None:
        """The label of an entity of which only the size is known; None where that is not enough."""
        if self.name == PREFIX + "size" and self.bounds is not None:
            return banded(np.array([number]), self.bounds).to_list()[0]
        return None

    def labels(self, chains: Chains) -> Column:
        """The label of each entity; ValueError where the function returns too many or too few."""
        column = as_column(self.function(chains))
        if len(column.code) != len(chains.first):
            number, entities = len(column.code), len(chains.first)
            raise ValueError(f"{self.name}: {number} labels for {entities} entities")
        return column


def find_label(by: str | EntityLabel) -> EntityLabel:
    """The label named by `entity:NAME` or `entity:NAME=BOUNDS`, or a label unchanged.

    >>> find_label("entity:size=1,2,10").signature
    'entity:size=1,2,10'
    >>> find_label("entity:spread").bounds
    (0, 1, 50, 200, 500, 2000)
    """
    if isinstance(by, EntityLabel):
        return by
    name, equals, value = by.removeprefix(PREFIX).partition("=")
    if name in BOUNDS:
        try:
            bounds = parse_bounds(value) if equals else BOUNDS[name]
        except ValueError as error:
            raise _wrong(by, str(error)) from None
        function = partial(_banded, measure=_MEASURES[name], bounds=bounds)
        return EntityLabel(PREFIX + name, function, bounds=bounds)
    if name == "major":
        return EntityLabel(by, _major_by(by, value))
    if name not in _PLAIN:
        raise _unknown(by)
    if equals:
        raise _wrong(by, f"{name} takes no bounds")
    return _PLAIN[name]


def _unknown(by: str) -> UsageError:
    from difflib import get_close_matches

    close = get_close_matches(by.removeprefix(PREFIX).partition("=")[0], LABELS, 1)
    return _wrong(by, f"did you mean {PREFIX}{close[0]}?" if close else "there is no such label")


def _wrong(by: str, why: str) -> UsageError:
    known = ", ".join(
        f"{name}={','.join(map(str, BOUNDS[name]))}"
        if name in BOUNDS
        else "major=5, major=top:3"
        if name == "major"
        else name
        for name in LABELS
    )
    return UsageError(f"by: {by!r:.60}: {why}; choose from {PREFIX} {known}")


def _banded(
    chains: Chains, measure: Callable[[Chains], IntArray], bounds: tuple[int, ...]
) -> Column:
    """The band of each entity by a number; a negative number means that it is not known."""
    numbers = measure(chains)
    column = banded(numbers, bounds)
    return Column(np.where(numbers < 0, len(column.values), column.code), (*column.values, NONE))


def size(chains: Chains) -> IntArray:
    """The number of mentions, including the virtual one of a split antecedent."""
    plurals = chains.corpus.plurals
    if plurals is None:
        return chains.size
    grown = chains.size.copy()
    np.add.at(grown, plurals.entity[plurals.entity >= 0], 1)
    return grown


def spread(chains: Chains) -> IntArray:
    """Tokens from the start of the first mention to the start of the last."""
    return _range(chains, chains.start)


def sentences(chains: Chains) -> IntArray:
    """Sentences from the first mention to the last; 0 where both are in one sentence."""
    return _range(chains, sentence_of_mentions(chains))


def _range(chains: Chains, position: IntArray) -> IntArray:
    """The largest position of each entity minus the smallest; −1 for an entity without mentions."""
    if not len(chains.first):
        return chains.first
    low = np.full(len(chains.first), np.iinfo(np.int64).max)
    high = np.full(len(chains.first), np.iinfo(np.int64).min)
    np.minimum.at(low, chains.entity, position)
    np.maximum.at(high, chains.entity, position)
    return np.where(chains.size > 0, high - low, -1)


_MEASURES = {"size": size, "spread": spread, "sentences": sentences}


def kinds_of_mentions(chains: Chains) -> IntArray:
    """The kind of each mention, an index into KINDS, by the heads and tags of the key."""
    return mention_kinds(_with_key_heads(chains), chains.tokens, chains.chosen)[chains.row]


def _with_key_heads(chains: Chains) -> Corpus:
    """The corpus with the heads that the key has for the same spans, else those by its trees."""
    corpus, key = chains.in_texts, chains.tokens.headed
    same = equal_mentions(key, corpus)
    head, head_zero = np.full(corpus.mentions, UNKNOWN), zero_numbers(corpus).copy()
    declared, zero = head_columns(key)
    head[same.response], head_zero[same.response] = declared[same.key], zero[same.key]
    if len(same.response) == corpus.mentions:
        return replace(corpus, head=head, head_zero=head_zero)
    return with_heads(replace(corpus, head=head, head_zero=head_zero), key)


def kind(chains: Chains) -> Column:
    """Named if a mention is a name, else nominal if one is nominal, else pronominal."""
    kinds = kinds_of_mentions(chains)
    code = np.full(len(chains.first), 3, dtype=np.int64)
    for number, mention_kind in enumerate((NAME, NOMINAL, PRONOUN)):
        has_kind = np.zeros(len(chains.first), dtype=bool)
        has_kind[chains.entity[kinds == mention_kind]] = True
        code = np.where(has_kind & (code == 3), number, code)
    return Column(code, _shown(chains, _KINDS))


def first_kind(chains: Chains) -> Column:
    """The kind of the first mention in text order."""
    number = np.array([_FIRST.index(name) for name in KINDS])
    code = np.full(len(chains.first), 3, dtype=np.int64)
    code[chains.entity] = number[kinds_of_mentions(chains)][first_rows(chains)[chains.entity]]
    return Column(code, _shown(chains, _FIRST))


def _shown(chains: Chains, names: tuple[str, ...]) -> tuple[str, ...]:
    """The names of kinds to be shown: where pronouns are not known, "nominal" may be anything."""
    if kind_sources(chains.tokens, chains.chosen).pronouns != "none":
        return names
    return tuple(UNKNOWN_KIND if name == "nominal" else name for name in names)


def first_rows(chains: Chains) -> IntArray:
    """The row of each entity's first mention in text order; 0 for an entity without mentions."""
    order = _text_order(chains)
    first = np.zeros(len(chains.first), dtype=np.int64)
    first[chains.entity[order][::-1]] = order[::-1]
    return first


def _text_order(chains: Chains) -> IntArray:
    """The rows of the chains in text order."""
    return ranks_of(chains.row)[reading_order(chains.corpus)]


def entity_type(chains: Chains) -> Column:
    """The class that most mentions of an entity have; among equals the first one in the text."""
    code, values = classes_of_mentions(chains)
    order = _text_order(chains)
    order = order[code[order] >= 0]
    width = max(len(values), 1)
    votes = distinct(chains.entity[order] * width + code[order])
    entity, voted_class = votes.values // width, votes.values % width
    best = np.lexsort((votes.first, -votes.counts, entity))
    best = best[starts_of_runs(entity[best])]
    majority = np.full(len(chains.first), len(values), dtype=np.int64)
    majority[entity[best]] = voted_class[best]
    return Column(majority, (*values, NONE))


def classes_of_mentions(chains: Chains) -> Column:
    """The class of each mention, −1 for none: that of the key's named entity with its span.

    Where the key has no column of named entities, it is the type that CorefUD files give the key
    entity of the mention or of its partner.
    """
    tokens = chains.tokens
    if has_names(tokens):
        is_span = ~chains.zero & ~is_irregular(chains.corpus)[chains.row]
        name = tokens.name_over(chains.document, chains.start, chains.end)
        return Column(np.where(is_span, name, -1), tuple(tokens.name_spans.labels))
    types = entity_types(tokens.corpus)
    if types is None:
        raise no_types(tokens)
    return Column(np.append(types.code, -1)[chains.key_entity], types.values)


def has_names(tokens: KeyTokens) -> bool:
    """Whether the key has a column of named entities that is not empty."""
    return tokens.has("ne") and not NOTHING.issuperset(tokens.column("ne").values)


def entity_types(key: Corpus) -> Column | None:
    """The type that the files give each entity, code −1 for none; None where they have no types.

    It is that of the first mention that has one.
    """
    labels = key.mention_labels
    if labels is None or "etype" not in labels.columns:
        return None
    texts = [""] * key.entities
    given = labels.values("etype")
    for row in key.text_order.tolist():
        entity = int(key.entity[row])
        texts[entity] = texts[entity] or given[row]
    if not any(texts):
        return None
    values = tuple(sorted(set(texts) - {""}))
    number_of = {value: number for number, value in enumerate(values)}
    return Column(np.array([number_of.get(text, -1) for text in texts], dtype=np.int64), values)


def _major_by(by: str, text: str) -> Callable[[Chains], Column]:
    """The function of `entity:major=TEXT`; `by` is the whole label, for the message."""
    top, is_top, number = text.rpartition("top:")
    if top or not (number.isascii() and number.isdigit() and len(number) < 16 and int(number)):
        raise _wrong(by, "major takes a number of mentions, or top: and a number of entities")
    return partial(_major_top if is_top else _major_from, number=int(number))


def _major_from(chains: Chains, number: int) -> Column:
    return Column(np.where(size(chains) >= number, 0, 1), _MAJOR)


def _major_top(chains: Chains, number: int) -> Column:
    """The largest entities of each document or window are major; among equals the earlier."""
    rank_of_first, window = (
        ranks_of(_text_order(chains))[first_rows(chains)],
        chains.corpus.entity_document,
    )
    order = np.lexsort((rank_of_first, -size(chains), window))
    window = window[order]
    rank = np.arange(len(order)) - np.searchsorted(window, window)
    code = np.empty(len(order), dtype=np.int64)
    code[order] = rank >= number
    return Column(code, _MAJOR)


_PLAIN = {
    "kind": EntityLabel(PREFIX + "kind", kind, ("word", "pos")),
    "first": EntityLabel(PREFIX + "first", first_kind, ("word", "pos")),
    "type": EntityLabel(PREFIX + "type", entity_type, ("ne",), by_frequency=True),
}


def no_types(tokens: KeyTokens) -> DataError:
    """The error for a key that has neither named entities nor types of entities."""
    return data_error("column-missing", "by-type", file=first_path(tokens))


def first_path(tokens: KeyTokens) -> str | None:
    """The first file of the key; None where it was made in Python."""
    return tokens.corpus.sources[0].path if tokens.corpus.sources else None


def order_labels(label: EntityLabel, columns: Sequence[Column], mentions: IntArray) -> list[str]:
    """The labels of several sides in the order in which they are shown.

    `mentions`, int64, is the number of mentions of each entity of the first side, the key.
    """
    names = list(dict.fromkeys(value for column in columns for value in column.values))
    if not label.by_frequency:
        return names
    key = columns[0]
    totals = np.bincount(key.code, mentions, minlength=len(key.values))
    frequency = dict(zip(key.values, totals.tolist(), strict=True))
    return sorted(names, key=lambda name: (name == NONE, -frequency.get(name, 0), name))
