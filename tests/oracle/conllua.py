"""ANAPHORA 2 read slowly: one layer of a CoNLL-UA text, row by row, bracket by bracket.

For texts without defects, whose columns are IDENTITY (11), BRIDGING (12) and DISCOURSE_DEIXIS (13).
"""

import re
from dataclasses import dataclass, field

COLUMNS = {"identity": 10, "deixis": 12}
NAMES = ("markableid", "mentionid", "markable_id")

Node = tuple[int, int]
"""A token, from 0, and 0; or the token before a zero and its number, from 1."""


@dataclass
class Markable:
    """A mention with a name; `nodes` are all its tokens, or its zero."""

    document: str
    features: dict[str, str]
    plurals: list[str]
    nodes: set[Node] = field(default_factory=set)

    @property
    def entity(self) -> str:
        return self.features["entityid"]

    @property
    def name(self) -> str:
        return next((self.features[n] for n in NAMES if n in self.features), "")

    @property
    def minimum(self) -> tuple[int, int] | None:
        numbers = [int(n) - 1 for n in self.features.get("min", "").split(",") if n.strip()]
        return (numbers[0], numbers[min(1, len(numbers) - 1)]) if numbers else None


@dataclass
class Layer:
    """What a text says: markables by first opening, bridging pairs (anaphor, anchor, relation)."""

    documents: list[str] = field(default_factory=list)
    tokens: dict[str, int] = field(default_factory=dict)
    markables: list[Markable] = field(default_factory=list)
    bridges: list[tuple[Markable, Markable, str]] = field(default_factory=list)


def read(text: str, layer: str) -> Layer:
    """The layer of a text."""
    found = Layer()
    stack: list[tuple[Markable, Node]] = []
    entries: list[tuple[str, dict[str, str]]] = []
    document, zeros = "", 0
    for line in text.splitlines():
        if newdoc := re.match(r"#\s*newdoc id\s*=(.*)", line):
            document, zeros = newdoc[1].strip(), 0
            found.documents.append(document)
            found.tokens[document] = 0
        if line.startswith("#") or not line.strip():
            continue
        cells = line.split("\t") if "\t" in line else line.split()
        if cells[0] == "0":
            continue
        if "." in cells[0]:
            zeros += 1
        else:
            zeros = 0
            found.tokens[document] += 1
        node = found.tokens[document] - 1, zeros
        _read_cell(cells[COLUMNS[layer]], node, document, found, stack)
        if layer == "identity":
            for entry in re.findall(r"[^()]*=[^()]*", cells[11]):
                entries.append((document, _features(entry)))
    _bridge(found, entries)
    return found


def _features(text: str) -> dict[str, str]:
    pairs = (feature.split("=", 1) for feature in text.strip("@ ").split("|"))
    return {name.strip().lower(): value.strip() for name, value in pairs}


def _read_cell(
    cell: str, node: Node, document: str, found: Layer, stack: list[tuple[Markable, Node]]
) -> None:
    for opened, closed in re.findall(r"\(([^()]*)|([^()]*)\)", "" if cell == "_" else cell):
        if opened:
            features = _features(opened)
            plurals = [p for p in features.get("elementof", "").split(",") if p]
            new = Markable(document, features, plurals)
            known = (m for m in found.markables if m.document == document and m.name == new.name)
            markable = (next(known, None) if new.name else None) or new
            if markable is new:
                found.markables.append(new)
            else:
                markable.plurals += plurals
            stack.append((markable, node))
            continue
        name = closed.strip("@ ")
        place = max(n for n, (m, _) in enumerate(stack) if not name or m.name == name)
        markable, first = stack.pop(place)
        markable.nodes |= {(t, 0) for t in range(first[0], node[0] + 1)} if not node[1] else {node}


def _bridge(found: Layer, entries: list[tuple[str, dict[str, str]]]) -> None:
    """The pairs; the later one of those for the same words counts."""
    pairs: dict[object, tuple[Markable, Markable, str]] = {}
    for document, features in entries:
        named = {m.name: m for m in found.markables if m.document == document and m.name}
        name = next((features[n] for n in NAMES if n in features), "")
        anaphor, anchor = named[name], named[features["mentionanchor"]]
        words = document, frozenset(anaphor.nodes)
        pairs.pop(words, None)
        pairs[words] = anaphor, anchor, features.get("rel", "")
    found.bridges = list(pairs.values())
