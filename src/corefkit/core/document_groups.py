"""Groups of documents that are scored as one document: a topic, or the whole corpus.

Within a group, entities with the same id are one entity, and the documents follow one another.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, distinct, ranks_of
from corefkit.core.corpus import Corpus


class DocumentGroups(NamedTuple):
    """The names of the groups and, int64 (documents,), the group of each document.

    A document that is not scored belongs to no group: −1.
    """

    names: tuple[str, ...]
    of_document: IntArray


def join_groups(corpus: Corpus, groups: DocumentGroups, begin: IntArray | None) -> Corpus:
    """The corpus with groups as documents; entities of a group with the same label are united.

    `begin`, int64 (documents,), is the token of its group at which each document begins; with
    None, mentions keep their positions. The result has no document lengths, files, links or
    dependencies.
    """
    label = corpus.entity_label
    group = groups.of_document[corpus.entity_document]
    united = distinct(group * max(len(label.values), 1) + label.code)
    in_order = np.argsort(united.first)
    number = ranks_of(in_order)[united.inverse]
    moved = corpus if begin is None else _moved(corpus, begin[corpus.document])
    return replace(
        moved,
        names=groups.names,
        tokens=np.full(len(groups.names), -1, dtype=np.int64),
        document=groups.of_document[corpus.document],
        entity=number[corpus.entity],
        labels=tuple(corpus.labels[entity] for entity in united.first[in_order].tolist()),
        sources=(),
        links=None,
        dependencies=None,
        document_byte=EMPTY,
    )


def _moved(corpus: Corpus, shift: IntArray) -> Corpus:
    """The corpus with each mention, its head and its minimum span moved on by `shift` tokens."""
    columns = {"start": corpus.start + shift, "end": corpus.end + shift}
    for name in ("head", "minimum"):
        if (tokens := getattr(corpus, name)) is not None:
            shifts = shift if tokens.ndim == 1 else shift[:, None]
            columns[name] = np.where(tokens < 0, tokens, tokens + shifts)
    nodes = corpus.nodes
    if nodes is not None:
        shifts = np.repeat(shift[nodes.row], np.diff(nodes.first))
        nodes = replace(nodes, token=nodes.token + shifts)
    return replace(corpus, nodes=nodes, **columns)  # type: ignore[arg-type]
