"""Agreement between annotators: every metric for each pair of them, α for all of them together."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from corefkit import metrics
from corefkit.data.arrays import BoolArray
from corefkit.data.corpus import Corpus
from corefkit.data.groups import genre
from corefkit.data.incidents import DataError, Incident, errors
from corefkit.data.matched import Matched
from corefkit.data.matching import match
from corefkit.data.options import Options, UsageError
from corefkit.profiles.counting import count
from corefkit.scoring.check import pair as check_pair
from corefkit.scoring.prepare import align
from corefkit.scoring.run import Readable, Side, make_side, system_names
from corefkit.scoring.scores import Scores
from corefkit.stats.alpha import AlphaCounts, count_alpha

SAMPLES, SEED = 1000, 0
Interval = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Annotator:
    """One annotator: `corpus` with the documents of all of them, `present` tells its own."""

    name: str
    side: Side
    corpus: Corpus
    present: BoolArray


@dataclass(frozen=True, eq=False)
class Pair:
    """Two annotators over the documents that both have; None where they cannot be compared."""

    a: str
    b: str
    scores: Scores | None
    alpha: AlphaCounts | None
    incidents: tuple[Incident, ...] = ()

    def intervals(self, samples: int = SAMPLES, seed: int = SEED) -> dict[str, Interval]:
        """Bootstrap intervals of F1 over documents; none where there is only one document."""
        return f1_intervals(self.scores, samples, seed) if self.scores else {}

    def to_dict(self) -> dict[str, Any]:
        """The pair as it stands in the JSON output."""
        if self.scores is None or self.alpha is None:
            return {"a": self.a, "b": self.b, "scores": None, "alpha": None}
        return {
            "a": self.a,
            "b": self.b,
            "documents": len(self.scores.counts),
            "scores": self.scores.to_dict(),
            "intervals": {name: list(ends) for name, ends in self.intervals().items()},
            "alpha": self.alpha.alpha(),
            "alpha_interval": self.alpha.interval(),
            "groups": {
                name: {"scores": part.to_dict()} for name, part in self.scores.by("genre").items()
            },
        }


@dataclass(frozen=True, eq=False)
class Agreement:
    """All pairs of annotators, those with the adjudicated version, and α of the annotators."""

    annotators: tuple[Annotator, ...]
    adjudicated: Annotator | None
    pairs: tuple[Pair, ...]
    alpha: AlphaCounts | None
    incidents: tuple[Incident, ...]

    @property
    def documents(self) -> tuple[str, ...]:
        """The names of all documents that anyone annotated."""
        return self.annotators[0].corpus.names

    def marked_by(self) -> dict[int, int]:
        """How many mentions were marked by one annotator, by two, and so on.

        Documents that only one of them has, or that differ in length, are left out, as in α.
        """
        from corefkit.data.matching.exact import mention_codes

        corpora = [annotator.corpus for annotator in self.annotators]
        kept = self._comparable()
        codes = [
            code[kept[corpus.document]]
            for code, corpus in zip(mention_codes(*corpora), corpora, strict=True)
        ]
        times = np.unique(np.concatenate(codes), return_counts=True)[1]
        counts = np.bincount(times, minlength=len(self.annotators) + 1).tolist()
        return {number: counts[number] for number in range(1, len(self.annotators) + 1)}

    def _comparable(self) -> BoolArray:
        """bool (documents,): those that two or more have, all with the same number of tokens."""
        lengths: dict[str, set[int]] = {name: set() for name in self.documents}
        for annotator in self.annotators:
            corpus = annotator.side.corpus
            for name, tokens in zip(corpus.names, corpus.tokens.tolist(), strict=True):
                if tokens >= 0:
                    lengths[name].add(tokens)
        alike = np.array([len(found) < 2 for found in lengths.values()], dtype=bool)
        several: BoolArray = np.sum([a.present for a in self.annotators], axis=0) > 1
        return alike & several

    def alpha_by_genre(self) -> dict[str, float | None]:
        """α of the documents of each genre."""
        if self.alpha is None:
            return {}
        groups = np.array([genre(name) for name in self.documents])
        return {g: self.alpha.alpha(groups == g) for g in sorted(set(groups.tolist()))}

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `corefkit agree`."""
        return {
            "annotators": [annotator.name for annotator in self.annotators],
            "adjudicated": self.adjudicated.name if self.adjudicated else None,
            "documents": len(self.documents),
            "seed": SEED,
            "samples": SAMPLES,
            "pairs": [pair.to_dict() for pair in self.pairs],
            "alpha": self.alpha.alpha() if self.alpha else None,
            "alpha_interval": self.alpha.interval() if self.alpha else None,
            "groups": {name: {"alpha": value} for name, value in self.alpha_by_genre().items()},
            "mentions": {"marked_by": self.marked_by()},
        }


def agree(
    sources: Sequence[Readable],
    adjudicated: Readable | None = None,
    options: Options | None = None,
) -> Agreement:
    """Compare two or more annotators, and each of them with the adjudicated version.

    A document that an annotator does not have is not held against anybody: pairs are compared
    over the documents that both have. Raises DataError where a source cannot be read, UsageError
    for fewer than two sources and for application scores; a pair whose documents differ in length
    has no scores, and α is then None.

    >>> agreement = agree(["examples/key.conll", "examples/careful.conll"])
    >>> round(agreement.pairs[0].scores["muc"].f1, 4), round(agreement.alpha.alpha(), 4)
    (0.9115, 0.8565)
    """
    options = options or Options()
    if len(sources) < 2:
        raise UsageError("agreement needs two annotators or more")
    if odd := [name for name in options.metrics if name in metrics.VARIANTS]:
        raise UsageError(
            f"{', '.join(odd)}: application scores have a key and a response, and annotators are "
            "neither; use corefkit score"
        )
    everyone = [*sources, *([adjudicated] if adjudicated is not None else [])]
    sides = [make_side(source, options) for source in everyone]
    if wrong := [i for side in sides for i in side.incidents if i.severity == "error"]:
        raise DataError(wrong)
    names = system_names([side.path for side in sides])
    listed = _annotators(sides, names)
    own = listed[: len(sources)]
    judge = listed[-1] if adjudicated is not None else None
    wanted = [*combinations(own, 2), *((one, judge) for one in own if judge)]
    pairs = tuple(_pair(one, other, options) for one, other in wanted)
    alone = [i for p in pairs for i in p.incidents]
    comparable = all(p.scores for p in pairs[: len(own) * (len(own) - 1) // 2])
    counts = count_alpha([a.corpus for a in own], np.array([a.present for a in own]))
    return Agreement(
        own,
        judge,
        pairs,
        counts if comparable else None,
        (*(i for side in sides for i in side.incidents), *alone),
    )


def _annotators(sides: Sequence[Side], names: Sequence[str]) -> tuple[Annotator, ...]:
    """The annotators with their documents numbered alike."""
    documents = tuple(dict.fromkeys(name for side in sides for name in side.corpus.names))
    frame = Corpus.from_clusters({name: [] for name in documents})
    return tuple(
        Annotator(
            name,
            side,
            align(side.scored, frame),
            np.isin(np.array(documents), np.array(side.corpus.names)),
        )
        for side, name in zip(sides, names, strict=True)
    )


def _pair(one: Annotator, other: Annotator, options: Options) -> Pair:
    found = [
        _unshared(incident, one, other) if incident.id.startswith("document-") else incident
        for incident in check_pair(one.side.corpus, other.side.corpus, options)
        if incident.id != "no-common-document"
    ]
    both = one.present & other.present
    if not both.any():
        found.append(_nothing_shared(one, other))
    if errors(found):
        return Pair(one.name, other.name, None, None, tuple(found))
    pairs = match(one.corpus, other.corpus)
    counts = count(Matched(one.corpus, other.corpus, pairs), options).select(both)
    alpha = count_alpha([one.corpus, other.corpus], np.array([both, both]))
    return Pair(one.name, other.name, Scores(options, counts), alpha, tuple(found))


def _unshared(incident: Incident, one: Annotator, other: Annotator) -> Incident:
    has, lacks = (one, other) if incident.id == "document-missing" else (other, one)
    return Incident(
        "document-unshared",
        "warning",
        f"only {has.name} has the document, {lacks.name} has not",
        file=lacks.side.path,
        document=incident.document,
        hint="it is left out of the agreement of the two",
    )


def _nothing_shared(one: Annotator, other: Annotator) -> Incident:
    return Incident(
        "nothing-shared",
        "error",
        f"{one.name} and {other.name} have no document in common",
        file=other.side.path,
        expected="documents of the same names; names are compared whole, parts included",
        hint="give the documents the same names in both files",
    )


def f1_intervals(
    scores: Scores, samples: int = SAMPLES, seed: int = SEED, level: float = 0.95
) -> dict[str, Interval]:
    """Percentile intervals of F1 from samples of documents, drawn with replacement."""
    documents = len(scores.counts)
    if documents < 2:
        return {}
    rng = np.random.default_rng(seed)
    weight = rng.multinomial(documents, np.full(documents, 1 / documents), samples)
    drawn: dict[str, list[float]] = {}
    for name, columns in scores.counts.tables.items():
        sums = (weight @ np.stack(columns, axis=1)).tolist()
        drawn[name] = [metrics.countable(name).score(row).f1 for row in sums]
    found = {}
    for name in scores:
        parts = metrics.counted([name])
        values = np.mean([drawn[part] for part in parts], axis=0)
        low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2]).tolist()
        found[name] = (low, high)
    return found
