"""Result: what a function or a command returns, and how Python and notebooks show it.

What is known of a type of results (its tables, its HTML, how it is made again from its JSON) is
found by its name: it is an entry point, a `ResultType`.
"""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from corefkit._version import __version__
from corefkit.core.entry_points import ResultType, find, load
from corefkit.core.texts import to_json

if TYPE_CHECKING:
    from corefkit.core.incidents import Incident

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


def result_json(
    kind: str,
    content: Mapping[str, Any],
    incidents: "Iterable[Incident] | None" = None,
    indent: int | None = 1,
) -> str:
    """What a command writes with `-f json`: what made it, the type of the result, its content."""
    about = {"version": __version__, "result": kind, "schema": SCHEMA}
    listed = {} if incidents is None else {"incidents": [i.to_dict() for i in incidents]}
    return to_json({**about, **content, **listed}, indent)


class Result:
    """A result that can be shown: `str` gives its tables as text, a notebook shows them as HTML.

    Its figures are rows; data frames, tables and plots are made of them.
    """

    kind: ClassVar[str]
    """The name of its type, as in its JSON."""

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per figure, nothing rounded: what it is of, and its values."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts, lists and numbers, nothing rounded, as in the JSON output."""
        raise NotImplementedError

    def to_frame(self, package: Any = None) -> Any:
        """A data frame with the rows of `rows`.

        `package` is pandas or polars, the module or its name; by default what is installed.
        """
        from corefkit.core.frames import columns_of, data_frame

        return data_frame(columns_of(self.rows()), package)

    def tables(self) -> list[Any]:
        """Its tables for people, each a `Table`."""
        where = result_type(self.kind).tables or result_type(_DEFAULT).tables
        tables: list[Any] = load(where)(self)
        return tables

    def __str__(self) -> str:
        text: str = load(result_type(self.kind).text or result_type(_DEFAULT).text)(self)
        return text

    def _repr_html_(self) -> str:
        html: str = load(result_type(self.kind).html or result_type(_DEFAULT).html)(self)
        return html
