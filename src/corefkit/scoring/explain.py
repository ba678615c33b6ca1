"""Why two scorers differ on the same files: which rule is responsible for how much.

Two profiles differ in a few policies, and in the scorer's own counting. All mixtures of them are
scored, and each rule gets the mean of what it changes over all orders in which one could go from
the first profile to the second (its Shapley value). So the parts add up to the difference, and no
order is preferred.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from itertools import combinations
from math import factorial
from os import fspath
from typing import Unpack

import numpy as np

from corefkit.core.arrays import tuples
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts
from corefkit.core.incidents import DataError, Place, errors
from corefkit.core.options import (
    PLAIN,
    PLAIN_SIDES,
    POLICIES,
    Options,
    ReadChoices,
    Reading,
    Readings,
)
from corefkit.formats import expand, load, read_all, readings_of
from corefkit.metrics.base import Metrics
from corefkit.scorers import make_options, scorer_class, scorer_for
from corefkit.scorers.comparison import Comparison, Readable
from corefkit.scoring.run import score_comparison
from corefkit.scoring.scores import Scores

MOST_MENTIONS = 100
"""How many concerned mentions of a rule are listed."""


@frozen
class AffectedMention:
    """A mention that a rule treats differently, and where it stands."""

    side: str
    document: str
    start: int
    end: int
    entity: str
    file: str | None
    line: int | None


@frozen
class Rule:
    """A policy in which the profiles differ, what it is worth, and what it concerns.

    The scorer's own counting is one of these rules, with `policy` "scorer". `effect` is the part
    of the difference of each metric's F1 (second − first) that it explains.
    """

    policy: str
    values: tuple[str, str]
    meanings: tuple[str, str]
    effect: Mapping[str, float]
    documents: tuple[str, ...]
    mentions: tuple[AffectedMention, ...]
    more_mentions: int


@frozen
class Explanation:
    """The scores by both profiles, side by side, and the rules that make the difference."""

    options: tuple[Options, Options]
    scores: tuple[Scores, Scores]
    rules: tuple[Rule, ...]

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that both profiles have."""
        return self.options[0].metrics

    def __repr__(self) -> str:
        one, other = (options.profile for options in self.options)
        changes = (
            f"{name} {100 * self.scores[0][name].f1:.2f} → {100 * self.scores[1][name].f1:.2f}"
            for name in self.metrics
        )
        return f"Explanation({one} → {other}: {', '.join(changes)})"


def explain(
    key: Readable,
    response: Readable,
    first: str,
    second: str,
    metrics: Metrics | None = None,
    **how: Unpack[ReadChoices],
) -> Explanation:
    """Explain why two profiles give different scores; DataError if one of them cannot score.

    `metrics` are those of both profiles unless some are named. `how` are the keywords of
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
    one, other = (replace(options, metrics=common) for options in pair)
    mixtures = _Mixtures(sources, readings, one, other)
    scores = mixtures.score(frozenset()), mixtures.score(frozenset(mixtures.differ))
    usual = mixtures.mentions(frozenset())
    rules = tuple(_rule(mixtures, policy, usual) for policy in mixtures.differ)
    return Explanation((one, other), scores, rules)


_ListedMention = tuple[str, str, int, int, str]
"""Side, document, start, end and entity."""


class _Mixtures:
    """Scores by every mixture of two sets of options; each is scored once, each file read once."""

    def __init__(
        self, sources: tuple[Readable, Readable], readings: Readings, one: Options, other: Options
    ) -> None:
        self._readers = [_reader(s, r) for s, r in zip(sources, readings, strict=True)]
        self.one, self.other = one, other
        # Whether words are compared decides what is refused, never a score.
        rules = ("scorer" if p == "duplicates" else p for p in POLICIES if p != "words")
        self.differ = [rule for rule in rules if getattr(one, rule) != getattr(other, rule)]
        self.score = cache(self._score)
        self._compare = cache(self._comparison)

    def _options(self, switched: frozenset[str]) -> Options:
        """The first options with these rules taken from the second.

        What is no rule of its own, such as the labels that mentions must share, goes with the
        scorer.
        """
        if len(switched) == len(self.differ):
            return self.other
        options = self.other if "scorer" in switched else self.one
        sides = {rule: self.other if rule in switched else self.one for rule in self.differ}
        return replace(options, **{rule: getattr(side, rule) for rule, side in sides.items()})

    def _comparison(self, options: Options) -> Comparison:
        """Key and response, compared in one way; DataError where they cannot be."""
        scorer = scorer_for(options)
        key, response = (scorer.read(read(options.ids), PLAIN) for read in self._readers)
        comparison = scorer.compare(key, response)
        incidents = (*key.incidents, *comparison.incidents)
        if errors(incidents):
            raise DataError(incidents)
        return comparison

    def compare(self, switched: frozenset[str]) -> Comparison:
        """Key and response by one mixture; those that differ only in what is counted share one."""
        options = self._options(switched)
        if options.singletons != "drop":
            options = replace(options, singletons="keep")
        return self._compare(replace(options, profile="standard", blanc="key", average="micro"))

    def _score(self, switched: frozenset[str]) -> Scores:
        """The scores by one mixture."""
        scorer = scorer_for(self._options(switched))
        scores = score_comparison(scorer, self.compare(switched), "response").scores
        assert scores is not None  # where the two cannot be compared, there is a DataError
        return scores

    def mentions(self, switched: frozenset[str]) -> set[_ListedMention]:
        """The mentions that one mixture scores."""
        options, comparison = self._options(switched), self.compare(switched)
        ours, theirs = comparison.key, comparison.response
        if options.singletons != "keep":
            ours, theirs = ours.drop_singletons(), theirs.drop_singletons()
        return {*_rows("key", ours), *_rows("response", theirs)}

    def place(self, mention: _ListedMention) -> AffectedMention:
        """A mention with the place where it stands."""
        side, document, start, end, entity = mention
        corpus, where = self._readers[side == "response"]("any"), Place()
        if document in corpus.names:  # else it was paired by another form of its name
            span = (corpus.start == start) & (corpus.end == end)
            rows = np.flatnonzero(span & (corpus.document == corpus.names.index(document)))
            labels = {corpus.labels[int(corpus.entity[r])]: r for r in reversed(rows.tolist())}
            where = corpus.mention_place(labels[entity]) if entity in labels else where
        return AffectedMention(*mention, where.file, where.line)


def _reader(source: Readable, reading: Reading) -> Callable[[str], Corpus]:
    """A function that parses a side with ids read in one of two ways; its files are loaded once."""
    if isinstance(source, Corpus):
        return lambda ids: source
    loaded = {name: load(name, reading.max_size) for name in expand(fspath(source))}
    return cache(lambda ids: read_all(source, replace(reading, ids=ids), loaded).checked())


def _rows(side: str, corpus: Corpus) -> list[_ListedMention]:
    columns = (corpus.document, corpus.start, corpus.end, corpus.entity)
    return [
        (side, corpus.names[document], start, end, corpus.labels[entity])
        for document, start, end, entity in tuples(*columns)
    ]


def _rule(mixtures: _Mixtures, policy: str, usual: set[_ListedMention]) -> Rule:
    """What a policy is worth, and what it concerns; `usual` are the mentions without it."""
    values = getattr(mixtures.one, policy), getattr(mixtures.other, policy)
    alone = frozenset({policy})
    documents = _changed(mixtures.score(frozenset()).counts, mixtures.score(alone).counts)
    concerned = sorted(usual ^ mixtures.mentions(alone))
    return Rule(
        policy,
        values,
        (_meaning(policy, values[0]), _meaning(policy, values[1])),
        {metric: _effect(mixtures, policy, metric) for metric in mixtures.one.metrics},
        documents,
        tuple(map(mixtures.place, concerned[:MOST_MENTIONS])),
        max(len(concerned) - MOST_MENTIONS, 0),
    )


def _meaning(policy: str, value: str) -> str:
    """What the value of a rule means."""
    if policy != "scorer":
        return POLICIES[policy][value]
    counting = scorer_class(value).counting
    if not counting:
        return f"the standard counting; {POLICIES['duplicates']['first']}"
    return f"the scorer's own counting; {counting}"


def _effect(mixtures: _Mixtures, policy: str, metric: str) -> float:
    """The Shapley value of a policy: what it changes, averaged over all orders."""
    others = [p for p in mixtures.differ if p != policy]
    total = 0.0
    for size in range(len(others) + 1):
        weight = factorial(size) * factorial(len(others) - size) / factorial(len(others) + 1)
        for chosen in combinations(others, size):
            before = frozenset(chosen)
            after = before | {policy}
            change = mixtures.score(after)[metric].f1 - mixtures.score(before)[metric].f1
            total += weight * change
    return total


def _changed(one: Counts, other: Counts) -> tuple[str, ...]:
    """The documents in which anything is counted differently, or that only one of them counts."""
    changed = {*one.documents} ^ {*other.documents}
    ours, theirs = (
        counts.select(np.array([name not in changed for name in counts.documents], dtype=bool))
        for counts in (one, other)
    )
    differ = np.zeros(len(ours), dtype=bool)
    for metric in ours.tables.keys() | theirs.tables.keys():
        for a, b in zip(ours.table(metric), theirs.table(metric), strict=True):
            differ |= ~np.isclose(a, b, rtol=0, atol=1e-9)
    changed |= {ours.documents[number] for number in np.flatnonzero(differ).tolist()}
    return tuple(n for n in dict.fromkeys((*one.documents, *other.documents)) if n in changed)
