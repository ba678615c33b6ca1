"""Intervals, paired tests, several runs, agreement; and the choices that they share."""

from typing import Literal

MOST_SAMPLES = 1_000_000
"""The limit of `samples`: more do not change the result and do not fit into memory."""

Method = Literal["percentile", "bca", "jackknife"]
INTERVALS: dict[Method, str] = {
    "percentile": "percentiles of the bootstrap",
    "bca": "percentiles corrected for bias and skewness",
    "jackknife": "Student's t and the jackknife's standard error, best for few documents",
}
"""The methods of confidence intervals, the default first."""

FailedPolicy = Literal["error", "skip", "zero"]
FAILED: dict[FailedPolicy, str] = {
    "error": "the others are shown, and the exit status is 1",
    "skip": "it is left out and counted",
    "zero": "it counts as an empty response",
}
"""What happens where a run cannot be scored, the default first."""
