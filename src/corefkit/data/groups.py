"""Groups of documents, by their names."""

import re
from collections.abc import Callable

from corefkit.data.options import UsageError

NO_GENRE = "(none)"
"""The genre of a document whose name is not an OntoNotes id."""

_GENRE = re.compile(r"\(?\s*([^/()\s]+)/")


def genre(name: str) -> str:
    """The first part of an OntoNotes document id.

    >>> genre("(nw/wsj/07/wsj_0771); part 000")
    'nw'
    >>> genre("test_events")
    '(none)'
    """
    found = _GENRE.match(name)
    return found[1] if found else NO_GENRE


BREAKDOWNS = {
    "class": "NOUN, or the tag of the word",
    "ne": "the named entity class of the entity",
    "word": "the word, in lower case",
    "length": "the number of words",
    "distance": "how many sentences back the mention before it in its entity is",
    "entity-size": "the number of mentions of the entity",
    "speaker": "who says it",
}
"""What else `--by` can name: features of mentions, defined in corefkit.mentions.features."""

PATTERN = "re:"
"""How a grouping begins that is a pattern over the names of documents."""


def pattern_grouping(text: str) -> Callable[[str], str]:
    """The grouping of `re:PATTERN`: what the one group of the pattern finds in a document's name.

    >>> pattern_grouping("re:^GUM_([a-z]+)")("GUM_academic_art")
    'academic'
    """
    try:
        pattern = re.compile(text.removeprefix(PATTERN))
    except re.error as error:
        raise UsageError(f"by: {text!r} is not a pattern: {error}") from None
    if pattern.groups != 1:
        raise UsageError(f"by: {text!r} must have one group, in round brackets")

    def group(name: str) -> str:
        found = pattern.search(name)
        return found[1] if found and found[1] is not None else NO_GENRE

    return group


GROUPINGS: dict[str, Callable[[str], str]] = {"document": str, "genre": genre}
"""What `--by` can name: functions from the name of a document to its group."""
