"""Texts for language models: CorefUD as plain text, one document per line, with marks after words.

`to_text` and `to_objects` write the input of models in the CRAC tasks of 2025 and 2026;
`read_marked_text` splits the output of models into the words of each document and their marks.
"""

import json
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Literal, NamedTuple

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import Collector, Place, data_error
from corefkit.core.mention_columns import runs_of
from corefkit.core.options import UsageError
from corefkit.core.source import Source
from corefkit.core.texts import shorten
from corefkit.formats.conllu.dependency_trees import TREE_ROOT as ROOT
from corefkit.formats.conllu.dependency_trees import Trees
from corefkit.formats.conllu.nodes import MentionNodes
from corefkit.formats.conllu.rows import ConlluFile, readable
from corefkit.formats.conllu.source import ConlluSource, file_of
from corefkit.formats.kit.text import EMPTY_NODE


class TextDocument(NamedTuple):
    """A document in text order: its name, words, and spans (first, last, entity)."""

    name: str
    words: list[str]
    spans: list[tuple[int, int, int]]


def to_text(corpus: Corpus) -> str:
    """All documents as plain text, one per line; entities are numbered separately in each.

    An empty node is written after the parent of its first dependency. Of a discontinuous mention
    only the part with the head is kept; heads, types and relations are lost.

    >>> import corefkit
    >>> to_text(corefkit.read("examples/drawer.conllu"))[:65]
    'Nela|[e1] found the|[e2 old key|e2] in a|[e3 drawer|e3] . Cleaned'
    """
    lines = []
    for document in text_documents(corpus):
        marks = _marks(document.spans)
        words = (word + marks.get(at, "") for at, word in enumerate(document.words))
        lines.append(" ".join(words) + "\n")
    return "".join(lines)


def to_objects(corpus: Corpus) -> list[dict[str, Any]]:
    """All documents as the JSON of 2026: tokens, and clusters as offsets and as texts.

    Mentions are ordered by their beginning, then the longer one first; clusters by their first
    mention.
    """
    objects = []
    for document in text_documents(corpus):
        clusters: dict[int, list[list[int]]] = {}
        for first, last, entity in sorted(document.spans, key=lambda span: (span[0], -span[1])):
            clusters.setdefault(entity, []).append([first, last])
        texts = [
            [" ".join(document.words[first : last + 1]) for first, last in cluster]
            for cluster in clusters.values()
        ]
        objects.append(
            {
                "doc_id": document.name,
                "tokens": document.words,
                "clusters_token_offsets": list(clusters.values()),
                "clusters_text_mentions": texts,
            }
        )
    return objects


def text_documents(corpus: Corpus) -> Iterator[TextDocument]:
    """The documents of CorefUD files; UsageError if a file is not CorefUD."""
    if not all(isinstance(source, ConlluSource) for source in corpus.sources):
        raise UsageError("only CorefUD files can be written as texts for language models")
    for source in corpus.sources:
        yield from _documents(corpus, source)


def _documents(corpus: Corpus, source: Source) -> Iterator[TextDocument]:
    file = file_of(source)
    places = MentionNodes(corpus, source, file)
    order, words = in_text(file)
    position = {node: at for at, node in enumerate(order)}
    bounds = document_bounds(file, order)
    spans: list[list[tuple[int, int, int]]] = [[] for _ in range(source.documents)]
    for row in places.rows:
        head = position[places.head_of(row, places.runs_of(row))]
        positions = sorted(position[node] for node in places.nodes_of(row))
        first, last = next(run for run in runs_of(positions) if run[0] <= head <= run[1])
        document = int(corpus.document[row]) - source.first_document
        begin = bounds[document]
        spans[document].append((first - begin, last - begin, int(corpus.entity[row])))
    for document, listed in enumerate(spans):
        name = corpus.names[source.first_document + document]
        yield TextDocument(name, words[bounds[document] : bounds[document + 1]], listed)


def document_bounds(file: ConlluFile, order: Sequence[int]) -> list[int]:
    """Where each document begins among nodes in text order, and how many nodes there are."""
    documents = [file.nodes[node].document for node in order]
    return [bisect_left(documents, number) for number in range(len(file.names) + 1)]


def _marks(spans: list[tuple[int, int, int]]) -> dict[int, str]:
    """The marks after each word of a document; entities are numbered in text order."""
    numbers: dict[int, int] = {}
    pieces: dict[int, list[str]] = {}
    for first, last, entity in sorted(spans):
        number = numbers.setdefault(entity, len(numbers) + 1)
        if first == last:
            pieces.setdefault(first, []).append(f"[e{number}]")
        else:
            pieces.setdefault(first, []).append(f"[e{number}")
            pieces.setdefault(last, []).append(f"e{number}]")
    # They are sorted as strings, like in the converter of the shared task.
    return {at: "|" + ",".join(sorted(listed)) for at, listed in pieces.items()}


def in_text(file: ConlluFile) -> tuple[list[int], list[str]]:
    """All nodes in text order, and the word of each."""
    trees = Trees(file)
    after: dict[int, list[int]] = {}
    for node in file.empties:
        parent = next(iter(trees.parents(node)), ROOT)
        if parent != ROOT and not file.nodes[parent].zero:
            after.setdefault(parent, []).append(node)
    moved = {node for listed in after.values() for node in listed}
    order = [
        each
        for node in range(len(file.nodes))
        if node not in moved
        for each in (node, *after.get(node, ()))
    ]
    words = []
    for node in order:
        form = readable(file.nodes[node].form).replace(" ", "_")
        if file.nodes[node].zero:
            form = EMPTY_NODE + ("" if form == "_" else form)
        words.append(form)
    return order, words


_WORD = re.compile(r"[^ \t]+")
_MARK = re.compile(r"(\[?)([^\[\],|\s]+)(\]?)")
_JSON = re.compile(r"\s*(\[\s*[{\]]|\{\s*\")")


class TextMark(NamedTuple):
    """A mark after a word: the id of an entity, and what the mark does."""

    entity: str
    kind: Literal["opens", "closes", "one"]


@dataclass
class MarkedDocument:
    """The words of a document in the text, and the marks after some of them: number → marks.

    `line` and `columns`, which count from 1, are known for plain text only.
    """

    name: str | None = None
    line: int | None = None
    words: list[str] = field(default_factory=list)
    marks: dict[int, list[TextMark]] = field(default_factory=dict)
    columns: list[int] = field(default_factory=list)

    def place(self, word: int) -> Place:
        """The place of a word; for −1, that of the whole document."""
        if not 0 <= word < len(self.words):
            return Place(line=self.line, document=self.name)
        column = self.columns[word] if self.columns else None
        found = f"word {word + 1:,}: {shorten(self.words[word])}"
        return Place(None, self.line, column, self.name, found)


class TextRepairs:
    """Collects the repairs of a text, with their places in it.

    `unclosed` says what becomes of a mark that is still open at the end of its sentence: a mention
    of its node, or nothing.
    """

    def __init__(self, path: str, unclosed: Literal["node", "drop"] = "node") -> None:
        self.collector = Collector(path)
        self.unclosed = unclosed

    def note(
        self, kind: str, document: MarkedDocument, word: int = -1, variant: str = "", **values: Any
    ) -> None:
        """Note a repair at a word of a document, or (−1) of the whole document."""
        self.collector.note(kind, variant, partial(document.place, word), **values)


def read_marked_text(text: str, repairs: TextRepairs, path: str) -> list[MarkedDocument]:
    """The documents of a text, plain (2025) or JSON (2026); DataError for malformed JSON."""
    if _JSON.match(text):
        return _objects(text, repairs, path)
    lines = text.removeprefix("\ufeff").split("\n")
    if not lines[-1].strip():
        lines.pop()
    return [_line(line, number, repairs) for number, line in enumerate(lines, 1)]


def _line(text: str, number: int, repairs: TextRepairs) -> MarkedDocument:
    document = MarkedDocument(line=number)
    for match in _WORD.finditer(text.rstrip("\r")):
        word, bar, after = match[0].rpartition("|")
        pieces = after.split(",") if bar and word else []
        marks = [mark for piece in pieces if (mark := _mark(piece))]
        at = len(document.words)
        document.words.append(word if marks else match[0])
        document.columns.append(match.start() + 1)
        if marks:
            document.marks[at] = marks
            for _ in range(len(pieces) - len(marks)):
                repairs.note("text-mark-bad", document, at)
    return document


def _mark(text: str) -> TextMark | None:
    match = _MARK.fullmatch(text)
    if not match or not (match[1] or match[3]):
        return None
    return TextMark(match[2], "one" if match[1] and match[3] else "opens" if match[1] else "closes")


def _objects(text: str, repairs: TextRepairs, path: str) -> list[MarkedDocument]:
    try:
        listed = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise data_error("text-unreadable", reason=str(error), file=path) from None
    documents = []
    for number, item in enumerate([listed] if isinstance(listed, dict) else listed, 1):
        tokens = item.get("tokens") if isinstance(item, dict) else None
        if not isinstance(tokens, list) or not all(isinstance(t, str) for t in tokens):
            raise data_error("text-unreadable", "tokens", number=number, file=path)
        name = item.get("doc_id")
        document = MarkedDocument(None if name is None else str(name), words=tokens)
        clusters = item.get("clusters_token_offsets", [])
        for cluster, spans in enumerate(clusters if isinstance(clusters, list) else []):
            _cluster(document, str(cluster), spans, repairs)
        documents.append(document)
    return documents


def _cluster(document: MarkedDocument, name: str, spans: Any, repairs: TextRepairs) -> None:
    """Add the spans of a cluster as marks; those that cross an earlier one are left out."""
    usable = []
    for span in spans if isinstance(spans, list) else [spans]:
        if _is_span(span, len(document.words)):
            usable.append((span[0], span[1]))
        else:
            repairs.note("text-mark-bad", document, variant="span", span=shorten(str(span)))
    open_ends: list[int] = []
    for first, last in sorted(usable, key=lambda span: (span[0], -span[1])):
        while open_ends and open_ends[-1] < first:
            open_ends.pop()
        if open_ends and open_ends[-1] < last:
            repairs.note("text-mentions-cross", document, first)
            continue
        open_ends.append(last)
        if first == last:
            document.marks.setdefault(first, []).append(TextMark(name, "one"))
        else:
            document.marks.setdefault(first, []).append(TextMark(name, "opens"))
            document.marks.setdefault(last, []).append(TextMark(name, "closes"))


def _is_span(span: Any, tokens: int) -> bool:
    return (
        isinstance(span, list)
        and len(span) == 2
        and all(isinstance(end, int) and not isinstance(end, bool) for end in span)
        and 0 <= span[0] <= span[1] < tokens
    )
