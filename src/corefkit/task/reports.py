"""A page of errors for each response of the official setting: `task run --reports`."""

from collections.abc import Iterator
from dataclasses import replace

from corefkit import metrics
from corefkit.data.incidents import DataError
from corefkit.data.options import Options, UsageError
from corefkit.formats.files import NamedPath
from corefkit.metrics.base import OverlapMetric
from corefkit.task.parts import leads_out
from corefkit.task.run import Outcome
from corefkit.task.shared_task import Slot, Task

_SHARED_OUT = "conll"
"""Whose lost points a page shares out where the metric that ranks is not one of entities."""


def report_name(task: Task, slot: Slot) -> str:
    """The file of a page: the system, and language (or dataset) and track where there are several.

    >>> from corefkit.task.manifest import read_manifest
    >>> task = read_manifest("examples/task/task.toml")
    >>> report_name(task, Slot("heron", "english", "closed", "NB"))
    'reports/heron.english.closed.html'
    """
    parts = [slot.system]
    parts += [slot.language] if len(task.languages) > 1 else []
    parts += [slot.track] if len(task.tracks) > 1 else []
    return f"reports/{'.'.join(parts)}.html"


def reported(outcome: Outcome) -> list[Slot]:
    """The responses that there are pages of: in the official setting, scored, and no links.

    A file that a link leads to is not published, and a page would show what is in it.
    """
    task = outcome.task
    return [
        slot
        for slot in task.slots(setting=task.official)
        if outcome.results[slot].scores and not leads_out(task.folder, task.responses[slot])
    ]


def make_reports(outcome: Outcome) -> Iterator[tuple[Slot, str]]:
    """The page of each response, one after another; UsageError where the options allow none."""
    from corefkit.render.pages.report import render_report
    from corefkit.scoring.errors import find_errors

    task = outcome.task
    options = _options(task)
    for slot in reported(outcome):
        key = outcome.keys[slot.language].corpus
        response = [NamedPath(task.path(task.responses[slot]), slot.system)]
        try:
            yield slot, render_report(find_errors(key, response, options))
        except DataError:  # the file was changed while the task ran
            continue


def _options(task: Task) -> Options:
    parts = metrics.counted([task.rank])
    fits = all(isinstance(metrics.get(name), OverlapMetric) for name in parts)
    options = replace(task.options_of(task.official), metrics=(task.rank if fits else _SHARED_OUT,))
    from corefkit.scoring.errors import check_options

    try:
        check_options(options)
    except UsageError as error:
        raise UsageError(f"no reports: {error}") from None
    return options
