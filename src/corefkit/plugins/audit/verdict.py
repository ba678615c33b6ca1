"""How the behaviour of a scorer is found from its figures for one metric.

First scale and digits are determined; then rule, average and exchange, on probes that do not
involve 0/0, fewest departures first; then the value of 0/0, and the treatment of copies.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from corefkit.core.carriers import frozen
from corefkit.plugins.audit.answers import GivenRates, ScorerAnswer
from corefkit.plugins.audit.battery import Probe
from corefkit.plugins.audit.behaviours import (
    COPIES,
    ZEROS,
    Behaviour,
    combinations_of,
    copies_of,
    zeros_of,
)
from corefkit.plugins.audit.rule_counts import Value, harmonic, is_nan
from corefkit.plugins.audit.rules import MISTAKES
from corefkit.scoring.shrink import SmallDocument

ENOUGH = 8
"""The number of probes on which a combination must be compared to count as fitting."""

_CLOSE = 2e-4
_EXACT = 1e-9


class Scale(NamedTuple):
    """The scale of figures.

    Attributes:
        factor: 1 for fractions, 100 for percentages.
        digits: the most digits after the point; None where that is unknown.
        tolerance: how far figures may be off, as a fraction of 1.
    """

    factor: int
    digits: int | None
    tolerance: float


@frozen
class SmallestExample:
    """Documents that show a finding.

    Attributes:
        documents: the documents.
        standard: recall, precision and F1 of the standard, as fractions of 1.
        observed: those of the scorer; None where it fails.
        proved: whether it is certain that no smaller documents show the finding.
    """

    documents: tuple[SmallDocument, ...]
    standard: tuple[float, ...]
    observed: tuple[float | None, ...] | None
    proved: bool


@frozen
class Verdict:
    """How a scorer computes one metric; ids are those of the tables of behaviours.

    Attributes:
        metric: the metric.
        verdict: "standard", "departs", "unknown" or "no value".
        scale: the scale of the figures.
        behaviour: rule, average and exchange; None where they are unknown.
        zero: the value of 0/0; None where it is unknown.
        copies: the treatment of repeated mentions; None where it is unknown.
        words: a description.
        either: the other behaviours that fit the probes equally well.
        epsilon: the largest deviation of figures with full precision, where it is too small to
            matter but larger than a rounding error.
        inside: whether F1 is not the harmonic mean of recall and precision.
        notes: further remarks.
        own_copies: the note that no known treatment of repeated mentions fits; None where one does,
            or where no probe has repeated mentions.
        nearest: for an unknown behaviour, the known one that fits most probes.
        departs_on: the probes on which it departs from the standard, or from the nearest behaviour.
        example: the smallest documents that show it.
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

    @property
    def note(self) -> str | None:
        """The notes as one text."""
        return "; ".join(self.notes) or None

    @property
    def whole(self) -> Behaviour | None:
        """The behaviour with the value of 0/0 and the treatment of repeated mentions."""
        if self.behaviour is None:
            return None
        return replace(self.behaviour, zero=self.zero or "0", copies=self.copies or "first")


@frozen
class MetricFigures:
    """The figures of one metric.

    Attributes:
        metric: the metric.
        figures: probe → its figures; None where the scorer failed.
        scale: the scale of the figures.
        places: which of recall (0), precision (1) and F1 (2) are compared.
        drawn: the ids of random probes.
    """

    metric: str
    figures: Mapping[Probe, GivenRates | None]
    scale: Scale
    places: tuple[int, ...] = (0, 1, 2)
    drawn: frozenset[str] = field(default_factory=frozenset)

    @property
    def values(self) -> Iterator[tuple[Probe, GivenRates]]:
        """The probes with figures."""
        for probe, figures in self.figures.items():
            if figures is not None:
                yield probe, figures

    @property
    def clean(self) -> Iterator[tuple[Probe, GivenRates]]:
        """The probes with figures and without copies."""
        return ((probe, figures) for probe, figures in self.values if not probe.copies)

    def agrees(self, predicted: Sequence[Value] | None, figures: GivenRates | None) -> bool:
        """Whether the figures are those predicted; a failure agrees only with a failure."""
        if predicted is None or figures is None:
            return predicted is None and figures is None
        given = [(rate, figures[rate]) for rate in self.places]
        return all(
            figure is None
            or same(figure.value / self.scale.factor, predicted[rate], self.scale.tolerance)
            for rate, figure in given
        )


def same(value: float, predicted: Fraction | float, tolerance: float) -> bool:
    """Whether a number is the predicted one, within the tolerance; NaN is the same as NaN."""
    if math.isnan(value) or is_nan(predicted):
        return math.isnan(value) and is_nan(predicted)
    return abs(value - predicted) <= tolerance


def same_figures(first: GivenRates, second: GivenRates, tolerance: float = 1e-9) -> bool:
    """Whether two answers have the same figures."""
    for left, right in zip(first, second, strict=True):
        if left is None or right is None:
            if left is not right:
                return False
        elif not same(left.value, right.value, tolerance):
            return False
    return True


def find_scale(figures: Sequence[GivenRates]) -> Scale:
    """The scale: percentages if any value exceeds 20; the tolerance allows for truncation."""
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
    figures: dict[Probe, GivenRates | None] = {}
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
    compared = replace(evidence, places=(0, 1)) if inside else evidence
    fitting, gap = _fitting(compared)
    scale = evidence.scale
    if not fitting:
        return _unknown(evidence, inside, gap)
    chosen = fitting[0]
    behaviour = chosen.behaviour
    either = tuple(c.behaviour for c in fitting[1:] if c.rank == chosen.rank)
    verdict = "unknown" if inside else "departs" if behaviour.departures else "standard"
    whole = replace(behaviour, zero=chosen.zero or "0", copies=chosen.copies or "first")
    notes = [*_own_ways(compared, chosen), *_note_truncation(compared, whole)]
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
        _epsilon(compared, whole),
        inside,
        tuple(notes),
        _own_copies(chosen),
        departs_on=tuple(_misfits(evidence, standard)) if verdict != "standard" else (),
    )


def departs_inside(evidence: MetricFigures) -> bool:
    """Whether F1 is not the harmonic mean of recall and precision, on a probe of one document."""
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
    """A behaviour that fits.

    Attributes:
        behaviour: rule, average and exchange.
        zero, copies: the value of 0/0 and the treatment of copies that fit; None where none does.
        zero_probes, copy_probes: the ids of probes that involve 0/0, and of those with copies.
        rank: the best candidate has the least.
    """

    behaviour: Behaviour
    zero: str | None
    copies: str | None
    zero_probes: tuple[str, ...]
    copy_probes: tuple[str, ...]
    rank: tuple[int, int]


def _fitting(evidence: MetricFigures) -> tuple[list[Candidate], bool]:
    """The behaviours with the fewest departures that fit, the best first.

    The second value says whether a behaviour fits the battery but not all random probes, which is a
    gap in the battery.
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
        for copies in _copies_to_try(behaviour):
            candidate = replace(behaviour, copies=copies)
            misfits, seen = _compare(evidence, candidate, stop=True)
            if not misfits and seen >= ENOUGH:
                candidates.append(_candidate(evidence, candidate))
                break
            gap = gap or (seen >= ENOUGH and not misfits - evidence.drawn)
    return sorted(candidates, key=lambda candidate: candidate.rank), gap


def _copies_to_try(behaviour: Behaviour) -> list[str]:
    """The treatments of copies to try with a behaviour: all if documents are pooled.

    Pooling makes copies of mentions at the same place in different documents.
    """
    return copies_of(behaviour.metric) if behaviour.average == "pooled" else ["first"]


def _compare(
    evidence: MetricFigures, behaviour: Behaviour, *, stop: bool = False
) -> tuple[set[str], int]:
    """The probes that do not fit, and the number of probes compared.

    Only probes without copies and without 0/0 are compared. With `stop`, the first misfit that is
    not a random probe ends the comparison.
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
    """A behaviour with the value of 0/0 and the treatment of copies that fit; these may fail."""
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
    predicted = sum(behaviour.predict(probe.documents).values is None for probe in failing)
    unnamed = (zero is None and bool(zero_probes)) + (copies is None and bool(copy_probes))
    return Candidate(
        replace(behaviour, copies="first"),
        zero,
        copies,
        tuple(probe.id for probe in zero_probes),
        tuple(probe.id for probe in copy_probes),
        (-predicted, unnamed),
    )


def _all_agree(
    evidence: MetricFigures, behaviour: Behaviour, figures: Mapping[Probe, GivenRates | None]
) -> bool:
    return all(
        evidence.agrees(behaviour.predict(probe.documents).values, given)
        for probe, given in figures.items()
    )


def _own_ways(evidence: MetricFigures, chosen: Candidate) -> Iterator[str]:
    """Notes about what no known behaviour explains, and about what F1 alone cannot show."""
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
    """The difference of each figure from its prediction, as a fraction of 1, where they agree."""
    for probe, figures in evidence.values:
        predicted = behaviour.predict(probe.documents).values
        if predicted is None or not evidence.agrees(predicted, figures):
            continue
        for rate in evidence.places:
            given = figures[rate]
            if given is not None and math.isfinite(given.value):
                yield given.value / evidence.scale.factor - float(predicted[rate])


def _note_truncation(evidence: MetricFigures, behaviour: Behaviour) -> Iterator[str]:
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
    """The verdict where no behaviour fits.

    The nearest one is named if it fits at least two thirds of the probes of the battery.
    """
    best: tuple[float, Behaviour] | None = None
    battery = {p: figures for p, figures in evidence.figures.items() if p.id not in evidence.drawn}
    for behaviour in combinations_of(evidence.metric):
        misfits, seen = _compare(replace(evidence, figures=battery), behaviour)
        if seen >= ENOUGH and 3 * (seen - len(misfits)) >= 2 * seen:
            share = len(misfits) / seen
            if best is None or share < best[0]:
                best = share, behaviour
    nearest = best[1] if best else None
    departs_on = tuple(_misfits(evidence, nearest or Behaviour(evidence.metric)))
    if words := mistake(evidence):
        return Verdict(evidence.metric, "departs", evidence.scale, words=words, inside=inside)
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


def mistake(evidence: MetricFigures) -> str | None:
    """The name of a frequent mistake that explains the figures on clean input; None: there is none.

    Unlike behaviours, these are neither combined with other departures nor asked about 0/0.
    """
    given = [figure.value for _, triple in evidence.values for figure in triple if figure]
    if len(given) >= ENOUGH and not any(given):
        return "always 0"
    for rule in MISTAKES.get(evidence.metric, ()):
        fits = []
        for probe, figures in evidence.clean:
            counts = [rule.count(document) for document in probe.documents]
            sums = [sum(column) for column in zip(*filter(None, counts), strict=True)]
            recall, precision, _ = rule.divide((sums[0], sums[1], sums[2], sums[3]))
            if recall is not None and precision is not None:
                values = recall, precision, harmonic(recall, precision)
                fits.append(evidence.agrees(values, figures))
        if len(fits) >= ENOUGH and all(fits):
            return rule.words
    return None


def zero_words(zero: str | None) -> str:
    """The value of 0/0, in words."""
    return ZEROS[zero] if zero else "0/0 in a way of its own"


def copies_words(copies: str | None) -> str:
    """The treatment of repeated mentions, in words."""
    return COPIES[copies] if copies else "repeated mentions in a way of their own"


def behaviour_dict(behaviour: Behaviour) -> dict[str, Any]:
    """Rule, average and exchange as JSON."""

    return {
        "rule": behaviour.rule,
        "average": behaviour.average,
        "exchanged": behaviour.exchanged,
    }
