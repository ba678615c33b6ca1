"""The mean over several keys, as shared tasks rank by it: its interval, and tests of differences.

Documents are drawn and exchanged within each key; the keys themselves are given, not a sample.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from corefkit.data.options import UsageError
from corefkit.scoring.scores import Scores
from corefkit.stats.bootstrap import LEVEL
from corefkit.stats.evidence import SAMPLES, SEED, Plan
from corefkit.stats.significance import Comparison, compare_evidence, compare_scores


def compare_means(
    systems: Mapping[str, Sequence[Scores]],
    metric: str,
    *,
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
) -> Comparison:
    """Compare the means of F1 over several keys; each system has scores for the same keys.

    With one key this is `compare_scores`. With several, intervals are percentiles and the p-values
    those of randomisation; a key of one document cannot be resampled and stands as it is.
    """
    if not systems or not all(systems.values()):
        raise UsageError("there is nothing to compare: no system or no key")
    plain = {name: [_only(s, metric) for s in scores] for name, scores in systems.items()}
    if len({len(scores) for scores in plain.values()}) > 1:
        raise UsageError("each system needs scores for each key")
    if len(next(iter(plain.values()))) == 1:
        one = {name: scores[0] for name, scores in plain.items()}
        return compare_scores(one, samples=samples, seed=seed, level=level)
    by_key = list(zip(*plain.values(), strict=True))
    return compare_evidence(list(plain), by_key, Plan(samples, seed, level))


def _only(scores: Scores, metric: str) -> Scores:
    """The scores with one metric, which is all that is resampled."""
    return replace(scores, options=replace(scores.options, metrics=(metric,)))
