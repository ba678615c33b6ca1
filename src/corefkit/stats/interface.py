"""`corefkit.compare` and `corefkit.agree`: from files to intervals, tests and agreement."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

from corefkit.data.incidents import DataError
from corefkit.data.options import Method, UsageError
from corefkit.formats.choices import split_readings
from corefkit.profiles import make_options
from corefkit.scoring.run import score_systems
from corefkit.scoring.scores import Scores
from corefkit.scoring.sides import Readable
from corefkit.stats.agreement import Agreement
from corefkit.stats.agreement import agree as agree_on
from corefkit.stats.bootstrap import LEVEL
from corefkit.stats.evidence import SAMPLES, SEED
from corefkit.stats.significance import Comparison, compare_scores

if TYPE_CHECKING:
    from corefkit.metrics.base import Metrics
    from corefkit.scoring.choices import ScoreChoices


def compare(  # noqa: PLR0913 (as many as there are options)
    key: Readable | Mapping[str, Scores],
    *responses: Readable,
    metrics: "Metrics | None" = None,
    profile: str = "standard",
    samples: int = SAMPLES,
    seed: int = SEED,
    level: float = LEVEL,
    interval: Method = "percentile",
    **policies: "Unpack[ScoreChoices]",
) -> Comparison:
    """Test the differences between responses to one key: intervals, paired tests, groups.

    Key and responses are paths or Corpora, the options those of `corefkit.score`. Instead of them
    {name: Scores} may be given, of the same documents and options. Raises DataError if a response
    cannot be scored.

    >>> compare("examples/key.conll", "examples/careful.conll", "examples/hasty.conll")
    Comparison(careful, hasty: 8 documents, 10,000 samples)
    """
    plan: dict[str, Any] = {"samples": samples, "seed": seed, "level": level, "interval": interval}
    if isinstance(key, Mapping):
        if responses or metrics is not None or policies:
            raise UsageError("compare: scores are made already; give files, or scores alone")
        return compare_scores(key, **plan)
    if not responses:
        raise UsageError("compare: give at least one response")
    choices: dict[str, Any] = {**policies}
    readings = split_readings(choices)
    options = make_options(metrics, profile, **choices)
    report = score_systems(key, responses, options, readings=readings)
    systems = {system.name: system.scores for system in report.systems if system.scores}
    if len(systems) < len(responses):
        raise DataError([i for i in report.incidents if i.severity == "error"])
    return compare_scores(systems, **plan)


def agree(
    *annotators: Readable,
    adjudicated: Readable | None = None,
    metrics: "Metrics | None" = None,
    **policies: "Unpack[ScoreChoices]",
) -> Agreement:
    """How far two or more annotators agree: every metric for each pair, and α for all of them.

    Annotators are paths or Corpora of the same text; `adjudicated` is the version that settles
    their disagreements. Raises DataError where one cannot be read.

    >>> agree("examples/key.conll", "examples/careful.conll")
    Agreement(key, careful: 8 documents, alpha 0.8565)
    """
    choices: dict[str, Any] = {**policies}
    readings = split_readings(choices)
    return agree_on(annotators, adjudicated, make_options(metrics, **choices), readings.key)
