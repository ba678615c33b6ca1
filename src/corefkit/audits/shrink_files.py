"""The smallest part of somebody's files on which two scorers still differ.

Documents go first, in halves, then entities and mentions in halves, then whatever single step
keeps the difference (see `shrink`). Scorers are profiles of corefkit, or a live command.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from corefkit.audits.answers import METRIC_NAMES
from corefkit.audits.battery import file_of
from corefkit.audits.examples import ProbeDocuments, shrink
from corefkit.audits.rule_counts import ProbeDocument, filled
from corefkit.audits.runners import Runner, documents_probe
from corefkit.audits.verdict import find_scale
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, data_error
from corefkit.core.options import UsageError
from corefkit.scoring.run import score

BUDGET = 20_000
COMMAND_BUDGET = 500
"""So many times two scorers are asked, at most; fewer where one is a command."""

F1s = Mapping[str, float]
"""The F1 of each metric, as fractions of 1."""


class NamedDocument(NamedTuple):
    """A document under its name."""

    name: str
    sides: ProbeDocument


AskScorer = Callable[[Sequence[NamedDocument]], F1s | None]
"""The scores of documents; None where the scorer fails."""


@frozen
class ShrunkFiles:
    """The documents that are left, the scores of both scorers on them, and how many trials it took.

    `minimal`: no single step makes it smaller; otherwise the budget was used up.
    """

    documents: tuple[NamedDocument, ...]
    scores: tuple[F1s, F1s]
    trials: int
    minimal: bool

    @property
    def mentions(self) -> int:
        """How many mentions the two sides list."""
        return sum(len(e) for d in self.documents for side in d.sides for e in side)

    def corpora(self) -> tuple[Corpus, Corpus]:
        """Key and response."""
        return _corpora(self.documents)

    def files(self) -> tuple[bytes, bytes]:
        """Key and response as CoNLL files."""
        names = [document.name for document in self.documents]
        sides = [document.sides for document in self.documents]
        return file_of(sides, 0, "conll", names), file_of(sides, 1, "conll", names)


def profile_scorer(profile: str, metrics: Sequence[str]) -> AskScorer:
    """A profile of corefkit that is asked for F1; what it refuses at first it refuses for good."""
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
    """A live scorer that is asked for F1; whether it gives percents is seen in its first answer."""
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


def shrink_files(  # noqa: PLR0913 (as many as there are things to say)
    key: Corpus,
    response: Corpus,
    scorers: tuple[AskScorer, AskScorer],
    metrics: Sequence[str] = (),
    *,
    least: float = 0.1,
    budget: int = BUDGET,
) -> ShrunkFiles:
    """The smallest part of key and response on which two scorers differ by `least` points of F1.

    Raises UsageError where they do not differ so much, DataError where one cannot score at all.
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
    """Trials of two scorers; no more than the budget."""

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
        self, parts: Sequence[Any], made: Callable[[Sequence[Any]], tuple[NamedDocument, ...]]
    ) -> tuple[NamedDocument, ...]:
        """What is left where runs of parts, long ones first, go while a difference stays."""
        kept, size = list(parts), max(len(parts) // 2, 1)
        while kept and size:
            place = 0
            while place < len(kept):
                smaller = kept[:place] + kept[place + size :]
                if smaller and self.differ(made(smaller)):
                    kept = smaller
                else:
                    place += size
            size //= 2
        return made(kept)

    def entities(self, documents: tuple[NamedDocument, ...]) -> tuple[NamedDocument, ...]:
        """Without the entities, then the mentions on both sides, that can go in runs."""
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
            there = {*kept}
            return tuple(
                document._replace(
                    sides=ProbeDocument(
                        *(
                            filled([m for m in e if (number, m) in there] for e in side)
                            for side in document.sides
                        )
                    )
                )
                for number, document in enumerate(smaller)
            )

        return self.in_halves(mentions, of_mentions)

    def steps(self, documents: tuple[NamedDocument, ...]) -> tuple[NamedDocument, ...]:
        """What no single step makes smaller; documents keep their names."""
        state = [documents]

        def differ(smaller: ProbeDocuments) -> bool:
            names = _names_kept([d.name for d in state[0]], [d.sides for d in state[0]], smaller)
            made = tuple(map(NamedDocument, names, smaller))
            if not self.differ(made):
                return False
            state[0] = made
            return True

        shrink(tuple(document.sides for document in documents), differ)
        return state[0]

    def compact(self, documents: tuple[NamedDocument, ...]) -> tuple[NamedDocument, ...]:
        """The same with the places of mentions moved together, if that changes nothing."""
        moved = tuple(document._replace(sides=_moved(document.sides)) for document in documents)
        return moved if self.differ(moved) else documents


def _names_kept(
    names: Sequence[str], before: Sequence[ProbeDocument], after: Sequence[ProbeDocument]
) -> list[str]:
    """The names of the documents that a step has left: it dropped one, or changed one."""
    if len(after) == len(before):
        return list(names)
    kept, place = [], 0
    for name, sides in zip(names, before, strict=True):
        if place < len(after) and after[place] == sides:
            kept.append(name)
            place += 1
    return kept


def _moved(document: ProbeDocument) -> ProbeDocument:
    places = sorted({place for side in document for e in side for span in e for place in span})
    new = {place: number for number, place in enumerate(places)}
    key, response = (
        tuple(tuple((new[start], new[end]) for start, end in entity) for entity in side)
        for side in document
    )
    return ProbeDocument(key, response)


def _documents(key: Corpus, response: Corpus) -> tuple[NamedDocument, ...]:
    """The documents of the key with what the response has in them."""
    for corpus in (key, response):
        if corpus.zero is not None or corpus.parts is not None:
            raise UsageError(
                "--shrink: files with empty nodes or discontinuous mentions cannot be made smaller"
            )
    ours, theirs = key.clusters(), response.clusters()
    return tuple(
        NamedDocument(name, ProbeDocument(_listed(clusters), _listed(theirs.get(name, ()))))
        for name, clusters in ours.items()
    )


def _listed(clusters: Any) -> Any:
    return tuple(tuple((int(start), int(end)) for start, end in cluster) for cluster in clusters)


def _corpora(documents: Sequence[NamedDocument]) -> tuple[Corpus, Corpus]:
    key, response = (
        Corpus.from_clusters({document.name: document.sides[side] for document in documents})
        for side in (0, 1)
    )
    return key, response
