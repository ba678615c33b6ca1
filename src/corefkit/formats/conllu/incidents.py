"""Problems of a CorefUD file other than unreadable brackets.

These are malformed lines, ids, sentences and documents; mentions of one entity that cross, that is,
share nodes although neither is inside the other; and entity types that are unknown or differ.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, among, distinct, tuples
from corefkit.core.incidents import errors
from corefkit.core.names import repeated
from corefkit.core.texts import shorten
from corefkit.formats.conllu.lines import ConlluLines
from corefkit.formats.conllu.source import ConlluLayout
from corefkit.formats.kit.detection import describe
from corefkit.formats.kit.row_incidents import RowIncidents

if TYPE_CHECKING:
    from corefkit.formats.conllu.mentions import EntityMentions

_NOBODY = -1

PartNodes = Sequence[tuple[int, int]]
"""The first and last node of each part of a mention, in order."""


def cross(one: PartNodes, other: PartNodes) -> bool:
    """Whether two mentions share nodes and neither is inside the other.

    >>> cross([(1, 1), (3, 3)], [(2, 4)]), cross([(1, 1), (3, 3)], [(0, 4)])
    (True, False)
    """
    shared = sum(max(0, min(b, d) - max(a, c) + 1) for a, b in one for c, d in other)
    return 0 < shared < min(_size(one), _size(other))


def _size(parts: PartNodes) -> int:
    return sum(last - first + 1 for first, last in parts)


def crossing(mentions: Mapping[int, PartNodes]) -> list[int]:
    """The mentions that cross an earlier one, in order; given as mention → parts.

    Where several cross each other, at least one of them is found. Mentions are processed from large
    to small, and each paints its nodes: one that finds several colours crosses the mention that was
    painted last among these.

    >>> crossing({7: [(1, 1), (3, 3)], 8: [(2, 4)], 9: [(1, 1)]})
    [8]
    """
    rank = {row: number for number, row in enumerate(mentions)}
    size = {row: _size(parts) for row, parts in mentions.items()}
    painted: dict[int, int] = {_NOBODY: -1}
    colours = _Colours()
    later = set()
    for row in sorted(mentions, key=lambda row: -size[row]):
        under = {
            colour for first, last in mentions[row] for colour in colours.paint(first, last, row)
        }
        if len(under) > 1:
            other = max(under, key=painted.__getitem__)
            later.add(max(row, other, key=rank.__getitem__))
        painted[row] = len(painted)
    return sorted(later, key=rank.__getitem__)


class _Colours:
    """The colour of every node, as runs: a run extends to the beginning of the next."""

    def __init__(self) -> None:
        self._begin = [-1]
        self._colour = [_NOBODY]

    def paint(self, first: int, last: int, colour: int) -> list[int]:
        """Paint nodes; return the colours that they had before."""
        begin, colours = self._begin, self._colour
        start = bisect_right(begin, first) - 1
        stop = bisect_left(begin, last + 1)
        before = colours[start:stop]
        head = [] if begin[start] == first else [start]
        ends = stop < len(begin) and begin[stop] == last + 1
        begin[start:stop] = [*(begin[x] for x in head), first, *([] if ends else [last + 1])]
        colours[start:stop] = [*(colours[x] for x in head), colour, *([] if ends else before[-1:])]
        return before


ETYPES = frozenset(
    b"person place organization animal plant object substance time number abstract event "
    b"other".split()
) | {b""}
"""The entity types; an empty one is allowed."""


def find_crossing(mentions: "EntityMentions", block_of: IntArray) -> Iterator[int]:
    """The mentions that cross another of their entity.

    `block_of` is the sentence of each node. Brackets nest, so one of two crossing mentions has
    parts.
    """
    if not len(mentions.parts):
        return
    block = block_of[mentions.first]
    group = distinct(mentions.entity * (int(block.max()) + 1) + block).inverse
    concerned = np.flatnonzero(among(group, group[mentions.parts[:, 0]]))
    concerned = concerned[_with_overlap(mentions, concerned, group[concerned])]
    if not len(concerned):
        return
    parts: dict[int, list[tuple[int, int]]] = {}
    for row, first, last in mentions.parts.tolist():
        parts.setdefault(row, []).append((first, last))
    concerned = concerned[np.argsort(mentions.bracket[concerned])]
    groups: dict[int, dict[int, list[tuple[int, int]]]] = {}
    columns = (concerned, group[concerned], mentions.first[concerned], mentions.last[concerned])
    for row, number, first, last in tuples(*columns):
        groups.setdefault(number, {})[row] = parts.get(row) or [(first, last)]
    for members in groups.values():
        if len(members) != 2 or cross(*members.values()):
            yield from crossing(members)


def find_second_types(mentions: "EntityMentions", types: Sequence[bytes]) -> Iterator[int]:
    """For each entity, the first mention whose type differs from the entity's first type."""
    first: dict[int, bytes] = {}
    reported: set[int] = set()
    for row in np.argsort(mentions.bracket).tolist():
        entity = int(mentions.entity[row])
        if (
            types[row]
            and first.setdefault(entity, types[row]) != types[row]
            and entity not in reported
        ):
            reported.add(entity)
            yield row


def _with_overlap(mentions: "EntityMentions", rows: IntArray, group: IntArray) -> BoolArray:
    """bool (rows,): which mentions are in a group in which some spans overlap."""
    order = np.lexsort((mentions.first[rows], group))
    base = group[order] * (int(mentions.last.max()) + 1)
    reached = np.maximum.accumulate(base + mentions.last[rows[order]])
    overlap = base[1:] + mentions.first[rows[order[1:]]] <= reached[:-1]
    return among(group, group[order[1:]][overlap])


_SENT_ID = b"# sent_id"


def check_structure(layout: ConlluLayout, incidents: RowIncidents) -> None:
    """Report problems of columns, ids, sentences, comments and document names."""
    lines, nodes, headers = layout.lines, layout.nodes, layout.headers
    for line in lines.odd.tolist():
        columns = lines.text(line).count("\t") + 1
        incidents.note(
            "columns", at=incidents.at_line(line), number=columns, expected="ten, separated by tabs"
        )
    for row, expected in nodes.wrong:
        incidents.note("id-bad", at=incidents.at_line(int(lines.rows[row])), expected=expected)
    without = np.flatnonzero(np.diff(nodes.first_word) == 0)
    for block in without.tolist():
        incidents.note("sentence-empty", at=incidents.at_line(_line_of_sentence(lines, block)))
    _comments(lines, incidents)
    for name, first, again in repeated(headers.names):
        line, other = int(headers.begin[again]), int(headers.begin[first]) + 1
        expected = f"another name than on line {other:,}"
        incidents.note(
            "document-twice", at=incidents.at_line(line), document=name, expected=expected
        )
    if not headers.names:
        looks, expected = (
            describe(lines.data),
            "a CoNLL-U file: '# newdoc id = NAME', one node per line",
        )
        incidents.note(
            "no-document",
            "sentence",
            at=incidents.at_line(0),
            found=partial(shorten, looks),
            expected=expected,
        )


def _line_of_sentence(lines: ConlluLines, block: int) -> int:
    """The line of the sent_id of a block, or else its first line."""
    first, stop = np.searchsorted(lines.block, [block, block + 1]).tolist()
    while first < stop and lines.end[first] <= lines.start[first]:
        first += 1
    for line in range(first, stop):
        if lines.data.startswith(_SENT_ID, int(lines.start[line])):
            return line
    return int(first)


def _comments(lines: ConlluLines, incidents: RowIncidents) -> None:
    """Report comments among the words of a sentence."""
    if not len(lines.comments) or not len(lines.rows):
        return
    before = np.searchsorted(lines.rows, lines.comments) - 1
    same = lines.block[lines.rows[np.maximum(before, 0)]] == lines.block[lines.comments]
    for line in lines.comments[(before >= 0) & same].tolist():
        incidents.note("comment-misplaced", at=incidents.at_line(line))


def check_file(layout: ConlluLayout, mentions: int, incidents: RowIncidents) -> None:
    """Report bytes that are not UTF-8, and a file without mentions."""
    incidents.check_encoding()
    if not mentions and layout.nodes.words and not errors(incidents):
        incidents.note("no-mention", "stanza" if incidents.has(b"coref_chains=") else "")
