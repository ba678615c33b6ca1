"""Scores of long documents that are cut into windows: one row per width, whole documents last.

The counts of the windows of a document are added up, so that the document remains the unit of
groups, intervals and tests: windows of one book are not independent.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from corefkit.core.arrays import BoolArray, IntArray, distinct
from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts
from corefkit.core.incidents import Collector, DataError, Incident
from corefkit.features.chains import ComparedChains, CutMentions
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.counting import count_comparison
from corefkit.scorers.scorer import Scorer
from corefkit.scorers.windows import Windows, by_document, cut, find_windows, places_of
from corefkit.scoring.parts import WINDOW, Part, PartSize
from corefkit.scoring.scores import Scores


def score_windows(
    scorer: Scorer, comparison: Comparison, whole: Counts
) -> tuple[tuple[Part[Scores], ...], list[Incident]]:
    """A part per window of the options, the whole, and the incidents of windows.

    `whole` are the counts of whole documents. The counts of each part have one row per document.
    """
    options, collector = scorer.options, Collector(comparison.key_side.path)
    names = comparison.key.names
    chosen = comparison.documents
    scored = np.array([chosen is None or name in chosen for name in names], dtype=bool)
    make_chains, drops = comparison.chains_maker(options.tagset), scorer.drops_pieces
    sides = comparison.key, comparison.response
    parts: list[Part[Scores]] = []
    for window in options.window:
        windows = find_windows(scorer, sides[0], window, collector, sides[1]).within(scored)
        windowed = cut(comparison, windows, drop_singletons=drops)
        counted = count_comparison(scorer, windowed)
        counts = by_document(counted, windows, names).select(scored)
        make_cut_chains = partial(cut_chains, make_chains, windows, drop_singletons=drops)
        scores = Scores(options, counts, make_chains=make_cut_chains if windows.partition else None)
        sizes = _sizes(windowed.key, windowed.response)
        parts.append(Part(((WINDOW, window),), scores, *sizes, len(windows)))
        if not windows.partition:
            _note_slip(comparison.key, windows, window, collector)
    scores = Scores(options, whole, make_chains=make_chains)
    parts.append(Part((), scores, *_sizes(*sides), int(scored.sum())))
    return tuple(parts), list(collector)


def check_key(scorer: Scorer, key: Side) -> Side:
    """The key, with an error where the boundaries of a window cannot be found in it."""
    try:
        for window in scorer.options.window:
            find_windows(scorer, key.scored, window, Collector())
    except DataError as error:
        return key.with_incidents(*error.incidents)
    return key


def _note_slip(key: Corpus, windows: Windows, width: str, collector: Collector) -> None:
    """Note how many key mentions are in no window, and how many in several."""
    times = windows.times(key)
    lost, twice = int((times == 0).sum()), int((times > 1).sum())
    if lost or twice:
        collector.note("window-slip", width=width, lost=lost, number=key.mentions, twice=twice)


def cut_chains(
    make_chains: Callable[[], ComparedChains], windows: Windows, *, drop_singletons: bool = False
) -> ComparedChains:
    """Both sides with the pieces in windows as entities; windows must be a partition of a document.

    Documents keep their names, and mentions their tokens, so that the attributes of these can still
    be found.
    """
    compared = make_chains()
    key, response = compared.key_corpus, compared.response_corpus
    whole = Comparison(key, response, compared.pairs)
    (cut_key, key_window, key_rows), (cut_response, response_window, response_rows) = (
        _cut_side(corpus, windows.holding(corpus.document, position), 1 + drop_singletons)
        for corpus, position in zip((key, response), places_of(whole), strict=True)
    )
    pairs = whole.take(key_rows, response_rows).pairs
    windowed = CutMentions(len(windows), key_window, response_window, key.entity[key_rows])
    return replace(
        compared, key_corpus=cut_key, response_corpus=cut_response, pairs=pairs, cut=windowed
    )


def _cut_side(corpus: Corpus, window: IntArray, least: int) -> tuple[Corpus, IntArray, BoolArray]:
    """The corpus with the pieces of at least `least` mentions as entities; the window of each of
    its mentions, and which mentions of the whole corpus these are.
    """
    width = int(window.max(initial=0)) + 1
    pieces = distinct(corpus.entity * width + window)
    kept = pieces.counts[pieces.inverse] >= least
    large = pieces.counts >= least
    labels = tuple(corpus.labels[entity] for entity in (pieces.values[large] // width).tolist())
    piece = (np.cumsum(large) - 1)[pieces.inverse[kept]]
    taken = corpus if kept.all() else corpus.take(kept)
    return replace(taken, entity=piece, labels=labels, links=None), window[kept], kept


def _sizes(key: Corpus, response: Corpus) -> tuple[PartSize, PartSize]:
    return PartSize(key.entities, key.mentions), PartSize(response.entities, response.mentions)
