"""Texts for language models: CorefUD as plain text, a document a line, with marks behind words."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from corefkit.data.corpus import Corpus
from corefkit.data.options import UsageError
from corefkit.data.ragged import runs_of
from corefkit.data.source import Source
from corefkit.formats.conllu.lines import FORM
from corefkit.formats.conllu.places import Places
from corefkit.formats.conllu.tokens import ConlluTokens, layout_of
from corefkit.formats.conllu.trees import ROOT, Trees
from corefkit.formats.empty_words import EMPTY_NODE


class TextDocument(NamedTuple):
    """A document in the order of the text: its name, words, and (first, last, entity) spans."""

    name: str
    words: list[str]
    spans: list[tuple[int, int, int]]


def to_text(corpus: Corpus) -> str:
    """All documents as plain text, one a line, entities numbered anew in each.

    An empty node stands behind the parent of its first dependency. Of a discontinuous mention the
    part with the head is kept; heads, types and relations are lost.

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
    """All documents as the JSON of 2026 has them: tokens, and clusters by offsets and by text.

    Clusters stand in the order of their first mention, of two that begin together the longer one
    first; so do the mentions of a cluster.
    """
    found = []
    for document in text_documents(corpus):
        clusters: dict[int, list[list[int]]] = {}
        for first, last, entity in sorted(document.spans, key=lambda span: (span[0], -span[1])):
            clusters.setdefault(entity, []).append([first, last])
        texts = [
            [" ".join(document.words[first : last + 1]) for first, last in cluster]
            for cluster in clusters.values()
        ]
        found.append(
            {
                "doc_id": document.name,
                "tokens": document.words,
                "clusters_token_offsets": list(clusters.values()),
                "clusters_text_mentions": texts,
            }
        )
    return found


def text_documents(corpus: Corpus) -> Iterator[TextDocument]:
    """The documents of CorefUD files; UsageError for others."""
    if not all(isinstance(source.format, ConlluTokens) for source in corpus.sources):
        raise UsageError("only CorefUD files can be written as texts for language models")
    for source in corpus.sources:
        yield from _documents(corpus, source)


def _documents(corpus: Corpus, source: Source) -> Iterator[TextDocument]:
    nodes = layout_of(source).nodes
    places = Places(corpus, source, nodes)
    order, words = in_text(source)
    position = {node: at for at, node in enumerate(order)}
    bounds = nodes.document[order].searchsorted(range(source.documents + 1)).tolist()
    spans: list[list[tuple[int, int, int]]] = [[] for _ in range(source.documents)]
    for row in places.rows.tolist():
        mention = places.nodes_of(row)
        head = position[places.head_of(row, mention)]
        own = sorted(position[node] for node in mention)
        first, last = next(run for run in runs_of(own) if run[0] <= head <= run[1])
        document = int(corpus.document[row]) - source.first_document
        begin = bounds[document]
        spans[document].append((first - begin, last - begin, int(corpus.entity[row])))
    for document, own_spans in enumerate(spans):
        name = corpus.names[source.first_document + document]
        own_words = words[bounds[document] : bounds[document + 1]]
        yield TextDocument(name, own_words, own_spans)


def _marks(spans: list[tuple[int, int, int]]) -> dict[int, str]:
    """The marks behind each word of a document; entities are numbered in text order."""
    number: dict[int, int] = {}
    pieces: dict[int, list[str]] = {}
    for first, last, entity in sorted(spans):
        own = number.setdefault(entity, len(number) + 1)
        if first == last:
            pieces.setdefault(first, []).append(f"[e{own}]")
        else:
            pieces.setdefault(first, []).append(f"[e{own}")
            pieces.setdefault(last, []).append(f"e{own}]")
    # They are sorted as texts, as the converter of the shared task does.
    return {at: "|" + ",".join(sorted(listed)) for at, listed in pieces.items()}


def in_text(source: Source) -> tuple[list[int], list[str]]:
    """All nodes in the order of the text, and how each is written."""
    layout = layout_of(source)
    lines, nodes = layout.lines, layout.nodes
    trees = Trees(lines, nodes)
    behind: dict[int, list[int]] = {}
    for node in sorted(nodes.empty_ids.values()):
        parent = next(iter(trees.parents(node)), ROOT)
        if parent != ROOT and not nodes.zero[parent]:
            behind.setdefault(parent, []).append(node)
    moved = {node for listed in behind.values() for node in listed}
    order = [
        each
        for node in range(len(nodes.row))
        if node not in moved
        for each in (node, *behind.get(node, ()))
    ]
    words = []
    for node in order:
        form = lines.field(int(nodes.row[node]), FORM).decode("utf-8", "replace")
        form = form.replace(" ", "_")
        if nodes.zero[node]:
            form = EMPTY_NODE + ("" if form == "_" else form)
        words.append(form)
    return order, words
