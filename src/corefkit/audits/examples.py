"""The example of each finding: documents that show it, run on the scorer itself."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from corefkit.audits.answers import ScorerAnswer
from corefkit.audits.battery import Probe
from corefkit.audits.behaviours import Behaviour
from corefkit.audits.rule_counts import ProbeDocument
from corefkit.audits.runners import CommandRunner, RunError, Runner, documents_probe
from corefkit.audits.shrink import (
    ProbeDocuments,
    as_floats,
    first_difference,
    shrink,
    smallest_example,
    triples_differ,
)
from corefkit.audits.verdict import SmallestExample, Verdict

if TYPE_CHECKING:
    from corefkit.audits.audit_result import AuditPlan

FAST = 0.2
"""A command that takes less than so many seconds is asked about all small overlaps."""


def add_examples(
    verdicts: Mapping[str, Verdict],
    runner: Runner,
    answers: Mapping[Probe, ScorerAnswer],
    plan: "AuditPlan",
    seconds: float,
) -> dict[str, Verdict]:
    """The verdicts with examples: of unknown behaviours always, of others where it is asked."""
    made = dict(verdicts)
    for metric, verdict in verdicts.items():
        asked = _Asked(runner, metric, verdict, _budget(runner, plan))
        if metric == "conll" or verdict.verdict in ("no value", "standard"):
            if plan.shrink and verdict.whole is not None and metric != "conll":
                made[metric] = replace(verdict, example=_known(asked, verdict))
        elif verdict.verdict == "departs" and verdict.behaviour is not None:
            if plan.shrink:
                made[metric] = replace(verdict, example=_known(asked, verdict))
        else:
            fast = not isinstance(runner, CommandRunner) or seconds < FAST
            made[metric] = replace(verdict, example=_unknown(asked, answers, fast=fast))
    return made


def _budget(runner: Runner, plan: "AuditPlan") -> int:
    return plan.budget or (500 if isinstance(runner, CommandRunner) else 20_000)


class _Asked:
    """A scorer that is asked for one metric, as fractions of 1, at most so many times."""

    def __init__(self, runner: Runner, metric: str, verdict: Verdict, budget: int) -> None:
        self.runner, self.metric, self.budget = runner, metric, budget
        self.scale = verdict.scale
        self.known: dict[ProbeDocuments, tuple[float | None, ...] | None] = {}

    @property
    def tolerance(self) -> float:
        return self.scale.tolerance if self.scale else 2e-4

    def __call__(self, documents: ProbeDocuments) -> tuple[float | None, ...] | None:
        """The values; None where it fails, or is not asked any more."""
        if documents not in self.known:
            self.known[documents] = self._ask(documents)
        return self.known[documents]

    def _ask(self, documents: ProbeDocuments) -> tuple[float | None, ...] | None:
        probe = documents_probe(documents)
        if self.runner.kind == "answers" or not self.runner.can_ask(probe):
            return (None, None, None)
        if len(self.known) >= self.budget:
            return (None, None, None)
        try:
            figures = self.runner.ask(probe).figures.get(self.metric)
        except RunError:
            return None
        factor = self.scale.factor if self.scale else 1
        if figures is None:
            return None
        return tuple(None if given is None else given.value / factor for given in figures)


def _known(asked: _Asked, verdict: Verdict) -> SmallestExample | None:
    """The smallest example of a known behaviour, if the scorer confirms it."""
    behaviour = verdict.whole
    assert behaviour is not None
    candidates = [verdict.behaviour] if verdict.behaviour and verdict.behaviour.departures else []
    if not candidates:
        one = Behaviour(behaviour.metric)
        if behaviour.copies not in ("first", "sorted"):
            candidates.append(replace(one, copies=behaviour.copies))
        elif behaviour.zero != "0":
            candidates.append(replace(one, zero=behaviour.zero))
    for candidate in candidates:
        shrunk = smallest_example(candidate)
        if shrunk is not None:
            return _confirmed(asked, shrunk.documents, proved=shrunk.proved)
    return None


def _confirmed(asked: _Asked, documents: ProbeDocuments, *, proved: bool) -> SmallestExample | None:
    standard = Behaviour(asked.metric).predict(documents).values
    if standard is None:
        return None
    observed = asked(documents)
    floats = as_floats(standard)
    if not triples_differ(floats, observed, asked.tolerance):
        return None
    return SmallestExample(documents, floats, observed, proved)


def _unknown(
    asked: _Asked, answers: Mapping[Probe, ScorerAnswer], *, fast: bool
) -> SmallestExample | None:
    """The smallest documents on which a scorer is not the standard."""
    standard = Behaviour(asked.metric)
    if asked.metric == "conll" or asked.runner.kind == "answers":
        return None
    if fast:
        found = first_difference(asked.metric, asked, asked.tolerance)
        if found is not None:
            return _confirmed(asked, found, proved=True)

    def differ(documents: Sequence[ProbeDocument]) -> bool:
        prediction = standard.predict(documents)
        if prediction.zero or prediction.values is None:
            return False
        observed = asked(tuple(documents))
        return observed is not None and triples_differ(prediction.values, observed, asked.tolerance)

    for probe in answers:
        if not probe.copies and differ(probe.documents):
            left = asked.budget - len(asked.known)
            return _confirmed(asked, shrink(probe.documents, differ, left), proved=False)
    return None
