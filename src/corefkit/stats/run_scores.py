"""The scores of systems with several runs: each run, and the mean over the runs.

>>> runs = {"ours": ["examples/careful.conll", "examples/hasty.conll"]}
>>> report = score_runs("examples/key.conll", runs, "muc,conll")
>>> report
RunsReport(ours: 2 runs, conll 75.32 ± 19.31)
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import fsum
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Unpack

import numpy as np

from corefkit.core.carriers import frozen
from corefkit.core.corpus import Corpus
from corefkit.core.incidents import DataError, errors
from corefkit.core.names import (
    Response,
    ResponseFile,
    file_name,
    is_of_documents,
    path_of,
    split_run,
)
from corefkit.core.options import (
    PLAIN_SIDES,
    Options,
    PiecesPolicy,
    Readings,
    UsageError,
    choose,
)
from corefkit.core.results import Result
from corefkit.core.style import points
from corefkit.core.texts import count_of
from corefkit.formats.kit.files import expand
from corefkit.formats.options import split_readings
from corefkit.scorers import make_options, scorer_for
from corefkit.scorers.comparison import Readable, Side
from corefkit.scorers.documents import Documents
from corefkit.scoring.parts import RUN, Part, body, rows_of
from corefkit.scoring.report import Report, System, bounds_dict
from corefkit.scoring.run import score_comparison, score_systems
from corefkit.scoring.scores import Scores
from corefkit.stats import FAILED, FailedPolicy
from corefkit.stats.compare import strata_of
from corefkit.stats.figures import WHOLE, PartName, by_part, parts_of
from corefkit.stats.runs import RunEvidence, RunFigures, run_notes

if TYPE_CHECKING:
    from corefkit.core.options import ScoreChoices
    from corefkit.metrics.base import Metrics
    from corefkit.scorers.windows import WindowChoice

RunSources = Readable | Sequence[Readable] | Mapping[str, Readable]
"""The runs of a system: one, several, or several by name."""


class RunFile(NamedTuple):
    """One response: its system, the name of the run ("" for a single one) and its source."""

    system: str
    run: str
    source: Readable


@frozen
class RunAgreement:
    """The agreement of the runs of one system with each other.

    Attributes:
        f1: metric → F1 of each pair of runs, with one of them as key.
        alpha: Krippendorff's α of all runs, as in `corefkit agree`.
    """

    f1: Mapping[str, tuple[float, ...]]
    alpha: float | None

    def to_dict(self) -> dict[str, Any]:
        """The mean and the lowest F1 of each metric, and α."""
        pairs = {
            name: {"mean": fsum(f1) / len(f1), "least": min(f1)} for name, f1 in self.f1.items()
        }
        return {**pairs, "alpha": self.alpha}


@frozen
class SystemRuns:
    """A system with its runs.

    Attributes:
        name: its name.
        runs: name of a run → its scores; without runs that could not be scored.
        paths: name of a run → its file, for all runs.
        failed: how many runs could not be scored.
        means: the means over the runs: of the whole, of groups and strata, and of windows with
            theirs; empty where no run has scores. A mean is None where a run has no F1.
        agreement: the agreement of the runs, where it was asked for.
    """

    name: str
    runs: Mapping[str, Scores]
    paths: Mapping[str, str]
    failed: int
    means: tuple[Part[Mapping[str, Any]], ...] = ()
    agreement: RunAgreement | None = None

    @property
    def figures(self) -> Mapping[str, RunFigures] | None:
        """The mean of each metric over all documents; None where no run has scores."""
        return next((part.scores for part in self.means if not part.at), None)

    def parts(self, by: str | None = None) -> list[Part[Any]]:
        """Each run, as a part of the system, with its own parts; then the means."""
        runs = [
            part.inside((RUN, run))
            for run, scores in self.runs.items()
            for part in scores.parts(by)
        ]
        return [*runs, *self.means]

    def to_dict(self, by: str | None = None) -> dict[str, Any]:
        """The system as it appears in the JSON output: its scores are the means over its runs."""
        parts = self.parts(by)
        return {
            "name": self.name,
            "runs": [
                {"run": run or None, "path": path, "scored": run in self.runs}
                for run, path in self.paths.items()
            ],
            "failed": self.failed,
            **(body(parts) if self.means else {"scores": None, "parts": []}),
            "agreement": self.agreement.to_dict() if self.agreement else None,
        }


@frozen(eq=False)
class RunsReport(Result):
    """The result of scoring systems with several runs.

    Attributes:
        report: key, options and incidents, with each run as if it were a system.
        systems: the systems with their runs.
        notes: reservations about the figures, as sentences.
        by: how documents are grouped.
    """

    kind: ClassVar[str] = "runs"

    report: Report
    systems: tuple[SystemRuns, ...]
    notes: tuple[str, ...]
    by: str | None = None

    def rows(self) -> list[dict[str, Any]]:
        """One flat dict per system, run, part and metric, then those of the means over runs."""
        return [
            row
            for system in self.systems
            for part in system.parts(self.by)
            for row in rows_of([part], system=system.name, run=dict(part.at).get(RUN))
        ]

    def to_dict(self) -> dict[str, Any]:
        """The JSON of `corefkit score` for several runs."""
        scored = self.report
        files = {run.path: run.hash.to_dict() for run in scored.systems}
        systems = [system.to_dict(self.by) for system in self.systems]
        for system in systems:
            system["runs"] = [run | files[run["path"]] for run in system["runs"]]
        return {
            "signature": scored.signature,
            "key": {
                "path": scored.key.path,
                **scored.key_hash.to_dict(),
                **scored.key.size._asdict(),
            },
            **({"by": self.by} if self.by else {}),
            **bounds_dict(scored.options),
            "systems": systems,
            "notes": list(self.notes),
            "incidents": [incident.to_dict() for incident in scored.incidents],
        }

    def complete(self, failed: FailedPolicy = "error") -> bool:
        """Whether each system has scores, and no run has failed that counts as an error."""
        has_error = failed == "error" and any(system.failed for system in self.systems)
        return not has_error and all(system.runs for system in self.systems)

    def __getitem__(self, name: str) -> SystemRuns:
        for system in self.systems:
            if system.name == name:
                return system
        raise KeyError(f"{name!r} is not among {', '.join(s.name for s in self.systems)}")

    def __repr__(self) -> str:
        return f"RunsReport({'; '.join(map(_describe, self.systems))})"


def _describe(system: SystemRuns) -> str:
    runs = f"{system.name}: {count_of(len(system.runs), 'run')}"
    if not system.figures:
        return runs
    name, figure = list(system.figures.items())[-1]
    spread = "" if figure.sd is None else f" ± {points(figure.sd)}"
    return f"{runs}, {name} {points(figure.f1)}{spread}"


def score_runs(  # noqa: PLR0913 (as many as there are options)
    key: Readable,
    systems: Mapping[str, RunSources],
    metrics: "Metrics | None" = None,
    profile: str = "standard",
    *,
    failed: FailedPolicy = "error",
    agreement: bool = False,
    documents: Documents = "all",
    window: "WindowChoice" = (),
    window_singletons: PiecesPolicy = "follow",
    by: str | Sequence[str] = (),
    **policies: "Unpack[ScoreChoices]",
) -> RunsReport:
    """Score several runs of systems against one key: {"mine": ["seed1.conll", "seed2.conll"]}.

    `failed` decides what happens to a run that cannot be scored: "error" raises DataError, "skip"
    leaves it out, "zero" treats it as an empty response. With `agreement` the runs of each system
    are also compared with each other. `by` names groups of documents ("genre") or strata
    ("entity:size"), for which means are computed, too. The other options are those of
    `corefkit.score`.
    """
    choose("failed", failed, FAILED)
    choices: dict[str, Any] = {**policies}
    readings = split_readings(choices)
    options = make_options(metrics, profile, **choices)
    if window != ():
        from corefkit.scorers.windows import with_windows

        options = with_windows(options, window, window_singletons)
    group, strata = _divided([by] if isinstance(by, str) else by)
    if strata:
        from corefkit.scoring.strata import with_strata

        options = with_strata(options, strata)
    files = list(_files(systems))
    how: dict[str, Any] = {"readings": readings, "documents": documents, "by": group}
    report = report_runs(key, files, options, failed=failed, agreement=agreement, **how)
    has_failed = failed == "error" and any(system.failed for system in report.systems)
    if has_failed or errors(report.report.key.incidents):
        raise DataError(errors(report.report.incidents))
    return report


def _divided(by: Sequence[str]) -> tuple[str | None, list[str]]:
    """The division by which documents are grouped, if any, and those that make strata."""
    groups = [division for division in by if is_of_documents(division)]
    if len(groups) > 1:
        raise UsageError(f"by: documents are grouped in one way, not by {' and '.join(groups)}")
    return next(iter(groups), None), [division for division in by if division not in groups]


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
    """The runs on a command line; empty where no response is named NAME@RUN=FILE.

    `patterns` are NAME=GLOB: each file is a run, which is named after its file. Raises UsageError
    for a run that is named twice, DataError for a pattern that matches no file.
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
            name = f"{file.system}@{file.run}" if file.run else file.system
            raise UsageError(f"runs: {name} is given twice")
        runs.append(file.run)
    if mixed := [name for name, runs in seen.items() if "" in runs and len(runs) > 1]:
        raise UsageError(f"runs: {mixed[0]} is given with a run and without; name all of its runs")
    return sorted(files, key=lambda file: list(seen).index(file.system))


def _matching(pattern: str) -> Iterator[RunFile]:
    """The runs of a pattern NAME=GLOB; their names are paths where file names are not unique."""
    name, equals, files = pattern.partition("=")
    if not (equals and name and files):
        raise UsageError(f"runs: {pattern!r} is not of the form NAME=GLOB")
    paths = expand(files)
    short = [file_name(path) for path in paths]
    runs = short if len({*short}) == len(short) else paths
    yield from (RunFile(name, run, path) for run, path in zip(runs, paths, strict=True))


def report_runs(  # noqa: PLR0913 (as many as there are options)
    key: Readable,
    files: Sequence[RunFile],
    options: Options,
    *,
    failed: FailedPolicy = "error",
    agreement: bool = False,
    readings: Readings = PLAIN_SIDES,
    documents: Documents = "all",
    by: str | None = None,
    hashed: bool = False,
) -> RunsReport:
    """Score all runs against one key, which is read once; bad data raises no exception.

    `by` groups documents; strata and windows are those of the options. With `hashed` the report has
    the hashes of the files as read.
    """
    if not files:
        raise UsageError("runs: there is no system")
    if options.applications:
        raise UsageError("runs: cannot be combined with application scores")
    responses: list[Readable] = [
        Response(source, f"{system}@{run}") if isinstance(source, str) else source
        for system, run, source in files
    ]
    how: dict[str, Any] = {"readings": readings, "documents": documents, "hashed": hashed}
    report = score_systems(key, responses, options, **how, shared=True)
    results = list(zip(files, report.systems, strict=True))
    zeros = failed == "zero" and not errors(report.key.incidents)
    systems = []
    for name in dict.fromkeys(file.system for file in files):
        runs = [(file, system) for file, system in results if file.system == name]
        systems.append(_system(name, runs, report, zeros=zeros))
    systems = _with_means(systems, by)
    if agreement:
        systems = [replace(s, agreement=_agreement(s, files, options, readings)) for s in systems]
    counts = {s.name: len(s.runs) for s in systems if s.runs}
    scored = next((run for s in systems for run in s.runs.values()), None)
    notes = run_notes(counts, len(scored.counts) if scored else 0)
    return RunsReport(report, tuple(systems), notes, by)


def _with_means(systems: Sequence[SystemRuns], by: str | None) -> list[SystemRuns]:
    """The systems with their means, over whole documents and in windows."""
    scored = {system.name: list(system.runs.values()) for system in systems if system.runs}
    if not scored:
        return list(systems)
    runs = list(scored.values())
    if len({tuple(sorted(s.counts.documents)) for scores in runs for s in scores}) > 1:
        raise UsageError(
            "only runs that are scored on the same documents have a mean: --documents FILE lists "
            "documents that all of them have"
        )
    means = _means(runs, by)
    for number, window in enumerate(runs[0][0].windows[:-1]):
        cut = [[run.windows[number].scores for run in scores] for scores in runs]
        for whole, inside in zip(means, _means(cut, by), strict=True):
            whole += [part.inside(*window.at) for part in inside]
    found = dict(zip(scored, means, strict=True))
    return [replace(system, means=tuple(found.get(system.name, ()))) for system in systems]


def _means(systems: Sequence[Sequence[Scores]], by: str | None) -> list[list[Part[Any]]]:
    """The means of each system over its runs, which are all scored on the same documents: of the
    whole, of groups of documents `by`, and of strata.
    """
    figures = RunEvidence([[parts_of(run) for run in runs] for runs in systems])
    found = [_by_part(figures, system) for system in range(len(systems))]
    means: list[list[Part[Any]]] = [[Part((), parts[WHOLE])] for parts in found]
    if by:
        grouped = [[run.groups(by) for run in runs] for runs in systems]
        for label in grouped[0][0]:
            group = RunEvidence([[{WHOLE: run[label].scores} for run in runs] for runs in grouped])
            for system, parts in enumerate(means):
                parts.append(Part(((by, label),), _by_part(group, system)[WHOLE]))
    for system, parts in enumerate(means):
        parts.extend(strata_of(figures, system, found[system]))
    return means


def _by_part(figures: RunEvidence, system: int) -> dict[PartName, dict[str, Any]]:
    """Part → metric → the means of a system."""
    return by_part(figures.rows, figures.intervals(system))


def _system(
    name: str, results: Sequence[tuple[RunFile, System]], report: Report, *, zeros: bool
) -> SystemRuns:
    """A system with its runs, without means; with `zeros`, failed runs are empty responses."""
    runs = {file.run: system.scores for file, system in results if system.scores is not None}
    failed = [file.run for file, _ in results if file.run not in runs]
    if zeros:
        runs |= {run: _empty_scores(report) for run in failed}
    order = [file.run for file, _ in results if file.run in runs]
    paths = {file.run: system.path for file, system in results}
    return SystemRuns(name, {run: runs[run] for run in order}, paths, len(failed))


def _empty_scores(report: Report) -> Scores:
    """The scores of a response without mentions."""
    nothing = report.key.corpus.take(np.zeros(report.key.corpus.mentions, dtype=bool))
    scorer = scorer_for(report.options)
    scored = next(iter(report.scores.values()), None)
    documents = None if scored is None else {*scored.counts.documents}
    comparison = scorer.compare_unified(
        report.key, Side.of("", PLAIN_SIDES.response, nothing), documents
    )
    scores = score_comparison(scorer, comparison, "").scores
    assert scores is not None
    return scores


def _agreement(
    system: SystemRuns, files: Sequence[RunFile], options: Options, readings: Readings
) -> RunAgreement | None:
    """The agreement of the runs of a system; None where it has one run, or one has failed."""
    from corefkit.stats.agreement import compare_annotators

    sources = [f.source for f in files if f.system == system.name and f.run in system.runs]
    if len(sources) < 2 or system.failed:
        return None
    agreement = compare_annotators(sources, None, options, readings.response)
    scores = [pair.scores for pair in agreement.pairs if pair.scores is not None]
    f1 = {name: tuple(s[name].f1 for s in scores) for name in options.metrics}
    alpha = agreement.alpha.alpha() if agreement.alpha else None
    return RunAgreement(f1 if scores else {}, alpha)
