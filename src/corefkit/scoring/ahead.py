"""Run tasks one after the other, the next one always under way already."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class _Running(Generic[T]):
    """A task in a thread of its own. Unpacking and array work leave Python's lock alone."""

    def __init__(self, task: Callable[[], T]) -> None:
        self._task = task
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        self._error: BaseException | None = None
        try:
            self._value = self._task()
        except BaseException as error:
            self._error = error

    def result(self) -> T:
        self._thread.join()
        if self._error is not None:
            raise self._error
        return self._value


def run_ahead(tasks: Iterable[Callable[[], T]], ahead: int = 2) -> Iterator[T]:
    """The results of the tasks in order, never more than `ahead` of them running or waiting.

    >>> list(run_ahead([lambda: 1, lambda: 2, lambda: 3]))
    [1, 2, 3]
    """
    waiting = iter(tasks)
    running = deque(_Running(task) for task in islice(waiting, ahead))
    while running:
        result = running.popleft().result()
        running.extend(_Running(task) for task in islice(waiting, 1))
        yield result
