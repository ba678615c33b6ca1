"""Brackets of one id paired within their sentences, and parts of discontinuous mentions joined."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray, tuples
from corefkit.formats.conll.brackets import Paired, pair
from corefkit.formats.conllu.cells import TEXT, Brackets

_SQUARE = ord("[")
_FORBIDDEN = b"()|[]<>:,=- \t\n\r\f\v"
_ID = re.compile(rb"([^()|\s\[\]<>:,=-]+)(?:\[([1-9]\d{0,5})/([1-9]\d{0,5})\])?")


@dataclass(frozen=True, eq=False)
class Ids:
    """The distinct ids of a file, taken apart.

    Attributes:
        base: int64 (ids,), an index into `labels`; −1 for an id that is none.
        part, parts: int64 (ids,), 0 for ids without `[part/parts]`.
        labels: the ids without their parts.
    """

    base: IntArray
    part: IntArray
    parts: IntArray
    labels: list[str]


def take_apart(ids: list[bytes]) -> Ids:
    """Read the ids with their parts.

    >>> take_apart([b"e1", b"e1[2/3]", b"e<"]).base.tolist()
    [0, 0, -1]
    """
    base = np.full(len(ids), -1, dtype=np.int64)
    part, parts = np.zeros((2, len(ids)), dtype=np.int64)
    number: dict[bytes, int] = {}
    in_parts = np.array([_SQUARE in text for text in ids], dtype=bool)
    rest = np.flatnonzero(in_parts).tolist()
    whole = [text for text, some in zip(ids, in_parts.tolist(), strict=True) if not some]
    if _fine(whole):  # in most files
        base[~in_parts] = np.arange(len(whole))
        number = dict(zip(whole, range(len(whole)), strict=True))
    else:
        rest = list(range(len(ids)))
    for at in rest:
        found = _ID.fullmatch(ids[at])
        own, total = (int(found[2]), int(found[3])) if found and found[2] else (0, 0)
        if found and (not found[2] or (total > 1 and own <= total)):
            base[at] = number.setdefault(found[1], len(number))
            part[at], parts[at] = own, total
    labels = b"\n".join(number).decode("utf-8", "replace").split("\n") if number else []
    return Ids(base, part, parts, labels)


def _fine(ids: list[bytes]) -> bool:
    """Whether all of them are what an id may be, without parts."""
    together = b"".join(ids)
    return len(together.translate(None, _FORBIDDEN)) == len(together) and all(ids)


def pair_in_sentences(brackets: Brackets, usable: BoolArray, block: IntArray) -> Paired:
    """The brackets of one id paired within their sentences, by their first brackets.

    `block` is the sentence of each bracket; brackets that are not usable are not looked at.
    """
    group = block * (len(brackets.ids) + 1) + brackets.id
    paired = pair(np.where(usable, brackets.kind, TEXT), group)
    order = np.argsort(paired.first)
    return paired._replace(first=paired.first[order], last=paired.last[order])


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
