"""Result: what a function or a command returns, and how Python and notebooks show it.

What is known of a type of results (its tables, its HTML, how it is made again from its JSON) is
found by its name: it is an entry point, a `ResultType`.
"""

from typing import Any, ClassVar

from corefkit.core.entry_points import ResultType, find, load

SCHEMA = 1
"""The version of docs/results.schema.json, which says what the JSON of results looks like."""

_DEFAULT = "default"
"""The name under which the functions are found that show any result by its tables."""


def result_type(name: str) -> ResultType:
    """What is known of a type; LookupError where no package adds it."""
    found: ResultType | None = find("results", name)
    if found is None:
        raise LookupError(f"no package adds results of the type {name!r}")
    return found


class Result:
    """A result that can be shown: `str` gives its tables as text, a notebook shows them as HTML."""

    kind: ClassVar[str]
    """The name of its type, as in its JSON."""

    def tables(self) -> list[Any]:
        """Its tables for people, each a `Table`."""
        tables: list[Any] = load(result_type(self.kind).tables)(self)
        return tables

    def __str__(self) -> str:
        text: str = load(result_type(self.kind).text or result_type(_DEFAULT).text)(self)
        return text

    def _repr_html_(self) -> str:
        html: str = load(result_type(self.kind).html or result_type(_DEFAULT).html)(self)
        return html
