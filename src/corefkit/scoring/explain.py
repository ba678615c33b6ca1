"""Why two scorers differ on the same files, and how much of the difference each rule explains.

Two profiles differ in a few policies, and in the scorer's own counting. All mixtures of these rules
are scored. The effect of a rule is its Shapley value: the mean change over all orders in which the
rules of the first profile can be replaced by those of the second. So the effects add up to the
difference, and no order is preferred.
"""

from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import cache
from itertools import combinations
from math import factorial
from os import fspath
from typing import Any, ClassVar, Unpack

import numpy as np

from corefkit.core.arrays import tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts
from corefkit.core.incidents import DataError, Incident, Place, errors
from corefkit.core.options import (
    DOCUMENTS,
    PLAIN_SIDES,
    POLICIES,
    Options,
    ReadChoices,
    Reading,
    Readings,
)
from corefkit.core.results import Result
from corefkit.core.style import points
from corefkit.formats.kit.files import expand, load
from corefkit.formats.kit.reading import read_all
from corefkit.formats.options import readings_of
from corefkit.metrics.base import Metrics
from corefkit.scorers import make_options, scorer_class, scorer_for
from corefkit.scorers.comparison import Comparison, Readable, Side
from corefkit.scorers.rules import STANDARD_RULES
from corefkit.scoring.run import score_comparison
from corefkit.scoring.scores import Scores

MOST_MENTIONS = 100
"""How many of the mentions that a rule affects are listed."""


@frozen
class AffectedMention:
    """A mention that only one of two values of a rule scores, with its place in the file."""

    side: str
    document: str
    start: int
    end: int
    entity: str
    file: str | None
    line: int | None


@frozen
class Rule:
    """A policy in which the profiles differ, and its effect.

    Attributes:
        policy: its name; the scorer's own counting is a rule, too, with the name "scorer".
        values, meanings: its value in each profile, and what that value means.
        effect: metric → the part of the difference of F1 (second − first) that it explains.
        documents: those that are counted differently when only this rule is replaced.
        mentions: the first `MOST_MENTIONS` that are scored or not depending on this rule alone.
        more_mentions: how many such mentions are not listed.
    """

    policy: str
    values: tuple[str, str]
    meanings: tuple[str, str]
    effect: Mapping[str, float]
    documents: tuple[str, ...]
    mentions: tuple[AffectedMention, ...]
    more_mentions: int


@frozen
class Explanation(Result):
    """The scores by both profiles, side by side, and the rules that make the difference.

    The incidents are the warnings about the files and about the two sides.
    """

    kind: ClassVar[str] = "explanation"

    options: tuple[Options, Options]
    scores: tuple[Scores, Scores]
    rules: tuple[Rule, ...]
    incidents: tuple[Incident, ...] = ()

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that both profiles have."""
        return self.options[0].metrics

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per metric: F1 by both profiles, and what each rule adds to the second."""
        first, second = self.scores
        return [
            {"metric": name, "first": first[name].f1, "second": second[name].f1}
            | {rule.policy: rule.effect[name] for rule in self.rules}
            for name in self.metrics
        ]

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `corefkit explain`."""
        profiles = [
            {"profile": o.profile, "signature": s.signature, "scores": s.to_dict()}
            for o, s in zip(self.options, self.scores, strict=True)
        ]
        return {"profiles": profiles, "rules": [asdict(rule) for rule in self.rules]}

    def __repr__(self) -> str:
        first, second = (options.profile for options in self.options)
        changes = (
            f"{name} {points(self.scores[0][name].f1)} → {points(self.scores[1][name].f1)}"
            for name in self.metrics
        )
        return f"Explanation({first} → {second}: {', '.join(changes)})"


def explain(
    key: Readable,
    response: Readable,
    first: str,
    second: str,
    metrics: Metrics | None = None,
    **how: Unpack[ReadChoices],
) -> Explanation:
    """Explain why two profiles give different scores; DataError where one of them cannot score.

    `metrics` are by default those that both profiles have. `how` are the keywords of
    `corefkit.read`; key_format and response_format are for one side.
    """
    return explain_difference((key, response), (first, second), metrics, readings_of(how))


def explain_difference(
    sources: tuple[Readable, Readable],
    profiles: tuple[str, str],
    metrics: Metrics | None = None,
    readings: Readings = PLAIN_SIDES,
) -> Explanation:
    """Like `explain`, with the readings of key and response."""
    pair = tuple(make_options(None if metrics == () else metrics, name) for name in profiles)
    common = tuple(m for m in pair[0].metrics if m in pair[1].metrics)
    first, second = (replace(options, metrics=common) for options in pair)
    mixtures = _Mixtures(sources, readings, first, second)
    scores = mixtures.score(frozenset()), mixtures.score(frozenset(mixtures.rules))
    mentions = mixtures.mentions(frozenset())
    rules = tuple(_rule(mixtures, policy, mentions) for policy in mixtures.rules)
    return Explanation((first, second), scores, rules, mixtures.incidents())


_ListedMention = tuple[str, str, int, int, str]
"""Side, document, start, end and entity."""


class _Mixtures:
    """Scores by every mixture of two sets of options; each is scored once, each file read once.

    A mixture is given by its `switched` rules: those taken from the second options.

    Attributes:
        first, second: the options.
        rules: those in which they differ.
    """

    def __init__(
        self,
        sources: tuple[Readable, Readable],
        readings: Readings,
        first: Options,
        second: Options,
    ) -> None:
        self._readers = [_reader(s, r) for s, r in zip(sources, readings, strict=True)]
        self.first, self.second = first, second
        policies = ("scorer" if policy == "duplicates" else policy for policy in POLICIES)
        rules = (*policies, *(rule.name for rule in STANDARD_RULES), "documents")
        self.rules = [rule for rule in rules if getattr(first, rule) != getattr(second, rule)]
        self._paths = [None if isinstance(s, Corpus) else fspath(s) for s in sources]
        self._incidents: dict[Incident, None] = {}
        self.score = cache(self._score)
        self._compare = cache(self._comparison)

    def _options(self, switched: frozenset[str]) -> Options:
        """The first options with these rules taken from the second.

        Options that are not rules, such as the labels that mentions must share, go with the scorer.
        """
        if len(switched) == len(self.rules):
            return self.second
        options = self.second if "scorer" in switched else self.first
        sides = {rule: self.second if rule in switched else self.first for rule in self.rules}
        return replace(options, **{rule: getattr(side, rule) for rule, side in sides.items()})

    def _comparison(self, options: Options) -> Comparison:
        """Key and response, compared with these options; DataError where they cannot be."""
        scorer = scorer_for(options)
        key, response = (
            self._named(path, scorer.read(read(options.ids), reading))
            for path, read, reading in zip(self._paths, self._readers, PLAIN_SIDES, strict=True)
        )
        comparison = scorer.compare(key, response)
        incidents = (*key.incidents, *comparison.incidents)
        if errors(incidents):
            raise DataError(incidents)
        self._incidents.update(dict.fromkeys(incidents))
        return comparison

    def incidents(self) -> tuple[Incident, ...]:
        """The warnings of all comparisons so far, each once."""
        return tuple(self._incidents)

    @staticmethod
    def _named(path: str | None, side: Side) -> Side:
        """The side with its path, which a corpus that was read from it does not know."""
        return side if path is None else replace(side, path=path)

    def compare(self, switched: frozenset[str]) -> Comparison:
        """The comparison of a mixture; mixtures that differ only in counting share one."""
        options = self._options(switched)
        if options.singletons != "drop":
            options = replace(options, singletons="keep")
        return self._compare(replace(options, profile="standard", blanc="key", average="micro"))

    def _score(self, switched: frozenset[str]) -> Scores:
        """The scores of a mixture."""
        scorer = scorer_for(self._options(switched))
        scores = score_comparison(scorer, self.compare(switched), "response").scores
        assert scores is not None  # where the two cannot be compared, there is a DataError
        return scores

    def mentions(self, switched: frozenset[str]) -> set[_ListedMention]:
        """The mentions that a mixture scores."""
        options, comparison = self._options(switched), self.compare(switched)
        key, response = comparison.key, comparison.response
        if options.singletons != "keep":
            key, response = key.drop_singletons(), response.drop_singletons()
        return {*_rows("key", key), *_rows("response", response)}

    def place(self, mention: _ListedMention) -> AffectedMention:
        """A mention with its file and line, where these are known."""
        side, document, start, end, entity = mention
        corpus, place = self._readers[side == "response"]("any"), Place()
        if document in corpus.names:  # else it was paired by another form of its name
            span = (corpus.start == start) & (corpus.end == end)
            rows = np.flatnonzero(span & (corpus.document == corpus.names.index(document)))
            row_of = {corpus.labels[int(corpus.entity[row])]: row for row in rows[::-1].tolist()}
            place = corpus.mention_place(row_of[entity]) if entity in row_of else place
        return AffectedMention(*mention, place.file, place.line)


def _reader(source: Readable, reading: Reading) -> Callable[[str], Corpus]:
    """A function that parses a side with a given policy for ids; its files are loaded once."""
    if isinstance(source, Corpus):
        return lambda ids: source
    loaded = {name: load(name, reading.max_size) for name in expand(fspath(source))}
    return cache(lambda ids: read_all(source, replace(reading, ids=ids), loaded).checked())


def _rows(side: str, corpus: Corpus) -> list[_ListedMention]:
    """All mentions of a side."""
    columns = (corpus.document, corpus.start, corpus.end, corpus.entity)
    return [
        (side, corpus.names[document], start, end, corpus.labels[entity])
        for document, start, end, entity in tuples(*columns)
    ]


def _rule(mixtures: _Mixtures, policy: str, mentions: set[_ListedMention]) -> Rule:
    """A policy and its effect; `mentions` are those that the first options score."""
    values = getattr(mixtures.first, policy), getattr(mixtures.second, policy)
    alone = frozenset({policy})
    documents = _changed(mixtures.score(frozenset()).counts, mixtures.score(alone).counts)
    affected = sorted(mentions ^ mixtures.mentions(alone))
    return Rule(
        policy,
        values,
        (_meaning(mixtures.first, policy), _meaning(mixtures.second, policy)),
        {metric: _effect(mixtures, policy, metric) for metric in mixtures.first.metrics},
        documents,
        tuple(map(mixtures.place, affected[:MOST_MENTIONS])),
        max(len(affected) - MOST_MENTIONS, 0),
    )


def _meaning(options: Options, policy: str) -> str:
    """What the value of a rule, or of a policy, means."""
    if policy == "scorer":
        scorer = scorer_class(options.scorer)
        whose = "the scorer's own" if scorer.keeps_copies else "the standard"
        return f"{whose} counting; {scorer.counting}"
    inside = {rule.name: rule.words for rule in scorer_class(options.profile).rules}
    meanings = {**POLICIES, "documents": DOCUMENTS}
    return inside.get(policy) or meanings[policy][getattr(options, policy)]


def _effect(mixtures: _Mixtures, policy: str, metric: str) -> float:
    """The Shapley value of a policy: the change of F1, averaged over all orders of the rules."""
    others = [rule for rule in mixtures.rules if rule != policy]
    total = 0.0
    for size in range(len(others) + 1):
        weight = factorial(size) * factorial(len(others) - size) / factorial(len(others) + 1)
        for switched in combinations(others, size):
            before = frozenset(switched)
            after = before | {policy}
            change = mixtures.score(after)[metric].f1 - mixtures.score(before)[metric].f1
            total += weight * change
    return total


def _changed(before: Counts, after: Counts) -> tuple[str, ...]:
    """The documents whose counts differ, or that only one of the two counts."""
    changed = {*before.documents} ^ {*after.documents}
    left, right = (
        counts.select(np.array([name not in changed for name in counts.documents], dtype=bool))
        for counts in (before, after)
    )
    differ = np.zeros(len(left), dtype=bool)
    for metric in left.tables.keys() | right.tables.keys():
        for a, b in zip(left.table(metric), right.table(metric), strict=True):
            differ |= ~np.isclose(a, b, rtol=0, atol=1e-9)
    changed |= {left.documents[number] for number in np.flatnonzero(differ).tolist()}
    documents = dict.fromkeys((*before.documents, *after.documents))
    return tuple(name for name in documents if name in changed)
