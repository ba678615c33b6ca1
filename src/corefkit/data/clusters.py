"""Corpora as lists of clusters, the plainest way in and out."""

from collections.abc import Iterable, Mapping
from operator import index

import numpy as np

from corefkit.data.arrays import tuples
from corefkit.data.corpus import Corpus, Span


def from_clusters(documents: Mapping[str, Iterable[Iterable[Span]]]) -> Corpus:
    """A corpus from lists of clusters of (start, end) token spans, both ends included."""
    rows: list[tuple[int, int, int, int]] = []
    labels: list[str] = []
    if not isinstance(documents, Mapping):
        raise TypeError(f"clusters are given as {{document: clusters}}, not {documents!r:.60}")
    if wrong := [name for name in documents if not isinstance(name, str)]:
        raise TypeError(f"documents are named by strings, not {wrong[0]!r}")
    for number, (name, clusters) in enumerate(documents.items()):
        if not _is_listing(clusters):
            raise TypeError(f"document {name!r}: not a list of clusters: {clusters!r:.60}")
        for label, cluster in enumerate(clusters):
            if not _is_listing(cluster):
                raise TypeError(f"document {name!r}: not a list of mentions: {cluster!r:.60}")
            spans = [_span(name, span) for span in cluster]
            if spans:
                rows += [(number, start, end, len(labels)) for start, end in spans]
                labels.append(str(label))
    document, start, end, entity = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    names = tuple(documents)
    tokens = np.full(len(names), -1, dtype=np.int64)
    return Corpus(names, tokens, document, start, end, entity, tuple(labels))


def clusters(corpus: Corpus) -> dict[str, list[list[Span]]]:
    """For each document its entities as lists of spans."""
    entities: list[list[Span]] = [[] for _ in corpus.labels]
    for entity, start, end in tuples(corpus.entity, corpus.start, corpus.end):
        entities[entity].append((start, end))
    documents: dict[str, list[list[Span]]] = {name: [] for name in corpus.names}
    for number, cluster in zip(corpus.entity_document.tolist(), entities, strict=True):
        documents[corpus.names[number]].append(cluster)
    return documents


def _is_listing(given: object) -> bool:
    """Whether it can be read as a list; strings and dicts cannot."""
    return isinstance(given, Iterable) and not isinstance(given, (str, bytes, Mapping))


def _span(document: str, span: Span) -> Span:
    try:
        start, end = span
        found = index(start), index(end)
    except (TypeError, ValueError):
        raise TypeError(
            f"document {document!r}: a mention is a pair of token numbers, not {span!r:.60}"
        ) from None
    if not 0 <= found[0] <= found[1] < 1 << 62:
        raise ValueError(f"document {document!r}: {found} is not a span (0 ≤ start ≤ end)")
    return found
