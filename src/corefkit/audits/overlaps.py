"""All small overlaps of a key and a response, each once up to the order of entities.

An overlap is a multiset of connected parts, and each part a small table: how many mentions each
key entity shares with each response entity, and how many the other side lacks. They are made by
adding a mention to smaller ones; a canonical form tells which are alike.
"""

from collections.abc import Iterator
from functools import cache
from itertools import permutations
from typing import NamedTuple

from corefkit.audits.rule_counts import ProbeDocument


class Part(NamedTuple):
    """A connected part: the shared mentions of each pair, and those without a twin."""

    cells: tuple[tuple[int, ...], ...]
    missed: tuple[int, ...]
    spurious: tuple[int, ...]


Shape = tuple[Part, ...]
"""An overlap in its canonical form: its parts in order."""


def overlaps(mentions: int) -> Iterator[ProbeDocument]:
    """Every overlap of so many mentions, as a document.

    >>> [sum(1 for _ in overlaps(number)) for number in (1, 2, 3)]
    [3, 13, 48]
    """
    yield from map(as_document, shapes(mentions))


@cache
def shapes(mentions: int) -> tuple[Shape, ...]:
    """The canonical forms of all overlaps of so many mentions, those with short texts first."""
    if mentions == 0:
        return ((),)
    grown = {larger for shape in shapes(mentions - 1) for larger in _with_another(shape)}
    return tuple(sorted(grown, key=lambda shape: (_entities(shape), shape)))


def _entities(shape: Shape) -> int:
    return sum(len(part.missed) + len(part.spurious) for part in shape)


def shape_of(document: ProbeDocument) -> Shape:
    """The canonical form of a document without copies."""
    owner = {m: place for place, entity in enumerate(document.response) for m in entity}
    table = [[0] * (len(document.response) + 1) for _ in range(len(document.key) + 1)]
    for row, entity in enumerate(document.key):
        for mention in entity:
            table[row][owner.pop(mention, -1)] += 1
    for column in owner.values():
        table[-1][column] += 1
    return canonical(table)


def as_document(shape: Shape) -> ProbeDocument:
    """An overlap as a document: mentions are single tokens in the order of the parts."""
    key: list[tuple[tuple[int, int], ...]] = []
    response: list[tuple[tuple[int, int], ...]] = []
    place = 0
    for part in shape:
        rows: list[list[tuple[int, int]]] = [[] for _ in part.missed]
        columns: list[list[tuple[int, int]]] = [[] for _ in part.spurious]
        for row, (counts, missed) in enumerate(zip(part.cells, part.missed, strict=True)):
            for column, number in enumerate((*counts, missed)):
                for _ in range(number):
                    rows[row].append((place, place))
                    if column < len(columns):
                        columns[column].append((place, place))
                    place += 1
        for column, number in enumerate(part.spurious):
            columns[column] += [(place + step, place + step) for step in range(number)]
            place += number
        key += map(tuple, rows)
        response += map(tuple, columns)
    return ProbeDocument(tuple(key), tuple(response))


def _with_another(shape: Shape) -> Iterator[Shape]:
    """The overlaps with one mention more: in old or new entities of one side or both."""
    table = table_of(shape)
    rows, columns = len(table) - 1, len(table[0]) - 1
    # The row and the column before the last are for a new entity; the last for no entity.
    wider = [[*line[:-1], 0, line[-1]] for line in table]
    wider.insert(rows, [0] * (columns + 2))
    for row in range(rows + 2):
        for column in range(columns + 2):
            if (row, column) != (rows + 1, columns + 1):
                wider[row][column] += 1
                yield canonical(wider)
                wider[row][column] -= 1


def table_of(shape: Shape) -> list[list[int]]:
    """One table of all parts; its last row and column are mentions without a twin."""
    columns = sum(len(part.spurious) for part in shape)
    table = []
    first = 0
    for part in shape:
        width = len(part.spurious)
        for counts, missed in zip(part.cells, part.missed, strict=True):
            line = [0] * first + [*counts] + [0] * (columns - first - width)
            table.append([*line, missed])
        first += width
    return [*table, [*(n for part in shape for n in part.spurious), 0]]


def canonical(table: list[list[int]]) -> Shape:
    """The canonical form of a table; rows and columns without a mention are left out."""
    rows = {row for row, line in enumerate(table[:-1]) if any(line)}
    columns = {c for c in range(len(table[0]) - 1) if any(line[c] for line in table)}
    parts = []
    while rows or columns:
        near_rows, near_columns = _reachable(table, rows, columns)
        rows, columns = rows - {*near_rows}, columns - {*near_columns}
        cells = tuple(tuple(table[row][column] for column in near_columns) for row in near_rows)
        missed = tuple(table[row][-1] for row in near_rows)
        spurious = tuple(table[-1][column] for column in near_columns)
        parts.append(_canonical_part(Part(cells, missed, spurious)))
    return tuple(sorted(parts))


def _reachable(
    table: list[list[int]], rows: set[int], columns: set[int]
) -> tuple[list[int], list[int]]:
    """The rows and columns that are connected with the first of those left."""
    waiting = [(min(rows), True)] if rows else [(min(columns), False)]
    found: tuple[set[int], set[int]] = set(), set()
    while waiting:
        place, is_row = waiting.pop()
        if place in found[not is_row]:
            continue
        found[not is_row].add(place)
        if is_row:
            waiting += [(column, False) for column in columns if table[place][column]]
        else:
            waiting += [(row, True) for row in rows if table[row][place]]
    return sorted(found[0]), sorted(found[1])


@cache
def _canonical_part(part: Part) -> Part:
    """The least of the forms that the orders of rows and columns give.

    Only the orders of the smaller side are tried: the other side is then sorted.
    """
    if len(part.missed) > len(part.spurious):
        return _exchanged(_canonical_part(_exchanged(part)))
    forms = []
    for order in permutations(range(len(part.missed))):
        columns = sorted(
            (tuple(part.cells[row][column] for row in order), spurious)
            for column, spurious in enumerate(part.spurious)
        )
        cells = tuple(tuple(column[place] for column, _ in columns) for place in range(len(order)))
        missed = tuple(part.missed[row] for row in order)
        forms.append(Part(cells, missed, tuple(spurious for _, spurious in columns)))
    return min(forms)


def _exchanged(part: Part) -> Part:
    cells = tuple(
        tuple(line[column] for line in part.cells) for column in range(len(part.spurious))
    )
    return Part(cells, part.spurious, part.missed)
