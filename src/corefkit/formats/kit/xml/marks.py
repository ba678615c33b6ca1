"""The places of all tags and attribute values of an XML file, found at once.

All of it is strict: what it accepts is well-formed XML, and anything unusual is an UnfitError, so
that the file goes to expat.
"""

import re
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import BoolArray, ByteArray, IntArray, stretches
from corefkit.core.carriers import frozen
from corefkit.formats.columns.buffer import find_byte, find_bytes
from corefkit.formats.kit.byte_columns import UnfitError

_NAME = r"[A-Za-z_][\w.-]*+(?::[A-Za-z_][\w.-]*+)?+"
_REFERENCE = re.compile(rb"&(?:amp|lt|gt|quot|apos|#[1-9]\d{0,5}|#x[1-9A-Fa-f][\dA-Fa-f]{0,4});")
_TAG = re.compile(rf'<(/?)({_NAME})((?:\s++{_NAME}="")*+)\s*+(/?)>', re.ASCII)
"""A tag without the values of its attributes."""
_ATTRIBUTE = re.compile(rf'\s++({_NAME})=""', re.ASCII)
PROLOG = re.compile(
    rb'(?:<\?xml version="1\.0"(?: encoding="(?i:utf-8)")?(?: standalone="(?:yes|no)")?\s*\?>)?'
    rb'\s*(?:<!DOCTYPE [A-Za-z_][\w.-]*(?: SYSTEM "[\w./:-]*")?\s*>)?\s*'
)
_BLANKS = b" \t\n"
"""The blanks of XML. CR has been excluded before, and other white space is text."""
_LESS, GREATER, _QUOTE, SLASH, NEWLINE, _TAB, AMPERSAND, _BRACKET = b'<>"/\n\t&]'
DEEPEST = 200
_WORD = 8
_PADDING = 128
"""The bytes added to the buffer, a little more than the longest name that is accepted."""
_MASKS = [(1 << 8 * n) - 1 for n in range(_WORD + 1)]


def refuse_odd(data: bytes) -> None:
    """Raise UnfitError for characters that XML forbids, unknown references, other encodings."""
    buffer: ByteArray = np.frombuffer(data, dtype=np.uint8)
    controls = buffer.take(find_bytes(buffer, lambda b: b < ord(" ")))
    if ((controls != NEWLINE) & (controls != _TAB)).any():
        raise UnfitError
    if b"&" in data:
        _refuse_references(data, buffer)
    if not data.isascii():
        _refuse_encodings(data, buffer)


def _refuse_encodings(data: bytes, buffer: ByteArray) -> None:
    """Raise UnfitError for bytes that are not UTF-8, and for noncharacters."""
    high = find_bytes(buffer, lambda b: b >= 0x80)
    if 8 * len(high) < len(data):  # decoding their runs, separated by blanks, is enough
        place = np.cumsum(np.minimum(np.diff(high, prepend=high[0]), 2))
        runs: ByteArray = np.full(int(place[-1]) + 1, ord(" "), dtype=np.uint8)
        runs[place] = buffer.take(high)
        data = runs.tobytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise UnfitError from None
    if "\ufffe" in text or "\uffff" in text:
        raise UnfitError


def _refuse_references(data: bytes, buffer: ByteArray) -> None:
    """Raise UnfitError for references that XML does not define, or to forbidden characters."""
    places = find_byte(buffer, AMPERSAND)
    near_end = places > len(data) - _WORD
    word = _words(buffer)[places[~near_end]]
    unusual = np.ones(len(word), dtype=bool)
    for name in (*_MEANT, "amp"):  # nearly all references are one of these
        text = f"&{name};".encode()
        unusual &= word & np.uint64(_MASKS[len(text)]) != np.uint64(int.from_bytes(text, "little"))
    places = np.concatenate((places[~near_end][unusual], places[near_end]))
    for place in places.tolist():
        reference = _REFERENCE.match(data, place)
        if reference is None:
            raise UnfitError
        _character(reference[0].decode("ascii"))


def unescaped(text: str) -> str:
    """A text with its references replaced by characters."""
    if "&" not in text:
        return text
    for name, character in _MEANT.items():
        text = text.replace(f"&{name};", character)
    if text.count("&") != text.count("&amp;"):
        text = _NUMBERS.sub(lambda reference: _character(reference[0]), text)
    return text.replace("&amp;", "&")


_NUMBERS = re.compile(r"&#[^;]+;")
_MEANT = {"#10": "\n", "quot": '"', "lt": "<", "gt": ">", "apos": "'"}
"""The most frequent references. `&amp;` is resolved last, as it may stand before a name."""


def _character(reference: str) -> str:
    """The character of a numeric reference such as `&#233;`; "" for a name.

    UnfitError for a character that XML forbids.
    """
    if reference[1] != "#":
        return ""
    number = int(reference[3:-1], 16) if reference[2] == "x" else int(reference[2:-1])
    control = number < 32 and number not in (9, 10, 13)
    if control or 0xD800 <= number < 0xE000 or number in (0xFFFE, 0xFFFF) or number > 0x10FFFF:
        raise UnfitError
    return chr(number)


_SLOT_BITS = 16
_PRIME = np.uint64(0x9E3779B97F4A7C15)


def _slot(word: Any) -> IntArray:
    """int64 (words,): a hash of each word from 0 to 65,535."""
    slot: IntArray = (word * _PRIME >> np.uint64(64 - _SLOT_BITS)).astype(np.int64)
    return slot


def _words(buffer: ByteArray) -> Any:
    """uint64 (bytes − 7,): the eight bytes that begin at each byte."""
    return np.ndarray(max(len(buffer) - _WORD + 1, 0), "<u8", buffer, 0, (1,))


@frozen(eq=False)
class MarkTable:
    """The marks of a file: all `<`, `>` and `"` that delimit tags and attribute values.

    Attributes:
        data, buffer: the bytes of the file; the buffer has some padding at its end.
        place: int64 (marks,), the byte of each mark.
        mark: uint8 (marks,), which of the three it is.
        cut: bool (marks,), whether elements have been left out between it and the next mark; None
            if none have.
        coded: whether the file has references.
    """

    data: bytes
    buffer: ByteArray
    place: IntArray
    mark: ByteArray
    cut: BoolArray | None = None
    coded: bool = True

    @classmethod
    def of(cls, data: bytes, first: int) -> "MarkTable":
        """The marks of a file from the byte `first` on."""
        buffer: ByteArray = np.frombuffer(data + bytes(_PADDING), dtype=np.uint8)
        place = find_bytes(
            buffer[: len(data)], lambda b: (b == _LESS) | (b == GREATER) | (b == _QUOTE)
        )
        place = place[int(np.searchsorted(place, first)) :]
        table = cls(data, buffer, place, buffer.take(place), coded=b"&" in data)
        ends = place.take(table.closing)
        ends = ends[buffer.take(ends - 1) == _BRACKET]
        if (buffer.take(ends - 2) == _BRACKET).any():
            raise UnfitError  # ]]>, which is forbidden in text
        if not table._is_regular():
            table = table._without_text()
        if not table._is_regular() or place[0] != first:
            raise UnfitError
        if data[int(table.place[-1]) + 1 :].strip(_BLANKS):
            raise UnfitError
        return table

    def _is_regular(self) -> bool:
        """Whether the beginnings and ends of tags alternate."""
        begin, end = self.opening, self.closing
        return (
            0 < len(begin) == len(end)
            and begin[0] == 0
            and end[-1] == len(self.mark) - 1
            and np.array_equal(begin[1:], end[:-1] + 1)
        )

    def _without_text(self) -> "MarkTable":
        """The marks without those in texts, that is, between a > and the next <."""
        angles = np.flatnonzero(self.mark != _QUOTE)
        angle = self.mark[angles]
        kept = np.ones(len(self.mark), dtype=bool)
        kept[angles[1:][(angle[1:] == GREATER) & (angle[:-1] == GREATER)]] = False
        place, mark = self.place[kept], self.mark[kept]
        last = np.maximum.accumulate(np.where(mark != _QUOTE, np.arange(len(mark)), 0))
        kept = (mark != _QUOTE) | (mark[last] == _LESS)
        return MarkTable(self.data, self.buffer, place[kept], mark[kept], coded=self.coded)

    @cached_property
    def words(self) -> Any:
        """uint64 (bytes,): the eight bytes that begin at each byte."""
        return _words(self.buffer)

    @cached_property
    def breaks(self) -> IntArray:
        """int64 (lines,): the line ends."""
        return find_byte(self.buffer[: len(self.data)], NEWLINE)

    @cached_property
    def opening(self) -> IntArray:
        """int64 (tags,): the marks at which tags begin."""
        return np.flatnonzero(self.mark == _LESS)

    @cached_property
    def closing(self) -> IntArray:
        """int64 (tags,): the marks at which tags end."""
        return np.flatnonzero(self.mark == GREATER)

    @cached_property
    def initial(self) -> ByteArray:
        """uint8 (tags,): the first byte of each tag, after its `<`."""
        return self.buffer.take(self.place.take(self.opening) + 1)

    @cached_property
    def ending(self) -> IntArray:
        """int64: the tags that end an element."""
        return np.flatnonzero(self.initial == SLASH)

    @cached_property
    def ending_initial(self) -> ByteArray:
        """uint8 (ending,): the first byte of the name in each of these."""
        return self.buffer.take(self.place.take(self.opening.take(self.ending)) + 2)

    def tags_of(self, raw: bytes) -> tuple[IntArray, IntArray]:
        """The tags that begin an element with this name, and those that end one."""
        if len(raw) > _PADDING - 2 * _WORD:
            raise UnfitError
        begin = np.flatnonzero(self.initial == raw[0])
        end = self.ending[self.ending_initial == raw[0]]
        return self._named(raw, begin, 1), self._named(raw, end, 2)

    def may_have(self, raw: bytes) -> bool:
        """Whether an element may have this name; False if certainly none has it."""
        length = min(len(raw), _WORD)
        if length not in self._heads:
            word = self.words[self.place.take(self.opening) + 1] & np.uint64(_MASKS[length])
            self._heads[length] = np.bincount(_slot(word), minlength=1 << _SLOT_BITS) > 0
        head = np.uint64(int.from_bytes(raw[:length], "little"))
        return bool(self._heads[length][_slot(np.array([head]))[0]])

    @cached_property
    def _heads(self) -> dict[int, BoolArray]:
        """For each length, bool (slots,): which hashes the beginnings of names in tags have."""
        return {}

    def _named(self, raw: bytes, tags: IntArray, shift: int) -> IntArray:
        at = self.place.take(self.opening.take(tags)) + shift
        fine = self.has(at, raw)
        tags, at = tags[fine], at[fine] + len(raw)
        after = self.buffer[at]
        stop = (after <= ord(" ")) | (after == SLASH) | (after == GREATER)
        named: IntArray = tags[stop]
        return named

    def has(self, at: IntArray, text: bytes) -> BoolArray:
        """bool (places,): whether a text begins at each place."""
        fine: BoolArray = at + len(text) <= len(self.data)
        for first in range(0, len(text), _WORD):
            piece = text[first : first + _WORD]
            word = self.words[np.minimum(at + first, len(self.data))]
            if len(piece) < _WORD:
                word = word & np.uint64(_MASKS[len(piece)])
            fine &= word == np.uint64(int.from_bytes(piece, "little"))
        return fine

    def is_blank(self, start: IntArray, end: IntArray) -> BoolArray:
        """bool (texts,): whether each text, from start to end, consists of blanks only."""
        fine: BoolArray = np.ones(len(start), dtype=bool)
        rows = np.flatnonzero(end > start)
        at = start[rows]
        while len(rows):
            byte = self.buffer[at]
            blank = (byte == ord(" ")) | (byte == NEWLINE) | (byte == _TAB)
            fine[rows[~blank]] = False
            at += 1
            more = blank & (at < end[rows])
            rows, at = rows[more], at[more]
        return fine

    def refuse_breaks(self) -> None:
        """Raise UnfitError if the value of an attribute has a line break or a tab."""
        breaks = self.breaks
        if b"\t" in self.data:
            breaks = np.sort(np.append(breaks, find_byte(self.buffer[: len(self.data)], _TAB)))
        breaks = breaks[breaks > self.place[0]]
        breaks = breaks[self.buffer[breaks - 1] != GREATER]
        mark = np.searchsorted(self.place, breaks) - 1
        mark = mark[self.mark[mark] == _QUOTE]
        tag = np.searchsorted(self.opening, mark) - 1
        if ((mark - self.opening[tag]) % 2).any():
            raise UnfitError

    def parents(
        self, elements: tuple[IntArray, IntArray], inside: tuple[IntArray, IntArray]
    ) -> "tuple[MarkTable, IntArray, IntArray]":
        """The marks of elements without those of other elements inside them.

        Both are given by their first and last marks. Also returns the first and the last mark of
        each element in the new table.
        """
        begin, end = elements
        numbers = stretches(begin, end - begin + 1)
        kept = np.ones(len(numbers), dtype=bool)
        shift = np.cumsum(end - begin + 1) - end - 1  # from a mark to its place in `numbers`
        own = np.searchsorted(begin, inside[0], side="right") - 1
        first, last = inside[0] + shift[own], inside[1] + shift[own]
        kept[stretches(first, last - first + 1)] = False
        number = np.cumsum(kept) - 1
        cut = np.zeros(int(kept.sum()), dtype=bool)
        cut[number[first - 1]] = True
        numbers = numbers[kept]
        table = MarkTable(
            self.data,
            self.buffer,
            self.place.take(numbers),
            self.mark.take(numbers),
            cut,
            self.coded,
        )
        return table, number[begin + shift], number[end + shift]


class XmlTag(NamedTuple):
    """A tag: whether it ends an element, its name and attributes, whether the element is empty."""

    ends: bool
    raw: str
    attributes: list[str]
    empty: bool


def read_tag(table: MarkTable, begin: int, end: int) -> tuple[XmlTag, list[bytes]]:
    """The tag between two marks, and the pieces of its text between attribute values."""
    if (end - begin) % 2 == 0:
        raise UnfitError
    place = table.place[begin : end + 1].tolist()
    literals = [table.data[place[n] + 1 : place[n + 1]] for n in range(0, len(place) - 1, 2)]
    try:
        inside = '""'.join(text.decode() for text in literals)
        match = _TAG.fullmatch(f"<{inside}>")
    except UnicodeDecodeError:
        match = None
    if match is None or (match[1] and (match[3] or match[4])):
        raise UnfitError
    names = _ATTRIBUTE.findall(match[3])
    return XmlTag(bool(match[1]), match[2], names, bool(match[4])), literals


class NamespaceTable:
    """The namespaces that the root declares, by prefix, and the root's own tag."""

    def __init__(self, table: MarkTable) -> None:
        tag, _ = read_tag(table, 0, int(table.closing[0]))
        if tag.ends or len({*tag.attributes}) < len(tag.attributes):
            raise UnfitError
        self.prefixes: dict[str, str] = {}
        self.attributes: dict[str, str] = {}
        for number, name in enumerate(tag.attributes):
            start, end = (int(table.place[place + 2 * number]) for place in (1, 2))
            value = unescaped(table.data[start + 1 : end].decode("utf-8"))
            prefix, _, other = name.partition(":")
            if prefix != "xmlns":
                self.attributes[name] = value
            elif not value or other in ("xml", "xmlns"):
                raise UnfitError
            else:
                self.prefixes[other] = value
        self.raw, self.empty = tag.raw, tag.empty
        self.attributes = {
            self.resolve(name, "")[1]: value for name, value in self.attributes.items()
        }

    def resolve(self, raw: str, default: str | None = None) -> tuple[str, str]:
        """The namespace of a name, and the name without its prefix.

        `default` is the namespace of names without a prefix; None: the one the root declares.
        """
        prefix, colon, name = raw.rpartition(":")
        if not colon:
            if name == "xmlns":
                raise UnfitError
            return self.prefixes.get("", "") if default is None else default, name
        if prefix == "xml":
            return "xml", name
        if prefix not in self.prefixes:
            raise UnfitError
        return self.prefixes[prefix], name


def refuse_unnested(step: IntArray, name: IntArray) -> None:
    """Raise UnfitError if tags do not nest; `step` is 1 if a tag begins an element, −1 if it ends
    one.
    """
    depth = np.cumsum(step)
    if depth[-1] or (depth[:-1] < 1).any() or depth.max() > DEEPEST // 4:
        raise UnfitError
    tags = np.flatnonzero(step)
    level = depth[tags] + (step[tags] < 0)
    order = tags[np.argsort(level, kind="stable")]  # on each level, beginnings and ends alternate
    if (step[order[::2]] < 1).any() or (name[order[::2]] != name[order[1::2]]).any():
        raise UnfitError


def innermost_scopes(step: IntArray, number: IntArray) -> IntArray:
    """int64 (tags,): the number of the innermost scope open after each tag; −1 for none."""
    depth = np.cumsum(step)
    innermost = np.full(len(step), -1)
    for level in range(1, int(depth.max(initial=0)) + 1):
        begins = np.where((step > 0) & (depth == level), number, -1)
        here = depth == level
        innermost[here] = np.maximum.accumulate(begins)[here]
    return innermost
