"""Scores of long documents that are cut into windows: one row per width, whole documents last.

The counts of the windows of a document are added up, so that the document remains the unit of
groups, intervals and tests: windows of one book are not independent.
"""

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts
from corefkit.core.incidents import Collector, DataError, Incident
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.counting import count_comparison
from corefkit.scorers.scorer import Scorer
from corefkit.scorers.windows import Windows, by_document, find_windows
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
    key, response = comparison.key, comparison.response
    parts: list[Part[Scores]] = []
    for window in options.window:
        windows = find_windows(scorer, key, window, collector, response).within(scored)
        windowed = comparison.cut(windows, drop_singletons=scorer.drops_pieces)
        counted = count_comparison(scorer, windowed)
        counts = by_document(counted, windows, names).select(scored)
        scores = Scores(options, counts, comparison=windowed.without_files())
        sizes = _sizes(windowed.key, windowed.response)
        parts.append(Part(((WINDOW, window),), scores, *sizes, len(windows)))
        if not windows.partition:
            _note_slip(key, windows, window, collector)
    scores = Scores(options, whole, comparison=comparison.without_files())
    parts.append(Part((), scores, *_sizes(key, response), int(scored.sum())))
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


def _sizes(key: Corpus, response: Corpus) -> tuple[PartSize, PartSize]:
    return PartSize(key.entities, key.mentions), PartSize(response.entities, response.mentions)
