"""The markables of a layer: brackets with features, paired and joined by name.

    (EntityID=3|MarkableID=m1|Min=2 … m1)

A markable opens with `(` and its features, and closes with `)`, perhaps with its name before it.
One that is opened several times under the same name has gaps. Its Min is one token, `7`, or
several, `7,9`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.incidents import Collector
from corefkit.core.texts import quote, shorten
from corefkit.formats.conllua.rows import NodeRow, Rows
from corefkit.formats.kit.files import AS_THEY_ARE

MARKABLE = ("markableid", "mentionid", "markable_id")
"""The spellings of the name of a markable, in lower case."""
READ = frozenset({"entityid", "min", "elementof", *MARKABLE})
"""The features that are read; others are labels."""

_BRACKET = re.compile(r"([^()]*)([()]|\Z)")
_NUMBERS = re.compile(r"\s*(\d{1,18})\s*(?:,\s*(\d{1,18})\s*(?:,\s*\d+\s*)*)?")


class FeatureName(NamedTuple):
    """The name of features.

    Attributes:
        key: the name in lower case.
        label: the name as a label of mentions; "" if the feature is read otherwise.
    """

    key: str
    label: str


BracketFeature = tuple[FeatureName, str]
"""A feature in a bracket: its name and its value."""


@lru_cache(maxsize=1024)
def _feature_name(text: str) -> FeatureName:
    label = text.strip(" @")
    return FeatureName(text.strip(" ").lower(), "" if label.lower() in READ else label)


def features_of(text: str) -> list[BracketFeature]:
    """The features in a bracket.

    >>> values_of(features_of("EntityID=3|MIN = 7"))
    {'entityid': '3', 'min': '7'}
    """
    parts = [part.partition("=") for part in text.split("|")]
    return [(_feature_name(name), value.strip("@ ")) for name, equals, value in parts if equals]


def values_of(features: Iterable[BracketFeature]) -> dict[str, str]:
    """The values of features by name; of several with one name, the last one counts."""
    return {name.key: value for name, value in features}


def name_of(values: Mapping[str, str]) -> str:
    """The name of a markable; "" if it has none."""
    for name in values:
        if name in MARKABLE:
            return values[name]
    return ""


class Opening:
    """An opening bracket.

    Attributes:
        number: its number among the openings of the layer.
        row, byte: its row, and its byte in the file.
        text: what follows it.
        features, values: the features in this text, and their values by name.
        name, entity: the MarkableID and the EntityID, "" if it has none.
        last: the row in which it is closed.
        markable: the number of its markable, if that is complete.
    """

    __slots__ = (
        *("number", "row", "byte", "text", "features", "values"),
        *("name", "entity", "last", "markable"),
    )

    def __init__(self, number: int, row: NodeRow, byte: int, text: str) -> None:
        self.number, self.row, self.byte, self.text = number, row, byte, text
        self.features = features_of(text)
        self.values = values_of(self.features)
        self.name, self.entity = name_of(self.values), self.values.get("entityid", "")
        self.last: NodeRow | None = None
        self.markable: int | None = None


class LayerIncidents:
    """Notes the incidents of one column, given a row and a byte; messages may name the layer."""

    def __init__(self, rows: Rows, column: str, collector: Collector) -> None:
        self._rows, self._column, self.collector = rows, column, collector

    def note(self, kind: str, row: NodeRow, byte: int, variant: str = "", **details: Any) -> None:
        """Note an incident at a byte of a row."""
        before = self._rows.data[self._rows.starts[row.line] : byte].decode("utf-8", "replace")
        details["layer"], details["document"] = self._column, self._rows.names[row.document]
        self.collector.note(kind, variant, (row.line + 1, len(before) + 1), **details)

    def note_opening(self, kind: str, at: Opening, variant: str = "", **details: Any) -> None:
        """Note an incident at an opening bracket."""
        self.note(kind, at.row, at.byte, variant, **details)


class _Waiting:
    """The openings of a document that are not closed yet, also by name."""

    def __init__(self) -> None:
        self._all: list[Opening] = []
        self._named = defaultdict[str, list[Opening]](list)

    def add(self, opening: Opening) -> None:
        """Add an opening."""
        self._all.append(opening)
        self._named[opening.name].append(opening)

    def take(self, name: str) -> Opening | None:
        """The opening that a bracket closes: the last one, or the last with this name."""
        stack = self._named[name] if name else self._all
        while stack and stack[-1].last is not None:
            stack.pop()  # closed by way of the other stack
        return stack.pop() if stack else None


def read_openings(rows: Rows, column: str, incidents: LayerIncidents) -> list[Opening]:
    """The openings of a layer; brackets without a partner and text outside them are reported."""
    openings: list[Opening] = []
    unopened: list[tuple[NodeRow, int, str]] = []
    waiting, document = _Waiting(), -1
    for row, index in rows.filled(column):
        if row.document != document:
            waiting, document = _Waiting(), row.document
        start = byte = rows.byte(row, index)
        opened_at = -1
        for text, bracket in _BRACKET.findall(row.cells[index]):
            byte += len(text.encode("utf-8", AS_THEY_ARE))
            outside = text.strip("@ ")
            if opened_at >= 0:  # the text is the features of the bracket before it
                openings.append(Opening(len(openings), row, opened_at, outside))
                waiting.add(openings[-1])
                outside = ""
            elif outside and bracket != ")":
                incidents.note("coreference-text", row, start, "layer", found=shorten(outside))
            if bracket == ")":
                if closed := waiting.take(outside):
                    closed.last = row
                else:
                    unopened.append((row, byte, outside))
            opened_at = byte if bracket == "(" else -1
            byte += len(bracket)
    for row, byte, name in unopened:
        variant = "named" if name else "nameless"
        incidents.note("bracket-unopened", row, byte, variant, name=quote(name))
    return openings


def find_markables(
    openings: Sequence[Opening], rows: Rows, column: str, incidents: LayerIncidents
) -> list[list[Opening]]:
    """The complete markables in the order of their first openings, each with all its openings."""
    _check_closed(openings, rows, column, incidents)
    groups = defaultdict[tuple[int, str], list[Opening]](list)
    alone = list[list[Opening]]()
    for opening in openings:
        if not opening.entity:
            incidents.note_opening("feature-missing", opening, found=shorten(opening.text))
        if opening.name:
            groups[opening.row.document, opening.name].append(opening)
        else:
            alone.append([opening])
    markables = []
    for group in (*alone, *groups.values()):
        for parts in _by_entity(group, incidents):
            whole = all(part.last is not None and part.entity for part in parts)
            if whole and (len(parts) == 1 or not _has_zero(parts, incidents)):
                markables.append(parts)
    markables.sort(key=lambda parts: parts[0].number)
    for number, parts in enumerate(markables):
        for opening in parts:
            opening.markable = number
    return markables


def _check_closed(
    openings: Iterable[Opening], rows: Rows, column: str, incidents: LayerIncidents
) -> None:
    """Report openings that are never closed, and zeros that are only a part of a mention."""
    for opening in openings:
        if opening.last is None and opening.row.zero:
            zero = opening.row.cells[0]
            incidents.note_opening("zero-in-mention", opening, "starts", zero=zero)
        elif opening.last is None:
            variant = "named" if opening.name else "nameless"
            incidents.note_opening("bracket-unclosed", opening, variant, name=quote(opening.name))
    for opening in openings:
        first, last = opening.row, opening.last
        if last is not None and first is not last and (first.zero or last.zero):
            where, verb = (first, "starts") if first.zero else (last, "ends")
            byte = rows.byte(where, rows.place(column, where.line))
            incidents.note("zero-in-mention", where, byte, verb, zero=where.cells[0])
            opening.last = None


def _by_entity(group: list[Opening], incidents: LayerIncidents) -> list[list[Opening]]:
    """The openings of one name, which should be of one entity; others are reported."""
    parts, known = [group[:1]], group[0]
    for opening in group[1:]:
        if opening.entity != known.entity:
            incidents.note_opening(
                "markable-in-two-entities",
                opening,
                name=quote(known.name),
                first=quote(known.entity),
                first_line=known.row.line + 1,
                second=quote(opening.entity),
            )
            parts.append([])
            known = opening
        parts[-1].append(opening)
    return parts


def _has_zero(parts: list[Opening], incidents: LayerIncidents) -> bool:
    """Whether a part of a markable is a zero; such parts are reported."""
    zeros = [part for part in parts if part.row.zero]
    for part in zeros:
        values = {"name": quote(part.name), "zero": part.row.cells[0]}
        incidents.note_opening("zero-in-mention", part, "fragment", **values)
    return bool(zeros)


def tokens_of(parts: Iterable[Opening]) -> Sequence[int]:
    """The tokens of a markable, in order; a range where they have no gaps."""
    ends = [(part.row.token, part.last.token) for part in parts if part.last is not None]
    if len(ends) == 1:
        return range(ends[0][0], ends[0][1] + 1)
    tokens = sorted({token for first, last in ends for token in range(first, last + 1)})
    contiguous = range(tokens[0], tokens[-1] + 1)
    return contiguous if len(contiguous) == len(tokens) else tuple(tokens)


def read_minima(
    markables: Sequence[Sequence[Opening]],
    words: Sequence[Sequence[int]],
    incidents: LayerIncidents,
) -> IntArray:
    """The first and the last token of each Min, int64 (markables, 2); −1 without one.

    One that is outside of its markable is reported and kept. `words` are the markables' tokens.
    """
    minimum, outside = [(-1, -1)] * len(markables), []
    for number, ((first, *_), tokens) in enumerate(zip(markables, words, strict=True)):
        if "min" not in first.values or first.row.zero:
            continue
        text = first.values["min"]
        match = _NUMBERS.fullmatch(text)
        if match is None:
            incidents.note_opening("min-unreadable", first, minimum=quote(text))
            continue
        low, high = int(match[1]) - 1, int(match[2] or match[1]) - 1
        minimum[number] = low, high
        whole = len(tokens) == tokens[-1] - tokens[0] + 1
        inside = low <= high and tokens[0] <= low and high <= tokens[-1]
        if not (inside and (whole or {*tokens}.issuperset(range(low, high + 1)))):
            outside.append((first, text, tokens[0] + 1, tokens[-1] + 1))
    for first, text, low, high in incidents.collector.listed("min-outside", outside):
        shown = f"token {low}" if low == high else f"tokens {low} to {high}"
        incidents.note_opening("min-outside", first, minimum=text, tokens=shown)
    return np.array(minimum, dtype=np.int64).reshape(-1, 2)
