"""Scores of a list of links at every threshold, and whether its probabilities can be believed.

`thresholds` makes the points, `calibration` judges the probabilities; here they become the curve of
each system, with its best points, and the threshold that other data would choose.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

from corefkit._lazy import door
from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError, Incident, errors
from corefkit.core.names import path_of, system_names
from corefkit.core.options import Options, Reading, Readings, UsageError, refuse_levels
from corefkit.core.texts import decimal_text
from corefkit.formats import split_readings
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.comparison import Readable, Side
from corefkit.scorers.documents import Documents, choose_documents, listed_documents
from corefkit.stats.calibration import LOW, Calibration
from corefkit.stats.resampling import SAMPLES, SEED
from corefkit.stats.thresholds import CurvePoint, ListedResponse

if TYPE_CHECKING:
    from os import PathLike

    from corefkit.core.options import ScoreChoices
    from corefkit.metrics.base import Metrics

POINTS = 100
"""So many points a curve has at most, where thresholds are not named."""
RECALLS = (0.5, 0.6, 0.7, 0.8, 0.9)
"""For these, `precision_at` says the highest precision."""


@frozen(eq=False)
class SystemCurve:
    """One response at all thresholds.

    Attributes:
        name: what it is called.
        points: from the highest threshold to the lowest; at the first nothing is kept.
        calibration: of its probabilities; None where there is no link.
        chosen: by metric the point at the threshold that other data chose, if any were given.
    """

    name: str
    points: tuple[CurvePoint, ...]
    calibration: Calibration | None
    chosen: Mapping[str, CurvePoint] | None = None

    @property
    def best(self) -> dict[str, CurvePoint]:
        """By metric the point of highest F1; of equals that of the higher threshold."""
        metrics = self.points[0].scores
        return {m: max(self.points, key=lambda point: point.scores[m].f1) for m in metrics}

    @property
    def precision_at(self) -> dict[str, dict[str, float | None]]:
        """By metric, for some recalls, the highest precision of points with at least that recall.

        None where there is none; metrics without recall are left out.
        """
        values: dict[str, dict[str, float | None]] = {}
        for metric, first in self.points[0].scores.items():
            if first.recall is None:
                continue
            rates = [(p.scores[metric].recall, p.scores[metric].precision) for p in self.points]
            known = [(r, p) for r, p in rates if r is not None and p is not None]
            values[metric] = {
                decimal_text(least): max((p for r, p in known if r >= least), default=None)
                for least in RECALLS
            }
        return values

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists, nothing rounded."""
        content: dict[str, Any] = {
            "name": self.name,
            "points": [point.to_dict() for point in self.points],
            "best": {
                m: {"threshold": point.shown, "f1": point.scores[m].f1}
                for m, point in self.best.items()
            },
            "precision_at": self.precision_at,
            "calibration": self.calibration and self.calibration.to_dict(),
        }
        if self.chosen is not None:
            content["chosen"] = {
                m: {"threshold": point.shown, **point.scores[m].to_dict()}
                for m, point in self.chosen.items()
            }
        return content


@frozen(eq=False)
class Curve:
    """Responses at all thresholds; `notes` are what to know before believing the figures."""

    signature: str
    systems: tuple[SystemCurve, ...]
    notes: tuple[str, ...] = ()
    incidents: tuple[Incident, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists, nothing rounded: the JSON of `corefkit curve`."""
        systems = [system.to_dict() for system in self.systems]
        return {"signature": self.signature, "systems": systems, "notes": [*self.notes]}

    def __str__(self) -> str:
        return door("Curve.text", str)(self)


@frozen
class CurvePlan:
    """What is to be found out.

    Attributes:
        points: how many points there are at most.
        thresholds: those that are wanted instead; empty: what the list says.
        bin_size: the least size of bins of links; None: by their number.
        samples, seed: of the bootstrap.
    """

    points: int = POINTS
    thresholds: tuple[float, ...] = ()
    bin_size: int | None = None
    samples: int = SAMPLES
    seed: int = SEED

    def __post_init__(self) -> None:
        for name in ("points", "bin_size", "samples"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise UsageError(f"{name}: {value} is not a positive whole number")
        if wrong := [t for t in self.thresholds if not 0 <= t <= 1]:
            raise UsageError(f"thresholds: {wrong[0]} is not between 0 and 1")


def curve(  # noqa: PLR0913 (as many as there are options)
    key: Readable,
    *responses: "str | PathLike[str]",
    metrics: "Metrics | None" = None,
    profile: str = "standard",
    points: int = POINTS,
    thresholds: Iterable[float] = (),
    threshold_from: "Sequence[tuple[Readable, str | PathLike[str]]]" = (),
    bin_size: int | None = None,
    samples: int = SAMPLES,
    seed: int = SEED,
    documents: Documents = "all",
    **policies: "Unpack[ScoreChoices]",
) -> Curve:
    """Score lists of links with probabilities at every threshold, and judge the probabilities.

    Responses are files that give links and their probabilities: link lists, or JSON documents with
    `link_scores`. `threshold_from` has, for each response, another key and a response of the same
    system to it, on which the threshold is chosen. The other options are those of
    `corefkit.score`.

    Raises DataError where a file cannot be read, has no probabilities, or bad ones.
    """
    choices: dict[str, Any] = {**policies}
    readings = split_readings(choices)
    options = make_options(metrics, profile, **choices)
    plan = CurvePlan(points, tuple(thresholds), bin_size, samples, seed)
    if not responses:
        raise UsageError("curve: give at least one response")
    return draw_curves(
        key, responses, options, plan, readings=readings, documents=documents, others=threshold_from
    )


def draw_curves(  # noqa: PLR0913 (as many as there are things to say)
    key: Readable,
    responses: Sequence[Any],
    options: Options,
    plan: CurvePlan,
    *,
    readings: Readings,
    documents: Documents = "all",
    others: Sequence[tuple[Any, Any]] = (),
) -> Curve:
    """Like `curve`, with options that are made already."""
    _check_options(options, readings.response)
    if others and len(others) != len(responses):
        raise UsageError("threshold-from: name a key and a response for each RESPONSE")
    ours, chosen_options, chosen = _read_key(key, options, readings.key, documents)
    scorer = scorer_for(chosen_options)
    systems, incidents = [], [*ours.incidents]
    for number, (response, name) in enumerate(zip(responses, system_names(responses), strict=True)):
        wanted = _chosen_elsewhere(others[number], options, plan, readings) if others else None
        listed = ListedResponse(scorer, ours, path_of(response), readings.response, chosen)
        systems.append(_system(name, listed, plan, wanted))
        incidents += listed.incidents
    named = "+".join(map(decimal_text, sorted(plan.thresholds, reverse=True)))
    shown = f"thresholds:{named}" if named else f"points:{plan.points}"
    signature = systems[0].points[0].scores.signature
    signature += f"|{shown}|samples:{plan.samples}|seed:{plan.seed}"
    return Curve(signature, tuple(systems), tuple(_notes(systems)), tuple(incidents))


Wanted = Mapping[str, float | None]
"""The threshold that is wanted for each metric; None: nothing is kept."""


def _chosen_elsewhere(
    other: tuple[Any, Any], options: Options, plan: CurvePlan, readings: Readings
) -> Wanted:
    """The best threshold of each metric on other data."""
    key, response = other
    ours, options, _ = _read_key(key, options, readings.key, "all")
    listed = ListedResponse(scorer_for(options), ours, path_of(response), readings.response, None)
    best = _system("", listed, replace(plan, samples=1)).best
    return {metric: point.threshold for metric, point in best.items()}


def _system(
    name: str, listed: ListedResponse, plan: CurvePlan, wanted: Wanted | None = None
) -> SystemCurve:
    """The points of a response, its calibration, and the points that are wanted besides."""
    thresholds = sorted({*plan.thresholds}, reverse=True) or listed.thresholds(plan.points)
    extra = {t for t in (wanted or {}).values() if t is not None}
    points = listed.points(sorted({*thresholds, *extra}, reverse=True))
    by_threshold = {point.threshold: point for point in points}
    return SystemCurve(
        name,
        tuple(by_threshold[t] for t in (None, *thresholds)),
        listed.calibrate(plan.bin_size, plan.samples, plan.seed),
        None if wanted is None else {m: by_threshold[t] for m, t in wanted.items()},
    )


def _check_options(options: Options, reading: Reading) -> None:
    if reading.threshold is not None or reading.best or reading.unlinked == "drop":
        raise UsageError(
            "curve: threshold, best and unlinked are options of score; a curve uses all links"
        )
    if options.window:
        raise UsageError("curve: cannot be combined with windows")
    refuse_levels(options, "curves are defined for single documents")


def _read_key(
    key: Readable, options: Options, reading: Reading, documents: Documents
) -> tuple[Side, Options, set[str] | None]:
    """The key, the options with what was said about documents, and those that were listed."""
    scorer_for(options).check_matching()
    options, listed = choose_documents(options, documents)
    scorer = scorer_for(options)
    side = scorer.describe_key(scorer.read(key, reading))
    if errors(side.incidents):
        raise DataError(side.incidents)
    chosen = None
    if options.documents == "listed":
        chosen, incidents = listed_documents(side.corpus, listed)
        side = side.with_incidents(*incidents)
    return side, options, chosen


def _notes(systems: Sequence[SystemCurve]) -> Iterator[str]:
    if any(system.chosen is None for system in systems):
        yield (
            "a threshold that is chosen on the data it is scored on flatters the system: "
            "use --threshold-from"
        )
    judged = [s.calibration for s in systems if s.calibration]
    if any(calibration.least >= LOW for calibration in judged):
        yield f"no link is less probable than {LOW}: those that were left out are unknown"
