"""Run tasks one after the other, the next one always under way already."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class _Running(Thread, Generic[T]):
    """A task in a thread of its own. Unpacking and array work leave Python's lock alone."""

    def __init__(self, task: Callable[[], T]) -> None:
        super().__init__(daemon=True)
        self._task = task
        self.start()

    def run(self) -> None:
        """Do the task; called by the thread itself."""
        self._error: BaseException | None = None
        try:
            self._value = self._task()
        except BaseException as error:
            self._error = error

    def result(self) -> T:
        """What the task returned or raised, once it is done."""
        self.join()
        if self._error is not None:
            raise self._error
        return self._value


def run_ahead(tasks: Iterable[Callable[[], T]]) -> Iterator[T]:
    """The results of the tasks in order, never more than two of them running or waiting.

    >>> list(run_ahead([lambda: 1, lambda: 2, lambda: 3]))
    [1, 2, 3]
    """
    begun = map(_Running, tasks)
    running = deque(islice(begun, 2))
    while running:
        result = running.popleft().result()
        running.extend(islice(begun, 1))
        yield result
