"""CorefUD 1.x files: CoNLL-U whose MISC column holds `Entity=`, `Bridge=` and `SplitAnte=`.

# newdoc id = drawer
# global.Entity = eid-etype-head-other
1   the   …   Entity=(e2-object-2-
2   key   …   Entity=e2)
3   lid   …   Bridge=e2<e3:part|Entity=(e3-object-1)
4   they  …   Entity=(e4--1)|SplitAnte=e2<e4,e3<e4
"""

from typing import Any, NamedTuple

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import errors
from corefkit.core.links import KINDS, Dependencies, Links
from corefkit.core.mention_columns import MentionLabels, Ragged
from corefkit.core.nodes import Node
from corefkit.core.texts import shorten
from corefkit.formats.conllu.dependency_trees import read_arcs
from corefkit.formats.conllu.mentions import EntityMention, MentionReader, values_of
from corefkit.formats.conllu.rows import DEPS, NO_NODE, ConlluFile, ConlluRow, Declaration
from corefkit.formats.conllu.source import ConlluSource
from corefkit.formats.kit.building import with_marks_named
from corefkit.formats.kit.encoding import check_encoding

BRIDGE, SPLIT = "Bridge", "SplitAnte"
_FORBIDDEN = frozenset("()|-[]<>:,= \t")


def parse(data: bytes, path: str) -> Corpus:
    """The corpus in the bytes of one file; its incidents are all problems of the file.

    If there are errors, the corpus holds what could be read; it must not be scored.
    """
    file = ConlluFile(data, path)
    reader = MentionReader(file)
    dependencies = _read_dependencies(file, reader.mentions)
    links = _RelationReader(file, reader).read()
    check_encoding(file.data, file.incidents)
    if not reader.mentions and any(file.sizes) and not errors(file.incidents):
        file.incidents.note("no-mention", "stanza" if b"coref_chains=" in file.data else "")
    source = ConlluSource(path, file.data, 0, len(file.names))
    source.cache["file"] = file
    mentions = [_columns(file, mention) for mention in reader.mentions]
    columns = np.array(mentions, np.int64).reshape(-1, 9).T.copy()
    document, start, end, entity, line, byte, zero, head, head_zero = columns
    lists = ((row, _listed(file, mention)) for row, mention in enumerate(reader.mentions))
    corpus = Corpus(
        names=tuple(file.names),
        tokens=np.array(file.sizes, np.int64),
        document=document,
        start=start,
        end=end,
        entity=entity,
        labels=tuple(reader.labels),
        sources=(source,),
        document_byte=file.start[file.begin],
        byte=byte,
        line=line,
        zero=zero if zero.any() else None,
        head=head,
        head_zero=head_zero,
        nodes=Ragged.of([(row, nodes) for row, nodes in lists if nodes]),
        dependencies=dependencies,
        links=links,
        mention_labels=_labels(file.declaration, reader.mentions),
        incidents=tuple(file.incidents),
    )
    return with_marks_named(corpus)


def _labels(declaration: Declaration, mentions: list[EntityMention]) -> MentionLabels | None:
    """The declared attributes other than id and head; `entity` is called `etype`."""
    columns = {}
    for place, name in enumerate(declaration.names):
        values = [mention.opening.value(place) for mention in mentions]
        if name not in ("eid", "GRP", "head") and (place == declaration.etype or any(values)):
            columns["etype" if name == "entity" else name] = values
    return MentionLabels.of(columns)


def _columns(file: ConlluFile, mention: EntityMention) -> tuple[int, ...]:
    """Document, start, end, entity, line, byte, zero and head of a mention, as in a Corpus."""
    first, last = mention.opening.row, mention.parts[-1][1].row
    line, byte = first.line + 1, mention.opening.byte
    zero = first.zero if first.node == last.node else 0
    head = file.place(mention.head)
    return first.document, first.token, last.token, mention.entity, line, byte, zero, *head


def _listed(file: ConlluFile, mention: EntityMention) -> list[Node]:
    """The nodes of a mention that is neither a run of words nor one empty node; else none."""
    runs, before = mention.runs, file.empties_before
    if len(runs) == 1 and (
        runs[0][0] == runs[0][1] or before[runs[0][0]] == before[runs[0][1] + 1]
    ):
        return []
    nodes = [file.place(node) for first, last in runs for node in range(first, last + 1)]
    # Parts on both sides of an empty node that is not in the mention may be one run of words.
    is_run = nodes[-1][0] - nodes[0][0] == len(nodes) - 1 and not any(zero for _, zero in nodes)
    return [] if is_run else nodes


def _read_dependencies(file: ConlluFile, mentions: list[EntityMention]) -> Dependencies | None:
    """The dependencies of all mentions whose head is an empty node."""
    lists = []
    for number, mention in enumerate(mentions):
        if not file.place(mention.head)[1]:
            continue
        arcs = read_arcs(file, mention.head)
        if arcs is None:
            row = file.row_of_node[mention.head]
            line, byte = int(file.columns.line[row]), int(file.bounds(DEPS)[0][row])
            expected = "3:nsubj, or several joined by |, or _"
            shown = shorten(file.cell(mention.head, DEPS))
            file.note("deps-bad", line, byte=byte, found=shown, expected=expected)
        lists.append((number, file.sentence_of(mention.head).number, arcs or []))
    return Dependencies.of(lists)


class _Attribute(NamedTuple):
    """The name, the row and the value of Bridge or SplitAnte, and its first byte in the file."""

    name: str
    row: ConlluRow
    value: str
    place: int


class _RelationReader:
    """Reads Bridge and SplitAnte."""

    def __init__(self, file: ConlluFile, reader: MentionReader) -> None:
        self._file, self._mentions, self._labels = file, reader.mentions, reader.labels
        self._links: list[tuple[int, int, int, str]] = []
        self._entity: dict[tuple[int, str], int] = {}
        self._begins: dict[tuple[int, int], int] = {}

    def read(self) -> Links | None:
        """All relations as columns; None if there are none. Problems are reported."""
        found = {name: [*values_of(self._file, name)] for name in _KINDS}
        if not any(found.values()):
            return None
        opened = sorted(enumerate(self._mentions), key=lambda pair: pair[1].opening.number)
        for number, mention in opened:
            key = mention.opening.row.document, self._labels[mention.entity]
            self._entity[key] = mention.entity
            # If several mentions of an entity begin at one node, the first one counts.
            self._begins.setdefault((mention.opening.row.node, mention.entity), number)
        for name, values in found.items():
            before = None
            for attribute in (_Attribute(name, *value) for value in values):
                if attribute.row.node == NO_NODE:
                    self._note("entity-on-token-range", attribute, "line")
                    continue
                if attribute.row == before:
                    self._note("attribute-twice", attribute, name=name)
                before = attribute.row
                self._read(attribute)
        if not self._links:
            return None
        kind, source, target = np.array([x[:3] for x in self._links], dtype=np.int64).T
        return Links(kind, source, target, tuple(label for *_, label in self._links))

    def _read(self, attribute: _Attribute) -> None:
        """Read the relations of one cell."""
        name, row, value, _ = attribute
        pairs: set[tuple[str, str]] = set()
        antecedents: dict[str, int] = {}
        for piece in value.split(","):
            antecedent, sign, after = piece.partition("<")
            anaphor, colon, relation = after.partition(":")
            if name == SPLIT and colon:
                anaphor = ""
            if not sign or not _is_id(antecedent) or not _is_id(anaphor):
                self._note("relation-bad", attribute, name=name, piece=piece)
                continue
            if (antecedent, anaphor) in pairs:
                self._note("relation-twice", attribute, antecedent=antecedent, anaphor=anaphor)
                continue
            pairs.add((antecedent, anaphor))
            antecedents[anaphor] = antecedents.get(anaphor, 0) + 1
            source = self._entity.get((row.document, anaphor))
            target = self._entity.get((row.document, antecedent))
            mention = None if source is None else self._begins.get((row.node, source))
            if antecedent == anaphor:
                self._note("relation-to-itself", attribute, entity=anaphor)
            elif source is None or mention is None:
                self._note("relation-misplaced", attribute, entity=anaphor)
            elif target is None:
                self._note("relation-unknown", attribute, entity=antecedent)
            elif name == SPLIT:
                self._links.append((_KINDS[name], source, target, ""))
            else:
                self._links.append((_KINDS[name], mention, target, relation))
        for anaphor, number in antecedents.items() if name == SPLIT else ():
            if number == 1:
                self._note("antecedent-alone", attribute, anaphor=anaphor)

    def _note(self, kind: str, attribute: _Attribute, variant: str = "", **values: Any) -> None:
        """Note an incident at an attribute."""
        name, row, value, place = attribute
        byte, found = place - len(name) - 1, shorten(f"{name}={value}")
        self._file.note(kind, row.line, variant, byte, found=found, **values)


_KINDS = {BRIDGE: KINDS.index("bridging-entity"), SPLIT: KINDS.index("split")}


def _is_id(text: str) -> bool:
    return bool(text) and not _FORBIDDEN & set(text)
