"""Texts of language models read back into the CorefUD file they belong to.

The words of a text are aligned with those of the file, its empty nodes are placed between them, and
the file is written with the mentions of the text; everything else stays.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from corefkit.alignment.edits import align_edits
from corefkit.core.incidents import DataError, Incident, errors
from corefkit.core.mention_columns import runs_of
from corefkit.formats._kit.files import AS_THEY_ARE
from corefkit.formats._kit.text import EMPTY_NODE
from corefkit.formats.columns.rewriting import splice
from corefkit.formats.conllu.brackets import find_values
from corefkit.formats.conllu.dependency_trees import tree_heads, write_heads
from corefkit.formats.conllu.incidents import crossing
from corefkit.formats.conllu.lines import DEFAULT, DEPREL, DEPS, HEAD, MISC, Declaration
from corefkit.formats.conllu.model_texts import (
    MarkedDocument,
    TextRepairs,
    in_text,
    read_marked_text,
)
from corefkit.formats.conllu.nodes import Nodes
from corefkit.formats.conllu.reader import find_layout, parse
from corefkit.formats.conllu.rewriting import WrittenMention, cells, in_misc
from corefkit.formats.conllu.source import ConlluLayout, ConlluSource

_MOST_STEPS = 50_000_000
"""Texts that need a larger table to be aligned have next to nothing in common."""

BEFORE = -(1 << 20)
"""Added to the number of a new empty node before the first word of its document."""
_DECLARATION = Declaration(tuple(DEFAULT.split("-")), 0)
_OURS = ("Entity", "Bridge", "SplitAnte")
_EMPTY_PARENT = re.compile(rb"\d+\.\d+:")

Pieces = dict[tuple[int, int], str]
"""What stands instead of the bytes from which to which."""
EmptyNodes = Literal["file", "new"]


class ReadBack(NamedTuple):
    """The file with the mentions of the text, and every repair that was made."""

    data: bytes
    incidents: tuple[Incident, ...]

    @property
    def repairs(self) -> dict[str, int]:
        """How many repairs of each kind were made."""
        found: dict[str, int] = {}
        for incident in self.incidents:
            found[incident.id] = found.get(incident.id, 0) + incident.count
        return found


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

    Documents are paired in order, words by the fewest insertions, deletions and replacements.
    A `##` is an empty node of the file that stands behind the same word; others are made. With
    `empty_nodes="new"` the file's own are taken out and all are made. What was annotated in the
    file is lost; heads come from its trees. A mark that is open at the end of its sentence is a
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
        file = _without_empty_nodes(file, file_path)
    layout, incidents = find_layout(file.rstrip() + b"\n\n", file_path)
    if found := errors(incidents):
        raise DataError(found)
    placed = list(_placed(layout, documents, repairs, path))
    data = _written(layout, placed, repairs)
    corpus = parse(data, path)
    if found := errors(corpus.incidents):
        raise DataError(found)
    return ReadBack(write_heads(tree_heads(corpus)), tuple(repairs.collector))


class NodePlace(NamedTuple):
    """A node of the file and 0; or the node before a new empty node, and its number from 1.

    Before the first word of a document it is that word, and the number is counted from `BEFORE`.
    """

    node: int
    number: int = 0


@dataclass
class PlacedText:
    """A document of the text on the nodes of the file.

    Attributes:
        text: the document as the text has it.
        place: for each of its words the node, or None where the file has none.
        order: all nodes of the document in the order of the text.
        sentence: for each of these its block.
        made: the new empty nodes, each with its form and the word before it (−1: none).
    """

    text: MarkedDocument
    place: list[NodePlace | None]
    order: list[NodePlace]
    sentence: list[int]
    made: dict[NodePlace, tuple[str, int]]

    def between(self, first: int, last: int) -> Iterator[NodePlace]:
        """The nodes of a sentence from one place in the order to another.

        New empty nodes at its end may stand behind those that begin the next one.
        """
        own = self.sentence[first]
        for at in range(first, last + 1):
            if self.sentence[at] == own:
                yield self.order[at]


def _placed(
    layout: ConlluLayout, documents: list[MarkedDocument], repairs: TextRepairs, path: str
) -> Iterator[PlacedText]:
    """Each document of the text on its nodes."""
    nodes, names = layout.nodes, layout.headers.names
    source = ConlluSource(path, layout.lines.data, 0, len(names))
    source.cache["layout"] = layout
    order, forms = in_text(source)
    bounds = np.searchsorted(nodes.document[order], np.arange(len(names) + 1)).tolist()
    for number, text in enumerate(documents):
        if number >= len(names):
            values = {"number": number + 1, "documents": len(names)}
            repairs.note("text-documents-differ", text, variant="extra", **values)
            continue
        if text.name not in (None, names[number]):
            repairs.note("text-documents-differ", text, name=names[number])
        text.name = names[number]
        own = slice(bounds[number], bounds[number + 1])
        if bounds[number] == bounds[number + 1]:
            continue
        found = _place_document(text, nodes, order[own], forms[own], repairs)
        if found is None:
            repairs.note("text-unreadable", text, variant="other")
            raise DataError(repairs.collector)
        yield found
    for name in names[len(documents) :]:
        repairs.note("text-documents-differ", MarkedDocument(name), variant="missing")


def _written(layout: ConlluLayout, placed: list[PlacedText], repairs: TextRepairs) -> bytes:
    """The file with new empty nodes and the mentions, without heads."""
    made = {new: own for document in placed for new, own in document.made.items()}
    every = sorted([*(NodePlace(n) for n in range(len(layout.nodes.row))), *made])
    number = {one: at for at, one in enumerate(every)}
    empty = [bool(one.number or layout.nodes.zero[one.node]) for one in every]
    mentions: list[WrittenMention] = []
    entities = 0
    for document in placed:
        found, more = _mentions(document, number, empty, entities, repairs)
        mentions += found
        entities += more
    cell = cells(mentions, _DECLARATION)
    return _write_file({one: cell[at] for one, at in number.items() if at in cell}, layout, made)


def _mentions(
    document: PlacedText,
    number: dict[NodePlace, int],
    empty: list[bool],
    entities: int,
    repairs: TextRepairs,
) -> tuple[list[WrittenMention], int]:
    """The mentions of a document, and how many entities it has."""
    entity = {name: own for own, name in enumerate(_entities(document))}
    spans = [
        (entity[name], sorted(number[one] for one in document.between(first, last)))
        for first, last, name in _spans(document, repairs)
    ]
    shown: dict[int, set[int]] = {}
    for own, nodes in spans:
        if len(nodes) > 1:
            shown.setdefault(own, set()).update(at for at in nodes if empty[at])
    filled = [_filled(nodes, empty, shown.get(own, set())) for own, nodes in spans]
    several: dict[int, list[int]] = {}
    for at, (own, _) in enumerate(spans):
        several.setdefault(own, []).append(at)
    names = list(entity)
    for own, rows in several.items():
        # Nested in the text, where empty nodes stand behind their parents, they may cross here.
        while crossed := crossing({at: runs_of(filled[at]) for at in rows}):
            for at in crossed:
                filled[at] = filled[at][:1]
                repairs.note("text-mark-unclosed", document.text, -1, "crosses", entity=names[own])
    found = [
        WrittenMention(runs_of(nodes), [f"e{entities + own + 1}"], (own,))
        for (own, _), nodes in zip(spans, filled, strict=True)
    ]
    return found, len(entity)


def _entities(document: PlacedText) -> dict[str, None]:
    """The ids of a document in the order of their first mark that is not lost."""
    marks = sorted(document.text.marks.items())
    return {m.entity: None for word, own in marks if document.place[word] for m in own}


def _spans(document: PlacedText, repairs: TextRepairs) -> Iterator[tuple[int, int, str]]:
    """The mentions: first and last place in the order of the text, and the id."""
    position = {one: at for at, one in enumerate(document.order)}
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
    for (_, name), left in unclosed.items():
        for at, word in left:
            kept = repairs.unclosed == "node"
            left_out = "" if kept else "left-out"
            repairs.note("text-mark-unclosed", document.text, word, left_out, entity=name)
            if kept:
                yield at, at, name


def _filled(listed: list[int], empty: list[bool], others: set[int]) -> list[int]:
    """A mention with the empty nodes between its nodes that the text shows elsewhere.

    Empty nodes stand behind their parent in the text, so a mention of words around one does not
    show it. It is put back where only empty nodes lie between, and none of `others`.
    """
    found = listed[:1]
    for at in listed[1:]:
        between = range(found[-1] + 1, at)
        if between and all(empty[x] and x not in others for x in between):
            found += between
        found.append(at)
    return found


def _place_document(
    text: MarkedDocument,
    nodes: Nodes,
    order: Sequence[int],
    forms: Sequence[str],
    repairs: TextRepairs,
) -> PlacedText | None:
    """The document on its nodes, `order` and `forms` being those of the file in text order.

    None where the text has next to nothing in common with the document.
    """
    words = [n for n in order if not nodes.zero[n]]
    own: list[list[int]] = [[] for _ in range(len(words) + 1)]
    form_of = dict(zip(order, forms, strict=True))
    behind = 0
    for node in order:
        if nodes.zero[node]:
            own[behind].append(node)
        else:
            behind += 1
    tokens = [word for word in text.words if not word.startswith(EMPTY_NODE)]
    edits = align_edits(tokens, [form_of[n] for n in words], most_steps=_MOST_STEPS)
    if edits is None:
        return None
    same, replaced = edits.same.tolist(), edits.replaced.tolist()
    where: list[NodePlace | None] = [None] * len(text.words)
    zeros: list[list[int]] = [[] for _ in own]
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
    there = {*same, *replaced}
    for number, node in enumerate(words):
        if number not in there:
            repairs.note("text-word-differs", text, variant="missing", form=form_of[node])
    run = _Runs(text, nodes, words, form_of, where)
    made: dict[NodePlace, tuple[str, int]] = {}
    for number, listed in enumerate(zeros):
        for place, at in run.fill(number, listed, own[number]):
            form = text.words[at].removeprefix(EMPTY_NODE)
            made[place] = form, words[number - 1] if number else -1
            repairs.note("text-empty-node", text, at)
    return PlacedText(text, where, *_ordered(nodes, words, own, made), made)


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
    """Fills the runs of empty nodes between two words."""

    text: MarkedDocument
    nodes: Nodes
    words: list[int]
    form_of: dict[int, str]
    where: list[NodePlace | None]

    def fill(self, number: int, listed: list[int], own: list[int]) -> list[tuple[NodePlace, int]]:
        """Give the words of the text their empty nodes; returns those that are new, with the number
        of each one's word."""
        if not listed:
            return []
        pairs = dict(zip(listed, own, strict=True)) if len(listed) == len(own) else {}
        if own and not pairs:
            forms = [self.form_of[node] for node in own]
            edits = align_edits([self.text.words[at] for at in listed], forms)
            assert edits is not None  # no limit was given
            for at, partner in zip(listed, np.maximum(*edits).tolist(), strict=True):
                if partner >= 0:
                    pairs[at] = own[partner]
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
        """What stands before new empty nodes: a word with those that it has in the file."""
        if not number:
            return NodePlace(self.words[0], BEFORE)
        zero, block = self.nodes.zero, self.nodes.block
        last = self.words[number - 1]
        while last + 1 < len(zero) and zero[last + 1] and block[last + 1] == block[last]:
            last += 1
        return NodePlace(last)


def _ordered(
    nodes: Nodes, words: list[int], own: list[list[int]], made: dict[NodePlace, tuple[str, int]]
) -> tuple[list[NodePlace], list[int]]:
    """All nodes in the order of the text, and their sentences."""
    behind: dict[int, list[NodePlace]] = {}
    for new, (_, word) in made.items():
        behind.setdefault(word, []).append(new)
    order: list[NodePlace] = []
    sentence: list[int] = []
    for number, word in enumerate([-1, *words]):
        block = int(nodes.block[words[0] if word < 0 else word])
        listed = [] if word < 0 else [word]
        for node in (*listed, *own[number]):
            order.append(NodePlace(node))
            sentence.append(int(nodes.block[node]))
        order += behind.get(word, ())
        sentence += [block] * len(behind.get(word, ()))
    return order, sentence


def _write_file(
    entity: Mapping[NodePlace, str], layout: ConlluLayout, made: Mapping[NodePlace, tuple[str, int]]
) -> bytes:
    """The file with these values of Entity, and with the empty nodes that were made.

    Each of `made` has its form and the word before it, −1 for none. Entity, Bridge and SplitAnte
    of the file are taken out.
    """
    lines, nodes = layout.lines, layout.nodes
    pieces = _cleaned(layout)
    for one, value in entity.items():
        if not one.number:
            row = int(nodes.row[one.node])
            cell = _misc(layout, row)
            misc = lines.field(row, MISC).decode("utf-8", AS_THEY_ARE)
            pieces[cell] = in_misc(pieces.get(cell, misc), "Entity", value)
    for new in sorted(made):
        form, word = made[new]
        at, id, parent = _below(layout, new, word)
        misc = f"Entity={entity[new]}" if new in entity else "_"
        line = "\t".join((id, form or "_", *["_"] * 6, parent, misc)) + "\n"
        pieces[at, at] = pieces.get((at, at), "") + line
    _declare(layout, pieces)
    return splice(lines.data, pieces)


def _without_empty_nodes(data: bytes, path: str) -> bytes:
    """The file without its empty nodes; what depended on one depends on its HEAD."""
    layout, _ = find_layout(data, path)
    lines, nodes = layout.lines, layout.nodes
    if not nodes.empty_ids:
        return data
    pieces: Pieces = {}
    empty = {int(nodes.row[node]) for node in nodes.empty_ids.values()}
    for row, line in enumerate(lines.rows.tolist()):
        start, end = int(lines.start[line]), int(lines.end[line])
        if row in empty:
            after = int(lines.start[line + 1]) if line + 1 < len(lines.start) else end
            pieces[start, after] = ""
        elif _EMPTY_PARENT.search(deps := lines.field(row, DEPS)):
            kept = [arc for arc in deps.split(b"|") if not _EMPTY_PARENT.match(arc)]
            plain = lines.field(row, HEAD) + b":" + lines.field(row, DEPREL)
            text = (b"|".join(kept) or plain).decode("utf-8", AS_THEY_ARE)
            pieces[int(lines.tabs[row, DEPS - 1]) + 1, int(lines.tabs[row, DEPS])] = text
    return splice(lines.data, pieces)


def _misc(layout: ConlluLayout, row: int) -> tuple[int, int]:
    lines = layout.lines
    return int(lines.tabs[row, MISC - 1]) + 1, int(lines.end[lines.rows[row]])


def _cleaned(layout: ConlluLayout) -> Pieces:
    """The MISC cells that hold annotation, without it."""
    found = find_values(layout.lines, *(name.encode() for name in _OURS))
    rows = {row for values in found for row in values.row.tolist()}
    pieces: Pieces = {}
    for row in rows:
        misc = layout.lines.field(row, MISC).decode("utf-8", AS_THEY_ARE)
        items = [item for item in misc.split("|") if item.partition("=")[0] not in _OURS]
        pieces[_misc(layout, row)] = "|".join(items) or "_"
    return pieces


def _below(layout: ConlluLayout, new: NodePlace, word: int) -> tuple[int, str, str]:
    """Where the line of a new empty node begins, its id, and its DEPS."""
    lines, nodes = layout.lines, layout.nodes
    if word >= 0:
        below = int(lines.rows[nodes.row[new.node]]) + 1
        number = int(np.searchsorted(nodes.word_node, word) - nodes.first_word[nodes.block[word]])
        id = f"{number + 1}.{new.node - word + new.number}"
        return int(lines.start[below]), id, f"{number + 1}:_"
    block = nodes.block[new.node]
    own = new.node - int(np.searchsorted(nodes.block, block))
    # Behind the empty nodes that begin the sentence, above a multiword token.
    above = int(np.searchsorted(lines.block[lines.rows], block)) + own
    return int(lines.start[lines.rows[above]]), f"0.{own + new.number - BEFORE}", "_"


def _declare(layout: ConlluLayout, pieces: Pieces) -> None:
    """Declare the usual attributes, where the file declares some, else behind its first newdoc."""
    lines = layout.lines
    declaration = f"# global.Entity = {DEFAULT}"
    found = False
    for line in lines.comments.tolist():
        start, end = int(lines.start[line]), int(lines.end[line])
        if lines.data[start + 1 : end].lstrip().startswith(b"global.Entity"):
            pieces[start, end] = declaration
            found = True
    if not found:
        first = int(layout.headers.begin[0])
        named = lines.data[int(lines.start[first]) + 1 :].lstrip().startswith(b"newdoc")
        at = int(lines.start[first + named])
        pieces[at, at] = f"{declaration}\n" + pieces.get((at, at), "")
