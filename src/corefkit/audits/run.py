"""`audit`: put the battery to a scorer and say what it computes."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from corefkit.audits.answers import ReadingError, ScorerAnswer, read_answers, text_reader
from corefkit.audits.audit_result import Audit, AuditPlan, explain_failures
from corefkit.audits.battery import BATTERY, FORMS, REVERSED, Probe, random_probes
from corefkit.audits.behaviours import METRICS, Behaviour
from corefkit.audits.conll_average import PARTS, identify_conll
from corefkit.audits.examples import add_examples
from corefkit.audits.profile_fit import (
    as_profiles,
    fitting_profiles,
    profile_values,
    with_copies_of_profiles,
)
from corefkit.audits.runners import (
    AnswersRunner,
    CallableRunner,
    CommandRunner,
    PythonRunner,
    RunError,
    Runner,
    presentable,
)
from corefkit.audits.styles import STYLES, style_named
from corefkit.audits.verdict import MetricFigures, Verdict, gather, identify, same_figures
from corefkit.core.carriers import frozen
from corefkit.core.incidents import data_error
from corefkit.core.options import UsageError
from corefkit.formats import load
from corefkit.scorers import PROFILES, parse_metrics

PATIENCE = 3
"""After so many time-outs in a row the rest is not run."""


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
    how = AuditedCall(style or "e2e", path, order, documents, read, input, timeout)
    runner: Runner
    if isinstance(scorer, str):
        runner = make_runner("command" if style is None else "python", scorer, how, named)
    else:
        runner = CallableRunner(scorer, style_named(how.style, documents), order, named)
    return run_audit(runner, plan_made)


@frozen
class AuditedCall:
    """How a scorer is called and read: the options of `corefkit audit`, for Python and commands."""

    style: str = "e2e"
    path: str | None = None
    order: str = "rpf"
    documents: str = "all"
    read: str | Sequence[str] = ()
    form: str = "conll"
    timeout: float = 30.0
    stderr: bool = False
    any_status: bool = False


def make_runner(kind: str, scorer: str, how: AuditedCall, metrics: tuple[str, ...] = ()) -> Runner:
    """The runner of a scorer that is named: a command, `MODULE:NAME`, or a table of answers."""
    if kind == "answers":
        return _answers_runner(scorer)
    if kind == "python":
        paths = [how.path] if how.path else []
        style = style_named(how.style, how.documents)
        return PythonRunner(scorer, style, paths, how.order, metrics, how.timeout)
    more = {"stderr": how.stderr, "any_status": how.any_status}
    return command_runner(scorer, how.read, how.form, metrics, how.timeout, **more)


def _answers_runner(path: str) -> AnswersRunner:
    """The runner of a table of figures; DataError where it cannot be read."""
    try:
        answers = read_answers(load(path), path, [probe.id for probe in BATTERY])
    except ReadingError as error:
        raise data_error("answers-unreadable", reason=str(error)) from None
    return AnswersRunner(answers, path)


def make_plan(**plan: Any) -> AuditPlan:
    """A plan; UsageError for a metric or a profile that does not exist."""
    try:
        made = AuditPlan(**plan)
    except TypeError as error:
        raise UsageError(str(error).replace("AuditPlan.__init__() ", "audit: ")) from None
    for metric in made.metrics:
        if metric not in (*METRICS, "conll"):
            known = ", ".join((*METRICS, "conll"))
            raise UsageError(
                f"metric: the behaviours of {metric!r} are unknown; choose from {known}"
            )
    if made.expect is not None and made.expect not in PROFILES:
        raise UsageError(
            f"expect: unknown profile {made.expect!r}; choose from {', '.join(PROFILES)}"
        )
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
    if form not in FORMS:
        raise UsageError(f"input: unknown value {form!r}; choose from {', '.join(FORMS)}")
    reader = text_reader([read] if isinstance(read, str) else read)
    if "{metric}" in command.replace("{{", "") and not metrics:
        metrics = ("muc", "bcub", "ceafe")
    return CommandRunner(command, reader, form, metrics, timeout, **more)


RunProgress = Callable[[int, int, float], None]
"""Told after each run: how many are done, how many there are, and the seconds of the first."""


def run_audit(runner: Runner, plan: AuditPlan, progress: RunProgress = lambda *_: None) -> Audit:
    """Ask all probes and judge; DataError where no probe gave a value."""
    try:
        return _audit(runner, plan, progress)
    except RunError as error:
        output = error.output
        how = STYLES.get(getattr(runner, "style", ""))
        variant = "python" if how else "output" if output else ""
        expected = how.help if how else None
        raise data_error(
            "scorer-unusable", variant, reason=str(error), found=output, expected=expected
        ) from None
    finally:
        runner.close()


def _audit(runner: Runner, plan: AuditPlan, progress: RunProgress) -> Audit:
    by_hand = runner.kind == "answers"
    drawn = [] if by_hand else random_probes(plan.random, plan.seed)
    asked = [probe for probe in (*BATTERY, *drawn) if runner.can_ask(probe)]
    turned = [] if by_hand else [p.reversed for n in REVERSED for p in asked if p.id == n]
    again = [] if by_hand or plan.once else asked
    session = _RunSeries(runner, len(asked) + len(turned) + len(again), progress)
    first = session.ask_all(asked)
    if not any(answer.figures for answer in first.values()):
        raise _nothing(runner, first)
    backwards = session.ask_all(turned)
    second = session.ask_all(again)
    names = frozenset(probe.id for probe in drawn)
    verdicts = _verdicts(first, names, plan.metrics)
    style = STYLES.get(getattr(runner, "style", ""))
    if style is not None and style.free:
        in_order = any(answer.in_order for answer in first.values())
        verdicts = {n: _with_question(v, in_order=in_order) for n, v in verdicts.items()}
    profiles = profile_values(tuple(asked))
    verdicts = as_profiles(verdicts, first, names, profiles)
    errors = _errors(first, verdicts)
    fails = explain_failures([*first], errors)
    unstable = _unstable(first, second)
    order = tuple(
        probe.id.removesuffix(" reversed")
        for probe in turned
        if probe in backwards and _order_matters(probe, first, backwards[probe], verdicts)
    )
    verdicts = with_copies_of_profiles(verdicts, first, profiles)
    fitting = () if fails else fitting_profiles(verdicts, profiles, first)
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
class _RunSeries:
    """The runs of an audit: counted, timed, and stopped after time-outs in a row."""

    runner: Runner
    total: int
    progress: RunProgress
    done: int = 0
    seconds: float = 0.0
    timeouts: int = 0

    @property
    def stopped(self) -> bool:
        return self.timeouts >= PATIENCE

    def ask_all(self, probes: Sequence[Probe]) -> dict[Probe, ScorerAnswer]:
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


def _nothing(runner: Runner, answers: Mapping[Probe, ScorerAnswer]) -> RunError:
    """Why no probe gave a value, with the first ten lines of the output."""
    output = getattr(runner, "first_output", None)
    error = next((answer.error for answer in answers.values() if answer.error), "no answer")
    if output is None:
        return RunError(f"{runner.named}: no probe gave a value: {error}")
    lines = " ⏎ ".join(presentable(line)[:200] for line in output.splitlines()[:10])
    return RunError(f"{runner.named}: no score could be read from its output", lines or "nothing")


def _verdicts(
    answers: Mapping[Probe, ScorerAnswer], drawn: frozenset[str], wanted: Sequence[str]
) -> dict[str, Verdict]:
    given = {metric for answer in answers.values() for metric in answer.figures}
    verdicts: dict[str, Verdict] = {}
    for metric in wanted or [m for m in (*METRICS, "conll") if m in given]:
        verdict = None
        if metric == "conll":
            alone = bool(wanted) and not all(part in wanted for part in PARTS)
            verdict = identify_conll(answers, drawn, alone=alone)
        elif (evidence := gather(metric, answers, drawn)) is not None:
            verdict = identify(evidence)
        verdicts[metric] = verdict or Verdict(metric, "no value", words="is never given")
    return verdicts


def _with_question(verdict: Verdict, *, in_order: bool) -> Verdict:
    """Where precision and recall are exchanged, perhaps it was called or read in the wrong order.

    `in_order`: three numbers without names were read.
    """
    if verdict.behaviour is None or not verdict.behaviour.exchanged:
        return verdict
    note = "it was called with the key first; one that takes the response first would look the same"
    if in_order:
        note = "three unnamed numbers were read in the order of --order; if precision comes first, "
        note += "use --order prf"
    return replace(verdict, notes=(*verdict.notes, note))


def _errors(
    answers: Mapping[Probe, ScorerAnswer], verdicts: Mapping[str, Verdict]
) -> dict[str, str]:
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


def _unstable(
    first: Mapping[Probe, ScorerAnswer], second: Mapping[Probe, ScorerAnswer]
) -> tuple[str, ...]:
    return tuple(p.id for p in first if p in second and not _same_answer(first[p], second[p]))


def _same_answer(one: ScorerAnswer, other: ScorerAnswer) -> bool:
    if one.figures.keys() != other.figures.keys():
        return False
    return all(same_figures(one.figures[name], other.figures[name]) for name in one.figures)


def _order_matters(
    turned: Probe,
    answers: Mapping[Probe, ScorerAnswer],
    backwards: ScorerAnswer,
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
        figures_of_metric = MetricFigures(metric, {}, verdict.scale)
        if not figures_of_metric.agrees(predicted, theirs) and not same_figures(ours, theirs):
            return True
    return False


def _odd(answers: Mapping[Probe, ScorerAnswer], verdicts: Mapping[str, Verdict]) -> Sequence[str]:
    """The probes with a figure below 0, above the whole, or not finite."""
    odd_probes = []
    for probe, answer in answers.items():
        for metric, figures in answer.figures.items():
            scale = verdicts[metric].scale if metric in verdicts else None
            most = scale.factor if scale else 100
            values = [given.value for given in figures if given is not None]
            if any(not -1e-9 <= value <= most * (1 + 1e-9) for value in values):
                odd_probes.append(probe.id)
                break
    return odd_probes


def _status(made: Audit, asked: Sequence[Probe], errors: Mapping[str, str]) -> int:
    verdicts = [v for v in made.metrics.values() if v.verdict != "no value"]
    unexplained = [
        probe for probe in asked if probe.id in errors and not _foretold(probe, verdicts)
    ]
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
        fails = "fail" in (verdict.zero, verdict.copies)
        if fails and behaviour.predict(probe.documents).values is None:
            return True
    return False
