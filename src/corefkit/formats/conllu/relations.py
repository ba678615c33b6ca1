"""Bridge and SplitAnte: relations between entities other than identity."""

from collections.abc import Callable
from functools import partial

import numpy as np

from corefkit.data.links import KINDS, Links
from corefkit.formats.conllu.cells import Values, find_values
from corefkit.formats.conllu.lines import Lines
from corefkit.formats.conllu.mentions import Mentions
from corefkit.formats.conllu.nodes import Nodes
from corefkit.formats.conllu.trouble import Trouble

BRIDGE, SPLIT = b"Bridge", b"SplitAnte"
_SPLIT, _BRIDGING = KINDS.index("split"), KINDS.index("bridging-entity")
_FORBIDDEN = frozenset("()|-[]<>:,= \t")

Link = tuple[int, int, int, str]
Tell = Callable[[str, str], None]


def read_relations(
    lines: Lines, nodes: Nodes, mentions: Mentions, trouble: Trouble
) -> Links | None:
    """The relations of a file; what is wrong with them is reported."""
    found = [(name, find_values(lines, name)) for name in (BRIDGE, SPLIT)]
    if not any(len(values.row) for _, values in found):
        return None
    reader = _RelationReader(nodes, mentions)
    for name, values in found:
        seen: set[int] = set()
        for row, start, end in _each(values):
            node = int(nodes.of_row[row])
            text = lines.data[start:end].decode("utf-8", "replace")
            place = start - len(name) - 1
            tell = partial(_tell, trouble, place, f"{name.decode()}={text}")
            if node < 0:
                tell("entity-on-token-range", "annotation on a line that is no node")
                continue
            if row in seen:
                tell("attribute-twice", f"two {name.decode()} in one cell")
            seen.add(row)
            reader.read(name, node, text, tell)
    return reader.links()


def _each(values: Values) -> list[tuple[int, int, int]]:
    columns = (values.row.tolist(), values.start.tolist(), values.end.tolist())
    return list(zip(*columns, strict=True))


def _tell(trouble: Trouble, place: int, found: str, kind: str, message: str) -> None:
    trouble.byte(kind, place, message, found=found)


class _RelationReader:
    def __init__(self, nodes: Nodes, mentions: Mentions) -> None:
        self._nodes = nodes
        document = nodes.document[mentions.first].tolist()
        entity, first = mentions.entity.tolist(), mentions.first.tolist()
        self._entity: dict[tuple[int, str], int] = {}
        self._begins: dict[tuple[int, int], int] = {}
        for row in np.argsort(mentions.bracket)[::-1].tolist():
            # Of several mentions of an entity that begin at one node, the first one counts.
            self._entity[document[row], mentions.labels[entity[row]]] = entity[row]
            self._begins[first[row], entity[row]] = row
        self._links: list[Link] = []

    def read(self, name: bytes, node: int, text: str, tell: Tell) -> None:
        """The relations of one cell."""
        pairs: set[tuple[str, str]] = set()
        antecedents: dict[str, int] = {}
        for piece in text.split(","):
            antecedent, sign, rest = piece.partition("<")
            anaphor, colon, relation = rest.partition(":")
            if name == SPLIT and colon:
                anaphor = ""
            if not sign or not _is_id(antecedent) or not _is_id(anaphor):
                tell("relation-bad", f"{name.decode()} that cannot be read: {piece!r}")
                continue
            antecedents[anaphor] = antecedents.get(anaphor, 0) + 1
            if (antecedent, anaphor) in pairs:
                tell("relation-twice", f"{antecedent} < {anaphor} twice")
                antecedents[anaphor] -= 1
                continue
            pairs.add((antecedent, anaphor))
            if link := self._relate(node, antecedent, anaphor, tell):
                row, source, target = link
                self._links.append(
                    (_SPLIT, source, target, "")
                    if name == SPLIT
                    else (_BRIDGING, row, target, relation)
                )
        for anaphor, number in antecedents.items() if name == SPLIT else ():
            if number == 1:
                tell("antecedent-alone", f"{anaphor} has one antecedent only")

    def _relate(
        self, node: int, antecedent: str, anaphor: str, tell: Tell
    ) -> tuple[int, int, int] | None:
        """The mention and the entity of the anaphor, and the entity of the antecedent."""
        document = int(self._nodes.document[node])
        source = self._entity.get((document, anaphor))
        target = self._entity.get((document, antecedent))
        row = None if source is None else self._begins.get((node, source))
        if antecedent == anaphor:
            tell("relation-to-itself", f"{anaphor} is related to itself")
        elif source is None or row is None:
            tell("relation-misplaced", f"no mention of {anaphor} begins here")
        elif target is None:
            tell("relation-unknown", f"{antecedent} has no mention in the document")
        else:
            return row, source, target
        return None

    def links(self) -> Links | None:
        """All relations as columns."""
        if not self._links:
            return None
        kind, source, target = np.array([x[:3] for x in self._links], dtype=np.int64).T
        return Links(kind, source, target, tuple(label for *_, label in self._links))


def _is_id(text: str) -> bool:
    return bool(text) and not _FORBIDDEN & set(text)
