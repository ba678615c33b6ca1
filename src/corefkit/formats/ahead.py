"""Files loaded in the background, while the modules that will parse them are still loading.

Reading and unpacking leave Python's lock alone, so a second processor does them for nothing.
"""

import os
from collections.abc import Iterable
from threading import Thread

from corefkit.formats import files

_IN_PIECES = (".parquet", ".pq")
_loading: dict[str, "_Loading"] = {}


class _Loading(Thread):
    """One file being loaded."""

    def __init__(self, name: str) -> None:
        super().__init__(daemon=True)
        self._file = name
        self._data: bytes | None = None

    def run(self) -> None:
        try:
            self._data = files.load(self._file)
        except Exception:  # the caller loads the file again and reports the error
            self._data = None

    def result(self) -> bytes | None:
        """The bytes, when they are there; None where that failed."""
        self.join()
        return self._data


def load_ahead(names: Iterable[str]) -> None:
    """Begin to load those of the names that are files; `load` will have them sooner.

    Parquet files are left to the library that reads them in pieces.
    """
    for name in names:
        if os.path.isfile(name) and name not in _loading and not name.endswith(_IN_PIECES):
            _loading[name] = _Loading(name)
            _loading[name].start()


def load(name: str, max_size: int | None = None) -> bytes:
    """Like `files.load`, of a file that may be loading already."""
    begun = _loading.pop(name, None)
    data = begun.result() if begun and max_size is None else None
    return files.load(name, max_size) if data is None else data
