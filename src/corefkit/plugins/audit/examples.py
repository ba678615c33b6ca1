"""Examples of findings: the smallest documents that show them, run on the scorer itself.

For a known behaviour, the example is the smallest overlap on which it differs from the standard.
For an unknown one, all small overlaps are tried on the scorer; if none shows it, a probe is reduced
as far as possible (delta debugging).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING

from corefkit.plugins.audit.answers import ScorerAnswer
from corefkit.plugins.audit.battery import BATTERY, Probe, documents_probe
from corefkit.plugins.audit.behaviours import Behaviour
from corefkit.plugins.audit.overlaps import overlaps
from corefkit.plugins.audit.rule_counts import ProbeDocument, Triple
from corefkit.plugins.audit.runners import CommandRunner, RunError, Runner
from corefkit.plugins.audit.verdict import SmallestExample, Verdict, same
from corefkit.scoring.shrink import BUDGET, SmallDocument, SmallDocuments, shrink

if TYPE_CHECKING:
    from corefkit.plugins.audit.audit_result import AuditPlan

FAST = 0.2
"""Seconds; a command that takes less time per run is asked about all small overlaps."""

MARGIN = 0.02
"""Two behaviours differ where a value, from 0 to 1, differs by more than this."""

ProbeDocuments = tuple[ProbeDocument, ...]


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
    fast = not isinstance(runner, CommandRunner) or seconds < FAST
    for metric, verdict in verdicts.items():
        if metric == "conll":
            continue
        scorer = _BudgetedScorer(runner, metric, verdict, plan.budget or budget_of(runner))
        if verdict.verdict in ("no value", "standard") or (
            verdict.verdict == "departs" and verdict.behaviour is not None
        ):
            if plan.shrink and verdict.whole is not None:
                illustrated[metric] = replace(verdict, example=_known(scorer, verdict))
        else:
            illustrated[metric] = replace(verdict, example=_unknown(scorer, answers, fast=fast))
    return illustrated


def budget_of(runner: Runner) -> int:
    """The most runs of a scorer by default."""
    return 500 if isinstance(runner, CommandRunner) else BUDGET


class _BudgetedScorer:
    """The values of a scorer for one metric, as fractions of 1, from a limited number of runs."""

    def __init__(self, runner: Runner, metric: str, verdict: Verdict, budget: int) -> None:
        self.runner, self.metric, self.budget = runner, metric, budget
        self.scale = verdict.scale
        self.answers: dict[ProbeDocuments, tuple[float | None, ...] | None] = {}

    @property
    def tolerance(self) -> float:
        return self.scale.tolerance if self.scale else 2e-4

    def __call__(self, documents: ProbeDocuments) -> tuple[float | None, ...] | None:
        """Recall, precision and F1; None where the scorer fails.

        All three are None where the scorer cannot be asked, or the budget is used up.
        """
        if documents not in self.answers:
            self.answers[documents] = self._ask(documents)
        return self.answers[documents]

    def _ask(self, documents: ProbeDocuments) -> tuple[float | None, ...] | None:
        probe = documents_probe(documents)
        if self.runner.kind == "answers" or not self.runner.can_ask(probe):
            return (None, None, None)
        if len(self.answers) >= self.budget:
            return (None, None, None)
        try:
            figures = self.runner.ask(probe).figures.get(self.metric)
        except RunError:
            return None
        factor = self.scale.factor if self.scale else 1
        if figures is None:
            return None
        return tuple(None if given is None else given.value / factor for given in figures)


def _known(scorer: _BudgetedScorer, verdict: Verdict) -> SmallestExample | None:
    """The smallest example of a known behaviour, if the scorer confirms it."""
    behaviour = verdict.whole
    assert behaviour is not None
    candidates = [verdict.behaviour] if verdict.behaviour and verdict.behaviour.departures else []
    if not candidates:
        standard = Behaviour(behaviour.metric)
        if behaviour.copies not in ("first", "sorted"):
            candidates.append(replace(standard, copies=behaviour.copies))
        elif behaviour.zero != "0":
            candidates.append(replace(standard, zero=behaviour.zero))
    for candidate in candidates:
        smallest = smallest_example(candidate)
        if smallest is not None:
            documents, proved = smallest
            return _confirmed(scorer, documents, proved=proved)
    return None


def _confirmed(
    scorer: _BudgetedScorer, documents: ProbeDocuments, *, proved: bool
) -> SmallestExample | None:
    """The documents as an example, if the scorer differs from the standard on them."""
    standard = Behaviour(scorer.metric).predict(documents).values
    if standard is None:
        return None
    observed = scorer(documents)
    floats = as_floats(standard)
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
    if fast:
        difference = first_difference(scorer.metric, scorer, scorer.tolerance)
        if difference is not None:
            return _confirmed(scorer, difference, proved=True)

    def differ(documents: Sequence[ProbeDocument]) -> bool:
        prediction = standard.predict(documents)
        if prediction.zero or prediction.values is None:
            return False
        observed = scorer(tuple(documents))
        if observed is None:
            return False
        return triples_differ(prediction.values, observed, scorer.tolerance)

    for probe in answers:
        if not probe.copies and differ(probe.documents):
            remaining = scorer.budget - len(scorer.answers)
            return _confirmed(
                scorer, shrink_documents(probe.documents, differ, remaining), proved=False
            )
    return None


def smallest_example(behaviour: Behaviour) -> tuple[ProbeDocuments, bool] | None:
    """The smallest documents on which a behaviour differs from the standard; None: none found.

    Also whether they are proved to be smallest; otherwise no single step makes them smaller.
    """
    if behaviour.departures == 0 and behaviour.copies != "first":
        return _copies_example(behaviour)
    if behaviour.departures == 0 and behaviour.zero != "0":
        return (ProbeDocument((), ()),), True
    standard = Behaviour(behaviour.metric)
    for documents in _by_size(behaviour):
        if values_differ(behaviour, standard, documents):
            return documents, True
    return None


def _by_size(behaviour: Behaviour) -> Iterator[ProbeDocuments]:
    """Small inputs, the smallest first: one document, or two for averages other than micro."""
    averaged = behaviour.average != "micro"
    if not averaged or behaviour.departures > 1:
        for mentions in range(1, 6 if averaged else 7):
            for document in overlaps(mentions):
                yield from ((ordered,) for ordered in _orders(document, behaviour))
    for mentions in range(1, 9 if averaged else 0):
        for size in range(max(mentions - 5, 0), min(mentions, 5) + 1):
            yield from product(overlaps(size), overlaps(mentions - size))


def _orders(document: ProbeDocument, behaviour: Behaviour) -> Iterator[ProbeDocument]:
    """The document; for greedy alignment also with the entities of either side reversed."""
    yield document
    if "greedy" in behaviour.rule:
        key, response = document
        yield ProbeDocument(key[::-1], response)
        yield ProbeDocument(key, response[::-1])
        yield ProbeDocument(key[::-1], response[::-1])


def values_differ(left: Behaviour, right: Behaviour, documents: ProbeDocuments) -> bool:
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


def _copies_example(behaviour: Behaviour) -> tuple[ProbeDocuments, bool] | None:
    standard = Behaviour(behaviour.metric)

    def differ(documents: ProbeDocuments) -> bool:
        return values_differ(behaviour, standard, documents)

    for probe in BATTERY:
        if probe.copies and differ(probe.documents):
            return shrink_documents(probe.documents, differ), False
    return None


def shrink_documents(
    documents: ProbeDocuments, differ: Callable[[ProbeDocuments], bool], budget: int | None = None
) -> ProbeDocuments:
    """The documents after all single steps that keep the difference; see `shrink`."""

    def differ_without_names(smaller: SmallDocuments) -> bool:
        return differ(tuple(ProbeDocument(d.key, d.response) for d in smaller))

    named = tuple(SmallDocument("", *document) for document in documents)
    smallest = shrink(named, differ_without_names, budget)
    return tuple(ProbeDocument(d.key, d.response) for d in smallest)


def first_difference(
    metric: str, ask: Callable[[ProbeDocuments], Sequence[float | None] | None], tolerance: float
) -> ProbeDocuments | None:
    """The smallest overlap of up to four mentions on which a scorer differs from the standard."""
    standard = Behaviour(metric)
    for mentions in range(1, 5):
        for document in overlaps(mentions):
            prediction = standard.predict((document,))
            if prediction.zero or prediction.values is None:
                continue
            if triples_differ(prediction.values, ask((document,)), tolerance):
                return (document,)
    return None


def as_floats(values: Triple) -> tuple[float, float, float]:
    """Exact values as floats."""
    recall, precision, f1 = (float(value) for value in values)
    return recall, precision, f1
