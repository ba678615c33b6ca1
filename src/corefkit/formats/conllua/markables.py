"""The markables of a layer: brackets with features, paired and joined by name.

    (EntityID=3|MarkableID=m1|Min=2 … m1)

A markable opens with `(` and its features, and closes with `)`, perhaps with its name before it.
One that is opened several times under the same name has gaps. Its Min is one token, `7`, or
several, `7,9`.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import IntArray
from corefkit.core.incidents import Collector
from corefkit.core.texts import quote, shorten
from corefkit.formats.conllua.rows import Rows
from corefkit.formats.kit.files import AS_THEY_ARE

MARKABLE = ("markableid", "mentionid", "markable_id")
"""The spellings of the name of a markable, in lower case."""
READ = frozenset({"entityid", "min", "elementof", *MARKABLE})
"""The features that are read; others are labels."""

_BRACKET = re.compile(r"(?!\Z)([^()]*)([()]|\Z)")
_NUMBERS = re.compile(r"\s*(\d{1,18})\s*(?:,\s*(\d{1,18})\s*(?:,\s*\d+\s*)*)?")


class FeatureName(NamedTuple):
    """The name of features.

    Attributes:
        key: the name in lower case.
        label: the name as a label of mentions; "" if the feature is read otherwise.
    """

    key: str
    label: str


@lru_cache(maxsize=1024)
def _feature_name(text: str) -> FeatureName:
    label = text.strip(" @")
    return FeatureName(text.strip(" ").lower(), "" if label.lower() in READ else label)


class Features(NamedTuple):
    """The features in a bracket.

    Attributes:
        values: the values by name; of several with one name, the last one counts.
        labels: the name and the value of each feature that is not read otherwise.
        name: the MarkableID; "" if there is none.
    """

    values: dict[str, str]
    labels: list[tuple[str, str]]
    name: str


def features_of(text: str) -> Features:
    """The features in a bracket.

    >>> features_of("EntityID=3|MIN = 7").values
    {'entityid': '3', 'min': '7'}
    """
    values: dict[str, str] = {}
    labels: list[tuple[str, str]] = []
    spelling = ""
    for part in text.split("|"):
        name, equals, written = part.partition("=")
        if not equals:
            continue
        key, label = _feature_name(name)
        values[key] = value = written.strip("@ ")
        if label and value:
            labels.append((label, value))
        elif key in MARKABLE:
            spelling = spelling or key
    return Features(values, labels, values[spelling] if spelling else "")


class Opening:
    """An opening bracket.

    Attributes:
        number: its number among the openings of the layer.
        node, document, byte: its node, the document of this, and its byte in the file.
        text: what follows it.
        values, labels, name: the features in this text, see `Features`.
        entity: the EntityID, "" if it has none.
        last: the node at which it is closed; −1 if it is not.
        markable: the number of its markable; −1 if that is not complete.
    """

    __slots__ = (
        *("number", "node", "document", "byte", "text"),
        *("values", "labels", "name", "entity", "last", "markable"),
    )

    def __init__(self, number: int, node: int, document: int, byte: int, text: str) -> None:
        self.number, self.node, self.document, self.byte = number, node, document, byte
        self.text = text
        self.values, self.labels, self.name = features_of(text)
        self.entity = self.values.get("entityid", "")
        self.last = self.markable = -1


class LayerIncidents:
    """Notes the incidents of one column, given a node and a byte; messages may name the layer."""

    def __init__(self, rows: Rows, column: str, collector: Collector) -> None:
        self._rows, self._column, self.collector = rows, column, collector

    def note(self, kind: str, node: int, byte: int, variant: str = "", **details: Any) -> None:
        """Note an incident at a byte of a node."""
        rows, line = self._rows, int(self._rows.line[node])
        before = rows.data[rows.starts[line] : byte].decode("utf-8", "replace")
        details["layer"], details["document"] = self._column, rows.names[rows.document[node]]
        self.collector.note(kind, variant, (line + 1, len(before) + 1), **details)

    def note_opening(self, kind: str, at: Opening, variant: str = "", **details: Any) -> None:
        """Note an incident at an opening bracket."""
        self.note(kind, at.node, at.byte, variant, **details)


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
        while stack and stack[-1].last >= 0:
            stack.pop()  # closed by way of the other stack
        return stack.pop() if stack else None


def read_openings(rows: Rows, column: str, incidents: LayerIncidents) -> list[Opening]:
    """The openings of a layer; brackets without a partner and text outside them are reported."""
    openings: list[Opening] = []
    unopened: list[tuple[int, int, str]] = []
    waiting, document, documents = _Waiting(), -1, rows.document.tolist()
    for node, start, cell in rows.filled(column):
        if documents[node] != document:
            waiting, document = _Waiting(), documents[node]
        byte, opened_at = start, -1
        for text, bracket in _BRACKET.findall(cell):
            byte += len(text) if text.isascii() else len(text.encode("utf-8", AS_THEY_ARE))
            outside = text.strip("@ ")
            if opened_at >= 0:  # the text is the features of the bracket before it
                opening = Opening(len(openings), node, document, opened_at, outside)
                openings.append(opening)
                waiting.add(opening)
                outside = ""
            elif outside and bracket != ")":
                incidents.note("coreference-text", node, start, "layer", found=shorten(outside))
            if bracket == ")":
                if closed := waiting.take(outside):
                    closed.last = node
                else:
                    unopened.append((node, byte, outside))
            opened_at = byte if bracket == "(" else -1
            byte += len(bracket)
    for node, byte, name in unopened:
        variant = "named" if name else "nameless"
        incidents.note("bracket-unopened", node, byte, variant, name=quote(name))
    return openings


def find_markables(
    openings: Sequence[Opening], rows: Rows, column: str, incidents: LayerIncidents
) -> list[list[Opening]]:
    """The complete markables in the order of their first openings, each with all its openings."""
    zeros = (rows.zero > 0).tolist()
    _check_closed(openings, zeros, rows, column, incidents)
    groups = defaultdict[tuple[int, str], list[Opening]](list)
    markables = list[list[Opening]]()
    for opening in openings:
        if not opening.entity:
            incidents.note_opening("feature-missing", opening, found=shorten(opening.text))
        # Those without a name are markables of their own.
        groups[opening.document, opening.name or f"({opening.number}"].append(opening)
    for group in groups.values():
        for parts in _by_entity(group, rows, incidents) if len(group) > 1 else (group,):
            lacking = [part for part in parts if part.last < 0 or not part.entity]
            if not lacking and not (len(parts) > 1 and _has_zero(parts, zeros, rows, incidents)):
                markables.append(parts)
    markables.sort(key=lambda parts: parts[0].number)
    for number, parts in enumerate(markables):
        for opening in parts:
            opening.markable = number
    return markables


def _check_closed(
    openings: Sequence[Opening],
    zeros: Sequence[bool],
    rows: Rows,
    column: str,
    incidents: LayerIncidents,
) -> None:
    """Report openings that are never closed, and zeros that are only a part of a mention."""
    for opening in openings:
        if opening.last < 0 and zeros[opening.node]:
            zero = rows.id(opening.node)
            incidents.note_opening("zero-in-mention", opening, "starts", zero=zero)
        elif opening.last < 0:
            variant = "named" if opening.name else "nameless"
            incidents.note_opening("bracket-unclosed", opening, variant, name=quote(opening.name))
    for opening in openings:
        first, last = opening.node, opening.last
        if first < last and (zeros[first] or zeros[last]):
            where, verb = (first, "starts") if zeros[first] else (last, "ends")
            byte = int(rows.bounds(column)[0][where])
            incidents.note("zero-in-mention", where, byte, verb, zero=rows.id(where))
            opening.last = -1


def _by_entity(group: list[Opening], rows: Rows, incidents: LayerIncidents) -> list[list[Opening]]:
    """The openings of one name, which should be of one entity; others are reported."""
    parts, known = [group[:1]], group[0]
    for opening in group[1:]:
        if opening.entity != known.entity:
            incidents.note_opening(
                "markable-in-two-entities",
                opening,
                name=quote(known.name),
                first=quote(known.entity),
                first_line=int(rows.line[known.node]) + 1,
                second=quote(opening.entity),
            )
            parts.append([])
            known = opening
        parts[-1].append(opening)
    return parts


def _has_zero(
    parts: list[Opening], zeros: Sequence[bool], rows: Rows, incidents: LayerIncidents
) -> bool:
    """Whether a part of a markable is a zero; such parts are reported."""
    found = [part for part in parts if zeros[part.node]]
    for part in found:
        values = {"name": quote(part.name), "zero": rows.id(part.node)}
        incidents.note_opening("zero-in-mention", part, "fragment", **values)
    return bool(found)


def tokens_of(parts: Sequence[Opening], token: Sequence[int]) -> Sequence[int]:
    """The tokens of a markable, in order; a range where they have no gaps.

    `token` is that of each node.
    """
    first, *others = parts
    if not others:
        return range(token[first.node], token[first.last] + 1)
    ends = [(token[part.node], token[part.last]) for part in parts]
    tokens = sorted({token for first, last in ends for token in range(first, last + 1)})
    contiguous = range(tokens[0], tokens[-1] + 1)
    return contiguous if len(contiguous) == len(tokens) else tuple(tokens)


def read_minima(
    markables: Sequence[Sequence[Opening]],
    words: Sequence[Sequence[int]],
    zeros: Sequence[bool],
    incidents: LayerIncidents,
) -> IntArray:
    """The first and the last token of each Min, int64 (markables, 2); −1 without one.

    One that is outside of its markable is reported and kept. `words` are the markables' tokens,
    `zeros` says which nodes are zeros.
    """
    minimum, outside = [(-1, -1)] * len(markables), []
    for number, (parts, tokens) in enumerate(zip(markables, words, strict=True)):
        first = parts[0]
        text = first.values.get("min")
        if text is None or zeros[first.node]:
            continue
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
