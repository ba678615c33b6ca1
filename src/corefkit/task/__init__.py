"""Shared tasks: a manifest, all responses scored, a ranking with tests, tables and a page.

>>> task = read_manifest("examples/task/task.toml")
>>> task.name, len(task.systems)
('Six birds, three languages', 6)

`score_task` scores all responses of a task; its TaskRun has scores, standings and comparisons.
"""

from typing import TYPE_CHECKING

from corefkit._lazy import attach

if TYPE_CHECKING:
    from corefkit.task.manifest import read_manifest
    from corefkit.task.results import Standing, TaskRun
    from corefkit.task.run import score_task
    from corefkit.task.shared_task import Slot, Task

__all__ = ["Slot", "Standing", "Task", "TaskRun", "read_manifest", "score_task"]

__getattr__, __dir__ = attach(
    __name__,
    {
        "task.manifest": ("read_manifest",),
        "task.results": ("Standing", "TaskRun"),
        "task.run": ("score_task",),
        "task.shared_task": ("Slot", "Task"),
    },
)
