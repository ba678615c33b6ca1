"""The result of an audit: its plan, its verdicts and failures, and its JSON."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, ClassVar

from corefkit.core.carriers import frozen
from corefkit.core.options import UsageError, choose
from corefkit.core.results import Result
from corefkit.core.texts import entities_text
from corefkit.plugins.audit.answers import GivenRates
from corefkit.plugins.audit.battery import Probe
from corefkit.plugins.audit.behaviours import METRICS, repeats
from corefkit.plugins.audit.runners import presentable
from corefkit.plugins.audit.verdict import SmallestExample, Verdict, behaviour_dict
from corefkit.scorers import PROFILES
from corefkit.scoring.shrink import SmallDocument, SmallSide

EXITS = {
    0: "as standard on clean input",
    3: "every departure is a known one",
    4: "something is unknown, unstable, depends on order or fails for no known reason",
}
"""The meaning of each exit status."""


@frozen
class AuditPlan:
    """How a scorer is to be audited; UsageError for a metric or a profile that does not exist.

    Attributes:
        metrics: the metrics to audit; if empty, all that the scorer gives.
        random, seed: the number of random probes, and the seed by which they are drawn.
        once: whether to ask each probe only once; then `unstable` stays empty.
        expect: the profile that the scorer is expected to be.
        shrink: whether to look for the smallest example of every finding, not only of unknown ones.
        budget: the most runs that one example may take; None: a default by kind of scorer.
        all_departures: whether those on repeated mentions, 0/0 and epsilons count for the exit.
        about: the version or commit of the scorer, for the report.
    """

    metrics: tuple[str, ...] = ()
    random: int = 12
    seed: int = 0
    once: bool = False
    expect: str | None = None
    shrink: bool = False
    budget: int | None = None
    all_departures: bool = False
    about: str = ""

    def __post_init__(self) -> None:
        known = (*METRICS, "conll")
        for metric in self.metrics:
            if metric not in known:
                raise UsageError(
                    f"metric: the behaviours of {metric!r} are unknown; choose from "
                    + ", ".join(known)
                )
        if self.expect is not None:
            choose("expect", self.expect, PROFILES)


@frozen
class Failures:
    """The probes on which a scorer fails.

    Attributes:
        reason: what these probes have in common, in words; None where no condition explains them.
        probes: the ids of the probes.
        error: the error on the first of them.
        predicted: whether the behaviours that were found predict that it fails on them.
        not_always: whether the scorer does not fail on some probes that meet the same condition.
    """

    reason: str | None
    probes: tuple[str, ...]
    error: str
    predicted: bool
    not_always: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The failures as JSON."""
        return {"reason": self.reason, "probes": list(self.probes), "error": self.error}


@frozen
class Audit(Result):
    """What a scorer computes.

    Attributes:
        asked: how the scorer was asked: "command", "python" or "answers".
        scorer: the command, the Python object or the file.
        style: how a Python object was called; empty for the other kinds.
        plan: how it was audited.
        probes, random: how many probes of the battery and how many random ones were asked.
        left_out: the ids of the probes that could not be asked.
        metrics: the verdict of each metric.
        profiles: the profiles of corefkit that the scorer matches, with options, the best first.
        fails: the probes on which it fails, and why.
        order: the probes on which the order of entities and mentions matters.
        unstable: the probes with different figures the second time.
        stopped: whether time-outs ended the audit early.
        odd: the probes with figures below 0, above the maximum, or not finite.
        observed: probe → metric → the figures of the scorer.
    """

    kind: ClassVar[str] = "audit"

    asked: str
    scorer: str
    style: str
    plan: AuditPlan
    probes: int
    random: int
    left_out: tuple[str, ...]
    metrics: Mapping[str, Verdict]
    profiles: tuple[tuple[str, Mapping[str, str]], ...]
    fails: Failures | None
    order: tuple[str, ...]
    unstable: tuple[str, ...]
    stopped: bool
    odd: tuple[str, ...]
    observed: Mapping[str, Mapping[str, GivenRates]] = field(repr=False)

    @property
    def profile(self) -> str | None:
        """The profile that the scorer matches best, if any."""
        return self.profiles[0][0] if self.profiles else None

    @property
    def exit(self) -> int:
        """The exit status of the command; see `EXITS`."""
        verdicts = [verdict.verdict for verdict in self.metrics.values()]
        fails = None if self.fails is None or self.fails.predicted else self.fails
        if "unknown" in verdicts or self.order or self.unstable or self.stopped:
            return 4
        if fails and fails.reason is None:
            return 4
        if self.plan.expect is not None:
            expected = any(name == self.plan.expect for name, _ in self.profiles)
            return 0 if expected and not fails else 3
        departs = fails is not None or "departs" in verdicts
        if self.plan.all_departures:
            details = any(verdict.departs_on_details for verdict in self.metrics.values())
            departs = departs or details
        return 3 if departs else 0

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        battery = {"probes": self.probes, "random": self.random, "seed": self.plan.seed}
        return {
            "scorer": {"kind": self.asked, self.asked: self.scorer, "style": self.style or None}
            | {"about": presentable(self.plan.about) or None},
            "battery": {**battery, "left_out": list(self.left_out)},
            "profile": self.profile,
            "profiles": list(dict.fromkeys(name for name, _ in self.profiles)),
            "exit": self.exit,
            "fails": self.fails and self.fails.to_dict(),
            "order": list(self.order),
            "unstable": list(self.unstable),
            "stopped": self.stopped,
            "odd": list(self.odd),
            "metrics": {name: verdict_dict(v) for name, v in self.metrics.items()},
            "observed": {
                probe: {metric: _numbers(figures) for metric, figures in metrics.items()}
                for probe, metrics in self.observed.items()
            },
        }

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per metric, with its verdict."""
        return [{"metric": name, **verdict_dict(v)} for name, v in self.metrics.items()]

    def __repr__(self) -> str:
        verdicts = ", ".join(f"{name} {v.verdict}" for name, v in self.metrics.items())
        return f"Audit({self.scorer}: {verdicts}; profile {self.profile}, exit {self.exit})"


def _numbers(figures: GivenRates) -> list[float | str | None]:
    return [None if given is None else json_number(given.value) for given in figures]


def json_number(value: float | None) -> float | str | None:
    """A number for JSON; one that is not finite becomes a text."""
    return value if value is None or value - value == 0 else str(value)


def verdict_dict(verdict: Verdict) -> dict[str, Any]:
    """The verdict about one metric as JSON."""
    behaviour, scale = verdict.behaviour, verdict.scale
    return {
        "verdict": verdict.verdict,
        "scale": scale and scale.factor,
        "digits": scale and scale.digits,
        "rule": behaviour and behaviour.rule,
        "average": behaviour and behaviour.average,
        "zero": verdict.zero,
        "exchanged": behaviour and behaviour.exchanged,
        "copies": verdict.copies,
        "words": verdict.words,
        "or": [behaviour_dict(other) for other in verdict.either],
        "epsilon": verdict.epsilon,
        "inside": verdict.inside,
        "note": verdict.note,
        "nearest": verdict.nearest and behaviour_dict(verdict.nearest),
        "departs_on": list(verdict.departs_on),
        "example": verdict.example and _example_dict(verdict.example),
    }


def _example_dict(example: SmallestExample) -> dict[str, Any]:
    observed = example.observed
    return {
        "documents": [
            {"key": entities_text(document.key), "response": entities_text(document.response)}
            for document in example.documents
        ],
        "standard": [json_number(value) for value in example.standard],
        "observed": None if observed is None else [json_number(value) for value in observed],
        "proved": example.proved,
    }


def _mentions(side: SmallSide) -> set[object]:
    return {mention for entity in side for mention in entity}


def _lacks_links(side: SmallSide) -> bool:
    return all(len({*entity}) < 2 for entity in side)


CONDITIONS: tuple[tuple[str, Callable[[SmallDocument], bool]], ...] = (
    (
        "a key mention that the response lacks",
        lambda document: not _mentions(document.key) <= _mentions(document.response),
    ),
    (
        "a mention that one side lacks",
        lambda document: _mentions(document.key) != _mentions(document.response),
    ),
    ("a singleton", lambda document: any(len(e) == 1 for side in document.sides for e in side)),
    ("a repeated mention", lambda document: any(map(repeats, document.sides))),
    ("a side without mentions", lambda document: not all(document.sides)),
    ("a side without links", lambda document: any(map(_lacks_links, document.sides))),
)
"""Properties of documents that may make a scorer fail, in words; tried in this order."""


def explain_failures(
    asked: Sequence[Probe], errors: Mapping[str, str], verdicts: Mapping[str, Verdict] = {}
) -> Failures | None:
    """The failures among the probes that were asked; None where there are none.

    `errors` has the error of each probe that failed, by id. A condition explains the failures if
    exactly these probes meet it, and explains them "not always" if all of these do and they are
    more than half of those that do.
    """
    failing = [probe for probe in asked if probe.id in errors]
    if not failing:
        return None
    names, error = tuple(probe.id for probe in failing), errors[failing[0].id]
    predicted = all(any(v.fails_on(probe) for v in verdicts.values()) for probe in failing)
    conditions = [(words, {p.id for p in asked if holds(p)}) for words, holds in _conditions()]
    for words, meeting in conditions:
        if meeting == {*names}:
            return Failures(words, names, error, predicted)
    for words, meeting in conditions:
        if {*names} <= meeting and len(meeting) < 2 * len(names):
            return Failures(f"{words}, not always", names, error, predicted, not_always=True)
    return Failures(None, names, error, predicted)


def _conditions() -> Iterator[tuple[str, Callable[[Probe], bool]]]:
    """Each condition twice: for some document of a probe, and for every document."""
    for words, has in CONDITIONS:
        yield words, lambda probe, has=has: any(map(has, probe.documents))  # type: ignore[misc]
        yield (
            f"{words} in every document",
            lambda probe, has=has: all(map(has, probe.documents)),  # type: ignore[misc]
        )
