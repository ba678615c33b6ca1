"""How a behaviour is found: what the figures of a scorer say about one metric.

Scale and digits first; then rule, average and exchange on the probes where 0/0 plays no part, the
fewest departures first; then what 0/0 is, and what becomes of copies.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from corefkit.audits.answers import Figures, ScorerAnswer
from corefkit.audits.battery import Probe
from corefkit.audits.behaviours import (
    COPIES,
    ZEROS,
    Behaviour,
    combinations_of,
    copies_of,
    zeros_of,
)
from corefkit.audits.rule_counts import ProbeDocument, Triple, harmonic, is_nan
from corefkit.core.carriers import frozen

ENOUGH = 8
"""On so many probes a combination must be seen."""

_CLOSE = 2e-4
_EXACT = 1e-9


class Scale(NamedTuple):
    """Whether figures are fractions (1) or percents (100), their digits, and how far off they may
    be, in fractions of 1."""

    factor: int
    digits: int | None
    tolerance: float


@frozen
class SmallestExample:
    """Documents that show a finding; values are fractions of 1.

    `proved`: no smaller documents show it. `observed` is None where the scorer fails.
    """

    documents: tuple[ProbeDocument, ...]
    standard: tuple[float, ...]
    observed: tuple[float | None, ...] | None
    proved: bool


@frozen
class Verdict:
    """What a scorer does with one metric; ids are those of the tables of behaviours.

    Attributes:
        verdict: standard, departs, unknown, or no value.
        either: the behaviours that the battery cannot tell from this one.
        epsilon: the largest departure of figures in full precision that is too small to matter.
        inside: whether F1 is not the harmonic mean of recall and precision.
        notes: what else must be said.
        own_copies: the one of the notes which says that no known treatment of repeated mentions
            fits; None where one does, or where there are none.
        nearest: of an unknown behaviour the one that fits most probes.
        departs_on: the probes on which it is not the standard, or not the nearest.
        profiles: the profiles of corefkit that it is, where no entry of the tables fits.
    """

    metric: str
    verdict: str
    scale: Scale | None = None
    behaviour: Behaviour | None = None
    zero: str | None = None
    copies: str | None = None
    words: str = ""
    either: tuple[Behaviour, ...] = ()
    epsilon: float | None = None
    inside: bool = False
    notes: tuple[str, ...] = ()
    own_copies: str | None = None
    nearest: Behaviour | None = None
    departs_on: tuple[str, ...] = ()
    example: SmallestExample | None = None
    profiles: tuple[str, ...] = ()

    @property
    def note(self) -> str | None:
        """The notes as one text."""
        return "; ".join(self.notes) or None

    @property
    def whole(self) -> Behaviour | None:
        """The behaviour, completed by what was found of 0/0 and of repeated mentions."""
        if self.behaviour is None:
            return None
        return replace(self.behaviour, zero=self.zero or "0", copies=self.copies or "first")


@frozen
class MetricFigures:
    """The figures of one metric; a probe with None failed."""

    metric: str
    figures: Mapping[Probe, Figures | None]
    scale: Scale
    places: tuple[int, ...] = (0, 1, 2)
    drawn: frozenset[str] = field(default_factory=frozenset)

    @property
    def values(self) -> Iterator[tuple[Probe, Figures]]:
        """The probes that gave figures."""
        for probe, figures in self.figures.items():
            if figures is not None:
                yield probe, figures

    @property
    def clean(self) -> Iterator[tuple[Probe, Figures]]:
        """The probes with figures and without copies."""
        return ((probe, figures) for probe, figures in self.values if not probe.copies)

    def agrees(self, predicted: Triple | None, figures: Figures | None) -> bool:
        """Whether the figures are those predicted; a failure is a value equal to itself only."""
        if predicted is None or figures is None:
            return predicted is None and figures is None
        given = [(place, figures[place]) for place in self.places]
        return all(
            figure is None
            or same(figure.value / self.scale.factor, predicted[place], self.scale.tolerance)
            for place, figure in given
        )


def same(value: float, predicted: Fraction | float, tolerance: float) -> bool:
    """Whether a number is the predicted one; NaN is equal to itself only."""
    if math.isnan(value) or is_nan(predicted):
        return math.isnan(value) and is_nan(predicted)
    return abs(value - predicted) <= tolerance


def same_figures(one: Figures, other: Figures, tolerance: float = 1e-9) -> bool:
    """Whether two answers have the same figures."""
    for first, second in zip(one, other, strict=True):
        if first is None or second is None:
            if first is not second:
                return False
        elif not same(first.value, second.value, tolerance):
            return False
    return True


def find_scale(figures: Sequence[Figures]) -> Scale:
    """Percents if any value exceeds 20; the tolerance covers rounding and cutting."""
    given = [f for triple in figures for f in triple if f is not None and math.isfinite(f.value)]
    factor = 100 if any(f.value > 20 for f in given) else 1
    digits = max((f.digits for f in given if f.digits is not None), default=None)
    tolerance = _CLOSE
    if digits is not None and (digits or factor == 100):
        unit = 10.0**-digits / factor
        tolerance = max(tolerance, unit / 2 + _EXACT, 1.01 * unit if digits <= 4 else 0)
    return Scale(factor, digits, tolerance)


def gather(
    metric: str, answers: Mapping[Probe, ScorerAnswer], drawn: frozenset[str] = frozenset()
) -> MetricFigures | None:
    """The figures of a metric; None where no probe has any."""
    figures: dict[Probe, Figures | None] = {}
    for probe, answer in answers.items():
        given = answer.figures.get(metric)
        if given is not None and any(given):
            figures[probe] = given
        elif not answer.partial:
            figures[probe] = None
    values = [triple for triple in figures.values() if triple is not None]
    return MetricFigures(metric, figures, find_scale(values), drawn=drawn) if values else None


def identify(evidence: MetricFigures) -> Verdict:
    """The behaviour that explains the figures of a metric."""
    inside = departs_inside(evidence)
    sought = replace(evidence, places=(0, 1)) if inside else evidence
    fitting, gap = _fitting(sought)
    scale = evidence.scale
    if not fitting:
        return _unknown(evidence, inside, gap)
    chosen = fitting[0]
    behaviour = chosen.behaviour
    either = tuple(c.behaviour for c in fitting[1:] if c.rank == chosen.rank)
    verdict = "unknown" if inside else "departs" if behaviour.departures else "standard"
    whole = replace(behaviour, zero=chosen.zero or "0", copies=chosen.copies or "first")
    notes = [*_own_ways(sought, chosen), *_cut(sought, whole)]
    if inside:
        notes.append("F1 is not the harmonic mean of recall and precision")
    standard = Behaviour(evidence.metric)
    return Verdict(
        evidence.metric,
        verdict,
        scale,
        behaviour,
        chosen.zero,
        chosen.copies,
        behaviour.words,
        either,
        _epsilon(sought, whole),
        inside,
        tuple(notes),
        _own_copies(chosen),
        departs_on=tuple(_misfits(evidence, standard)) if verdict != "standard" else (),
    )


def departs_inside(evidence: MetricFigures) -> bool:
    """Whether F1 is not what its own recall and precision give, on a probe of one document."""
    if evidence.metric == "blanc":
        return False
    standard = Behaviour(evidence.metric)
    for probe, (recall, precision, f1) in evidence.clean:
        if len(probe.documents) > 1 or recall is None or precision is None or f1 is None:
            continue
        values = [figure.value / evidence.scale.factor for figure in (recall, precision, f1)]
        if not all(map(math.isfinite, values)) or standard.predict(probe.documents).zero:
            continue
        slack = evidence.scale.tolerance
        bounds = [
            float(harmonic(*(Fraction(max(v + step, 0)) for v in values[:2])))
            for step in (-slack, slack)
        ]
        if not bounds[0] - slack <= values[2] <= bounds[1] + slack:
            return True
    return False


class Candidate(NamedTuple):
    """A behaviour that fits, with what 0/0 and copies are under it; the best has the least rank."""

    behaviour: Behaviour
    zero: str | None
    copies: str | None
    zero_probes: tuple[str, ...]
    copy_probes: tuple[str, ...]
    rank: tuple[int, int]


def _fitting(evidence: MetricFigures) -> tuple[list[Candidate], bool]:
    """The behaviours with the fewest departures that fit, the best first.

    The second value says whether one fits all but the random probes: a gap in the battery.
    """
    gap = False
    candidates: list[Candidate] = []
    level = 0
    f1_only = not any(triple[0] or triple[1] for _, triple in evidence.values)
    for behaviour in combinations_of(evidence.metric):
        if candidates and behaviour.departures > level:
            break
        if f1_only and behaviour.exchanged:
            continue
        level = behaviour.departures
        for copies in _copies_in_play(behaviour):
            tried = replace(behaviour, copies=copies)
            misfits, seen = _compare(evidence, tried, stop=True)
            if not misfits and seen >= ENOUGH:
                candidates.append(_candidate(evidence, tried))
                break
            gap = gap or (seen >= ENOUGH and not misfits - evidence.drawn)
    return sorted(candidates, key=lambda candidate: candidate.rank), gap


def _copies_in_play(behaviour: Behaviour) -> list[str]:
    """What copies may be while rule and average are sought: places repeat in pooled documents."""
    return copies_of(behaviour.metric) if behaviour.average == "pooled" else ["first"]


def _compare(
    evidence: MetricFigures, behaviour: Behaviour, *, stop: bool = False
) -> tuple[set[str], int]:
    """The probes that do not fit where 0/0 plays no part, and how many were compared.

    With `stop` the first probe of the battery that does not fit ends it.
    """
    misfits, seen = set(), 0
    for probe, figures in evidence.clean:
        prediction = behaviour.predict(probe.documents)
        if not prediction.zero:
            seen += 1
            if not evidence.agrees(prediction.values, figures):
                misfits.add(probe.id)
                if stop and probe.id not in evidence.drawn:
                    break
    return misfits, seen


def _candidate(evidence: MetricFigures, behaviour: Behaviour) -> Candidate:
    """What 0/0 and copies are, given rule and average; failures are values here."""
    zero_probes = {
        probe: figures
        for probe, figures in evidence.figures.items()
        if not probe.copies and behaviour.predict(probe.documents).zero
    }
    zero = next(
        (
            name
            for name in zeros_of(behaviour.metric, behaviour.average)
            if zero_probes and _all_agree(evidence, replace(behaviour, zero=name), zero_probes)
        ),
        None,
    )
    given = replace(behaviour, zero=zero or "0")
    copy_probes = {p: figures for p, figures in evidence.figures.items() if p.copies}
    pooled = behaviour.average == "pooled"
    repeated = {
        probe: figures
        for probe, figures in evidence.figures.items()
        if probe.copies
        or (pooled and figures is not None and not given.predict(probe.documents).zero)
    }
    copies = next(
        (
            name
            for name in copies_of(behaviour.metric)
            if copy_probes and _all_agree(evidence, replace(given, copies=name), repeated)
        ),
        None,
    )
    failing = [probe for probe, figures in evidence.figures.items() if figures is None]
    foretold = sum(behaviour.predict(probe.documents).values is None for probe in failing)
    unnamed = (zero is None and bool(zero_probes)) + (copies is None and bool(copy_probes))
    return Candidate(
        replace(behaviour, copies="first"),
        zero,
        copies,
        tuple(probe.id for probe in zero_probes),
        tuple(probe.id for probe in copy_probes),
        (-foretold, unnamed),
    )


def _all_agree(
    evidence: MetricFigures, behaviour: Behaviour, figures: Mapping[Probe, Figures | None]
) -> bool:
    return all(
        evidence.agrees(behaviour.predict(probe.documents).values, given)
        for probe, given in figures.items()
    )


def _own_ways(evidence: MetricFigures, chosen: Candidate) -> Iterator[str]:
    if chosen.zero is None and chosen.zero_probes:
        yield f"0/0 in a way of its own: {', '.join(chosen.zero_probes)}"
    if (copies := _own_copies(chosen)) is not None:
        yield copies
    if not any(recall or precision for _, (recall, precision, _) in evidence.values):
        yield "F1 alone cannot show whether recall and precision are swapped"


def _own_copies(chosen: Candidate) -> str | None:
    if chosen.copies is not None or not chosen.copy_probes:
        return None
    return f"repeated mentions in a way of its own: {', '.join(chosen.copy_probes)}"


def _deviations(evidence: MetricFigures, behaviour: Behaviour) -> Iterator[float]:
    """By how much the figures are above what is predicted, where they fit."""
    for probe, figures in evidence.values:
        predicted = behaviour.predict(probe.documents).values
        if predicted is None or not evidence.agrees(predicted, figures):
            continue
        for place in evidence.places:
            given = figures[place]
            if given is not None and math.isfinite(given.value):
                yield given.value / evidence.scale.factor - float(predicted[place])


def _cut(evidence: MetricFigures, behaviour: Behaviour) -> Iterator[str]:
    digits = evidence.scale.digits
    if digits is None or digits > 6:
        return
    half = 10.0**-digits / evidence.scale.factor / 2 + _EXACT
    deviations = list(_deviations(evidence, behaviour))
    if any(d < -half for d in deviations) and all(d <= _EXACT for d in deviations):
        yield "figures are truncated, not rounded"


def _epsilon(evidence: MetricFigures, behaviour: Behaviour) -> float | None:
    if evidence.scale.digits is not None and evidence.scale.digits <= 6:
        return None
    largest = max(map(abs, _deviations(evidence, behaviour)), default=0)
    return largest if largest > _EXACT else None


def _misfits(evidence: MetricFigures, behaviour: Behaviour) -> Iterator[str]:
    misfits, _ = _compare(evidence, behaviour)
    return (probe.id for probe in evidence.figures if probe.id in misfits)


def _unknown(evidence: MetricFigures, inside: bool, gap: bool) -> Verdict:
    """No behaviour fits: the one that fits most probes is named if it fits two thirds of them."""
    best: tuple[float, Behaviour] | None = None
    battery = {p: figures for p, figures in evidence.figures.items() if p.id not in evidence.drawn}
    for behaviour in combinations_of(evidence.metric):
        misfits, seen = _compare(replace(evidence, figures=battery), behaviour)
        if seen >= ENOUGH and 3 * (seen - len(misfits)) >= 2 * seen:
            share = len(misfits) / seen
            if best is None or share < best[0]:
                best = share, behaviour
    nearest = best[1] if best else None
    against = nearest or Behaviour(evidence.metric)
    departs_on = tuple(_misfits(evidence, against))
    notes = []
    if gap:
        notes.append(
            "a behaviour fits the battery but not the random probes: the battery has a gap; "
            "please report this"
        )
    if departs_on == ("boundaries",):
        notes.append("mentions with different boundaries count as equal")
    if inside:
        notes.append("F1 is not the harmonic mean of recall and precision")
    return Verdict(
        evidence.metric,
        "unknown",
        evidence.scale,
        words="none of the known behaviours",
        inside=inside,
        notes=tuple(notes),
        nearest=nearest,
        departs_on=departs_on,
    )


def zero_words(zero: str | None) -> str:
    """What 0/0 is, in words."""
    return ZEROS[zero].words if zero else "0/0 in a way of its own"


def copies_words(copies: str | None) -> str:
    """What becomes of repeated mentions, in words."""
    return COPIES[copies].words if copies else "repeated mentions in a way of their own"


def behaviour_dict(behaviour: Behaviour) -> dict[str, Any]:
    """Rule, average and exchange, as they stand in JSON."""
    return {
        "rule": behaviour.rule,
        "average": behaviour.average,
        "exchanged": behaviour.exchanged,
    }
