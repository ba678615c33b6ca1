"""Opening and closing brackets of one id paired within their sentences."""

import re
from dataclasses import dataclass

import numpy as np

from corefkit.data.arrays import BoolArray, IntArray
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
