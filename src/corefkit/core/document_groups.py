"""Groups of documents that count as one: a topic, or the whole corpus.

Entities whose ids hold over documents are united in a group; mentions stand one document after the
other.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from corefkit.core.arrays import EMPTY, IntArray, distinct, ranks_of
from corefkit.core.corpus import Corpus


class DocumentGroups(NamedTuple):
    """Which documents are one: the names of the groups, and int64 (documents,) the group of each.

    A document that is not scored belongs to none: −1.
    """

    names: tuple[str, ...]
    of_document: IntArray


def join_groups(corpus: Corpus, groups: DocumentGroups, begin: IntArray | None) -> Corpus:
    """The corpus with groups as documents, and entities of one label in a group as one.

    `begin`, int64 (documents,), is where each document begins in its group; None leaves mentions
    where they are. Lengths of the groups, files, links and trees are left out.
    """
    label = corpus._label_column
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
        _begin=EMPTY,
    )


def _moved(corpus: Corpus, by: IntArray) -> Corpus:
    """The corpus with each mention, its head and its minimum span so many tokens further on."""
    columns = {"start": corpus.start + by, "end": corpus.end + by}
    for name in ("head", "minimum"):
        if (tokens := getattr(corpus, name)) is not None:
            far = by if tokens.ndim == 1 else by[:, None]
            columns[name] = np.where(tokens < 0, tokens, tokens + far)
    parts = corpus.parts
    if parts is not None:
        far = np.repeat(by[parts.row], np.diff(parts.first))
        parts = replace(parts, token=parts.token + far)
    return replace(corpus, parts=parts, **columns)  # type: ignore[arg-type]
