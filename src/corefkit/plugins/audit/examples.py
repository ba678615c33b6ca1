"""Examples of findings: the smallest documents that show them, run on the scorer itself.

For a known behaviour, the example is the smallest overlap on which it differs from the standard.
For an unknown one, all small overlaps are tried on the scorer; if none shows it, a probe is reduced
as far as possible (delta debugging).
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from corefkit.plugins.audit.answers import ScorerAnswer
from corefkit.plugins.audit.battery import BATTERY, Probe, documents_probe
from corefkit.plugins.audit.behaviours import Behaviour
from corefkit.plugins.audit.overlaps import overlaps
from corefkit.plugins.audit.runners import RunError, Runner
from corefkit.plugins.audit.verdict import Rates, Scale, SmallestExample, Verdict, agree
from corefkit.scoring.shrink import SmallDocument, SmallDocuments, shrink

if TYPE_CHECKING:
    from corefkit.plugins.audit.audit_result import AuditPlan

FAST = 0.2
"""Seconds; a command that takes less time per run is asked about all small overlaps."""

MARGIN = 0.02
"""Two behaviours differ where a value, from 0 to 1, differs by more than this."""


def add_examples(
    verdicts: Mapping[str, Verdict],
    runner: Runner,
    answers: Mapping[Probe, ScorerAnswer],
    plan: "AuditPlan",
    seconds: float,
) -> dict[str, Verdict]:
    """The verdicts with examples: always for unknown behaviours, for others with `plan.shrink`.

    `seconds` is the time of one run.
    """
    illustrated = dict(verdicts)
    fast = runner.kind != "command" or seconds < FAST
    for metric, verdict in verdicts.items():
        if metric == "conll" or verdict.verdict == "no value":
            continue
        scorer = _BudgetedScorer(runner, verdict, plan.budget or runner.budget)
        if verdict.whole is None or verdict.verdict == "unknown":
            found = _smallest_difference(scorer, answers, fast=fast)
        else:
            found = smallest_example(_one_aspect(verdict.whole)) if plan.shrink else None
        illustrated[metric] = replace(verdict, example=found and _confirmed(scorer, *found))
    return illustrated


class _BudgetedScorer:
    """What a scorer gives for one metric, from a limited number of runs."""

    def __init__(self, runner: Runner, verdict: Verdict, budget: int) -> None:
        self.runner, self.metric, self.budget = runner, verdict.metric, budget
        self.scale = verdict.scale or Scale()
        self._answers: dict[SmallDocuments, Rates | None] = {}

    def __call__(self, documents: SmallDocuments) -> Rates | None:
        """The rates; none is given where the scorer cannot be asked or the budget is used up."""
        if documents not in self._answers:
            self._answers[documents] = self._ask(documents)
        return self._answers[documents]

    def _ask(self, documents: SmallDocuments) -> Rates | None:
        probe = documents_probe(documents)
        if not self.runner.can_ask(probe) or len(self._answers) >= self.budget:
            return None, None, None
        try:
            figures = self.runner.ask(probe).figures.get(self.metric)
        except RunError:
            return None
        return figures and self.scale.rates(figures)

    def departs(self, documents: SmallDocuments) -> bool:
        """Whether the scorer departs from the standard, and 0/0 is not the reason."""
        values, zero = Behaviour(self.metric).predict(documents)
        return not zero and not agree(values, self(documents), self.scale.tolerance)

    def departs_without_failing(self, documents: SmallDocuments) -> bool:
        """The same where the scorer gives figures."""
        return self.departs(documents) and self(documents) is not None


_Found = tuple[SmallDocuments, bool]
"""Documents, and whether they are proved to be the smallest; otherwise no single step makes them
smaller."""


def _confirmed(
    scorer: _BudgetedScorer, documents: SmallDocuments, proved: bool
) -> SmallestExample | None:
    """The documents as an example, if the scorer differs from the standard on them."""
    standard = Behaviour(scorer.metric).predict(documents).values
    observed = scorer(documents)
    if standard is None or agree(standard, observed, scorer.scale.tolerance):
        return None
    return SmallestExample(documents, tuple(map(float, standard)), observed, proved)


def _smallest_difference(
    scorer: _BudgetedScorer, answers: Mapping[Probe, ScorerAnswer], *, fast: bool
) -> _Found | None:
    """The smallest documents on which a scorer differs from the standard, as far as is known."""
    if scorer.runner.kind == "answers":
        return None
    small = ((document,) for mentions in range(1, 5) for document in overlaps(mentions))
    if fast and (smallest := next(filter(scorer.departs, small), None)):
        return smallest, True
    clean = (probe.documents for probe in answers if not probe.copies)
    first = next(filter(scorer.departs_without_failing, clean), None)
    return None if first is None else (shrink(first, scorer.departs_without_failing), False)


def _one_aspect(whole: Behaviour) -> Behaviour:
    """The behaviour with that of its departures which an example shows."""
    if whole.departures:
        return replace(whole, zero="0", copies="first")
    if whole.copies not in ("first", "sorted"):
        return replace(whole, zero="0")
    return replace(whole, copies="first")


def smallest_example(behaviour: Behaviour) -> _Found | None:
    """The smallest documents on which a behaviour differs from the standard; None: none found."""
    standard = Behaviour(behaviour.metric)

    def differ(documents: SmallDocuments) -> bool:
        return values_differ(behaviour, standard, documents)

    if behaviour.departures:
        smallest = next(filter(differ, _by_size(behaviour)), None)
        return None if smallest is None else (smallest, True)
    if behaviour.copies != "first":
        copied = (probe.documents for probe in BATTERY if probe.copies)
        first = next(filter(differ, copied), None)
        return None if first is None else (shrink(first, differ), False)
    return ((SmallDocument((), ()),), True) if behaviour.zero != "0" else None


def _by_size(behaviour: Behaviour) -> Iterator[SmallDocuments]:
    """Small inputs, the smallest first: one document, or two for averages other than micro."""
    averaged = behaviour.average != "micro"
    if not averaged or behaviour.departures > 1:
        for mentions in range(1, 6 if averaged else 7):
            for document in overlaps(mentions):
                yield from ((ordered,) for ordered in _orders(document, behaviour))
    for mentions in range(1, 9 if averaged else 0):
        for size in range(max(mentions - 5, 0), min(mentions, 5) + 1):
            yield from product(overlaps(size), overlaps(mentions - size))


def _orders(document: SmallDocument, behaviour: Behaviour) -> Iterator[SmallDocument]:
    """The document; for greedy alignment also with the entities of either side reversed."""
    yield document
    if "greedy" in behaviour.rule:
        key, response, _ = document
        yield SmallDocument(key[::-1], response)
        yield SmallDocument(key, response[::-1])
        yield SmallDocument(key[::-1], response[::-1])


def values_differ(left: Behaviour, right: Behaviour, documents: SmallDocuments) -> bool:
    """Whether two behaviours differ by more than `MARGIN` and neither involves 0/0."""
    first, second = left.predict(documents), right.predict(documents)
    return not first.zero and not second.zero and not agree(first.values, second.values, MARGIN)
