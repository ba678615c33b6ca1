"""Examples of findings: the smallest documents that show them, run on the scorer itself.

For a known behaviour, the example is the smallest overlap on which it differs from the standard.
For an unknown one, all small overlaps are tried on the scorer; if none shows it, a probe is reduced
as far as possible (delta debugging).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from corefkit.plugins.audit.answers import ScorerAnswer
from corefkit.plugins.audit.battery import BATTERY, Probe, documents_probe
from corefkit.plugins.audit.behaviours import Behaviour
from corefkit.plugins.audit.overlaps import overlaps
from corefkit.plugins.audit.rule_counts import Triple
from corefkit.plugins.audit.runners import RunError, Runner
from corefkit.plugins.audit.verdict import SmallestExample, Verdict, same
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
        if metric == "conll":
            continue
        scorer = _BudgetedScorer(runner, metric, verdict, plan.budget or runner.budget)
        unknown = verdict.verdict == "departs" and verdict.behaviour is None
        if unknown or verdict.verdict == "unknown":
            illustrated[metric] = replace(verdict, example=_unknown(scorer, answers, fast=fast))
        elif plan.shrink and verdict.whole is not None:
            illustrated[metric] = replace(verdict, example=_known(scorer, verdict.whole))
    return illustrated


_Values = tuple[float | None, ...] | None
"""Recall, precision and F1, as far as they are given; None where the scorer fails."""


class _BudgetedScorer:
    """The values of a scorer for one metric, as fractions of 1, from a limited number of runs."""

    def __init__(self, runner: Runner, metric: str, verdict: Verdict, budget: int) -> None:
        self.runner, self.metric, self.budget = runner, metric, budget
        self.tolerance = verdict.scale.tolerance if verdict.scale else 2e-4
        self._factor = verdict.scale.factor if verdict.scale else 1
        self._answers: dict[SmallDocuments, _Values] = {}

    def __call__(self, documents: SmallDocuments) -> _Values:
        """The values; none is given where the scorer cannot be asked or the budget is used up."""
        if documents not in self._answers:
            self._answers[documents] = self._ask(documents)
        return self._answers[documents]

    def _ask(self, documents: SmallDocuments) -> _Values:
        probe = documents_probe(documents)
        if not self.runner.can_ask(probe) or len(self._answers) >= self.budget:
            return (None, None, None)
        try:
            figures = self.runner.ask(probe).figures.get(self.metric)
        except RunError:
            return None
        return figures and tuple(given and given.value / self._factor for given in figures)


def _known(scorer: _BudgetedScorer, whole: Behaviour) -> SmallestExample | None:
    """The smallest example of a known behaviour, if the scorer confirms it."""
    behaviour = Behaviour(whole.metric)
    if whole.departures:
        behaviour = replace(whole, zero="0", copies="first")
    elif whole.copies not in ("first", "sorted"):
        behaviour = replace(behaviour, copies=whole.copies)
    else:
        behaviour = replace(behaviour, zero=whole.zero)
    found = smallest_example(behaviour)
    return found and _confirmed(scorer, *found)


def _confirmed(
    scorer: _BudgetedScorer, documents: SmallDocuments, proved: bool
) -> SmallestExample | None:
    """The documents as an example, if the scorer differs from the standard on them."""
    standard = Behaviour(scorer.metric).predict(documents).values
    if standard is None:
        return None
    observed, floats = scorer(documents), tuple(map(float, standard))
    if not triples_differ(floats, observed, scorer.tolerance):
        return None
    return SmallestExample(documents, floats, observed, proved)


def _unknown(
    scorer: _BudgetedScorer, answers: Mapping[Probe, ScorerAnswer], *, fast: bool
) -> SmallestExample | None:
    """The smallest documents on which a scorer differs from the standard, as far as is known."""
    standard = Behaviour(scorer.metric)
    if scorer.runner.kind == "answers":
        return None

    def differ(documents: SmallDocuments) -> bool:
        values, zero = standard.predict(documents)
        if zero or values is None:
            return False
        return triples_differ(values, scorer(documents), scorer.tolerance)

    def give_another_value(documents: SmallDocuments) -> bool:
        return differ(documents) and scorer(documents) is not None

    small = ((document,) for mentions in range(1, 5) for document in overlaps(mentions))
    if fast and (smallest := next(filter(differ, small), None)):
        return _confirmed(scorer, smallest, True)
    clean = (probe.documents for probe in answers if not probe.copies)
    if first := next(filter(give_another_value, clean), None):
        return _confirmed(scorer, shrink(first, give_another_value), False)
    return None


def smallest_example(behaviour: Behaviour) -> tuple[SmallDocuments, bool] | None:
    """The smallest documents on which a behaviour differs from the standard; None: none found.

    Also whether they are proved to be smallest; otherwise no single step makes them smaller.
    """
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
    return not first.zero and not second.zero and triples_differ(first.values, second.values)


def triples_differ(
    left: Triple | Sequence[float | None] | None,
    right: Triple | Sequence[float | None] | None,
    margin: float = MARGIN,
) -> bool:
    """Whether any value differs by more than the margin; a failure differs from every value."""
    if left is None or right is None:
        return left is not right
    pairs = zip(left, right, strict=True)
    return any(not same(float(b), a, margin) for a, b in pairs if a is not None and b is not None)
