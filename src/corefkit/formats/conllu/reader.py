"""CorefUD 1.x files: CoNLL-U whose MISC column holds `Entity=`, `Bridge=` and `SplitAnte=`.

# newdoc id = drawer
# global.Entity = eid-etype-head-other
1   the   …   Entity=(e2-object-2-
2   key   …   Entity=e2)
3   lid   …   Bridge=e2<e3:part|Entity=(e3-object-1)
4   they  …   Entity=(e4--1)|SplitAnte=e2<e4,e3<e4
"""

from typing import Any

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import errors
from corefkit.core.links import KINDS, Dependencies, Links
from corefkit.core.mention_columns import MentionLabels, Ragged
from corefkit.core.texts import shorten
from corefkit.formats.conllu.dependency_trees import read_arcs
from corefkit.formats.conllu.mentions import Bracket, MentionReader, MiscValue, values_of
from corefkit.formats.conllu.rows import DEPS, NO_NODE, ConlluFile, Declaration
from corefkit.formats.conllu.source import ConlluSource
from corefkit.formats.kit.building import with_marks_named
from corefkit.formats.kit.encoding import check_encoding
from corefkit.formats.kit.files import AS_THEY_ARE

BRIDGE, SPLIT = "Bridge", "SplitAnte"
_FORBIDDEN = frozenset("()|-[]<>:,= \t")


def parse(data: bytes, path: str) -> Corpus:
    """The corpus in the bytes of one file; its incidents are all problems of the file.

    If there are errors, the corpus holds what could be read; it must not be scored.
    """
    file = ConlluFile(data, path)
    mentions = MentionReader(file)
    dependencies = _read_dependencies(file, mentions)
    links = _RelationReader(file, mentions).read()
    check_encoding(file.data, file.incidents)
    if not mentions.opening and any(file.sizes) and not errors(file.incidents):
        file.incidents.note("no-mention", "stanza" if b"coref_chains=" in file.data else "")
    source = ConlluSource(path, file.data, 0, len(file.names))
    source.cache["file"] = file
    columns, row_of_node = file.columns, file.row_of_node
    first, head = mentions.row, row_of_node[mentions.head]
    zero = np.where(mentions.first == mentions.last, columns.zero[first], 0)
    corpus = Corpus(
        names=tuple(file.names),
        tokens=np.array(file.sizes, np.int64),
        document=columns.document[first],
        start=columns.token[first],
        end=columns.token[row_of_node[mentions.last]],
        entity=mentions.entity,
        labels=tuple(mentions.labels),
        sources=(source,),
        document_byte=file.start[file.begin],
        byte=mentions.byte,
        line=columns.line[first] + 1,
        zero=zero if zero.any() else None,
        head=columns.token[head],
        head_zero=columns.zero[head],
        nodes=_nodes(file, mentions),
        dependencies=dependencies,
        links=links,
        mention_labels=_labels(file.declaration, mentions.opening),
        incidents=tuple(file.incidents),
    )
    return with_marks_named(corpus)


def _labels(declaration: Declaration, brackets: list[Bracket]) -> MentionLabels | None:
    """The declared attributes other than id and head; `entity` is called `etype`."""
    columns = {}
    for place, name in enumerate(declaration.names):
        if name not in ("eid", "GRP", "head"):
            values = [bracket.value(place) for bracket in brackets]
            if place == declaration.etype or any(values):
                columns["etype" if name == "entity" else name] = values
    return MentionLabels.of(columns)


def _nodes(file: ConlluFile, mentions: MentionReader) -> Ragged | None:
    """The nodes of mentions that are neither a run of words nor one empty node."""
    first, last, before = mentions.first, mentions.last, file.empties_before
    mixed = (first < last) & (before[first] < before[last + 1])
    lists = []
    for mention in sorted({*mentions.runs, *np.flatnonzero(mixed).tolist()}):
        runs = mentions.runs_of(mention)
        nodes = [file.place(node) for start, end in runs for node in range(start, end + 1)]
        # Parts on both sides of an empty node that is not in the mention may be one run of words.
        is_run = nodes[-1][0] - nodes[0][0] == len(nodes) - 1 and not any(z for _, z in nodes)
        if not is_run:
            lists.append((mention, nodes))
    return Ragged.of(lists)


def _read_dependencies(file: ConlluFile, mentions: MentionReader) -> Dependencies | None:
    """The dependencies of all mentions whose head is an empty node."""
    rows = file.row_of_node[mentions.head]
    chosen = np.flatnonzero(file.columns.zero[rows])
    rows = rows[chosen]
    nodes, sentences = mentions.head[chosen].tolist(), file.columns.sentence[rows]
    numbers = file.sentence_numbers[sentences].tolist()
    lists = []
    for at, (mention, deps) in enumerate(zip(chosen.tolist(), file.cells(DEPS, rows), strict=True)):
        text = deps.decode("utf-8", AS_THEY_ARE)
        arcs = read_arcs(file, nodes[at], text)
        if arcs is None:
            line, byte = int(file.columns.line[rows[at]]), int(file.bounds(DEPS)[0][rows[at]])
            expected = "3:nsubj, or several joined by |, or _"
            file.note("deps-bad", line, byte=byte, found=shorten(text), expected=expected)
        lists.append((mention, numbers[at], arcs or []))
    return Dependencies.of(lists)


class _RelationReader:
    """Reads Bridge and SplitAnte."""

    def __init__(self, file: ConlluFile, mentions: MentionReader) -> None:
        self._file, self._mentions = file, mentions
        self._links: list[tuple[int, int, int, str]] = []
        self._entity: dict[tuple[int, str], int] = {}
        self._begins: dict[tuple[int, int], int] = {}

    def read(self) -> Links | None:
        """All relations as columns; None if there are none. Problems are reported."""
        found = {name: values_of(self._file, name) for name in _KINDS}
        if not any(found.values()):
            return None
        self._find_mentions()
        for name, values in found.items():
            before = -1
            for value in values:
                if self._file.columns.node[value.row] == NO_NODE:
                    self._note("entity-on-token-range", name, value, "line")
                    continue
                if value.row == before:
                    self._note("attribute-twice", name, value, name=name)
                before = value.row
                self._read(name, value)
        if not self._links:
            return None
        kind, source, target = np.array([x[:3] for x in self._links], dtype=np.int64).T
        return Links(kind, source, target, tuple(label for *_, label in self._links))

    def _find_mentions(self) -> None:
        """Find the number of each entity, and the mentions by first node and entity."""
        mentions = self._mentions
        documents = self._file.columns.document[mentions.row].tolist()
        first, entities = mentions.first.tolist(), mentions.entity.tolist()
        for mention in mentions.as_opened:
            entity = entities[mention]
            self._entity[documents[mention], mentions.labels[entity]] = entity
            # If several mentions of an entity begin at one node, the first one counts.
            self._begins.setdefault((first[mention], entity), mention)

    def _read(self, name: str, value: MiscValue) -> None:
        """Read the relations of one cell."""
        columns = self._file.columns
        document, node = int(columns.document[value.row]), int(columns.node[value.row])
        pairs: set[tuple[str, str]] = set()
        antecedents: dict[str, int] = {}
        for piece in value.text.decode("utf-8", AS_THEY_ARE).split(","):
            antecedent, sign, after = piece.partition("<")
            anaphor, colon, relation = after.partition(":")
            if name == SPLIT and colon:
                anaphor = ""
            if not sign or not _is_id(antecedent) or not _is_id(anaphor):
                self._note("relation-bad", name, value, name=name, piece=piece)
                continue
            if (antecedent, anaphor) in pairs:
                values = {"antecedent": antecedent, "anaphor": anaphor}
                self._note("relation-twice", name, value, **values)
                continue
            pairs.add((antecedent, anaphor))
            antecedents[anaphor] = antecedents.get(anaphor, 0) + 1
            source = self._entity.get((document, anaphor))
            target = self._entity.get((document, antecedent))
            mention = None if source is None else self._begins.get((node, source))
            if antecedent == anaphor:
                self._note("relation-to-itself", name, value, entity=anaphor)
            elif source is None or mention is None:
                self._note("relation-misplaced", name, value, entity=anaphor)
            elif target is None:
                self._note("relation-unknown", name, value, entity=antecedent)
            elif name == SPLIT:
                self._links.append((_KINDS[name], source, target, ""))
            else:
                self._links.append((_KINDS[name], mention, target, relation))
        for anaphor, number in antecedents.items() if name == SPLIT else ():
            if number == 1:
                self._note("antecedent-alone", name, value, anaphor=anaphor)

    def _note(
        self, kind: str, attribute: str, value: MiscValue, variant: str = "", **details: Any
    ) -> None:
        """Note an incident at an attribute."""
        text = f"{attribute}={value.text.decode('utf-8', AS_THEY_ARE)}"
        line, byte = int(self._file.columns.line[value.row]), value.byte - len(attribute) - 1
        self._file.note(kind, line, variant, byte, found=shorten(text), **details)


_KINDS = {BRIDGE: KINDS.index("bridging-entity"), SPLIT: KINDS.index("split")}


def _is_id(text: str) -> bool:
    return bool(text) and not _FORBIDDEN & set(text)
