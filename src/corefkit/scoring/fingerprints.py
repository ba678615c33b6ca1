"""Which well-known key is this? Fingerprints of documents, compared with a table of hashes.

The fingerprint of a document depends only on the spans and entities of its mentions, not on names
or words, so that renamed, masked and rewritten files are recognised. `tools/fingerprint.py` makes
the table from the corpora; hashes reveal nothing about texts or annotations.
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
"""Documents with fewer mentions are too similar to have a fingerprint."""
LEAST_DOCUMENTS = 3
"""The fewest documents that must agree."""
WIDTH = 16
"""The hexadecimal digits of a hash that are kept: 8 bytes."""


class KnownCorpus(NamedTuple):
    """A key that is in the table.

    Attributes:
        id: a short name for programs.
        name: its usual name.
        split: "train", "development", "test", or empty.
        documents: how many of its fingerprints were recognised, and how many it has.
        differ: how many documents of the file are not in it.
        note: a warning for those who score against it, or None.
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
        recognised, total = self.documents
        others = f", {self.differ} others" if self.differ else ""
        note = f"; {self.note}" if self.note else ""
        return f"{self.name} ({recognised} of {total} documents{others}){note}"


def recognise(corpus: Corpus) -> KnownCorpus | None:
    """The known key with which most documents agree.

    None where no key agrees in at least half of its documents and half of those of the corpus.
    """
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
        differ = sum(fingerprint not in known for fingerprint in prints)
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
    """The fingerprint of each document with at least `LEAST_MENTIONS` mentions, in order.

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
    """The known keys: id, name, split, note, and the concatenated fingerprints of documents."""
    text = (files("corefkit.scoring") / "fingerprints.json").read_text(encoding="utf-8")
    entries: list[dict[str, Any]] = json.loads(text)
    return entries
