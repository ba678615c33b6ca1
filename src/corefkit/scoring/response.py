"""Score one response: compare it with the key, settle, match, count."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corefkit.data.corpus import Corpus
from corefkit.data.counts import Counts, Size
from corefkit.data.incidents import errors
from corefkit.data.matching.pairs import Pairs
from corefkit.data.options import Options
from corefkit.metrics import get as get_metric
from corefkit.metrics.base import MentionMetric
from corefkit.profiles.counting import count, match_sides
from corefkit.profiles.steps import Settled, steps_of
from corefkit.scoring.matching import make_ready
from corefkit.scoring.prepare import align
from corefkit.scoring.report import System
from corefkit.scoring.scores import Scores
from corefkit.scoring.sides import Side, compare_sides, meet, with_documents
from corefkit.scoring.wanted import common_documents

if TYPE_CHECKING:
    from corefkit.mentions.pair import Pair


def score_response(
    key: Side, response: Side, name: str, options: Options, chosen: set[str] | None = None
) -> System:
    """Score one response; where it cannot be, the incidents say why.

    `chosen` are the documents of the key that are scored, by name, where the options say that they
    are listed.
    """
    key, response = meet(key, response, options)
    incidents = response.incidents
    if not errors(incidents):
        if chosen is None and (options.documents == "common" or options.missing == "skip"):
            chosen, found = common_documents(key.corpus, response.corpus)
            incidents = (*incidents, *found)
        if chosen is not None:
            key, response = with_documents(chosen, key, response)
    if not errors(incidents):
        incidents += compare_sides(key, response, options, chosen)
    if errors(incidents):
        return System(name, response.path, None, incidents)
    aligned, told, repeats = settle(key, response, options)
    ours, theirs, more = make_ready(key.scored, aligned, (key.corpus, response.corpus), options)
    incidents += (*told, *more)
    if errors(incidents):
        return System(name, response.path, None, incidents, repeats=repeats)
    annotated = key.corpus, align(response.corpus, key.corpus)
    matched = replace(match_sides(ours, theirs, options), annotated=annotated)
    make_pair = partial(_pair, key, replace(aligned, sources=()), options, matched.pairs)
    counts = count(matched, options)
    if options.applications:
        counts = count_mentions(counts, make_pair(), options.applications)
    if chosen is not None:
        counts = counts.select(np.array([name in chosen for name in counts.documents], dtype=bool))
    common = len(set(response.corpus.names) & set(key.corpus.names))
    size = Size(common, aligned.mentions, aligned.entities)
    scores = Scores(options, counts, (*key.incidents, *incidents), make_pair, response.coverage)
    return System(name, response.path, scores, incidents, size, repeats)


def settle(key: Side, response: Side, options: Options) -> Settled:
    """The response as it is compared with the key: with its documents, repeated spans settled."""
    aligned = align(response.scored, key.scored)
    own = steps_of(options).settle
    return own(key.scored, aligned, response.path, options) if own else Settled(aligned)


def count_mentions(counts: Counts, pair: "Pair", variants: Mapping[str, str]) -> Counts:
    """The counts with those of metrics over single mentions, each in its variant."""
    tables, cells = dict(counts.tables), dict(counts.cells)
    for name, variant in variants.items():
        metric = get_metric(name)
        assert isinstance(metric, MentionMetric)
        tables[name], by_class = metric.count(pair, variant)
        cells |= {name: by_class} if by_class else {}
    return Counts(counts.documents, tables, cells)


def _pair(key: Side, response: Corpus, options: Options, pairs: Pairs) -> "Pair":
    """The two sides as application scores and break-downs see them."""
    from corefkit.mentions.pair import Pair

    return Pair(key.scored, response, key.tokens, options.tagset, pairs)
