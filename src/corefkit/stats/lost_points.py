"""Intervals of what detection and linking cost: the four corners are resampled as four systems."""

from collections.abc import Mapping

import numpy as np

from corefkit.analysis.losses import LostPoints, RepairCorners, share_loss
from corefkit.scoring.scores import Scores
from corefkit.stats.resampling import Ends, KeyFigures, Plan


def loss_intervals(
    losses: RepairCorners, plan: Plan | None = None
) -> Mapping[str, dict[str, Ends]]:
    """For each metric the percentile interval of each figure of its LostPoints, over documents.

    There are none where there is only one document.
    """
    plan = plan or Plan()
    scores = [Scores(losses.options, counts) for counts in losses.corners]
    figures = KeyFigures(scores, plan.samples, np.random.SeedSequence(plan.seed), only=True)
    if figures.documents < 2:
        return {}
    ends = [(1 - plan.level) / 2, (1 + plan.level) / 2]
    intervals: dict[str, dict[str, Ends]] = {}
    for place, metric in enumerate(losses.options.metrics):
        drawn = share_loss(figures.drawn[:, place])
        quantiles = (np.quantile(figure, ends).tolist() for figure in drawn)
        intervals[metric] = dict(zip(LostPoints._fields, map(tuple, quantiles), strict=True))
    return intervals
