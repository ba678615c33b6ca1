"""The brackets of a layer: which markables there are, of which words, with which features."""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from corefkit.data.texts import quote
from corefkit.formats.conllua.trouble import Trouble
from corefkit.formats.files import AS_THEY_ARE

_NAMES = {
    "entityid": "entity",
    "markableid": "markable",
    "mentionid": "markable",
    "markable_id": "markable",
    "min": "min",
    "elementof": "elementof",
}
_USUAL = {"EntityID": "entity", "MarkableID": "markable", "Min": "min", "SemType": "", **_NAMES}
"""What features are called here; the usual spellings are found without looking twice."""
_PARENTHESIS = re.compile(r"([()])")


class Node(NamedTuple):
    """A token and 0, or the token before a zero and its number; tokens count from 0."""

    token: int
    zero: int


class Cell(NamedTuple):
    """A cell with brackets: where it begins, its text, its node, and the ID of its row if it is
    a zero."""

    byte: int
    text: str
    node: Node
    zero_id: str = ""


@dataclass(slots=True)
class Markable:
    """A mention as the file says it.

    Attributes:
        byte: where its first bracket stands.
        entity: the EntityID.
        name: the MarkableID, "" where there is none.
        minimum: the value of Min, None where there is none.
        plurals: the entities that its entity is an element of.
        fragments: from which node to which, in the order of the openings.
        closed: whether every opening was closed.
    """

    byte: int
    entity: str
    name: str
    minimum: str | None
    plurals: list[str]
    fragments: list[tuple[Node, Node]] = field(default_factory=list)
    closed: bool = True


class _Opening(NamedTuple):
    markable: Markable
    cell: Cell
    byte: int


class LayerReader:
    """Reads the cells of one layer of one document, from left to right, with one stack."""

    def __init__(self, document: str, column: str, trouble: Trouble) -> None:
        self.markables: list[Markable] = []
        self.named: dict[str, Markable] = {}
        self._document, self._column, self._trouble = document, column, trouble
        self._stack: list[_Opening] = []

    def read(self, cell: Cell) -> None:
        """Take the brackets of one cell."""
        text = cell.text
        if text == ")" and self._stack:
            self._close(self._stack.pop(), cell)
            return
        if text[0] == "(" and "(" not in text[1:] and ")" not in text[:-1]:
            closes = text[-1] == ")"
            self._open(text[1 : -1 if closes else None].rstrip("@ "), cell, cell.byte)
            if closes:
                self._close(self._stack.pop(), cell)
            return
        first, *pieces = _PARENTHESIS.split(text)
        waiting, at = first, cell.byte + len(first.encode("utf-8", AS_THEY_ARE))
        for bracket, behind in zip(pieces[::2], pieces[1::2], strict=True):
            if bracket == "(":
                self._stray(waiting, cell)
                self._open(behind.rstrip("@ "), cell, at)
                waiting = ""
            else:
                self._close_named(waiting.strip("@ "), cell, at)
                waiting = behind
            at += 1 + len(behind.encode("utf-8", AS_THEY_ARE))
        self._stray(waiting, cell)

    def end(self) -> None:
        """The document is over: nothing may be open."""
        for opening in self._stack:
            opening.markable.closed = False
            what = f"markable {quote(opening.markable.name)}" if opening.markable.name else "it"
            kind, message = "bracket-unclosed", f"{what} is opened here and never closed"
            if opening.cell.node.zero:
                kind, message = "zero-in-mention", _starts_at(opening.cell)
            self._tell(kind, opening.byte, message)
        self._stack = []

    def _open(self, features: str, cell: Cell, byte: int) -> None:
        values: dict[str, str] = {}
        for feature in features.split("|"):
            said, _, value = feature.partition("=")
            known_as = _USUAL.get(said)
            if known_as is None:
                known_as = _NAMES.get(said.strip().lower(), "")
            values[known_as] = value.strip()
        entity, name = values.get("entity", ""), values.get("markable", "")
        if not entity:
            self._tell("feature-missing", byte, "the markable has no EntityID", features)
        known = self.named.get(name) if name else None
        if known is not None and known.entity != entity:
            self._in_two(known, entity, byte)
            known = None
        plurals = []
        if "elementof" in values:
            plurals = [one.strip() for one in values["elementof"].split(",") if one.strip()]
        if known is None:
            known = Markable(byte, entity, name, values.get("min"), plurals)
            self.markables.append(known)
            if name:
                self.named[name] = known
        else:
            known.plurals += plurals
        self._stack.append(_Opening(known, cell, byte))

    def _close_named(self, name: str, cell: Cell, byte: int) -> None:
        if not name:
            if self._stack:
                self._close(self._stack.pop(), cell)
            else:
                self._tell("bracket-unopened", byte, "a bracket is closed and none is open")
            return
        for place in range(len(self._stack) - 1, -1, -1):
            if self._stack[place].markable.name == name:
                self._close(self._stack.pop(place), cell)
                return
        message = f"markable {quote(name)} is closed here and was never opened"
        self._tell("bracket-unopened", byte, message)

    def _close(self, opening: _Opening, cell: Cell) -> None:
        markable, begin = opening.markable, opening.cell
        if (begin.node.zero or cell.node.zero) and begin.node != cell.node:
            message = _starts_at(begin) if begin.node.zero else _ends_at(cell)
            self._tell("zero-in-mention", (begin if begin.node.zero else cell).byte, message)
            markable.closed = False
            return
        markable.fragments.append((begin.node, cell.node))
        if len(markable.fragments) > 1 and any(one.zero for one, _ in markable.fragments):
            where = begin if begin.node.zero else cell
            zero = f"the zero {begin.zero_id}" if begin.zero_id else "a zero"
            message = f"markable {quote(markable.name)} has {zero} as a fragment"
            self._tell("zero-in-mention", where.byte, message)
            markable.closed = False

    def _in_two(self, known: Markable, entity: str, byte: int) -> None:
        line = self._trouble.line_of(known.byte)
        message = (
            f"markable {quote(known.name)} is in entity {quote(known.entity)} (line {line}) and in "
            f"entity {quote(entity)}"
        )
        self._tell("markable-in-two-entities", byte, message)

    def _stray(self, text: str, cell: Cell) -> None:
        if text.strip("@ "):
            message = f"text outside brackets in the column {self._column}"
            self._tell("coreference-text", cell.byte, message, text)

    def _tell(self, kind: str, byte: int, message: str, found: str = "") -> None:
        self._trouble.byte(
            kind, byte, f"{self._column}: {message}", document=self._document, found=found
        )


def _starts_at(cell: Cell) -> str:
    return f"a mention of several tokens starts at the zero {cell.zero_id}"


def _ends_at(cell: Cell) -> str:
    return f"a mention of several tokens ends at the zero {cell.zero_id}"
