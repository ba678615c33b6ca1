"""Do key and response have the same empty nodes? corefud-scorer 1.1 has no way to pair others."""

from collections.abc import Iterator

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.incidents import Collector, Incident, make_incident


def compare_empty_nodes(key: Corpus, response: Corpus) -> list[Incident]:
    """One warning for each document of both that has other empty nodes in the response."""
    ours = dict(_empty_nodes(key))
    found = Collector()
    for name, nodes in _empty_nodes(response):
        expected = ours.get(name, nodes)
        if nodes == expected:
            continue
        more, fewer = len(nodes - expected), len(expected - nodes)
        found.add(
            make_incident(
                "empty-nodes-differ",
                **response.document_place(response.names.index(name)),
                document=name,
                found=f"{more:,} that the key lacks, {fewer:,} of the key not",
                expected="the empty nodes of the key",
            )
        )
    return list(found)


def _empty_nodes(corpus: Corpus) -> Iterator[tuple[str, set[tuple[int, int]]]]:
    """The empty nodes of each document that was read from a CorefUD file."""
    for source in corpus.sources:
        if source.format.name != "conllu":
            continue
        from corefkit.formats.conllu.tokens import layout_of

        nodes = layout_of(source).nodes
        empty = np.flatnonzero(nodes.zero > 0)
        places: list[set[tuple[int, int]]] = [set() for _ in range(source.documents)]
        columns = (nodes.document[empty], nodes.token[empty], nodes.zero[empty])
        for document, token, zero in zip(*(c.tolist() for c in columns), strict=True):
            places[document].add((token, zero))
        first = source.first_document
        yield from zip(corpus.names[first : first + source.documents], places, strict=True)
