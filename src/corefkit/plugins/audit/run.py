"""`audit`: ask a scorer the battery of probes and find out what it computes."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any

from corefkit.core.corpus import Corpus
from corefkit.core.incidents import data_error
from corefkit.core.options import UsageError
from corefkit.plugins.audit.answers import ScorerAnswer
from corefkit.plugins.audit.audit_result import Audit, AuditPlan, explain_failures
from corefkit.plugins.audit.battery import (
    BATTERY,
    REVERSED,
    Probe,
    documents_probe,
    random_probes,
)
from corefkit.plugins.audit.behaviours import METRICS, PARTS
from corefkit.plugins.audit.conll_average import identify_conll
from corefkit.plugins.audit.examples import add_examples
from corefkit.plugins.audit.profile_fit import (
    as_profiles,
    fitting_profiles,
    profile_values,
    with_copies_of_profiles,
)
from corefkit.plugins.audit.runners import (
    RUNNERS,
    CallableRunner,
    RunError,
    Runner,
    ScorerCall,
    presentable,
)
from corefkit.plugins.audit.styles import STYLES
from corefkit.plugins.audit.verdict import (
    MetricFigures,
    Verdict,
    agree,
    find_scale,
    gather,
    identify,
    same_figures,
)
from corefkit.scorers import parse_metrics
from corefkit.scoring.shrink import (
    F1s,
    ShrunkFiles,
    SmallDocuments,
    profile_scorer,
    shrink_files,
)


def audit(
    scorer: str | Callable[..., Any],
    style: str | None = None,
    *,
    metrics: Any = None,
    **options: Any,
) -> Audit:
    """Find out what a scorer computes: a class or function, `module:NAME`, or a command line.

    `style` is how a Python scorer is called (e2e, e2e-named, checker, coval, pairs, corpus). A text
    without a style is a command line with {key} and {response}. The other keywords are the
    attributes of `ScorerCall` (e.g. read, input, path, timeout) and of `AuditPlan` (e.g. random,
    once, expect, shrink).

    Raises DataError where the scorer cannot be run at all, UsageError for invalid arguments.
    """
    names = parse_metrics(metrics) if metrics else ()
    how = {f.name: options.pop(f.name) for f in fields(ScorerCall) if f.name in options}
    try:
        plan = AuditPlan(metrics=names, **options)
    except TypeError as error:
        raise UsageError(str(error).replace("AuditPlan.__init__() ", "audit: ")) from None
    call = ScorerCall(style or "e2e", metrics=names, **how)
    if not isinstance(scorer, str):
        return run_audit(CallableRunner(scorer, call), plan)
    return run_audit(RUNNERS["python" if style else "command"](scorer, call), plan)


RunProgress = Callable[[int, int, float], None]
"""Called after each run with the runs done, the total number of runs, and the seconds per run."""


def run_audit(runner: Runner, plan: AuditPlan, progress: RunProgress = lambda *_: None) -> Audit:
    """Ask all probes and judge the answers; DataError where no probe gave a value."""
    with _closed(runner):
        return _audit(runner, plan, progress)


@contextmanager
def _closed(runner: Runner) -> Iterator[None]:
    """Close a runner at the end; DataError where its scorer cannot be used."""
    try:
        yield
    except RunError as error:
        style = STYLES.get(runner.style)
        variant = error.variant or ("python" if style else "")
        expected = style.help if style and variant == "python" else None
        raise data_error(
            "scorer-unusable", variant, reason=str(error), found=error.output, expected=expected
        ) from None
    finally:
        runner.close()


def shrink_difference(
    runner: Runner, profile: str, sides: tuple[Corpus, Corpus], metrics: Sequence[str], **how: Any
) -> ShrunkFiles:
    """The smallest part of key and response on which a scorer differs from a profile.

    `how` are `least` and `budget` of `shrink_files`.
    """
    factor: list[int] = []

    def ask(documents: SmallDocuments) -> F1s | None:
        probe = documents_probe(documents)
        figures = runner.ask(probe).figures if runner.can_ask(probe) else {}
        if not figures and not factor:
            raise RunError(f"{runner.named} cannot score these files")
        if not figures:
            return None
        if not factor:  # The first answer, of the whole files, shows whether these are percentages.
            factor.append(find_scale(list(figures.values())).factor)
        f1s = ((name, triple[2]) for name, triple in figures.items())
        return {name: f1.value / factor[0] for name, f1 in f1s if f1 is not None}

    with _closed(runner):
        return shrink_files(*sides, (profile_scorer(profile, metrics), ask), metrics, **how)


def _audit(runner: Runner, plan: AuditPlan, progress: RunProgress) -> Audit:
    by_hand = runner.kind == "answers"
    drawn = [] if by_hand else random_probes(plan.random, plan.seed)
    asked = [probe for probe in (*BATTERY, *drawn) if runner.can_ask(probe)]
    turned = [] if by_hand else [probe for n in REVERSED for probe in asked if probe.id == n]
    repeated = [] if by_hand or plan.once else asked
    series = _RunSeries(runner, len(asked) + len(turned) + len(repeated), progress)
    first = series.ask_all(asked)
    if not any(answer.figures for answer in first.values()):
        raise _no_value_error(runner, first)
    backwards = series.ask_all([probe.reversed for probe in turned])
    second = series.ask_all(repeated)
    names = frozenset(probe.id for probe in drawn)
    gathered = {metric: gather(metric, first, names) for metric in (*METRICS, "conll")}
    figures = {metric: found for metric, found in gathered.items() if found is not None}
    verdicts = {metric: _verdict(metric, figures, plan) for metric in plan.metrics or figures}
    style = STYLES.get(runner.style)
    if style is not None and style.free:
        in_order = any(answer.in_order for answer in first.values())
        verdicts = {n: _with_question(v, in_order=in_order) for n, v in verdicts.items()}
    profiles = profile_values(tuple(asked))
    judged = {metric: figures[metric] for metric in verdicts if metric in figures}
    verdicts = as_profiles(verdicts, judged, profiles)
    fails = explain_failures([*first], _errors(first, verdicts), verdicts)
    order = [
        probe.id
        for probe in turned
        if (answer := backwards.get(probe.reversed)) is not None
        and _order_matters(probe.reversed, first[probe], answer, verdicts)
    ]
    verdicts = with_copies_of_profiles(verdicts, judged, profiles)
    stopped = runner.stopped
    return Audit(
        runner.kind,
        runner.named,
        runner.style,
        plan,
        sum(probe.id not in names for probe in asked),
        sum(probe.id in names for probe in asked),
        tuple(p.id for p in (*BATTERY, *drawn) if p not in asked),
        add_examples(verdicts, runner, first, plan, series.seconds),
        () if fails else fitting_profiles(verdicts, judged, profiles),
        fails,
        tuple(order),
        tuple(p.id for p, again in second.items() if not _same_answer(first[p], again)),
        stopped,
        tuple(p.id for p, answer in first.items() if _is_odd(answer, verdicts)),
        {probe.id: answer.figures for probe, answer in first.items()},
    )


@dataclass
class _RunSeries:
    """The runs of an audit: counted and timed."""

    runner: Runner
    total: int
    progress: RunProgress
    done: int = 0
    seconds: float = 0.0

    def ask_all(self, probes: Sequence[Probe]) -> dict[Probe, ScorerAnswer]:
        answers = {}
        for probe in probes:
            if self.runner.stopped:
                break
            begin = time.perf_counter()
            answers[probe] = self.runner.ask(probe)
            if not self.done:
                self.seconds = time.perf_counter() - begin
            elif self.done == 1:  # The first run may include imports.
                self.seconds = min(self.seconds, time.perf_counter() - begin)
            self.done += 1
            self.progress(self.done, self.total, self.seconds)
        return answers


def _no_value_error(runner: Runner, answers: Mapping[Probe, ScorerAnswer]) -> RunError:
    """Why no probe gave a value, with the first ten lines of the output, if there is one."""
    output = runner.first_output
    error = next((answer.error for answer in answers.values() if answer.error), "no answer")
    if output is None:
        return RunError(f"{runner.named}: no probe gave a value: {error}")
    lines = " ⏎ ".join(presentable(line)[:200] for line in output.splitlines()[:10])
    reason = f"{runner.named}: no score could be read from its output"
    return RunError(reason, "output", lines or "nothing")


def _verdict(metric: str, figures: Mapping[str, MetricFigures], plan: AuditPlan) -> Verdict:
    """The verdict about a metric, from all figures that the scorer gives."""
    if metric not in figures:
        return Verdict(metric, "no value", words="is never given")
    if metric != "conll":
        return identify(figures[metric])
    alone = plan.metrics and not {*PARTS} <= {*plan.metrics}
    parts = [] if alone else [figures[part] for part in PARTS if part in figures]
    return identify_conll(figures[metric], parts)


def _with_question(verdict: Verdict, *, in_order: bool) -> Verdict:
    """The verdict; if recall and precision are exchanged, with a note on other explanations.

    The scorer may take the response first, or, with `in_order`, return three numbers without names
    in another order.
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
    """Probe → error, for the probes that failed or lack a metric that other probes have."""
    errors = {}
    given = [name for name, verdict in verdicts.items() if verdict.verdict != "no value"]
    for probe, answer in answers.items():
        lacking = [name for name in given if not any(answer.figures.get(name, ()))]
        if answer.error is not None:
            errors[probe.id] = answer.error
        elif lacking and not answer.partial:
            errors[probe.id] = f"no value for {', '.join(lacking)}"
    return errors


def _same_answer(first: ScorerAnswer, second: ScorerAnswer) -> bool:
    if first.figures.keys() != second.figures.keys():
        return False
    return all(same_figures(first.figures[name], second.figures[name]) for name in first.figures)


def _order_matters(
    reversed_probe: Probe,
    usual: ScorerAnswer,
    backwards: ScorerAnswer,
    verdicts: Mapping[str, Verdict],
) -> bool:
    """Whether a reversed probe has other figures than the original.

    Differences that the behaviour of the scorer predicts do not count.
    """
    for metric, verdict in verdicts.items():
        before, after = usual.figures.get(metric), backwards.figures.get(metric)
        if before is None or after is None:
            if before is not after:
                return True
        elif not same_figures(before, after):
            if verdict.whole is None or verdict.scale is None or verdict.verdict == "unknown":
                return True
            predicted = verdict.whole.predict(reversed_probe.documents).values
            if not agree(predicted, verdict.scale.rates(after), verdict.scale.tolerance):
                return True
    return False


def _is_odd(answer: ScorerAnswer, verdicts: Mapping[str, Verdict]) -> bool:
    """Whether a figure is below 0, above the maximum, or not finite."""
    for metric, figures in answer.figures.items():
        scale = verdicts[metric].scale if metric in verdicts else None
        maximum = scale.factor if scale else 100
        values = [given.value for given in figures if given is not None]
        if any(not -1e-9 <= value <= maximum * (1 + 1e-9) for value in values):
            return True
    return False
