"""The scores of systems with several runs: each run, and the mean over the runs.

>>> runs = {"ours": ["examples/careful.conll", "examples/hasty.conll"]}
>>> report = score_runs("examples/key.conll", runs, "muc,conll")
>>> report
RunsReport(ours: 2 runs, conll 75.32 ± 19.31)
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from math import fsum
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

import numpy as np

from corefkit._lazy import door
from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, errors
from corefkit.core.names import Response, ResponseFile, file_name, path_of, split_run
from corefkit.core.options import PLAIN_SIDES, Options, Readings, UsageError, choose
from corefkit.core.texts import count_of
from corefkit.formats import expand, split_readings
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.comparison import Readable, Side
from corefkit.scorers.documents import Documents
from corefkit.scoring.report import Report, System
from corefkit.scoring.run import score_comparison, score_systems
from corefkit.scoring.scores import Scores
from corefkit.stats import FAILED, FailedPolicy
from corefkit.stats.runs import RunEvidence, RunFigures, run_notes

if TYPE_CHECKING:
    from corefkit.core.options import ScoreChoices
    from corefkit.metrics.base import Metrics

RunSources = Readable | Sequence[Readable] | Mapping[str, Readable]
"""The runs of a system: one, several, or several by name."""


class RunFile(NamedTuple):
    """One response: its system, the name of the run ("" for the only one) and where it is."""

    system: str
    run: str
    source: Readable


@frozen
class RunAgreement:
    """How far the runs of one system agree with each other.

    Attributes:
        f1: for each metric F1 of each pair of runs, one of them as key.
        alpha: Krippendorff's α of all runs, as `corefkit agree` has it.
    """

    f1: Mapping[str, tuple[float, ...]]
    alpha: float | None

    def to_dict(self) -> dict[str, Any]:
        """Mean and least F1 of each metric, and α."""
        pairs = {
            name: {"mean": fsum(f1) / len(f1), "least": min(f1)} for name, f1 in self.f1.items()
        }
        return {**pairs, "alpha": self.alpha}


@frozen
class SystemRuns:
    """A system with its runs.

    Attributes:
        name: its name.
        runs: the runs that have scores, by their names.
        paths: the file of each run, also of those that could not be scored.
        failed: how many could not be scored.
        figures: the mean of each metric and how sure it is; None where no run has scores.
        agreement: how far the runs agree, where it was asked for.
    """

    name: str
    runs: Mapping[str, Scores]
    paths: Mapping[str, str]
    failed: int
    figures: Mapping[str, RunFigures] | None
    agreement: RunAgreement | None = None

    def to_dict(self) -> dict[str, Any]:
        """The system as it stands in the JSON output."""
        runs = [
            {
                "run": run or None,
                "path": path,
                "scores": self.runs[run].to_dict() if run in self.runs else None,
            }
            for run, path in self.paths.items()
        ]
        means = None
        if self.figures is not None:
            means = {name: asdict(figure) for name, figure in self.figures.items()}
        return {
            "name": self.name,
            "runs": runs,
            "failed": self.failed,
            "mean": means,
            "agreement": self.agreement.to_dict() if self.agreement else None,
        }


@frozen(eq=False)
class RunsReport:
    """The result of several runs of systems.

    Attributes:
        report: key, options and incidents, and each run as if it were a system.
        systems: the systems with their runs.
        notes: what to know before believing the figures, as sentences.
    """

    report: Report
    systems: tuple[SystemRuns, ...]
    notes: tuple[str, ...]

    def complete(self, failed: FailedPolicy = "error") -> bool:
        """Whether no run is missing that counts as missing, and each system has a run."""
        lost = failed == "error" and any(system.failed for system in self.systems)
        return not lost and all(system.runs for system in self.systems)

    def __getitem__(self, name: str) -> SystemRuns:
        for system in self.systems:
            if system.name == name:
                return system
        raise KeyError(f"{name!r} is not among {', '.join(s.name for s in self.systems)}")

    def __str__(self) -> str:
        return door("RunsReport.text", str)(self)

    def __repr__(self) -> str:
        return f"RunsReport({'; '.join(map(_describe, self.systems))})"

    def _repr_html_(self) -> str:
        return door("RunsReport.html", str)(self)


def _describe(system: SystemRuns) -> str:
    runs = f"{system.name}: {count_of(len(system.runs), 'run')}"
    if not system.figures:
        return runs
    name, figure = list(system.figures.items())[-1]
    spread = "" if figure.sd is None else f" ± {100 * figure.sd:.2f}"
    return f"{runs}, {name} {100 * figure.f1:.2f}{spread}"


def score_runs(  # noqa: PLR0913 (as many as there are options)
    key: Readable,
    systems: Mapping[str, RunSources],
    metrics: "Metrics | None" = None,
    profile: str = "standard",
    *,
    failed: FailedPolicy = "error",
    agreement: bool = False,
    documents: Documents = "all",
    **policies: "Unpack[ScoreChoices]",
) -> RunsReport:
    """Score several runs of systems against one key: {"mine": ["seed1.conll", "seed2.conll"]}.

    `failed` says what becomes of a run that cannot be scored: "error" raises DataError, "skip"
    leaves it out, "zero" takes it for an empty response. With `agreement` the runs of each system
    are compared with each other, too. The other options are those of `corefkit.score`.
    """
    choose("failed", failed, FAILED)
    choices: dict[str, Any] = {**policies}
    readings = split_readings(choices)
    options = make_options(metrics, profile, **choices)
    files = list(_files(systems))
    how: dict[str, Any] = {"readings": readings, "documents": documents}
    report = report_runs(key, files, options, failed=failed, agreement=agreement, **how)
    bad = errors(report.report.key.incidents) or (
        failed == "error" and any(system.failed for system in report.systems)
    )
    if bad:
        raise DataError(errors(report.report.incidents))
    return report


def _files(systems: Mapping[str, RunSources]) -> Iterator[RunFile]:
    if not isinstance(systems, Mapping):
        raise TypeError(f"systems are given as {{name: runs}}, not {systems!r:.60}")
    for name, runs in systems.items():
        if isinstance(runs, str | PathLike | Corpus):
            yield RunFile(name, "", runs)
        elif isinstance(runs, Mapping):
            yield from (RunFile(name, str(run), source) for run, source in runs.items())
        else:
            yield from (RunFile(name, str(n), source) for n, source in enumerate(runs, 1))


def list_runs(responses: Sequence[ResponseFile], patterns: Sequence[str] = ()) -> list[RunFile]:
    """The runs that a command line names; none where no response is named NAME@RUN=FILE.

    `patterns` are NAME=GLOB: each file is a run, which is called like its file. UsageError for a
    run that is named twice, DataError for a pattern that matches no file.
    """
    named = [r for r in responses if isinstance(r, Response) and split_run(r.name)]
    if not named and not patterns:
        return []
    files = []
    for response in responses:
        path = path_of(response)
        system, run = file_name(path), ""
        if isinstance(response, Response):
            system, run = split_run(response.name) or (response.name, "")
        files.append(RunFile(system, run, path))
    for pattern in patterns:
        files += _matching(pattern)
    seen: dict[str, list[str]] = {}
    for file in files:
        runs = seen.setdefault(file.system, [])
        if file.run in runs:
            twice = f"{file.system}@{file.run}" if file.run else file.system
            raise UsageError(f"runs: {twice} is given twice")
        runs.append(file.run)
    if mixed := [name for name, runs in seen.items() if "" in runs and len(runs) > 1]:
        raise UsageError(f"runs: {mixed[0]} is given with a run and without; name all of its runs")
    return sorted(files, key=lambda file: list(seen).index(file.system))


def _matching(pattern: str) -> Iterator[RunFile]:
    name, equals, files = pattern.partition("=")
    if not (equals and name and files):
        raise UsageError(f"runs: {pattern!r} is not of the form NAME=GLOB")
    paths = expand(files)
    short = [file_name(path) for path in paths]
    runs = short if len({*short}) == len(short) else paths
    yield from (RunFile(name, run, path) for run, path in zip(runs, paths, strict=True))


def report_runs(  # noqa: PLR0913 (as many as there are things to say)
    key: Readable,
    files: Sequence[RunFile],
    options: Options,
    *,
    failed: FailedPolicy = "error",
    agreement: bool = False,
    readings: Readings = PLAIN_SIDES,
    documents: Documents = "all",
) -> RunsReport:
    """Score all runs against one key, which is read once; bad data raises nothing."""
    if not files:
        raise UsageError("runs: there is no system")
    if options.applications or options.window:
        raise UsageError("runs: not with application scores, nor with windows")
    responses: list[Readable] = [
        Response(source, f"{system}@{run}") if isinstance(source, str) else source
        for system, run, source in files
    ]
    report = score_systems(key, responses, options, readings=readings, documents=documents)
    results = list(zip(files, report.systems, strict=True))
    zeros = failed == "zero" and not errors(report.key.incidents)
    systems = []
    for name in dict.fromkeys(file.system for file in files):
        own = [(file, system) for file, system in results if file.system == name]
        systems.append(_system(name, own, report, zeros=zeros))
    scored = [system for system in systems if system.runs]
    evidence = RunEvidence([list(s.runs.values()) for s in scored]) if scored else None
    figures = dict(
        zip((s.name for s in scored), evidence.figures() if evidence else (), strict=True)
    )
    made = [replace(s, figures=figures.get(s.name)) for s in systems]
    if agreement:
        made = [replace(s, agreement=_agreement(s, files, options, readings)) for s in made]
    counts = {s.name: len(s.runs) for s in scored}
    return RunsReport(report, tuple(made), run_notes(counts, evidence.documents if evidence else 0))


def _system(
    name: str, own: Sequence[tuple[RunFile, System]], report: Report, *, zeros: bool
) -> SystemRuns:
    runs = {file.run: system.scores for file, system in own if system.scores is not None}
    lost = [file.run for file, _ in own if file.run not in runs]
    if zeros:
        runs |= {run: _empty_scores(report) for run in lost}
    order = [file.run for file, _ in own if file.run in runs]
    paths = {file.run: system.path for file, system in own}
    return SystemRuns(name, {run: runs[run] for run in order}, paths, len(lost), None)


def _empty_scores(report: Report) -> Scores:
    """The scores of a response without mentions."""
    nothing = report.key.corpus.take(np.zeros(report.key.corpus.mentions, dtype=bool))
    scorer = scorer_for(report.options)
    others = next(iter(report.scores.values()), None)
    documents = None if others is None else {*others.counts.documents}
    comparison = scorer.compare_unified(report.key, Side("", nothing, nothing), documents)
    scores = score_comparison(scorer, comparison, "").scores
    assert scores is not None
    return scores


def _agreement(
    system: SystemRuns, files: Sequence[RunFile], options: Options, readings: Readings
) -> RunAgreement | None:
    from corefkit.stats.agreement import compare_annotators

    own = [f.source for f in files if f.system == system.name and f.run in system.runs]
    if len(own) < 2 or system.failed:
        return None
    agreement = compare_annotators(own, None, options, readings.response)
    scores = [pair.scores for pair in agreement.pairs if pair.scores is not None]
    f1 = {name: tuple(s[name].f1 for s in scores) for name in options.metrics}
    alpha = agreement.alpha.alpha() if agreement.alpha else None
    return RunAgreement(f1 if scores else {}, alpha)
