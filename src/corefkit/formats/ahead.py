"""Files loaded in the background, while the modules that will parse them are still loading.

Reading and unpacking leave Python's lock alone, so a second processor does them for nothing.
"""

import os
from collections.abc import Iterable
from contextlib import suppress
from threading import Event, Thread

from corefkit.formats import files

_IN_PIECES = (".parquet", ".pq")
_loading: dict[str, "_Loading"] = {}


class _Loading(Event):
    """One file that is being loaded, or waits for its turn; set when `data` are there."""

    data: bytes | None = None
    """None where loading failed: `load` tries again and reports the error."""


def load_ahead(names: Iterable[str]) -> None:
    """Begin to load those of the names that are files, so that `load` returns sooner.

    One after the other, so that this takes one processor and the imports have another. Parquet
    files are left to the library that reads them in pieces.
    """
    new = {
        name: _Loading()
        for name in dict.fromkeys(names)
        if os.path.isfile(name) and name not in _loading and not name.endswith(_IN_PIECES)
    }
    _loading.update(new)
    if new:
        Thread(target=_load_all, args=(new,), daemon=True).start()


def _load_all(waiting: dict[str, _Loading]) -> None:
    for name, loading in waiting.items():
        with suppress(Exception):
            loading.data = files.load(name)
        loading.set()


def load(name: str, max_size: int | None = None) -> bytes:
    """Like `files.load`, of a file that may be loading already."""
    begun = _loading.pop(name, None)
    if begun and max_size is None and begun.wait() and begun.data is not None:
        return begun.data
    return files.load(name, max_size)
