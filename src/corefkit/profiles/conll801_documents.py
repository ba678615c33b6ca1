"""Documents as the reference scorer sees them: entities as lists of numbered spans."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.corpus import Corpus
from corefkit.data.matching.exact import mention_codes

Chain = list[int]
"""An entity: the numbers of its spans in the order of completion, copies included."""


@dataclass(frozen=True)
class Document:
    """One document: entities in the order of their first brackets."""

    key: list[Chain]
    response: list[Chain]

    @cached_property
    def key_of(self) -> dict[int, list[int]]:
        """The key entities that list a span; the last one is the one it belongs to."""
        return listing(self.key)

    @cached_property
    def _key_copies(self) -> dict[int, list[int]]:
        """For each span the key entity of each of its copies, twice where one lists it twice."""
        return listing(self.key, copies=True)

    def listed_in(self, entity: Chain) -> Counter[int]:
        """For each key entity, how many of its members, copies included, this one lists."""
        return Counter(k for m in dict.fromkeys(entity) for k in self._key_copies.get(m, ()))

    @cached_property
    def shared(self) -> list[Counter[int]]:
        """For each response entity, how many of its members each key entity lists."""
        return [
            Counter(k for m in entity for k in self.key_of.get(m, ())) for entity in self.response
        ]


def make_documents(key: Corpus, response: Corpus) -> list[Document]:
    """The chains of all documents, equal spans with equal numbers on both sides."""
    ours, theirs = mention_codes(key, response)
    sides = zip(_chains(key, ours), _chains(response, theirs), strict=True)
    return [Document(k, r) for k, r in sides]


def _chains(corpus: Corpus, codes: IntArray) -> list[list[Chain]]:
    order = np.argsort(corpus.entity, kind="stable")
    spans = codes[order].tolist()
    ends = np.cumsum(corpus.entity_size).tolist()
    documents: list[list[Chain]] = [[] for _ in corpus.names]
    start = 0
    for document, end in zip(corpus.entity_document.tolist(), ends, strict=True):
        documents[document].append(spans[start:end])
        start = end
    return documents


def listing(entities: Sequence[Chain], *, copies: bool = False) -> dict[int, list[int]]:
    """For each span the entities that list it, in order; each once, or once for each copy."""
    found: dict[int, list[int]] = {}
    for number, entity in enumerate(entities):
        for span in entity if copies else dict.fromkeys(entity):
            found.setdefault(span, []).append(number)
    return found
