"""Which well-known key is this? Fingerprints of documents, compared with a table of hashes.

The fingerprint of a document is made of the places of its mentions and of nothing else: names and
words play no part, so that renamed, masked and re-written files are recognised. The table is made
from the corpora by `tools/fingerprint.py`; hashes say nothing about texts or annotations.
"""

import json
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.arrays import tuples
from corefkit.core.corpus import Corpus

LEAST_MENTIONS = 5
"""Smaller documents are too much alike."""
LEAST_DOCUMENTS = 3
"""So many documents must agree, at least."""
WIDTH = 16
"""How many hexadecimal digits of the hash are kept: 8 bytes."""


class KnownCorpus(NamedTuple):
    """A key that is in the table.

    Attributes:
        id: a short name for programs.
        name: what people call it.
        split: train, development or test, or empty.
        documents: how many of its documents were found, and how many there are.
        differ: how many documents of the file are not in it.
        note: what to know before scoring against it, or None.
    """

    id: str
    name: str
    split: str
    documents: tuple[int, int]
    differ: int
    note: str | None

    def to_dict(self) -> dict[str, Any]:
        """The field `known` of the JSON output."""
        return {
            "name": self.name,
            "documents": list(self.documents),
            "differ": self.differ,
            "note": self.note,
        }

    def __str__(self) -> str:
        recognised, there = self.documents
        more = f", {self.differ} others" if self.differ else ""
        note = f"; {self.note}" if self.note else ""
        return f"{self.name} ({recognised} of {there} documents{more}){note}"


def recognise(corpus: Corpus) -> KnownCorpus | None:
    """The known key with which most documents agree, at least half of either side; else None."""
    large = int((np.bincount(corpus.document) >= LEAST_MENTIONS).sum())
    if not LEAST_DOCUMENTS <= large <= 2 * max(len(e["documents"]) // WIDTH for e in table()):
        return None
    prints = list(fingerprints(corpus))
    best: KnownCorpus | None = None
    for entry in table():
        known = {
            entry["documents"][start : start + WIDTH]
            for start in range(0, len(entry["documents"]), WIDTH)
        }
        common = len(known.intersection(prints))
        differ = sum(one not in known for one in prints)
        enough = 2 * common >= len(known) and 2 * (len(prints) - differ) >= len(prints)
        if common >= LEAST_DOCUMENTS and enough and (best is None or common > best.documents[0]):
            best = KnownCorpus(
                entry["id"],
                entry["name"],
                entry.get("split", ""),
                (common, len(known)),
                differ,
                entry.get("note"),
            )
    return best


def fingerprints(corpus: Corpus) -> Iterator[str]:
    """The fingerprint of each document that is large enough, in the order of the documents.

    >>> corpus = Corpus.from_clusters({"tale": [[(0, 0), (3, 4)], [(1, 1), (6, 6), (8, 8)]]})
    >>> list(fingerprints(corpus))
    ['15067f73e9572053']
    """
    entities: list[dict[int, list[tuple[int, int]]]] = [{} for _ in corpus.names]
    columns = (corpus.document, corpus.entity, corpus.start, corpus.end)
    for document, entity, start, end in tuples(*columns):
        entities[document].setdefault(entity, []).append((start, end))
    for clusters in entities:
        if sum(map(len, clusters.values())) >= LEAST_MENTIONS:
            listed = sorted(sorted(cluster) for cluster in clusters.values())
            text = ";".join(",".join(f"{s}-{e}" for s, e in cluster) for cluster in listed)
            yield sha256(text.encode()).hexdigest()[:WIDTH]


@cache
def table() -> list[dict[str, Any]]:
    """The known keys: id, name, split, note, and the fingerprints of their documents, joined."""
    text = (files("corefkit.corpora") / "fingerprints.json").read_text(encoding="utf-8")
    entries: list[dict[str, Any]] = json.loads(text)
    return entries
