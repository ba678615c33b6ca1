"""Several corpora as one."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.dependencies import Dependencies
from corefkit.data.links import Links
from corefkit.data.ragged import Ragged

_MISSING = {"zero": 0, "head": -2, "head_zero": 0, "minimum": -1, "referring": True, "alike": -1}
"""What stands for the rows of a corpus that lacks an optional column which another one has."""


def concat(corpora: Sequence[Corpus]) -> Corpus:
    """Several corpora as one, documents in order."""
    if len(corpora) == 1:
        return corpora[0]
    if len({c.unit for c in corpora}) > 1:
        raise ValueError(
            "corpora that count tokens cannot be joined with ones that count characters"
        )
    sizes = [(len(c.names), c.entities, c.mentions) for c in corpora]
    before = np.cumsum([(0, 0, 0), *sizes[:-1]], axis=0).tolist()
    shifted = [(c, *first) for c, first in zip(corpora, before, strict=True)]
    placed = all(len(c.byte) == c.mentions for c in corpora)
    columns: dict[str, Any] = {
        "document": np.concatenate([c.document + first for c, first, _, _ in shifted]),
        "entity": np.concatenate([c.entity + first for c, _, first, _ in shifted]),
    }
    for name in ("tokens", "start", "end", "begin", *(("byte", "line") if placed else ())):
        columns[name] = np.concatenate([getattr(c, name) for c in corpora])
    for name, missing in _MISSING.items():
        if any(getattr(c, name) is not None for c in corpora):
            columns[name] = np.concatenate([_filled(c, name, missing) for c in corpora])
    return Corpus(
        names=tuple(name for c in corpora for name in c.names),
        labels=tuple(label for c in corpora for label in c.labels),
        sources=tuple(s.moved(first) for c, first, _, _ in shifted for s in c.sources),
        parts=Ragged.concat([(c.parts, first) for c, _, _, first in shifted]),
        dependencies=Dependencies.concat([(c.dependencies, first) for c, _, _, first in shifted]),
        links=Links.concat([(c.links, first, entity) for c, _, entity, first in shifted]),
        unit=corpora[0].unit,
        incidents=tuple(incident for c in corpora for incident in c.incidents),
        **columns,
    )


def _filled(corpus: Corpus, name: str, missing: int) -> Any:
    column = getattr(corpus, name)
    if column is not None:
        return column
    shape = (corpus.mentions, 2) if name == "minimum" else (corpus.mentions,)
    return np.full(shape, missing, dtype=np.bool_ if name == "referring" else np.int64)
