"""Evaluator: scores for training loops, from lists of clusters, one document at a time."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache
from threading import RLock
from typing import Any

from corefkit.core.carriers import frozen
from corefkit.core.counts import Counts, add
from corefkit.core.incidents import DataError, Incident, make_incident
from corefkit.core.options import (
    AveragePolicy,
    DuplicatesPolicy,
    Options,
    SingletonsPolicy,
    UsageError,
)
from corefkit.core.texts import quote
from corefkit.metrics import get
from corefkit.metrics.base import MatchedMetric, Metrics
from corefkit.scorers import make_options, scorer_for
from corefkit.scoring.evaluator_documents import (
    Bridging,
    Clusters,
    ListedDocument,
    SplitClusters,
    check_copies,
    count_documents,
    make_document,
)
from corefkit.scoring.scores import Scores

_ANNOTATION_METRICS = ("nonreferring", "bridging")
"""Metrics that count annotations other than clusters; their mentions may have any shape."""

_OF_ALL = frozenset({"mentions-unmatched", "no-mention", "no-document", "document-twice"})
"""Incidents about all documents together."""

_NAMED = 5
"""How many of the documents that were given twice are named; the others are counted."""

_FLUSH_AT = 1 << 20
"""Documents are counted when their responses have more mentions, and pairs of copies, than this:
counting fewer at once costs time, keeping more costs memory."""


class Evaluator:
    """Collects documents and scores them together.

    Mentions match when they are equal. Where one side has a mention twice, the first copy counts,
    in the order of the lists (`duplicates:listed` in the signature), unless the profile says
    otherwise. Evaluators can be pickled, sent elsewhere and merged: each shard counts its own
    documents, and the counts add up. Several threads may share one evaluator.

    >>> evaluator = Evaluator("muc,bcub,ceafe,conll")
    >>> evaluator.update([[(0, 1), (4, 4)], [(6, 6), (8, 9)]], [[(0, 1), (4, 4), (8, 9)]])
    Evaluator(1 document)
    >>> evaluator.scores()["muc"]
    Score(f1=0.5, recall=0.5, precision=0.5, counts={'recall': [1, 2], 'precision': [1, 2]})
    """

    def __init__(  # noqa: PLR0913 (as many as there are options)
        self,
        metrics: Metrics | None = None,
        *,
        profile: str = "standard",
        singletons: SingletonsPolicy | None = None,
        match: str | None = None,
        average: AveragePolicy | None = None,
        duplicates: DuplicatesPolicy | None = None,
        strict: bool = False,
    ) -> None:
        """Metrics, profile and policies are those of `corefkit.score`.

        With `match` "head" or "partial", and in the profiles of corefud-scorer, mentions are
        tuples (start, end, head), both ends included; for one token (start, end) is enough. With
        `duplicates` "first", the copy that comes first in the text, they are (start, end).
        `strict` refuses documents in which a mention occurs twice.

        Raises UsageError for profiles that decide between repeated spans by the order of brackets,
        which need files, and for application scores, which need tags.
        """
        policies: dict[str, str | None] = {
            "singletons": singletons,
            "match": match,
            "average": average,
            "duplicates": duplicates,
        }
        if isinstance(metrics, str | None):
            self._rules = _known_rules(metrics, profile, strict, *policies.items())
        else:  # one of them may be new
            self._rules = _make_rules(metrics, profile, strict, policies)
        self._options = self._rules.options
        self._lock = RLock()
        self.reset()

    def reset(self) -> None:
        """Forget all documents, e.g. at the start of an epoch."""
        with self._lock:
            self._counted: list[Counts] = []
            self._names: list[str] = []
            self._given: Counter[str] = Counter()  # names that users gave; numbers may recur
            self._incidents: list[Incident] = []
            self._waiting: list[ListedDocument] = []
            self._mentions = 0

    def update(  # noqa: PLR0913 (one per kind of annotation)
        self,
        key_clusters: Clusters,
        response_clusters: Clusters,
        *,
        document: str | None = None,
        split: tuple[SplitClusters, SplitClusters] | None = None,
        nonreferring: tuple[Iterable[Hashable], Iterable[Hashable]] | None = None,
        bridging: tuple[Bridging, Bridging] | None = None,
    ) -> "Evaluator":
        """Add one document; `document` is its name in `scores().by(…)`, by default its number.

        In `by`, documents with the same name are one group: give names where evaluators will be
        merged. A name that was given twice counts twice, and is a warning among the incidents of
        the scores. Mentions that are lists, as in JSON, are treated as tuples.

        Annotations other than clusters are pairs, for the key and for the response:
        `split` has the split antecedents, e.g. `{2: [0, 1]}` where cluster 2 is made of the
        entities of clusters 0 and 1 (numbered from 0 in the order of the lists, non-referring
        mentions after them); `nonreferring` has the mentions that do not refer, which are in no
        cluster; `bridging` maps anaphors to anchors, both of them mentions.
        The metrics `nonreferring` and `bridging` raise UsageError where these are not given.
        """
        if document is not None and not isinstance(document, str):
            raise TypeError(f"document: a name is a str, not {document!r}")
        annotations = {"split": split, "nonreferring": nonreferring, "bridging": bridging}
        checked = self._document(key_clusters, response_clusters, annotations, document)
        return self._add([checked], document)

    def _document(
        self,
        key: Clusters,
        response: Clusters,
        annotations: Mapping[str, Any],
        name: str | None = None,
    ) -> ListedDocument:
        """The document, checked; TypeError, ValueError, UsageError or DataError where it cannot be
        added.
        """
        self._check_annotations(annotations)
        document = make_document(
            key, response, annotations, self._options, of_spans=self._rules.of_spans
        )
        if self._options.refuses("copies") and any(side.copies for side in document):
            raise DataError(self._copies(document, None))
        if self._rules.keeps_copies and all(side.copies for side in document):
            check_copies(scorer_for(self._options), document, name or "")
        return document

    def _check_annotations(self, annotations: Mapping[str, Any]) -> None:
        """Raise UsageError where a metric lacks its annotation, TypeError if one is not a pair."""
        for name in _ANNOTATION_METRICS:
            if name in self._options.metrics and annotations.get(name) is None:
                raise UsageError(
                    f"{name}: an Evaluator counts what `update` is given: {name}=(key, response)"
                )
        for name, pair in annotations.items():
            if pair is not None and not (isinstance(pair, (tuple, list)) and len(pair) == 2):
                raise TypeError(f"{name} must be a pair of key and response, not {pair!r:.60}")

    def update_batch(
        self, key_documents: Iterable[Clusters], response_documents: Iterable[Clusters]
    ) -> "Evaluator":
        """Add several documents, e.g. a batch; the two lists must have the same length.

        Where one document cannot be added, none is.
        """
        for documents in (key_documents, response_documents):
            if isinstance(documents, (str, bytes, Mapping)) or not isinstance(documents, Iterable):
                raise TypeError(f"documents are given as a list, not {documents!r:.60}")
        keys, responses = list(key_documents), list(response_documents)
        if len(keys) != len(responses):
            raise ValueError(f"{len(keys)} key documents but {len(responses)} response documents")
        self._check_annotations({})
        return self._add([self._document(k, r, {}) for k, r in zip(keys, responses, strict=True)])

    def _add(self, documents: Sequence[ListedDocument], name: str | None = None) -> "Evaluator":
        with self._lock:
            for document in documents:
                self._names.append(str(len(self)) if name is None else name)
                self._given.update([] if name is None else [name])
                self._waiting.append(document)
                key, response = document
                self._mentions += len(response.mentions) + key.copies * response.copies
                if not self._rules.keeps_copies:
                    self._incidents += self._copies(document, self._names[-1])
                if self._mentions > _FLUSH_AT:
                    self._count()
        return self

    def _copies(self, document: ListedDocument, name: str | None) -> list[Incident]:
        """An incident for each side of a document that repeats a mention."""
        return [
            make_incident(
                "span-in-two-entities",
                "listed",
                severity="error" if self._options.refuses("copies") else None,
                side=role,
                number=side.copies,
                document=name,
                expected="each mention once",
            )
            for role, side in zip(("key", "response"), document, strict=True)
            if side.copies
        ]

    def empty(self) -> "Evaluator":
        """A new evaluator with the same options and no documents."""
        new = Evaluator.__new__(Evaluator)
        vars(new).update(vars(self), _lock=RLock())
        new.reset()
        return new

    def merge(self, other: "Evaluator") -> "Evaluator":
        """Add all documents of another evaluator with the same options, which keeps them.

        Raises ValueError, which names the options that differ, if these are not the same.
        """
        if not isinstance(other, Evaluator):
            raise TypeError(f"only an Evaluator can be merged, not {other!r}")
        if self._options != other._options:
            raise ValueError(
                "only evaluators with the same metrics and options can be merged; these differ: "
                + ", ".join(_differing(self._options, other._options))
            )
        added = other.scores()  # before our own lock: no deadlock where two merge each other
        with self._lock:
            self._count()
            self._counted.append(added.counts)
            self._names += added.counts.documents
            self._given.update(other._given)
            # What holds of all documents together is checked again.
            self._incidents += [i for i in added.incidents if i.id not in _OF_ALL]
        return self

    def scores(self) -> Scores:
        """The scores of all documents so far; more documents can be added afterwards.

        Their incidents warn where there is no document, and where one was given twice.
        """
        with self._lock:
            self._count()
            counts = add(self._counted)
            self._counted = [counts]
            checked = scorer_for(self._options).check_matches(counts, listed=True)
            incidents = (*self._incidents, *self._of_documents(), *checked)
            return Scores(self._options, counts, incidents)

    def _of_documents(self) -> list[Incident]:
        """A warning where there is no document, and one where names were given twice."""
        if not len(self):
            return [make_incident("no-document", "evaluator", severity="warning")]
        repeated = [name for name, number in self._given.items() if number > 1]
        if not repeated:
            return []
        shown = ", ".join(map(quote, repeated[:_NAMED]))
        more = f" and {len(repeated) - _NAMED:,} more" if len(repeated) > _NAMED else ""
        return [
            make_incident(
                "document-twice",
                "evaluator",
                severity="warning",
                number=len(repeated),
                found=f"{shown}{more}",
            )
        ]

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
        """Count the waiting documents; at least once, so that all metrics have columns."""
        if self._waiting or not self._counted:
            names = self._names[len(self) - len(self._waiting) :]
            scorer = scorer_for(self._options)
            self._counted.append(count_documents(scorer, self._waiting, names))
            self._waiting, self._mentions = [], 0


def _differing(one: Options, other: Options) -> list[str]:
    """The options that differ, with both values.

    >>> _differing(Options(singletons="drop"), Options(singletons="keep"))
    ["singletons ('drop', 'keep')"]
    """
    names = [field.name for field in fields(one)]
    values = [(name, getattr(one, name), getattr(other, name)) for name in names]
    return [f"{name} ({first!r}, {second!r})" for name, first, second in values if first != second]


@frozen(eq=False)
class _Rules:
    """How an Evaluator with certain options reads and counts documents.

    Attributes:
        options: metrics and policies.
        keeps_copies: whether repeated mentions are kept, for a scorer with its own counting.
        of_spans: whether mentions must be spans, (start, end) or (start, end, head).
    """

    options: Options
    keeps_copies: bool
    of_spans: bool


def _make_rules(
    metrics: Metrics | None, profile: str, strict: bool, policies: Mapping[str, Any]
) -> _Rules:
    """The rules for these choices; UsageError where they need what only files have."""
    options = make_options(metrics, profile, strict=strict, **policies)
    scorer = scorer_for(options)
    if scorer.needs_files:
        raise UsageError(f"the profile {profile} needs files: use corefkit.score")
    if unfit := next(iter(options.applications), None):
        raise UsageError(f"{unfit} needs tags, which files have: use corefkit.score")
    scorer.check_matching()
    if options.match == "mina":
        raise UsageError("match mina: an Evaluator has no parse trees; score files instead")
    keeps_copies = scorer.keeps_copies
    matched = (
        isinstance(get(name), MatchedMetric)
        for name in options.metrics
        if name not in _ANNOTATION_METRICS
    )
    of_spans = options.match != "exact" or scorer.needs_spans or any(matched)
    if policies["duplicates"] is None and not keeps_copies:
        options = replace(options, duplicates="listed")
    of_spans = of_spans or policies["duplicates"] == "first"
    return _Rules(options, keeps_copies, of_spans)


@cache
def _known_rules(
    metrics: str | None, profile: str, strict: bool, *policies: tuple[str, str | None]
) -> _Rules:
    """The rules for these choices, cached: making them takes longer than a small document does."""
    return _make_rules(metrics, profile, strict, dict(policies))
