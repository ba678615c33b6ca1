"""Columns of a file as pieces of its bytes: the numbers, names and texts of all rows at once.

A fast reader takes the columns of all rows together, without an object per row. It raises
`UnfitError` if anything is unusual; the file then goes to the reader that looks at every row, which
finds the same mentions and reports problems.
"""

from collections.abc import Callable

import numpy as np

from corefkit.core.arrays import (
    BoolArray,
    ByteArray,
    IntArray,
    WordArray,
    distinct,
    eight_bytes,
    ranks_of,
    stretches,
    tuples,
)
from corefkit.core.carriers import frozen
from corefkit.core.source import Column, TextPieces
from corefkit.formats.columns.buffer import DIGITS, line_bounds, read_numbers
from corefkit.formats.columns.cells import CellTable, split_cells
from corefkit.formats.columns.interning import number_pieces

_ZERO, _BLANK, _SEVERAL = b"0 \x80"
_FEW = 4
"""Up to this many values, which may be long, are decoded one by one."""
_LONGEST = 64
"""The length of the longest name in bytes; with longer ones, files are unfit."""
_PRIME = np.uint64(0x9E3779B97F4A7C15)


class UnfitError(Exception):
    """The file has something that the fast reader does not handle."""


@frozen(eq=False)
class ByteColumn(TextPieces):
    """One value per row, each a piece of the bytes of a file in UTF-8."""

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self.start)

    @property
    def length(self) -> IntArray:
        """int64 (rows,): the number of bytes of each value."""
        return self.end - self.start

    def take(self, rows: IntArray | BoolArray | slice) -> "ByteColumn":
        """The values of these rows."""
        return ByteColumn(self.buffer, self.start[rows], self.end[rows])

    def texts(self) -> list[str]:
        """The value of each row.

        >>> column_of([b"Ann", b"", b"B\\xc3\\xa9n"]).texts()
        ['Ann', '', 'Bén']
        """
        if len(self) <= _FEW:
            pieces = (self.buffer[a:b].tobytes() for a, b in tuples(self.start, self.end))
            return [piece.decode("utf-8", "replace") for piece in pieces]
        joined = self._joined().tobytes()
        last = np.cumsum(self.length)
        bounds = zip((last - self.length).tolist(), last.tolist(), strict=True)
        if joined.isascii():
            text = joined.decode("ascii")
            return [text[a:b] for a, b in bounds]
        return [joined[a:b].decode("utf-8", "replace") for a, b in bounds]

    def column(self) -> Column:
        """The values, numbered by their first row.

        >>> column_of([b"b", b"a", b"b"]).column().values
        ('b', 'a')
        """
        number, example = number_pieces(self.buffer, self.start, self.length)
        order = np.argsort(example)
        return Column(ranks_of(order)[number], tuple(self.take(example[order]).texts()))

    def numbers(self) -> IntArray:
        """int64 (rows,): whole numbers of up to nine digits; UnfitError if a value is not one.

        >>> column_of([b"12", b"0"]).numbers().tolist()
        [12, 0]
        """
        number, stop = read_numbers(self.buffer, self.start)
        if (stop != self.end).any() or (self.end == self.start).any():
            raise UnfitError
        return number

    def cut_number(self) -> "tuple[ByteColumn, IntArray]":
        """The values without the digits at their ends, and the numbers these digits make.

        UnfitError if a value does not end in digits, or in more than nine.

        >>> rest, number = column_of([b"a:12", b"b1:7"]).cut_number()
        >>> rest.texts(), number.tolist()
        (['a:', 'b1:'], [12, 7])
        """
        first = self.end.copy()
        rows: IntArray | slice = slice(None)
        for _ in range(DIGITS + 1):
            at = first[rows] - 1
            digit = self.buffer.take(at, mode="clip") - np.uint8(_ZERO)
            longer = np.flatnonzero((digit <= 9) & (at >= self.start[rows]))
            if not len(longer):
                break
            rows = longer if isinstance(rows, slice) else rows[longer]
            first[rows] -= 1
        number = ByteColumn(self.buffer, first, self.end).numbers()
        return ByteColumn(self.buffer, self.start, first), number

    def cut(self, ending: bytes) -> "ByteColumn":
        """The values without an ending; UnfitError if a value lacks it."""
        column = ByteColumn(self.buffer, self.start, self.end - len(ending))
        if not self.has_at(column.end, ending).all():
            raise UnfitError
        return column

    def split(self, byte: int) -> "tuple[ByteColumn, IntArray]":
        """The pieces of all values between occurrences of a byte, and the row of each piece.

        >>> pieces, row = column_of([b"a,b", b"c"]).split(ord(","))
        >>> pieces.texts(), row.tolist()
        (['a', 'b', 'c'], [0, 0, 1])
        """
        places = stretches(self.start, self.length)
        at = places[self.buffer[places] == byte]
        row = np.searchsorted(self.start, at, side="right") - 1
        begins = np.sort(np.concatenate((self.start, at + 1)))
        ends = np.sort(np.concatenate((self.end, at)))
        rows = np.sort(np.concatenate((np.arange(len(self)), row)))
        return ByteColumn(self.buffer, begins, ends), rows

    def _mixed(self, most: int) -> "WordArray":
        """uint64 (rows,): a hash of each value, which may have at most `most` bytes."""
        length = self.length
        mixed = length.astype(np.uint64)
        for at in range(0, most, 8):
            start = np.minimum(self.start + at, len(self.buffer))
            mixed = (mixed ^ eight_bytes(self.buffer, start, np.maximum(length - at, 0))) * _PRIME
            mixed ^= mixed >> np.uint64(32)
        return mixed

    def has_blanks(self) -> bool:
        """Whether a value has white space, or a character of several bytes, which may be such."""
        joined = self._joined()
        return bool(((joined <= _BLANK) | (joined >= _SEVERAL)).any())

    def has_at(self, place: IntArray, text: bytes) -> BoolArray:
        """bool (rows,): whether a text is at the place given for each row, inside its value."""
        fine = (place >= self.start) & (place + len(text) <= self.end)
        for number, byte in enumerate(text):
            fine &= self.buffer.take(place + number, mode="clip") == byte
        return fine

    def equals(self, other: "ByteColumn", fold: Callable[[ByteArray], ByteArray]) -> BoolArray:
        """bool (rows,): whether both columns have the same value, after `fold` on their bytes.

        >>> column_of([b"Ann", b"he"]).equals(column_of([b"Ben", b"he"]), lambda b: b).tolist()
        [False, True]
        """
        same: BoolArray = self.length == other.length
        rows = np.flatnonzero(same)
        ours, theirs = self.take(rows), other.take(rows)
        unlike = fold(ours._joined()) != fold(theirs._joined())
        if unlike.any():
            same[np.repeat(rows, ours.length)[unlike]] = False
        return same


def column_of(values: list[bytes]) -> ByteColumn:
    """A column of these values, with line breaks between them."""
    length = np.array([len(value) for value in values], dtype=np.int64)
    start = np.cumsum(length + 1) - length - 1
    return ByteColumn(np.frombuffer(b"\n".join(values), dtype=np.uint8), start, start + length)


@frozen(eq=False)
class ByteLines:
    """The lines of a file that are not empty, and the number of each, from 1."""

    lines: ByteColumn
    number: IntArray

    @classmethod
    def of(cls, data: bytes) -> "ByteLines":
        """The lines of a file in UTF-8.

        UnfitError if it has no lines, lines of blanks only, carriage returns or a byte order mark.
        """
        if not data.strip() or b"\r" in data or data.startswith(b"\xef\xbb\xbf"):
            raise UnfitError
        if not data.isascii():
            try:
                data.decode("utf-8")
            except UnicodeDecodeError:
                raise UnfitError from None
        _, buffer, start, end = line_bounds(data)[:4]
        filled = np.flatnonzero(end > start)
        start, end = start[filled], end[filled]
        if (buffer[start] <= _BLANK).any() and any(
            not data[a:b].strip() for a, b in zip(start.tolist(), end.tolist(), strict=True)
        ):
            raise UnfitError
        return cls(ByteColumn(buffer, start, end), filled + 1)

    def take(self, rows: IntArray | BoolArray) -> "ByteLines":
        """The lines of these rows."""
        return ByteLines(self.lines.take(rows), self.number[rows])

    def cells(self, at_least: int) -> "ByteCells":
        """The cells between tabs; UnfitError if a line has fewer than `at_least`."""
        table = split_cells(self.lines.buffer, self.lines.start, self.lines.end)
        if not table.tabbed.all() or (table.count < at_least).any():
            raise UnfitError
        return ByteCells(table)


@frozen(eq=False)
class ByteCells:
    """The cells of lines; an index is the place of a cell in its line."""

    table: CellTable

    def __getitem__(self, place: int) -> ByteColumn:
        """The cell at a place in all lines."""
        places = np.full(len(self.table.count), place)
        return ByteColumn(self.table.buffer, *self.table.bounds(places))


def find_pieces(pieces: ByteColumn, among: ByteColumn, *, some: bool = False) -> IntArray:
    """int64 (pieces,): the row of the column `among` that has the value of each piece.

    Both are pieces of the same bytes. UnfitError if the column has a value twice; empty values are
    never matched. A piece that has no match is an UnfitError, too, or −1 with `some`.

    >>> ids = column_of([b"a", b"b", b"b", b"a"])
    >>> find_pieces(ids.take(slice(2, 4)), ids.take(slice(0, 2))).tolist()
    [1, 0]
    >>> ids = column_of([b"a", b"longer than a word", b"a"])
    >>> find_pieces(ids.take(slice(2, 3)), ids.take(slice(0, 2))).tolist()
    [0]
    """
    named = np.flatnonzero(among.length)
    most = max(int(column.length.max(initial=0)) for column in (among, pieces))
    if most > _LONGEST:
        raise UnfitError
    ours, theirs = among.take(named)._mixed(most), pieces._mixed(most)
    matches = np.full(len(pieces), -1)
    rows, missing = np.arange(len(named)), np.arange(len(pieces))
    factor = int(_PRIME)
    while len(rows):
        bits = len(rows).bit_length() + 1
        # Rows that share a slot wait for the next round, which distributes them differently.
        factor = factor * 5 % (1 << 64)
        slots, wanted = (
            (mixed * np.uint64(factor) >> np.uint64(64 - bits)).astype(np.int64)
            for mixed in (ours[rows], theirs[missing])
        )
        table = np.full(1 << bits, -1, dtype=np.int32)
        table[slots] = rows
        late = table[slots] != rows
        if (ours[rows[late]] == ours[table[slots[late]]]).any():
            raise UnfitError
        row = table[wanted]
        hit = (row >= 0) & (ours[row] == theirs[missing])
        matches[missing[hit]] = row[hit]
        rows, missing = rows[late], missing[~hit]
    hits = np.flatnonzero(matches >= 0)
    matches[hits] = named[matches[hits]]
    same = pieces.take(hits).equals(among.take(matches[hits]), lambda joined: joined)
    if not same.all() or (len(missing) and not some):
        raise UnfitError
    return matches


def rows_by_value(column: Column) -> list[tuple[str, IntArray]]:
    """Each value of a column, and the rows that have it.

    >>> [(name, rows.tolist()) for name, rows in rows_by_value(Column.of(["b", "a", "b"]))]
    [('b', [0, 2]), ('a', [1])]
    """
    order = np.argsort(column.code, kind="stable")
    ends = np.cumsum(np.bincount(column.code, minlength=len(column.values)))
    return [*zip(column.values, np.split(order, ends[:-1]), strict=True)] if len(order) else []


def renumber(column: Column, rows: IntArray | slice) -> Column:
    """Some rows of a column with only their values, which are numbered by their first row.

    >>> renumber(Column(np.array([0, 2, 1, 2]), ("a", "b", "c")), slice(1, None)).values
    ('c', 'b')
    """
    codes = distinct(column.code[rows])
    order = np.argsort(codes.first)
    values = [column.values[code] for code in codes.values[order].tolist()]
    return Column(ranks_of(order)[codes.inverse], tuple(values))


def map_values(column: Column, change: Callable[[str], str]) -> Column:
    """The column with every value changed.

    >>> map_values(Column.of(["a", "B", "b"]), str.lower).values
    ('a', 'b')
    """
    table = Column.of([change(value) for value in column.values])
    return Column(table.code[column.code] if len(table.code) else column.code, table.values)


def join_values(one: Column, other: Column, joint: str) -> Column:
    """The values of two columns, row by row, with a joint between them.

    >>> join_values(Column.of(["a", "b"]), Column.of(["x", "y"]), "/").values
    ('a/x', 'b/y')
    """
    codes = distinct(one.code * max(len(other.values), 1) + other.code)
    pairs = zip(one.code[codes.first].tolist(), other.code[codes.first].tolist(), strict=True)
    table = Column(
        codes.inverse, tuple(f"{one.values[a]}{joint}{other.values[b]}" for a, b in pairs)
    )
    return renumber(table, slice(None))


def is_repeated(*columns: IntArray) -> bool:
    """Whether two rows have the same numbers in all columns.

    >>> is_repeated(np.array([1, 1, 2]), np.array([5, 6, 5]))
    False
    """
    order = np.lexsort(columns)
    same = np.ones(max(len(order) - 1, 0), dtype=bool)
    for column in columns:
        ordered = column[order]
        same &= ordered[1:] == ordered[:-1]
    return bool(same.any())
