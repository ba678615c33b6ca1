"""The text of `Entity`: mentions of a sentence as brackets, in the usual order."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corefkit.data.ragged import runs_of
from corefkit.formats.conllu.headers import Declaration

_BRACKET = re.compile(rb"\(([^()|\s]*)")
_PART = re.compile(r"\[\d+/\d+\]$")


@dataclass(frozen=True)
class WrittenMention:
    """A mention to be written.

    Attributes:
        nodes: its nodes in order, as numbers that are consecutive where nothing lies between.
        values: its values in the order of the declaration; the id is without parts.
        order: what decides between brackets of as many nodes; those that come first close last.
    """

    nodes: Sequence[int]
    values: Sequence[str]
    order: tuple[int, ...] = ()


def values_at(data: bytes, byte: int, declaration: Declaration) -> list[str] | None:
    """The values of the opening bracket at a byte of a file; None where there is none."""
    found = _BRACKET.match(data, byte)
    if not found:
        return None
    values = found[1].decode("utf-8", "surrogateescape").split("-")
    place = declaration.entity
    values += [""] * (place + 1 - len(values))
    values[place] = _PART.sub("", values[place])
    return values


def with_head(values: Sequence[str], place: int, head: int) -> list[str]:
    """The values with this head, counted from 1; unchanged where they say so already.

    >>> with_head(["e1", "person"], 2, 1), with_head(["e1"], 2, 3)
    (['e1', 'person'], ['e1', '', '3'])
    """
    new = list(values)
    if place < 0 or (new[place : place + 1] or [""])[0] == ("" if head == 1 else str(head)):
        return new
    if head == 1 and len(new) <= place:
        return new
    new += [""] * (place + 1 - len(new))
    new[place] = str(head)
    return new


def cells(mentions: Iterable[WrittenMention], declaration: Declaration) -> dict[int, str]:
    """For each node the value of its Entity, where it has one.

    A cell begins with what closes, goes on with what opens and ends with single nodes; if nothing
    opens, the single nodes precede what closes. Larger mentions open before smaller ones and
    close after them; a discontinuous mention is as large as the part in question.
    """
    opening: dict[int, list[tuple[tuple[int, ...], str]]] = {}
    single: dict[int, list[tuple[tuple[int, ...], str]]] = {}
    closing: dict[int, list[tuple[tuple[int, ...], str]]] = {}
    for mention in mentions:
        parts = runs_of(mention.nodes)
        for number, (first, last) in enumerate(parts, 1):
            size = last - first + 1
            outer, inner = (-size, *mention.order), (size, *(-x for x in mention.order))
            part = f"[{number}/{len(parts)}]" if len(parts) > 1 else ""
            text = bracket(mention.values, declaration.entity, part)
            if first == last:
                single.setdefault(first, []).append((outer, f"{text})"))
            else:
                opening.setdefault(first, []).append((outer, text))
                name = mention.values[declaration.entity]
                closing.setdefault(last, []).append((inner, f"{name}{part})"))
    return {
        node: _joined(opening.get(node), single.get(node), closing.get(node))
        for node in opening.keys() | single.keys() | closing.keys()
    }


def _joined(*lists: list[tuple[tuple[int, ...], str]] | None) -> str:
    opening, single, closing = ("".join(text for _, text in sorted(x or [])) for x in lists)
    return closing + opening + single if opening else single + closing


def bracket(values: Sequence[str], place: int, part: str) -> str:
    """An opening bracket; what is empty at its end is left out.

    >>> bracket(["e1", "", ""], 0, "[1/2]")
    '(e1[1/2]'
    """
    own = [*values[:place], values[place] + part, *values[place + 1 :]]
    return "(" + "-".join(own).rstrip("-")


def in_misc(misc: str, name: str, value: str | None) -> str:
    """A MISC cell with another value of one attribute, or without it.

    >>> in_misc("SpaceAfter=No", "Entity", "(e1)"), in_misc("Entity=(e1)|Z=1", "Entity", None)
    ('Entity=(e1)|SpaceAfter=No', 'Z=1')
    """
    items = [] if misc == "_" else misc.split("|")
    own = [i for i, item in enumerate(items) if item.startswith(f"{name}=")]
    at = own[0] if own else next((i for i, x in enumerate(items) if x > name), len(items))
    items = [item for i, item in enumerate(items) if i not in own]
    if value:
        items.insert(at, f"{name}={value}")
    return "|".join(items) or "_"
