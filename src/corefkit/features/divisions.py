"""Divisions: what `--by` splits scores by: labels of entities, of mentions or of links.

Labels of entities and features of mentions have their own modules: `entity_labels`, `features`.
Links are split by the distance of their two mentions: `--by link:tokens` counts the tokens between
the starts of the two, `link:sentences` the sentences, and `link:mentions` the mentions of the same
side. They are counted from sorted positions, never one by one: an entity of 100,000 mentions has
five thousand million links. `find_division` turns a name into a division, and `load_for` reads what
it needs from the key.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

import numpy as np

from corefkit.core.arrays import IntArray, lexical_order, ranks_of, starts_of_runs, sum_by
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, Incident, data_error, make_incident
from corefkit.core.languages import LANGUAGES
from corefkit.core.nodes import reading_order
from corefkit.core.options import UsageError
from corefkit.features.chains import Chains, KeyTokens, sentence_of_mentions
from corefkit.features.entity_labels import (
    PREFIX,
    EntityLabel,
    entity_types,
    find_label,
    first_path,
    has_names,
    no_types,
)
from corefkit.features.features import Feature, find_feature, kind_sources, parse_bounds

LINK = "link:"
"""The prefix of distances of links on the command line."""

BOUNDS = {
    "tokens": (0, 10, 50, 200, 1000, 5000),
    "sentences": (0, 1, 2, 5, 20, 100),
    "mentions": (1, 2, 5, 20, 100, 1000),
}
"""Unit → the lowest distance of each band."""


@frozen
class LinkDistance:
    """A division of links: `unit` is one of BOUNDS, `bounds` the lowest distance of each band."""

    unit: str
    bounds: tuple[int, ...]

    @property
    def name(self) -> str:
        """Its name, without bounds."""
        return LINK + self.unit

    @property
    def signature(self) -> str:
        """Its form in a signature, always with bounds."""
        return f"{self.name}={','.join(map(str, self.bounds))}"

    def positions(self, corpus: Corpus, find_chains: Callable[[], Chains]) -> IntArray:
        """The position of each mention of a corpus, int64 (mentions,); differences are distances.

        `find_chains` is called only for units that need the chains of the corpus.
        """
        if self.unit == "tokens":
            return corpus.start
        if self.unit == "mentions":
            return ranks_of(reading_order(corpus))
        chains = find_chains()
        sentence = np.empty(len(chains), dtype=np.int64)
        sentence[chains.row] = sentence_of_mentions(chains)
        return sentence


def find_distance(by: str) -> LinkDistance:
    """The distance named by `link:UNIT` or `link:UNIT=BOUNDS`; UsageError for any other text.

    >>> find_distance("link:sentences").signature
    'link:sentences=0,1,2,5,20,100'
    """
    unit, equals, text = by.removeprefix(LINK).partition("=")
    if unit not in BOUNDS:
        raise _wrong(by, "there is no such distance")
    if not equals:
        return LinkDistance(unit, BOUNDS[unit])
    try:
        return LinkDistance(unit, parse_bounds(text))
    except ValueError as error:
        raise _wrong(by, str(error)) from None


def _wrong(by: str, why: str) -> UsageError:
    known = ", ".join(f"{unit}={','.join(map(str, bounds))}" for unit, bounds in BOUNDS.items())
    return UsageError(f"by: {by!r:.60}: {why}; choose from {LINK} {known}")


def count_bands(
    document: IntArray, group: IntArray, position: IntArray, bounds: Sequence[int], documents: int
) -> IntArray:
    """How many links within groups each document has in each band; int64 (documents, bands).

    `document`, `group` and `position` are those of mentions: any two of one group are a link, whose
    distance is the difference of their positions. The first band is below all bounds.

    >>> zero, position = np.array([0, 0, 0]), np.array([3, 8, 40])
    >>> count_bands(zero, zero, position, (0, 10), 1).tolist()
    [[0, 1, 2]]
    """
    position = position - int(position.min(initial=0))
    width = int(position.max(initial=0)) + 1
    order = lexical_order(position, group)
    group, document = group[order], document[order]
    code = group * width + position[order]
    number = np.arange(len(code))
    starts = starts_of_runs(group)
    first = np.repeat(starts, np.diff(starts, append=len(code)))
    nearest = number.copy()
    linked = np.flatnonzero(number > first)
    shorter = [np.zeros(documents, dtype=np.int64)]
    for bound in bounds:
        # The mentions before it in its group that are nearer than the bound are consecutive. Where
        # all of them are nearer than one bound, they are nearer than the next.
        begin = np.searchsorted(code, code[linked] - min(bound, width) + 1)
        nearest[linked] = np.clip(begin, first[linked], linked)
        shorter.append(sum_by(document, number - nearest, documents))
        linked = linked[nearest[linked] > first[linked]]
    shorter.append(sum_by(document, number - first, documents))
    return np.stack([more - less for less, more in pairwise(shorter)], axis=1)


Division = EntityLabel | Feature | LinkDistance
"""A label of entities, a feature of mentions, or a distance of links."""


def find_division(by: str | Division) -> Division:
    """The division with this name, or a division unchanged; UsageError for any other name.

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


def always_splits(by: object) -> bool:
    """Whether this is, or names, a label of entities or a distance of links.

    These always make strata; a feature of mentions can also break down application scores.
    """
    named = isinstance(by, str) and by.startswith((PREFIX, LINK))
    return named or isinstance(by, EntityLabel | LinkDistance)


def load_for(division: Division, tokens: KeyTokens) -> list[Incident]:
    """Read what a division needs from the key, and return the incidents.

    Raises DataError where the key lacks something that the division cannot do without.
    """
    if isinstance(division, Feature):
        tokens.must_have(*division.tokens)
        return []
    name = division.name.removeprefix(PREFIX).removeprefix(LINK)
    if name == "sentences":
        try:
            tokens.sentence_in_document  # noqa: B018 (raises where there are no sentences)
        except DataError:
            raise data_error("column-missing", "by-sentences", file=first_path(tokens)) from None
    elif name == "type":
        if not has_names(tokens) and entity_types(tokens.corpus) is None:
            raise no_types(tokens)
    elif name in ("kind", "first"):
        tokens.prefetch(*(division.tokens if isinstance(division, EntityLabel) else ()), "parse")
        if tokens.has("pos"):
            tokens.tagset  # noqa: B018 (raises where the tagset is unknown)
        else:
            return [_kinds_note(tokens)]
    elif isinstance(division, EntityLabel):
        tokens.load(*division.tokens)
    return []


def _kinds_note(tokens: KeyTokens) -> Incident:
    """The warning for a key without tags: names, or even pronouns, cannot be found."""
    path = first_path(tokens)
    if kind_sources(tokens).pronouns != "none":
        return make_incident("names-unknown", file=path)
    return make_incident("kinds-unknown", file=path, languages=", ".join(LANGUAGES))
