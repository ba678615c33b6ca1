"""The error pages of a shared task: one for each response of the official setting.

The process that scores a response also writes its page, from the same Comparison where it can.
"""

from dataclasses import replace
from pathlib import Path

from corefkit import metrics
from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError, Incident, make_incident
from corefkit.core.options import Options
from corefkit.metrics.base import PartitionMetric
from corefkit.plugins.task.parts import sweep, write_file
from corefkit.plugins.task.results import TaskRun
from corefkit.plugins.task.shared_task import Slot, Task
from corefkit.scorers import scorer_for
from corefkit.scorers.comparison import Comparison
from corefkit.scoring.errors import analysis_options, copies_dropped, copies_note, report_errors

_SHARED_OUT = "conll"
"""The metric whose lost points a page shares out if the ranking metric is no PartitionMetric."""

_HALF_MATCHES = ("semeval", "min")
"""Matching rules that error analysis does not support (see `analysis_options`)."""


@frozen
class ErrorPages:
    """The error pages below the folder of a run.

    Attributes:
        options: those of the official setting, changed where error analysis requires it: a metric
            whose lost points can be shared out, counts summed over documents, and a matching rule
            that error analysis supports. The scores of the task do not depend on them.
    """

    task: Task
    folder: Path
    options: Options

    @classmethod
    def of(cls, task: Task, folder: Path) -> "ErrorPages":
        """The pages of a task; removes what a killed run left of them."""
        fits = all(
            isinstance(metrics.get(name), PartitionMetric) for name in metrics.counted([task.rank])
        )
        official = task.options_of(task.official)
        options = replace(official, metrics=(task.rank if fits else _SHARED_OUT,), average="micro")
        if official.match in _HALF_MATCHES:
            options = replace(options, match="exact")
        pages = cls(task, folder, options)
        analysis_options(options)
        sweep(folder / pages.name(slot) for slot in pages.slots())
        return pages

    @property
    def notes(self) -> list[Incident]:
        """The ways in which the pages differ from the scores of the task."""
        notes = [copies_note(self.options)] if copies_dropped(self.options) else []
        for policy in ("match", "average"):
            used, official = getattr(self.options, policy), getattr(self._official, policy)
            if used != official:
                values = {"policy": policy, "used": used, "own": official}
                notes.append(make_incident("report-policy", **values))
        return notes

    @property
    def _official(self) -> Options:
        return self.task.options_of(self.task.official)

    def slots(self) -> list[Slot]:
        """The responses that may have a page: those of the official setting that are not links.

        The target of a link is not published, and a page would show its content.
        """
        task = self.task
        slots = task.slots(setting=task.official)
        return [slot for slot in slots if not task.leads_out(task.responses[slot])]

    def name(self, slot: Slot) -> str:
        """The file of a page: system, then language or dataset and track if there are several.

        >>> from corefkit.plugins.task import read_manifest
        >>> pages = ErrorPages.of(read_manifest("examples/task/task.toml"), Path("results"))
        >>> pages.name(Slot("heron", "english", "closed", "NB"))
        'reports/heron.english.closed.html'
        """
        parts = [slot.system]
        parts += [slot.language] if len(self.task.languages) > 1 else []
        parts += [slot.track] if len(self.task.tracks) > 1 else []
        return f"reports/{'.'.join(parts)}.html"

    def written(self, run: TaskRun) -> dict[Slot, str]:
        """The existing pages of the responses that were scored."""
        names = {slot: self.name(slot) for slot in self.slots() if run.scores(slot)}
        return {slot: name for slot, name in names.items() if (self.folder / name).is_file()}

    def write(self, slot: Slot, comparison: Comparison) -> None:
        """Write the page of a response; if it has data errors, remove its old page instead."""
        from corefkit.render.pages.report import render_error_page
        from corefkit.stats.error_pages import error_page

        path = self.folder / self.name(slot)
        options = analysis_options(self.options)
        if copies_dropped(self.options) or self.options.match != self._official.match:
            scorer = scorer_for(options)
            key = scorer.prepare(comparison.key_side)
            comparison = scorer.compare(key, scorer.prepare(comparison.response_side))
        try:
            report = report_errors({slot.system: comparison}, options, self.notes)
        except DataError:
            path.unlink(missing_ok=True)
            return
        incidents = tuple(self.task.localise(incident) for incident in report.incidents)
        key = replace(report.key, path=self.task.languages[slot.language].key)
        page = error_page(replace(report, key=key, incidents=incidents))
        write_file(path, render_error_page(page))
