"""How files are to be read: what users say about it, checked."""

from dataclasses import fields, replace
from typing import Any, NamedTuple

from corefkit.data.options import UsageError
from corefkit.data.texts import texts_of
from corefkit.formats import registry
from corefkit.formats.registry import PLAIN, Reading

_RESPONSE = Reading(role="response")
_LISTS = frozenset({"relations", "mentions", "types"})
_TEXTS = frozenset({"format", "ids", "clusters", "layer", "annotator"})
_NUMBERS = frozenset({"word_column", "max_size"})
_CHOICES = {
    "ends": (None, "inclusive", "exclusive"),
    "role": ("key", "response"),
    "optional": ("keep", "drop"),
}


class Readings(NamedTuple):
    """How the two sides are to be read."""

    key: Reading = PLAIN
    response: Reading = _RESPONSE


PLAIN_SIDES = Readings()
"""Both sides as the content of their files wants it."""


def make_reading(reading: Reading = PLAIN, **how: Any) -> Reading:
    """A reading with some of its fields changed; UsageError for what does not exist.

    >>> make_reading(clusters="predicted_clusters", relations="Coref,Ident").relations
    ('Coref', 'Ident')
    """
    known = {field.name for field in fields(Reading)}
    for name, value in how.items():
        if name not in known:
            raise UsageError(f"{name}: unknown keyword; choose from {', '.join(sorted(known))}")
        if name in _CHOICES and value not in _CHOICES[name]:
            choices = ", ".join(str(c) for c in _CHOICES[name] if c)
            raise UsageError(f"{name}: unknown value {value!r}; choose from {choices}")
        if name in _TEXTS and not isinstance(value, str | None):
            raise TypeError(f"{name}: a text, not {value!r:.60}")
        if name in _NUMBERS and not isinstance(value, int | None):
            raise TypeError(f"{name}: a whole number, not {value!r:.60}")
        if name in _LISTS:
            listed = value.split(",") if isinstance(value, str) else texts_of(name, value or ())
            how[name] = tuple(one.strip() for one in listed if one.strip())
    if how.get("format"):
        registry.get(how["format"])
    return replace(reading, **how)


def split_readings(options: dict[str, Any]) -> Readings:
    """Take out of the options those that say how to read, for both sides or for one of them."""
    known = {field.name for field in fields(Reading)} - {"role", "ids", "all_columns"}
    both = {name: options.pop(name) for name in [*options] if name in known}
    own = {side: options.pop(f"{side}_format", None) for side in ("key", "response")}
    key, response = (
        make_reading(role=side, **both | ({"format": name} if name else {}))
        for side, name in own.items()
    )
    return Readings(key, response)
