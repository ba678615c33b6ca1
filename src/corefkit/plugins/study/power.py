"""How many documents it takes to detect a difference: power by the normal approximation.

Card et al. (2020), With Little Power Comes Great Responsibility. The standard error of a difference
is that of the jackknife over the N documents; with n documents like these it is √(N / n) times as
large. `--simulate` checks the approximation: test sets are drawn, and each is tested.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import count
from math import ceil, sqrt
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

import numpy as np

from corefkit.core.arrays import FloatArray
from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError
from corefkit.core.options import UsageError
from corefkit.core.results import Result
from corefkit.core.texts import count_of
from corefkit.formats.options import split_readings
from corefkit.scorers import make_options
from corefkit.scorers.comparison import Readable
from corefkit.scoring.run import score_systems
from corefkit.scoring.scores import Scores
from corefkit.stats.figures import WHOLE, KeyFigures, list_rows
from corefkit.stats.resampling import EQUAL, LEVEL, SEED, Plan

if TYPE_CHECKING:
    from corefkit.core.options import ScoreChoices
    from corefkit.metrics.base import Metrics

POWER = 0.8
"""The default of the desired power."""
FEW_DOCUMENTS = 20
"""With fewer documents, the error of the difference is itself uncertain."""
EXCHANGES = 1000
"""The number of exchanges in each simulated test."""


@frozen
class PowerEstimate:
    """The power of a test of one metric over a number of documents.

    Attributes:
        difference: F1 of a minus F1 of b, as observed.
        documents: the number of documents.
        error: the standard error of the difference over these; None where it is not known.
        power: how often a test over these would detect a difference of this size.
        detectable: the smallest difference that would be detected with the desired power.
        needed: how many documents it takes to detect the observed difference with that power;
            None where there is no difference.
        simulated: the share of simulated test sets in which it was significant, if any were drawn.
    """

    difference: float
    documents: int
    error: float | None
    power: float | None
    detectable: float | None
    needed: int | None
    simulated: float | None = None


@frozen
class Power(Result):
    """The power of tests of two systems, by number of documents.

    Attributes:
        signature: one line that makes the figures reproducible.
        systems: the names of a and b.
        documents: how many the key has.
        level: the confidence level of the test.
        power: the desired power.
        metrics: metric → an estimate for each number of documents.
        notes: reservations about the figures, as sentences.
    """

    kind: ClassVar[str] = "power"

    signature: str
    systems: tuple[str, str]
    documents: int
    level: float
    power: float
    metrics: Mapping[str, tuple[PowerEstimate, ...]]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per metric and number of documents."""
        a, b = self.systems
        return [
            {"system": a, "b": b, "metric": metric, **asdict(estimate)}
            for metric, estimates in self.metrics.items()
            for estimate in estimates
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists, nothing rounded: the JSON of `corefkit study power`."""
        return asdict(self)


def power(  # noqa: PLR0913 (as many as there are options)
    key: Readable,
    a: Readable,
    b: Readable,
    metrics: "Metrics | None" = None,
    profile: str = "standard",
    *,
    size: int | Sequence[int] = (),
    power: float = POWER,
    level: float = LEVEL,
    simulate: int = 0,
    seed: int = SEED,
    **policies: "Unpack[ScoreChoices]",
) -> Power:
    """How likely a test over a number of documents is to detect the difference of a and b.

    `size`, in documents, is one number or several, by default that of the key; the other options
    are those of `corefkit.score`. Raises DataError if a response cannot be scored.

    >>> estimate = power("examples/key.conll", "examples/careful.conll", "examples/hasty.conll",
    ...                  "conll").metrics["conll"][0]
    >>> estimate.documents, estimate.needed
    (8, 2)
    """
    choices: dict[str, Any] = {**policies}
    readings = split_readings(choices)
    options = make_options(metrics, profile, **choices)
    report = score_systems(key, [a, b], options, readings=readings)
    if len(report.scores) < 2:
        raise DataError([i for i in report.incidents if i.severity == "error"])
    return power_of_scores(
        report.scores, size, power=power, level=level, simulate=simulate, seed=seed
    )


def power_of_scores(  # noqa: PLR0913 (as many as there are options)
    systems: Mapping[str, Scores],
    size: int | Sequence[int] = (),
    *,
    power: float = POWER,
    level: float = LEVEL,
    simulate: int = 0,
    seed: int = SEED,
) -> Power:
    """Like `power`, for two systems that were scored with the same options against the same key."""
    for name, share in (("power", power), ("level", level)):
        if not 0 < share < 1:
            raise UsageError(f"{name}: {share} is not between 0 and 1")
    a, b = systems.values()
    parts = [{WHOLE: scores} for scores in (a, b)]
    figures = KeyFigures(parts, list_rows(parts), Plan(1, seed), np.random.SeedSequence(seed))
    documents = figures.documents
    if not documents:
        raise UsageError("there is nothing to compare: no document")
    sizes = [size] if isinstance(size, int) else [*size] or [documents]
    if least := [n for n in sizes if n < 1]:
        raise UsageError(f"size: {least[0]} is not a positive whole number")
    difference = figures.observed[0] - figures.observed[1]
    single = _error_of_one(figures)
    shares = {
        n: _simulate(figures, n, simulate, level, seed) if simulate and documents > 1 else None
        for n in sizes
    }
    estimates = {}
    for number, metric in enumerate(a.options.metrics):
        effect = float(difference[number]), None if single is None else float(single[number])
        rows = (_estimate(*effect, n, level, power) for n in sizes)
        with_shares = zip(rows, shares.values(), strict=True)
        estimates[metric] = tuple(
            row if share is None else replace(row, simulated=float(share[number]))
            for row, share in with_shares
        )
    names = tuple(systems)
    signature = f"{a.signature}|power:{power:g}|level:{level:g}" + (
        f"|simulate:{simulate}|seed:{seed}" if simulate else ""
    )
    notes = (*_notes(documents), *_note_too_few(estimates, level))
    return Power(signature, (names[0], names[1]), documents, level, power, estimates, notes)


def _notes(documents: int) -> tuple[str, ...]:
    if documents < 2:
        return ("with one document, nothing is known about how much documents differ",)
    if documents < FEW_DOCUMENTS:
        return (f"only {count_of(documents, 'document')}: the error itself is uncertain",)
    return ()


def _note_too_few(
    estimates: Mapping[str, Sequence[PowerEstimate]], level: float
) -> tuple[str, ...]:
    """A note where `needed` is less than the documents with which a test can be significant."""
    least = fewest_documents(level)
    needed = [row.needed for rows in estimates.values() for row in rows]
    if not any(n is not None and n < least for n in needed):
        return ()
    return (
        f"`needed` is a normal approximation: with fewer than {least} documents, randomisation "
        f"over documents can never be significant at level {level:g}",
    )


def fewest_documents(level: float) -> int:
    """The smallest number n of documents with which a p-value, at least 2¹⁻ⁿ, can be significant.

    >>> fewest_documents(0.95), fewest_documents(0.5)
    (6, 2)
    """
    return next(n for n in count(1) if 2.0 ** (1 - n) <= 1 - level + EQUAL)


def _error_of_one(figures: KeyFigures) -> FloatArray | None:
    """√N times the jackknife error of the difference over N documents, float64 (metrics,).

    It is computed from the counts themselves: those of the figures are rounded for sampling.
    """
    size = figures.documents
    if size < 2:
        return None
    table = figures.by_document if figures.of_means else figures.exact
    others = table.sum(axis=-1, keepdims=True) - table
    without = figures.f1(np.maximum(others, 0.0), size - 1)
    differences = without[0] - without[1]
    squares = ((differences - differences.mean(axis=-1, keepdims=True)) ** 2).sum(axis=-1)
    error: FloatArray = np.sqrt((size - 1) / size * squares) * sqrt(size)
    return error


def _estimate(
    difference: float, single: float | None, documents: int, level: float, power: float
) -> PowerEstimate:
    """The estimate for a number of documents; `single` is the error for one."""
    from scipy.special import ndtr, ndtri

    if single is None:
        return PowerEstimate(difference, documents, None, None, None, None)
    error, size = single / sqrt(documents), abs(difference)
    z, z_of_power = float(ndtri((1 + level) / 2)), float(ndtri(power))
    reach = z + z_of_power
    is_different = size > EQUAL
    chance: float | None = 1.0 if is_different else None
    if error > 0:
        chance = float(ndtr(size / error - z) + ndtr(-size / error - z))
    needed = max(ceil((reach * single / size) ** 2), 1) if is_different else None
    return PowerEstimate(difference, documents, error, chance, reach * error, needed)


def _simulate(
    figures: KeyFigures, documents: int, sets: int, level: float, seed: int
) -> FloatArray:
    """The share of test sets with a significant difference, float64 (metrics,).

    Test sets are drawn with replacement, and each is tested by approximate randomisation.
    """
    rng = np.random.default_rng([seed, documents])
    detected = np.zeros(figures.observed.shape[1])
    for _ in range(sets):
        drawn = figures.table[..., rng.integers(0, figures.documents, documents)]
        whole, differences = drawn.sum(axis=-1)[..., None], drawn[1] - drawn[0]
        coins = rng.integers(0, 2, (documents, EXCHANGES)).astype(np.float64)
        moved = differences @ coins
        observed = figures.f1(whole[0], documents) - figures.f1(whole[1], documents)
        a, b = (figures.f1(s, documents) for s in (whole[0] + moved, whole[1] - moved))
        extreme = (np.abs(a - b) >= np.abs(observed) - EQUAL).sum(axis=-1)
        detected += (extreme + 1) / (EXCHANGES + 1) <= 1 - level + EQUAL
    share: FloatArray = detected / sets
    return share
