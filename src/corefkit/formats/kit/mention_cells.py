"""The rows of a table of mentions as a corpus: CSV, TSV, Parquet and data frames are read by this.

A row is a mention with its entity. A row with a document and nothing else is a document without
mentions. Where a mention has no entity, it is a singleton, as in other formats; anything else that
is missing is an error. Texts such as NA are ids like any other, with a warning, unless the user
says that they mean nothing (`--read missing=NA`).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray
from corefkit.core.columns import Column, means_none, none_in
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector
from corefkit.core.table_columns import LARGEST_OFFSET
from corefkit.core.texts import shorten
from corefkit.formats.kit.mention_values import (
    PlacedValues,
    corpus_of_values,
    number_of,
    place_values,
)


class CellColumn(NamedTuple):
    """One column of a table.

    Attributes:
        code: int64 (rows,), the number of the value of each row; −1 where it has none.
        values: the distinct values, of any type.
    """

    code: IntArray
    values: Sequence[Any]

    @classmethod
    def of(cls, cells: Sequence[Any]) -> "CellColumn":
        """The column of these values.

        >>> CellColumn.of([7, None, True, float("nan"), 7]).code.tolist()
        [0, -1, 2, -1, 0]
        """
        number = defaultdict[Any, int](count().__next__)
        first: dict[int, Any] = {}
        code = np.empty(len(cells), dtype=np.int64)
        for row, cell in enumerate(cells):
            try:
                at = number[cell if type(cell) is str else (type(cell), cell)]
            except TypeError:  # lists, which have no hash
                at = number[repr(cell)]
            first.setdefault(at, cell)
            code[row] = at
        return cls(code, [*first.values()]).without_missing()

    def without_missing(self, marks: Collection[str] = ()) -> "CellColumn":
        """The column with −1 for values that mean none: null, NaN, blank texts, and these marks."""
        if isinstance(self.values, np.ndarray) and not marks:
            return self
        missing = [
            at for at, value in enumerate(self.values) if _is_missing(value) or str(value) in marks
        ]
        if not missing:
            return self
        return CellColumn(np.where(np.isin(self.code, missing), -1, self.code), self.values)

    @property
    def is_empty(self) -> BoolArray:
        """bool (rows,): whether a row has no value."""
        return self.code < 0

    def take(self, rows: BoolArray) -> "CellColumn":
        """The column of some rows."""
        return CellColumn(self.code[rows], self.values)

    def texts(self) -> Column:
        """The values as texts; there is one in every row."""
        texts = [text_of(value) for value in _listed(self.values)]
        merged = Column.of(texts)  # different values may have the same text
        return Column(merged.code[self.code] if texts else self.code, merged.values)

    def text(self, row: int) -> str:
        """The value of a row as text, for messages."""
        code = int(self.code[row])
        return shorten(text_of(self.values[code]), 40) if code >= 0 else "none"


def _listed(values: Sequence[Any]) -> list[Any]:
    return values.tolist() if isinstance(values, np.ndarray) else [*values]


def _is_missing(value: Any) -> bool:
    """Whether a value means none: None, NaN, pandas.NA, or a blank text.

    >>> [_is_missing(value) for value in (None, float("nan"), " ", 0, "p1")]
    [True, True, True, False, False]
    """
    if value is None or isinstance(value, str):
        return not (value or "").strip()
    try:
        return bool(value != value)  # noqa: PLR0124 (only NaN and NaT differ from themselves)
    except TypeError:  # pandas.NA, whose comparison has no truth value
        return True
    except ValueError:  # an array
        return False


def text_of(value: Any) -> str:
    """A value as text; bytes that are not UTF-8 are written in hexadecimal, as engines do.

    >>> text_of("café".encode()), text_of(b"f\\xe9"), text_of(-0.0)
    ('café', '\\\\x66\\\\xE9', '0.0')
    """
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            return "".join(f"\\x{byte:02X}" for byte in value)
    return str(value + 0.0 if isinstance(value, float) else value)


def corpus_of_cells(
    columns: Mapping[str, CellColumn],
    collector: Collector,
    missing: Collection[str] = (),
    lines: Sequence[int] | None = None,
) -> Corpus | None:
    """The corpus of a table; None, and an incident, if it has rows that are not mentions.

    `columns` are entity, mention or start and end, and perhaps document; `missing` are texts that
    mean no value; `lines` are those of the rows in a file.
    """
    table = _Table(
        {name: cells.without_missing(none_in(name, missing)) for name, cells in columns.items()},
        collector,
        lines,
    )
    return table.corpus()


class _Table(NamedTuple):
    """The columns of a table, and where its problems are noted."""

    columns: Mapping[str, CellColumn]
    collector: Collector
    lines: Sequence[int] | None

    def corpus(self) -> Corpus | None:
        """The corpus; None, and an incident, if there is none."""
        entity = self.columns["entity"]
        size = len(entity.code)
        rows = np.zeros(size, dtype=bool)
        for name, cells in self.columns.items():
            rows |= ~cells.is_empty & (name != "document")
        names = Column(np.zeros(size, dtype=np.int64), ("",) if size else ())
        if "document" in self.columns:
            if self._note_missing("document", np.ones(size, dtype=bool)):
                return None
            named = self.columns["document"].texts()
            names = Column.of([name.strip(" ") for name in named.values])
            names = Column(names.code[named.code] if size else named.code, names.values)
        else:
            rows[:] = True  # without documents, a row must be a mention
        needed = [name for name in self.columns if name not in ("document", "entity")]
        if any(self._note_missing(name, rows) for name in needed):
            return None
        placed = self._placed(rows)
        if placed is None:
            return None
        label = self._labels(rows)
        return corpus_of_values(Column(names.code[rows], names.values), placed, label)

    def _note_missing(self, name: str, rows: BoolArray) -> bool:
        """Whether any of these rows lacks a value in a column; it is noted."""
        missing = np.flatnonzero(self.columns[name].is_empty & rows)
        if len(missing):
            self._note("value-missing", "", missing, name=name, expected="a value in every row")
        return bool(len(missing))

    def _note(self, kind: str, variant: str, rows: IntArray, **details: Any) -> None:
        """Note a problem of some rows: their number, and the first of them."""
        row = int(rows[0])
        cells = ", ".join(f"{name} {cells.text(row)}" for name, cells in self.columns.items())
        at = None if self.lines is None else self.lines[row]
        shown = f"row {row + 1:,}: {cells}" if self.lines is None else cells
        self.collector.note(kind, variant, at=at, number=len(rows), found=shown, **details)

    def _placed(self, rows: BoolArray) -> PlacedValues | None:
        """The places of the mentions in these rows; None, and an incident, if some have none."""
        if "mention" in self.columns:
            mention = self.columns["mention"]
            return place_values(mention.values).take(mention.code[rows])
        offsets = []
        for name in ("start", "end"):
            code, values = self.columns[name]
            typed = self.lines is None  # all values in a file of text are texts
            if typed and rows.any() and all(number_of(v) is None for v in _listed(values)):
                kind = type(values[0]).__name__
                found = np.flatnonzero(rows)
                self._note("span-outside", "type", found, name=name, type=kind, side="table")
                return None
            offsets.append(np.array([*map(_offset, _listed(values)), -1], dtype=np.int64)[code])
        start, end = offsets
        wrong = np.flatnonzero(rows & ((start < 0) | (end < start)))
        if len(wrong):
            expected = f"whole numbers, 0 ≤ start ≤ end ≤ {LARGEST_OFFSET:,}"
            self._note("span-outside", "rows", wrong, expected=expected)
            return None
        return PlacedValues(start[rows], end[rows])

    def _labels(self, rows: BoolArray) -> Column:
        """The entities of the mentions; each mention without one has its own."""
        entity = self.columns["entity"]
        self._note_marks(entity, rows)
        alone = np.flatnonzero(rows & entity.is_empty)
        if not len(alone):
            return entity.take(rows).texts()
        self._note("mention-without-entity", "table", alone, count=len(alone))
        columns = [cells for name, cells in self.columns.items() if name not in _OTHERS]
        labels = ["–".join(cells.text(row) for cells in columns) for row in alone.tolist()]
        own = Column.of([f"without entity: {label}" for label in labels])
        code = entity.code.copy()
        code[alone] = own.code + len(entity.values)
        return CellColumn(code[rows], [*_listed(entity.values), *own.values]).texts()

    def _note_marks(self, entity: CellColumn, rows: BoolArray) -> None:
        """A warning for each id that looks like a mark of "no entity"."""
        texts = [(code, text_of(value)) for code, value in enumerate(_listed(entity.values))]
        for code, text in texts:
            if means_none(text) and len(found := np.flatnonzero(rows & (entity.code == code))):
                self._note("id-like-none", "", found, mark=text, count=len(found))


_OTHERS = ("document", "entity")


def _offset(value: Any) -> int:
    """The number of a token; −1 for a value that is none."""
    number = number_of(value)
    return number if isinstance(number, int) and 0 <= number <= LARGEST_OFFSET else -1
