"""Parts of discontinuous mentions, joined within their sentences."""

from collections.abc import Callable
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

from corefkit.data.arrays import IntArray, tuples
from corefkit.formats.conllu.cells import Brackets
from corefkit.formats.conllu.pairing import Ids

Tell = Callable[..., None]
"""Notes an incident: its kind, the number of a bracket, and its details."""


class Part(NamedTuple):
    """A part: its number among all spans, its brackets, nodes, head and other values."""

    span: int
    opening: int
    closing: int
    first: int
    last: int
    head: int
    attributes: bytes


class Joined(NamedTuple):
    """A discontinuous mention.

    Attributes:
        columns: the nodes of its hull, its size, the number of its head, and the numbers of its
            first and its last bracket.
        parts: the first and the last node of each part.
    """

    columns: tuple[int, int, int, int, int, int]
    parts: list[tuple[int, int]]


def join_parts(
    parts: list[Part], block: IntArray, brackets: Brackets, ids: Ids, tell: Tell
) -> list[Joined]:
    """The mentions in the order in which they are complete; `block` is the sentence of each part.

    A part goes on the mention of its entity, sentence and number of parts that has just the parts
    before it; of several, the one opened last.
    """
    unfinished: dict[tuple[int, int, int, int], list[tuple[int, list[Part]]]] = {}
    name = brackets.id[[part.opening for part in parts]]
    keys = tuples(block, ids.base[name], ids.part[name], ids.parts[name])
    found: list[Joined] = []
    for own, (sentence, base, part, of) in zip(parts, keys, strict=True):
        if part == 1:
            opened, mention = -own.span, [own]
        elif waiting := unfinished.get((sentence, base, of, part - 1)):
            opened, mention = heappop(waiting)
            mention.append(own)
            if own.attributes != mention[0].attributes:
                values = mention[0].attributes.decode("utf-8", "replace") or "none"
                tell("part-differs", own.opening, expected=f"{values}, as the first part")
        else:
            expected = f"part {part - 1} of {of} before it in the sentence"
            tell("part-unexpected", own.opening, part=part, parts=of, expected=expected)
            continue
        if part < of:
            heappush(unfinished.setdefault((sentence, base, of, part), []), (opened, mention))
        elif all(one.first > before.last for before, one in pairwise(mention)):
            found.append(_joined(mention))
        else:
            tell("parts-overlap", mention[0].opening)
    for (_, _, of, so_far), waiting in unfinished.items():
        expected = f"part {so_far + 1} of {of} in the same sentence"
        for _, (first, *_) in sorted(waiting, reverse=True):
            tell("part-missing", first.opening, parts=of, first=so_far, expected=expected)
    return found


def _joined(mention: list[Part]) -> Joined:
    first, last = mention[0], mention[-1]
    parts = [(part.first, part.last) for part in mention]
    size = sum(b - a + 1 for a, b in parts)
    columns = (first.first, last.last, size, last.head, first.opening, last.closing)
    return Joined(columns, parts)
