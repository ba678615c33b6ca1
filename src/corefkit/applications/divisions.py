"""Divisions: what `--by` splits scores by, whether entities, mentions or links are labelled.

The three kinds have modules of their own: `entity_labels`, `features`, `link_distances`. Here a
name is turned into one of them, and what it needs is read from the key.
"""

from corefkit.applications.entity_labels import (
    PREFIX,
    EntityLabel,
    entity_types,
    find_label,
    first_path,
    has_names,
    no_types,
)
from corefkit.applications.features import Feature, find_feature, kind_sources
from corefkit.applications.link_distances import PREFIX as LINK
from corefkit.applications.link_distances import LinkDistance, find_distance
from corefkit.applications.tokens import KeyTokens
from corefkit.core.incidents import DataError, Incident, data_error, make_incident
from corefkit.core.languages import LANGUAGES

Division = EntityLabel | Feature | LinkDistance
"""What scores can be split by: a label of entities, a feature of mentions, distances of links."""


def find_division(by: str | Division) -> Division:
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


def always_splits(by: object) -> bool:
    """Whether this is, or names, a label of entities or a distance of links.

    These always make strata; a feature of mentions also breaks down application scores.
    """
    named = isinstance(by, str) and by.startswith((PREFIX, LINK))
    return named or isinstance(by, EntityLabel | LinkDistance)


def load_for(division: Division, tokens: KeyTokens) -> list[Incident]:
    """Read what a division needs of the key, and return the incidents to be reported.

    DataError where the key lacks something without which there is no division.
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
        tokens.prefetch("parse", *(division.tokens if isinstance(division, EntityLabel) else ()))
        if tokens.has("pos"):
            tokens.tagset  # noqa: B018 (raises where the tags are of no known set)
        else:
            return [_kinds_note(tokens)]
    elif isinstance(division, EntityLabel):
        tokens.load(*division.tokens)
    return []


def _kinds_note(tokens: KeyTokens) -> Incident:
    """What is reported where the key has no tags: pronouns by a list, or nothing is known."""
    path = first_path(tokens)
    if kind_sources(tokens).pronouns != "none":
        return make_incident("names-unknown", file=path)
    return make_incident("kinds-unknown", file=path, languages=", ".join(LANGUAGES))
