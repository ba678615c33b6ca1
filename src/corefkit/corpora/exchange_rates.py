"""What errors cost on a corpus: the loss of each metric for known errors of one kind.

The loss at a rate of errors depends on the metric and on the corpus, so it must be measured.
"""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from corefkit._lazy import door
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError
from corefkit.core.options import Options, UsageError, refuse_levels
from corefkit.core.texts import decimal_text
from corefkit.corpora.degrade import SEED, Rate, degrade, parse_rate
from corefkit.corpora.known_errors import OPERATIONS
from corefkit.formats import split_readings
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.comparison import Readable
from corefkit.scoring.run import score_systems
from corefkit.scoring.scores import Scores

if TYPE_CHECKING:
    from corefkit.core.options import ScoreChoices
    from corefkit.metrics.base import Metrics

RATES = ("1%", "2%", "5%", "10%")
"""The default rates at which errors are made."""
SEEDS = 10
"""The default number of seeds with which errors are made at each rate."""


class Loss(NamedTuple):
    """What a rate of errors costs in one metric, as a fraction of 1.

    Attributes:
        loss: the mean loss of F1 over the seeds.
        sd: the standard deviation over the seeds; None for one seed.
        per_percent: the mean loss per percent of errors.
    """

    loss: float
    sd: float | None
    per_percent: float


@frozen
class ErrorRate:
    """What errors of one kind cost at one rate, by metric."""

    operation: str
    rate: str
    metrics: Mapping[str, Loss]


@frozen
class ExchangeRates:
    """What errors cost on a corpus.

    Attributes:
        signature: the signature of the scores.
        seeds: the seeds that were used.
        rates: the loss of each metric for each operation and rate.
    """

    signature: str
    seeds: tuple[int, ...]
    rates: tuple[ErrorRate, ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `corefkit degrade --table`; numbers are not rounded."""
        rates = [
            {
                "operation": error_rate.operation,
                "rate": error_rate.rate,
                "metrics": {name: loss._asdict() for name, loss in error_rate.metrics.items()},
            }
            for error_rate in self.rates
        ]
        return {"signature": self.signature, "seeds": [*self.seeds], "rates": rates}

    def __str__(self) -> str:
        return door("ExchangeRates.text", str)(self)


def exchange_rates(  # noqa: PLR0913 (one parameter per option)
    key: Readable,
    metrics: "Metrics | None" = None,
    profile: str = "standard",
    *,
    rates: Sequence[Rate] = RATES,
    seeds: int = SEEDS,
    seed: int = SEED,
    **policies: "Unpack[ScoreChoices]",
) -> ExchangeRates:
    """What errors cost on a key: the loss of F1 in each metric, for each operation and rate.

    Errors are made with `seeds` consecutive seeds, from `seed` on, and scored as by
    `corefkit.score` with these options. Raises DataError where the key cannot be read or scored.

    >>> table = exchange_rates("examples/key.conll", "muc", rates=["10%"], seeds=3)
    >>> drop = next(rate for rate in table.rates if rate.operation == "drop")
    >>> round(100 * drop.metrics["muc"].loss, 2)
    7.66
    """
    choices: dict[str, Any] = {**policies}
    readings = split_readings(choices)
    options = make_options(metrics, profile, **choices)
    refuse_levels(options, "mistakes are made in single documents")
    side = scorer_for(options).read(key, readings.key)
    return rates_of_corpus(side.corpus.checked(), options, rates=rates, seeds=seeds, seed=seed)


def rates_of_corpus(  # noqa: PLR0913 (one parameter per option)
    key: Corpus,
    options: Options,
    *,
    rates: Sequence[Rate] = RATES,
    seeds: int = SEEDS,
    seed: int = SEED,
    progress: Callable[[int, int], None] | None = None,
) -> ExchangeRates:
    """Like `exchange_rates`, for a corpus that has been read.

    `progress` is called after each operation and rate with the number done and the total.
    """
    if seeds < 1:
        raise UsageError(f"seeds: {seeds} is not a positive whole number")
    chosen = [parse_rate(rate) for rate in rates]
    if not chosen or min(chosen) <= 0:
        raise UsageError("rates: name rates above 0, e.g. 1%,5%")
    perfect = _score(key, key, options)
    used_seeds = tuple(range(seed, seed + seeds))
    table: list[ErrorRate] = []
    for operation in OPERATIONS:
        for rate in chosen:
            errors: dict[str, Any] = {operation: rate}
            runs = [
                _score(key, degrade(key, seed=number, **errors).corpus, options)
                for number in used_seeds
            ]
            losses = {
                metric: _loss([perfect[metric].f1 - run[metric].f1 for run in runs], float(rate))
                for metric in options.metrics
            }
            table.append(ErrorRate(operation, decimal_text(float(rate)), losses))
            if progress:
                progress(len(table), len(OPERATIONS) * len(chosen))
    return ExchangeRates(perfect.signature, used_seeds, tuple(table))


def _score(key: Corpus, response: Corpus, options: Options) -> Scores:
    report = score_systems(key, [response], options)
    scores = report.systems[0].scores
    if scores is None:
        raise DataError(report.incidents)
    return scores


def _loss(losses: Sequence[float], rate: float) -> Loss:
    mean = fmean(losses)
    return Loss(mean, stdev(losses) if len(losses) > 1 else None, mean / (100 * rate))
