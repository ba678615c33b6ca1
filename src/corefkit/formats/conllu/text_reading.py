"""Reading texts of language models back into the CorefUD files they belong to.

The words of a text are aligned with those of the file, its empty nodes are placed between them, and
the file is written with the mentions of the text; everything else stays as it is.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from corefkit.alignment.edits import align_edits
from corefkit.core.incidents import DataError, Incident, errors
from corefkit.core.mention_columns import runs_of
from corefkit.formats.conllu.dependency_trees import tree_heads, write_heads
from corefkit.formats.conllu.mentions import crossing
from corefkit.formats.conllu.model_texts import (
    MarkedDocument,
    TextRepairs,
    document_bounds,
    in_text,
    read_marked_text,
)
from corefkit.formats.conllu.reader import parse
from corefkit.formats.conllu.rows import (
    DEFAULT,
    DEPREL,
    DEPS,
    HEAD,
    ID,
    MISC,
    NO_NODE,
    ConlluFile,
    Declaration,
)
from corefkit.formats.conllu.writer import WrittenMention, cells, in_misc
from corefkit.formats.kit.text import EMPTY_NODE

_MOST_STEPS = 50_000_000
"""Texts whose alignment needs a larger table have next to nothing in common."""

BEFORE = -(1 << 20)
"""The base of the numbers of new empty nodes before the first word of a document."""
_DECLARATION = Declaration(tuple(DEFAULT.split("-")), 0)
_OURS = ("Entity", "Bridge", "SplitAnte")
_EMPTY_PARENT = re.compile(r"\d+\.\d+:")
_HEADER = re.compile(r"#\s*global\.Entity")

EmptyNodes = Literal["file", "new"]


class ReadBack(NamedTuple):
    """The file with the mentions of the text, and every repair that was made."""

    data: bytes
    incidents: tuple[Incident, ...]

    @property
    def repairs(self) -> dict[str, int]:
        """How many repairs of each kind were made."""
        counts: dict[str, int] = {}
        for incident in self.incidents:
            counts[incident.id] = counts.get(incident.id, 0) + incident.count
        return counts


def read_back(  # noqa: PLR0913 (as many as there are things to say)
    text: str,
    file: bytes,
    *,
    empty_nodes: EmptyNodes = "file",
    unclosed: Literal["node", "drop"] = "node",
    path: str = "text",
    file_path: str = "file",
) -> ReadBack:
    """The CorefUD file with the mentions of a text, plain (2025) or JSON (2026).

    Documents are paired in order, words by the fewest insertions, deletions and replacements. A
    `##` is the empty node of the file after the same word, or else a new one; with
    `empty_nodes="new"` the file's own are removed and all are new. The file's own annotation is
    lost; heads come from its trees. A mark that is still open at the end of its sentence is a
    mention of its node, or nothing with `unclosed="drop"`.

    >>> from pathlib import Path
    >>> file = Path("examples/drawer.conllu").read_bytes()
    >>> found = read_back("Nela|[e1] found the|[e2 old keys|e2] in a drawer .", file)
    >>> found.repairs["text-mark-lost"], found.repairs["text-mark-unclosed"]
    (1, 1)
    """
    repairs = TextRepairs(path, unclosed)
    documents = read_marked_text(text, repairs, path)
    if empty_nodes == "new":
        file = _without_empty_nodes(file)
    rows = ConlluFile(file.rstrip() + b"\n\n", file_path)
    if problems := errors(rows.incidents):
        raise DataError(problems)
    placed = list(_placed(rows, documents, repairs))
    data = _written(rows, placed, repairs)
    corpus = parse(data, path)
    if problems := errors(corpus.incidents):
        raise DataError(problems)
    return ReadBack(write_heads(tree_heads(corpus)), tuple(repairs.collector))


class NodePlace(NamedTuple):
    """A node of the file and 0; or the node before a new empty node and the number of that, from 1.

    Before the first word of a document, `node` is that word, and numbers count from `BEFORE`.
    """

    node: int
    number: int = 0


@dataclass
class PlacedText:
    """A document of the text, placed on the nodes of the file.

    Attributes:
        text: the document in the text.
        place: the node of each of its words, or None if the file lacks it.
        order: all nodes of the document in text order.
        sentence: the block of each of these.
        made: the new empty nodes, each with its form and the word before it (−1: none).
    """

    text: MarkedDocument
    place: list[NodePlace | None]
    order: list[NodePlace]
    sentence: list[int]
    made: dict[NodePlace, tuple[str, int]]

    def between(self, first: int, last: int) -> Iterator[NodePlace]:
        """The nodes from one place in the order to another, of the same sentence.

        New empty nodes at the end of a sentence may come after those that begin the next one.
        """
        for at in range(first, last + 1):
            if self.sentence[at] == self.sentence[first]:
                yield self.order[at]


def _placed(
    file: ConlluFile, documents: list[MarkedDocument], repairs: TextRepairs
) -> Iterator[PlacedText]:
    """Each document of the text, placed on the nodes of the file."""
    names = file.names
    order, forms = in_text(file)
    bounds = document_bounds(file, order)
    for number, text in enumerate(documents):
        if number >= len(names):
            values = {"number": number + 1, "documents": len(names)}
            repairs.note("text-documents-differ", text, variant="extra", **values)
            continue
        if text.name not in (None, names[number]):
            repairs.note("text-documents-differ", text, name=names[number])
        text.name = names[number]
        within = slice(bounds[number], bounds[number + 1])
        if bounds[number] == bounds[number + 1]:
            continue
        placed = _place_document(text, file, order[within], forms[within], repairs)
        if placed is None:
            repairs.note("text-unreadable", text, variant="other")
            raise DataError(repairs.collector)
        yield placed
    for name in names[len(documents) :]:
        repairs.note("text-documents-differ", MarkedDocument(name), variant="missing")


def _written(file: ConlluFile, placed: list[PlacedText], repairs: TextRepairs) -> bytes:
    """The file with new empty nodes and the mentions, without heads."""
    made = {new: form for document in placed for new, form in document.made.items()}
    places = sorted([*(NodePlace(n) for n in range(len(file.nodes))), *made])
    number = {place: at for at, place in enumerate(places)}
    empty = [bool(place.number or file.nodes[place.node].zero) for place in places]
    mentions: list[WrittenMention] = []
    entities = 0
    for document in placed:
        listed, count = _mentions(document, number, empty, entities, repairs)
        mentions += listed
        entities += count
    cell = cells(mentions, _DECLARATION)
    return _write_file({p: cell[at] for p, at in number.items() if at in cell}, file, made)


def _mentions(
    document: PlacedText,
    number: dict[NodePlace, int],
    empty: list[bool],
    entities: int,
    repairs: TextRepairs,
) -> tuple[list[WrittenMention], int]:
    """The mentions of a document, and how many entities it has.

    `number` numbers all nodes, `empty` says which are empty, `entities` is how many entities the
    documents before it have.
    """
    number_of_entity = {name: at for at, name in enumerate(_entities(document))}
    spans = [
        (number_of_entity[name], sorted(number[p] for p in document.between(first, last)))
        for first, last, name in _spans(document, repairs)
    ]
    shown: dict[int, set[int]] = {}
    for entity, nodes in spans:
        if len(nodes) > 1:
            shown.setdefault(entity, set()).update(at for at in nodes if empty[at])
    filled = [_filled(nodes, empty, shown.get(entity, set())) for entity, nodes in spans]
    rows_of_entity: dict[int, list[int]] = {}
    for at, (entity, _) in enumerate(spans):
        rows_of_entity.setdefault(entity, []).append(at)
    names = list(number_of_entity)
    for entity, rows in rows_of_entity.items():
        # They nest in the text, where empty nodes follow their parents, but may cross in the file.
        while crossed := crossing({at: runs_of(filled[at]) for at in rows}):
            for at in crossed:
                filled[at] = filled[at][:1]
                name = names[entity]
                repairs.note("text-mark-unclosed", document.text, -1, "crosses", entity=name)
    mentions = [
        WrittenMention(runs_of(nodes), [f"e{entities + entity + 1}"], (entity,))
        for (entity, _), nodes in zip(spans, filled, strict=True)
    ]
    return mentions, len(names)


def _entities(document: PlacedText) -> dict[str, None]:
    """The ids of a document in the order of their first mark that is not lost."""
    marks = sorted(document.text.marks.items())
    return {m.entity: None for word, listed in marks if document.place[word] for m in listed}


def _spans(document: PlacedText, repairs: TextRepairs) -> Iterator[tuple[int, int, str]]:
    """The mentions: first and last place in text order, and the id of the entity."""
    position = {place: at for at, place in enumerate(document.order)}
    unclosed: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for word, marks in sorted(document.text.marks.items()):
        node = document.place[word]
        if node is None:
            continue
        at = position[node]
        for mark in marks:
            opened = unclosed.setdefault((document.sentence[at], mark.entity), [])
            if mark.kind == "opens":
                opened.append((at, word))
            elif mark.kind == "closes" and opened:
                begin, _ = opened.pop()
                yield min(begin, at), max(begin, at), mark.entity
            else:
                yield at, at, mark.entity
                if mark.kind == "closes":
                    repairs.note("text-mark-unopened", document.text, word, entity=mark.entity)
    for (_, name), opened in unclosed.items():
        for at, word in opened:
            kept = repairs.unclosed == "node"
            left_out = "" if kept else "left-out"
            repairs.note("text-mark-unclosed", document.text, word, left_out, entity=name)
            if kept:
                yield at, at, name


def _filled(nodes: list[int], empty: list[bool], others: set[int]) -> list[int]:
    """A mention with the empty nodes between its nodes that are elsewhere in the text.

    Empty nodes follow their parent in the text, so a mention of the words around one need not
    contain it. It is added if only empty nodes are between, none of which is among `others`.
    """
    filled = nodes[:1]
    for at in nodes[1:]:
        between = range(filled[-1] + 1, at)
        if between and all(empty[x] and x not in others for x in between):
            filled += between
        filled.append(at)
    return filled


def _place_document(
    text: MarkedDocument,
    file: ConlluFile,
    order: Sequence[int],
    forms: Sequence[str],
    repairs: TextRepairs,
) -> PlacedText | None:
    """The document, placed on its nodes; `order` and `forms` are those of the file in text order.

    None if the text has next to nothing in common with the document.
    """
    words = [n for n in order if not file.nodes[n].zero]
    in_file: list[list[int]] = [[] for _ in range(len(words) + 1)]
    form_of = dict(zip(order, forms, strict=True))
    words_before = 0
    for node in order:
        if file.nodes[node].zero:
            in_file[words_before].append(node)
        else:
            words_before += 1
    tokens = [word for word in text.words if not word.startswith(EMPTY_NODE)]
    edits = align_edits(tokens, [form_of[n] for n in words], _MOST_STEPS, from_start=True)
    if edits is None:
        return None
    same, replaced = edits.same.tolist(), edits.replaced.tolist()
    where: list[NodePlace | None] = [None] * len(text.words)
    zeros: list[list[int]] = [[] for _ in in_file]
    rank, last = iter(range(len(tokens))), 0
    for at, word in enumerate(text.words):
        if word.startswith(EMPTY_NODE):
            zeros[last].append(at)
            continue
        number = next(rank)
        if same[number] >= 0:
            where[at] = NodePlace(words[same[number]])
        _note_word(same[number], replaced[number], text, at, repairs)
        last = max(last, same[number] + 1, replaced[number] + 1)
    aligned = {*same, *replaced}
    for number, node in enumerate(words):
        if number not in aligned:
            repairs.note("text-word-differs", text, variant="missing", form=form_of[node])
    run = _Runs(text, file, words, form_of, where)
    made: dict[NodePlace, tuple[str, int]] = {}
    for number, listed in enumerate(zeros):
        for place, at in run.fill(number, listed, in_file[number]):
            form = text.words[at].removeprefix(EMPTY_NODE)
            made[place] = form, words[number - 1] if number else -1
            repairs.note("text-empty-node", text, at)
    return PlacedText(text, where, *_ordered(file, words, in_file, made), made)


def _note_word(
    same: int, replaced: int, text: MarkedDocument, at: int, repairs: TextRepairs
) -> None:
    if same >= 0:
        return
    repairs.note("text-word-differs", text, at, "" if replaced >= 0 else "added")
    for _ in text.marks.get(at, ()):
        repairs.note("text-mark-lost", text, at)


@dataclass
class _Runs:
    """Assigns the empty nodes of the text between two words to nodes."""

    text: MarkedDocument
    file: ConlluFile
    words: list[int]
    form_of: dict[int, str]
    where: list[NodePlace | None]

    def fill(
        self, number: int, listed: list[int], in_file: list[int]
    ) -> list[tuple[NodePlace, int]]:
        """Place the empty nodes `listed` in the text after `number` words of the file.

        `in_file` are those of the file there. Returns the new nodes, each with its word in the
        text.
        """
        if not listed:
            return []
        pairs = dict(zip(listed, in_file, strict=True)) if len(listed) == len(in_file) else {}
        if in_file and not pairs:
            forms = [self.form_of[node] for node in in_file]
            edits = align_edits([self.text.words[at] for at in listed], forms, from_start=True)
            assert edits is not None  # no limit was given
            for at, partner in zip(listed, np.maximum(*edits).tolist(), strict=True):
                if partner >= 0:
                    pairs[at] = in_file[partner]
        new: list[tuple[NodePlace, int]] = []
        before = self._before(number)
        for at in listed:
            if at in pairs:
                self.where[at] = NodePlace(pairs[at])
                continue
            made = NodePlace(before.node, before.number + len(new) + 1)
            self.where[at] = made
            new.append((made, at))
        return new

    def _before(self, number: int) -> NodePlace:
        """The place before new empty nodes: after a word and its empty nodes in the file."""
        if not number:
            return NodePlace(self.words[0], BEFORE)
        nodes, last = self.file.nodes, self.words[number - 1]
        for row in nodes[last + 1 :]:
            if not row.zero or row.sentence != nodes[last].sentence:
                break
            last = row.node
        return NodePlace(last)


def _ordered(
    file: ConlluFile,
    words: list[int],
    in_file: list[list[int]],
    made: dict[NodePlace, tuple[str, int]],
) -> tuple[list[NodePlace], list[int]]:
    """All nodes in text order, and their sentences."""
    after: dict[int, list[NodePlace]] = {}
    for new, (_, word) in made.items():
        after.setdefault(word, []).append(new)
    order: list[NodePlace] = []
    sentence: list[int] = []
    for number, word in enumerate([-1, *words]):
        block = file.nodes[words[0] if word < 0 else word].sentence
        listed = [] if word < 0 else [word]
        for node in (*listed, *in_file[number]):
            order.append(NodePlace(node))
            sentence.append(file.nodes[node].sentence)
        order += after.get(word, ())
        sentence += [block] * len(after.get(word, ()))
    return order, sentence


def _write_file(
    entity: Mapping[NodePlace, str], file: ConlluFile, made: Mapping[NodePlace, tuple[str, int]]
) -> bytes:
    """The file with these values of Entity, and with the new empty nodes.

    `made` has the form of each and the word before it, −1 for none. Entity, Bridge and SplitAnte of
    the file are removed.
    """
    lines, added = [*file.lines], defaultdict[int, list[str]](list)
    for row in file.rows:
        items = row.misc.split("|")
        misc = "|".join(item for item in items if item.partition("=")[0] not in _OURS) or "_"
        if row.node != NO_NODE:
            misc = in_misc(misc, "Entity", entity.get(NodePlace(row.node)))
        lines[row.line] = file.with_cell(row, MISC, misc)
    declaration = f"# global.Entity = {DEFAULT}"
    declared = [at for at, text in enumerate(lines) if _HEADER.match(text)]
    for at in declared:
        lines[at] = declaration
    if not declared:
        first = file.begin[0]
        added[first + lines[first].lstrip("# \t").startswith("newdoc")].append(declaration)
    for new in sorted(made):
        form, word = made[new]
        at, id, parent = _below(file, new, word)
        misc = f"Entity={entity[new]}" if new in entity else "_"
        added[at].append("\t".join((id, form or "_", *["_"] * 6, parent, misc)))
    return file.joined([line for at, own in enumerate(lines) for line in (*added[at], own)])


def _without_empty_nodes(data: bytes) -> bytes:
    """The file without its empty nodes; a word whose DEPS name one depends on its HEAD instead."""
    file = ConlluFile(data, "")
    lines: list[str | None] = [*file.lines]
    for row in file.rows:
        deps = row.cells[DEPS].split("|")
        kept = [arc for arc in deps if not _EMPTY_PARENT.match(arc)]
        if row.zero:
            lines[row.line] = None
        elif len(kept) < len(deps):
            plain = f"{row.cells[HEAD]}:{row.cells[DEPREL]}"
            lines[row.line] = file.with_cell(row, DEPS, "|".join(kept) or plain)
    return file.joined([line for line in lines if line is not None])


def _below(file: ConlluFile, new: NodePlace, word: int) -> tuple[int, str, str]:
    """The line before which a new empty node is put, its id, and its DEPS."""
    row = file.nodes[new.node]
    if word >= 0:
        number = file.nodes[word].cells[ID]
        return row.line + 1, f"{number}.{new.node - word + new.number}", f"{number}:_"
    # It follows the empty nodes that begin the sentence, and precedes a multiword token.
    rows = [other for other in file.rows if other.sentence == row.sentence]
    empties = sum(
        other.zero > 0 for other in rows if other.node < new.node and other.node != NO_NODE
    )
    return rows[empties].line, f"0.{empties + new.number - BEFORE}", "_"
