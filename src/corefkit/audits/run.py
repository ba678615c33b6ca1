"""`audit`: put the battery to a scorer and say what it computes."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from corefkit.audits.answers import PLACES, Answer, Figures
from corefkit.audits.battery import BATTERY, REVERSED, Probe, random_probes, side_text
from corefkit.audits.behaviours import METRICS, Behaviour
from corefkit.audits.conll_average import identify_conll, same_figures
from corefkit.audits.examples import add_examples
from corefkit.audits.failures import Failures, explain_failures
from corefkit.audits.profile_values import ProfileValues, profile_values
from corefkit.audits.runners import (
    CallableRunner,
    CommandRunner,
    PythonRunner,
    Runner,
    RunError,
    presentable,
)
from corefkit.audits.styles import style_named
from corefkit.audits.verdict import (
    Evidence,
    Example,
    Verdict,
    behaviour_dict,
    gather,
    identify,
    same,
)
from corefkit.core.incidents import DataError
from corefkit.core.options import UsageError
from corefkit.scorers import PROFILES, parse_metrics

PATIENCE = 3
"""After so many time-outs in a row the rest is not run."""

EXITS = {
    0: "as standard on clean input",
    3: "every departure has a name",
    4: "something is unknown, unstable, depends on order or fails for no known reason",
}
"""What the exit statuses mean."""


@dataclass(frozen=True)
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


@dataclass(frozen=True)
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


def _example_dict(example: Example) -> dict[str, Any]:
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


def audit(  # noqa: PLR0913 (as many as there are things to say)
    scorer: str | Callable[..., Any],
    style: str | None = None,
    *,
    read: str | Sequence[str] = (),
    input: str = "conll",
    metrics: Any = None,
    path: str | None = None,
    order: str = "rpf",
    documents: str = "all",
    timeout: float = 30.0,
    **plan: Any,
) -> Audit:
    """Find out what a scorer computes: a class or function, `module:NAME`, or a command line.

    `style` says how Python is called (e2e, e2e-named, checker, coval, pairs, corpus); without it a
    text is a command line with {key} and {response}, read as `read` says. `plan` takes the names of
    `AuditPlan`, e.g. random, once, expect, shrink.

    Raises DataError where the scorer cannot be run at all, UsageError for what is written wrongly.
    """
    named = parse_metrics(metrics) if metrics else ()
    plan_made = make_plan(metrics=named, **plan)
    runner: Runner
    if not isinstance(scorer, str):
        runner = CallableRunner(scorer, style_named(style or "e2e", documents), order, named)
    elif style is not None:
        paths = [path] if path else []
        chosen = style_named(style, documents)
        runner = PythonRunner(scorer, chosen, paths, order, named, timeout)
    else:
        runner = command_runner(scorer, read, input, named, timeout)
    try:
        return run_audit(runner, plan_made)
    except RunError as error:
        from corefkit.core.incidents import data_error

        raise data_error("scorer-unusable", message=str(error)) from None


def make_plan(**plan: Any) -> AuditPlan:
    """A plan; UsageError for a metric or a profile that does not exist."""
    try:
        made = AuditPlan(**plan)
    except TypeError as error:
        raise UsageError(str(error).replace("AuditPlan.__init__() ", "audit: ")) from None
    for metric in made.metrics:
        if metric not in (*METRICS, "conll"):
            known = ", ".join((*METRICS, "conll"))
            raise UsageError(f"metric: the behaviours of {metric!r} are not known; there are {known}")
    if made.expect is not None and made.expect not in PROFILES:
        raise UsageError(f"expect: unknown profile {made.expect!r}; choose from {', '.join(PROFILES)}")
    return made


def command_runner(
    command: str,
    read: str | Sequence[str],
    form: str,
    metrics: tuple[str, ...],
    timeout: float,
    **more: bool,
) -> CommandRunner:
    """The runner of a command line."""
    from corefkit.audits.answers import text_reader
    from corefkit.audits.battery import FORMS

    if form not in FORMS:
        raise UsageError(f"input: unknown value {form!r}; choose from {', '.join(FORMS)}")
    reader = text_reader([read] if isinstance(read, str) else read)
    if "{metric}" in command.replace("{{", "") and not metrics:
        metrics = ("muc", "bcub", "ceafe")
    return CommandRunner(command, reader, form, metrics, timeout, **more)


Progress = Callable[[int, int, float], None]
"""Told after each run: how many are done, how many there are, and the seconds of the first."""


def run_audit(runner: Runner, plan: AuditPlan, progress: Progress = lambda *_: None) -> Audit:
    """Ask all probes and judge; RunError where no probe gave a value."""
    try:
        return _audit(runner, plan, progress)
    finally:
        runner.close()


def _audit(runner: Runner, plan: AuditPlan, progress: Progress) -> Audit:
    by_hand = runner.kind == "answers"
    drawn = [] if by_hand else random_probes(plan.random, plan.seed)
    asked = [probe for probe in (*BATTERY, *drawn) if runner.can_ask(probe)]
    turned = [] if by_hand else [p.reversed for p in asked if p.id in REVERSED]
    again = [] if by_hand or plan.once else asked
    session = _Session(runner, len(asked) + len(turned) + len(again), progress)
    first = session.ask_all(asked)
    if not any(answer.figures for answer in first.values()):
        raise RunError(_nothing(runner, first))
    backwards = session.ask_all(turned)
    second = session.ask_all(again)
    names = frozenset(probe.id for probe in drawn)
    verdicts = _verdicts(first, names, plan.metrics)
    profiles = profile_values(asked)
    verdicts = _as_profiles(verdicts, first, names, profiles)
    errors = _errors(first, verdicts)
    fails = explain_failures([*first], errors)
    unstable = _unstable(first, second)
    order = tuple(
        probe.id.removesuffix(" reversed")
        for probe in turned
        if probe in backwards and _order_matters(probe, first, backwards[probe], verdicts)
    )
    fitting = () if fails else _fitting_profiles(verdicts, profiles, asked)
    verdicts = add_examples(verdicts, runner, first, plan, session.seconds)
    made = Audit(
        runner.kind,
        runner.named,
        getattr(runner, "style", ""),
        plan,
        sum(probe.id not in names for probe in asked),
        sum(probe.id in names for probe in asked),
        tuple(p.id for p in (*BATTERY, *drawn) if p not in asked),
        verdicts,
        fitting,
        fails,
        order,
        unstable,
        session.stopped,
        tuple(_odd(first, verdicts)),
        0,
        {probe.id: answer.figures for probe, answer in first.items()},
    )
    return replace(made, exit=_status(made, [*first], errors))


@dataclass
class _Session:
    """The runs of an audit: counted, timed, and stopped after time-outs in a row."""

    runner: Runner
    total: int
    progress: Progress
    done: int = 0
    seconds: float = 0.0
    timeouts: int = 0

    @property
    def stopped(self) -> bool:
        return self.timeouts >= PATIENCE

    def ask_all(self, probes: Sequence[Probe]) -> dict[Probe, Answer]:
        answers = {}
        for probe in probes:
            if self.stopped:
                break
            begin = time.perf_counter()
            answers[probe] = self.runner.ask(probe)
            if not self.done:
                self.seconds = time.perf_counter() - begin
            elif self.done == 1:  # the first run also imported
                self.seconds = min(self.seconds, time.perf_counter() - begin)
            self.timeouts = self.timeouts + 1 if answers[probe].timed_out else 0
            self.done += 1
            self.progress(self.done, self.total, self.seconds)
        return answers


def _nothing(runner: Runner, answers: Mapping[Probe, Answer]) -> str:
    """Why no probe gave a value."""
    output = getattr(runner, "first_output", None)
    error = next((answer.error for answer in answers.values() if answer.error), "no answer")
    if output is None:
        return f"{runner.named}: no probe gave a value: {error}"
    lines = "\n".join(f"  {presentable(line)}" for line in output.splitlines()[:10])
    return f"{runner.named}: no figure could be read; its output begins\n{lines or '  (nothing)'}"


def _verdicts(
    answers: Mapping[Probe, Answer], drawn: frozenset[str], wanted: Sequence[str]
) -> dict[str, Verdict]:
    given = {metric for answer in answers.values() for metric in answer.figures}
    verdicts: dict[str, Verdict] = {}
    for metric in wanted or [m for m in (*METRICS, "conll") if m in given]:
        verdict = None
        if metric == "conll":
            verdict = identify_conll(answers, drawn)
        elif (evidence := gather(metric, answers, drawn)) is not None:
            verdict = identify(evidence)
        verdicts[metric] = verdict or Verdict(metric, "no value", words="is never given")
    return verdicts


def _as_profiles(
    verdicts: Mapping[str, Verdict],
    answers: Mapping[Probe, Answer],
    drawn: frozenset[str],
    profiles: Sequence[ProfileValues],
) -> dict[str, Verdict]:
    """Unknown metrics that are as a profile of corefkit computes them are known after all."""
    named = dict(verdicts)
    for metric, verdict in verdicts.items():
        evidence = gather(metric, answers, drawn)
        if verdict.verdict == "unknown" and not verdict.inside and evidence is not None:
            for profile in profiles:
                if _is_profile(evidence, profile):
                    words = f"as the profile {profile_text(profile.profile, profile.options)}"
                    named[metric] = replace(
                        verdict,
                        verdict="departs",
                        words=words,
                        profile=profile_text(profile.profile, profile.options),
                        nearest=None,
                        note=None,
                    )
                    break
    return named


def profile_text(name: str, options: Mapping[str, str]) -> str:
    """A profile with its options, as it is written in a command."""
    return " ".join([name, *(f"--{option} {value}" for option, value in options.items())])


def _is_profile(evidence: Evidence, profile: ProfileValues) -> bool:
    values = profile.values.get(evidence.metric)
    if values is None:
        return False
    pairs = [(values[p.id], figures) for p, figures in evidence.clean if p.id in values]
    return len(pairs) >= 8 and all(evidence.agrees(value, figures) for value, figures in pairs)


def _fitting_profiles(
    verdicts: Mapping[str, Verdict], profiles: Sequence[ProfileValues], probes: Sequence[Probe]
) -> tuple[tuple[str, Mapping[str, str]], ...]:
    """The profiles that are this scorer; first those that treat repeated mentions alike."""
    if any(verdict.verdict == "unknown" for verdict in verdicts.values()):
        return ()
    given = {name: verdict for name, verdict in verdicts.items() if verdict.verdict != "no value"}
    fitting = [
        profile
        for profile in profiles
        if all(_fits(verdict, profile, probes) for verdict in given.values())
    ]
    fitting.sort(key=lambda p: not all(_copies_fit(v, p, probes) for v in given.values()))
    return tuple((profile.profile, profile.options) for profile in fitting)


def _fits(verdict: Verdict, profile: ProfileValues, probes: Sequence[Probe]) -> bool:
    """Whether rule, average and exchange are those of the profile."""
    if verdict.metric not in profile.metrics:
        return False
    if verdict.metric == "conll":
        return verdict.verdict == "standard"
    if verdict.profile is not None:
        return verdict.profile == profile_text(profile.profile, profile.options)
    assert verdict.behaviour is not None
    values = profile.values[verdict.metric]
    for probe in probes:
        if probe.copies or probe.id not in values:
            continue
        prediction = verdict.behaviour.predict(probe.documents)
        if prediction.zero or (probe.id == "boundaries" and not profile.exact):
            continue
        if not _equal(prediction.values, values[probe.id]):
            return False
    return True


def _copies_fit(verdict: Verdict, profile: ProfileValues, probes: Sequence[Probe]) -> bool:
    """Whether repeated mentions are treated as by the profile; by `standard` in two ways."""
    whole = verdict.whole
    if whole is None or verdict.metric == "conll" or verdict.copies is None:
        return True
    if profile.profile == "standard" and verdict.copies in ("first", "sorted"):
        return True
    values = profile.values[verdict.metric]
    asked = [probe for probe in probes if probe.copies and probe.id in values]
    return all(_equal(whole.predict(p.documents).values, values[p.id]) for p in asked)


def _equal(predicted: Any, values: Sequence[float]) -> bool:
    if predicted is None:
        return False
    return all(same(value, one, 1e-9) for value, one in zip(values, predicted, strict=True))


def _errors(answers: Mapping[Probe, Answer], verdicts: Mapping[str, Verdict]) -> dict[str, str]:
    """The error of each probe that failed, as a whole or for a metric that others have."""
    errors = {}
    wanted = [name for name, verdict in verdicts.items() if verdict.verdict != "no value"]
    for probe, answer in answers.items():
        lacking = [name for name in wanted if not any(answer.figures.get(name, ()))]
        if answer.error is not None:
            errors[probe.id] = answer.error
        elif lacking and not answer.partial:
            errors[probe.id] = f"no value for {', '.join(lacking)}"
    return errors


def _unstable(first: Mapping[Probe, Answer], second: Mapping[Probe, Answer]) -> tuple[str, ...]:
    return tuple(p.id for p in first if p in second and not _same_answer(first[p], second[p]))


def _same_answer(one: Answer, other: Answer) -> bool:
    if one.figures.keys() != other.figures.keys():
        return False
    return all(same_figures(one.figures[name], other.figures[name]) for name in one.figures)


def _order_matters(
    turned: Probe,
    answers: Mapping[Probe, Answer],
    backwards: Answer,
    verdicts: Mapping[str, Verdict],
) -> bool:
    """Whether the reversed probe has not the figures that the behaviour found predicts for it."""
    name = turned.id.removesuffix(" reversed")
    usual = next(answer for probe, answer in answers.items() if probe.id == name)
    for metric, verdict in verdicts.items():
        ours, theirs = usual.figures.get(metric), backwards.figures.get(metric)
        if ours is None or theirs is None:
            if (ours is None) != (theirs is None):
                return True
            continue
        if verdict.behaviour is None or metric == "conll" or verdict.verdict == "unknown":
            if not same_figures(ours, theirs):
                return True
            continue
        assert verdict.scale is not None and verdict.whole is not None
        predicted = verdict.whole.predict(turned.documents).values
        one = Evidence(metric, {}, verdict.scale)
        if not one.agrees(predicted, theirs) and not same_figures(ours, theirs):
            return True
    return False


def _odd(answers: Mapping[Probe, Answer], verdicts: Mapping[str, Verdict]) -> Sequence[str]:
    """The probes with a figure below 0, above the whole, or not finite."""
    found = []
    for probe, answer in answers.items():
        for metric, figures in answer.figures.items():
            scale = verdicts[metric].scale if metric in verdicts else None
            most = scale.factor if scale else 100
            values = [given.value for given in figures if given is not None]
            if any(not -1e-9 <= value <= most * (1 + 1e-9) for value in values):
                found.append(probe.id)
                break
    return found


def _status(made: Audit, asked: Sequence[Probe], errors: Mapping[str, str]) -> int:
    verdicts = [v for v in made.metrics.values() if v.verdict != "no value"]
    unexplained = [probe for probe in asked if probe.id in errors and not _foretold(probe, verdicts)]
    if any(v.verdict == "unknown" for v in verdicts) or made.order or made.unstable or made.stopped:
        return 4
    if unexplained and (made.fails is None or made.fails.reason is None):
        return 4
    if made.plan.expect is not None:
        expected = any(name == made.plan.expect for name, _ in made.profiles)
        return 0 if expected and not unexplained else 3
    departs = any(v.verdict == "departs" for v in verdicts) or bool(unexplained)
    if made.plan.strict:
        departs = departs or made.fails is not None or any(map(_impure, verdicts))
    return 3 if departs else 0


def _impure(verdict: Verdict) -> bool:
    """Whether repeated mentions, 0/0 or small differences are not as standard."""
    if verdict.metric == "conll":
        return False
    copies = verdict.copies not in ("first", "sorted", None)
    return copies or verdict.zero not in ("0", None) or verdict.epsilon is not None


def _foretold(probe: Probe, verdicts: Sequence[Verdict]) -> bool:
    """Whether a failure is one on 0/0 or on repeated mentions, and nothing else."""
    for verdict in verdicts:
        behaviour: Behaviour | None = verdict.whole
        if behaviour is None or verdict.metric == "conll":
            continue
        if "fail" in (verdict.zero, verdict.copies):
            if behaviour.predict(probe.documents).values is None:
                return True
    return False


__all__ = ["EXITS", "PLACES", "Audit", "AuditPlan", "audit", "run_audit"]
_ = DataError
