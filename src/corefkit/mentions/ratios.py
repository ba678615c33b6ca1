"""Scores from outcomes: tp, wl, fn and fp, in total and by class."""

from collections.abc import Mapping
from dataclasses import replace

from corefkit.mentions.outcomes import NAMES as COLUMNS
from corefkit.metrics.base import Score, Sums, divide

ANCHOR_COLUMNS = tuple(f"{part}_{name}" for part in ("detection", "mentions") for name in COLUMNS)


def score(sums: Sums) -> Score:
    """R = tp/(tp+wl+fn), P = tp/(tp+wl+fp), and the counts.

    >>> found = score((1, 2, 1, 2))
    >>> found.recall, found.precision, found.counts
    (0.25, 0.2, {'tp': 1, 'wl': 2, 'fn': 1, 'fp': 2})
    """
    tp, wl, fn, fp = sums
    recall, precision = divide(tp, tp + wl + fn), divide(tp, tp + wl + fp)
    f1 = divide(2 * tp, 2 * tp + 2 * wl + fn + fp)
    counts = dict(zip(COLUMNS, sums, strict=True))
    return Score(f1, recall, precision, counts, classes={})


def classify(total: Score, classes: Mapping[str, Sums]) -> Score:
    """The score with those of its classes."""
    scores = {name: replace(score(sums), classes=None) for name, sums in classes.items()}
    return replace(total, classes=scores)


def score_anchor(sums: Sums) -> Score:
    """Fφ, with the scores of detection and mentions."""
    detection, mentions = score(sums[:4]), score(sums[4:])
    f1 = divide(2 * detection.f1 * mentions.f1, detection.f1 + mentions.f1)
    return Score(f1, detection=detection, mentions=mentions)


def classify_anchor(total: Score, classes: Mapping[str, Sums]) -> Score:
    """The score with detection and mentions by class; nothing counted, no entry."""
    if total.detection is None or total.mentions is None:
        raise ValueError("not a score of anchors")
    detection = {name: sums[:4] for name, sums in classes.items() if any(sums[:4])}
    mentions = {name: sums[4:] for name, sums in classes.items() if any(sums[4:])}
    return replace(
        total,
        detection=classify(total.detection, detection),
        mentions=classify(total.mentions, mentions),
    )
