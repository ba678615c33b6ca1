"""Corpora of CorefUD documents as the oracle reads or makes them, without any reader of ours."""

from collections.abc import Sequence

import numpy as np

from corefkit import Corpus
from corefkit.core.corpus import BEFORE_SENTENCE
from corefkit.core.links import ROOT, Dependencies
from corefkit.core.mention_columns import Ragged
from tests.oracle.corefud import Document, Mention, Node


def to_corpus(documents: Sequence[Document]) -> Corpus:
    """The same mentions in columns."""
    rows: list[tuple[int, ...]] = []
    labels: list[str] = []
    parts, arcs = [], []
    for number, document in enumerate(documents):
        begin = np.cumsum([0, *document.sentences]).tolist()

        def place(node: Node, begin: list[int] = begin) -> tuple[int, int]:
            sentence, word, minor = node
            token = begin[sentence] + word - 1
            return token, minor + BEFORE_SENTENCE if minor and not word else minor

        listed = [(label, m) for label, mentions in document.entities.items() for m in mentions]
        entity = {label: len(labels) + i for i, label in enumerate(document.entities)}
        labels += document.entities
        for label, mention in sorted(listed, key=lambda pair: pair[1].opened):
            nodes = [place(node) for node in mention.nodes]
            zero = nodes[0][1] if len(nodes) == 1 else 0
            row = len(rows)
            rows.append(
                (number, nodes[0][0], nodes[-1][0], entity[label], zero, *place(mention.head))
            )
            run = [(token, 0) for token in range(nodes[0][0], nodes[-1][0] + 1)]
            if not zero and nodes != run:
                parts.append((row, nodes))
            if mention.zero:
                arcs.append((row, mention.head[0], _arcs(mention, place)))
    columns = np.array(rows, dtype=np.int64).reshape(-1, 7).T
    document_, start, end, entity_, zero_, head, head_zero = columns
    return Corpus(
        names=tuple(d.name for d in documents),
        tokens=np.array([sum(d.sentences) for d in documents], dtype=np.int64),
        document=document_,
        start=start,
        end=end,
        entity=entity_,
        labels=tuple(labels),
        zero=zero_,
        head=head,
        head_zero=head_zero,
        nodes=Ragged.of(parts),
        dependencies=Dependencies.of(arcs),
    )


def _arcs(mention: Mention, place: object) -> list[tuple[tuple[int, int], str]]:
    assert callable(place)
    return [
        (place((mention.head[0], *parent)) if parent != (0, 0) else ROOT, relation)
        for parent, relation in sorted(mention.arcs)
    ]
