"""Scores of long documents that are cut into windows: one row for each width, the whole last.

The counts of the windows of a document are added up, so that the document stays the unit of groups,
intervals and tests: windows of one book are not independent.
"""

from functools import partial
from typing import Any, NamedTuple

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts
from corefkit.core.incidents import Collector, Incident
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.pieces import EntityPieces, cut_pair
from corefkit.scorers.scorer import Scorer
from corefkit.scorers.windows import WHOLE, Windows, by_document, cut, find_windows
from corefkit.scoring.scores import Scores


class WindowedSize(NamedTuple):
    """How many entities, or pieces of entities, and mentions of one side are scored."""

    entities: int
    mentions: int


_CutCounts = tuple[Counts, WindowedSize, WindowedSize]
"""The counts of windows, and how much of key and response is in them."""


class WindowScores(NamedTuple):
    """The scores of documents that are cut in one way.

    Attributes:
        window: the width or the bounds, as an option names them; "whole" for whole documents.
        windows: how many there are, those without a mention included.
        key, response: how much is compared.
        scores: the scores; their counts stand by document.
    """

    window: str
    windows: int
    key: WindowedSize
    response: WindowedSize
    scores: Scores

    def to_dict(self, by: str | None = None) -> dict[str, Any]:
        """The row as it stands in the JSON output, with groups of documents if there are any."""
        groups = self.scores.by(by) if by else {}
        return {
            "window": self.window,
            "windows": self.windows,
            "key": self.key._asdict(),
            "response": self.response._asdict(),
            "scores": self.scores.to_dict(),
            **({"groups": {g: {"scores": s.to_dict()} for g, s in groups.items()}} if by else {}),
        }


def score_windows(
    scorer: Scorer, comparison: Comparison, whole: Counts
) -> tuple[tuple[WindowScores, ...], list[Incident]]:
    """A row for each window of the options and one of the whole, which is counted already.

    And what is to be known of the windows.
    """
    options, collector = scorer.options, Collector(comparison.key_side.path)
    names = comparison.key.names
    chosen = comparison.documents
    scored = np.array([chosen is None or name in chosen for name in names], dtype=bool)
    make_pair, drops = comparison.pair_maker(options.tagset), scorer.drops_pieces
    sides = comparison.key, comparison.response
    if scorer.counts_overlaps:
        count = partial(_count_pieces, scorer, EntityPieces(comparison, drop_singletons=drops))
    else:
        count = partial(_count_cut, scorer, comparison)
    rows = []
    for window in options.window:
        windows = find_windows(scorer, sides[0], window, collector, sides[1]).within(scored)
        counted, ours, theirs = count(windows)
        counts = by_document(counted, windows, names).select(scored)
        own = partial(cut_pair, make_pair, windows, drop_singletons=drops)
        scores = Scores(options, counts, make_pair=own if windows.partition else None)
        rows.append(WindowScores(window, len(windows), ours, theirs, scores))
        if not windows.partition:
            _note_slip(comparison.key, windows, window, collector)
    ours, theirs = (WindowedSize(side.entities, side.mentions) for side in sides)
    scores = Scores(options, whole, make_pair=make_pair)
    rows.append(WindowScores(WHOLE, int(scored.sum()), ours, theirs, scores))
    return tuple(rows), list(collector)


def _count_pieces(scorer: Scorer, pieces: EntityPieces, windows: Windows) -> _CutCounts:
    """The counts of windows that part documents, and what both sides have in them."""
    overlap = pieces.cut(windows).overlap
    ours, theirs = (
        WindowedSize(len(side.size), int(side.size.sum()))
        for side in (overlap.key, overlap.response)
    )
    return scorer.count_overlap(overlap, map(str, range(len(windows)))), ours, theirs


def _count_cut(scorer: Scorer, comparison: Comparison, windows: Windows) -> _CutCounts:
    """The same where a scorer counts in its own way, or windows share mentions."""
    made = cut(comparison, windows, drop_singletons=scorer.drops_pieces)
    ours, theirs = (WindowedSize(c.entities, c.mentions) for c in (made.key, made.response))
    return scorer.count(made), ours, theirs


def check_key(scorer: Scorer, key: Side) -> Side:
    """The key, with an error where it does not say where the windows of the options begin."""
    from corefkit.core.incidents import DataError

    try:
        for window in scorer.options.window:
            find_windows(scorer, key.scored, window, Collector())
    except DataError as error:
        return key.with_incidents(*error.incidents)
    return key


def _note_slip(key: Corpus, windows: Windows, width: str, collector: Collector) -> None:
    """Say how many key mentions stand in no window, and how many in two."""
    times = windows.times(key)
    lost, twice = int((times == 0).sum()), int((times > 1).sum())
    if lost or twice:
        collector.note("window-slip", width=width, lost=lost, number=key.mentions, twice=twice)
