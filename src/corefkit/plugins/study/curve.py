"""Scores of a list of links at every threshold, and the calibration of its probabilities.

`thresholds` computes the points, `calibration` the calibration; here they become the curve of each
system, with its best points, and the points at a threshold that was chosen on other data.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError, Incident, errors
from corefkit.core.names import path_of, system_names
from corefkit.core.options import Options, Reading, Readings, UsageError, refuse_levels
from corefkit.core.results import Result
from corefkit.core.texts import decimal_text
from corefkit.formats.kit.link_lists import links_text
from corefkit.formats.options import split_readings
from corefkit.plugins.study.calibration import LOW, Calibration
from corefkit.plugins.study.thresholds import CurvePoint, ListedResponse
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.comparison import Readable, Side
from corefkit.scorers.documents import Documents, choose_documents, listed_documents
from corefkit.stats.resampling import SAMPLES, SEED

if TYPE_CHECKING:
    from os import PathLike

    from corefkit.core.options import ScoreChoices
    from corefkit.metrics.base import Metrics

POINTS = 100
"""The maximum number of points of a curve, where no thresholds are given."""
RECALLS = (0.5, 0.6, 0.7, 0.8, 0.9)
"""The recalls for which `precision_at` has the highest precision."""


@frozen(eq=False)
class SystemCurve:
    """One response at all thresholds.

    Attributes:
        name: its name.
        points: from the highest threshold to the lowest; the first one keeps no link.
        calibration: that of its probabilities; None where there are no links.
        chosen: metric → the point at the threshold chosen on other data, if such were given.
    """

    name: str
    points: tuple[CurvePoint, ...]
    calibration: Calibration | None
    chosen: Mapping[str, CurvePoint] | None = None

    @property
    def best(self) -> dict[str, CurvePoint]:
        """Metric → the point of highest F1; among equals that of the higher threshold."""
        metrics = self.points[0].scores
        return {m: max(self.points, key=lambda point: point.scores[m].f1) for m in metrics}

    @property
    def precision_at(self) -> dict[str, dict[str, float | None]]:
        """Metric → recall → the highest precision of the points with at least that recall.

        None where there is no such point; metrics without recall are left out.
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
class Curve(Result):
    """Responses at all thresholds; `notes` are reservations about the figures."""

    kind: ClassVar[str] = "curve"

    signature: str
    systems: tuple[SystemCurve, ...]
    notes: tuple[str, ...] = ()
    incidents: tuple[Incident, ...] = ()

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per system, threshold and metric."""
        sizes = ("links", "mentions", "entities")
        return [
            {
                "system": system.name,
                "threshold": point.threshold,
                **{name: getattr(point, name) for name in sizes},
                **row,
            }
            for system in self.systems
            for point in system.points
            for row in point.scores.rows()
        ]

    def to_dict(self) -> dict[str, Any]:
        """Plain dicts and lists, nothing rounded: the JSON of `corefkit study curve`."""
        systems = [system.to_dict() for system in self.systems]
        return {"signature": self.signature, "systems": systems, "notes": [*self.notes]}


@frozen
class CurvePlan:
    """The options of a curve.

    Attributes:
        points: the maximum number of points.
        thresholds: the thresholds, instead of those of the list; empty for the latter.
        bin_size: the minimum size of bins of links; None for the default.
        samples, seed: those of the bootstrap.
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
    """Score lists of links with probabilities at every threshold, with their calibration.

    Responses are files of links with probabilities: link lists, or JSON documents with
    `link_scores`. `threshold_from` has, for each response, another key and a response of the same
    system to it, on which the threshold is chosen. The other options are those of
    `corefkit.score`.

    Raises DataError where a file cannot be read, or has no probabilities or invalid ones.
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


def draw_curves(  # noqa: PLR0913 (as many as there are options)
    key: Readable,
    responses: Sequence[Any],
    options: Options,
    plan: CurvePlan,
    *,
    readings: Readings,
    documents: Documents = "all",
    others: Sequence[tuple[Any, Any]] = (),
) -> Curve:
    """Like `curve`, with `Options` and readings; `others` is `threshold_from`."""
    _check_options(options, readings.response)
    if others and len(others) != len(responses):
        raise UsageError("threshold-from: name a key and a response for each RESPONSE")
    key_side, chosen_options, chosen = _read_key(key, options, readings.key, documents)
    scorer = scorer_for(chosen_options)
    systems, incidents = [], [*key_side.incidents]
    for number, (response, name) in enumerate(zip(responses, system_names(responses), strict=True)):
        elsewhere = _chosen_elsewhere(others[number], options, plan, readings) if others else None
        listed = ListedResponse(scorer, key_side, path_of(response), readings.response, chosen)
        systems.append(_system(name, listed, plan, elsewhere))
        incidents += listed.incidents
    named = "+".join(map(decimal_text, sorted(plan.thresholds, reverse=True)))
    shown = f"thresholds:{named}" if named else f"points:{plan.points}"
    signature = systems[0].points[0].scores.signature
    signature += f"|{shown}|samples:{plan.samples}|seed:{plan.seed}"
    return Curve(signature, tuple(systems), tuple(_notes(systems)), tuple(incidents))


ChosenThresholds = Mapping[str, float | None]
"""Metric → the chosen threshold; None where no link is kept."""


def _chosen_elsewhere(
    sources: tuple[Any, Any], options: Options, plan: CurvePlan, readings: Readings
) -> ChosenThresholds:
    """The best threshold of each metric on other data, a key and a response."""
    key, response = sources
    key_side, options, _ = _read_key(key, options, readings.key, "all")
    listed = ListedResponse(
        scorer_for(options), key_side, path_of(response), readings.response, None
    )
    best = _system("", listed, replace(plan, samples=1)).best
    return {metric: point.threshold for metric, point in best.items()}


def _system(
    name: str, listed: ListedResponse, plan: CurvePlan, elsewhere: ChosenThresholds | None = None
) -> SystemCurve:
    """The points of a response, its calibration, and the points at thresholds chosen elsewhere."""
    thresholds = sorted({*plan.thresholds}, reverse=True) or listed.thresholds(plan.points)
    extra = {t for t in (elsewhere or {}).values() if t is not None}
    points = listed.points(sorted({*thresholds, *extra}, reverse=True))
    by_threshold = {point.threshold: point for point in points}
    return SystemCurve(
        name,
        tuple(by_threshold[t] for t in (None, *thresholds)),
        listed.calibrate(plan.bin_size, plan.samples, plan.seed),
        None if elsewhere is None else {m: by_threshold[t] for m, t in elsewhere.items()},
    )


def _check_options(options: Options, reading: Reading) -> None:
    if links_text(reading):
        raise UsageError(
            "curve: threshold, best and unlinked are options of score; a curve uses all links"
        )
    if options.window:
        raise UsageError("curve: cannot be combined with windows")
    refuse_levels(options, "curves are defined for single documents")


def _read_key(
    key: Readable, options: Options, reading: Reading, documents: Documents
) -> tuple[Side, Options, set[str] | None]:
    """The key, the options with the choice of documents, and the listed documents, if any."""
    scorer_for(options).check_matching()
    options, listed = choose_documents(options, documents)
    scorer = scorer_for(options)
    side = scorer.read(key, reading)
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
    if any(s.calibration.least >= LOW for s in systems if s.calibration):
        yield f"no link is less probable than {LOW}: those that were left out are unknown"
