"""Shared tasks: a manifest, all responses scored, a ranking with tests, tables and a page.

>>> task = read_manifest("examples/task/task.toml")
>>> task.name, len(task.systems)
('Six birds, three languages', 6)

`score_task` scores all responses of a task; its TaskRun has scores, standings and comparisons.
"""

from typing import TYPE_CHECKING

from corefkit._lazy import attach
from corefkit.core.entry_points import PluginCommand, ResultType

if TYPE_CHECKING:
    from corefkit.plugins.task.manifest import read_manifest
    from corefkit.plugins.task.results import Standing, TaskRun
    from corefkit.plugins.task.run import score_task
    from corefkit.plugins.task.shared_task import Slot, Task

TASK = PluginCommand(
    "Shared tasks and reports", "Run and report a shared task.", f"{__name__}.command:command"
)

RESULT = ResultType(repetition=f"{__name__}.repetition:of_task")

__all__ = ["Slot", "Standing", "Task", "TaskRun", "read_manifest", "score_task"]

__getattr__, __dir__ = attach(
    __name__,
    {
        "plugins.task.manifest": ("read_manifest",),
        "plugins.task.results": ("Standing", "TaskRun"),
        "plugins.task.run": ("score_task",),
        "plugins.task.shared_task": ("Slot", "Task"),
    },
)
