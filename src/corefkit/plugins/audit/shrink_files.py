"""The smallest part of a key and a response on which two scorers still differ.

Runs of documents are removed first, then runs of entities and of mentions, each time beginning with
halves; then single steps are taken while they keep the difference (see `shrink`). A scorer is a
profile of corefkit, or a live command.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, data_error
from corefkit.core.options import UsageError
from corefkit.plugins.audit.answers import METRIC_NAMES
from corefkit.plugins.audit.battery import documents_probe, file_of
from corefkit.plugins.audit.examples import ProbeDocuments, shrink
from corefkit.plugins.audit.rule_counts import ProbeDocument, filled
from corefkit.plugins.audit.runners import Runner
from corefkit.plugins.audit.verdict import find_scale
from corefkit.scoring.run import score

BUDGET = 20_000
COMMAND_BUDGET = 500
"""The most trials; fewer where one of the scorers is a command."""

F1s = Mapping[str, float]
"""The F1 of each metric, as a fraction of 1."""


class NamedDocument(NamedTuple):
    """A document under its name."""

    name: str
    sides: ProbeDocument


AskScorer = Callable[[Sequence[NamedDocument]], F1s | None]
"""Scores documents; None where the scorer fails."""


@frozen
class ShrunkFiles:
    """The result of shrinking files.

    Attributes:
        documents: the documents that are left.
        scores: the scores of both scorers on them.
        trials: the number of trials.
        minimal: whether no single step keeps the difference; otherwise the budget was used up.
    """

    documents: tuple[NamedDocument, ...]
    scores: tuple[F1s, F1s]
    trials: int
    minimal: bool

    @property
    def mentions(self) -> int:
        """The number of mentions on both sides together."""
        return sum(len(e) for d in self.documents for side in d.sides for e in side)

    def corpora(self) -> tuple[Corpus, Corpus]:
        """Key and response as corpora."""
        return _corpora(self.documents)

    def files(self) -> tuple[bytes, bytes]:
        """Key and response as CoNLL files."""
        names = [document.name for document in self.documents]
        sides = [document.sides for document in self.documents]
        return file_of(sides, 0, "conll", names), file_of(sides, 1, "conll", names)


def profile_scorer(profile: str, metrics: Sequence[str]) -> AskScorer:
    """A profile of corefkit as a scorer.

    DataError for the first documents is raised; for later ones it is a failure.
    """
    accepted: list[bool] = []

    def ask(documents: Sequence[NamedDocument]) -> F1s | None:
        try:
            scores = score(*_corpora(documents), tuple(metrics) or None, profile)
        except DataError:
            if not accepted:
                raise
            return None
        accepted.append(True)
        return {name: scores[name].f1 for name in scores}

    return ask


def command_scorer(runner: Runner) -> AskScorer:
    """A live scorer; its first answer shows whether it gives percentages or fractions."""
    factor: list[int] = []

    def ask(documents: Sequence[NamedDocument]) -> F1s | None:
        figures = runner.ask(documents_probe([document.sides for document in documents])).figures
        if not figures:
            return None
        if not factor:
            factor.append(find_scale(list(figures.values())).factor)
        return {
            name: triple[2].value / factor[0]
            for name, triple in figures.items()
            if triple[2] is not None
        }

    return ask


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

    Raises UsageError where they differ less on the whole files, DataError where one cannot score.
    """
    search = _Search(scorers, metrics, least / 100, budget)
    documents = _documents(key, response)
    answers = search.ask(documents)
    if answers is None:
        raise data_error(
            "scorer-unusable", reason="one of the two scorers cannot score these files"
        )
    if not search.differ(documents):
        largest = max((abs(b - a) for a, b in search.pairs(answers)), default=0.0)
        raise UsageError(
            f"the two scorers differ by {100 * largest:.4g} points at most, not by {least:g}; "
            "choose a smaller --least"
        )
    documents = search.in_halves(documents, tuple)
    documents = search.entities(documents)
    documents = search.steps(documents)
    documents = search.compact(documents)
    scores = search.ask(documents)
    assert scores is not None
    return ShrunkFiles(documents, scores, search.trials, search.trials < budget)


class _Search:
    """Trials of two scorers, limited by a budget."""

    def __init__(
        self,
        scorers: tuple[AskScorer, AskScorer],
        metrics: Sequence[str],
        least: float,
        budget: int,
    ) -> None:
        self.scorers, self.metrics = scorers, metrics
        self.least, self.budget, self.trials = least, budget, 0

    def ask(self, documents: Sequence[NamedDocument]) -> tuple[F1s, F1s] | None:
        first, second = (scorer(documents) for scorer in self.scorers)
        return None if first is None or second is None else (first, second)

    def pairs(self, answers: tuple[F1s, F1s]) -> list[tuple[float, float]]:
        first, second = answers
        names = [name for name in self.metrics or METRIC_NAMES if name in first and name in second]
        return [(first[name], second[name]) for name in names]

    def differ(self, documents: Sequence[NamedDocument]) -> bool:
        if self.trials >= self.budget:
            return False
        self.trials += 1
        answers = self.ask(documents)
        return answers is not None and any(abs(b - a) >= self.least for a, b in self.pairs(answers))

    def in_halves(
        self, parts: Sequence[Any], assemble: Callable[[Sequence[Any]], tuple[NamedDocument, ...]]
    ) -> tuple[NamedDocument, ...]:
        """The documents without the runs of parts, long runs first, that the difference can spare.

        `assemble` makes documents of parts.
        """
        kept, size = list(parts), max(len(parts) // 2, 1)
        while kept and size:
            place = 0
            while place < len(kept):
                smaller = kept[:place] + kept[place + size :]
                if smaller and self.differ(assemble(smaller)):
                    kept = smaller
                else:
                    place += size
            size //= 2
        return assemble(kept)

    def entities(self, documents: tuple[NamedDocument, ...]) -> tuple[NamedDocument, ...]:
        """The documents without the runs of entities, then of mentions, that can be spared."""
        entities = [
            (number, side, entity)
            for number, document in enumerate(documents)
            for side in (0, 1)
            for entity in document.sides[side]
        ]

        def of_entities(kept: Sequence[Any]) -> tuple[NamedDocument, ...]:
            return tuple(
                document._replace(
                    sides=ProbeDocument(
                        *(
                            tuple(e for n, s, e in kept if (n, s) == (number, side))
                            for side in (0, 1)
                        )
                    )
                )
                for number, document in enumerate(documents)
            )

        smaller = self.in_halves(entities, of_entities)
        mentions = [
            (number, mention)
            for number, document in enumerate(smaller)
            for mention in dict.fromkeys(m for side in document.sides for e in side for m in e)
        ]

        def of_mentions(kept: Sequence[Any]) -> tuple[NamedDocument, ...]:
            kept_mentions = {*kept}
            return tuple(
                document._replace(
                    sides=ProbeDocument(
                        *(
                            filled([m for m in e if (number, m) in kept_mentions] for e in side)
                            for side in document.sides
                        )
                    )
                )
                for number, document in enumerate(smaller)
            )

        return self.in_halves(mentions, of_mentions)

    def steps(self, documents: tuple[NamedDocument, ...]) -> tuple[NamedDocument, ...]:
        """The documents after all single steps that keep the difference, with their names."""
        state = [documents]

        def differ(smaller: ProbeDocuments) -> bool:
            names = _names_kept([d.name for d in state[0]], [d.sides for d in state[0]], smaller)
            candidate = tuple(map(NamedDocument, names, smaller))
            if not self.differ(candidate):
                return False
            state[0] = candidate
            return True

        shrink(tuple(document.sides for document in documents), differ)
        return state[0]

    def compact(self, documents: tuple[NamedDocument, ...]) -> tuple[NamedDocument, ...]:
        """The documents without the tokens outside mentions, if the difference stays."""
        compacted = tuple(d._replace(sides=_compacted(d.sides)) for d in documents)
        return compacted if self.differ(compacted) else documents


def _names_kept(
    names: Sequence[str], before: Sequence[ProbeDocument], after: Sequence[ProbeDocument]
) -> list[str]:
    """The names of the documents after a step, which dropped or changed a document."""
    if len(after) == len(before):
        return list(names)
    kept, place = [], 0
    for name, sides in zip(names, before, strict=True):
        if place < len(after) and after[place] == sides:
            kept.append(name)
            place += 1
    return kept


def _compacted(document: ProbeDocument) -> ProbeDocument:
    """The document with the first and last tokens of its mentions renumbered without gaps."""
    places = sorted({place for side in document for e in side for span in e for place in span})
    new = {place: number for number, place in enumerate(places)}
    key, response = (
        tuple(tuple((new[start], new[end]) for start, end in entity) for entity in side)
        for side in document
    )
    return ProbeDocument(key, response)


def _documents(key: Corpus, response: Corpus) -> tuple[NamedDocument, ...]:
    """The documents of the key, each with the entities of key and response."""
    for corpus in (key, response):
        if corpus.zero is not None or corpus.parts is not None:
            raise UsageError(
                "--shrink: files with empty nodes or discontinuous mentions cannot be made smaller"
            )
    key_clusters, response_clusters = key.clusters(), response.clusters()
    return tuple(
        NamedDocument(
            name, ProbeDocument(_listed(clusters), _listed(response_clusters.get(name, ())))
        )
        for name, clusters in key_clusters.items()
    )


def _listed(clusters: Any) -> Any:
    return tuple(tuple((int(start), int(end)) for start, end in cluster) for cluster in clusters)


def _corpora(documents: Sequence[NamedDocument]) -> tuple[Corpus, Corpus]:
    key, response = (
        Corpus.from_clusters({document.name: document.sides[side] for document in documents})
        for side in (0, 1)
    )
    return key, response
