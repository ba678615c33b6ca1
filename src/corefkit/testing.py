"""For tests of coreference systems: assert that scores do not fall.

>>> from corefkit.testing import assert_score_at_least
>>> assert_score_at_least("examples/key.conll", "examples/careful.conll", conll=88.9, muc=90)
Scores(muc 91.15, bcub 89.07, ceafe 86.72, conll 88.98)
"""

from typing import TYPE_CHECKING, Any

from corefkit.core.options import UsageError
from corefkit.core.style import points
from corefkit.scorers.comparison import Readable
from corefkit.scoring.run import score
from corefkit.scoring.scores import Scores

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["assert_score_at_least"]


def assert_score_at_least(
    key: Readable,
    response: Readable,
    *,
    options: "Mapping[str, Any] | None" = None,
    **least: float,
) -> Scores:
    """Score a response and raise AssertionError if the F1 of a metric, in percent, is too low.

    `least` has the least F1 by metric: conll=75, lea=70.5. `options` are those of
    `corefkit.score`, e.g. {"singletons": "drop"}. Returns the scores for further assertions.
    """
    if not least:
        raise UsageError("assert_score_at_least: name a metric, e.g. conll=75")
    if wrong := [name for name, value in least.items() if not 0 <= value <= 100]:
        raise UsageError(f"assert_score_at_least: {wrong[0]} is in percent, 0 to 100")
    if small := [(name, value) for name, value in least.items() if 0 < value <= 1]:
        name, value = small[0]
        raise UsageError(
            f"assert_score_at_least: {name}={value:g} is a fraction; in percent: "
            f"{name}={100 * value:.10g}"
        )
    from corefkit.metrics import counted, exists

    metrics = sorted({*least, *counted(filter(exists, least))}, key=_place)
    scores = score(key, response, metrics, **(options or {}))
    low = [
        f"{name} is {points(scores[name].f1)}, at least {value:g} is required"
        for name, value in least.items()
        if 100 * scores[name].f1 < value
    ]
    if low:
        raise AssertionError("\n".join([*low, "", str(scores)]))
    return scores


def _place(name: str) -> tuple[int, str]:
    """The order of metrics: built-in ones as in their list, then others by name."""
    from corefkit.metrics import NAMES

    return (NAMES.index(name) if name in NAMES else len(NAMES)), name
