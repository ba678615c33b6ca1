"""Files loaded in the background, while the modules that will parse them are still loading.

Reading and unpacking leave Python's lock alone, so a second processor does them for nothing.
"""

import os
from collections.abc import Iterable
from threading import Event, Thread

from corefkit.formats import files

_IN_PIECES = (".parquet", ".pq")
_loading: dict[str, "_Loading"] = {}


class _Loading:
    """One file that is being loaded, or waits for its turn."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._data: bytes | None = None
        self._done = Event()

    def run(self) -> None:
        """Load it; where that fails, `load` tries again and reports the error."""
        try:
            self._data = files.load(self._name)
        except Exception:
            self._data = None
        self._done.set()

    def result(self) -> bytes | None:
        """The bytes, when they are there; None where that failed."""
        self._done.wait()
        return self._data


def load_ahead(names: Iterable[str]) -> None:
    """Begin to load those of the names that are files, so that `load` returns sooner.

    One after the other, so that this takes one processor and the imports have another. Parquet
    files are left to the library that reads them in pieces.
    """
    wanted = [
        name
        for name in dict.fromkeys(names)
        if os.path.isfile(name) and name not in _loading and not name.endswith(_IN_PIECES)
    ]
    if wanted:
        new = {name: _Loading(name) for name in wanted}
        _loading.update(new)
        Thread(target=_run_all, args=(list(new.values()),), daemon=True).start()


def _run_all(waiting: list[_Loading]) -> None:
    for one in waiting:
        one.run()


def load(name: str, max_size: int | None = None) -> bytes:
    """Like `files.load`, of a file that may be loading already."""
    begun = _loading.pop(name, None)
    data = begun.result() if begun and max_size is None else None
    return files.load(name, max_size) if data is None else data
