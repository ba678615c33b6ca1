"""Scores of long documents that are cut into windows: one row for each width, the whole last.

The counts of the windows of a document are added up, so that the document stays the unit of groups,
intervals and tests: windows of one book are not independent.
"""

from typing import Any, NamedTuple

import numpy as np

from corefkit.core.corpus import Corpus
from corefkit.core.counts import Counts
from corefkit.core.incidents import Collector, Incident
from corefkit.scorers.comparison import Comparison, Side
from corefkit.scorers.scorer import Scorer
from corefkit.scorers.windows import WHOLE, Windows, by_document, cut, find_windows
from corefkit.scoring.scores import Scores


class WindowedSize(NamedTuple):
    """How many entities, or pieces of entities, and mentions of one side are scored."""

    entities: int
    mentions: int


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
    rows = []
    for window in options.window:
        sides = comparison.key, comparison.response
        windows = find_windows(scorer, sides[0], window, collector, sides[1]).within(scored)
        made = cut(comparison, windows, drop_singletons=scorer.drops_pieces)
        counts = by_document(scorer.count(made), windows, names).select(scored)
        rows.append(_row(window, len(windows), made, Scores(options, counts)))
        if not windows.partition:
            _note_slip(comparison.key, windows, window, collector)
    rows.append(_row(WHOLE, int(scored.sum()), comparison, Scores(options, whole)))
    return tuple(rows), list(collector)


def check_key(scorer: Scorer, key: Side) -> Side:
    """The key, with an error where it does not say where the windows of the options begin."""
    from corefkit.core.incidents import DataError

    try:
        for window in scorer.options.window:
            find_windows(scorer, key.scored, window, Collector())
    except DataError as error:
        return key.with_incidents(*error.incidents)
    return key


def _row(window: str, windows: int, comparison: Comparison, scores: Scores) -> WindowScores:
    key, response = (
        WindowedSize(c.entities, c.mentions) for c in (comparison.key, comparison.response)
    )
    return WindowScores(window, windows, key, response, scores)


def _note_slip(key: Corpus, windows: Windows, width: str, collector: Collector) -> None:
    """Say how many key mentions stand in no window, and how many in two."""
    times = windows.times(key)
    lost, twice = int((times == 0).sum()), int((times > 1).sum())
    if lost or twice:
        collector.note("window-slip", width=width, lost=lost, number=key.mentions, twice=twice)
