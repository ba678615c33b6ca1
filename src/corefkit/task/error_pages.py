"""The pages of errors of a shared task: one for each response of the official setting.

The process that scores a response writes its page from the same Comparison.
"""

from dataclasses import replace
from pathlib import Path

from corefkit import metrics
from corefkit.core.carriers import frozen
from corefkit.core.incidents import DataError, Incident, make_incident
from corefkit.core.options import Options
from corefkit.metrics.base import OverlapMetric
from corefkit.scorers import scorer_for
from corefkit.scorers.comparison import Comparison
from corefkit.scoring.errors import analysis_options, copies_dropped, copies_note, report_errors
from corefkit.task.parts import sweep, write_file
from corefkit.task.results import TaskRun
from corefkit.task.shared_task import Slot, Task

_SHARED_OUT = "conll"
"""Whose lost points a page shares out where the metric that ranks is not one of entities."""


_HALF_MATCHES = ("semeval", "min")
"""Rules of matching that do not pair mentions one to one, which errors are about."""


@frozen
class ErrorPages:
    """The pages below the folder of a run.

    Attributes:
        options: those of the official setting, as far as errors can be looked for under them: with
            a metric whose lost points can be shared out, summed over documents, and with mentions
            that are paired whole. The scores of the task are not concerned.
    """

    task: Task
    folder: Path
    options: Options

    @classmethod
    def of(cls, task: Task, folder: Path) -> "ErrorPages":
        """Those of a task."""
        fits = all(
            isinstance(metrics.get(name), OverlapMetric) for name in metrics.counted([task.rank])
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
        """What is done on the pages that the scores of the task do not do."""
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
        """The responses that may have a page: in the official setting, and not links.

        A file that a link leads to is not published, and a page would show its content.
        """
        task = self.task
        slots = task.slots(setting=task.official)
        return [slot for slot in slots if not task.leads_out(task.responses[slot])]

    def name(self, slot: Slot) -> str:
        """The file of a page: the system; language (or dataset) and track where there are several.

        >>> from corefkit.task import read_manifest
        >>> pages = ErrorPages.of(read_manifest("examples/task/task.toml"), Path("results"))
        >>> pages.name(Slot("heron", "english", "closed", "NB"))
        'reports/heron.english.closed.html'
        """
        parts = [slot.system]
        parts += [slot.language] if len(self.task.languages) > 1 else []
        parts += [slot.track] if len(self.task.tracks) > 1 else []
        return f"reports/{'.'.join(parts)}.html"

    def written(self, run: TaskRun) -> dict[Slot, str]:
        """The pages of the responses that were scored."""
        names = {slot: self.name(slot) for slot in self.slots() if run.scores(slot)}
        return {slot: name for slot, name in names.items() if (self.folder / name).is_file()}

    def write(self, slot: Slot, comparison: Comparison) -> None:
        """Write the page of a response; where there can be none, one that is there goes."""
        from corefkit.render.pages.report import render_error_page

        path = self.folder / self.name(slot)
        options = analysis_options(self.options)
        if copies_dropped(self.options) or self.options.match != self._official.match:
            scorer = scorer_for(options)
            key = scorer.prepare_again(comparison.key_side)
            comparison = scorer.compare(key, scorer.prepare_again(comparison.response_side))
        try:
            report = report_errors({slot.system: comparison}, options, self.notes)
        except DataError:
            path.unlink(missing_ok=True)
            return
        incidents = tuple(self.task.localise(incident) for incident in report.incidents)
        key = replace(report.key, path=self.task.languages[slot.language].key)
        write_file(path, render_error_page(replace(report, key=key, incidents=incidents)))
