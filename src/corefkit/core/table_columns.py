"""The columns of tables with one row per mention, and of those with one row per link.

CSV and TSV files, Parquet, data frames, JSON lines of links, DuckDB and Spark all find their
columns here. Another usual name of a column is one word more in one line below.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from corefkit.core.incidents import DataError, data_error
from corefkit.core.options import UsageError

LARGEST_OFFSET = 2**31 - 1
"""The largest start or end: engines pack both into one integer."""


class TableColumn(NamedTuple):
    """A column: its name, its other usual names, and what it holds."""

    name: str
    aliases: tuple[str, ...]
    holds: str


class TableKind(NamedTuple):
    """The columns of tables of one kind; all those of one of the `required` groups must be there.

    Names count in any case.
    """

    columns: tuple[TableColumn, ...]
    required: tuple[tuple[str, ...], ...]

    @property
    def names(self) -> list[str]:
        """The names of the columns, in their order."""
        return [column.name for column in self.columns]

    def column_of(self, name: str) -> str | None:
        """The column that a name in a table means; None if it means none.

        >>> LINKS.column_of("doc_id"), LINKS.column_of(" P"), LINKS.column_of("word")
        ('document', 'score', None)
        """
        plain = name.strip(' "\r').lower()
        return next((c.name for c in self.columns if plain in (c.name, *c.aliases)), None)

    def find(self, present: Iterable[str]) -> dict[str, str]:
        """Our names of the columns that a table has, with its own; the first of several counts.

        A column goes by its own name before any other.

        >>> MENTIONS.find(["Doc_ID", "cluster", "entity"])
        {'document': 'Doc_ID', 'entity': 'entity'}
        """
        plain = {name.strip(' "\r').lower(): name for name in reversed([*present])}
        found = {
            column.name: next(
                (plain[n] for n in (column.name, *column.aliases) if n in plain), None
            )
            for column in self.columns
        }
        return {name: column for name, column in found.items() if column is not None}

    def spellings(self, name: str) -> str:
        """A column with its other names, for messages.

        >>> MENTIONS.spellings("document")
        'document, doc, doc_id or doc_key'
        """
        (names,) = ((c.name, *c.aliases) for c in self.columns if c.name == name)
        return f"{', '.join(names[:-1])} or {names[-1]}"

    def lacking(self, present: Iterable[str]) -> str:
        """What the columns lack of each required group, in words.

        >>> MENTIONS.lacking(["id", "start", "cluster"])
        'end; or mention'
        """
        found = self.find(present)
        groups = [[name for name in group if name not in found] for group in self.required]
        return "; or ".join(", ".join(names) for names in groups if names)

    def is_complete(self, names: Iterable[str]) -> bool:
        """Whether all columns of one of the required groups are among these."""
        return any({*names}.issuperset(group) for group in self.required)


_DOCUMENT = TableColumn(
    "document", ("doc", "doc_id", "doc_key"), "the name of the document, if there are several"
)
MENTIONS = TableKind(
    (
        _DOCUMENT,
        TableColumn("mention", (), "a mention as one value: 17, 3-5, 7.1, 1,4 or an identifier"),
        TableColumn("start", ("begin",), "the first token of a mention, counted from 0"),
        TableColumn("end", (), "the last token of a mention"),
        TableColumn("entity", ("cluster", "cluster_id", "coref_chain"), "the id of its entity"),
    ),
    required=(("entity", "start", "end"), ("entity", "mention")),
)
"""Tables with one row per mention."""

LINKS = TableKind(
    (
        _DOCUMENT,
        TableColumn("start", ("anaphor_start",), "the first token of the anaphor"),
        TableColumn("end", ("anaphor_end",), "the last token of the anaphor"),
        TableColumn("antecedent_start", ("ante_start", "ant_start"), "that of its antecedent"),
        TableColumn("antecedent_end", ("ante_end", "ant_end"), "the last one of its antecedent"),
        TableColumn("score", ("probability", "p"), "how sure the system is of the link"),
    ),
    required=(("document", "start", "end", "antecedent_start", "antecedent_end"),),
)
"""Link lists; without a header, their columns are in this order."""

_LIKE_DOCUMENT = (
    r"(?i)(doc(ument)?|text)s?[ _-]?(name|key|id|no|nr|number)"
    r"|(documents|docs|file|article|story|chapter|book)[ _-]?(name|key|id|no|nr|number|path)?"
)


class FoundColumns(NamedTuple):
    """What a table calls its columns; a mention is one column, or the pair of start and end."""

    entity: str
    mention: str | None
    start: str | None
    end: str | None
    document: str | None

    @property
    def place(self) -> dict[str, str]:
        """The columns that show the place of a mention: our names, and the table's."""
        named = {"mention": self.mention, "start": self.start, "end": self.end}
        return {name: column for name, column in named.items() if column is not None}

    @property
    def present(self) -> dict[str, str]:
        """All columns that the table has: our names, and the table's."""
        document = {} if self.document is None else {"document": self.document}
        return {**document, **self.place, "entity": self.entity}


def find_mention_columns(
    present: Sequence[str],
    renamed: Mapping[str, str],
    source: str,
    *,
    mention_is_text: bool = False,
) -> FoundColumns:
    """The columns of a table of mentions.

    `renamed` maps our names to those of the table, as the user says them; the first of several
    with slashes, such as person/cluster_id, that is present. `source` names the table in messages.
    Where a table has a mention and a span, the mention counts; with `mention_is_text` the span,
    unless the user names a column of mentions. Raises DataError for a table that lacks a column,
    or has one that looks like documents but is not known, and UsageError for a wrong name.

    >>> find_mention_columns(["id", "person"], {"mention": "id", "entity": "cluster/person"}, "x")
    FoundColumns(entity='person', mention='id', start=None, end=None, document=None)
    """
    found = MENTIONS.find(present) | _renamed(present, renamed, source)
    if not MENTIONS.is_complete(found):
        raise _incomplete(present, source)
    if (unknown := like_document(present)) and "document" not in found:
        expected = MENTIONS.spellings("document")
        raise data_error("column-missing", "document", file=source, name=unknown, expected=expected)
    spans = {"start", "end"} <= found.keys()
    if spans and ("mention" not in found or (mention_is_text and "mention" not in renamed)):
        columns = {"mention": None, "start": found["start"], "end": found["end"]}
    else:
        columns = {"mention": found["mention"], "start": None, "end": None}
    return FoundColumns(found["entity"], document=found.get("document"), **columns)


def _incomplete(present: Sequence[str], source: str) -> DataError:
    """The error for a table that lacks a column."""
    entity = MENTIONS.spellings("entity")
    expected = f"{entity}; start and end, or mention; document where there are several"
    shown = f"the columns {', '.join(present)}" if present else "no columns"
    return data_error("column-missing", "table", file=source, found=shown, expected=expected)


def like_document(present: Sequence[str]) -> str | None:
    """A column that may hold the names of documents, though under an unknown name.

    Ignored, it would make one document of all of them, in which nothing matches.

    >>> like_document(["start", "docname"]), like_document(["start", "text"])
    ('docname', None)
    """
    return next((name for name in present if re.fullmatch(_LIKE_DOCUMENT, name.strip())), None)


def _renamed(present: Sequence[str], renamed: Mapping[str, str], source: str) -> dict[str, str]:
    """The columns that the user names, in any case; UsageError if one is unknown or missing."""
    lower = {name.lower(): name for name in reversed(present)}
    found = {}
    for name, said in renamed.items():
        if name not in MENTIONS.names:
            known = ", ".join(MENTIONS.names)
            raise UsageError(f"columns: unknown name {name!r}; choose from {known}")
        choices = [column for column in (said, *said.split("/")) if column.lower() in lower]
        if not choices:
            listed = ", ".join(present)
            raise UsageError(f"columns: {source} has no column {said!r}; it has {listed}")
        found[name] = choices[0] if choices[0] in present else lower[choices[0].lower()]
    return found


def renamed_columns(listed: Sequence[str]) -> dict[str, str]:
    """A mapping from texts such as "mention=token_id"; raises UsageError for any other text.

    >>> renamed_columns(["mention=token_id", "entity=cluster"])
    {'mention': 'token_id', 'entity': 'cluster'}
    """
    parts = [part.partition("=") for part in listed if part.strip()]
    if wrong := [name for name, equals, column in parts if not equals or not column.strip()]:
        flavour = "; see corefkit convert --shape" if wrong[0] in ("full", "minimal") else ""
        raise UsageError(f"columns: {wrong[0]!r} is not of the form name=column{flavour}")
    return {name.strip(): column.strip() for name, _, column in parts}
