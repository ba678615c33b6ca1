"""Score one response: compare it with the key, settle, match, count.

What a rule of matching needs to know of mentions besides their spans: heads, minimum spans.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts, Size
from corefkit.core.incidents import DataError, Incident, errors, make_incident
from corefkit.core.options import Options
from corefkit.core.overlap import Pairs
from corefkit.metrics import get as get_metric
from corefkit.metrics.base import MentionMetric
from corefkit.scorers.counting import count, match_sides
from corefkit.scorers.steps import Settled, steps_of
from corefkit.scoring.documents import common_documents
from corefkit.scoring.report import System
from corefkit.scoring.scores import Scores
from corefkit.scoring.sides import Side, align, compare_sides, meet, with_documents

if TYPE_CHECKING:
    from corefkit.applications.chains import Pair


def make_ready(
    key: Corpus, response: Corpus, texts: tuple[Corpus, Corpus], options: Options
) -> tuple[Corpus, Corpus, list[Incident]]:
    """Both sides with the columns that the rule of the options looks at.

    `texts` are the corpora as they were read. Errors where the files do not tell.
    """
    if options.match in ("head", "partial"):
        return _with_heads(key, response, texts[0], options)
    try:
        if options.match == "mina":
            return *_with_minima(key, response, texts, options), []
        if options.match == "semeval":
            from corefkit.applications.heads import with_semeval_heads

            return with_semeval_heads(key, texts[0]), response, []
    except DataError as error:
        return key, response, list(error.incidents)
    return key, response, []


def _with_minima(
    key: Corpus, response: Corpus, texts: tuple[Corpus, Corpus], options: Options
) -> tuple[Corpus, Corpus]:
    from corefkit.applications.alike import with_alike, with_alike_texts

    if options.duplicates == "coval":
        return with_alike_texts(key, response, *texts)
    return with_alike(key, response, texts[0])


def _with_heads(
    key: Corpus, response: Corpus, texts: Corpus, options: Options
) -> tuple[Corpus, Corpus, list[Incident]]:
    """Both sides with the heads of the key, and for the rule `head` those of the response.

    Where files declare none they come from the trees of the key (`texts`), for the response, too;
    a mention that is no constituent has its last token as head. An error where there is neither.
    """
    from corefkit.applications.heads import UNKNOWN, heads_by_tree, with_heads

    if options.match == "partial" and key.minimum is not None:
        return key, response, [] if (key.minimum >= 0).any() else [make_incident("min-none")]
    for side in (key, response) if options.match == "head" else (key,):
        undeclared = side.end > side.start
        if side.head is not None:
            undeclared &= side.head == UNKNOWN
        rows = np.flatnonzero(undeclared)
        if len(rows) and not (heads_by_tree(side, texts, rows) >= 0).any():
            expected = "heads declared in the files, or trees in the key"
            told = make_incident("head-unknown", match=options.match, expected=expected)
            return key, response, [told]
    known = with_heads(response, texts) if options.match == "head" else response
    return with_heads(key, texts), known, []


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
    from corefkit.applications.chains import Pair

    return Pair(key.scored, response, key.tokens, options.tagset, pairs)
