"""Labels of entities: how large they are, how far they reach, what they are called.

A label gives each entity of a side one text, by which scores are broken down. `find_label` knows
those of `--by entity:NAME`; from Python pass your own: `scores.by(EntityLabel("even", is_even))`.

Token columns, trees, heads and types are the key's, by position, also of mentions that only the
response has: no system chooses its own strata.
"""

from collections.abc import Callable, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import pairwise

import numpy as np

from corefkit.applications.chains import Chains
from corefkit.applications.features import (
    KINDS,
    NAME,
    NOMINAL,
    PRONOUN,
    Feature,
    banded,
    find_feature,
    mention_kinds,
)
from corefkit.applications.heads import UNKNOWN, with_heads
from corefkit.applications.link_distances import PREFIX as LINK
from corefkit.applications.link_distances import LinkDistance, find_distance
from corefkit.applications.tokens import KeyTokens
from corefkit.core.arrays import IntArray, distinct, ranks_of, starts_of_runs
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, Incident, data_error, make_incident
from corefkit.core.nodes import head_columns, is_irregular, reading_order, zero_numbers
from corefkit.core.options import UsageError
from corefkit.core.source import NOTHING, Column
from corefkit.matching.exact import equal_mentions

PREFIX = "entity:"
"""What labels of entities begin with on the command line."""

NONE = "none"
"""The label of an entity of which nothing is known: no mention has a class, or it has no mention
but the virtual one of a split antecedent."""

BOUNDS = {
    "size": (1, 2, 3, 5, 10, 20),
    "spread": (0, 1, 50, 200, 500, 2000),
    "sentences": (0, 1, 2, 5, 20, 100),
}
"""The least values of the bands of each label that is a number."""

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
"""What `--by entity:NAME` can name."""

_KINDS = ("named", "nominal", "pronominal", NONE)
_FIRST = ("name", "nominal", "pronoun", NONE)
_MAJOR = ("major", "minor")


@frozen
class EntityLabel:
    """What entities are broken down by.

    Attributes:
        name: what it is called.
        function: the chains of one side → one label per entity, in the order of `chains.first`; a
            sequence of texts, or a Column, whose values say their order.
        tokens: the token columns of the key that it reads, so that they are read together.
        bounds: the least values of its bands, if it is a number.
        by_frequency: whether labels are ordered by their key mentions, most first.
    """

    name: str
    function: Callable[[Chains], Column | Sequence[object]]
    tokens: tuple[str, ...] = ()
    bounds: tuple[int, ...] | None = field(default=None, kw_only=True)
    by_frequency: bool = field(default=False, kw_only=True)

    @property
    def signature(self) -> str:
        """How it stands in a signature: bounds are always written."""
        return f"{self.name}={','.join(map(str, self.bounds))}" if self.bounds else self.name

    def of_size(self, number: int) -> str | None:
        """The label of an entity of which only its size is known; None where it has none."""
        if self.name == PREFIX + "size" and self.bounds is not None:
            return banded(np.array([number]), self.bounds).to_list()[0]
        return None

    def labels(self, chains: Chains) -> Column:
        """The label of each entity; ValueError where there are more or fewer than entities."""
        found = self.function(chains)
        if not isinstance(found, Column):
            listed = [str(label) for label in found]
            values = sorted(set(listed))
            place = {value: number for number, value in enumerate(values)}
            code = np.array([place[label] for label in listed], dtype=np.int64)
            found = Column(code, tuple(values))
        if len(found.code) != len(chains.first):
            given, wanted = len(found.code), len(chains.first)
            raise ValueError(f"{self.name}: {given} labels for {wanted} entities")
        return found


Division = EntityLabel | Feature | LinkDistance
"""What scores can be split by: a label of entities, a feature of mentions, distances of links."""


def find_division(by: "str | Division") -> Division:
    """The label of entities, feature of mentions or distance of links that is meant.

    UsageError if none is.

    >>> find_division("entity:kind").name, find_division("length").name
    ('entity:kind', 'length')
    """
    if isinstance(by, EntityLabel) or (isinstance(by, str) and by.startswith(PREFIX)):
        return find_label(by)
    if isinstance(by, LinkDistance):
        return by
    if isinstance(by, str) and by.startswith(LINK):
        return find_distance(by)
    return find_feature(by)


def is_label(by: object) -> bool:
    """Whether this is a label of entities or a distance of links, or the name of one."""
    named = isinstance(by, str) and by.startswith((PREFIX, LINK))
    return named or isinstance(by, EntityLabel | LinkDistance)


def find_label(by: str | EntityLabel) -> EntityLabel:
    """The label that is meant by `entity:NAME`, `entity:NAME=BOUNDS` or a label of your own.

    >>> find_label("entity:size=1,2,10").signature
    'entity:size=1,2,10'
    >>> find_label("entity:spread").bounds
    (0, 1, 50, 200, 500, 2000)
    """
    if isinstance(by, EntityLabel):
        return by
    name, equals, value = by.removeprefix(PREFIX).partition("=")
    if name in BOUNDS:
        bounds = _bounds(by, value) if equals else BOUNDS[name]
        function = partial(_banded, measure=_MEASURES[name], bounds=bounds)
        return EntityLabel(PREFIX + name, function, bounds=bounds)
    if name == "major":
        return EntityLabel(by, _major_by(by, value))
    if name not in _PLAIN:
        raise _unknown(by)
    if equals:
        raise _wrong(by, f"{name} takes no bounds")
    return _PLAIN[name]


def _bounds(by: str, text: str) -> tuple[int, ...]:
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and len(part) < 16 for part in parts):
        raise _wrong(by, "bounds are whole numbers")
    bounds = tuple(map(int, parts))
    if any(one >= other for one, other in pairwise(bounds)):
        raise _wrong(by, "bounds ascend")
    return bounds


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
    return UsageError(f"by: {by!r:.60}: {why}; there are {PREFIX} {known}")


def _banded(
    chains: Chains, measure: Callable[[Chains], IntArray], bounds: tuple[int, ...]
) -> Column:
    """The bands of a number of each entity; a negative one means that it is not known."""
    numbers = measure(chains)
    column = banded(numbers, bounds)
    return Column(np.where(numbers < 0, len(column.values), column.code), (*column.values, NONE))


def size(chains: Chains) -> IntArray:
    """The number of mentions; the virtual one of a split antecedent is one of them."""
    plurals = chains.corpus._plurals
    if plurals is None:
        return chains.size
    grown = chains.size.copy()
    np.add.at(grown, plurals.entity[plurals.entity >= 0], 1)
    return grown


def spread(chains: Chains) -> IntArray:
    """The largest start less the smallest."""
    return _range(chains, chains.start)


def sentences(chains: Chains) -> IntArray:
    """The same in sentences; zeros stand in their own."""
    return _range(chains, sentence_of_mentions(chains))


def sentence_of_mentions(chains: Chains) -> IntArray:
    """The sentence of each mention, by its first token, int64 (mentions,); of zeros their own."""
    number = chains.tokens.sentence_in_document
    found = chains.at_token(number, chains.start)
    if not chains.zero.any():
        return found
    # A mention that begins with an empty node and has words stands where its last word does.
    found = np.where(chains.zero, chains.at_token(number, chains.end), found)
    dependencies = chains.corpus.dependencies
    if dependencies is not None:
        at = ranks_of(chains.row)[dependencies.parents.row]
        own = chains.zero[at]
        found[at[own]] = dependencies.sentence[own]
    return found


def _range(chains: Chains, place: IntArray) -> IntArray:
    """For each entity the largest place less the smallest; −1 of one without a mention."""
    if not len(chains.first):
        return chains.first
    low = np.full(len(chains.first), np.iinfo(np.int64).max)
    high = np.full(len(chains.first), np.iinfo(np.int64).min)
    np.minimum.at(low, chains.entity, place)
    np.maximum.at(high, chains.entity, place)
    return np.where(chains.size > 0, high - low, -1)


_MEASURES = {"size": size, "spread": spread, "sentences": sentences}


def kinds_of_mentions(chains: Chains) -> IntArray:
    """The kind of each mention (an index into KINDS), with the heads and tags of the key."""
    return mention_kinds(_with_key_heads(chains), chains.tokens, chains.chosen)[chains.row]


def _with_key_heads(chains: Chains) -> Corpus:
    """The mentions with the heads that the key has for these spans, else those of its trees."""
    corpus, key = chains.corpus, chains.tokens.headed
    same = equal_mentions(key, corpus)
    head, head_zero = np.full(corpus.mentions, UNKNOWN), zero_numbers(corpus).copy()
    declared, zero = head_columns(key)
    head[same.response], head_zero[same.response] = declared[same.key], zero[same.key]
    if len(same.response) == corpus.mentions:
        return replace(corpus, head=head, _head_zero=head_zero)
    return with_heads(replace(corpus, head=head, _head_zero=head_zero), key)


def kind(chains: Chains) -> Column:
    """Named if a mention is a name, else nominal if one is nominal, else pronominal."""
    found = kinds_of_mentions(chains)
    code = np.full(len(chains.first), 3, dtype=np.int64)
    for number, one in enumerate((NAME, NOMINAL, PRONOUN)):
        having = np.zeros(len(chains.first), dtype=bool)
        having[chains.entity[found == one]] = True
        code = np.where(having & (code == 3), number, code)
    return Column(code, _KINDS)


def first_kind(chains: Chains) -> Column:
    """The kind of the first mention in text order."""
    number = np.array([_FIRST.index(name) for name in KINDS])
    found = np.full(len(chains.first), 3, dtype=np.int64)
    found[chains.entity] = number[kinds_of_mentions(chains)][first_rows(chains)[chains.entity]]
    return Column(found, _FIRST)


def first_rows(chains: Chains) -> IntArray:
    """The row in the chains of the first mention of each entity in text order; 0 of empty ones."""
    order = _text_order(chains)
    first = np.zeros(len(chains.first), dtype=np.int64)
    first[chains.entity[order][::-1]] = order[::-1]
    return first


def _text_order(chains: Chains) -> IntArray:
    """The rows of the chains in the order of the text."""
    return ranks_of(chains.row)[reading_order(chains.corpus)]


def entity_type(chains: Chains) -> Column:
    """The class that most mentions carry; of several the one that occurs first in the text."""
    code, values = classes_of_mentions(chains)
    order = _text_order(chains)
    order = order[code[order] >= 0]
    votes = distinct(chains.entity[order] * max(len(values), 1) + code[order])
    entity, chosen = votes.values // max(len(values), 1), votes.values % max(len(values), 1)
    best = np.lexsort((votes.first, -votes.counts, entity))
    best = best[starts_of_runs(entity[best])]
    found = np.full(len(chains.first), len(values), dtype=np.int64)
    found[entity[best]] = chosen[best]
    return Column(found, (*values, NONE))


def classes_of_mentions(chains: Chains) -> Column:
    """The class of each mention, −1 for none: of the key's named entity over exactly its span.

    Where the key has no such column, the type that CorefUD files give the entity of its own or of
    its partner.
    """
    tokens = chains.tokens
    if has_names(tokens):
        whole = ~chains.zero & ~is_irregular(chains.corpus)[chains.row]
        over = tokens.name_over(chains.document, chains.start, chains.end)
        return Column(np.where(whole, over, -1), tuple(tokens.names.labels))
    types = entity_types(tokens.corpus)
    if types is None:
        raise _no_types(tokens)
    own = chains.entity if chains.key_entity is None else chains.key_entity
    return Column(np.append(types.code, -1)[own], types.values)


def has_names(tokens: KeyTokens) -> bool:
    """Whether the key has a column of named entities with anything in it."""
    return tokens.has("ne") and not NOTHING.issuperset(tokens.column("ne").values)


def entity_types(key: Corpus) -> Column | None:
    """The type that files give each entity, code −1 for none; None where they know no types.

    That of the first mention which has one.
    """
    if not key.sources or len(key._byte) != key.mentions:
        return None
    texts = [""] * key.entities
    known = False
    order = key.text_order
    document = key.document[order]
    for source in key.sources:
        begins = source.first_document
        rows = order[(document >= begins) & (document < begins + source.documents)]
        found = source.mention_types(key._byte[rows])
        if found is None:
            continue
        known = True
        for entity, text in zip(key.entity[rows].tolist(), found, strict=True):
            texts[entity] = texts[entity] or text
    if not known or not any(texts):
        return None
    values = tuple(sorted(set(texts) - {""}))
    place = {value: number for number, value in enumerate(values)}
    return Column(np.array([place.get(text, -1) for text in texts], dtype=np.int64), values)


def _major_by(by: str, text: str) -> Callable[[Chains], Column]:
    top, is_top, number = text.rpartition("top:")
    if top or not (number.isascii() and number.isdigit() and len(number) < 16 and int(number)):
        raise _wrong(by, "major takes a number of mentions, or top: and a number of entities")
    return partial(_major_top if is_top else _major_from, number=int(number))


def _major_from(chains: Chains, number: int) -> Column:
    return Column(np.where(size(chains) >= number, 0, 1), _MAJOR)


def _major_top(chains: Chains, number: int) -> Column:
    """The largest of each document are major, of equals the earlier."""
    corpus = chains.corpus
    place = ranks_of(_text_order(chains))[first_rows(chains)]
    order = np.lexsort((place, -size(chains), corpus.entity_document))
    document = corpus.entity_document[order]
    rank = np.arange(len(order)) - np.searchsorted(document, document)
    code = np.empty(len(order), dtype=np.int64)
    code[order] = rank >= number
    return Column(code, _MAJOR)


_PLAIN = {
    "kind": EntityLabel(PREFIX + "kind", kind, ("word", "pos")),
    "first": EntityLabel(PREFIX + "first", first_kind, ("word", "pos")),
    "type": EntityLabel(PREFIX + "type", entity_type, ("ne",), by_frequency=True),
}


def load_for(division: Division, tokens: KeyTokens) -> list[Incident]:
    """Read what a label or feature needs of the key; DataError where it is missing.

    Else what has to be known of the key.
    """
    if isinstance(division, Feature):
        tokens.must_have(*division.tokens)
        return []
    name = division.name.removeprefix(PREFIX).removeprefix(LINK)
    if name == "sentences":
        try:
            tokens.sentence_in_document  # noqa: B018 (raises where there are no sentences)
        except DataError:
            raise data_error("column-missing", "by-sentences", file=_path(tokens)) from None
    elif name == "type" and not has_names(tokens) and entity_types(tokens.corpus) is None:
        raise _no_types(tokens)
    elif name in ("kind", "first"):
        tokens.prefetch("parse", *(division.tokens if isinstance(division, EntityLabel) else ()))
        if tokens.has("pos"):
            tokens.tagset  # noqa: B018 (raises where the tags are of no known set)
        else:
            return [make_incident("names-unknown", file=_path(tokens))]
    elif isinstance(division, EntityLabel):
        tokens.load(*division.tokens)
    return []


def _no_types(tokens: KeyTokens) -> DataError:
    return data_error("column-missing", "by-type", file=_path(tokens))


def _path(tokens: KeyTokens) -> str | None:
    """The first file of the key."""
    return tokens.corpus.sources[0].path if tokens.corpus.sources else None


def order_labels(label: EntityLabel, columns: Sequence[Column], mentions: IntArray) -> list[str]:
    """The labels of several sides in the order in which they are shown.

    `mentions`, int64, is the number of mentions of each entity of the first side, the key.
    """
    names = list(dict.fromkeys(value for column in columns for value in column.values))
    if not label.by_frequency:
        return names
    key = columns[0]
    many = np.bincount(key.code, mentions, minlength=len(key.values))
    frequency = dict(zip(key.values, many.tolist(), strict=True))
    return sorted(names, key=lambda name: (name == NONE, -frequency.get(name, 0), name))
