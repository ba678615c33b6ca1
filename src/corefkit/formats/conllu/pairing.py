"""Opening and closing brackets of one id paired within their sentences."""

import re
from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray
from corefkit.formats.conllu.cells import CLOSE, OPEN, SINGLE, Brackets

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


@dataclass(frozen=True, eq=False)
class Spans:
    """Paired brackets, by their numbers; those of one node have the same first and last."""

    first: IntArray
    last: IntArray
    unopened: list[int]
    unclosed: list[int]


def pair(brackets: Brackets, usable: BoolArray, block: IntArray) -> Spans:
    """Each closing bracket with the opening one of that very id which was opened last.

    `block` is the sentence of each bracket; brackets that are not usable are not looked at.
    """
    single = np.flatnonzero(usable & (brackets.kind == SINGLE))
    pending = np.flatnonzero(usable & ((brackets.kind == OPEN) | (brackets.kind == CLOSE)))
    group = block * (len(brackets.ids) + 1) + brackets.id
    pending = pending[np.argsort(group[pending], kind="stable")]
    depth, sound = _depth(brackets.kind[pending], group[pending])
    unopened: list[int] = []
    unclosed: list[int] = []
    if not sound:
        unopened, unclosed = _left_over(pending, brackets.kind, group)
        pending = pending[~np.isin(pending, np.array(unopened + unclosed))]
        depth, _ = _depth(brackets.kind[pending], group[pending])
    level = np.where(brackets.kind[pending] == OPEN, depth, depth + 1)
    # On one level of one id in one sentence, openings and closings alternate.
    alternate = pending[np.lexsort((level, group[pending]))]
    first = np.concatenate((single, alternate[0::2]))
    last = np.concatenate((single, alternate[1::2]))
    order = np.argsort(first)
    return Spans(first[order], last[order], unopened, unclosed)


def _depth(kind: IntArray, group: IntArray) -> tuple[IntArray, bool]:
    """How many are open after each bracket of sorted groups; whether all groups are balanced."""
    if not len(kind):
        return kind, True
    depth = np.cumsum(np.where(kind == OPEN, 1, -1))
    ends = np.append(group[1:] != group[:-1], True)
    return depth, bool((depth >= 0).all() and not depth[ends].any())


def _left_over(pending: IntArray, kind: IntArray, group: IntArray) -> tuple[list[int], list[int]]:
    """The brackets without a partner, found one by one: closings, then openings."""
    unopened: list[int] = []
    open_now: dict[int, list[int]] = {}
    rows = zip(pending.tolist(), group[pending].tolist(), kind[pending].tolist(), strict=True)
    for number, own, what in rows:
        stack = open_now.setdefault(own, [])
        if what == OPEN:
            stack.append(number)
        elif stack:
            stack.pop()
        else:
            unopened.append(number)
    return sorted(unopened), sorted(n for stack in open_now.values() for n in stack)
