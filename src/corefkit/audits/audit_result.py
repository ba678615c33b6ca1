"""What an audit found: the plan, the verdicts, failures, and the report as JSON has it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from corefkit.audits.answers import Figures
from corefkit.audits.battery import Probe, side_text
from corefkit.audits.behaviours import repeats
from corefkit.audits.rule_counts import Listed, ProbeDocument
from corefkit.audits.runners import presentable
from corefkit.audits.verdict import SmallestExample, Verdict, behaviour_dict
from corefkit.core.carriers import frozen

EXITS = {
    0: "as standard on clean input",
    3: "every departure is a known one",
    4: "something is unknown, unstable, depends on order or fails for no known reason",
}
"""What the exit statuses mean."""


@frozen
class AuditPlan:
    """How a scorer is to be audited.

    Attributes:
        metrics: only these; all that are given without it.
        random, seed: how many random probes, and how they are drawn.
        once: nothing is asked a second time, so that `unstable` is not known.
        expect: the profile that the scorer should be.
        shrink: seek the smallest example of every finding, not only of unknown ones.
        budget: how many runs an example may cost.
        strict: repeated mentions, 0/0 and epsilons count too.
        about: version or commit, for the report.
    """

    metrics: tuple[str, ...] = ()
    random: int = 12
    seed: int = 0
    once: bool = False
    expect: str | None = None
    shrink: bool = False
    budget: int | None = None
    strict: bool = False
    about: str = ""


@frozen
class Failures:
    """The probes on which a scorer fails, the reason in words, and the last line of the error.

    `reason` is None where no condition explains them; `not_always`: other probes have it too.
    """

    reason: str | None
    probes: tuple[str, ...]
    error: str
    not_always: bool = False


@frozen
class Audit:
    """What a scorer computes.

    Attributes:
        kind, scorer, style: what was audited.
        plan: how.
        probes, random, left_out: how many were asked, and those that could not be.
        metrics: the verdict of each metric.
        profiles: the profiles of corefkit that the scorer is, the nearest first; with options.
        fails: on which probes it fails, and why.
        order: the probes on which the order of entities and mentions matters.
        unstable: the probes with other figures the second time.
        stopped: whether time-outs ended the audit early.
        odd: the probes with figures below 0 or above the whole, or not finite.
        exit: 0, 3 or 4, as the command ends.
    """

    kind: str
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
    exit: int
    observed: Mapping[str, Mapping[str, Figures]] = field(repr=False)

    @property
    def profile(self) -> str | None:
        """The profile that the scorer is, if any."""
        return self.profiles[0][0] if self.profiles else None

    def to_dict(self) -> dict[str, Any]:
        """The report as it stands in JSON."""
        fails = self.fails and {
            "reason": self.fails.reason,
            "probes": list(self.fails.probes),
            "error": self.fails.error,
        }
        return {
            "scorer": {"kind": self.kind, self.kind: self.scorer, "style": self.style or None}
            | {"about": presentable(self.plan.about) or None},
            "battery": {
                "probes": self.probes,
                "random": self.random,
                "seed": self.plan.seed,
                "left_out": list(self.left_out),
            },
            "profile": self.profile,
            "profiles": list(dict.fromkeys(name for name, _ in self.profiles)),
            "exit": self.exit,
            "fails": fails,
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

    def __repr__(self) -> str:
        verdicts = ", ".join(f"{name} {v.verdict}" for name, v in self.metrics.items())
        return f"Audit({self.scorer}: {verdicts}; profile {self.profile}, exit {self.exit})"


def _numbers(figures: Figures) -> list[float | str | None]:
    return [None if given is None else json_number(given.value) for given in figures]


def json_number(value: float | None) -> float | str | None:
    """A number that JSON can hold: what is not finite becomes a text."""
    return value if value is None or value - value == 0 else str(value)


def verdict_dict(verdict: Verdict) -> dict[str, Any]:
    """What was found of one metric, as it stands in JSON."""
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
    documents = [
        {"key": side_text(key), "response": side_text(response)}
        for key, response in example.documents
    ]
    observed = example.observed
    return {
        "documents": documents,
        "standard": [json_number(value) for value in example.standard],
        "observed": None if observed is None else [json_number(value) for value in observed],
        "proved": example.proved,
    }


def _mentions(side: Listed) -> set[object]:
    return {mention for entity in side for mention in entity}


def _lacks_links(side: Listed) -> bool:
    return all(len({*entity}) < 2 for entity in side)


CONDITIONS: tuple[tuple[str, Callable[[ProbeDocument], bool]], ...] = (
    (
        "a key mention that the response lacks",
        lambda document: not _mentions(document.key) <= _mentions(document.response),
    ),
    (
        "a mention that one side lacks",
        lambda document: _mentions(document.key) != _mentions(document.response),
    ),
    ("a singleton", lambda document: any(len(e) == 1 for side in document for e in side)),
    ("a repeated mention", lambda document: any(map(repeats, document))),
    ("a side without mentions", lambda document: not all(document)),
    ("a side without links", lambda document: any(map(_lacks_links, document))),
)
"""What documents may have that makes a scorer fail, in words; tried in this order."""


def explain_failures(asked: Sequence[Probe], errors: Mapping[str, str]) -> Failures | None:
    """The failures among the probes that were asked; `errors` has the error of each that failed."""
    failing = [probe for probe in asked if probe.id in errors]
    if not failing:
        return None
    names, last = tuple(probe.id for probe in failing), errors[failing[0].id]
    readings = [(words, {p.id for p in asked if has(p)}) for words, has in _readings()]
    for words, having in readings:
        if having == {*names}:
            return Failures(words, names, last)
    for words, having in readings:
        if {*names} <= having and len(having) < 2 * len(names):
            return Failures(f"{words}, not always", names, last, not_always=True)
    return Failures(None, names, last)


def _readings() -> Iterator[tuple[str, Callable[[Probe], bool]]]:
    """Each condition in two readings: some document has it, all documents have it."""
    for words, has in CONDITIONS:
        yield words, lambda probe, has=has: any(map(has, probe.documents))  # type: ignore[misc]
        yield (
            f"{words} in every document",
            lambda probe, has=has: all(map(has, probe.documents)),  # type: ignore[misc]
        )
