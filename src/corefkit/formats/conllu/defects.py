"""What can be wrong with mentions that are each well formed: they cross, or their types differ."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray, among, distinct, tuples
from corefkit.formats.conllu.crossing import cross, crossing

if TYPE_CHECKING:
    from corefkit.formats.conllu.mentions import Mentions

ETYPES = frozenset(
    b"person place organization animal plant object substance time number abstract event "
    b"other".split()
) | {b""}
"""The types of entities; none is fine, too."""


def find_crossing(mentions: "Mentions", block_of: IntArray) -> Iterator[int]:
    """The mentions that share nodes with one of their entity, neither inside the other.

    `block_of` is the sentence of each node. Brackets nest, so one of the two has parts.
    """
    if not len(mentions.parts):
        return
    block = block_of[mentions.first]
    group = distinct(mentions.entity * (int(block.max()) + 1) + block).inverse
    concerned = np.flatnonzero(among(group, group[mentions.parts[:, 0]]))
    concerned = concerned[_meeting(mentions, concerned, group[concerned])]
    if not len(concerned):
        return
    parts: dict[int, list[tuple[int, int]]] = {}
    for row, first, last in mentions.parts.tolist():
        parts.setdefault(row, []).append((first, last))
    concerned = concerned[np.argsort(mentions.bracket[concerned])]
    groups: dict[int, dict[int, list[tuple[int, int]]]] = {}
    columns = (concerned, group[concerned], mentions.first[concerned], mentions.last[concerned])
    for row, own, first, last in tuples(*columns):
        groups.setdefault(own, {})[row] = parts.get(row) or [(first, last)]
    for members in groups.values():
        if len(members) != 2 or cross(*members.values()):
            yield from crossing(members)


def find_unknown_types(code: IntArray, values: Sequence[bytes]) -> list[int]:
    """The mentions whose type, an index into `values`, is not one of ETYPES."""
    odd = np.array([value not in ETYPES for value in values], dtype=bool)
    return np.flatnonzero(odd[code]).tolist()


def find_second_types(
    mentions: "Mentions", code: IntArray, values: Sequence[bytes]
) -> Iterator[int]:
    """Of each entity the first mention whose type is another than that of its first."""
    empty = np.array([not value for value in values], dtype=bool)
    typed = np.flatnonzero(~empty[code])
    typed = typed[np.argsort(mentions.bracket[typed])]
    found = distinct(mentions.entity[typed])
    differs = np.flatnonzero(code[typed] != code[typed][found.first][found.inverse])
    told: set[int] = set()
    for row in typed[differs].tolist():
        entity = int(mentions.entity[row])
        if entity not in told:
            told.add(entity)
            yield row


def _meeting(mentions: "Mentions", rows: IntArray, group: IntArray) -> BoolArray:
    """Which of the mentions are in a group some hulls of which overlap."""
    order = np.lexsort((mentions.first[rows], group))
    base = group[order] * (int(mentions.last.max()) + 1)
    reached = np.maximum.accumulate(base + mentions.last[rows[order]])
    overlap = base[1:] + mentions.first[rows[order[1:]]] <= reached[:-1]
    return among(group, group[order[1:]][overlap])
