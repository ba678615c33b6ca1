"""How the behaviour of a scorer is found from its figures for one metric.

First scale and digits are determined; then rule, average and exchange, on probes that do not
involve 0/0, fewest departures first; then the value of 0/0, and the treatment of copies.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from corefkit.core.carriers import frozen
from corefkit.plugins.audit.answers import GivenRates, ScorerAnswer
from corefkit.plugins.audit.battery import Probe
from corefkit.plugins.audit.behaviours import (
    Behaviour,
    combinations_of,
    copies_of,
    zeros_of,
)
from corefkit.plugins.audit.rule_counts import Triple, Value, harmonic, is_nan
from corefkit.plugins.audit.rules import MISTAKES
from corefkit.scoring.shrink import SmallDocument

ENOUGH = 8
"""The number of probes on which a combination must be compared to count as fitting."""

_CLOSE = 2e-4
_EXACT = 1e-9

Rates = tuple[float | None, float | None, float | None]
"""Recall, precision and F1 as fractions of 1, as far as they are given."""


class Scale(NamedTuple):
    """The scale of figures.

    Attributes:
        factor: 1 for fractions, 100 for percentages.
        digits: the most digits after the point; None where that is unknown.
        tolerance: how far figures may be off, as a fraction of 1.
    """

    factor: int = 1
    digits: int | None = None
    tolerance: float = _CLOSE

    def rates(self, figures: GivenRates) -> Rates:
        """Figures as fractions of 1."""
        recall, precision, f1 = (f and f.value / self.factor for f in figures)
        return recall, precision, f1


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
        """The behaviour with the value of 0/0 and the treatment of repeated mentions.

        None where nothing can be predicted by it: it is unknown, or that of an average.
        """
        if self.behaviour is None or self.metric == "conll":
            return None
        return replace(self.behaviour, zero=self.zero or "0", copies=self.copies or "first")

    @property
    def departs_on_details(self) -> bool:
        """Whether repeated mentions, 0/0 or small differences are not as in the standard."""
        copies = self.copies not in ("first", "sorted", None)
        return copies or self.zero not in ("0", None) or self.epsilon is not None

    def fails_on(self, probe: Probe) -> bool:
        """Whether a scorer that fails on 0/0 or on repeated mentions must fail on this probe."""
        if self.whole is None or "fail" not in (self.zero, self.copies):
            return False
        return self.whole.predict(probe.documents).values is None


@frozen
class MetricFigures:
    """What a scorer gives for one metric.

    Attributes:
        metric: the metric.
        rates: probe → what is given; None where the scorer failed.
        scale: the scale of the figures.
        indices: which of recall (0), precision (1) and F1 (2) are compared.
        drawn: the ids of random probes.
    """

    metric: str
    rates: Mapping[Probe, Rates | None]
    scale: Scale
    indices: tuple[int, ...] = (0, 1, 2)
    drawn: frozenset[str] = frozenset()

    @property
    def given(self) -> Iterator[tuple[Probe, Rates]]:
        """The probes on which the scorer did not fail."""
        return ((probe, rates) for probe, rates in self.rates.items() if rates is not None)

    @property
    def clean(self) -> Iterator[tuple[Probe, Rates]]:
        """The same without those with copies."""
        return ((probe, rates) for probe, rates in self.given if not probe.copies)

    @property
    def f1_only(self) -> bool:
        """Whether neither recall nor precision is given."""
        return all(rates[:2] == (None, None) for _, rates in self.given)

    def agrees(self, predicted: Triple | None, rates: Rates | None) -> bool:
        """Whether the rates are those predicted, as far as they are given and compared."""
        return agree(predicted, rates, self.scale.tolerance, self.indices)

    def fits(self, behaviour: Behaviour, probes: Iterable[Probe]) -> bool:
        """Whether a behaviour predicts what is given for all these probes."""
        predictions = ((probe, behaviour.predict(probe.documents)) for probe in probes)
        return all(self.agrees(values, self.rates[probe]) for probe, (values, _) in predictions)


def agree(
    predicted: Triple | Rates | None,
    rates: Triple | Rates | None,
    tolerance: float,
    indices: Sequence[int] = (0, 1, 2),
) -> bool:
    """Whether two triples are the same where both are given; a failure is only like a failure."""
    if predicted is None or rates is None:
        return predicted is rates
    pairs = ((predicted[index], rates[index]) for index in indices)
    return all(a is None or b is None or same(float(b), a, tolerance) for a, b in pairs)


def same(value: float, predicted: Value, tolerance: float) -> bool:
    """Whether a number is the predicted one, within the tolerance; NaN is the same as NaN."""
    if is_nan(value) or is_nan(predicted):
        return is_nan(value) and is_nan(predicted)
    return abs(value - predicted) <= tolerance


def same_figures(first: GivenRates, second: GivenRates) -> bool:
    """Whether two answers have the same figures."""
    return all(
        left is right if left is None or right is None else same(left.value, right.value, _EXACT)
        for left, right in zip(first, second, strict=True)
    )


def find_scale(figures: Iterable[GivenRates]) -> Scale:
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
    """What is given for a metric; None where no probe has anything."""
    figures: dict[Probe, GivenRates | None] = {}
    for probe, answer in answers.items():
        given = answer.figures.get(metric)
        if given is not None and any(given):
            figures[probe] = given
        elif not answer.partial:
            figures[probe] = None
    scale = find_scale(filter(None, figures.values()))
    rates = {probe: given and scale.rates(given) for probe, given in figures.items()}
    return MetricFigures(metric, rates, scale, drawn=drawn) if any(rates.values()) else None


def identify(evidence: MetricFigures) -> Verdict:
    """The behaviour that explains the figures of a metric."""
    inside = departs_inside(evidence)
    compared = replace(evidence, indices=(0, 1)) if inside else evidence
    fitting, gap = _fitting(compared)
    if not fitting:
        return _unknown(evidence, inside, gap)
    chosen = fitting[0]
    behaviour = chosen.behaviour
    verdict = "unknown" if inside else "departs" if behaviour.departures else "standard"
    deviations = [*_deviations(compared, chosen.whole)]
    notes = [*_own_ways(compared, chosen), *_note_truncation(evidence.scale, deviations)]
    departs_on, _ = _compare(evidence, Behaviour(evidence.metric))
    return Verdict(
        evidence.metric,
        verdict,
        evidence.scale,
        behaviour,
        chosen.zero,
        chosen.copies,
        behaviour.words,
        tuple(c.behaviour for c in fitting[1:] if c.rank == chosen.rank),
        _epsilon(evidence.scale, deviations),
        inside,
        (*notes, _INSIDE) if inside else tuple(notes),
        chosen.own_copies,
        departs_on=() if verdict == "standard" else tuple(departs_on),
    )


_OWN_WAY = "in a way of its own: "
_INSIDE = "F1 is not the harmonic mean of recall and precision"


def departs_inside(evidence: MetricFigures) -> bool:
    """Whether F1 is not the harmonic mean of recall and precision, on a probe of one document."""
    if evidence.metric == "blanc":
        return False
    standard, slack = Behaviour(evidence.metric), evidence.scale.tolerance
    for probe, rates in evidence.clean:
        values = [rate for rate in rates if rate is not None and math.isfinite(rate)]
        if len(values) < 3 or len(probe.documents) > 1 or standard.predict(probe.documents).zero:
            continue
        *parts, f1 = values
        low, high = (
            float(harmonic(*(Fraction(max(part + step, 0)) for part in parts)))
            for step in (-slack, slack)
        )
        if not low - slack <= f1 <= high + slack:
            return True
    return False


class Candidate(NamedTuple):
    """A behaviour that fits.

    Attributes:
        behaviour: rule, average and exchange.
        zero, copies: the value of 0/0 and the treatment of copies that fit; None where none does.
        zero_probes, copy_probes: the ids of probes that involve 0/0, and of those with copies.
        predicted: the number of failures that it predicts.
    """

    behaviour: Behaviour
    zero: str | None
    copies: str | None
    zero_probes: Sequence[str]
    copy_probes: Sequence[str]
    predicted: int

    @property
    def own_zero(self) -> str | None:
        """A note that no known value of 0/0 fits."""
        own = self.zero is None and self.zero_probes
        return f"0/0 {_OWN_WAY}{', '.join(self.zero_probes)}" if own else None

    @property
    def own_copies(self) -> str | None:
        """A note that no known treatment of repeated mentions fits."""
        own = self.copies is None and self.copy_probes
        return f"repeated mentions {_OWN_WAY}{', '.join(self.copy_probes)}" if own else None

    @property
    def rank(self) -> tuple[int, int]:
        """The best candidate has the least."""
        return -self.predicted, bool(self.own_zero) + bool(self.own_copies)

    @property
    def whole(self) -> Behaviour:
        """The behaviour with the value of 0/0 and the treatment of copies."""
        return replace(self.behaviour, zero=self.zero or "0", copies=self.copies or "first")


def _fitting(evidence: MetricFigures) -> tuple[list[Candidate], bool]:
    """The behaviours with the fewest departures that fit, the best first.

    The second value says whether a behaviour fits the battery but not all random probes, which is a
    gap in the battery.
    """
    gap = False
    candidates: list[Candidate] = []
    for behaviour in combinations_of(evidence.metric):
        if candidates and behaviour.departures > candidates[0].behaviour.departures:
            break
        # Pooling makes copies of mentions at the same place in different documents.
        pooled = behaviour.average == "pooled"
        for copies in copies_of(evidence.metric) if pooled else ["first"]:
            tried = replace(behaviour, copies=copies)
            misfits, seen = _compare(evidence, tried, stop=True)
            if not misfits and seen >= ENOUGH:
                candidates.append(_candidate(evidence, tried))
                break
            gap = gap or (seen >= ENOUGH and evidence.drawn.issuperset(misfits))
    return sorted(candidates, key=lambda candidate: candidate.rank), gap


def _compare(
    evidence: MetricFigures, behaviour: Behaviour, *, stop: bool = False
) -> tuple[list[str], int]:
    """The probes that do not fit, and the number of probes compared.

    Only probes without copies and without 0/0 are compared. With `stop`, the first misfit that is
    not a random probe ends the comparison.
    """
    misfits, seen = [], 0
    for probe, rates in evidence.clean:
        values, zero = behaviour.predict(probe.documents)
        if not zero:
            seen += 1
            if not evidence.agrees(values, rates):
                misfits.append(probe.id)
                if stop and probe.id not in evidence.drawn:
                    break
    return misfits, seen


def _candidate(evidence: MetricFigures, behaviour: Behaviour) -> Candidate:
    """A behaviour with the value of 0/0 and the treatment of copies that fit; these may fail."""
    metric, average = behaviour.metric, behaviour.average
    copied = [probe for probe in evidence.rates if probe.copies]
    zeros = [p for p in evidence.rates if not p.copies and behaviour.predict(p.documents).zero]
    zero_ways = [replace(behaviour, zero=name) for name in zeros_of(metric, average)]
    zero = _explaining(evidence, zero_ways, zeros)
    given = replace(behaviour, zero=zero.zero if zero else "0")
    repeated = copied
    if copied and average == "pooled":
        repeated = copied + [p for p, _ in evidence.clean if not given.predict(p.documents).zero]
    copy_ways = [replace(given, copies=name) for name in copies_of(metric)]
    copies = _explaining(evidence, copy_ways, repeated)
    failing = [probe for probe, rates in evidence.rates.items() if rates is None]
    return Candidate(
        replace(behaviour, copies="first"),
        zero.zero if zero else None,
        copies.copies if copies else None,
        [probe.id for probe in zeros],
        [probe.id for probe in copied],
        sum(behaviour.predict(probe.documents).values is None for probe in failing),
    )


def _explaining(
    evidence: MetricFigures, behaviours: Iterable[Behaviour], probes: Sequence[Probe]
) -> Behaviour | None:
    """The first of these behaviours that explains all these probes; None where there is none."""
    fitting = (behaviour for behaviour in behaviours if evidence.fits(behaviour, probes))
    return next(fitting, None) if probes else None


def _own_ways(evidence: MetricFigures, chosen: Candidate) -> Iterator[str]:
    """Notes about what no known behaviour explains, and about what F1 alone cannot show."""
    yield from filter(None, (chosen.own_zero, chosen.own_copies))
    if evidence.f1_only:
        yield "F1 alone cannot show whether recall and precision are swapped"


def _deviations(evidence: MetricFigures, behaviour: Behaviour) -> Iterator[float]:
    """The difference of each figure from its prediction, as a fraction of 1, where they agree."""
    for probe, rates in evidence.given:
        predicted = behaviour.predict(probe.documents).values
        if predicted is not None and evidence.agrees(predicted, rates):
            for index in evidence.indices:
                rate = rates[index]
                if rate is not None and math.isfinite(rate):
                    yield rate - float(predicted[index])


def _note_truncation(scale: Scale, deviations: Sequence[float]) -> Iterator[str]:
    if scale.digits is None or scale.digits > 6:
        return
    half = 10.0**-scale.digits / scale.factor / 2 + _EXACT
    if any(d < -half for d in deviations) and all(d <= _EXACT for d in deviations):
        yield "figures are truncated, not rounded"


def _epsilon(scale: Scale, deviations: Iterable[float]) -> float | None:
    if scale.digits is not None and scale.digits <= 6:
        return None
    largest = max(map(abs, deviations), default=0)
    return largest if largest > _EXACT else None


def _unknown(evidence: MetricFigures, inside: bool, gap: bool) -> Verdict:
    """The verdict where no behaviour fits: a mistake that has a name, or the nearest behaviour."""
    if words := mistake(evidence):
        return Verdict(evidence.metric, "departs", evidence.scale, words=words, inside=inside)
    nearest = _nearest(evidence)
    departs_on, _ = _compare(evidence, nearest or Behaviour(evidence.metric))
    notes = {
        "a behaviour fits the battery but not the random probes: the battery has a gap; please "
        "report this": gap,
        "mentions with different boundaries count as equal": departs_on == ["boundaries"],
        _INSIDE: inside,
    }
    return Verdict(
        evidence.metric,
        "unknown",
        evidence.scale,
        words="none of the known behaviours",
        inside=inside,
        notes=tuple(note for note, holds in notes.items() if holds),
        nearest=nearest,
        departs_on=tuple(departs_on),
    )


def _nearest(evidence: MetricFigures) -> Behaviour | None:
    """The behaviour that fits most of the battery, at least two thirds of it."""
    battery = {p: rates for p, rates in evidence.rates.items() if p.id not in evidence.drawn}
    shares: dict[Behaviour, float] = {}
    for behaviour in combinations_of(evidence.metric):
        misfits, seen = _compare(replace(evidence, rates=battery), behaviour)
        if seen >= ENOUGH and 3 * len(misfits) <= seen:
            shares[behaviour] = len(misfits) / seen
    return min(shares, key=lambda behaviour: shares[behaviour], default=None)


def mistake(evidence: MetricFigures) -> str | None:
    """The name of a frequent mistake that explains the figures on clean input; None: there is none.

    Unlike behaviours, these are neither combined with other departures nor asked about 0/0.
    """
    given = [rate for _, rates in evidence.given for rate in rates if rate is not None]
    if len(given) >= ENOUGH and not any(given):
        return "always 0"
    for rule in MISTAKES.get(evidence.metric, ()):
        fits = []
        for probe, rates in evidence.clean:
            counts = [rule.count(document) for document in probe.documents]
            sums = tuple(sum(column) for column in zip(*filter(None, counts), strict=True))
            recall, precision, _ = rule.divide(sums)
            if recall is not None and precision is not None:
                values = recall, precision, harmonic(recall, precision)
                fits.append(evidence.agrees(values, rates))
        if len(fits) >= ENOUGH and all(fits):
            return rule.words
    return None


def behaviour_dict(behaviour: Behaviour) -> dict[str, Any]:
    """Rule, average and exchange as JSON."""

    return {
        "rule": behaviour.rule,
        "average": behaviour.average,
        "exchanged": behaviour.exchanged,
    }
