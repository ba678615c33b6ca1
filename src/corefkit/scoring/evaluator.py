"""Evaluator: scores for training loops, from lists of clusters, one document at a time."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from threading import RLock
from typing import TYPE_CHECKING, Any, Literal

from corefkit.data.counts import Counts, add
from corefkit.data.incidents import Incident, make_incident
from corefkit.data.options import UsageError
from corefkit.metrics import get
from corefkit.metrics.base import MatchedMetric, Metrics
from corefkit.profiles import make_options
from corefkit.scoring.plain_documents import (
    Clusters,
    PlainDocuments,
    UniqueClusters,
    each_once,
    listed_clusters,
)
from corefkit.scoring.scores import Scores

if TYPE_CHECKING:
    from corefkit.scoring.annotated_documents import AnnotatedDocuments, Bridging, Plurals
    from corefkit.scoring.span_evaluation import SpanDocuments

_LEFT = ("corefud", "corefud-1.1")
"""Policies for repeated mentions that see all copies: nothing is removed before."""

_BESIDES = ("nonreferring", "bridging")
"""Metrics that count what is annotated besides chains; any mention will do."""

_ENOUGH = 1 << 20
"""So many mentions wait before they are counted: fewer at once cost time, more cost memory."""


class Evaluator:
    """Gathers documents and scores them together.

    Mentions are the same when they are equal. Of a mention that one side has twice the first copy
    counts, in the order of the lists (`duplicates:listed` in the signature). Evaluators can be
    pickled, sent elsewhere and merged: each shard counts its documents, their sum is the answer.
    Threads may share one.

    >>> evaluator = Evaluator("muc,bcub,ceafe,conll")
    >>> evaluator.update([[(0, 1), (4, 4)], [(6, 6), (8, 9)]], [[(0, 1), (4, 4), (8, 9)]])
    Evaluator(1 document)
    >>> evaluator.scores()["muc"]
    Score(f1=0.5, recall=0.5, precision=0.5, counts={'recall': [1, 2], 'precision': [1, 2]})
    """

    def __init__(
        self,
        metrics: Metrics | None = None,
        *,
        profile: str = "standard",
        singletons: Literal["keep", "drop", "e2e"] | None = None,
        match: str | None = None,
    ) -> None:
        """`metrics` as in `corefkit.score`; `singletons` is "keep" or "drop".

        With `match` "head" or "partial", and in the profiles of corefud-scorer, mentions are
        tuples (start, end, head), both ends included; of one token also (start, end).

        Profiles that settle repeated spans by the order of brackets need files, and scores for
        applications need tags: UsageError.
        """
        options = make_options(metrics, profile, singletons=singletons, match=match)
        if options.duplicates not in ("first", *_LEFT):
            raise UsageError(f"the profile {profile} needs files: use corefkit.score")
        if unfit := next(iter(options.applications), None):
            raise UsageError(f"{unfit} needs tags, which files have: use corefkit.score")
        listed = options.duplicates == "first"
        self._options = replace(options, duplicates="listed") if listed else options
        self._lock = RLock()
        self.reset()

    def reset(self) -> None:
        """Forget all documents, e.g. at the start of an epoch."""
        with self._lock:
            self._counted: list[Counts] = []
            self._names: list[str] = []
            self._incidents: list[Incident] = []
            self._make_room()

    def _make_room(self) -> None:
        """Room for the next documents: plain ones wait, or annotated ones, never both."""
        self._waiting = self._wait()
        self._annotated: AnnotatedDocuments | None = None
        if any(name in self._options.metrics for name in _BESIDES):
            self._annotated = self._annotated_room()

    def _annotated_room(self) -> "AnnotatedDocuments":
        from corefkit.scoring.annotated_documents import AnnotatedDocuments

        of_spans = not isinstance(self._waiting, PlainDocuments)
        return AnnotatedDocuments(self._options, of_spans=of_spans)

    def _wait(self) -> "PlainDocuments | SpanDocuments":
        """Room for documents: mentions as they are, or spans where their shape matters."""
        options = self._options
        shaped = (isinstance(get(n), MatchedMetric) for n in options.metrics if n not in _BESIDES)
        if any(shaped) or options.match != "exact" or options.duplicates in _LEFT:
            from corefkit.scoring.span_evaluation import SpanDocuments

            return SpanDocuments(options)
        return PlainDocuments(options)

    def update(  # noqa: PLR0913 (as many as there are things to say of a document)
        self,
        key_clusters: Clusters,
        response_clusters: Clusters,
        *,
        document: str | None = None,
        split: "tuple[Plurals, Plurals] | None" = None,
        nonreferring: tuple[Iterable[Hashable], Iterable[Hashable]] | None = None,
        bridging: "tuple[Bridging, Bridging] | None" = None,
    ) -> "Evaluator":
        """Add one document; its name is for `scores().by(…)`, by default its number from 0.

        Documents of merged evaluators that have the same name are one group there: give names.

        What is annotated besides chains is given for the key and for the response:
        `split` has the split antecedents, `{2: [0, 1]}` where cluster 2 is made of the entities of
        clusters 0 and 1 (from 0, in the order of the lists, non-referring mentions behind them);
        `nonreferring` the mentions that refer to nothing and are in no cluster; `bridging` anchors
        by anaphors, mentions both.
        The metrics `nonreferring` and `bridging` must be given what they count: UsageError.
        """
        if document is not None and not isinstance(document, str):
            raise TypeError(f"document: a name is a str, not {document!r}")
        if split is nonreferring is bridging is None and self._annotated is None:
            return self._add([self._sides(key_clusters, response_clusters)], document)
        besides = {"split": split, "nonreferring": nonreferring, "bridging": bridging}
        self._check_besides(besides)
        if all(given is None for given in besides.values()):
            return self._add([self._sides(key_clusters, response_clusters)], document)
        return self._add_annotated((key_clusters, response_clusters), besides, document)

    def _check_besides(self, given: Mapping[str, Any]) -> None:
        """UsageError for a metric that counts what was not given; TypeError for no pair."""
        for name in _BESIDES:
            if name in self._options.metrics and given.get(name) is None:
                raise UsageError(
                    f"{name}: an Evaluator counts what `update` is given: {name}=(key, response)"
                )
        for name, pair in given.items():
            if pair is not None and not (isinstance(pair, (tuple, list)) and len(pair) == 2):
                raise TypeError(f"{name}: a pair, of the key and of the response, not {pair!r:.60}")

    def _add_annotated(
        self, clusters: tuple[Clusters, Clusters], besides: Mapping[str, Any], name: str | None
    ) -> "Evaluator":
        """Add a document with more than chains; such are counted with others of the kind."""
        from corefkit.scoring.annotated_documents import annotated

        sides = []
        for number, listed in enumerate(map(listed_clusters, clusters)):
            parts = [None if pair is None else pair[number] for pair in besides.values()]
            sides.append(annotated(listed, *parts))
        copies = [each_once(side.clusters, 1).copies for side in sides]
        with self._lock:
            room = self._annotated_room() if self._annotated is None else self._annotated
            room.check(*sides)
            if self._annotated is None:
                self._count()
                self._annotated = room
            room.add(*sides)
            self._name(name, copies)
            if len(room) > _ENOUGH:
                self._count()
        return self

    def update_batch(
        self, key_documents: Iterable[Clusters], response_documents: Iterable[Clusters]
    ) -> "Evaluator":
        """Add several documents, e.g. a batch; the two lists are equally long.

        Where one of them is wrong, none is added.
        """
        keys, responses = list(key_documents), list(response_documents)
        if len(keys) != len(responses):
            raise ValueError(f"{len(keys)} key documents but {len(responses)} response documents")
        self._check_besides({})
        return self._add([self._sides(k, r) for k, r in zip(keys, responses, strict=True)])

    def _sides(self, key: Clusters, response: Clusters) -> "tuple[UniqueClusters, UniqueClusters]":
        """The clusters as they can be added; TypeError or ValueError where they are none."""
        if self._options.duplicates in _LEFT:
            sides = (
                UniqueClusters(listed_clusters(key), 0),
                UniqueClusters(listed_clusters(response), 0),
            )
        else:
            smallest = 2 if self._options.singletons == "drop" else 1
            sides = each_once(key, smallest), each_once(response, smallest)
        self._waiting.check(sides[0].clusters, sides[1].clusters)
        return sides

    def _add(
        self,
        documents: "Sequence[tuple[UniqueClusters, UniqueClusters]]",
        name: str | None = None,
    ) -> "Evaluator":
        with self._lock:
            if self._annotated is not None:
                self._count()
            for sides in documents:
                self._waiting.add(sides[0].clusters, sides[1].clusters)
                self._name(name, [side.copies for side in sides])
                if len(self._waiting) > _ENOUGH:
                    self._count()
        return self

    def _name(self, name: str | None, copies: Sequence[int]) -> None:
        """Note the name of a document that was added, and how many mentions it has twice."""
        called = str(len(self)) if name is None else name
        if self._options.duplicates not in _LEFT:
            for side, number in zip(("key", "response"), copies, strict=True):
                if number:
                    self._incidents.append(_repeated(side, number, called))
        self._names.append(called)

    def empty(self) -> "Evaluator":
        """Another evaluator with the same options and no documents."""
        new = Evaluator.__new__(Evaluator)
        new._options, new._lock = self._options, RLock()
        new.reset()
        return new

    def merge(self, other: "Evaluator") -> "Evaluator":
        """Add all documents of another evaluator with the same options, which stays as it is."""
        if not isinstance(other, Evaluator):
            raise TypeError(f"only an Evaluator can be merged, not {other!r}")
        if self._options != other._options:
            raise ValueError("only evaluators with the same metrics and options can be merged")
        theirs = other.scores()  # under its own lock: two that merge each other do not wait
        with self._lock:
            self._count()
            self._counted.append(theirs.counts)
            self._names += theirs.counts.documents
            self._incidents += theirs.incidents
        return self

    def scores(self) -> Scores:
        """The scores of all documents so far; more can be added afterwards."""
        with self._lock:
            self._count()
            counts = add(self._counted)
            self._counted = [counts]
            named = Counts(tuple(self._names), counts.tables)
            return Scores(self._options, named, tuple(self._incidents))

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            self._count()
            return {name: value for name, value in vars(self).items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock = RLock()

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"Evaluator({len(self):,} document{'s' * (len(self) != 1)})"

    def _count(self) -> None:
        """Count what waits; at least once, so that there is something to add up."""
        waiting = self._waiting if self._annotated is None else self._annotated
        if waiting.documents or not self._counted:
            names = self._names[len(self._names) - waiting.documents :]
            self._counted.append(waiting.count(names))
            self._make_room()


def _repeated(side: str, copies: int, document: str) -> Incident:
    return make_incident(
        "span-in-two-entities",
        "listed",
        side=side,
        number=copies,
        document=document,
        expected="each mention once",
    )
