"""Texts of language models read back into the CorefUD file they belong to."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

import numpy as np

from corefkit.data.incidents import DataError, Incident, errors
from corefkit.data.ragged import runs_of
from corefkit.data.source import Source
from corefkit.formats.conllu.crossing import crossing
from corefkit.formats.conllu.heads import tree_heads, write_heads
from corefkit.formats.conllu.marked import MarkedDocument, Repairs, take_apart
from corefkit.formats.conllu.reader import TOKENS, find_layout, parse
from corefkit.formats.conllu.text_placing import NodePlace, Placed, place
from corefkit.formats.conllu.text_writing import DECLARATION, without_empty_nodes, write
from corefkit.formats.conllu.texts import in_text
from corefkit.formats.conllu.tokens import Layout
from corefkit.formats.conllu.written import WrittenMention, cells

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
    repairs = Repairs(path, unclosed)
    documents = take_apart(text, repairs, path)
    if empty_nodes == "new":
        file = without_empty_nodes(file, file_path)
    layout, trouble = find_layout(file.rstrip() + b"\n\n", file_path)
    if found := errors(trouble.found):
        raise DataError(found)
    placed = list(_placed(layout, documents, repairs, path))
    data = _written(layout, placed, repairs)
    corpus = parse(data, path)
    if found := errors(corpus.incidents):
        raise DataError(found)
    return ReadBack(write_heads(tree_heads(corpus)), tuple(repairs.found))


def _placed(
    layout: Layout, documents: list[MarkedDocument], repairs: Repairs, path: str
) -> Iterator[Placed]:
    """Each document of the text on its nodes."""
    nodes, names = layout.nodes, layout.headers.names
    source = Source(path, layout.lines.data, 0, len(names), TOKENS)
    source.cache["layout"] = layout
    order, forms = in_text(source)
    bounds = np.searchsorted(nodes.document[order], np.arange(len(names) + 1)).tolist()
    for number, text in enumerate(documents):
        if number >= len(names):
            values = {"number": number + 1, "documents": len(names)}
            repairs.tell("text-documents-differ", text, variant="extra", **values)
            continue
        if text.name not in (None, names[number]):
            repairs.tell("text-documents-differ", text, name=names[number])
        text.name = names[number]
        own = slice(bounds[number], bounds[number + 1])
        if bounds[number] == bounds[number + 1]:
            continue
        found = place(text, nodes, order[own], forms[own], repairs)
        if found is None:
            repairs.tell("text-unreadable", text, variant="other")
            raise DataError(repairs.found)
        yield found
    for name in names[len(documents) :]:
        repairs.tell("text-documents-differ", MarkedDocument(name), variant="missing")


def _written(layout: Layout, placed: list[Placed], repairs: Repairs) -> bytes:
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
    cell = cells(mentions, DECLARATION)
    return write({one: cell[at] for one, at in number.items() if at in cell}, layout, made)


def _mentions(
    document: Placed,
    number: dict[NodePlace, int],
    empty: list[bool],
    entities: int,
    repairs: Repairs,
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
                repairs.tell("text-mark-unclosed", document.text, -1, "crosses", entity=names[own])
    found = [
        WrittenMention(nodes, [f"e{entities + own + 1}"], (own,))
        for (own, _), nodes in zip(spans, filled, strict=True)
    ]
    return found, len(entity)


def _entities(document: Placed) -> dict[str, None]:
    """The ids of a document in the order of their first mark that is not lost."""
    marks = sorted(document.text.marks.items())
    return {m.entity: None for word, own in marks if document.place[word] for m in own}


def _spans(document: Placed, repairs: Repairs) -> Iterator[tuple[int, int, str]]:
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
                    repairs.tell("text-mark-unopened", document.text, word, entity=mark.entity)
    for (_, name), left in unclosed.items():
        for at, word in left:
            kept = repairs.unclosed == "node"
            left_out = "" if kept else "left-out"
            repairs.tell("text-mark-unclosed", document.text, word, left_out, entity=name)
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
