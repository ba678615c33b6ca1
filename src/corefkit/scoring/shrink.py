"""The smallest part of a key and a response on which two scorers still differ.

Runs of documents are removed first, then runs of entities and of mentions, each time beginning with
halves; then single steps are taken while they keep the difference (see `shrink`).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError
from corefkit.core.options import UsageError
from corefkit.core.texts import entities_text
from corefkit.scoring.run import score

if TYPE_CHECKING:
    from corefkit.scoring.explain import Rule

BUDGET = 20_000
"""The most trials by default."""

F1s = Mapping[str, float]
"""The F1 of each metric, as a fraction of 1."""

SmallSide = tuple[tuple[Any, ...], ...]
"""The entities of one side, each a tuple of mentions in the order in which they are listed."""


class SmallDocument(NamedTuple):
    """A document: the entities of key and response, in listed order, and its name if it has one."""

    key: SmallSide
    response: SmallSide
    name: str = ""

    @property
    def sides(self) -> tuple[SmallSide, SmallSide]:
        """Key and response."""
        return self.key, self.response

    def with_sides(self, sides: Iterable[Iterable[Iterable[Any]]]) -> "SmallDocument":
        """The document with other entities on both sides; empty ones are left out."""
        key, response = map(filled, sides)
        return SmallDocument(key, response, self.name)

    @property
    def text(self) -> str:
        """Key and response as text: `{ab} / {a} {b}`."""
        return f"{entities_text(self.key)} / {entities_text(self.response)}"


SmallDocuments = tuple[SmallDocument, ...]
AskScorer = Callable[[SmallDocuments], F1s | None]
"""Scores documents; None where the scorer fails, but for the whole files, where it raises."""


@frozen
class ShrunkFiles:
    """The result of shrinking files.

    Attributes:
        documents: the documents that are left.
        scores: the scores of both scorers on them.
        trials: the number of trials.
        minimal: whether no single step keeps the difference; otherwise the budget was used up.
        profiles: the two scorers, if both are profiles of corefkit.
    """

    documents: SmallDocuments
    scores: tuple[F1s, F1s]
    trials: int
    minimal: bool
    profiles: tuple[str, str] | None = None

    @property
    def mentions(self) -> int:
        """The number of mentions on both sides together."""
        return sum(len(entity) for d in self.documents for side in d.sides for entity in side)

    @property
    def rules(self) -> "list[Rule] | None":
        """The rules of two profiles that make the difference; None for other scorers."""
        if self.profiles is None:
            return None
        from corefkit.scoring.explain import explain_difference

        found = explain_difference(self.corpora(), self.profiles).rules
        return [rule for rule in found if any(rule.effect.values())]

    def corpora(self) -> tuple[Corpus, Corpus]:
        """Key and response as corpora."""
        return corpora_of(self.documents)

    def files(self, prefix: str) -> dict[str, bytes]:
        """PREFIX.key.conll and PREFIX.response.conll, with their contents."""
        from corefkit.formats.kit.convert import Losses, write_as

        names = f"{prefix}.key.conll", f"{prefix}.response.conll"
        corpora = zip(names, self.corpora(), strict=True)
        return {n: write_as(side, n, "conll", Losses()).files[n] for n, side in corpora}


def corpora_of(documents: Sequence[SmallDocument]) -> tuple[Corpus, Corpus]:
    """Key and response as corpora, whose documents have the same number of tokens."""
    ends = [[end for e in (*d.key, *d.response) for _, end in e] for d in documents]
    tokens = np.array([max(found, default=0) + 1 for found in ends], dtype=np.int64)
    key, response = (
        replace(Corpus.from_clusters({d.name: d.sides[side] for d in documents}), tokens=tokens)
        for side in (0, 1)
    )
    return key, response


def profile_scorer(profile: str, metrics: Sequence[str]) -> AskScorer:
    """A profile of corefkit as a scorer.

    DataError for the first documents is raised; for later ones it is a failure.
    """
    accepted: list[bool] = []

    def ask(documents: SmallDocuments) -> F1s | None:
        try:
            scores = score(*corpora_of(documents), tuple(metrics) or None, profile)
        except DataError:
            if not accepted:
                raise
            return None
        accepted.append(True)
        return {name: scores[name].f1 for name in scores}

    return ask


def shrink_profiles(  # noqa: PLR0913 (those of `shrink_files`)
    key: Corpus,
    response: Corpus,
    profiles: tuple[str, str],
    metrics: Sequence[str] = (),
    *,
    least: float = 0.1,
    budget: int = BUDGET,
) -> ShrunkFiles:
    """The smallest part on which two profiles differ; see `shrink_files`."""
    scorers = profile_scorer(profiles[0], metrics), profile_scorer(profiles[1], metrics)
    found = shrink_files(key, response, scorers, metrics, least=least, budget=budget)
    return replace(found, profiles=profiles)


def shrink_files(  # noqa: PLR0913 (two corpora, two scorers, and the options of the command)
    key: Corpus,
    response: Corpus,
    scorers: tuple[AskScorer, AskScorer],
    metrics: Sequence[str] = (),
    *,
    least: float = 0.1,
    budget: int = BUDGET,
) -> ShrunkFiles:
    """The smallest part of key and response on which two scorers differ by `least` points of F1.

    Raises UsageError where they differ less on the whole files.
    """
    documents = _documents(key, response)
    trials = 0

    def ask(documents: SmallDocuments) -> tuple[F1s, F1s] | None:
        first, second = (scorer(documents) for scorer in scorers)
        return None if first is None or second is None else (first, second)

    def distance(answers: tuple[F1s, F1s] | None) -> float:
        first, second = answers or ({}, {})
        names = [name for name in metrics or first if name in first and name in second]
        return max((abs(second[name] - first[name]) for name in names), default=0.0)

    def differ(documents: SmallDocuments) -> bool:
        nonlocal trials
        if trials >= budget:
            return False
        trials += 1
        return distance(ask(documents)) >= least / 100

    whole = ask(documents)
    if not differ(documents):
        raise UsageError(
            f"the two scorers differ by {100 * distance(whole):.4g} points at most, not by "
            f"{least:g}; choose a smaller --least"
        )
    documents = shrink(_without_runs(documents, differ), differ)
    compacted = tuple(map(_compacted, documents))
    documents = compacted if differ(compacted) else documents
    scores = ask(documents)
    assert scores is not None
    return ShrunkFiles(documents, scores, trials, trials < budget)


def shrink(documents: SmallDocuments, differ: Callable[[SmallDocuments], bool]) -> SmallDocuments:
    """Reduce documents until no single step keeps the difference.

    In each round the first step that keeps the difference is taken.
    """
    while (smaller := next(filter(differ, _steps(documents)), None)) is not None:
        documents = smaller
    return documents


def _steps(documents: SmallDocuments) -> Iterator[SmallDocuments]:
    """The documents after each possible step, large steps first.

    A step removes a document, a mention from both sides, an entity, or a mention from one side.
    """
    if len(documents) > 1:
        for number in range(len(documents)):
            yield documents[:number] + documents[number + 1 :]
    for number, document in enumerate(documents):
        for smaller in _smaller(document):
            yield (*documents[:number], smaller, *documents[number + 1 :])


def _smaller(document: SmallDocument) -> Iterator[SmallDocument]:
    for mention in _mentions(document):
        yield document.with_sides(
            ([m for m in e if m != mention] for e in s) for s in document.sides
        )
    for shorter in (_one_entity_less, _one_mention_less):
        yield from (document._replace(key=side) for side in shorter(document.key))
        yield from (document._replace(response=side) for side in shorter(document.response))


def _one_entity_less(side: SmallSide) -> Iterator[SmallSide]:
    return (side[:number] + side[number + 1 :] for number in range(len(side)))


def _one_mention_less(side: SmallSide) -> Iterator[SmallSide]:
    """The side without one listed mention, for each of them."""
    for index, entity in enumerate(side):
        for number in range(len(entity)):
            smaller = entity[:number] + entity[number + 1 :]
            yield filled((*side[:index], smaller, *side[index + 1 :]))


def filled(entities: Iterable[Iterable[Any]]) -> SmallSide:
    """Entities as tuples, without empty ones."""
    return tuple(entity for entity in map(tuple, entities) if entity)


def _mentions(document: SmallDocument) -> dict[Any, None]:
    """The distinct mentions of both sides, in listed order."""
    return dict.fromkeys(m for side in document.sides for entity in side for m in entity)


def _without_runs(
    documents: SmallDocuments, differ: Callable[[SmallDocuments], bool]
) -> SmallDocuments:
    """The documents without the runs of documents, entities and mentions that can be spared."""
    documents = _in_halves(documents, tuple, differ)
    entities = [
        (number, side, entity)
        for number, document in enumerate(documents)
        for side in (0, 1)
        for entity in document.sides[side]
    ]

    def of_entities(kept: Sequence[Any]) -> SmallDocuments:
        return tuple(
            d.with_sides([e for n, s, e in kept if (n, s) == (number, side)] for side in (0, 1))
            for number, d in enumerate(documents)
        )

    smaller = _in_halves(entities, of_entities, differ)
    mentions = [(number, m) for number, document in enumerate(smaller) for m in _mentions(document)]

    def of_mentions(kept: Sequence[Any]) -> SmallDocuments:
        left = {*kept}
        return tuple(
            d.with_sides(([m for m in e if (number, m) in left] for e in side) for side in d.sides)
            for number, d in enumerate(smaller)
        )

    return _in_halves(mentions, of_mentions, differ)


def _in_halves(
    parts: Sequence[Any],
    assemble: Callable[[Sequence[Any]], SmallDocuments],
    differ: Callable[[SmallDocuments], bool],
) -> SmallDocuments:
    """The documents without the runs of parts, long runs first, that the difference can spare.

    `assemble` makes documents of parts.
    """
    kept, size = list(parts), max(len(parts) // 2, 1)
    while kept and size:
        begin = 0
        while begin < len(kept):
            smaller = kept[:begin] + kept[begin + size :]
            if smaller and differ(assemble(smaller)):
                kept = smaller
            else:
                begin += size
        size //= 2
    return assemble(kept)


def _compacted(document: SmallDocument) -> SmallDocument:
    """The document without the tokens outside mentions."""
    tokens = sorted({token for span in _mentions(document) for token in span})
    new = {token: number for number, token in enumerate(tokens)}
    return document.with_sides(
        ([(new[start], new[end]) for start, end in entity] for entity in side)
        for side in document.sides
    )


def _documents(key: Corpus, response: Corpus) -> SmallDocuments:
    """The documents of the key, each with the entities of key and response."""
    for corpus in (key, response):
        if corpus.zero is not None or corpus.nodes is not None:
            raise UsageError(
                "--shrink: files with empty nodes or discontinuous mentions cannot be made smaller"
            )
    there = response.clusters()
    return tuple(
        SmallDocument(_listed(clusters), _listed(there.get(name, ())), name)
        for name, clusters in key.clusters().items()
    )


def _listed(clusters: Any) -> SmallSide:
    return tuple(tuple((int(start), int(end)) for start, end in cluster) for cluster in clusters)
