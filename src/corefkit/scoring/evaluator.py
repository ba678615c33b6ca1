"""Evaluator: scores for training loops, from lists of clusters, one document at a time."""

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from corefkit.data.arrays import IntArray
from corefkit.data.counts import Counts, add
from corefkit.data.incidents import Incident
from corefkit.data.options import UsageError
from corefkit.data.overlap import Entities, Overlap, overlap_of_cells
from corefkit.metrics import get
from corefkit.metrics.base import MatchedMetric
from corefkit.profiles import make_options
from corefkit.profiles.counting import count_in_overlap
from corefkit.scoring.scores import Scores

if TYPE_CHECKING:
    from corefkit.scoring.span_evaluation import SpanDocuments

Clusters = Iterable[Iterable[Hashable]]
"""The entities of one document; a mention is anything that can be hashed, e.g. (start, end)."""

_ENOUGH = 1 << 20
"""So many mentions wait before they are counted: fewer at once cost time, more cost memory."""


class Evaluator:
    """Gathers documents and scores them together.

    Mentions are the same when they are equal. Of a mention that one side has twice the first copy
    counts, in the order of the lists. Evaluators can be pickled, sent elsewhere and merged: each
    shard counts its documents, their sum is the answer.

    >>> evaluator = Evaluator("muc,bcub,ceafe,conll")
    >>> evaluator.update([[(0, 1), (4, 4)], [(6, 6), (8, 9)]], [[(0, 1), (4, 4), (8, 9)]])
    Evaluator(1 document)
    >>> evaluator.scores()["muc"]
    Score(f1=0.5, recall=0.5, precision=0.5, counts={'recall': [1, 2], 'precision': [1, 2]})
    """

    def __init__(
        self,
        metrics: str | Sequence[str] | None = None,
        *,
        profile: str = "standard",
        singletons: str | None = None,
        match: str | None = None,
    ) -> None:
        """`metrics` as in `corefkit.score`; `singletons` is "keep" or "drop".

        With `match` "head" or "partial", and in the profiles of corefud-scorer, mentions are
        tuples (start, end, head), both ends included; of one token also (start, end).

        Profiles that settle repeated spans by the order of brackets need files, and scores for
        applications need tags: UsageError.
        """
        self._options = make_options(metrics, profile, singletons=singletons, match=match)
        if self._options.duplicates not in ("first", "corefud", "corefud-1.1"):
            raise UsageError(f"the profile {profile} needs files: use corefkit.score")
        if unfit := next(iter(self._options.applications), None):
            raise UsageError(f"{unfit} needs tags, which files have: use corefkit.score")
        self.reset()

    def reset(self) -> None:
        """Forget all documents, e.g. at the start of an epoch."""
        self._counted: list[Counts] = []
        self._names: list[str] = []
        self._incidents: list[Incident] = []
        self._waiting = self._wait()

    def _wait(self) -> "_Waiting | SpanDocuments":
        """Room for documents: mentions as they are, or spans where their shape matters."""
        options = self._options
        of_spans = any(isinstance(get(name), MatchedMetric) for name in options.metrics)
        if of_spans or options.match != "exact" or options.duplicates != "first":
            from corefkit.scoring.span_evaluation import SpanDocuments

            return SpanDocuments(options)
        return _Waiting()

    def update(
        self, key_clusters: Clusters, response_clusters: Clusters, *, document: str | None = None
    ) -> "Evaluator":
        """Add one document; its name is for `scores().by(…)`, by default its number from 0.

        Documents of merged evaluators that have the same name are one group there: give names.
        """
        smallest = 2 if self._options.singletons == "drop" else 1
        first = self._options.duplicates == "first"
        name = str(len(self)) if document is None else document
        try:
            (key, key_copies), (response, response_copies) = (
                _distinct(clusters, smallest) if first else (list(map(tuple, clusters)), 0)
                for clusters in (key_clusters, response_clusters)
            )
            self._waiting.add(key, response)
        except TypeError as error:
            raise TypeError(
                f"clusters are lists of hashable mentions, e.g. (start, end) tuples: {error}"
            ) from None
        for side, copies in (("key", key_copies), ("response", response_copies)):
            if copies:
                self._incidents.append(_repeated(side, copies, name))
        self._names.append(name)
        if len(self._waiting) > _ENOUGH:
            self._count()
        return self

    def update_batch(
        self, key_documents: Iterable[Clusters], response_documents: Iterable[Clusters]
    ) -> "Evaluator":
        """Add several documents, e.g. a batch; the two lists are equally long."""
        keys, responses = list(key_documents), list(response_documents)
        if len(keys) != len(responses):
            raise ValueError(f"{len(keys)} key documents but {len(responses)} response documents")
        for key, response in zip(keys, responses, strict=True):
            self.update(key, response)
        return self

    def merge(self, other: "Evaluator") -> "Evaluator":
        """Add all documents of another evaluator with the same options, which stays as it is."""
        if self._options != other._options:
            raise ValueError("only evaluators with the same metrics and options can be merged")
        other._count()
        self._count()
        self._counted += other._counted
        self._names += other._names
        self._incidents += other._incidents
        return self

    def scores(self) -> Scores:
        """The scores of all documents so far; more can be added afterwards."""
        self._count()
        counts = add(self._counted)
        self._counted = [counts]
        named = Counts(tuple(self._names), counts.tables)
        return Scores(self._options, named, tuple(self._incidents))

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"Evaluator({len(self):,} document{'s' * (len(self) != 1)})"

    def _count(self) -> None:
        """Count what waits; at least once, so that there is something to add up."""
        if self._waiting.documents or not self._counted:
            names = self._names[len(self._names) - self._waiting.documents :]
            if isinstance(self._waiting, _Waiting):
                overlap = self._waiting.overlap()
                self._counted.append(count_in_overlap(overlap, self._options, names))
            else:
                self._counted.append(self._waiting.count(names))
            self._waiting = self._wait()


class _Waiting:
    """Documents that are matched but not yet counted, as flat lists of numbers.

    Attributes:
        documents: how many.
        key_sizes, response_sizes: the sizes of all entities.
        key_entities, response_entities: how many entities each document has.
        partner: for each response mention the key entity that has it, counted from the first
            entity of the first document, or −1.
    """

    def __init__(self) -> None:
        self.documents = 0
        self.key_sizes: list[int] = []
        self.key_entities: list[int] = []
        self.response_sizes: list[int] = []
        self.response_entities: list[int] = []
        self.partner: list[int] = []

    def __len__(self) -> int:
        return len(self.partner)

    def add(
        self, key: Sequence[Sequence[Hashable]], response: Sequence[Sequence[Hashable]]
    ) -> None:
        entity_of: dict[Hashable, int] = {}
        for entity, mentions in enumerate(key, len(self.key_sizes)):
            entity_of.update(dict.fromkeys(mentions, entity))
        find = entity_of.get
        self.partner += [find(mention, -1) for mention in chain.from_iterable(response)]
        self.key_sizes += map(len, key)
        self.key_entities.append(len(key))
        self.response_sizes += map(len, response)
        self.response_entities.append(len(response))
        self.documents += 1

    def overlap(self) -> Overlap:
        key, response = (
            Entities(
                np.repeat(np.arange(self.documents), np.array(entities, dtype=np.int64)),
                np.array(sizes, dtype=np.int64),
            )
            for entities, sizes in (
                (self.key_entities, self.key_sizes),
                (self.response_entities, self.response_sizes),
            )
        )
        partner: IntArray = np.array(self.partner, dtype=np.int64)
        entity = np.repeat(np.arange(len(response.size)), response.size)
        common = partner >= 0
        cells = partner[common] * max(len(response.size), 1) + entity[common]
        return overlap_of_cells(self.documents, key, response, cells)


def _repeated(side: str, copies: int, document: str) -> Incident:
    return Incident(
        "span-in-two-entities",
        "warning",
        f"the {side} has {copies:,} mention(s) more than once",
        document=document,
        expected="each mention once",
        hint="the first copy counts, in the order of the lists",
    )


def _distinct(clusters: Clusters, smallest: int) -> tuple[list[tuple[Hashable, ...]], int]:
    """The clusters with each mention once, the first copy; those left too small are gone.

    Also how many copies were dropped.
    """
    copies = 0
    listed = [tuple(cluster) for cluster in clusters]
    if len(set(chain.from_iterable(listed))) != sum(map(len, listed)):
        copies = sum(map(len, listed)) - len(set(chain.from_iterable(listed)))
        seen: set[Hashable] = set()
        for place, cluster in enumerate(listed):
            listed[place] = tuple(m for m in dict.fromkeys(cluster) if m not in seen)
            seen.update(cluster)
    return [cluster for cluster in listed if len(cluster) >= smallest], copies
